//! The norm of channels whose elements are on several cards: figures of each part, those of all parts, and the gradients.

use super::computed::{Computed, Numbers};
use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::lines::CHUNK;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, put};
use crate::op::sums::sum;
use crate::results::every;
use crate::wide::wide;

definitions! {
    aclnnBatchNormStats = figures;
    aclnnBatchNormElemt = normalised;
    aclnnBatchNormElemtBackward = slopes;
    aclnnBatchNormReduceBackward = sums;
    aclnnBatchNormGatherStatsWithCounts = gathered;
    aclnnSyncBatchNormGatherStats = gathered_sums;
}

/// Returns a tensor of channels, which are its second dimension, and how they lie.
fn channels(call: &Call) -> Result<(Input, [usize; 6]), Refusal> {
    let input = call.input("input").of(SINGLE).ranked(2..=8)?;
    let split = Split::new(input.shape(), 1);
    if split.size == 0 {
        return Err(Refusal::invalid("input has no channels"));
    }
    Ok((input, [split.size, split.inner.max(1), 0, 0, 0, 0]))
}

/// Returns numbers with one element for each channel.
fn of_channels(call: &Call, name: &str, sizes: [usize; 6]) -> Result<Option<Input>, Refusal> {
    let input = call.input(name).of(SINGLE).shaped(&[at(&sizes, 0)])?;
    Ok(Some(input))
}

/// Returns an output with one element for each channel.
fn out_of_channels(call: &Call, name: &str, sizes: [usize; 6]) -> Result<Option<Output>, Refusal> {
    let out = call.output(name).of(SINGLE).shaped(&[at(&sizes, 0)])?;
    Ok(Some(out))
}

/// Returns the first element of each line of one channel, and the channel.
fn lines(elements: usize, sizes: &[usize; 6]) -> impl Iterator<Item = (usize, usize)> + use<> {
    let [channels, inner, ..] = *sizes;
    let starts = (0..elements).step_by(inner).enumerate();
    starts.map(move |(line, start)| (start, line % channels))
}

/// Returns numbers from one place on, at most `inner`.
fn part(numbers: &[f32], start: usize, inner: usize) -> &[f32] {
    numbers.get(start..start + inner).unwrap_or_default()
}

/// `aclnnBatchNormStats(input, eps, mean, invstd)`
fn figures(call: &Call) -> Result<Plan, Refusal> {
    let (input, sizes) = channels(call)?;
    let outs = every(
        ["mean", "invstd"]
            .map(|name| out_of_channels(call, name, sizes))
            .into_iter(),
    )?;
    let mut computed = Computed::new(&[Some(input)], &outs, figured);
    computed.sizes = sizes;
    computed.numbers = [call.floating("eps")?, 0.0, 0.0];
    computed.plan(call)
}

wide! {
    fn figured(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [elements, ..] = numbers.inputs;
        let [to_means, to_factors, ..] = numbers.outs;
        let inner = computed.sizes[1];
        // CAST: a number of elements, which is exact.
        let count = (elements.len() / to_means.len().max(1)) as f64;
        let mut means = vec![0.0; to_means.len()];
        for (start, channel) in lines(elements.len(), &computed.sizes) {
            let sum = summed_up(part(elements, start, inner), |one| one);
            let before = at(&means, channel);
            put(&mut means, channel, before + sum / count);
        }
        let mut variances = vec![0.0; to_means.len()];
        for (start, channel) in lines(elements.len(), &computed.sizes) {
            let mean = at(&means, channel);
            let squares = summed_up(part(elements, start, inner), |one| (one - mean) * (one - mean));
            let before = at(&variances, channel);
            put(&mut variances, channel, before + squares / count);
        }
        for (to, mean) in to_means.iter_mut().zip(means) {
            // CAST: rounded once.
            *to = mean as f32;
        }
        for (to, variance) in to_factors.iter_mut().zip(variances) {
            // CAST: rounded once.
            *to = (variance + computed.numbers[0]).sqrt().recip() as f32;
        }
    }

    fn normalise(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [elements, weights, biases, means, factors, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let inner = computed.sizes[1];
        let lines = lines(elements.len(), &computed.sizes).zip(results.chunks_mut(inner));
        for ((start, channel), results) in lines {
            let of = |numbers: &[f32]| f64::from(at(numbers, channel));
            let (mean, bias, factor) = (of(means), of(biases), of(factors) * of(weights));
            for (one, result) in part(elements, start, inner).iter().zip(results) {
                // CAST: rounded once.
                *result = (f64::from(*one) - mean).mul_add(factor, bias) as f32;
            }
        }
    }

    fn summed(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [elements, gradients, means, factors, ..] = numbers.inputs;
        let mut sums = vec![[0.0; 2]; means.len()];
        let inner = computed.sizes[1];
        for (start, channel) in lines(elements.len(), &computed.sizes) {
            let mean = f64::from(at(means, channel));
            if let Some([sum, products]) = sums.get_mut(channel) {
                let gradients = part(gradients, start, inner);
                for (one, gradient) in part(elements, start, inner).iter().zip(gradients) {
                    let gradient = f64::from(*gradient);
                    *sum += gradient;
                    *products += gradient * (f64::from(*one) - mean);
                }
            }
        }
        let [of_sum, of_products, of_weight, of_bias, ..] = numbers.outs;
        for (channel, [sum, products]) in sums.into_iter().enumerate() {
            // CAST: each is rounded once.
            put(of_sum, channel, sum as f32);
            put(of_products, channel, products as f32);
            put(of_weight, channel, (products * f64::from(at(factors, channel))) as f32);
            put(of_bias, channel, sum as f32);
        }
    }

    fn sloped(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [elements, gradients, means, factors, weights, sums, products, counts] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let count = counts.iter().copied().map(f64::from).sum::<f64>();
        let inner = computed.sizes[1];
        let lines = lines(elements.len(), &computed.sizes).zip(results.chunks_mut(inner));
        for ((start, channel), results) in lines {
            let of = |numbers: &[f32]| f64::from(at(numbers, channel));
            let (mean, factor) = (of(means), of(factors));
            let along = factor * factor * of(products) / count;
            let (sum, weight) = (of(sums) / count, factor * of(weights));
            let pairs = part(elements, start, inner).iter().zip(part(gradients, start, inner));
            for ((one, gradient), result) in pairs.zip(results) {
                let slope = f64::from(*gradient) - sum - (f64::from(*one) - mean) * along;
                // CAST: rounded once.
                *result = (slope * weight) as f32;
            }
        }
    }
}

/// Returns the sum of a function of all numbers. Short rows are added one by one, which takes fewer steps.
#[inline(always)]
fn summed_up(row: &[f32], function: impl Fn(f64) -> f64) -> f64 {
    let function = |one: f32| function(f64::from(one));
    if row.len() < CHUNK {
        return row.iter().copied().map(function).sum();
    }
    sum(row, || (), function)
}

/// `aclnnBatchNormElemt(input, weight, bias, mean, invstd, eps, output)`
fn normalised(call: &Call) -> Result<Plan, Refusal> {
    let (input, sizes) = channels(call)?;
    let _ = call.floating("eps")?;
    let mut inputs = vec![Some(input)];
    for name in ["weight", "bias", "mean", "invstd"] {
        inputs.push(of_channels(call, name, sizes)?);
    }
    let out = call.output("output").like(&input)?.shaped(input.shape())?;
    let mut computed = Computed::new(&inputs, &[Some(out)], normalise);
    computed.sizes = sizes;
    computed.plan(call)
}

/// Returns the gradient of a result, which has the shape of the input.
fn gradient(call: &Call, input: &Input) -> Result<Option<Input>, Refusal> {
    Ok(Some(
        call.input("gradOut").like(input)?.shaped(input.shape())?,
    ))
}

/// `aclnnBatchNormReduceBackward(gradOut, input, mean, invstd, weight, inputG, weightG, biasG, sumDy, sumDyXmu, gradWeight,
/// gradBias)`: an output whose flag is false may be NULL.
fn sums(call: &Call) -> Result<Plan, Refusal> {
    let (input, sizes) = channels(call)?;
    let mut inputs = vec![Some(input), gradient(call, &input)?];
    for name in ["mean", "invstd", "weight"] {
        inputs.push(of_channels(call, name, sizes)?);
    }
    let wanted = [
        ("inputG", "sumDy"),
        ("inputG", "sumDyXmu"),
        ("weightG", "gradWeight"),
        ("biasG", "gradBias"),
    ];
    let outs = every(wanted.into_iter().map(|(flag, name)| {
        if call.flag(flag)? {
            let out = call
                .optional_output(name)?
                .ok_or_else(|| Refusal::null(name))?;
            return out.of(SINGLE).shaped(&[at(&sizes, 0)]).map(Some);
        }
        Ok(None)
    }))?;
    let mut computed = Computed::new(&inputs, &outs, summed);
    computed.sizes = sizes;
    computed.plan(call)
}

/// `aclnnBatchNormElemtBackward(gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter, gradInput)`: `counter` has the
/// number of elements of a channel on each card.
fn slopes(call: &Call) -> Result<Plan, Refusal> {
    let (input, sizes) = channels(call)?;
    let mut inputs = vec![Some(input), gradient(call, &input)?];
    for name in ["mean", "invstd", "weight", "sumDy", "sumDyXmu"] {
        inputs.push(of_channels(call, name, sizes)?);
    }
    inputs.push(Some(call.input("counter").of(types!(f32 f16 bf16 s32))?));
    let out = call
        .output("gradInput")
        .like(&input)?
        .shaped(input.shape())?;
    let mut computed = Computed::new(&inputs, &[Some(out)], sloped);
    computed.sizes = sizes;
    computed.plan(call)
}

/// `aclnnBatchNormGatherStatsWithCounts(input, mean, invstd, runningMean, runningVar, momentum, eps, counts, meanAll, invstdAll)`
fn gathered(call: &Call) -> Result<Plan, Refusal> {
    let (_, sizes) = channels(call)?;
    let counts = call.input("counts").of(SINGLE).ranked(1..=1)?;
    let shape = [counts.elements(), at(&sizes, 0)];
    let part = |name| call.input(name).of(SINGLE).shaped(&shape);
    let mut inputs = vec![Some(counts), Some(part("mean")?), Some(part("invstd")?)];
    let mut outs = Vec::new();
    for name in ["meanAll", "invstdAll"] {
        outs.push(out_of_channels(call, name, sizes)?);
    }
    for name in ["runningMean", "runningVar"] {
        inputs.push(of_channels(call, name, sizes)?);
        outs.push(out_of_channels(call, name, sizes)?);
    }
    let mut computed = Computed::new(&inputs, &outs, gather);
    computed.sizes = sizes;
    computed.numbers = [call.floating("momentum")?, call.floating("eps")?, 0.0];
    computed.plan(call)
}

fn gather(computed: &Computed, numbers: Numbers<'_>) {
    let [channels, ..] = computed.sizes;
    let [momentum, epsilon, _] = computed.numbers;
    let [counts, means, factors, running_means, running_variances, ..] = numbers.inputs;
    let [
        to_means,
        to_factors,
        to_running_means,
        to_running_variances,
        ..,
    ] = numbers.outs;
    let total = counts.iter().sum::<f64>();
    for channel in 0..channels {
        let parts = || {
            counts
                .iter()
                .enumerate()
                .map(|(part, count)| (part * channels + channel, count))
        };
        let mean = parts()
            .map(|(place, count)| at(means, place) * count)
            .sum::<f64>()
            / total;
        let squares = parts().map(|(place, count)| {
            let variance = at(factors, place).powi(-2) - epsilon;
            count * (variance + (at(means, place) - mean).powi(2))
        });
        let squares = squares.sum::<f64>();
        put(to_means, channel, mean);
        put(
            to_factors,
            channel,
            (squares / total + epsilon).sqrt().recip(),
        );
        let mixed =
            |before: &[f64], one: f64| at(before, channel) * (1.0 - momentum) + one * momentum;
        put(to_running_means, channel, mixed(running_means, mean));
        put(
            to_running_variances,
            channel,
            mixed(running_variances, squares / (total - 1.0)),
        );
    }
}

/// `aclnnSyncBatchNormGatherStats(totalSum, totalSquareSum, sampleCount, mean, variance, momentum, eps, batchMean, batchInvstd)`: each
/// card has a row of sums. The running variance is that of a sample.
fn gathered_sums(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("totalSum").of(SINGLE).ranked(2..=2)?;
    let squares = call.input("totalSquareSum").like(&input)?;
    let squares = squares.shaped(input.shape())?;
    let [cards, channels] = [0, 1].map(|dim| at(input.shape(), dim));
    let counts = call.input("sampleCount").of(types!(s32)).shaped(&[cards])?;
    let sizes = [channels, cards, 0, 0, 0, 0];
    let inputs = [
        Some(input),
        Some(squares),
        Some(counts),
        of_channels(call, "mean", sizes)?,
        of_channels(call, "variance", sizes)?,
    ];
    let outs = every(
        ["batchMean", "batchInvstd", "mean", "variance"]
            .map(|name| out_of_channels(call, name, sizes))
            .into_iter(),
    )?;
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers| {
        let [channels, cards, ..] = computed.sizes;
        let [momentum, epsilon, _] = computed.numbers;
        let [sums, squares, counts, means, variances, ..] = numbers.inputs;
        let [to_mean, to_factor, to_running, to_variance, ..] = numbers.outs;
        let count: f64 = counts.iter().sum();
        for channel in 0..channels {
            let total = |of: &[f64]| {
                (0..cards)
                    .map(|card| at(of, card * channels + channel))
                    .sum::<f64>()
            };
            let mean = total(sums) / count;
            let variance = total(squares) / count - mean * mean;
            put(to_mean, channel, mean);
            put(to_factor, channel, 1.0 / (variance + epsilon).sqrt());
            let next = |of: &[f64], one: f64| at(of, channel) * (1.0 - momentum) + one * momentum;
            put(to_running, channel, next(means, mean));
            put(
                to_variance,
                channel,
                next(variances, variance * count / (count - 1.0)),
            );
        }
    });
    computed.sizes = sizes;
    computed.numbers = [call.floating("momentum")?, call.floating("eps")?, 0.0];
    computed.plan(call)
}
