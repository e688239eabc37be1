//! Activations and norms that are stored as bytes.

use super::super::computed::{Computed, Numbers};
use super::joint::byte;
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::plan::Plan;
use crate::op::real::Real as _;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};

definitions! {
    aclnnGeluQuant = gelu;
    aclnnAdaLayerNormQuant = adapted;
    aclnnGroupNormSiluQuant = groups;
    aclnnQuantizedBatchNorm = channels;
}

/// Returns an optional tensor of some types with one of these shapes.
fn given(
    call: &Call,
    name: &str,
    types: Types,
    shapes: &[&[usize]],
) -> Result<Option<Input>, Refusal> {
    let Some(one) = call.optional_input(name)? else {
        return Ok(None);
    };
    let one = one.of(types)?;
    if shapes.contains(&one.shape()) {
        return Ok(Some(one));
    }
    Err(Refusal::invalid(format_args!(
        "{name} has the shape {:?}; it has to be one of {shapes:?}",
        one.shape()
    )))
}

/// Returns the number for a column: the only one, that of the column, or another one without numbers.
fn of_column(numbers: &[f64], column: usize, or: f64) -> f64 {
    match numbers {
        [] => or,
        [one] => *one,
        _ => at(numbers, column),
    }
}

/// Stores a row as bytes, and returns its scale: its largest number becomes 127.
fn row_of_bytes(row: &[f64], results: &mut [f64]) -> f64 {
    let most = row.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let scale = most / 127.0;
    for (result, one) in results.iter_mut().zip(row) {
        *result = if scale == 0.0 { 0.0 } else { byte(one / scale) };
    }
    scale
}

/// `aclnnGeluQuant(self, inputScaleOptional, inputOffsetOptional, approximate, quantMode, roundMode, dstType, y, outScaleOptional)`:
/// with given scales and offsets, or with a scale for each row.
fn gelu(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE).ranked(1..=8)?;
    let (width, outer) = input.shape().split_last().unwrap_or((&1, &[]));
    let shapes: &[&[usize]] = &[&[*width], &[1], &[]];
    let scale = given(call, "inputScaleOptional", SINGLE, shapes)?;
    let offset = given(call, "inputOffsetOptional", SINGLE, shapes)?;
    let is_tanh = match call.text("approximate")? {
        None | Some("none") => false,
        Some("tanh") => true,
        other => return Err(Refusal::invalid(format_args!("approximate is {other:?}"))),
    };
    let is_dynamic = match call.text("quantMode")? {
        Some("dynamic") => true,
        Some("static") if scale.is_some() => false,
        other => {
            return Err(Refusal::invalid(format_args!(
                "quantMode is {other:?}; it is \"dynamic\", or \"static\" with a scale"
            )));
        }
    };
    let round = call.text("roundMode")?;
    let kind = call.whole("dstType")?;
    if !matches!(round, None | Some("" | "rint")) || kind != i64::from(ascendcl_sys::ACL_INT8.0) {
        return Err(Refusal::invalid(format_args!(
            "roundMode is {round:?} and dstType {kind}; the emulator models \"rint\" and bytes"
        )));
    }
    let out = call.output("y").of(types!(s8)).shaped(input.shape())?;
    let scales = match is_dynamic {
        true => Some(
            call.output("outScaleOptional")
                .of(types!(f32))
                .shaped(outer)?,
        ),
        false => None,
    };
    let inputs = [Some(input), scale, offset];
    let mut computed = Computed::new(
        &inputs,
        &[Some(out), scales],
        |computed, numbers: Numbers<'_>| {
            let [width, is_tanh, is_dynamic, ..] = computed.sizes;
            let [elements, scales, offsets, ..] = numbers.inputs;
            let [results, found, ..] = numbers.outs;
            let rows = elements
                .chunks(width.max(1))
                .zip(results.chunks_mut(width.max(1)));
            for (index, (row, results)) in rows.enumerate() {
                let mut row = row.to_vec();
                for (column, one) in row.iter_mut().enumerate() {
                    let bent = 0.797_884_560_802_865_4 * (*one + 0.044715 * *one * *one * *one);
                    let gelu = match is_tanh {
                        0 => one.gelu(),
                        _ => 0.5 * *one * (1.0 + bent.tanh()),
                    };
                    *one = gelu * of_column(scales, column, 1.0);
                }
                if is_dynamic > 0 {
                    put(found, index, row_of_bytes(&row, results));
                    continue;
                }
                for (column, (result, one)) in results.iter_mut().zip(&row).enumerate() {
                    *result = byte(one + of_column(offsets, column, 0.0));
                }
            }
        },
    );
    computed.sizes = [
        *width,
        usize::from(is_tanh),
        usize::from(is_dynamic),
        0,
        0,
        0,
    ];
    computed.plan(call)
}

/// Changes a row to one with the mean 0 and the deviation 1. Returns the mean and the factor.
fn normalize(row: &mut [f64], epsilon: f64) -> [f64; 2] {
    // CAST: a number of elements, which is exact.
    let count = row.len().max(1) as f64;
    let mean = row.iter().sum::<f64>() / count;
    let spread = row
        .iter()
        .map(|one| (one - mean) * (one - mean))
        .sum::<f64>()
        / count;
    let factor = 1.0 / (spread + epsilon).sqrt();
    row.iter_mut().for_each(|one| *one = (*one - mean) * factor);
    [mean, factor]
}

/// `aclnnAdaLayerNormQuant(x, scale, shift, weightOptional, biasOptional, smoothScalesOptional, epsilon, quantMode, out, quantScale,
/// quantOffsetOptional)`: each row has a scale of its own.
fn adapted(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f16 bf16)).ranked(3..=3)?;
    let [batches, rows, width] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let of_batch: &[&[usize]] = &[&[batches, width], &[batches, 1, width]];
    let own = [input.dtype()];
    let like = |name: &str, shapes: &[&[usize]]| given(call, name, SINGLE, shapes);
    let inputs = [
        Some(input),
        like("scale", of_batch)?,
        like("shift", of_batch)?,
        like("weightOptional", &[&[width]])?,
        like("biasOptional", &[&[width]])?,
        like("smoothScalesOptional", &[&[width]])?,
    ];
    if inputs
        .iter()
        .flatten()
        .any(|one| !own.contains(&one.dtype()))
    {
        return Err(Refusal::invalid("the tensors have not the data type of x"));
    }
    let mode = call.text("quantMode")?;
    if mode != Some("dynamic") || call.optional_output("quantOffsetOptional")?.is_some() {
        return Err(Refusal::invalid(format_args!(
            "quantMode is {mode:?} and not \"dynamic\", or quantOffset is given"
        )));
    }
    let outs = [
        Some(call.output("out").of(types!(s8)).shaped(input.shape())?),
        Some(
            call.output("quantScale")
                .of(types!(f32))
                .shaped(&[batches, rows])?,
        ),
    ];
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers: Numbers<'_>| {
        let [rows, width, ..] = computed.sizes;
        let [elements, scales, shifts, weights, biases, smooth, ..] = numbers.inputs;
        let [results, found, ..] = numbers.outs;
        let lines = elements
            .chunks(width.max(1))
            .zip(results.chunks_mut(width.max(1)));
        for (index, (row, results)) in lines.enumerate() {
            let mut row = row.to_vec();
            let _ = normalize(&mut row, computed.numbers[0]);
            for (column, one) in row.iter_mut().enumerate() {
                let of_batch = index / rows.max(1) * width + column;
                let norm = *one * weights.get(column).unwrap_or(&1.0) + at(biases, column);
                *one = norm * (1.0 + at(scales, of_batch)) + at(shifts, of_batch);
                *one *= smooth.get(column).unwrap_or(&1.0);
            }
            put(found, index, row_of_bytes(&row, results));
        }
    });
    computed.sizes = [rows, width, 0, 0, 0, 0];
    computed.numbers[0] = call.floating("epsilon")?;
    computed.plan(call)
}

/// `aclnnGroupNormSiluQuant(self, gammaOptional, betaOptional, quantScale, group, eps, activateSilu, out, meanOut, rstdOut)`
fn groups(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f16 bf16)).ranked(2..=8)?;
    let [batches, channels] = [0, 1].map(|dim| at(input.shape(), dim));
    let area = input.shape().iter().skip(2).product::<usize>();
    let groups = count("group", call.whole("group")?)?;
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Refusal::invalid(format_args!(
            "{channels} channels cannot be in {groups} groups"
        )));
    }
    let of_channels: &[&[usize]] = &[&[channels]];
    let gamma = given(call, "gammaOptional", SINGLE, of_channels)?;
    let beta = given(call, "betaOptional", SINGLE, of_channels)?;
    let scale = given(call, "quantScale", types!(f32), &[&[channels], &[1]])?;
    let figure = |name: &str| call.output(name).like(&input)?.shaped(&[batches, groups]);
    let outs = [
        Some(call.output("out").of(types!(s8)).shaped(input.shape())?),
        Some(figure("meanOut")?),
        Some(figure("rstdOut")?),
    ];
    let inputs = [Some(input), gamma, beta, scale];
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers: Numbers<'_>| {
        let [channels, groups, area, activates, ..] = computed.sizes;
        let [elements, gamma, beta, scales, ..] = numbers.inputs;
        let [results, means, factors, ..] = numbers.outs;
        let own = channels / groups;
        let size = (own * area).max(1);
        let rows = elements.chunks(size).zip(results.chunks_mut(size));
        for (index, (row, results)) in rows.enumerate() {
            let mut row = row.to_vec();
            let [mean, factor] = normalize(&mut row, computed.numbers[0]);
            put(means, index, mean);
            put(factors, index, factor);
            for (place, (result, one)) in results.iter_mut().zip(&row).enumerate() {
                let channel = index % groups * own + place / area.max(1);
                let mut norm = one * of_column(gamma, channel, 1.0) + of_column(beta, channel, 0.0);
                if activates > 0 {
                    norm /= 1.0 + (-norm).exp();
                }
                *result = byte(norm / of_column(scales, channel, 1.0));
            }
        }
    });
    let activates = usize::from(call.flag("activateSilu")?);
    computed.sizes = [channels, groups, area, activates, 0, 0];
    computed.numbers[0] = call.floating("eps")?;
    computed.plan(call)
}

/// `aclnnQuantizedBatchNorm(input, mean, var, inputScale, inputZeroPoint, outputScale, outputZeroPoint, weight, bias, epsilon,
/// output)`: the channels are the second dimension.
fn channels(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(types!(s8 u8 s32)).ranked(2..=8)?;
    let channels = at(input.shape(), 1);
    let figure = |name: &str| call.input(name).of(types!(f32)).shaped(&[channels]);
    let inputs = [
        Some(input),
        Some(figure("mean")?),
        Some(figure("var")?),
        Some(figure("weight")?),
        Some(figure("bias")?),
    ];
    let out = call.output("output").like(&input)?.shaped(input.shape())?;
    let number = |name: &str| Ok::<_, Refusal>(call.scalar(name)?.to_f64());
    let [from, zero] = [number("inputScale")?, number("inputZeroPoint")?];
    let [to, offset] = [number("outputScale")?, number("outputZeroPoint")?];
    let epsilon = call.floating("epsilon")?;
    let [least, most] = match out.dtype() {
        ascendcl_sys::ACL_INT8 => [-128.0, 127.0],
        ascendcl_sys::ACL_UINT8 => [0.0, 255.0],
        _ => [f64::from(i32::MIN), f64::from(i32::MAX)],
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let area = input.shape().iter().skip(2).product::<usize>();
    call.plan(move |views| {
        let read = |input: &Option<Input>| {
            let read = input.as_ref().map(|input| views.input(input).all::<f64>());
            read.unwrap_or_default()
        };
        let [mut elements, means, spreads, weights, biases] = inputs.each_ref().map(read);
        for (index, one) in elements.iter_mut().enumerate() {
            let channel = index / area % channels;
            let number = (*one - zero) * from - at(&means, channel);
            let norm = number / (at(&spreads, channel) + epsilon).sqrt();
            let norm = norm * at(&weights, channel) + at(&biases, channel);
            *one = (norm / to + offset).round_ties_even().clamp(least, most);
        }
        views.output(&out).put_all(&elements);
    })
}
