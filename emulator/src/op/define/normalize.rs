//! Operators that normalize.

use core::ops::Range;

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, Types, is_half, types};
use crate::op::lines::{Line, each_line};
use crate::op::normal::{self, shifted};
use crate::op::plan::Plan;
use crate::op::product::add_row;
use crate::op::refusal::Refusal;
use crate::op::rows::{Numbers, ROWS, each_row};
use crate::op::rule::{Checks as _, Split, at, count};
use crate::op::short_rows::{layers, roots};
use crate::op::sums::{squares, total};
use crate::op::view::Views;
use crate::results::every;

definitions! {
    aclnnLayerNorm = layer_norm;
    aclnnAddLayerNorm = add_layer_norm;
    aclnnRmsNorm = rms_norm;
    aclnnAddRmsNorm = add_rms_norm;
    aclnnGroupNorm = group_norm;
    aclnnBatchNorm = batch_norm;
}

/// Reads the elements of an optional tensor.
fn read(views: &Views<'_>, input: &Option<Input>) -> Option<Vec<f64>> {
    input.as_ref().map(|input| views.input(input).all::<f64>())
}

/// Returns a shape whose last dimensions have the size 1.
pub(super) fn reduced_last(shape: &[usize], count: usize) -> Vec<usize> {
    let kept = shape.len().saturating_sub(count);
    shape
        .iter()
        .take(kept)
        .copied()
        .chain(core::iter::repeat_n(1, count))
        .collect()
}

/// Checks that a shape is the end of another, and returns the number of its elements.
pub(super) fn trailing(name: &str, shape: &[usize], of: &Input) -> Result<usize, Refusal> {
    if !shape.is_empty() && of.shape().ends_with(shape) {
        return Ok(shape.iter().product());
    }
    Err(Refusal::invalid(format_args!(
        "{name} {shape:?} is not the end of {} {:?}",
        of.name,
        of.shape()
    )))
}

/// `aclnnLayerNorm(input, normalizedShape, weight, bias, eps, out, meanOut, rstdOut)`
pub(super) fn layer_norm(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let (weight, bias) = (
        call.optional_input("weightOptional")?,
        call.optional_input("biasOptional")?,
    );
    let out = call.output("out").of(SINGLE)?;
    let statistics = [
        call.optional_output("meanOutOptional")?,
        call.optional_output("rstdOutOptional")?,
    ];
    for one in [weight, bias].into_iter().flatten() {
        let _ = one.of(SINGLE)?;
    }
    let shape = call
        .ints("normalizedShape")?
        .iter()
        .map(|size| count("normalizedShape", *size));
    let shape = every(shape)?;
    let size = trailing("normalizedShape", &shape, &input)?;
    for one in [weight, bias].into_iter().flatten() {
        let _ = one.shaped(&shape)?;
    }
    let out = out.shaped(input.shape())?;
    let of_statistics = reduced_last(input.shape(), shape.len());
    for one in statistics.iter().flatten() {
        let _ = one.of(SINGLE).shaped(&of_statistics)?;
    }
    let [mean, deviation] = statistics;
    let epsilon = call.floating("eps")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let outer = input.shape().len() - shape.len();
    let is_short = is_half(input.dtype()) && is_half(out.dtype());
    call.plan(move |views| {
        let numbers = |one: &Option<Input>| match one {
            Some(one) => views.input(one).all::<f32>(),
            None => Vec::new(),
        };
        let (weight, bias) = (numbers(&weight), numbers(&bias));
        let rows = input.elements() / size.max(1);
        let (means, deviations) = (Numbers::new(rows), Numbers::new(rows));
        let is_row = |index| index >= outer;
        let set = |rows: Range<usize>, moments: [(f64, f64); ROWS]| {
            for (index, (mean, deviation)) in rows.zip(moments) {
                means.set(index, mean);
                deviations.set(index, deviation);
            }
        };
        if is_short {
            each_row::<f32>(views, (&input, &out), &is_row, &|first, group, _| {
                let mut moments = [(0.0, 0.0); ROWS];
                layers(group, epsilon, &weight, &bias, &mut moments);
                set(first..first + group.rows().count(), moments);
            });
        } else {
            each_line(views, (&input, &out), &is_row, false, &|first, lines| {
                let mut moments = [(0.0, 0.0); ROWS];
                normal::layers(lines, epsilon, &weight, &bias, &mut moments);
                set(first..first + lines.len(), moments);
            });
        }
        for (out, numbers) in [(&mean, means), (&deviation, deviations)] {
            if let Some(out) = out {
                views.output(out).put_all(&numbers.into_vec());
            }
        }
    })
}

/// Calls a function for each row of so many elements, and returns the rows that it stores.
fn rows_of(elements: &[f32], size: usize, compute: &mut dyn FnMut(&mut [Line<'_>])) -> Vec<f32> {
    let mut results = vec![0.0; elements.len()];
    let rows = elements.chunks(size.max(1));
    for (row, results) in rows.zip(results.chunks_mut(size.max(1))) {
        compute(&mut [Line::new(row, results)]);
    }
    results
}

/// Normalizes each row by its mean and variance, and returns the rows, the means and the reciprocal deviations.
fn layered(
    elements: &[f32],
    size: usize,
    epsilon: f64,
    [weight, bias]: [&[f32]; 2],
) -> (Vec<f32>, Vec<f64>, Vec<f64>) {
    let (mut means, mut deviations) = (Vec::new(), Vec::new());
    let results = rows_of(elements, size, &mut |line| {
        let mut moments = [(0.0, 0.0); ROWS];
        normal::layers(line, epsilon, weight, bias, &mut moments);
        let [(mean, deviation), ..] = moments;
        means.push(mean);
        deviations.push(deviation);
    });
    (results, means, deviations)
}

/// The tensors of the operators that add first: `x1`, `x2`, `gamma` and the outputs.
struct Added {
    terms: [Input; 2],
    gamma: Input,
    size: usize,
    out: Output,
    sum: Output,
    of_statistics: Vec<usize>,
}

fn added(call: &Call) -> Result<Added, Refusal> {
    let one = call.input("x1").of(SINGLE)?;
    let other = call.input("x2").of(SINGLE)?;
    let gamma = call.input("gamma").of(SINGLE)?;
    let (out, sum) = (
        call.output("yOut").of(SINGLE)?,
        call.output("xOut").of(SINGLE)?,
    );
    let other = other.shaped(one.shape())?;
    let size = trailing("gamma", gamma.shape(), &one)?;
    Ok(Added {
        terms: [one, other],
        gamma,
        size,
        out: out.shaped(one.shape())?,
        sum: sum.shaped(one.shape())?,
        of_statistics: reduced_last(one.shape(), gamma.shape().len()),
    })
}

const ROOTS: Types = types!(f32);

/// `aclnnAddLayerNorm(x1, x2, gamma, beta, bias, epsilon, additionalOutput, yOut, meanOut, rstdOut, xOut)`: the sum is
/// normalized before it is rounded.
fn add_layer_norm(call: &Call) -> Result<Plan, Refusal> {
    let Added {
        terms: [one, other],
        gamma,
        size,
        out,
        sum,
        of_statistics,
    } = added(call)?;
    let beta = call.input("beta").of(SINGLE).shaped(gamma.shape())?;
    let extra = call.optional_input("biasOptional")?;
    if let Some(extra) = extra {
        let shape = if extra.shape() == gamma.shape() {
            gamma.shape()
        } else {
            one.shape()
        };
        let _ = extra.of(SINGLE).shaped(shape)?;
    }
    let mean = call.output("meanOut").of(ROOTS).shaped(&of_statistics)?;
    let deviation = call.output("rstdOut").of(ROOTS).shaped(&of_statistics)?;
    let (epsilon, gives_sum) = (call.floating("epsilon")?, call.flag("additionalOutput")?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = add(views, &one, &other);
        if let Some(extra) = &extra {
            let extra = views.input(extra).all::<f32>();
            for row in elements.chunks_mut(extra.len().max(1)) {
                add_row(row, &extra, 1.0);
            }
        }
        // The sum may be stored in the memory of one of them.
        let (weight, bias) = (
            views.input(&gamma).all::<f32>(),
            views.input(&beta).all::<f32>(),
        );
        if gives_sum {
            views.output(&sum).put_all(&elements);
        }
        let (results, means, deviations) = layered(&elements, size, epsilon, [&weight, &bias]);
        views.output(&out).put_all(&results);
        views.output(&mean).put_all(&means);
        views.output(&deviation).put_all(&deviations);
    })
}

/// Returns the sums of the elements of two tensors.
fn add(views: &Views<'_>, one: &Input, other: &Input) -> Vec<f32> {
    let mut elements = views.input(one).all::<f32>();
    let other = views.input(other);
    // SAFETY: nothing is written before the numbers are added.
    add_row(&mut elements, &unsafe { other.numbers() }, 1.0);
    elements
}

/// `aclnnAddRmsNorm(x1, x2, gamma, epsilon, yOut, rstdOut, xOut)`: the sum is normalized before it is rounded.
fn add_rms_norm(call: &Call) -> Result<Plan, Refusal> {
    let Added {
        terms: [one, other],
        gamma,
        size,
        out,
        sum,
        of_statistics,
    } = added(call)?;
    let factor = call.output("rstdOut").of(ROOTS).shaped(&of_statistics)?;
    let epsilon = call.floating("epsilon")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = add(views, &one, &other);
        // The sum may be stored in the memory of the weights.
        let weight = views.input(&gamma).all::<f32>();
        views.output(&sum).put_all(&elements);
        let mut factors = Vec::new();
        let results = rows_of(&elements, size, &mut |line| {
            let mut of_rows = [0.0; ROWS];
            normal::roots(line, epsilon, &weight, &mut of_rows);
            let [factor, ..] = of_rows;
            factors.push(factor);
        });
        views.output(&out).put_all(&results);
        views.output(&factor).put_all(&factors);
    })
}

/// Returns the output of the factors as a tensor of this shape. A card only wants each dimension to be 1 or that of `x`,
/// and writes a number for each row, one behind the other. So programs leave out the dimensions of 1 at the end.
pub(super) fn of_rows(factor: Output, shape: &[usize]) -> Result<Output, Refusal> {
    let given = factor.shape();
    let (kept, rest) = shape.split_at_checked(given.len()).unwrap_or((shape, &[]));
    if given == kept && rest.iter().all(|size| *size == 1) {
        return Ok(factor);
    }
    factor.shaped(shape)
}

/// `aclnnRmsNorm(x, gamma, epsilon, yOut, rstdOut)`
fn rms_norm(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let gamma = call.input("gamma").of(SINGLE)?;
    let out = call.output("yOut").of(SINGLE)?;
    let factor = call.output("rstdOut").of(ROOTS)?;
    let size = trailing("gamma", gamma.shape(), &input)?;
    let out = out.shaped(input.shape())?;
    let factor = of_rows(factor, &reduced_last(input.shape(), gamma.shape().len()))?;
    let epsilon = call.floating("epsilon")?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let outer = input.shape().len() - gamma.shape().len();
    let is_short = is_half(input.dtype()) && is_half(out.dtype());
    call.plan(move |views| {
        let weight = views.input(&gamma).all::<f32>();
        let factors = Numbers::new(input.elements() / size.max(1));
        let is_row = |index| index >= outer;
        let set = |rows: Range<usize>, of_rows: [f64; ROWS]| {
            rows.zip(of_rows)
                .for_each(|(index, factor)| factors.set(index, factor));
        };
        if is_short {
            each_row::<f32>(views, (&input, &out), &is_row, &|first, group, _| {
                let mut of_rows = [0.0; ROWS];
                roots(group, epsilon, &weight, &mut of_rows);
                set(first..first + group.rows().count(), of_rows);
            });
        } else {
            each_line(views, (&input, &out), &is_row, false, &|first, lines| {
                let mut of_rows = [0.0; ROWS];
                normal::roots(lines, epsilon, &weight, &mut of_rows);
                set(first..first + lines.len(), of_rows);
            });
        }
        views.output(&factor).put_all(&factors.into_vec());
    })
}

/// `aclnnGroupNorm(self, gamma, beta, N, C, HxW, group, eps, out, meanOut, rstdOut)`
fn group_norm(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE).ranked(2..=8)?;
    let (gamma, beta) = (call.optional_input("gamma")?, call.optional_input("beta")?);
    let out = call.output("out").like(&input)?;
    let (mean, deviation) = (
        call.output("meanOut").like(&input)?,
        call.output("rstdOut").like(&input)?,
    );
    let count = |name| call.whole(name).and_then(|value| count(name, value));
    let (batches, channels, area) = (count("N")?, count("C")?, count("HxW")?);
    let groups = count("group")?;
    let shape = input.shape();
    let given = [at(shape, 0), at(shape, 1), shape.iter().skip(2).product()];
    if given != [batches, channels, area] {
        return Err(Refusal::invalid(format_args!(
            "N, C and HxW are {batches}, {channels} and {area}; self {shape:?} has {given:?}"
        )));
    }
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Refusal::invalid(format_args!(
            "{channels} channels cannot be in {groups} groups"
        )));
    }
    let epsilon = call.floating("eps")?;
    if epsilon <= 0.0 {
        return Err(Refusal::invalid(format_args!(
            "eps is {epsilon}; it is positive"
        )));
    }
    for one in [gamma, beta].into_iter().flatten() {
        let _ = one.of(SINGLE).shaped(&[channels])?;
    }
    let out = out.shaped(shape)?;
    let (mean, deviation) = (
        mean.shaped(&[batches, groups])?,
        deviation.shaped(&[batches, groups])?,
    );
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (weight, bias) = (read(views, &gamma), read(views, &beta));
        let (mut means, mut deviations) = (Vec::new(), Vec::new());
        {
            let view = views.input(&input);
            // SAFETY: the kernel writes the output below, after the last use of these elements.
            let elements = unsafe { view.numbers() };
            for row in elements.chunks((channels / groups * area).max(1)) {
                let (found, variance) = figures(row);
                means.push(found);
                deviations.push(1.0 / (variance + epsilon).sqrt());
            }
        }
        each_channel(views, (&input, &out), &|index| {
            let (group, channel) = (index / (channels / groups), index % channels);
            let factor = at(&deviations, group) * of_channel(&weight, channel, 1.0);
            [at(&means, group), factor, of_channel(&bias, channel, 0.0)]
        });
        views.output(&mean).put_all(&means);
        views.output(&deviation).put_all(&deviations);
    })
}

/// Returns the mean and the variance of numbers.
fn figures(row: &[f32]) -> (f64, f64) {
    // CAST: a number of elements, which is exact.
    let count = row.len() as f64;
    let mean = total(row) / count;
    (mean, squares(row, mean) / count)
}

/// Returns the number of a channel.
fn of_channel(numbers: &Option<Vec<f64>>, channel: usize, or: f64) -> f64 {
    numbers.as_ref().map_or(or, |numbers| at(numbers, channel))
}

/// Shifts the numbers of each channel of each batch: `numbers` returns what is subtracted, the factor, and what is added. The
/// channels are the second dimension.
fn each_channel(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    numbers: &(dyn Fn(usize) -> [f64; 3] + Sync),
) {
    if Split::new(input.shape(), 1).inner == 1 {
        // Rows of one element would take longer than their elements.
        let mut elements = views.input(input).all::<f64>();
        for (index, one) in elements.iter_mut().enumerate() {
            let [less, factor, more] = numbers(index);
            *one = (*one - less) * factor + more;
        }
        return views.output(out).put_all(&elements);
    }
    each_line(
        views,
        (input, out),
        &|dim| dim > 1,
        false,
        &|first, lines| {
            for (index, line) in (first..).zip(lines) {
                shifted(line, numbers(index));
            }
        },
    );
}

/// `aclnnBatchNorm(input, weight, bias, runningMean, runningVar, training, momentum, eps, output, saveMean,
/// saveInvstd)`: `saveInvstd` is the variance (Atlas A2). Both are written in training only.
fn batch_norm(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE).ranked(2..=8)?;
    let (weight, bias) = (call.optional_input("weight")?, call.optional_input("bias")?);
    let running = [
        call.optional_input("runningMean")?,
        call.optional_input("runningVar")?,
    ];
    let updated = [
        call.optional_output("runningMean")?,
        call.optional_output("runningVar")?,
    ];
    let out = call.output("output").of(SINGLE)?;
    let saved = [
        call.output("saveMean").of(SINGLE)?,
        call.output("saveInvstd").of(SINGLE)?,
    ];
    let split = Split::new(input.shape(), 1);
    for one in [weight, bias].into_iter().chain(running).flatten() {
        let _ = one.of(SINGLE).shaped(&[split.size])?;
    }
    let out = out.shaped(input.shape())?;
    let is_training = call.flag("training")?;
    if is_training {
        for one in saved {
            let _ = one.shaped(&[split.size])?;
        }
    }
    let (momentum, epsilon) = (call.floating("momentum")?, call.floating("eps")?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (weight, bias) = (read(views, &weight), read(views, &bias));
        let [means, variances] = &running;
        let (mut means, mut variances) = (read(views, means), read(views, variances));
        let mut statistics = [Vec::new(), Vec::new()];
        let view = views.input(&input);
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let elements = is_training.then(|| unsafe { view.numbers::<f32>() });
        for channel in 0..split.size {
            let (mean, variance) = if let Some(elements) = &elements {
                let mut values = Vec::with_capacity(split.outer * split.inner);
                let lines = elements.chunks(split.inner.max(1));
                for line in lines.skip(channel).step_by(split.size) {
                    values.extend_from_slice(line);
                }
                let (mean, variance) = figures(&values);
                update(&mut means, channel, momentum, mean);
                // CAST: a number of elements, which is exact.
                let count = values.len() as f64;
                update(
                    &mut variances,
                    channel,
                    momentum,
                    variance * count / (count - 1.0).max(1.0),
                );
                (mean, variance)
            } else {
                let mean = of_channel(&means, channel, 0.0);
                (mean, of_channel(&variances, channel, 1.0))
            };
            statistics[0].push(mean);
            statistics[1].push(variance);
        }
        drop(elements);
        each_channel(views, (&input, &out), &|index| {
            let channel = index % split.size;
            let deviation = (at(&statistics[1], channel) + epsilon).sqrt();
            let factor = of_channel(&weight, channel, 1.0) / deviation;
            [
                at(&statistics[0], channel),
                factor,
                of_channel(&bias, channel, 0.0),
            ]
        });
        if is_training {
            for (out, numbers) in saved.iter().zip(&statistics) {
                views.output(out).put_all(numbers);
            }
            for (out, numbers) in updated.iter().zip([&means, &variances]) {
                if let (Some(out), Some(numbers)) = (out, numbers) {
                    views.output(out).put_all(numbers);
                }
            }
        }
    })
}

/// Moves a running statistic towards a new one.
fn update(running: &mut Option<Vec<f64>>, channel: usize, momentum: f64, value: f64) {
    if let Some(one) = running
        .as_mut()
        .and_then(|running| running.get_mut(channel))
    {
        *one = *one * (1.0 - momentum) + value * momentum;
    }
}
