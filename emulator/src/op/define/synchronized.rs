//! The norm of channels whose elements are on several cards: figures of each part, those of all parts, and the gradients.

use super::computed::{Computed, Numbers};
use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, put};
use crate::results::every;

definitions! {
    aclnnBatchNormStats = figures;
    aclnnBatchNormElemt = normalised;
    aclnnBatchNormElemtBackward = slopes;
    aclnnBatchNormReduceBackward = sums;
    aclnnBatchNormGatherStatsWithCounts = gathered;
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
fn part(numbers: &[f64], start: usize, inner: usize) -> &[f64] {
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

fn figured(computed: &Computed, numbers: &mut Numbers) {
    let [elements, ..] = &numbers.inputs;
    let [means, factors, ..] = &mut numbers.outs;
    // CAST: a number of elements, which is exact.
    let count = (elements.len() / means.len().max(1)) as f64;
    let inner = computed.sizes[1];
    for (start, channel) in lines(elements.len(), &computed.sizes) {
        let sum = part(elements, start, inner).iter().sum::<f64>();
        let before = at(means, channel);
        put(means, channel, before + sum / count);
    }
    for (start, channel) in lines(elements.len(), &computed.sizes) {
        let mean = at(means, channel);
        let squares = part(elements, start, inner)
            .iter()
            .map(|one| (one - mean).powi(2));
        let before = at(factors, channel);
        put(factors, channel, before + squares.sum::<f64>() / count);
    }
    for factor in factors {
        *factor = (*factor + computed.numbers[0]).sqrt().recip();
    }
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

fn normalise(computed: &Computed, numbers: &mut Numbers) {
    let [elements, weights, biases, means, factors, ..] = &numbers.inputs;
    let [results, ..] = &mut numbers.outs;
    let inner = computed.sizes[1];
    for (start, channel) in lines(elements.len(), &computed.sizes) {
        let (mean, bias) = (at(means, channel), at(biases, channel));
        let factor = at(factors, channel) * at(weights, channel);
        let results = results.iter_mut().skip(start);
        for (one, result) in part(elements, start, inner).iter().zip(results) {
            *result = (one - mean) * factor + bias;
        }
    }
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

fn summed(computed: &Computed, numbers: &mut Numbers) {
    let [elements, gradients, means, factors, ..] = &numbers.inputs;
    let mut sums = vec![[0.0; 2]; means.len()];
    let inner = computed.sizes[1];
    for (start, channel) in lines(elements.len(), &computed.sizes) {
        let mean = at(means, channel);
        if let Some([sum, products]) = sums.get_mut(channel) {
            let gradients = part(gradients, start, inner);
            for (one, gradient) in part(elements, start, inner).iter().zip(gradients) {
                *sum += gradient;
                *products += gradient * (one - mean);
            }
        }
    }
    let [of_sum, of_products, of_weight, of_bias] = &mut numbers.outs;
    for (channel, [sum, products]) in sums.into_iter().enumerate() {
        for (to, result) in [
            (&mut *of_sum, sum),
            (&mut *of_products, products),
            (&mut *of_weight, products * at(factors, channel)),
            (&mut *of_bias, sum),
        ] {
            if let Some(to) = to.get_mut(channel) {
                *to = result;
            }
        }
    }
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

fn sloped(computed: &Computed, numbers: &mut Numbers) {
    let [
        elements,
        gradients,
        means,
        factors,
        weights,
        sums,
        products,
        counts,
    ] = &numbers.inputs;
    let [results, ..] = &mut numbers.outs;
    let count = counts.iter().sum::<f64>();
    let inner = computed.sizes[1];
    for (start, channel) in lines(elements.len(), &computed.sizes) {
        let (mean, factor) = (at(means, channel), at(factors, channel));
        let along = factor * factor * at(products, channel) / count;
        let (sum, weight) = (at(sums, channel) / count, factor * at(weights, channel));
        let results = results.iter_mut().skip(start);
        let pairs = part(elements, start, inner)
            .iter()
            .zip(part(gradients, start, inner));
        for ((one, gradient), result) in pairs.zip(results) {
            *result = (gradient - sum - (one - mean) * along) * weight;
        }
    }
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

fn gather(computed: &Computed, numbers: &mut Numbers) {
    let [channels, ..] = computed.sizes;
    let [momentum, epsilon, _] = computed.numbers;
    let [counts, means, factors, running_means, running_variances, ..] = &numbers.inputs;
    let [to_means, to_factors, to_running_means, to_running_variances] = &mut numbers.outs;
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
