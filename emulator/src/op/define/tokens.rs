//! Gradients of the operators of tokens: rows in the order of their experts, and turned pairs.

use super::computed::{Computed, Numbers};
use super::definitions;
use super::rotate::Pairs;
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};

definitions! {
    aclnnMoeTokenPermuteGrad = permuted;
    aclnnMoeTokenUnpermuteGrad = unpermuted;
    aclnnRotaryPositionEmbeddingGrad = turned;
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
