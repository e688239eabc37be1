//! Norms that are joined with another operator.

use half::{bf16, f16};

use super::super::computed::{Computed, Numbers};
use super::super::normalize::{moments, of_rows, reduced_last, trailing};
use crate::op::call::{Call, Output};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};

definitions! {
    aclnnGemmaRmsNorm = |call: &Call| roots(call, ["x", ""], ["yOut", "", ""]);
    aclnnAddRmsNormCast = |call: &Call| roots(call, ["x1", "x2"], ["y2Out", "xOut", "y1Out"]);
    aclnnInplaceAddRmsNorm = |call: &Call| roots(call, ["x1Ref", "x2Ref"], ["x1Ref", "x2Ref", ""]);
    aclnnInstanceNorm = instances;
    aclnnDeepNorm = deep;
    aclnnGroupNormSilu = groups;
    aclnnGroupNormSiluV2 = groups;
    aclnnGroupNormSwish = groups;
}

/// `aclnnGemmaRmsNorm(x, gamma, epsilon, yOut, rstdOut)`, whose weights are 1 more than `gamma`,
/// `aclnnAddRmsNormCast(x1, x2, gamma, epsilon, y1Out, y2Out, rstdOut, xOut)`, which gives the norm also as it is rounded, and
/// `aclnnInplaceAddRmsNorm(x1Ref, x2Ref, gamma, epsilon, rstdOut)`. The names are those of the terms, of the norm, of the sum, and
/// of the rounded norm.
fn roots(
    call: &Call,
    [one, other]: [&'static str; 2],
    [out, sum, rounded]: [&'static str; 3],
) -> Result<Plan, Refusal> {
    let input = call.input(one).of(SINGLE)?;
    let gamma = call.input("gamma").like(&input)?;
    let size = trailing("gamma", gamma.shape(), &input)?;
    let other = match other {
        "" => None,
        name => Some(call.input(name).like(&input)?.shaped(input.shape())?),
    };
    let same = |name: &'static str| -> Result<Option<Output>, Refusal> {
        match name {
            "" => Ok(None),
            name => {
                let out = call.output(name).like(&input)?;
                Ok(Some(out.shaped(input.shape())?))
            }
        }
    };
    let (out, sum) = (same(out)?, same(sum)?);
    let factor = call.output("rstdOut").of(types!(f32))?;
    let factor = of_rows(factor, &reduced_last(input.shape(), gamma.shape().len()))?;
    let rounded = match rounded {
        "" => None,
        name => Some(call.output(name).of(types!(f32)).shaped(input.shape())?),
    };
    let inputs = [Some(input), Some(gamma), other];
    let mut computed = Computed::new(&inputs, &[out, Some(factor), sum, rounded], rooted);
    let stored = match input.dtype() {
        ascendcl_sys::ACL_FLOAT16 => 1,
        ascendcl_sys::ACL_BF16 => 2,
        _ => 0,
    };
    let is_more = usize::from(call.operator() == "aclnnGemmaRmsNorm");
    computed.sizes = [size, is_more, stored, 0, 0, 0];
    computed.numbers = [call.floating("epsilon")?, 0.0, 0.0];
    computed.plan(call)
}

fn rooted(computed: &Computed, numbers: &mut Numbers) {
    let [size, is_more, ..] = computed.sizes;
    let [elements, weights, others, ..] = &numbers.inputs;
    let [results, factors, sums, rounded] = &mut numbers.outs;
    let mut terms = elements.clone();
    for (term, other) in terms.iter_mut().zip(others) {
        *term += other;
    }
    let rows = terms
        .chunks(size.max(1))
        .zip(results.chunks_mut(size.max(1)));
    for ((row, results), factor) in rows.zip(factors) {
        let squares = row.iter().map(|one| one * one).sum::<f64>();
        // CAST: a number of elements, which is exact.
        *factor = 1.0 / (squares / size as f64 + computed.numbers[0]).sqrt();
        for ((result, one), weight) in results.iter_mut().zip(row).zip(weights) {
            // CAST: 0 or 1.
            *result = one * *factor * (weight + is_more as f64);
        }
    }
    if !sums.is_empty() {
        *sums = terms;
    }
    for (to, result) in rounded.iter_mut().zip(results) {
        *to = match computed.sizes[2] {
            1 => f16::from_f64(*result).to_f64(),
            2 => bf16::from_f64(*result).to_f64(),
            _ => *result,
        };
    }
}

/// `aclnnGroupNormSilu(self, gamma, beta, group, eps, out, meanOut, rstdOut)`, and `aclnnGroupNormSiluV2` with `activateSilu`
fn groups(call: &Call) -> Result<Plan, Refusal> {
    let is_swish = call.has("swishScale");
    let [name, groups, result] = if is_swish {
        ["x", "numGroups", "yOut"]
    } else {
        ["self", "group", "out"]
    };
    let input = call.input(name).of(SINGLE).ranked(2..=8)?;
    let (gamma, beta) = (call.optional_input("gamma")?, call.optional_input("beta")?);
    let out = call.output(result).like(&input)?.shaped(input.shape())?;
    let number = count(groups, call.whole(groups)?)?;
    let (batches, channels) = (at(input.shape(), 0), at(input.shape(), 1));
    if number == 0 || !channels.is_multiple_of(number) {
        return Err(Refusal::invalid(format_args!(
            "{channels} channels cannot be in {number} groups"
        )));
    }
    for one in [gamma, beta].into_iter().flatten() {
        let _ = one.of(SINGLE).shaped(&[channels])?;
    }
    let figures = |name: &'static str| {
        let out = call.output(name).like(&input)?;
        out.shaped(&[batches, number])
    };
    let outs = [
        Some(out),
        Some(figures("meanOut")?),
        Some(figures("rstdOut")?),
    ];
    let area = input.shape().iter().skip(2).product::<usize>();
    let (is_active, scale) = if is_swish {
        let format = call.text("dataFormatOptional")?;
        if !matches!(format, None | Some("NCHW")) {
            return Err(Refusal::invalid(format_args!(
                "dataFormat is {format:?}; it is \"NCHW\""
            )));
        }
        (call.flag("activateSwish")?, call.floating("swishScale")?)
    } else {
        let is_active = !call.has("activateSilu") || call.flag("activateSilu")?;
        (is_active, 1.0)
    };
    let mut computed = Computed::new(&[Some(input), gamma, beta], &outs, grouped);
    computed.sizes = [number, channels, area, usize::from(is_active), 0, 0];
    computed.numbers = [call.floating("eps")?, scale, 0.0];
    computed.plan(call)
}

fn grouped(computed: &Computed, numbers: &mut Numbers) {
    let [number, channels, area, is_active, ..] = computed.sizes;
    let [elements, weights, biases, ..] = &numbers.inputs;
    let [results, means, factors, ..] = &mut numbers.outs;
    let size = (channels / number * area).max(1);
    for (group, row) in elements.chunks(size).enumerate() {
        // CAST: a number of elements, which is exact.
        let count = row.len() as f64;
        let mean = row.iter().sum::<f64>() / count;
        let squares = row.iter().map(|one| (one - mean) * (one - mean));
        let factor = 1.0 / (squares.sum::<f64>() / count + computed.numbers[0]).sqrt();
        let results = results.get_mut(group * size..).unwrap_or_default();
        let lines = row.chunks(area.max(1)).zip(results.chunks_mut(area.max(1)));
        for (index, (line, results)) in lines.enumerate() {
            let channel = (group * size / area.max(1) + index) % channels;
            let weight = factor * weights.get(channel).copied().unwrap_or(1.0);
            let bias = biases.get(channel).copied().unwrap_or(0.0);
            for (one, result) in line.iter().zip(results) {
                let norm = (one - mean) * weight + bias;
                *result = match is_active {
                    0 => norm,
                    _ => norm / (1.0 + (-computed.numbers[1] * norm).exp()),
                };
            }
        }
        if let (Some(to_mean), Some(to_factor)) = (means.get_mut(group), factors.get_mut(group)) {
            (*to_mean, *to_factor) = (mean, factor);
        }
    }
}

/// `aclnnInstanceNorm(x, gamma, beta, dataFormat, eps, y, mean, variance)`: the channels are the second dimension, or the last one.
fn instances(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(types!(f32 f16)).ranked(4..=4)?;
    let is_last = match call.text("dataFormat")? {
        Some("NCHW") => false,
        Some("NHWC") => true,
        other => {
            return Err(Refusal::invalid(format_args!(
                "dataFormat is {other:?}; it is \"NCHW\" or \"NHWC\""
            )));
        }
    };
    let [batches, one, two, three] = [0, 1, 2, 3].map(|dim| at(input.shape(), dim));
    let (channels, area) = if is_last {
        (three, one * two)
    } else {
        (one, two * three)
    };
    let weight = |name| call.input(name).like(&input).shaped(&[channels]);
    let (gamma, beta) = (weight("gamma")?, weight("beta")?);
    let out = call.output("y").like(&input)?.shaped(input.shape())?;
    let shape = if is_last {
        [batches, 1, 1, channels]
    } else {
        [batches, channels, 1, 1]
    };
    let figure = |name| call.output(name).like(&input).shaped(&shape);
    let outs = [Some(out), Some(figure("mean")?), Some(figure("variance")?)];
    let mut computed = Computed::new(&[Some(input), Some(gamma), Some(beta)], &outs, instance);
    computed.sizes = [channels, area, usize::from(is_last), 0, 0, 0];
    computed.numbers = [call.floating("eps")?, 0.0, 0.0];
    computed.plan(call)
}

fn instance(computed: &Computed, numbers: &mut Numbers) {
    let [channels, area, is_last, ..] = computed.sizes;
    let [elements, weights, biases, ..] = &numbers.inputs;
    let [results, means, variances, ..] = &mut numbers.outs;
    let figures = means.iter_mut().zip(variances);
    for (index, (to_mean, to_variance)) in figures.enumerate() {
        let (batch, channel) = (index / channels, index % channels);
        let (first, step) = match is_last {
            0 => (index * area, 1),
            _ => (batch * channels * area + channel, channels),
        };
        let places = || (0..area).map(|place| first + place * step);
        // CAST: a number of elements, which is exact.
        let mean = places().map(|place| at(elements, place)).sum::<f64>() / area as f64;
        let squares = places().map(|place| (at(elements, place) - mean).powi(2));
        // CAST: as above.
        let variance = squares.sum::<f64>() / area as f64;
        let factor = at(weights, channel) / (variance + computed.numbers[0]).sqrt();
        for place in places() {
            let norm = (at(elements, place) - mean) * factor + at(biases, channel);
            put(results, place, norm);
        }
        (*to_mean, *to_variance) = (mean, variance);
    }
}

/// `aclnnDeepNorm(x, gx, beta, gamma, alpha, epsilon, meanOut, rstdOut, yOut)`: the norm of `alpha * x + gx`.
fn deep(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let other = call.input("gx").like(&input)?.shaped(input.shape())?;
    let gamma = call.input("gamma").like(&input)?;
    let size = trailing("gamma", gamma.shape(), &input)?;
    let beta = call.input("beta").like(&input)?.shaped(gamma.shape())?;
    let out = call.output("yOut").like(&input)?.shaped(input.shape())?;
    let shape = reduced_last(input.shape(), gamma.shape().len());
    let figure = |name| call.output(name).of(types!(f32)).shaped(&shape);
    let outs = [
        Some(out),
        Some(figure("meanOut")?),
        Some(figure("rstdOut")?),
    ];
    let inputs = [Some(input), Some(other), Some(gamma), Some(beta)];
    let mut computed = Computed::new(&inputs, &outs, deeply);
    computed.sizes = [size, 0, 0, 0, 0, 0];
    computed.numbers = [call.floating("epsilon")?, call.floating("alpha")?, 0.0];
    computed.plan(call)
}

fn deeply(computed: &Computed, numbers: &mut Numbers) {
    let [size, ..] = computed.sizes;
    let [epsilon, alpha, _] = computed.numbers;
    let [elements, others, weights, biases, ..] = &numbers.inputs;
    let [results, means, factors, ..] = &mut numbers.outs;
    for (result, (one, other)) in results.iter_mut().zip(elements.iter().zip(others)) {
        *result = alpha * one + other;
    }
    let figures = means.iter_mut().zip(factors);
    for (row, (to_mean, to_factor)) in results.chunks_mut(size.max(1)).zip(figures) {
        let (mean, _, factor) = moments(row, epsilon);
        for (one, (weight, bias)) in row.iter_mut().zip(weights.iter().zip(biases)) {
            *one = (*one - mean) * factor * weight + bias;
        }
        (*to_mean, *to_factor) = (mean, factor);
    }
}
