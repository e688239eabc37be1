//! Mixtures of experts: rows that are sorted by their experts, and products of many pairs of matrices.

use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::define::more::routing::{inverse, sorted};
use crate::op::define::softmax::soften;
use crate::op::dtype::{SINGLE, types};
use crate::op::moves::Mover;
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::product::multiply;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined, put};
use crate::op::shape::{Loop, Nest};
use crate::results::list_of;

definitions! {
    aclnnMoeGatingTopKSoftmax, aclnnMoeGatingTopKSoftmaxV2 = gate;
    aclnnMoeInitRoutingV2 = route;
    aclnnMoeTokenPermute = permute;
    aclnnMoeTokenUnpermute = unpermute;
    aclnnGroupedMatmulV4, aclnnGroupedMatmulV5 = products;
    aclnnGroupedMatmul, aclnnGroupedMatmulV2, aclnnGroupedMatmulV3 = products;
}

/// `aclnnMoeGatingTopKSoftmax(x, finished, k, yOut, expertIdxOut, rowIdxOut)`, and `aclnnMoeGatingTopKSoftmaxV2(x, finished, k,
/// renorm, outputSoftmaxResultFlag, yOut, expertIdxOut, softmaxResultOut)`: with `renorm` the softmax is that of the largest
/// numbers alone.
fn gate(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let finished = call.optional_input("finishedOptional")?;
    let out = call.output("yOut").like(&input)?;
    let experts = call.output("expertIdxOut").of(types!(s32));
    let is_second = call.has("renorm");
    let is_late = is_second && call.whole("renorm")? != 0;
    let (width, outer) = input
        .shape()
        .split_last()
        .ok_or_else(|| Refusal::invalid("x has no dimensions"))?;
    let (width, rows) = (*width, outer.iter().product::<usize>());
    let k = count("k", call.whole("k")?)?;
    if k == 0 || k > width {
        return Err(Refusal::invalid(format_args!(
            "k is {k}; x has {width} experts"
        )));
    }
    let finished = finished
        .map(|one| one.of(types!(bool)).shaped(outer))
        .transpose()?;
    let shape = joined(outer, &[k]);
    let (out, experts) = (out.shaped(&shape)?, experts?.shaped(&shape)?);
    let rows_out = match is_second {
        true => None,
        false => Some(call.output("rowIdxOut").of(types!(s32)).shaped(&shape)?),
    };
    let all = if is_second && call.flag("outputSoftmaxResultFlag")? && !is_late {
        let all = call.output("softmaxResultOutOptional");
        Some(all.of(types!(f32)).shaped(input.shape())?)
    } else {
        None
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let finished = finished.as_ref().map(|one| views.input(one).all::<Whole>());
        let (mut values, mut indices, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (row, elements) in elements.chunks_mut(width).enumerate() {
            if !is_late {
                soften(elements, false);
            }
            let order = largest(elements, k);
            if is_late {
                let mut chosen = list_of(order.iter().map(|expert| at(elements, *expert)));
                soften(&mut chosen, false);
                for (expert, one) in order.iter().zip(chosen) {
                    put(elements, *expert, one);
                }
            }
            let is_finished = finished
                .as_ref()
                .is_some_and(|finished| at(finished, row).0 != 0);
            for (rank, expert) in order.into_iter().enumerate() {
                values.push(at(elements, expert));
                // CAST: numbers of rows and experts are far below the limit.
                indices.push(Whole(if is_finished { width } else { expert } as i64));
                places.push(Whole((rank * rows + row) as i64));
            }
        }
        views.output(&out).put_all(&values);
        views.output(&experts).put_all(&indices);
        if let Some(rows_out) = &rows_out {
            views.output(rows_out).put_all(&places);
        }
        if let Some(all) = &all {
            views.output(all).put_all(&elements);
        }
    })
}

/// Returns the indices of the `k` largest numbers, the largest one first. Equal ones keep their order.
pub(super) fn largest(numbers: &[f64], k: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(k + 1);
    for (index, one) in numbers.iter().enumerate() {
        order.push(index);
        for place in (1..order.len()).rev() {
            if at(numbers, at(&order, place - 1)).total_cmp(one).is_ge() {
                break;
            }
            order.swap(place - 1, place);
        }
        order.truncate(k);
    }
    order
}

/// `aclnnMoeInitRoutingV2`: without dropping, all rows are sorted by their experts. With it, each expert has room for
/// `expertCapacity` rows.
fn route(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(2..=2)?;
    let experts = call.input("expertIdx").of(types!(s32)).ranked(2..=2)?;
    let out = call.output("expandedXOut").like(&input)?;
    let places = call.output("expandedRowIdxOut").of(types!(s32))?;
    let count = |name| call.whole(name).and_then(|value| count(name, value));
    let active = count("activeNumOptional")?;
    let capacity = count("expertCapacityOptional")?;
    let number = count("expertNumOptional")?;
    let mode = count("dropPadModeOptional")?;
    let counting = count("expertTokensCountOrCumsumFlagOptional")?;
    let counts_before = call.flag("expertTokensBeforeCapacityFlagOptional")?;
    let (rows, width) = (at(input.shape(), 0), at(input.shape(), 1));
    if at(experts.shape(), 0) != rows || mode > 1 || counting > 2 {
        return Err(Refusal::invalid(format_args!(
            "x {:?} and expertIdx {:?} do not go together, or dropPadMode {mode} or the flag {counting} is too large",
            input.shape(),
            experts.shape()
        )));
    }
    let total = experts.elements();
    let kept = if active == 0 {
        total
    } else {
        active.min(total)
    };
    let is_dropping = mode == 1;
    if is_dropping && (number == 0 || capacity == 0) {
        return Err(Refusal::invalid("expertNum or expertCapacity is 0"));
    }
    let out = if is_dropping {
        out.shaped(&[number, capacity, width])?
    } else {
        out.shaped(&[kept, width])?
    };
    let places = places.shaped(&[total])?;
    let of_experts = |name: &str, is_wanted: bool| -> Result<Option<Output>, Refusal> {
        if !is_wanted {
            return Ok(None);
        }
        let out = call
            .optional_output(name)?
            .ok_or_else(|| Refusal::null(name))?;
        Ok(Some(out.of(types!(s32)).shaped(&[number])?))
    };
    let counts = of_experts(
        "expertTokensCountOrCumsumOutOptional",
        counting > 0 && !is_dropping,
    )?;
    let before = of_experts(
        "expertTokensBeforeCapacityOutOptional",
        counts_before && is_dropping,
    )?;
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all_bits();
        // The choices of a row are next to each other, so the element `index` belongs to the row `index / choices`
        // (manual and tests of the operator, ops-transformer 2026; pages of earlier releases have `index % rows`).
        let choices = at(experts.shape(), 1);
        let chosen = views.input(&experts).all::<Whole>();
        let order = sorted(&chosen);
        let row = |index: usize| {
            elements
                .get(index / choices * width..(index / choices + 1) * width)
                .unwrap_or_default()
        };
        let mut results = vec![0; out.elements()];
        let mut histogram = vec![Whole(0); number];
        let mut found = vec![Whole(-1); total];
        for (place, index) in order.iter().enumerate() {
            // The gate gives a finished row the expert `number`, which no row has. 0 is no limit.
            let limit = if number == 0 { usize::MAX } else { number + 1 };
            let expert = views.below_in(&experts, at(&chosen, *index), limit);
            let expert = expert.unwrap_or(usize::MAX);
            let rank = at(&histogram, expert).0;
            put(&mut histogram, expert, Whole(rank + 1));
            // CAST: numbers of rows, which are far below the limit.
            let to = if !is_dropping {
                (place < kept).then_some(place)
            } else {
                (rank < capacity as i64 && expert < number)
                    .then_some(expert * capacity + rank as usize)
            };
            if let Some(to) = to {
                for (offset, bits) in row(*index).iter().enumerate() {
                    put(&mut results, to * width + offset, *bits);
                }
            }
            let to = if is_dropping { to } else { Some(place) };
            put(
                &mut found,
                *index,
                to.map_or(Whole(-1), |to| Whole(to as i64)),
            );
        }
        views.output(&out).put_all_bits(&results);
        views.output(&places).put_all(&found);
        if let Some(before) = &before {
            views.output(before).put_all(&histogram);
        }
        if let Some(counts) = &counts {
            if counting == 1 {
                let mut sum = 0;
                for one in &mut histogram {
                    sum += one.0;
                    *one = Whole(sum);
                }
            }
            views.output(counts).put_all(&histogram);
        }
    })
}

/// Returns the rows and the width of tokens, and the number of experts of each.
fn tokens(tokens: &Input, indices: &Input) -> Result<[usize; 3], Refusal> {
    let choices = match (tokens.shape(), indices.shape()) {
        ([rows, _], [of_rows]) if rows == of_rows => 1,
        ([rows, _], [of_rows, choices]) if rows == of_rows => *choices,
        _ => {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} and {} {:?} do not go together",
                tokens.name,
                tokens.shape(),
                indices.name,
                indices.shape()
            )));
        }
    };
    Ok([at(tokens.shape(), 0), at(tokens.shape(), 1), choices])
}

fn check_padding(call: &Call) -> Result<(), Refusal> {
    if call.flag("paddedMode")? {
        return Err(Refusal::invalid(
            "paddedMode is true; only false is supported",
        ));
    }
    Ok(())
}

/// Returns how many of all rows `numOutTokens` keeps: 0 keeps all, and a number below it leaves so many out.
pub(super) fn kept(call: &Call, total: usize) -> Result<usize, Refusal> {
    let wanted = call.whole("numOutTokens")?;
    // CAST: a number of rows.
    Ok(match wanted {
        0 => total,
        1.. => total.min(usize::try_from(wanted).unwrap_or(total)),
        _ => usize::try_from((total as i64).saturating_add(wanted)).unwrap_or(0),
    })
}

/// `aclnnMoeTokenPermute(tokens, indices, numOutTokens, paddedMode, permuteTokensOut, sortedIndicesOut)`
fn permute(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("tokens").of(types!(f16 bf16 f32 s8))?;
    let indices = call.input("indices").of(types!(s32 s64))?;
    let out = call.output("permuteTokensOut").like(&input)?;
    let places = call.output("sortedIndicesOut").of(types!(s32))?;
    check_padding(call)?;
    let [rows, width, choices] = tokens(&input, &indices)?;
    let total = rows * choices;
    let kept = kept(call, total)?;
    let (out, places) = (out.shaped(&[kept, width])?, places.shaped(&[total])?);
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let order = sorted(&views.input(&indices).all::<Whole>());
        let (from, to) = (
            input.tensor.strides.as_slice(),
            out.tensor.strides.as_slice(),
        );
        let row = Nest::of_loops(&[Loop::new(width, at(from, 1), at(to, 1))]);
        let mut rows = Vec::with_capacity(kept);
        for (place, index) in order.iter().take(kept).enumerate() {
            rows.push([index / choices * at(from, 0), place * at(to, 0)]);
        }
        Mover::new(views, &input, &out).blocks(&[[0; 2]], &rows, &row);
        views.output(&places).put_all(&inverse(&order));
    })
}

/// `aclnnMoeTokenUnpermute(permutedTokens, sortedIndices, probs, paddedMode, restoreShape, out)`
fn unpermute(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("permutedTokens").of(SINGLE).ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let weights = call.optional_input("probsOptional")?;
    let out = call.output("out").like(&input)?;
    check_padding(call)?;
    let width = at(input.shape(), 1);
    let choices = match weights {
        Some(weights) => at(weights.of(SINGLE).ranked(2..=2)?.shape(), 1),
        None => 1,
    };
    let rows = places.elements() / choices.max(1);
    if weights.is_some_and(|weights| weights.elements() != places.elements()) {
        return Err(Refusal::invalid(
            "probs and sortedIndices differ in their number",
        ));
    }
    let out = out.shaped(&[rows, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let weights = weights
            .as_ref()
            .map(|weights| views.input(weights).all::<f64>());
        let mut results = vec![0.0; rows * width];
        for (index, place) in order.iter().enumerate() {
            let weight = weights.as_ref().map_or(1.0, |weights| at(weights, index));
            // A token beyond the kept ones has a place behind the rows that are left.
            let most = order.len().max(at(input.shape(), 0));
            let row = views.below_in(&places, *place, most);
            let row = row
                .and_then(|row| elements.get(row * width..(row + 1) * width))
                .unwrap_or_default();
            for (offset, one) in row.iter().enumerate() {
                let to = index / choices * width + offset;
                let before = at(&results, to);
                put(&mut results, to, before + weight * one);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// A factor of a product: an input, the index of its first element, and its rows and columns.
#[derive(Debug, Clone, Copy)]
struct Part {
    input: Input,
    start: usize,
    size: [usize; 2],
}

/// `aclnnGroupedMatmulV4`, and its other forms, with matrices of floating-point numbers: a list of pairs (`groupType` -1), or the rows of one
/// matrix in groups (`groupType` 0), with a matrix of weights for each group.
fn products(call: &Call) -> Result<Plan, Refusal> {
    let (inputs, weights) = (call.inputs("x")?, call.inputs("weight")?);
    let biases = call.inputs("biasOptional")?;
    let quantized = [
        "scaleOptional",
        "offsetOptional",
        "antiquantScaleOptional",
        "antiquantOffsetOptional",
        "perTokenScaleOptional",
        "activationInputOptional",
        "activationQuantScaleOptional",
        "activationQuantOffsetOptional",
    ];
    for name in quantized {
        // The older forms have fewer parameters.
        if call.has(name) && call.inputs(name)?.iter().any(|input| input.elements() > 0) {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, which the emulator does not model"
            )));
        }
    }
    for input in inputs.iter().chain(&weights).chain(&biases) {
        let _ = input.of(SINGLE)?;
    }
    let outs = call.outputs(if call.has("out") { "out" } else { "y" })?;
    let number = |name: &str, or: i64| match call.has(name) {
        true => call.whole(name),
        false => Ok(or),
    };
    let activation = activation(number("actType", 0)?)?;
    let list_kind = number("groupListType", 0)?;
    // The first form has groups of rows where it has a list of them.
    let kind = number("groupType", -i64::from(call.is_null("groupListOptional")))?;
    if !matches!((kind, call.whole("splitItem")?), (-1, 0 | 1) | (0, 2 | 3))
        || !(0..=1).contains(&list_kind)
    {
        return Err(Refusal::invalid(format_args!(
            "groupType {kind} with this splitItem, or groupListType {list_kind}, is not modelled; groupType is -1 with \
             one output for each group, or 0 with one output"
        )));
    }
    if kind == -1 {
        return pairs(call, &inputs, &weights, biases, outs, activation);
    }
    if call.is_null("groupListOptional") {
        return Err(Refusal::null("groupListOptional"));
    }
    let (list, given) = match call.ints("groupListOptional") {
        Ok(numbers) => (None, list_of(numbers.iter().map(|one| Whole(*one)))),
        Err(_) => (
            Some(call.input("groupListOptional").of(types!(s64))?),
            Vec::new(),
        ),
    };
    let number = list.as_ref().map_or(given.len(), Input::elements);
    let (&[input], &[out]) = (inputs.as_slice(), outs.as_slice()) else {
        return Err(Refusal::invalid(
            "x and out have one tensor each if groupType is 0",
        ));
    };
    let input = input.ranked(2..=2)?;
    let parts = factors(&weights, number)?;
    let columns = parts.first().map_or(0, |part| part.size[1]);
    if parts
        .iter()
        .any(|part| part.size != [at(input.shape(), 1), columns])
    {
        return Err(Refusal::invalid("the weights do not go with x"));
    }
    let out = out.of(SINGLE).shaped(&[at(input.shape(), 0), columns])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f32>();
        let groups = match &list {
            Some(list) => views.input(list).all::<Whole>(),
            None => given.clone(),
        };
        let [rows, length] = [at(input.shape(), 0), at(input.shape(), 1)];
        let mut results = vec![0.0; rows * columns];
        let mut start = 0;
        for (index, part) in parts.iter().enumerate() {
            let given = at(&groups, index).0;
            // CAST: a number of rows, which is far below the limit.
            let until = if list_kind == 0 {
                given
            } else {
                given.saturating_add(start as i64)
            };
            let end = views.below(Whole(until), rows + 1);
            let end = end
                .unwrap_or(if until < 0 { start } else { rows })
                .max(start);
            let weight = views.input(&part.input).all::<f32>();
            let left = elements
                .get(start * length..end * length)
                .unwrap_or_default();
            let right = weight
                .get(part.start..part.start + length * columns)
                .unwrap_or_default();
            if let Some(sums) = results.get_mut(start * columns..end * columns) {
                multiply(left, right, sums, [end - start, length, columns]);
                let bias = bias_of(&biases, index, |input| views.input(input).all());
                finish(sums, columns, &bias, activation);
            }
            start = end;
        }
        views.output(&out).put_all(&results);
    })
}

/// Returns the weights of each group: a tensor each, or the parts of one tensor.
fn factors(weights: &[Input], groups: usize) -> Result<Vec<Part>, Refusal> {
    let parts = match weights {
        [one] if one.shape().len() == 3 => {
            let size = [at(one.shape(), 1), at(one.shape(), 2)];
            let starts = (0..at(one.shape(), 0)).map(|index| index * size[0] * size[1]);
            list_of(starts.map(|start| Part {
                input: *one,
                start,
                size,
            }))
        }
        many => many
            .iter()
            .map(|one| {
                let shape = one.ranked(2..=2)?;
                Ok(Part {
                    input: *one,
                    start: 0,
                    size: [at(shape.shape(), 0), at(shape.shape(), 1)],
                })
            })
            .collect::<Result<Vec<_>, Refusal>>()?,
    };
    if parts.len() == groups {
        return Ok(parts);
    }
    Err(Refusal::invalid(format_args!(
        "weight has {} matrices for {groups} groups",
        parts.len()
    )))
}

/// Multiplies each matrix of a list by its weights.
fn pairs(
    call: &Call,
    inputs: &[Input],
    weights: &[Input],
    biases: Vec<Input>,
    outs: Vec<Output>,
    activation: fn(f32) -> f32,
) -> Result<Plan, Refusal> {
    let parts = factors(weights, inputs.len())?;
    if outs.len() != inputs.len() {
        return Err(Refusal::invalid(format_args!(
            "out has {} tensors for {} groups",
            outs.len(),
            inputs.len()
        )));
    }
    let mut groups = Vec::with_capacity(outs.len());
    for ((input, part), out) in inputs.iter().zip(parts).zip(outs) {
        let (length, outer) = input
            .shape()
            .split_last()
            .ok_or_else(|| Refusal::invalid("x has no dimensions"))?;
        if *length != part.size[0] {
            return Err(Refusal::invalid(format_args!(
                "x {:?} does not go with its weight {:?}",
                input.shape(),
                part.size
            )));
        }
        let shape = joined(outer, &[part.size[1]]);
        groups.push((*input, part, out.of(SINGLE).shaped(&shape)?));
    }
    call.plan(move |views| {
        for (index, (input, part, out)) in groups.iter().enumerate() {
            let [length, columns] = part.size;
            let left = views.input(input).all::<f32>();
            let weight = views.input(&part.input).all::<f32>();
            let right = weight.get(part.start..).unwrap_or_default();
            let mut sums = vec![0.0; out.elements()];
            multiply(
                &left,
                right,
                &mut sums,
                [out.elements() / columns.max(1), length, columns],
            );
            let bias = bias_of(&biases, index, |input| views.input(input).all());
            finish(&mut sums, columns, &bias, activation);
            views.output(out).put_all(&sums);
        }
    })
}

/// Returns the bias of a group: a tensor of its own, or a row of the only tensor.
fn bias_of(biases: &[Input], index: usize, read: impl Fn(&Input) -> Vec<f32>) -> Vec<f32> {
    match biases {
        [] => Vec::new(),
        [one] if one.shape().len() == 2 => {
            let width = at(one.shape(), 1);
            list_of(read(one).into_iter().skip(index * width).take(width))
        }
        many => many.get(index).map(read).unwrap_or_default(),
    }
}

/// Adds the bias to each row, and applies the activation.
fn finish(sums: &mut [f32], columns: usize, bias: &[f32], activation: fn(f32) -> f32) {
    for row in sums.chunks_mut(columns.max(1)) {
        for (one, bias) in row.iter_mut().zip(bias) {
            *one += bias;
        }
        for one in row {
            *one = activation(*one);
        }
    }
}

/// Returns the activation with this number.
fn activation(number: i64) -> Result<fn(f32) -> f32, Refusal> {
    Ok(match number {
        0 => |one| one,
        1 => |one| one.max(0.0),
        2 => |one| one.gelu_tanh(),
        3 => |one| one.gelu(),
        4 => |one| one / (1.0 + (-1.702 * one).exp()),
        5 => |one| one * one.sigmoid(),
        _ => {
            return Err(Refusal::invalid(format_args!(
                "actType is {number}; it is 0 to 5"
            )));
        }
    })
}
