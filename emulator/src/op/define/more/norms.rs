//! Norms that are joined with another operator.

use half::{bf16, f16};

use super::super::computed::{Computed, Numbers};
use super::super::normalize::{of_rows, reduced_last, trailing};
use crate::op::call::{Call, Output};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, types};
use crate::op::f32_math;
use crate::op::lines::Ahead;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};
use crate::op::sums::{joined_sum, moments, sum};
use crate::wide::wide;

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

wide! {
    fn rooted(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [size, is_more, stored, ..] = computed.sizes;
        let [elements, weights, others, ..] = numbers.inputs;
        let [results, factors, sums, rounded, ..] = numbers.outs;
        let size = size.max(1);
        // CAST: 0 or 1.
        let more = is_more as f64;
        let mut terms = vec![0.0; size];
        let rows = elements.chunks(size).zip(results.chunks_mut(size));
        for (index, ((row, results), to_factor)) in rows.zip(factors).enumerate() {
            let others = others.get(index * size..).unwrap_or_default();
            for (term, one) in terms.iter_mut().zip(row) {
                *term = f64::from(*one);
            }
            for (term, other) in terms.iter_mut().zip(others) {
                *term += f64::from(*other);
            }
            // CAST: a number of elements, which is exact.
            let mean = joined_sum(&terms, |one| one * one) / size as f64;
            let factor = 1.0 / (mean + computed.numbers[0]).sqrt();
            for ((result, one), weight) in results.iter_mut().zip(&terms).zip(weights) {
                // CAST: rounded once.
                *result = (one * factor * (f64::from(*weight) + more)) as f32;
            }
            for (sum, term) in sums.iter_mut().skip(index * size).zip(&terms) {
                // CAST: as above.
                *sum = *term as f32;
            }
            // CAST: as above.
            *to_factor = factor as f32;
        }
        for (to, result) in rounded.iter_mut().zip(results) {
            *to = match stored {
                1 => f16::from_f32(*result).to_f32(),
                2 => bf16::from_f32(*result).to_f32(),
                _ => *result,
            };
        }
    }

    fn grouped(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [number, channels, area, is_active, ..] = computed.sizes;
        let [epsilon, scale, _] = computed.numbers;
        let [elements, weights, biases, ..] = numbers.inputs;
        let [results, means, factors, ..] = numbers.outs;
        let (size, area) = ((channels / number * area).max(1), area.max(1));
        let groups = elements.chunks(size).zip(results.chunks_mut(size));
        for (group, (row, results)) in groups.enumerate() {
            let (mean, factor) = moments_of(row, epsilon);
            for (index, (line, results)) in row.chunks(area).zip(results.chunks_mut(area)).enumerate() {
                let channel = (group * size / area + index) % channels;
                let of = |numbers: &[f32], or| numbers.get(channel).map_or(or, |one| f64::from(*one));
                let (weight, bias) = (factor * of(weights, 1.0), of(biases, 0.0));
                for (one, result) in line.iter().zip(&mut *results) {
                    // CAST: rounded once.
                    *result = (f64::from(*one) - mean).mul_add(weight, bias) as f32;
                }
                if is_active > 0 {
                    // CAST: rounded to single precision, in which the function is computed.
                    let scale = scale as f32;
                    for result in results {
                        *result *= f32_math::sigmoid(scale * *result);
                    }
                }
            }
            // CAST: rounded once.
            put(means, group, mean as f32);
            put(factors, group, factor as f32);
        }
    }

    fn deeply(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [size, ..] = computed.sizes;
        let [epsilon, alpha, _] = computed.numbers;
        let [elements, others, weights, biases, ..] = numbers.inputs;
        let [results, means, factors, ..] = numbers.outs;
        let size = size.max(1);
        let mut terms = vec![0.0; size];
        let rows = elements.chunks(size).zip(others.chunks(size)).zip(results.chunks_mut(size));
        for (((row, others), results), (to_mean, to_factor)) in rows.zip(means.iter_mut().zip(factors)) {
            for (term, (one, other)) in terms.iter_mut().zip(row.iter().zip(others)) {
                *term = alpha.mul_add(f64::from(*one), f64::from(*other));
            }
            // CAST: a number of elements, which is exact.
            let count = size as f64;
            let mean = joined_sum(&terms, |one| one) / count;
            let variance = joined_sum(&terms, |one| (one - mean) * (one - mean)) / count;
            let factor = 1.0 / (variance + epsilon).sqrt();
            let both = weights.iter().zip(biases);
            for ((result, one), (weight, bias)) in results.iter_mut().zip(&terms).zip(both) {
                // CAST: rounded once.
                *result = ((one - mean) * factor).mul_add(f64::from(*weight), f64::from(*bias)) as f32;
            }
            // CAST: as above.
            (*to_mean, *to_factor) = (mean as f32, factor as f32);
        }
    }
}

/// Returns the mean of a row and `1 / sqrt(variance + epsilon)`.
#[inline(always)]
fn moments_of(row: &[f32], epsilon: f64) -> (f64, f64) {
    // CAST: a number of elements, which is exact.
    let count = row.len() as f64;
    let mean = sum(row, || (), f64::from) / count;
    let (_, squares) = moments(row, mean, &mut Ahead::of(row));
    (mean, 1.0 / (squares / count + epsilon).sqrt())
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

wide! {
    fn instance(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [channels, area, is_last, ..] = computed.sizes;
        let [elements, weights, biases, ..] = numbers.inputs;
        let [results, means, variances, ..] = numbers.outs;
        let mut row = vec![0.0; area];
        let figures = means.iter_mut().zip(variances);
        for (index, (to_mean, to_variance)) in figures.enumerate() {
            let (batch, channel) = (index / channels, index % channels);
            let (first, step) = match is_last {
                0 => (index * area, 1),
                _ => (batch * channels * area + channel, channels),
            };
            let elements = elements.get(first..).unwrap_or_default();
            for (to, one) in row.iter_mut().zip(elements.iter().step_by(step)) {
                *to = *one;
            }
            // CAST: a number of elements, which is exact.
            let count = area as f64;
            let mean = sum(&row, || (), f64::from) / count;
            let variance = moments(&row, mean, &mut Ahead::of(&row)).1 / count;
            let of = |numbers: &[f32]| f64::from(at(numbers, channel));
            let (factor, bias) = (of(weights) / (variance + computed.numbers[0]).sqrt(), of(biases));
            for one in &mut row {
                // CAST: rounded once.
                *one = (f64::from(*one) - mean).mul_add(factor, bias) as f32;
            }
            let results = results.get_mut(first..).unwrap_or_default();
            for (result, one) in results.iter_mut().step_by(step).zip(&row) {
                *result = *one;
            }
            // CAST: rounded once.
            (*to_mean, *to_variance) = (mean as f32, variance as f32);
        }
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
