//! Norms that are stored as bytes, and other functions of rows in one operator.

use super::super::along::in_numbers;
use super::super::computed::{Computed, Numbers};
use super::super::convolution::along_first;
use crate::op::by_formula::formula;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, SINGLE, kind, types};
use crate::op::elementwise::Elementwise;
use crate::op::number::Whole;
use crate::op::operands::Source;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, dimension, joined, put, same_type};
use crate::op::scalar::Scalar;
use crate::op::shape::Dims;
use crate::results::list_of;

definitions! {
    aclnnRmsNormQuant = roots;
    aclnnQuantize = quantized;
    aclnnGroupQuant = grouped;
    aclnnScale = scaled;
    aclnnConfusionTranspose = turned;
    aclnnExpSegsum = segments;
    aclnnApplyTopKTopP = likely;
    aclnnConvTbc = convolved;
    aclnnMaskedSoftmaxWithRelPosBias = masked;
    aclnnThnnFusedLstmCell = cell;
}

/// The nearest byte.
pub(super) fn byte(value: f64) -> f64 {
    value.round_ties_even().clamp(-128.0, 127.0)
}

/// `aclnnRmsNormQuant(x, gamma, beta, scale, offset, epsilon, y)`: the norm times `gamma`, and `beta`, as bytes. Both are a row, or a
/// matrix with one row.
fn roots(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f16 bf16))?;
    let size = input.shape().last().copied().unwrap_or(1);
    let row = |name: &str| {
        let row = call.input(name).like(&input)?;
        match row.shape() {
            [1, _] => row.shaped(&[1, size]),
            _ => row.shaped(&[size]),
        }
    };
    let (gamma, beta) = (row("gamma")?, row("beta")?);
    let one = |input: Input| match input.elements() {
        1 => Ok(input),
        _ => Err(Refusal::invalid(format_args!(
            "{} has not one element",
            input.name
        ))),
    };
    let scale = one(call.input("scale").like(&input)?)?;
    let offset = one(call.input("offset").of(types!(s8))?)?;
    let out = call.output("y").of(types!(s8)).shaped(input.shape())?;
    let inputs = [input, gamma, beta, scale, offset].map(Some);
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let size = computed.sizes[0].max(1);
        let [elements, weights, biases, scale, offset, ..] = numbers.inputs;
        let rows = elements.chunks(size);
        for (row, results) in rows.zip(numbers.outs[0].chunks_mut(size)) {
            // CAST: a number of elements, which is exact.
            let mean = row.iter().map(|one| one * one).sum::<f64>() / size as f64;
            let factor = 1.0 / (mean + computed.numbers[0]).sqrt();
            let places = results.iter_mut().zip(row).zip(weights.iter().zip(biases));
            for ((result, one), (weight, bias)) in places {
                let norm = one * factor * weight + bias;
                *result = byte(norm * at(scale, 0) + at(offset, 0));
            }
        }
    });
    computed.sizes[0] = size;
    computed.numbers[0] = call.floating("epsilon")?;
    computed.plan(call)
}

/// `aclnnQuantize(x, scales, zeroPoints, dtype, axis, out)`: `x / scales + zeroPoints`, with one scale, or one for each index of a
/// dimension.
fn quantized(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let scales = call.input("scales").of(types!(f32 bf16)).ranked(1..=1)?;
    let dim = dimension("axis", call.whole("axis")?, input.shape().len())?;
    let size = scales.elements();
    if size != 1 && size != at(input.shape(), dim) {
        return Err(Refusal::invalid(format_args!(
            "scales {:?} has not one element, or one for each index of dim {dim} of {:?}",
            scales.shape(),
            input.shape()
        )));
    }
    let zeros = match call.optional_input("zeroPoints")? {
        Some(zeros) => Some(
            zeros
                .of(types!(s8 u8 s32 f32 bf16))?
                .shaped(scales.shape())?,
        ),
        None => None,
    };
    let out = call.output("out").shaped(input.shape())?;
    same_type(call.dtype("dtype")?, types!(s8 u8 s32), &out)?;
    let inner = input.shape().iter().skip(dim + 1).product::<usize>();
    let inputs = [Some(input), Some(scales), zeros];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let [size, inner, ..] = computed.sizes;
        let [least, most, _] = computed.numbers;
        let [elements, scales, zeros, ..] = numbers.inputs;
        let places = numbers.outs[0].iter_mut().zip(elements).enumerate();
        for (index, (result, one)) in places {
            let index = index / inner.max(1) % size.max(1);
            let near = one / at(scales, index) + at(zeros, index);
            *result = near.round_ties_even().clamp(least, most);
        }
    });
    let [least, most] = match out.dtype() {
        ascendcl_sys::ACL_INT8 => [-128.0, 127.0],
        ascendcl_sys::ACL_UINT8 => [0.0, 255.0],
        _ => [f64::from(i32::MIN), f64::from(i32::MAX)],
    };
    computed.sizes = [size, inner, 0, 0, 0, 0];
    computed.numbers = [least, most, 0.0];
    computed.plan(call)
}

/// `aclnnGroupQuant(x, scale, groupIndex, offsetOptional, dstType, y)`: rows up to an index have the factors of one row of `scale`.
fn grouped(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(2..=2)?;
    let width = at(input.shape(), 1);
    let ends = call.input("groupIndex").of(types!(s32 s64)).ranked(1..=1)?;
    let scale = call.input("scale").of(SINGLE);
    let scale = scale.shaped(&[ends.elements(), width])?;
    let offset = match call.optional_input("offsetOptional")? {
        Some(offset) if offset.elements() == 1 => Some(offset.like(&scale)?),
        Some(_) => return Err(Refusal::invalid("offset has not one element")),
        None => None,
    };
    let out = call.output("y").of(types!(s8)).shaped(input.shape())?;
    if call.whole("dstType")? != 2 {
        return Err(Refusal::invalid(format_args!(
            "dstType is {}; the emulator models 2, which is INT8",
            call.whole("dstType")?
        )));
    }
    let inputs = [Some(input), Some(scale), Some(ends), offset];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let width = computed.sizes[0].max(1);
        let [elements, scales, ends, offset, ..] = numbers.inputs;
        let mut group = 0;
        let rows = elements
            .chunks(width)
            .zip(numbers.outs[0].chunks_mut(width));
        for (index, (row, results)) in rows.enumerate() {
            // CAST: an index, which is exact.
            while ends.get(group).is_some_and(|end| *end <= index as f64) {
                group += 1;
            }
            let scales = scales.get(group * width..).unwrap_or_default();
            for ((result, one), scale) in results.iter_mut().zip(row).zip(scales) {
                *result = byte(one * scale + at(offset, 0));
            }
        }
    });
    computed.sizes[0] = width;
    computed.plan(call)
}

/// `aclnnScale(x, scale, bias, axis, numAxes, scaleFromBlob, y)`: the factors have some of the dimensions, from `axis` on.
fn scaled(call: &Call) -> Result<Plan, Refusal> {
    const SCALED: Elementwise<3> =
        formula!(real | x, scale, bias | "x * scale + bias").same(SINGLE);
    let input = call.input("x")?;
    let rank = input.shape().len();
    let axis = dimension("axis", call.whole("axis")?, rank)?;
    let scale = call.input("scale")?;
    let wanted = match (call.flag("scaleFromBlob")?, call.whole("numAxes")?) {
        (true, -1) => rank - axis,
        (true, number) => count("numAxes", number)?,
        (false, _) => scale.shape().len(),
    };
    let own = input.shape().get(axis..axis + wanted);
    let spread = |mut one: Input| -> Result<Source, Refusal> {
        if one.elements() != 1 && Some(one.shape()) != own {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not the {wanted} dimensions of x {:?} from {axis} on",
                one.name,
                one.shape(),
                input.shape()
            )));
        }
        if one.elements() != 1 {
            let behind = rank - axis - wanted;
            let ones = |number: usize| core::iter::repeat_n(number, behind);
            let shape = one.tensor.shape.iter().chain(ones(1));
            let strides = one.tensor.strides.iter().chain(ones(0));
            (one.tensor.shape, one.tensor.strides) = (
                Dims::new(shape).unwrap_or_default(),
                Dims::new(strides).unwrap_or_default(),
            );
        }
        Ok(Source::Tensor(one))
    };
    let bias = match call.optional_input("bias")? {
        Some(bias) => spread(bias)?,
        None => Source::Number(Scalar::whole(0)),
    };
    let out = call.output("y").shaped(input.shape())?;
    SCALED.plan_of(call, &[Source::Tensor(input), spread(scale)?, bias], out)
}

/// `aclnnConfusionTranspose(x, perm, shape, transposeFirst, out)`: another order of the dimensions, and another shape in front of
/// it or behind it.
fn turned(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("x")
        .of(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8 bool))?;
    let out = call.output("out").like(&input)?;
    let mut shape = Vec::new();
    for size in call.ints("shape")? {
        shape.push(count("shape", *size)?);
    }
    let is_first = call.flag("transposeFirst")?;
    let before = if is_first { input.shape() } else { &shape };
    let mut order = Vec::new();
    for dim in call.ints("perm")? {
        order.push(dimension("perm", *dim, before.len())?);
    }
    let mut sorted = order.clone();
    sorted.sort_unstable();
    let elements = |sizes: &[usize]| sizes.iter().product::<usize>();
    if !sorted.into_iter().eq(0..before.len()) || elements(&shape) != input.elements() {
        return Err(Refusal::invalid(format_args!(
            "perm {order:?} is no order of {} dimensions, or shape {shape:?} has other elements than x {:?}",
            before.len(),
            input.shape()
        )));
    }
    let mut steps = vec![1; before.len()];
    for dim in (1..before.len()).rev() {
        let step = at(&steps, dim) * at(before, dim);
        put(&mut steps, dim - 1, step);
    }
    let of = |numbers: &[usize]| list_of(order.iter().map(|dim| at(numbers, *dim)));
    let (turned, steps) = (of(before), of(&steps));
    let out = out.shaped(if is_first { &shape } else { &turned })?;
    let (Some(turned), Some(steps)) = (Dims::new(turned), Dims::new(steps)) else {
        return Err(Refusal::invalid("shape has too many dimensions"));
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| {
        let elements = views.input(&input).all::<W>();
        let results = list_of(turned.offsets(steps).map(|place| at(&elements, place)));
        views.output(&out).put_all(&results);
    })))
}

/// `aclnnExpSegsum(self, out)`: e to the power of the sums behind one element up to another one.
fn segments(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE).ranked(3..=4)?;
    let width = at(input.shape(), input.shape().len() - 1);
    let mut shape = input.shape().to_vec();
    shape.push(width);
    let out = call.output("out").like(&input)?.shaped(&shape)?;
    let mut computed = Computed::new(
        &[Some(input)],
        &[Some(out)],
        |computed, numbers: Numbers<'_>| {
            let width = computed.sizes[0].max(1);
            let rows = numbers.inputs[0].chunks(width);
            for (row, results) in rows.zip(numbers.outs[0].chunks_mut(width * width)) {
                for first in 0..width {
                    let mut sum = 0.0;
                    for last in first..width {
                        if last > first {
                            sum += at(row, last);
                        }
                        put(results, last * width + first, f64::exp(sum));
                    }
                }
            }
        },
    );
    computed.sizes[0] = width;
    computed.plan(call)
}

/// `aclnnApplyTopKTopP(logits, p, k, out)`: what is not among the `k` largest of a row, or among the largest whose probabilities are
/// `p` together, becomes minus infinity. At least the largest stays.
fn likely(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("logits").of(SINGLE).ranked(2..=2)?;
    let [rows, width] = [0, 1].map(|dim| at(input.shape(), dim));
    let given = |name: &str| -> Result<Option<Input>, Refusal> {
        match call.optional_input(name)? {
            Some(one) => Ok(Some(one.shaped(&[rows])?)),
            None => Ok(None),
        }
    };
    let (shares, counts) = (given("p")?, given("k")?);
    if let Some(shares) = shares {
        let _ = shares.like(&input)?;
    }
    if let Some(counts) = counts {
        let _ = counts.of(types!(s32))?;
    }
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut results = views.input(&input).all::<f64>();
        let shares = shares.as_ref().map(|one| views.input(one).all::<f64>());
        let counts = counts.as_ref().map(|one| views.input(one).all::<Whole>());
        for (index, row) in results.chunks_mut(width).enumerate() {
            if let Some(counts) = &counts {
                let place = usize::try_from(at(counts, index).0).unwrap_or(0);
                let mut sorted = row.to_vec();
                sorted.sort_by(|one, other| other.total_cmp(one));
                if let Some(least) = place.checked_sub(1).and_then(|place| sorted.get(place)) {
                    let is_less = |one: &&mut f64| **one < *least;
                    row.iter_mut()
                        .filter(is_less)
                        .for_each(|one| *one = f64::NEG_INFINITY);
                }
            }
            if let Some(shares) = &shares {
                keep_share(row, at(shares, index));
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Replaces the smallest elements whose probabilities are at most `1 - share` together by minus infinity, but for the largest.
fn keep_share(row: &mut [f64], share: f64) {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|one| (one - most).exp()).sum();
    let mut order = Vec::from_iter(0..row.len());
    order.sort_by(|one, other| at(row, *one).total_cmp(&at(row, *other)));
    let last = order.pop();
    let mut together = 0.0;
    for index in order {
        together += (at(row, index) - most).exp() / sum;
        if together > 1.0 - share || Some(index) == last {
            break;
        }
        put(row, index, f64::NEG_INFINITY);
    }
}

/// `aclnnConvTbc(self, weight, bias, pad, output, cubeMathType)`: a convolution along the first of three dimensions, of which the
/// last are the channels.
fn convolved(call: &Call) -> Result<Plan, Refusal> {
    let (inputs, steps, sizes) = along_first(call, "self")?;
    let [input, ..] = &inputs;
    let [_, batches, _, _, width, _] = sizes;
    let out = call.output("output").like(input)?;
    let out = out.shaped(&[steps, batches, width])?;
    let inputs = inputs.map(Some);
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let [times, batches, channels, taps, width, pad] = computed.sizes;
        let [elements, weights, bias, ..] = numbers.inputs;
        let rows = numbers.outs[0].chunks_mut(width.max(1));
        for (index, row) in rows.enumerate() {
            let (time, batch) = (index / batches, index % batches);
            row.iter_mut()
                .zip(bias)
                .for_each(|(result, bias)| *result = *bias);
            for tap in 0..taps {
                let Some(from) = (time + tap).checked_sub(pad).filter(|from| *from < times) else {
                    continue;
                };
                for channel in 0..channels {
                    let one = at(elements, (from * batches + batch) * channels + channel);
                    let weights = weights.get((tap * channels + channel) * width..);
                    for (result, weight) in row.iter_mut().zip(weights.unwrap_or_default()) {
                        *result += one * weight;
                    }
                }
            }
        }
    });
    computed.sizes = sizes;
    computed.plan(call)
}

/// `aclnnMaskedSoftmaxWithRelPosBias(x, attenMaskOptional, relativePosBias, scaleValue, innerPrecisionMode, out)`: the softmax of
/// each row, of which the mask has one for each window, and the bias one for each head.
fn masked(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(4..=5)?;
    let mask = call.optional_input("attenMaskOptional")?;
    let bias = call.input("relativePosBias").like(&input)?;
    let [.., heads, rows, width] = *input.shape() else {
        return Ok(call.nothing());
    };
    let bias = bias.shaped(&heading(bias.shape(), &[heads, rows, width]))?;
    let mask = match mask {
        Some(mask) => {
            let windows = at(mask.shape(), usize::from(mask.shape().len() > 4));
            let all = at(input.shape(), input.shape().len() - 4);
            let is_whole = windows > 0 && all % windows == 0;
            if !is_whole || input.shape().len() == 5 && all != windows {
                return Err(Refusal::invalid(format_args!(
                    "x {:?} has not as many windows as {:?}",
                    input.shape(),
                    mask.shape()
                )));
            }
            let kept: &[usize] = if mask.shape().len() > 3 {
                &[windows, 1, rows, width]
            } else {
                &[windows, rows, width]
            };
            Some(mask.like(&input)?.shaped(&heading(mask.shape(), kept))?)
        }
        None => None,
    };
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let inputs = [Some(input), mask, Some(bias)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let [heads, rows, width, ..] = computed.sizes;
        let [elements, mask, bias, ..] = numbers.inputs;
        let lines = elements
            .chunks(width.max(1))
            .zip(numbers.outs[0].chunks_mut(width.max(1)));
        for (index, (line, results)) in lines.enumerate() {
            let (window, head) = (index / (rows * heads), index % (rows * heads));
            let masked = (window * rows + index % rows) * width;
            for (column, (result, one)) in results.iter_mut().zip(line).enumerate() {
                let masked = mask
                    .get((masked + column) % mask.len().max(1))
                    .copied()
                    .unwrap_or(0.0);
                *result = computed.numbers[0] * one + masked + at(bias, head * width + column);
            }
            let most = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = results.iter().map(|one| (one - most).exp()).sum();
            results
                .iter_mut()
                .for_each(|one| *one = (*one - most).exp() / sum);
        }
    });
    computed.sizes = [heads, rows, width, 0, 0, 0];
    computed.numbers[0] = call.floating("scaleValue")?;
    computed.plan(call)
}

/// Returns the sizes behind as many ones as the shape has more dimensions.
fn heading(shape: &[usize], sizes: &[usize]) -> Vec<usize> {
    let ones = shape.len().min(5).saturating_sub(sizes.len());
    joined(&vec![1; ones], sizes)
}

/// `aclnnThnnFusedLstmCell(inputGates, hiddenGates, cx, inputBiasOptional, hiddenBiasOptional, hyOut, cyOut, storageOut)`: the gates
/// of input, cell, forgetting and output are a quarter of each row.
fn cell(call: &Call) -> Result<Plan, Refusal> {
    let gates = call.input("inputGates").of(SINGLE).ranked(2..=2)?;
    let others = call.input("hiddenGates").like(&gates)?;
    let others = others.shaped(gates.shape())?;
    let [rows, wide] = [0, 1].map(|dim| at(gates.shape(), dim));
    let width = wide / 4;
    let state = call.input("cx").like(&gates)?.shaped(&[rows, width])?;
    let bias = |name: &str| -> Result<Option<Input>, Refusal> {
        match call.optional_input(name)? {
            Some(one) => Ok(Some(one.like(&gates)?.shaped(&[wide])?)),
            None => Ok(None),
        }
    };
    let inputs = [
        Some(gates),
        Some(others),
        Some(state),
        bias("inputBiasOptional")?,
        bias("hiddenBiasOptional")?,
    ];
    let result = |name: &str, width: usize| call.output(name).like(&gates)?.shaped(&[rows, width]);
    let outs = [
        Some(result("hyOut", width)?),
        Some(result("cyOut", width)?),
        Some(result("storageOut", 4 * width)?),
    ];
    if wide % 4 != 0 {
        return Err(Refusal::invalid("4 does not divide the width of the gates"));
    }
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers: Numbers<'_>| {
        let width = computed.sizes[0].max(1);
        let [gates, others, states, bias, more, ..] = numbers.inputs;
        let [hidden, cells, storage, ..] = numbers.outs;
        for (index, (hidden, cell)) in hidden.iter_mut().zip(cells).enumerate() {
            let (row, place) = (index / width, index % width);
            let mut found = [0.0; 4];
            for (part, gate) in found.iter_mut().enumerate() {
                let column = part * width + place;
                let at_row = row * 4 * width + column;
                let sum =
                    at(gates, at_row) + at(others, at_row) + at(bias, column) + at(more, column);
                *gate = if part == 1 {
                    sum.tanh()
                } else {
                    1.0 / (1.0 + (-sum).exp())
                };
                put(storage, at_row, *gate);
            }
            let [input, candidate, kept, output] = found;
            *cell = kept * at(states, index) + input * candidate;
            *hidden = output * cell.tanh();
        }
    });
    computed.sizes[0] = width;
    computed.plan(call)
}
