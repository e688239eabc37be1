//! Gated rows of groups, the streams of a layer, and convolutions that look back.

use ascendcl_sys::ACLNN_ERR_INNER_TILING_ERROR;

use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};

definitions! {
    aclnnSwigluGroup = gated;
    aclnnMhcPost = streams;
    aclnnMaskedCausalConv1d = back;
}

/// `aclnnSwigluGroup(x, weightOptional, groupIndexOptional, clampLimit, out)`: the first half of each row times its logistic function
/// and the second half, after both were limited. Rows behind those of the groups stay as they are.
fn gated(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(1..=8)?;
    let Some((&width, outer)) = input.shape().split_last() else {
        return Err(Refusal::invalid("x has no dimension"));
    };
    if width == 0 || !width.is_multiple_of(2) || input.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "x has the shape {:?}; the last size has to be even, and none is 0",
            input.shape()
        )));
    }
    let rows = input.elements() / width;
    let weight = match call.optional_input("weightOptional")? {
        Some(weight) if weight.elements() == rows => Some(weight.of(types!(f32))?),
        Some(weight) => Some(weight.of(types!(f32))?.shaped(outer)?),
        None => None,
    };
    let groups = match call.optional_input("groupIndexOptional")? {
        Some(groups) => Some(groups.of(types!(s64)).ranked(1..=1)?),
        None => None,
    };
    let limit = call.floating("clampLimit")?;
    let half = [outer, &[width / 2]].concat();
    let out = call.output("out").like(&input).shaped(&half)?;
    call.plan(move |views| {
        let read = |one: &Input| views.input(one).all::<f64>();
        let elements = read(&input);
        let weight = weight.as_ref().map(read);
        // CAST: a number of rows, which is exact.
        let count = groups
            .as_ref()
            .map_or(rows as f64, |groups| read(groups).iter().sum::<f64>());
        let mut results = Vec::new();
        // CAST: an index of a row, which is exact.
        let kept = |(row, _): &(usize, &[f64])| (*row as f64) < count;
        for (row, from) in elements.chunks(width).enumerate().take_while(kept) {
            let factor = weight.as_ref().map_or(1.0, |weight| at(weight, row));
            let (gates, values) = from.split_at(width / 2);
            for (&gate, &value) in gates.iter().zip(values) {
                let (gate, value) = if limit > 0.0 {
                    (
                        gate.clamp(f64::NEG_INFINITY, limit),
                        value.clamp(-limit, limit),
                    )
                } else {
                    (gate, value)
                };
                results.push(gate / (1.0 + (-gate).exp()) * value * factor);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnMhcPost(x, hRes, hOut, hPost, out)`: the streams of each token, mixed by a transposed matrix, and the result of a layer times
/// a weight of each stream.
fn streams(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f16 bf16)).ranked(3..=4)?;
    let [outer @ .., count, width] = input.shape() else {
        return Err(Refusal::invalid("x has fewer than three dimensions"));
    };
    let (count, width) = (*count, *width);
    let shape = |sizes: &[usize]| [outer, sizes].concat();
    let mixing = call.input("hRes").of(types!(f32))?;
    let mixing = mixing.shaped(&shape(&[count, count]))?;
    let layer = call.input("hOut").like(&input).shaped(&shape(&[width]))?;
    let post = call.input("hPost").of(types!(f32))?;
    let post = post.shaped(&shape(&[count]))?;
    let out = call.output("out").like(&input).shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let [elements, mixing, layer, post] =
            [&input, &mixing, &layer, &post].map(|one| views.input(one).all::<f64>());
        let tokens = elements.chunks(count * width).zip(layer.chunks(width));
        let weights = mixing.chunks(count * count).zip(post.chunks(count));
        let mut results = Vec::with_capacity(elements.len());
        for ((rows, layer), (mixing, post)) in tokens.zip(weights) {
            for (stream, post) in post.iter().enumerate() {
                for (column, layer) in layer.iter().enumerate() {
                    let factors = mixing.iter().skip(stream).step_by(count);
                    let own = rows.iter().skip(column).step_by(width);
                    let sum: f64 = factors.zip(own).map(|(one, other)| one * other).sum();
                    results.push(sum + post * layer);
                }
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnMaskedCausalConv1d(x, weight, maskOptional, out)`: each row with the two before it, of each column alone; wrong shapes are
/// errors of the tiling.
fn back(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f16 bf16))?;
    let weight = call.input("weight").like(&input)?;
    let out = call.output("out").like(&input)?;
    let mask = match call.optional_input("maskOptional")? {
        Some(mask) => Some(mask.of(types!(bool))?),
        None => None,
    };
    let fits = match *input.shape() {
        [length, batch, width] => {
            let is_mask = |mask: &Input| mask.shape() == [batch, length];
            weight.shape() == [3, width] && mask.as_ref().is_none_or(is_mask)
        }
        _ => false,
    };
    if !fits || out.shape() != input.shape() || out.elements() == 0 {
        return Err(Refusal::new(
            ACLNN_ERR_INNER_TILING_ERROR,
            format_args!(
                "x has the shape {:?}, weight {:?} and out {:?}; it is [S, B, H], [3, H] and [S, B, H], and mask [B, S]",
                input.shape(),
                weight.shape(),
                out.shape()
            ),
        ));
    }
    let [length, batch, width] = [0, 1, 2].map(|axis| at(input.shape(), axis));
    call.plan(move |views| {
        let [elements, weight] = [&input, &weight].map(|one| views.input(one).all::<f64>());
        let mask = mask.as_ref().map(|mask| views.input(mask).all::<f64>());
        let step = batch * width;
        let mut results = Vec::with_capacity(elements.len());
        for index in 0..elements.len() {
            let (row, own, column) = (index / step, index / width % batch, index % width);
            let is_kept = mask
                .as_ref()
                .is_none_or(|mask| at(mask, own * length + row) != 0.0);
            let sum = (0..3.min(row + 1))
                .map(|back| {
                    at(&elements, index - back * step) * at(&weight, (2 - back) * width + column)
                })
                .sum::<f64>();
            results.push(if is_kept { sum } else { 0.0 });
        }
        views.output(&out).put_all(&results);
    })
}
