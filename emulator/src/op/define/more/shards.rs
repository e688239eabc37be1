//! Mixtures of experts over several cards: the rows of the experts that a card has, and the choice of experts from groups of them.

use super::super::softmax::soften;
use super::experts::{kept, largest};
use super::routing::{inverse, sorted};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count};
use crate::results::list_of;

definitions! {
    aclnnMoeTokenPermuteWithEp = permute;
    aclnnMoeTokenUnpermuteWithEp = unpermute;
    aclnnMoeTokenPermuteWithRoutingMap = mapped;
    aclnnMoeGatingTopK = gate;
}

/// Returns the first row of a card and the one behind its last row, if the program gives them.
fn range(call: &Call, total: usize) -> Result<Option<[usize; 2]>, Refusal> {
    if call.flag("paddedMode")? {
        return Err(Refusal::invalid(
            "paddedMode is true; only false is supported",
        ));
    }
    // A null array has no numbers.
    match *call.ints("rangeOptional")? {
        [] => Ok(None),
        [first, end] => {
            let [first, end] = [count("rangeOptional", first)?, count("rangeOptional", end)?];
            if first > end || end > total {
                return Err(Refusal::invalid(format_args!(
                    "rangeOptional is {first} to {end}; there are {total} rows"
                )));
            }
            Ok(Some([first, end]))
        }
        ref other => Err(Refusal::invalid(format_args!(
            "rangeOptional has {} numbers, not two",
            other.len()
        ))),
    }
}

/// `aclnnMoeTokenPermuteWithEp(tokens, indices, probsOptional, rangeOptional, numOutTokens, paddedMode, permuteTokensOut,
/// sortedIndicesOut, permuteProbsOut)`: `permuteProbsOut` is left as it is without shares.
fn permute(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("tokens").of(SINGLE).ranked(2..=2)?;
    let indices = call.input("indices").of(types!(s32 s64)).ranked(1..=2)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let choices = indices.shape().get(1).copied().unwrap_or(1);
    if at(indices.shape(), 0) != rows {
        return Err(Refusal::invalid(format_args!(
            "tokens {:?} and indices {:?} do not go together",
            input.shape(),
            indices.shape()
        )));
    }
    let total = rows * choices;
    let kept = kept(call, total)?;
    let [first, end] = match range(call, total)? {
        Some([first, end]) if call.whole("numOutTokens")? == 0 || kept == end - first => {
            [first, end]
        }
        Some(_) => {
            return Err(Refusal::invalid(
                "numOutTokens is not 0 and not the number of rows of rangeOptional, which the emulator does not model",
            ));
        }
        None => [0, kept],
    };
    let out = call.output("permuteTokensOut").like(&input)?;
    let out = out.shaped(&[end - first, width])?;
    let places = call.output("sortedIndicesOut").of(types!(s32));
    let places = places.shaped(&[total])?;
    let shares = match call.optional_input("probsOptional")? {
        Some(shares) => {
            let shares = shares.of(SINGLE)?.shaped(indices.shape())?;
            let out = call.output("permuteProbsOut").like(&shares)?;
            Some((shares, out.shaped(&[end - first])?))
        }
        None => None,
    };
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        let given = shares.map(|(shares, _)| views.input(&shares).all_bits());
        let order = sorted(&views.input(&indices).all::<Whole>());
        let (mut results, mut chosen) = (Vec::new(), Vec::new());
        for index in order.get(first..end).unwrap_or_default() {
            let row = index / choices;
            let row = elements.get(row * width..(row + 1) * width);
            results.extend_from_slice(row.unwrap_or_default());
            chosen.push(given.as_ref().map_or(0, |shares| at(shares, *index)));
        }
        views.output(&out).put_all_bits(&results);
        views.output(&places).put_all(&inverse(&order));
        if let Some((_, out)) = &shares {
            views.output(out).put_all_bits(&chosen);
        }
    })
}

/// `aclnnMoeTokenUnpermuteWithEp(permutedTokens, sortedIndices, probsOptional, numTopk, rangeOptional, paddedMode,
/// restoreShapeOptional, out)`: rows of other cards count as zeros.
fn unpermute(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("permutedTokens").of(SINGLE).ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let [kept, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let total = places.elements();
    let [first, end] = range(call, total)?.unwrap_or([0, kept]);
    let shares = match call.optional_input("probsOptional")? {
        Some(shares) => Some(shares.of(SINGLE)?.ranked(2..=2)?),
        None => None,
    };
    let choices = match shares {
        Some(shares) => at(shares.shape(), 1),
        None => count("numTopk", call.whole("numTopk")?)?,
    };
    let of_shares = shares.map_or(total, |shares| shares.elements());
    if end - first != kept || choices == 0 || !total.is_multiple_of(choices) || of_shares != total {
        return Err(Refusal::invalid(format_args!(
            "permutedTokens {:?} are not the rows {first} to {end} of {total}, of which each token has {choices}",
            input.shape()
        )));
    }
    let out = call.output("out").like(&input)?;
    let out = out.shaped(&[total / choices, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let shares = shares.map(|shares| views.input(&shares).all::<f64>());
        let mut results = vec![0.0; out.elements()];
        let sums = results.chunks_mut(width);
        for (token, (sums, order)) in sums.zip(order.chunks(choices)).enumerate() {
            for (choice, place) in order.iter().enumerate() {
                let place = views.below_in(&places, *place, total);
                let place = place.and_then(|place| place.checked_sub(first));
                let row = place.and_then(|row| elements.get(row * width..(row + 1) * width));
                let share = shares.as_ref();
                let share = share.map_or(1.0, |shares| at(shares, token * choices + choice));
                for (sum, one) in sums.iter_mut().zip(row.unwrap_or_default()) {
                    *sum += one * share;
                }
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnMoeTokenPermuteWithRoutingMap(tokens, routingMap, probsOptional, numOutTokens, dropAndPad, permuteTokensOut,
/// permuteProbsOutOptional, sortedIndicesOut)`: without padding `sortedIndicesOut` has the places of the rows of each token; with it,
/// each expert has the same number of rows, first those of its tokens, and `sortedIndicesOut` has the tokens of the rows.
fn mapped(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("tokens").of(SINGLE).ranked(2..=2)?;
    let map = call.input("routingMap").of(types!(bool s8)).ranked(2..=2)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let experts = at(map.shape(), 1);
    let is_padded = call.flag("dropAndPad")?;
    let parts = if is_padded { experts } else { rows };
    let wanted = count("numOutTokens", call.whole("numOutTokens")?)?;
    let each = wanted.checked_div(parts).unwrap_or(0);
    if at(map.shape(), 0) != rows || (is_padded && each > rows) || (!is_padded && each > experts) {
        return Err(Refusal::invalid(format_args!(
            "routingMap {:?} does not go with tokens {:?}, or numOutTokens {wanted} is too large",
            map.shape(),
            input.shape()
        )));
    }
    let kept = each * parts;
    let out = call.output("permuteTokensOut").like(&input)?;
    let out = out.shaped(&[kept, width])?;
    let places = call.output("sortedIndicesOut").of(types!(s32));
    let places = places.shaped(&[kept])?;
    let shares: Option<(Input, Output)> = match call.optional_input("probsOptional")? {
        Some(shares) => {
            let shares = shares.of(SINGLE)?.shaped(map.shape())?;
            let out = call.output("permuteProbsOutOptional").like(&shares)?;
            Some((shares, out.shaped(&[kept])?))
        }
        None => None,
    };
    if kept == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        let given = shares.map(|(shares, _)| views.input(&shares).all_bits());
        let chosen = views.input(&map).all::<Whole>();
        let is_chosen = |token: usize, expert: usize| at(&chosen, token * experts + expert).0 != 0;
        // The token and the expert of each row.
        let mut pairs = Vec::with_capacity(kept);
        for expert in 0..experts {
            let own = (0..rows).filter(|token| is_chosen(*token, expert));
            if is_padded {
                let others = (0..rows).filter(|token| !is_chosen(*token, expert));
                pairs.extend(own.chain(others).take(each).map(|token| (token, expert)));
            } else {
                pairs.extend(own.map(|token| (token, expert)));
            }
        }
        pairs.truncate(kept);
        let (mut results, mut found) = (Vec::new(), Vec::new());
        for (token, expert) in &pairs {
            let row = elements.get(token * width..(token + 1) * width);
            results.extend_from_slice(row.unwrap_or_default());
            let share = given.as_ref();
            found.push(share.map_or(0, |shares| at(shares, token * experts + expert)));
        }
        // CAST: numbers of rows, which are far below the limit.
        let tokens = list_of(pairs.iter().map(|(token, _)| Whole(*token as i64)));
        let mut order = if is_padded {
            tokens
        } else {
            list_of(sorted(&tokens).into_iter().map(|row| Whole(row as i64)))
        };
        results.resize(kept * width, 0);
        found.resize(kept, 0);
        order.resize(kept, Whole(0));
        views.output(&out).put_all_bits(&results);
        views.output(&places).put_all(&order);
        if let Some((_, out)) = &shares {
            views.output(out).put_all_bits(&found);
        }
    })
}

/// `aclnnMoeGatingTopK(x, biasOptional, k, kGroup, groupCount, groupSelectMode, renorm, normType, outFlag, routedScalingFactor, eps,
/// yOut, expertIdxOut, outOut)`: the bias counts for the choice, and not for the shares. `outOut` is left as it is without its flag.
fn gate(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(2..=2)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let bias = match call.optional_input("biasOptional")? {
        Some(bias) => Some(bias.like(&input)?.shaped(&[width])?),
        None => None,
    };
    let number = |name: &str| call.whole(name).and_then(|value| count(name, value));
    let (k, kept, groups) = (number("k")?, number("kGroup")?, number("groupCount")?);
    let (select, renorm, norm) = (
        number("groupSelectMode")?,
        number("renorm")?,
        number("normType")?,
    );
    let size = width.checked_div(groups).unwrap_or(0);
    let is_valid = size * groups == width
        && (1..=groups).contains(&kept)
        && (1..=kept * size).contains(&k)
        && select <= 1
        && (select == 0 || size >= 2)
        && renorm <= 1
        && norm <= 1;
    if !is_valid {
        return Err(Refusal::invalid(format_args!(
            "{k} experts of {kept} of {groups} groups do not go with x {:?}, or groupSelectMode {select}, renorm {renorm} or \
             normType {norm} is not 0 or 1",
            input.shape()
        )));
    }
    let out = call.output("yOut").like(&input)?.shaped(&[rows, k])?;
    let experts = call.output("expertIdxOut").of(types!(s32));
    let experts = experts.shaped(&[rows, k])?;
    let all = match call.flag("outFlag")? {
        true => Some(
            call.output("outOut")
                .of(types!(f32))
                .shaped(input.shape())?,
        ),
        false => None,
    };
    let (scale, epsilon) = (call.floating("routedScalingFactor")?, call.floating("eps")?);
    if rows == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let biases = bias.map(|bias| views.input(&bias).all::<f64>());
        let (mut shares, mut chosen) = (Vec::new(), Vec::new());
        for row in elements.chunks_mut(width) {
            if norm == 0 {
                soften(row, false);
            } else {
                row.iter_mut()
                    .for_each(|one| *one = 1.0 / (1.0 + (-*one).exp()));
            }
            let mut scores = row.to_vec();
            for (score, bias) in scores.iter_mut().zip(biases.iter().flatten()) {
                *score += bias;
            }
            if kept < groups {
                let best = |group: &[f64]| {
                    let best = largest(group, select + 1);
                    best.into_iter().map(|index| at(group, index)).sum::<f64>()
                };
                let best = largest(&list_of(scores.chunks(size).map(best)), kept);
                for (group, scores) in scores.chunks_mut(size).enumerate() {
                    if !best.contains(&group) {
                        scores.fill(f64::NEG_INFINITY);
                    }
                }
            }
            let order = largest(&scores, k);
            let mut own = list_of(order.iter().map(|expert| at(row, *expert)));
            if norm == 1 || renorm == 1 {
                let sum = own.iter().sum::<f64>() + epsilon;
                own.iter_mut().for_each(|one| *one /= sum);
            }
            own.iter_mut().for_each(|one| *one *= scale);
            for index in 0..k {
                shares.push(at(&own, index));
                // CAST: a number of experts, which is far below the limit.
                chosen.push(Whole(order.get(index).copied().unwrap_or(0) as i64));
            }
        }
        views.output(&out).put_all(&shares);
        views.output(&experts).put_all(&chosen);
        if let Some(all) = &all {
            views.output(all).put_all(&elements);
        }
    })
}
