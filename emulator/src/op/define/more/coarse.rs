//! Norms with factors of batches, and numbers that are made as coarse as bytes with a scale.

use super::super::computed::{Computed, Numbers};
use super::super::normalize::reduced_last;
use crate::op::call::Call;
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, put};

definitions! {
    aclnnAdaLayerNorm, aclnnAdaLayerNormV2 = adaptive;
    aclnnFakeQuantPerTensorAffineCachemask, aclnnFakeQuantPerChannelAffineCachemask = coarse;
}

/// `aclnnAdaLayerNormV2(x, scale, shift, weightOptional, biasOptional, epsilon, out, meanOutOptional, rstdOutOptional)`, and
/// `aclnnAdaLayerNorm` without figures
fn adaptive(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(3..=3)?;
    let [batches, rows, width] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let of_batch = |name: &'static str| {
        let one = call.input(name).like(&input)?;
        if one.shape() == [batches, 1, width] {
            return Ok(one);
        }
        one.shaped(&[batches, width])
    };
    let of_row = |name| match call.optional_input(name)? {
        Some(one) => one.of(SINGLE)?.shaped(&[width]).map(Some),
        None => Ok(None),
    };
    let figure = |name| match call.has(name) {
        true => match call.optional_output(name)? {
            Some(one) => one
                .of(SINGLE)?
                .shaped(&reduced_last(input.shape(), 1))
                .map(Some),
            None => Ok(None),
        },
        false => Ok(None),
    };
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let inputs = [
        Some(input),
        Some(of_batch("scale")?),
        Some(of_batch("shift")?),
        of_row("weightOptional")?,
        of_row("biasOptional")?,
    ];
    let outs = [
        Some(out),
        figure("meanOutOptional")?,
        figure("rstdOutOptional")?,
    ];
    let mut computed = Computed::<f64>::new(&inputs, &outs, adapt);
    computed.sizes = [rows, width, 0, 0, 0, 0];
    computed.numbers[0] = call.floating("epsilon")?;
    computed.plan(call)
}

/// Returns the mean of a row and `1 / sqrt(variance + epsilon)`.
fn moments(row: &[f64], epsilon: f64) -> (f64, f64) {
    // CAST: a number of elements, which is exact.
    let count = row.len() as f64;
    let mean = row.iter().sum::<f64>() / count;
    let squares = row.iter().map(|one| (one - mean) * (one - mean));
    (mean, 1.0 / (squares.sum::<f64>() / count + epsilon).sqrt())
}

fn adapt(computed: &Computed, numbers: Numbers<'_>) {
    let [rows, width, ..] = computed.sizes;
    let [elements, scales, shifts, weights, biases, ..] = numbers.inputs;
    let [results, means, factors, ..] = numbers.outs;
    let lines = results.chunks_mut(width).zip(elements.chunks(width));
    for (index, (results, row)) in lines.enumerate() {
        let (mean, factor) = moments(row, computed.numbers[0]);
        for (column, (result, one)) in results.iter_mut().zip(row).enumerate() {
            let weight = weights.get(column).copied().unwrap_or(1.0);
            let norm = (one - mean) * factor * weight + at(biases, column);
            let place = index / rows * width + column;
            *result = norm * (1.0 + at(scales, place)) + at(shifts, place);
        }
        put(means, index, mean);
        put(factors, index, factor);
    }
}

/// `aclnnFakeQuantPerTensorAffineCachemask(self, scale, zeroPoint, fakeQuantEnabled, quantMin, quantMax, out, mask)`, and
/// `aclnnFakeQuantPerChannelAffineCachemask` with `axis` in place of `fakeQuantEnabled`, along which each part has a scale.
fn coarse(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(types!(f32 f16))?;
    let (count, inner) = if call.has("axis") {
        let axis = dimension("axis", call.whole("axis")?, input.shape().len())?;
        let split = Split::new(input.shape(), axis);
        (split.size, split.inner)
    } else {
        (1, 1)
    };
    let scale = call.input("scale").of(types!(f32 f16))?;
    let offset = call.input("zeroPoint").of(types!(s32 f32 f16))?;
    let (least, most) = (call.whole("quantMin")?, call.whole("quantMax")?);
    for one in [&scale, &offset] {
        if one.elements() != count || least > most {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not {count} elements, or quantMin {least} is above quantMax {most}",
                one.name,
                one.shape()
            )));
        }
    }
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let mask = call.output("mask").of(types!(bool)).shaped(input.shape())?;
    let is_off = call.has("fakeQuantEnabled") && call.floating("fakeQuantEnabled")? < 1.0;
    let inputs = [Some(input), Some(scale), Some(offset)];
    let mut computed =
        Computed::<f64>::new(&inputs, &[Some(out), Some(mask)], |computed, numbers| {
            let [count, inner, is_off, ..] = computed.sizes;
            let [least, most, _] = computed.numbers;
            let [elements, scales, offsets, ..] = numbers.inputs;
            let [results, inside, ..] = numbers.outs;
            let outs = results.iter_mut().zip(inside);
            for (index, ((result, inside), one)) in outs.zip(elements).enumerate() {
                let part = index / inner.max(1) % count.max(1);
                let (scale, offset) = (at(scales, part), at(offsets, part));
                let step = (one / scale).round_ties_even() + offset;
                let is_inside = is_off > 0 || (least..=most).contains(&step);
                *inside = f64::from(u8::from(is_inside));
                *result = match is_off {
                    0 => (step.clamp(least, most) - offset) * scale,
                    _ => *one,
                };
            }
        });
    computed.sizes = [count, inner, usize::from(is_off), 0, 0, 0];
    // CAST: limits of bytes, which are exact.
    computed.numbers = [least as f64, most as f64, 0.0];
    computed.plan(call)
}
