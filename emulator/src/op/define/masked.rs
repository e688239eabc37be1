//! Gradients by an operand, its weights and its bias, of which a mask chooses the wanted ones.

use super::backward::{Slopes, figures, fill, normalised, row_gradients, weigh};
use super::computed::{Computed, Numbers};
use super::convolution::{check_format, slide};
use super::definitions;
use super::slide::Slide;
use crate::op::call::{Call, Output};
use crate::op::dtype::SINGLE;
use crate::op::number::Number;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count};
use crate::op::sums::line_sums;
use crate::op::view::Views;
use crate::wide::wide;

definitions! {
    aclnnConvolutionBackward = convolution;
    aclnnLayerNormBackward = layer_norm;
    aclnnGroupNormBackward = group_norm;
    aclnnBatchNormBackward = batch_norm;
}

/// Returns the outputs that the mask wants, each with its shape. The mask has a truth value for each of them.
fn outputs(
    call: &Call,
    names: [&'static str; 3],
    shapes: [&[usize]; 3],
) -> Result<[Option<Output>; 3], Refusal> {
    let mask = call.bools("outputMask")?;
    if mask.len() != 3 {
        return Err(Refusal::invalid(format_args!(
            "outputMask has {} values; it has one for each of 3 outputs",
            mask.len()
        )));
    }
    let mut outs = [None; 3];
    for ((out, is_wanted), (name, shape)) in outs.iter_mut().zip(mask).zip(names.iter().zip(shapes))
    {
        if *is_wanted {
            let given = call
                .optional_output(name)?
                .ok_or_else(|| Refusal::null(name))?;
            *out = Some(given.of(SINGLE).shaped(shape)?);
        }
    }
    Ok(outs)
}

/// Writes the numbers of the wanted outputs.
fn put_wanted<N: Number>(
    views: &Views<'_>,
    [first, others @ ..]: &[Option<Output>; 3],
    elements: &[f32],
    numbers: [&[N]; 2],
) {
    if let Some(first) = first {
        views.output(first).put_all(elements);
    }
    for (out, numbers) in others.iter().zip(numbers) {
        if let Some(out) = out {
            views.output(out).put_all(numbers);
        }
    }
}

/// `aclnnConvolutionBackward(gradOutput, input, weight, biasSizes, stride, padding, dilation, transposed, outputPadding, groups,
/// outputMask, cubeMathType, gradInput, gradWeight, gradBias)`
fn convolution(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE)?;
    let input = call.input("input").like(&gradient)?;
    let weight = call.input("weight").like(&gradient)?;
    check_format(gradient.name, &gradient.tensor)?;
    let (window, shape) = slide(call, &input, &weight, false)?;
    let gradient = gradient.shaped(&shape)?;
    let channels = at(&shape, 1);
    let shapes = [input.shape(), weight.shape(), &[channels]];
    let outs = outputs(call, ["gradInput", "gradWeight", "gradBias"], shapes)?;
    let sizes = call.ints("biasSizes")?;
    if outs[2].is_some() && count("biasSizes", sizes.first().copied().unwrap_or(0))? != channels {
        return Err(Refusal::invalid(format_args!(
            "biasSizes {sizes:?} is not [{channels}], the channels of the result"
        )));
    }
    call.plan(move |views| {
        let views_of = [&gradient, &input, &weight].map(|one| views.input(one));
        let [gradients, images, filters] = &views_of;
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let gradients = unsafe { gradients.numbers() };
        // SAFETY: as above.
        let images = unsafe { images.numbers() };
        // SAFETY: as above.
        let filters = unsafe { filters.numbers() };
        let [given, results] = window.channels;
        let back = Slide {
            channels: [results, given],
            is_transposed: !window.is_transposed,
            ..window
        };
        let wanted = |index: usize| outs.get(index).is_some_and(Option::is_some);
        let by_input = if wanted(0) {
            back.run(&gradients, &filters, input.elements())
        } else {
            Vec::new()
        };
        let by_filters = if wanted(1) {
            window.by_filters(&images, &gradients, weight.elements())
        } else {
            Vec::new()
        };
        let mut sums = vec![0.0; channels];
        let area = gradients
            .len()
            .checked_div(at(&shape, 0) * channels)
            .unwrap_or(0);
        for (index, plane) in gradients.chunks(area.max(1)).enumerate() {
            if let Some(sum) = sums.get_mut(index % channels.max(1)) {
                *sum += plane.iter().sum::<f32>();
            }
        }
        put_wanted(views, &outs, &by_input, [&by_filters, &sums]);
    })
}

/// `aclnnLayerNormBackward(gradOut, input, normalizedShape, mean, rstd, weightOptional, biasOptional, outputMask,
/// gradInputOut, gradWeightOut, gradBiasOut)`: the mask has a truth value for each output.
fn layer_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOut").of(SINGLE)?;
    let input = call.input("input").of(SINGLE).shaped(gradient.shape())?;
    let mut shape = Vec::new();
    for size in call.ints("normalizedShape")? {
        shape.push(count("normalizedShape", *size)?);
    }
    let columns = normalised(&input, "normalizedShape", &shape)?;
    let rows = input.elements().checked_div(columns).unwrap_or(0);
    let mean = figures(call.input("mean").of(SINGLE)?, rows)?;
    let r = figures(call.input("rstd").of(SINGLE)?, rows)?;
    let weight = call.optional_input("weightOptional")?;
    for one in [weight, call.optional_input("biasOptional")?]
        .into_iter()
        .flatten()
    {
        let _ = one.of(SINGLE).shaped(&shape)?;
    }
    let shapes = [input.shape(), &shape, &shape];
    let outs = outputs(
        call,
        ["gradInputOut", "gradWeightOut", "gradBiasOut"],
        shapes,
    )?;
    if columns == 0 {
        return Ok(call.nothing());
    }
    let inputs = [Some(gradient), Some(input), Some(mean), Some(r), weight];
    let mut computed = Computed::new(&inputs, &outs, layered);
    computed.sizes[0] = columns;
    computed.is_filled = true;
    computed.plan(call)
}

fn layered(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
    let [columns, ..] = computed.sizes;
    let [gradients, elements, means, factors, weights, ..] = numbers.inputs;
    let [results, of_weight, of_bias, ..] = numbers.outs;
    let mut slopes = Slopes::new(columns);
    let rows = elements.chunks(columns).zip(gradients.chunks(columns));
    for (index, (row, (mean, r))) in rows.zip(means.iter().zip(factors)).enumerate() {
        let r = f64::from(*r);
        fill(&mut slopes, row.into(), [f64::from(*mean), r]);
        weigh(&mut slopes, weights);
        let results = results.get_mut(index * columns..(index + 1) * columns);
        row_gradients(&slopes, r, true, results.unwrap_or_default());
    }
    let [of_weights, of_biases] = slopes.sums();
    computed.store(1, of_weight, of_weights);
    computed.store(2, of_bias, of_biases);
}

wide! {
    /// Returns the sum of the gradients of a line, and that of their products with the normalised numbers.
    fn slope_sums(row: &[f32], gradients: &[f32], mean: f64, r: f64) -> [f64; 2] {
        // CAST: rounded. What that adds to each number is taken away from the sum of products.
        let near = mean as f32;
        let [sum, products] = line_sums(gradients, row, near);
        [sum, (products + sum * (f64::from(near) - mean)) * r]
    }

    /// Stores the gradients of a line: those of its results times a weight, less a mean and the part along the normalised numbers.
    fn line_slopes(results: &mut [f32], row: &[f32], gradients: &[f32], numbers: [f64; 5]) {
        let [mean, r, weight, less, along] = numbers;
        // CAST: rounded. The last number has what the rounding of the mean adds.
        let (near, weight) = (mean as f32, (r * weight) as f32);
        let offset = ((f64::from(near) - mean) * r) as f32;
        // CAST: as above. The square of `r` may have no number of single precision.
        let (single, less, along) = (r as f32, (r * less) as f32, (r * along) as f32);
        let pairs = row.iter().zip(gradients);
        for (result, (one, gradient)) in results.iter_mut().zip(pairs) {
            let normal = (one - near).mul_add(single, offset);
            *result = (-normal).mul_add(along, gradient.mul_add(weight, -less));
        }
    }
}

/// `aclnnGroupNormBackward(gradOut, input, mean, rstd, gamma, N, C, HxW, group, outputMask, gradInput, gradGammaOut, gradBetaOut)`
fn group_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOut").of(SINGLE)?;
    let input = call.input("input").like(&gradient)?;
    let count = |name| call.whole(name).and_then(|value| count(name, value));
    let (batches, channels, area) = (count("N")?, count("C")?, count("HxW")?);
    let groups = count("group")?;
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Refusal::invalid(format_args!(
            "{channels} channels cannot be in {groups} groups"
        )));
    }
    let all = [channels, area]
        .iter()
        .try_fold(batches, |all, one| all.checked_mul(*one));
    for one in [&gradient, &input] {
        if Some(one.elements()) != all {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} has not the elements of N {batches}, C {channels} and HxW {area}",
                one.name,
                one.shape()
            )));
        }
    }
    let mean = figures(call.input("mean").like(&gradient)?, batches * groups)?;
    let r = figures(call.input("rstd").like(&gradient)?, batches * groups)?;
    let gamma = call.optional_input("gamma")?;
    if let Some(gamma) = gamma {
        let _ = gamma.like(&gradient).shaped(&[channels])?;
    }
    let shapes = [input.shape(), &[channels], &[channels]];
    let outs = outputs(call, ["gradInput", "gradGammaOut", "gradBetaOut"], shapes)?;
    let inputs = [Some(gradient), Some(input), Some(mean), Some(r), gamma];
    let mut computed = Computed::new(&inputs, &outs, grouped);
    computed.sizes = [channels, groups, area, 0, 0, 0];
    computed.is_filled = true;
    computed.plan(call)
}

fn grouped(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
    let [channels, groups, area, ..] = computed.sizes;
    let [gradients, elements, means, factors, gamma, ..] = numbers.inputs;
    let [results, to_gamma, to_beta, ..] = numbers.outs;
    let weight = |channel: usize| gamma.get(channel).copied().map_or(1.0, f64::from);
    let (mut of_gamma, mut of_beta) = (vec![0.0; channels], vec![0.0; channels]);
    let (of_group, area) = (channels / groups, area.max(1));
    let columns = (of_group * area).max(1);
    let rows = elements.chunks(columns).zip(gradients.chunks(columns));
    let rows = rows.zip(means.iter().zip(factors));
    for (index, ((row, gradients), (mean, r))) in rows.enumerate() {
        let (mean, r) = (f64::from(*mean), f64::from(*r));
        let channel = |line| index % groups * of_group + line;
        // CAST: a number of elements, which is exact.
        let (count, [mut less, mut along]) = (columns as f64, [0.0; 2]);
        let lines = row.chunks(area).zip(gradients.chunks(area));
        for (line, (row, gradients)) in lines.clone().enumerate() {
            let [sum, products] = slope_sums(row, gradients, mean, r);
            let weight = weight(channel(line)) / count;
            (less, along) = (less + sum * weight, along + products * weight);
            let sums = of_beta
                .get_mut(channel(line))
                .zip(of_gamma.get_mut(channel(line)));
            if let Some((of_beta, of_gamma)) = sums {
                *of_beta += sum;
                *of_gamma += products;
            }
        }
        let results = results.get_mut(index * columns..(index + 1) * columns);
        let results = results.unwrap_or_default().chunks_mut(area);
        for (line, (results, (row, gradients))) in results.zip(lines).enumerate() {
            let numbers = [mean, r, weight(channel(line)), less, along];
            line_slopes(results, row, gradients, numbers);
        }
    }
    computed.store(1, to_gamma, &of_gamma);
    computed.store(2, to_beta, &of_beta);
}

/// `aclnnBatchNormBackward(gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training, eps, outputMask,
/// gradInput, gradWeight, gradBias)`: `saveInvstd` is the variance (Atlas A2).
fn batch_norm(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOut").of(SINGLE).ranked(2..=8)?;
    let input = call
        .input("input")
        .like(&gradient)
        .shaped(gradient.shape())?;
    let split = Split::new(input.shape(), 1);
    let is_training = call.flag("training")?;
    let weight = call.optional_input("weight")?;
    let running = ["runningMean", "runningVar"].map(|name| call.optional_input(name));
    let saved = ["saveMean", "saveInvstd"].map(|name| call.optional_input(name));
    let mut figures = [None; 2];
    for (figure, one) in figures
        .iter_mut()
        .zip(if is_training { saved } else { running })
    {
        *figure = one?;
    }
    for one in figures.into_iter().chain([weight]).flatten() {
        let _ = one.of(SINGLE).shaped(&[split.size])?;
    }
    let epsilon = call.floating("eps")?;
    let shapes = [input.shape(), &[split.size], &[split.size]];
    let outs = outputs(call, ["gradInput", "gradWeight", "gradBias"], shapes)?;
    let inputs = [Some(gradient), Some(input), weight, figures[0], figures[1]];
    let mut computed = Computed::new(&inputs, &outs, by_channel);
    computed.sizes = [
        split.size,
        split.inner,
        split.outer,
        usize::from(is_training),
        0,
        0,
    ];
    computed.numbers[0] = epsilon;
    computed.is_filled = true;
    computed.plan(call)
}

fn by_channel(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
    let [channels, inner, outer, is_training, ..] = computed.sizes;
    let [gradients, elements, weights, means, variances, ..] = numbers.inputs;
    let [results, to_weight, to_bias, ..] = numbers.outs;
    let figure = |of: &[f32], channel: usize, or| of.get(channel).copied().map_or(or, f64::from);
    let (mut of_weight, mut of_bias) = (Vec::new(), Vec::new());
    let inner = inner.max(1);
    // CAST: a number of elements, which is exact.
    let count = (outer * inner) as f64;
    for channel in 0..channels {
        let mean = figure(means, channel, 0.0);
        let variance = figure(variances, channel, 1.0);
        let r = (variance + computed.numbers[0]).sqrt().recip();
        let lines = elements.chunks(inner).zip(gradients.chunks(inner));
        let lines = lines.skip(channel).step_by(channels);
        let (mut sum, mut products) = (0.0, 0.0);
        for (row, gradients) in lines.clone() {
            let [of_line, with_line] = slope_sums(row, gradients, mean, r);
            (sum, products) = (sum + of_line, products + with_line);
        }
        of_weight.push(products);
        of_bias.push(sum);
        let weight = figure(weights, channel, 1.0);
        let [less, along] = match is_training {
            0 => [0.0; 2],
            _ => [sum, products].map(|one| one * weight / count),
        };
        let results = results.chunks_mut(inner).skip(channel).step_by(channels);
        for (results, (row, gradients)) in results.zip(lines) {
            if is_training == 0 {
                // The operand does not count, also where it is infinite.
                for (result, gradient) in results.iter_mut().zip(gradients) {
                    // CAST: rounded once.
                    *result = (f64::from(*gradient) * (weight * r)) as f32;
                }
                continue;
            }
            line_slopes(results, row, gradients, [mean, r, weight, less, along]);
        }
    }
    computed.store(1, to_weight, &of_weight);
    computed.store(2, to_bias, &of_bias);
}

#[cfg(test)]
mod tests {
    use super::{line_slopes, slope_sums};

    #[test]
    fn gradients_of_a_line_keep_the_range_of_their_numbers() {
        for scale in [1e23_f32, 1e20, 1.0, 1e-20] {
            let row = [-2.0, -1.0, 1.0, 2.0].map(|one: f32| one * scale);
            let gradients = [1.0_f32, 2.0, -1.0, 3.0];
            let r = (2.5_f64 * f64::from(scale) * f64::from(scale))
                .sqrt()
                .recip();
            let [sum, products] = slope_sums(&row, &gradients, 0.0, r);
            let (less, along) = (sum / 4.0, products / 4.0);
            let mut results = [0.0; 4];
            line_slopes(&mut results, &row, &gradients, [0.0, r, 1.0, less, along]);
            for ((result, one), gradient) in results.iter().zip(&row).zip(&gradients) {
                let normal = f64::from(*one) * r;
                let expected = r * (f64::from(*gradient) - less - normal * along);
                let difference = (f64::from(*result) - expected).abs();
                assert!(difference <= 1e-6 * r, "{scale:e}: {result:e} {expected:e}");
            }
        }
    }
}
