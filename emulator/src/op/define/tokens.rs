//! Gradients of the operators of tokens: rows in the order of their experts, and turned pairs.

use ascendcl_sys::ACLNN_ERR_INNER_TILING_ERROR;

use super::computed::{Computed, Numbers};
use super::definitions;
use super::rotate::Pairs;
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};
use crate::op::shape::Dims;

definitions! {
    aclnnMoeTokenPermuteGrad = permuted;
    aclnnMoeTokenUnpermuteGrad = unpermuted;
    aclnnMoeTokenPermuteWithRoutingMapGrad = mapped;
    aclnnMoeTokenUnpermuteWithRoutingMapGrad = unmapped;
    aclnnRotaryPositionEmbeddingGrad = turned;
    aclnnApplyRotaryPosEmbGrad = both_turned;
    aclnnInplacePartialRotaryMulGrad = partly_turned;
}

fn check_padding(call: &Call) -> Result<(), Refusal> {
    if call.flag("paddedMode")? {
        return Err(Refusal::invalid(
            "paddedMode is true; only false is supported",
        ));
    }
    Ok(())
}

/// `aclnnMoeTokenPermuteGrad(permutedOutputGrad, sortedIndices, numTopk, paddedMode, out)`: a token gets the sum of its rows.
fn permuted(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("permutedOutputGrad").of(SINGLE).ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let choices = count("numTopk", call.whole("numTopk")?)?;
    check_padding(call)?;
    if choices == 0 || !places.elements().is_multiple_of(choices) {
        return Err(Refusal::invalid(format_args!(
            "numTopk is {choices}; sortedIndices has {} elements",
            places.elements()
        )));
    }
    let [kept, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let rows = places.elements() / choices;
    let out = call.output("out").like(&gradient)?.shaped(&[rows, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let mut results = vec![0.0; rows * width];
        let sums = results.chunks_mut(width);
        for (sums, order) in sums.zip(order.chunks(choices)) {
            for place in order {
                // A row beyond the kept ones has no gradient.
                let row = views.below_in(&places, *place, places.elements().max(kept));
                let row = row.and_then(|row| gradients.get(row * width..(row + 1) * width));
                for (sum, one) in sums.iter_mut().zip(row.unwrap_or_default()) {
                    *sum += one;
                }
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnMoeTokenUnpermuteGrad(permuteTokens, unpermutedTokensGrad, sortedIndices, probsOptional, paddedMode,
/// restoreShapeOptional, permutedTokensGradOut, probsGradOut)`
fn unpermuted(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("permuteTokens").of(SINGLE).ranked(2..=2)?;
    let gradient = call.input("unpermutedTokensGrad").like(&input)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    check_padding(call)?;
    let [kept, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let weights = match call.optional_input("probsOptional")? {
        Some(weights) => Some(weights.of(SINGLE).ranked(2..=2)?),
        None => None,
    };
    let choices = weights.map_or(1, |weights| at(weights.shape(), 1));
    let rows = places.elements() / choices.max(1);
    if weights.is_some_and(|weights| weights.shape() != [rows, choices] || choices == 0) {
        return Err(Refusal::invalid(
            "probs and sortedIndices differ in their number",
        ));
    }
    let gradient = gradient.shaped(&[rows, width])?;
    let out = call.output("permutedTokensGradOut").like(&input)?;
    let out = out.shaped(input.shape())?;
    let of_weights = match weights {
        Some(weights) => {
            let out = call.output("probsGradOut").like(&weights)?;
            Some(out.shaped(weights.shape())?)
        }
        None => None,
    };
    if out.elements() == 0 || places.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |input: &Input| views.input(input).all::<f64>();
        let (elements, gradients) = (read(&input), read(&gradient));
        let order = views.input(&places).all::<Whole>();
        let factors = weights.as_ref().map(read);
        let mut results = vec![0.0; elements.len()];
        let mut slopes = vec![0.0; order.len()];
        for (index, place) in order.iter().enumerate() {
            let row = views.below_in(&places, *place, order.len().max(kept));
            let Some(range) = row.map(|row| row * width..(row + 1) * width) else {
                continue;
            };
            let token = index / choices;
            let gradient = gradients.get(token * width..(token + 1) * width);
            let gradient = gradient.unwrap_or_default();
            let factor = factors.as_ref().map_or(1.0, |factors| at(factors, index));
            let row = elements.get(range.clone()).unwrap_or_default();
            let products = row.iter().zip(gradient).map(|(one, slope)| one * slope);
            put(&mut slopes, index, products.sum());
            let to = results.get_mut(range).unwrap_or_default();
            for (to, slope) in to.iter_mut().zip(gradient) {
                *to = slope * factor;
            }
        }
        views.output(&out).put_all(&results);
        if let Some(of_weights) = &of_weights {
            views.output(of_weights).put_all(&slopes);
        }
    })
}

/// `aclnnRotaryPositionEmbeddingGrad(dy, cos, sin, xOptional, mode, dxOut, dcosOut, dsinOut)`: without `x` there are no gradients of
/// the angles.
fn turned(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE).ranked(4..=4)?;
    let (cos, sin) = (
        call.input("cos").like(&gradient)?,
        call.input("sin").like(&gradient)?,
    );
    let mode = call.whole("mode")?;
    let broad = |(one, size): (&usize, &usize)| *one == 1 || one == size;
    let width = at(gradient.shape(), 3);
    let fits = cos.shape().len() == 4
        && sin.shape() == cos.shape()
        && cos.shape().iter().zip(gradient.shape()).all(broad)
        && at(cos.shape(), 3) == width
        && width.is_multiple_of(2);
    if !fits || !(0..=1).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "cos {:?} and sin {:?} do not fit dy {:?}, or mode is {mode}, and not 0 or 1",
            cos.shape(),
            sin.shape(),
            gradient.shape()
        )));
    }
    let like = |name| call.output(name).like(&gradient);
    let mut outs = vec![Some(like("dxOut")?.shaped(gradient.shape())?)];
    let x = match call.optional_input("xOptional")? {
        Some(x) => Some(x.like(&gradient)?.shaped(gradient.shape())?),
        None => None,
    };
    if x.is_some() {
        for name in ["dcosOut", "dsinOut"] {
            outs.push(Some(like(name)?.shaped(cos.shape())?));
        }
    }
    let mut computed = Computed::new(&[Some(gradient), Some(cos), Some(sin), x], &outs, turn);
    // CAST: a mode is 0 or 1.
    let [batches, positions, heads] = [0, 1, 2].map(|dim| at(cos.shape(), dim));
    let [_, of_positions, of_heads] = [0, 1, 2].map(|dim| at(gradient.shape(), dim));
    computed.sizes = [batches, positions, heads, of_positions, of_heads, width];
    computed.numbers = [mode as f64, 0.0, 0.0];
    computed.plan(call)
}

fn turn(computed: &Computed, numbers: Numbers<'_>) {
    let [batches, positions, heads, of_positions, of_heads, width] = computed.sizes;
    let pairs = if computed.numbers[0] == 0.0 {
        Pairs::Halves
    } else {
        Pairs::Neighbours
    };
    let [gradients, cosines, sines, elements, ..] = numbers.inputs;
    let [results, of_cosines, of_sines, ..] = numbers.outs;
    let kept = |index: usize, size: usize| if size == 1 { 0 } else { index };
    for (row, line) in gradients.chunks(width.max(1)).enumerate() {
        let (outer, head) = (row / of_heads, row % of_heads);
        let (batch, position) = (outer / of_positions, outer % of_positions);
        let angle = kept(batch, batches) * positions + kept(position, positions);
        let angles = (angle * heads + kept(head, heads)) * width;
        for (index, slope) in line.iter().enumerate() {
            let (partner, sign) = pairs.partner(index, width);
            let (place, other) = (row * width + index, row * width + partner);
            let before = at(results, place);
            put(results, place, before + slope * at(cosines, angles + index));
            let before = at(results, other);
            put(
                results,
                other,
                before + sign * slope * at(sines, angles + index),
            );
            if !elements.is_empty() {
                let before = at(of_cosines, angles + index);
                put(
                    of_cosines,
                    angles + index,
                    before + slope * at(elements, place),
                );
                let before = at(of_sines, angles + index);
                put(
                    of_sines,
                    angles + index,
                    before + sign * slope * at(elements, other),
                );
            }
        }
    }
}

/// Returns the token and the expert of each row of a map, in the order of the experts.
fn pairs_of(map: &[Whole], experts: usize) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for expert in 0..experts {
        let own = map.iter().skip(expert).step_by(experts.max(1)).enumerate();
        let own = own.filter(|(_, chosen)| chosen.0 != 0);
        pairs.extend(own.map(|(token, _)| [token, expert]));
    }
    pairs
}

/// `aclnnMoeTokenPermuteWithRoutingMapGrad(permutedTokensOutputGrad, permutedProbsOutputGradOptional, sortedIndices,
/// routingMapOptional, experts_num, tokens_num, dropAndPad, tokenGradOut, probsGradOutOptional)`: a token gets the sum of its rows. Its
/// places are behind each other without padding, where -1 stands for none; with it, `sortedIndices` has the token of each row.
fn mapped(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("permutedTokensOutputGrad").of(SINGLE);
    let gradient = gradient.ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let experts = count("experts_num", call.whole("experts_num")?)?;
    let tokens = count("tokens_num", call.whole("tokens_num")?)?;
    let is_padded = call.flag("dropAndPad")?;
    let [rows, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let parts = if is_padded { experts } else { tokens };
    let places = places.shaped(&[rows])?;
    if parts == 0 || !rows.is_multiple_of(parts) {
        return Err(Refusal::invalid(format_args!(
            "{rows} rows are not those of {experts} experts and {tokens} tokens"
        )));
    }
    let each = rows / parts;
    let out = call.output("tokenGradOut").like(&gradient)?;
    let out = out.shaped(&[tokens, width])?;
    let map = match call.optional_input("routingMapOptional")? {
        Some(map) => Some(map.of(types!(bool s8))?.shaped(&[tokens, experts])?),
        None => None,
    };
    let shares = match call.optional_input("permutedProbsOutputGradOptional")? {
        Some(shares) => {
            let shares = shares.of(SINGLE)?.shaped(&[rows])?;
            let out = call.output("probsGradOutOptional").like(&shares)?;
            if map.is_none() && !is_padded {
                return Err(Refusal::null("routingMapOptional"));
            }
            Some((shares, out.shaped(&[tokens, experts])?))
        }
        None => None,
    };
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let mut results = vec![0.0; tokens * width];
        for (index, place) in order.iter().enumerate() {
            if *place == Whole(-1) && !is_padded {
                continue;
            }
            let size = if is_padded { tokens } else { rows };
            let Some(place) = views.below_in(&places, *place, size) else {
                continue;
            };
            let (token, row) = if is_padded {
                (place, index)
            } else {
                (index / each, place)
            };
            let sums = results.get_mut(token * width..(token + 1) * width);
            let row = gradients.get(row * width..(row + 1) * width);
            let sums = sums.unwrap_or_default().iter_mut();
            for (sum, one) in sums.zip(row.unwrap_or_default()) {
                *sum += one;
            }
        }
        views.output(&out).put_all(&results);
        if let Some((shares, out)) = &shares {
            let slopes = views.input(shares).all::<f64>();
            let mut results = vec![0.0; tokens * experts];
            let pairs = match &map {
                Some(map) if !is_padded => pairs_of(&views.input(map).all::<Whole>(), experts),
                // What is behind the last token has no place.
                _ => Vec::from_iter(
                    order
                        .iter()
                        .enumerate()
                        .map(|(row, token)| [token.below(tokens).unwrap_or(tokens), row / each]),
                ),
            };
            for ([token, expert], slope) in pairs.into_iter().zip(slopes) {
                put(&mut results, token * experts + expert, slope);
            }
            views.output(out).put_all(&results);
        }
    })
}

/// `aclnnMoeTokenUnpermuteWithRoutingMapGrad(unpermutedTokensGrad, outIndex, permuteTokenId, routingMapOptional,
/// permutedTokensOptional, probsOptional, dropAndPad, restoreShapeOptional, permutedTokensGradOut, probsGradOutOptional)`: the row
/// `outIndex` has the gradient of the token `permuteTokenId`, times its share.
fn unmapped(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("unpermutedTokensGrad").of(SINGLE);
    let gradient = gradient.ranked(2..=2)?;
    let rows = call.input("outIndex").of(types!(s32)).ranked(1..=1)?;
    let tokens = call.input("permuteTokenId").of(types!(s32));
    let tokens = tokens.shaped(rows.shape())?;
    let [number, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let kept = rows.elements();
    let out = call.output("permutedTokensGradOut").like(&gradient)?;
    let out = out.shaped(&[kept, width])?;
    let shares = match call.optional_input("probsOptional")? {
        None => None,
        Some(_) if call.flag("dropAndPad")? => {
            return Err(Refusal::invalid(
                "dropAndPad is true, which the emulator models without probsOptional",
            ));
        }
        Some(shares) => {
            let shares = shares.of(SINGLE)?.ranked(2..=2)?;
            let shares = shares.shaped(&[number, at(shares.shape(), 1)])?;
            let needed = |name: &str| -> Result<Input, Refusal> {
                call.optional_input(name)?
                    .ok_or_else(|| Refusal::null(name))
            };
            let map = needed("routingMapOptional")?.of(types!(bool s8))?;
            let given = needed("permutedTokensOptional")?.like(&gradient)?;
            let out = call.output("probsGradOutOptional").like(&shares)?;
            let map = map.shaped(shares.shape())?;
            Some((
                shares,
                map,
                given.shaped(&[kept, width])?,
                out.shaped(shares.shape())?,
            ))
        }
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&rows).all::<Whole>();
        let own = views.input(&tokens).all::<Whole>();
        let mut results = vec![0.0; kept * width];
        for (row, token) in order.into_iter().zip(own) {
            let row = views.below_in(&rows, row, kept);
            let token = views.below_in(&tokens, token, number);
            let (Some(row), Some(token)) = (row, token) else {
                continue;
            };
            let to = results.get_mut(row * width..(row + 1) * width);
            let from = gradients.get(token * width..(token + 1) * width);
            let to = to.unwrap_or_default().iter_mut();
            to.zip(from.unwrap_or_default())
                .for_each(|(to, from)| *to = *from);
        }
        if let Some((shares, map, given, of_shares)) = &shares {
            let factors = views.input(shares).all::<f64>();
            let elements = views.input(given).all::<f64>();
            let experts = at(shares.shape(), 1);
            let mut slopes = vec![0.0; factors.len()];
            let pairs = pairs_of(&views.input(map).all::<Whole>(), experts);
            let lines = results.chunks_mut(width).zip(elements.chunks(width));
            let mut found = vec![0.0; kept];
            for ([token, expert], ((line, given), own)) in
                pairs.into_iter().zip(lines.zip(&mut found))
            {
                let products = line.iter().zip(given).map(|(slope, one)| slope * one);
                put(&mut slopes, token * experts + expert, products.sum());
                *own = at(&factors, token * experts + expert);
            }
            for (line, factor) in results.chunks_mut(width).zip(found) {
                line.iter_mut().for_each(|one| *one *= factor);
            }
            views.output(of_shares).put_all(&slopes);
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnApplyRotaryPosEmbGrad(gradQueryEmbed, gradKeyEmbed, cos, sin, queryOptional, keyOptional, rotaryModeOptional, layout,
/// gradQueryOut, gradKeyOut, gradCosOut, gradSinOut)`: without queries and keys there are no gradients of the angles.
fn both_turned(call: &Call) -> Result<Plan, Refusal> {
    let layout = call.whole("layout")?;
    let rank = match (layout, call.text("rotaryModeOptional")?) {
        (1 | 2, None | Some("half")) => 4,
        (4, None | Some("half")) => 3,
        (_, mode) => {
            return Err(Refusal::invalid(format_args!(
                "layout is {layout}, and not 1, 2 or 4, or rotaryModeOptional is {mode:?}"
            )));
        }
    };
    let first = call
        .input("gradQueryEmbed")
        .of(SINGLE)?
        .ranked(rank..=rank)?;
    let second = call
        .input("gradKeyEmbed")
        .like(&first)?
        .ranked(rank..=rank)?;
    let [cos, sin] = ["cos", "sin"].map(|name| call.input(name).like(&first));
    let cos = cos?.ranked(rank..=rank)?;
    let sin = sin?.shaped(cos.shape())?;
    let width = at(first.shape(), rank - 1);
    // The heads are the dimension before the last one, and the angles may have one batch.
    let batch = match layout {
        1 => Some(0),
        2 => Some(1),
        _ => None,
    };
    let fits =
        cos.shape()
            .iter()
            .zip(first.shape())
            .enumerate()
            .all(|(dim, (one, size))| match dim {
                _ if dim == rank - 2 => *one == 1,
                _ if Some(dim) == batch => *one == 1 || one == size,
                _ => one == size,
            });
    let alike = first.shape().iter().zip(second.shape()).enumerate();
    let alike = alike.fold(true, |alike, (dim, (one, other))| {
        alike && (dim == rank - 2 || one == other)
    });
    if !fits || !alike || !width.is_multiple_of(2) {
        return Err(Refusal::invalid(format_args!(
            "cos {:?} and gradKeyEmbed {:?} do not fit gradQueryEmbed {:?}",
            cos.shape(),
            second.shape(),
            first.shape()
        )));
    }
    let mut sides = Vec::new();
    for (gradient, given, out) in [
        (first, "queryOptional", "gradQueryOut"),
        (second, "keyOptional", "gradKeyOut"),
    ] {
        let given = match call.optional_input(given)? {
            Some(given) => Some(given.like(&gradient)?.shaped(gradient.shape())?),
            None => None,
        };
        let out = call.output(out).like(&gradient)?.shaped(gradient.shape())?;
        sides.push((gradient, given, out));
    }
    let count = sides.iter().filter(|(_, given, _)| given.is_some()).count();
    let of_angles = match count {
        0 => None,
        2 => {
            let [cosines, sines] = ["gradCosOut", "gradSinOut"].map(|name| {
                let out = call.optional_output(name)?;
                out.ok_or_else(|| Refusal::null(name))?
                    .like(&first)?
                    .shaped(cos.shape())
            });
            Some([cosines?, sines?])
        }
        _ => {
            return Err(Refusal::invalid(
                "one of queryOptional and keyOptional is given",
            ));
        }
    };
    if first.elements() == 0 || second.elements() == 0 {
        return Err(Refusal::invalid(
            "gradQueryEmbed or gradKeyEmbed has no elements",
        ));
    }
    call.plan(move |views| {
        let read = |one: &Input| views.input(one).all::<f64>();
        let (cosines, sines) = (read(&cos), read(&sin));
        let mut slopes = [vec![0.0; cosines.len()], vec![0.0; sines.len()]];
        let mut stored = Vec::new();
        for (gradient, given, _) in &sides {
            let shape = &gradient.tensor.shape;
            let angles = cos.tensor.shape;
            let strides = angles.contiguous_strides().stretched(&angles, shape);
            let places = Vec::from_iter(shape.offsets(strides));
            let (gradients, given) = (read(gradient), given.as_ref().map(read));
            let mut results = vec![0.0; gradients.len()];
            for (index, (slope, angle)) in gradients.iter().zip(places).enumerate() {
                let column = index % width;
                let (partner, sign) = Pairs::Halves.partner(column, width);
                let other = index - column + partner;
                for (to, one) in [
                    (index, slope * at(&cosines, angle)),
                    (other, sign * slope * at(&sines, angle)),
                ] {
                    let before = at(&results, to);
                    put(&mut results, to, before + one);
                }
                if let Some(given) = &given {
                    let added = [slope * at(given, index), sign * slope * at(given, other)];
                    for (slopes, one) in slopes.iter_mut().zip(added) {
                        let before = at(slopes, angle);
                        put(slopes, angle, before + one);
                    }
                }
            }
            stored.push(results);
        }
        for ((_, _, out), results) in sides.iter().zip(&stored) {
            views.output(out).put_all(results);
        }
        for (out, slopes) in of_angles.iter().flatten().zip(&slopes) {
            views.output(out).put_all(slopes);
        }
    })
}

/// `aclnnInplacePartialRotaryMulGrad(dyRef, cos, sin, rotaryMode, partialSlice)`: pairs of neighbours in a part of each row. The angles
/// have the width of the part.
fn partly_turned(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dyRef").of(SINGLE)?.ranked(4..=4)?;
    let out = call.output("dyRef")?;
    let cos = call.input("cos").of(SINGLE)?.ranked(4..=4)?;
    let sin = call.input("sin").like(&cos)?.shaped(cos.shape())?;
    let size = at(gradient.shape(), 3);
    let part = match *call.ints("partialSlice")? {
        [first, end] => [count("partialSlice", first)?, count("partialSlice", end)?],
        _ => [1, 0],
    };
    let [first, end] = part;
    let width = end.saturating_sub(first);
    let broad = |(one, size): (&usize, &usize)| *one == 1 || one == size;
    let fits = at(cos.shape(), 3) == width
        && width > 0
        && end <= size
        && width.is_multiple_of(2)
        && cos.shape().iter().zip(gradient.shape()).take(3).all(broad);
    let mode = call.whole("rotaryMode")?;
    if !fits || mode != 1 || gradient.elements() == 0 {
        return Err(Refusal::new(
            ACLNN_ERR_INNER_TILING_ERROR,
            format_args!(
                "cos {:?} does not fit dyRef {:?} and partialSlice {part:?}, or rotaryMode is {mode}, and not 1",
                cos.shape(),
                gradient.shape()
            ),
        ));
    }
    let mut whole = gradient.shape().to_vec();
    put(&mut whole, 3, width);
    let whole = Dims::new(whole).unwrap_or_default();
    call.plan(move |views| {
        let mut results = views.input(&gradient).all::<f64>();
        let [cosines, sines] = [&cos, &sin].map(|one| views.input(one).spread::<f64>(&whole));
        let angles = cosines.chunks(2).zip(sines.chunks(2));
        let rows = results.chunks_mut(size);
        let pairs = rows.flat_map(|row| row.get_mut(first..end).unwrap_or_default().chunks_mut(2));
        for (pair, (cosines, sines)) in pairs.zip(angles) {
            if let ([one, other], [a, b], [c, d]) = (pair, cosines, sines) {
                (*one, *other) = (*one * a + *other * d, *other * b - *one * c);
            }
        }
        views.output(&out).put_all(&results);
    })
}
