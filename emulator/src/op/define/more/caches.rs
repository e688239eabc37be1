//! Keys and values in caches, positions in queries and keys, and attentions that are joined.

use ascendcl_sys::ACLNN_ERR_INNER_TILING_ERROR;

use super::super::attention::lacking;
use super::super::rotate::Pairs;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined, put};
use crate::op::shape::{Dims, broadcast};
use crate::op::view::Views;

definitions! {
    aclnnScatterPaKvCache = store;
    aclnnGatherPaKvCache = gather;
    aclnnRopeWithSinCosCache, aclnnRopeWithSinCosCacheV2 = positions;
    aclnnInplacePartialRotaryMul = turned;
    aclnnInterleaveRope = halves;
    aclnnRotaryPositionEmbeddingV2 = turn;
    aclnnRingAttentionUpdate, aclnnRingAttentionUpdateV2 = ring;
    aclnnAttentionUpdate = update;
}

/// The types of keys and values.
const STORED: Types = types!(f32 f16 bf16 s8 u8);

/// Refuses other ways to store than that by slots.
fn check_mode(call: &Call, name: &str, modes: &[&str]) -> Result<(), Refusal> {
    match call.text(name)? {
        None => Ok(()),
        Some(mode) if modes.contains(&mode) => Ok(()),
        other => Err(Refusal::invalid(format_args!(
            "{name} is {other:?}; the emulator models {modes:?}"
        ))),
    }
}

/// Returns the blocks, the size of a block, and the elements of a place of a cache.
fn cache(input: &Input) -> Result<[usize; 3], Refusal> {
    let [blocks, size, heads, width] = *input.shape() else {
        return Err(Refusal::invalid(format_args!(
            "{} {:?} has not four dimensions",
            input.name,
            input.shape()
        )));
    };
    Ok([blocks, size, heads * width])
}

/// `aclnnScatterPaKvCache(key, keyCacheRef, slotMapping, value, valueCacheRef, ..)`: a slot is a place of a block. A row with a slot
/// below 0 is not stored.
fn store(call: &Call) -> Result<Plan, Refusal> {
    let names = [
        "compressLensOptional",
        "compressSeqOffsetOptional",
        "seqLensOptional",
    ];
    lacking(call, &names)?;
    check_mode(call, "cacheModeOptional", &["", "Norm"])?;
    check_mode(call, "scatterModeOptional", &["", "None"])?;
    for name in ["stridesOptional", "offsetsOptional"] {
        if call.ints(name)?.iter().any(|one| !(0..=1).contains(one)) {
            return Err(Refusal::invalid(format_args!("{name} is not modelled")));
        }
    }
    let slots = call
        .input("slotMapping")
        .of(types!(s32 s64))
        .ranked(1..=1)?;
    let mut pairs: Vec<(Input, Input, Output)> = Vec::with_capacity(2);
    for (rows, into) in [("key", "keyCacheRef"), ("value", "valueCacheRef")] {
        let before = call.input(into).of(STORED)?;
        let [_, _, width] = cache(&before)?;
        let rows = call.input(rows).like(&before)?;
        let ends = before.shape().get(2..).unwrap_or_default();
        let rows = rows.shaped(&joined(slots.shape(), ends))?;
        if width > 0 {
            pairs.push((rows, before, call.output(into)?));
        }
    }
    if slots.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let slots_of = views.input(&slots).all::<Whole>();
        for (rows, before, out) in &pairs {
            let mut elements = views.input(before).all_bits();
            let width = rows.elements() / slots_of.len().max(1);
            let rows = views.input(rows).all_bits();
            let places = elements.len() / width.max(1);
            for (slot, row) in slots_of.iter().zip(rows.chunks(width.max(1))) {
                if slot.0 < 0 {
                    continue;
                }
                if let Some(slot) = views.below_in(&slots, *slot, places) {
                    let to = elements.get_mut(slot * width..(slot + 1) * width);
                    to.unwrap_or_default().copy_from_slice(row);
                }
            }
            views.output(out).put_all_bits(&elements);
        }
    })
}

/// `aclnnGatherPaKvCache(keyCache, valueCache, blockTables, seqLens, keyRef, valueRef, seqOffsetOptional, cacheMode,
/// isSeqLensCumsum)`: the places of all sequences behind each other.
fn gather(call: &Call) -> Result<Plan, Refusal> {
    lacking(call, &["seqOffsetOptional"])?;
    check_mode(call, "cacheMode", &["", "Norm"])?;
    let tables = call.input("blockTables").of(types!(s32)).ranked(2..=2)?;
    let [batches, blocks] = [0, 1].map(|dim| at(tables.shape(), dim));
    let are_ends = call.flag("isSeqLensCumsum")?;
    let lengths = call.input("seqLens").of(types!(s32));
    let lengths = lengths.shaped(&[batches + usize::from(are_ends)])?;
    let mut pairs: Vec<(Input, Input, Output)> = Vec::with_capacity(2);
    for (from, to) in [("keyCache", "keyRef"), ("valueCache", "valueRef")] {
        let from = call.input(from).of(STORED)?;
        let _ = cache(&from)?;
        let before = call.input(to).like(&from)?;
        let ends = from.shape().get(2..).unwrap_or_default();
        let shape = joined(&[at(before.shape(), 0)], ends);
        pairs.push((from, before.shaped(&shape)?, call.output(to)?));
    }
    call.plan(move |views| {
        let table = views.input(&tables).all::<Whole>();
        let lengths = views.input(&lengths).all::<Whole>();
        for (from, before, out) in &pairs {
            let [all, size, width] = cache(from).unwrap_or_default();
            let elements = views.input(from).all_bits();
            let mut results = views.input(before).all_bits();
            let mut rows = results.chunks_mut(width.max(1));
            for batch in 0..batches {
                let length = match are_ends {
                    true => at(&lengths, batch + 1) - at(&lengths, batch),
                    false => at(&lengths, batch),
                };
                let most = blocks * size;
                let length = usize::try_from(length.0).unwrap_or(0).min(most);
                for place in 0..length {
                    let block = at(&table, batch * blocks + place / size);
                    let block = views.below_in(&tables, block, all);
                    let (Some(block), Some(to)) = (block, rows.next()) else {
                        continue;
                    };
                    let first = (block * size + place % size) * width;
                    to.copy_from_slice(elements.get(first..first + width).unwrap_or_default());
                }
            }
            views.output(out).put_all_bits(&results);
        }
    })
}

/// `aclnnRopeWithSinCosCache(positions, queryIn, keyIn, cosSinCache, mropeSection, headSize, isNeoxStyle, queryOut, keyOut)`: a row of
/// the cache has the cosines and then the sines of a position. What is behind the pairs of a head stays as it is. With
/// `mropeSection`, a token has a position on each axis, and each axis the angles of a section. `aclnnRopeWithSinCosCacheV2` also mixes
/// them: in its `cacheMode` 1 the axes take turns.
fn positions(call: &Call) -> Result<Plan, Refusal> {
    let positions = call.input("positions").of(types!(s32 s64)).ranked(1..=2)?;
    let angles = call.input("cosSinCache").of(SINGLE).ranked(2..=2)?;
    let [most, pairs] = [at(angles.shape(), 0), at(angles.shape(), 1) / 2];
    let size = count("headSize", call.whole("headSize")?)?;
    let sections = call.ints("mropeSection")?;
    let sections = match sections.iter().any(|one| *one != 0) {
        true => sections,
        false => &[],
    };
    let mode = match call.has("cacheMode") {
        true => call.whole("cacheMode")?,
        false => 0,
    };
    let axes = axes_of(sections, mode, pairs)?;
    let count_of = positions.shape().last().copied().unwrap_or(0);
    let positions = match sections.len() {
        0 => positions.shaped(&[count_of])?,
        count => positions.shaped(&[count, count_of])?,
    };
    let is_half = call.flag("isNeoxStyle")?;
    let mut tensors = Vec::with_capacity(2);
    for (from, to) in [("queryIn", "queryOut"), ("keyIn", "keyOut")] {
        let input = call.input(from).like(&angles)?.ranked(2..=2)?;
        let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
        if rows != count_of || size == 0 || !width.is_multiple_of(size) || 2 * pairs > size {
            return Err(Refusal::invalid(format_args!(
                "{from} {:?} has not {} rows of heads of {size} elements, of which {} are turned",
                input.shape(),
                count_of,
                2 * pairs
            )));
        }
        tensors.push((input, call.output(to).like(&input)?.shaped(input.shape())?));
    }
    if positions.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let found = views.input(&positions).all::<Whole>();
        let angles = views.input(&angles).all::<f64>();
        for (input, out) in &tensors {
            let mut elements = views.input(input).all::<f64>();
            let width = at(input.shape(), 1).max(1);
            for (token, row) in elements.chunks_mut(width).enumerate() {
                for head in row.chunks_mut(size) {
                    for (pair, axis) in axes.iter().enumerate() {
                        let position = at(&found, axis * count_of + token);
                        let Some(position) = views.below_in(&positions, position, most) else {
                            continue;
                        };
                        let cos = at(&angles, 2 * position * pairs + pair);
                        let sin = at(&angles, (2 * position + 1) * pairs + pair);
                        let places = match is_half {
                            true => [pair, pair + pairs],
                            false => [2 * pair, 2 * pair + 1],
                        };
                        let [one, other] = places.map(|place| at(head, place));
                        put(head, places[0], one * cos - other * sin);
                        put(head, places[1], other * cos + one * sin);
                    }
                }
            }
            views.output(out).put_all(&elements);
        }
    })
}

/// Returns the axis whose position each pair of a head has its angle from.
fn axes_of(sections: &[i64], mode: i64, pairs: usize) -> Result<Vec<usize>, Refusal> {
    let mut counts = Vec::with_capacity(sections.len());
    for section in sections {
        counts.push(count("mropeSection", *section)?);
    }
    let fits = match counts.len() {
        0 => mode == 0,
        3 => (0..=1).contains(&mode),
        4 => mode == 0,
        _ => false,
    };
    if !fits || (!counts.is_empty() && counts.iter().sum::<usize>() != pairs) {
        return Err(Refusal::invalid(format_args!(
            "mropeSection is {sections:?} for {pairs} pairs, and cacheMode {mode}"
        )));
    }
    Ok(Vec::from_iter((0..pairs).map(|pair| {
        if mode == 1 {
            // Behind the turns of the second axis, all pairs are those of the first one.
            return if pair < 3 * at(&counts, 1) {
                pair % 3
            } else {
                0
            };
        }
        let mut end = 0;
        let is_before = |count: &&usize| {
            end += **count;
            end <= pair
        };
        match counts.len() {
            0 => 0,
            _ => counts.iter().take_while(is_before).count(),
        }
    })))
}

/// Reads both tensors of angles, which have the shape of a part of the rows, or sizes 1 there.
fn angles(call: &Call, input: &Input, width: usize) -> Result<([Input; 2], Dims), Refusal> {
    let tensor = |name: &str| call.input(name).like(input);
    let (cos, sin) = (tensor("cos")?, tensor("sin")?);
    let mut shape = input.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = width;
    }
    let whole = Dims::new(shape).unwrap_or_default();
    let fits = input.shape().len() == 4
        && cos.shape().len() == 4
        && at(cos.shape(), 3) == width
        && cos.shape() == sin.shape()
        && width.is_multiple_of(2)
        && broadcast(&cos.tensor.shape, &whole) == Some(whole);
    if fits {
        return Ok(([cos, sin], whole));
    }
    Err(Refusal::invalid(format_args!(
        "cos {:?} and sin {:?} do not fit {width} elements of the rows of {} {:?}",
        cos.shape(),
        sin.shape(),
        input.name,
        input.shape()
    )))
}

/// `aclnnInplacePartialRotaryMul(xRef, cos, sin, rotary_mode, partialSlice)`: pairs of neighbours in a part of each row.
fn turned(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("xRef").of(SINGLE)?;
    let out = call.output("xRef")?;
    let mode = call.whole("rotary_mode")?;
    let width = input.shape().last().copied().unwrap_or(0);
    let part = match *call.ints("partialSlice")? {
        [first, end] => [count("partialSlice", first)?, count("partialSlice", end)?],
        _ => [1, 0],
    };
    let [first, end] = part;
    if mode != 1 || first > end || end > width {
        return Err(Refusal::invalid(format_args!(
            "partialSlice is {part:?} of {width} elements, or rotary_mode is {mode}, and not 1"
        )));
    }
    let (angles, shape) = angles(call, &input, end - first)?;
    if input.elements() == 0 || first == end {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let [cosines, sines] = angles.map(|one| views.input(&one).spread::<f64>(&shape));
        let size = end - first;
        for (index, row) in elements.chunks_mut(width).enumerate() {
            let row = row.get_mut(first..end).unwrap_or_default();
            for (pair, both) in row.chunks_exact_mut(2).enumerate() {
                let [one, other] = [at(both, 0), at(both, 1)];
                for (place, (own, partner)) in [(one, -other), (other, one)].into_iter().enumerate()
                {
                    let angle = index * size + 2 * pair + place;
                    put(
                        both,
                        place,
                        own * at(&cosines, angle) + partner * at(&sines, angle),
                    );
                }
            }
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnInterleaveRope(x, cos, sin, out)`: the even elements of a row become its first half, and then halves are turned.
fn halves(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let width = input.shape().last().copied().unwrap_or(0);
    let (angles, shape) = angles(call, &input, width)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let [cosines, sines] = angles.map(|one| views.input(&one).spread::<f64>(&shape));
        let mut results = Vec::with_capacity(elements.len());
        let half = width / 2;
        for (index, row) in elements.chunks(width).enumerate() {
            for place in 0..width {
                let (own, partner) = match place < half {
                    true => (at(row, 2 * place), -at(row, 2 * place + 1)),
                    false => (at(row, 2 * (place - half) + 1), at(row, 2 * (place - half))),
                };
                let angle = index * width + place;
                results.push(own * at(&cosines, angle) + partner * at(&sines, angle));
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnRotaryPositionEmbeddingV2(x, cos, sin, mode, rotate, out)`: with `rotate`, what is turned is the product with this matrix.
fn turn(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?.ranked(3..=4)?;
    let [cos, sin] = ["cos", "sin"].map(|name| call.input(name).like(&input));
    let (cos, sin) = (cos?, sin?);
    let out = call.output("out").like(&input)?;
    let width = input.shape().last().copied().unwrap_or(0);
    let pairs = match call.whole("mode")? {
        0 => Some(Pairs::Halves),
        1 => Some(Pairs::Neighbours),
        _ => None,
    };
    let own = cos.shape();
    let fits = sin.shape() == own
        && own.len() == input.shape().len()
        && out.shape() == input.shape()
        && own.last() == Some(&width)
        && width.is_multiple_of(2)
        && own
            .iter()
            .zip(input.shape())
            .all(|(one, size)| *one == 1 || one == size);
    let (Some(pairs), true) = (pairs, fits) else {
        return Err(Refusal::new(
            ACLNN_ERR_INNER_TILING_ERROR,
            format_args!(
                "cos {own:?}, sin {:?} and out {:?} do not fit x {:?}, or mode is not 0 or 1",
                sin.shape(),
                out.shape(),
                input.shape()
            ),
        ));
    };
    let matrix = match call.optional_input("rotate")? {
        Some(matrix) => Some(matrix.like(&input)?.shaped(&[width, width])?),
        None => None,
    };
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let Some(matrix) = &matrix else {
            pairs.rotate(views, &input, [&cos, &sin], &out);
            return;
        };
        let mut elements = views.input(&input).all::<f64>();
        let matrix = views.input(matrix).all::<f64>();
        let shape = &input.tensor.shape;
        let [cosines, sines] = [&cos, &sin].map(|one| views.input(one).spread::<f64>(shape));
        for (index, row) in elements.chunks_mut(width).enumerate() {
            let given = row.to_vec();
            for (column, one) in row.iter_mut().enumerate() {
                let products = given.iter().zip(matrix.iter().skip(column).step_by(width));
                let turned: f64 = products.map(|(one, factor)| one * factor).sum();
                let place = index * width + column;
                *one = *one * at(&cosines, place) + turned * at(&sines, place);
            }
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnRingAttentionUpdate(prevAttnOut, prevSoftmaxMax, prevSoftmaxSum, curAttnOut, curSoftmaxMax, curSoftmaxSum,
/// actualSeqQlenOptional, inputLayoutOptional, attnOutOut, softmaxMaxOut, softmaxSumOut)`: the figures have each number eight times.
/// Those of sequences behind each other lie by heads in each sequence, whose end `actualSeqQlenOptional` has. In
/// `aclnnRingAttentionUpdateV2` they lie as the rows do if `inputSoftmaxLayoutOptional` is TND.
fn ring(call: &Call) -> Result<Plan, Refusal> {
    let before = call.input("prevAttnOut").of(SINGLE).ranked(3..=3)?;
    let now = call
        .input("curAttnOut")
        .like(&before)?
        .shaped(before.shape())?;
    let [first, second, last] = [0, 1, 2].map(|dim| at(before.shape(), dim));
    let most = call.input("prevSoftmaxMax").of(types!(f32))?;
    let shape = most.shape();
    // The number of heads, and of elements of a head.
    let (heads, fits) = match call.text("inputLayoutOptional")? {
        None | Some("SBH") => {
            let heads = at(shape, 1);
            let fits =
                shape == [second, heads, first, 8] && heads > 0 && last.is_multiple_of(heads);
            (heads, fits)
        }
        Some("TND") => (0, shape == [first, second, 8]),
        Some(_) => (0, false),
    };
    let lies_by_rows = match call.has("inputSoftmaxLayoutOptional") {
        true => match call.text("inputSoftmaxLayoutOptional")? {
            Some("TND") => true,
            None | Some("" | "SBH") => false,
            Some(other) => {
                return Err(Refusal::new(
                    ACLNN_ERR_INNER_TILING_ERROR,
                    format_args!("inputSoftmaxLayoutOptional is {other:?}"),
                ));
            }
        },
        false => false,
    };
    let ends = match call.optional_input("actualSeqQlenOptional")? {
        Some(ends) => Some(ends.of(types!(s64))?),
        None if heads == 0 && fits => return Err(Refusal::null("actualSeqQlenOptional")),
        None => None,
    };
    if !fits {
        return Err(Refusal::invalid(format_args!(
            "prevSoftmaxMax {shape:?} does not go with prevAttnOut {:?}, or the layout is not SBH or TND",
            before.shape()
        )));
    }
    let figure = |name: &str| call.input(name).of(types!(f32)).shaped(shape);
    let inputs = [
        most,
        figure("prevSoftmaxSum")?,
        figure("curSoftmaxMax")?,
        figure("curSoftmaxSum")?,
    ];
    let out = call
        .output("attnOutOut")
        .like(&before)?
        .shaped(before.shape())?;
    let result = |name: &str| call.output(name).of(types!(f32)).shaped(shape);
    let outs = [result("softmaxMaxOut")?, result("softmaxSumOut")?];
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let [tops, sums, others, further] = inputs.map(|one| views.input(&one).all::<f64>());
        let [mut elements, added] = [before, now].map(|one| views.input(&one).all::<f64>());
        let (mut all, mut totals, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (top, other)) in tops.iter().zip(&others).enumerate() {
            let most = top.max(*other);
            let [one, another] = [
                at(&sums, index) * (top - most).exp(),
                at(&further, index) * (other - most).exp(),
            ];
            all.push(most);
            totals.push(one + another);
            shares.push([one / (one + another), another / (one + another)]);
        }
        // The first token of the sequence of each token, and the number of tokens of it.
        let mut sequences = vec![(0, 1); first];
        let ends = ends.as_ref().filter(|_| heads == 0 && !lies_by_rows);
        let ends = ends.map(|ends| views.input(ends).all::<Whole>());
        for pair in ends.iter().flat_map(|ends| ends.windows(2)) {
            if let [Whole(begin), Whole(end)] = *pair
                && let (Ok(begin), Ok(end)) = (usize::try_from(begin), usize::try_from(end))
                && let Some(own) = sequences.get_mut(begin..end)
            {
                own.fill((begin, end - begin));
            }
        }
        for (index, (one, other)) in elements.iter_mut().zip(added).enumerate() {
            let (row, column) = (index / last, index % last);
            // The width of a head, if the figures are not those of the rows themselves.
            let figure = match last.checked_div(heads) {
                None if ends.is_some() => {
                    let (token, head) = (row / second, row % second);
                    let (begin, count) = at(&sequences, token);
                    begin * second + head * count + token.saturating_sub(begin)
                }
                None => row,
                Some(width) => (row % second * heads + column / width) * first + row / second,
            };
            let [share, another] = at(&shares, figure * 8);
            *one = *one * share + other * another;
        }
        views.output(&out).put_all(&elements);
        views.output(&outs[0]).put_all(&all);
        views.output(&outs[1]).put_all(&totals);
    })
}

/// `aclnnAttentionUpdate(lse, localOut, updateType, out, lseOut)`: `lseOut` is written if `updateType` is 1.
fn update(call: &Call) -> Result<Plan, Refusal> {
    let (figures, parts) = (call.inputs("lse")?, call.inputs("localOut")?);
    let Some(first) = parts.first() else {
        return Err(Refusal::invalid("localOut has no tensors"));
    };
    let first = first.of(SINGLE)?.ranked(2..=2)?;
    let [rows, width] = [0, 1].map(|dim| at(first.shape(), dim));
    let kind = call.whole("updateType")?;
    if figures.len() != parts.len() || !(0..=1).contains(&kind) {
        return Err(Refusal::invalid(format_args!(
            "lse and localOut have {} and {} tensors, or updateType is {kind}, and not 0 or 1",
            figures.len(),
            parts.len()
        )));
    }
    for (figure, part) in figures.iter().zip(&parts) {
        let _ = figure.of(types!(f32))?.shaped(&[rows])?;
        let _ = part.like(&first)?.shaped(first.shape())?;
    }
    let out = call.output("out").like(&first)?.shaped(first.shape())?;
    let logarithms = match (kind, call.optional_output("lseOut")?) {
        (1, Some(out)) => Some(out.of(types!(f32))?.shaped(&[rows])?),
        (1, None) => return Err(Refusal::null("lseOut")),
        _ => None,
    };
    if rows == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views: &Views<'_>| {
        let read = |inputs: &[Input]| {
            Vec::from_iter(inputs.iter().map(|one| views.input(one).all::<f64>()))
        };
        let (figures, parts) = (read(&figures), read(&parts));
        let mut sums = Vec::with_capacity(rows);
        for row in 0..rows {
            let own = figures.iter().map(|figure| at(figure, row));
            let most = own.clone().fold(f64::NEG_INFINITY, f64::max);
            sums.push(most + own.map(|one| (one - most).exp()).sum::<f64>().ln());
        }
        let mut results = vec![0.0; rows * width];
        for (part, figure) in parts.iter().zip(&figures) {
            for (index, (result, one)) in results.iter_mut().zip(part).enumerate() {
                let row = index / width;
                *result += one * (at(figure, row) - at(&sums, row)).exp();
            }
        }
        views.output(&out).put_all(&results);
        if let Some(out) = &logarithms {
            views.output(out).put_all(&sums);
        }
    })
}
