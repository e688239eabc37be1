//! Gradients of sums of segments, of repeated parts and of norms with a scale for each batch, and sums of channels.

use super::computed::{Computed, Numbers};
use super::convolution::along_first;
use super::definitions;
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, put};
use crate::results::every;

definitions! {
    aclnnExpSegsumBackward = segments;
    aclnnRepeatInterleaveGrad = repeated;
    aclnnConvTbcBackward = convolved;
    aclnnChamferDistanceBackward = distances;
    aclnnBatchNormReduce = channels;
    aclnnAdaLayerNormBackward = norms;
}

fn add(sums: &mut [f64], index: usize, value: f64) {
    let before = at(sums, index);
    put(sums, index, before + value);
}

/// `aclnnExpSegsumBackward(gradOutput, gradSelf, gradInput)`: `gradSelf` is the result of `aclnnExpSegsum`.
fn segments(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE).ranked(4..=5)?;
    let result = call.input("gradSelf").like(&gradient)?;
    let result = result.shaped(gradient.shape())?;
    let Some((width, outer)) = gradient.shape().split_last() else {
        return Ok(call.nothing());
    };
    if outer.last() != Some(width) {
        return Err(Refusal::invalid(format_args!(
            "gradOutput {:?} has no square matrices",
            gradient.shape()
        )));
    }
    let out = call.output("gradInput").like(&gradient)?.shaped(outer)?;
    let inputs = [Some(gradient), Some(result)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers: Numbers<'_>| {
        let width = computed.sizes[0].max(1);
        let [gradients, results, ..] = numbers.inputs;
        for (index, (gradient, result)) in gradients.iter().zip(results).enumerate() {
            let (row, first) = (index / width, index % width);
            let (matrix, last) = (row / width, row % width);
            // Each sum from behind `first` to `last` has these elements.
            for place in first + 1..=last {
                add(numbers.outs[0], matrix * width + place, gradient * result);
            }
        }
    });
    computed.sizes[0] = *width;
    computed.plan(call)
}

/// `aclnnRepeatInterleaveGrad(yGrad, repeats, axis, out)`: the sums of as many parts as each of them was repeated.
fn repeated(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("yGrad").of(SINGLE)?;
    let repeats = call.input("repeats").of(types!(s32 s64)).ranked(0..=1)?;
    let dim = dimension("axis", call.whole("axis")?, gradient.shape().len())?;
    let out = call.output("out").like(&gradient)?;
    let size = at(out.shape(), dim);
    let mut shape = gradient.shape().to_vec();
    put(&mut shape, dim, size);
    let out = out.shaped(&shape)?;
    if repeats.elements() != 1 && repeats.elements() != size {
        return Err(Refusal::invalid(format_args!(
            "repeats {:?} has not one number, or {size}",
            repeats.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let from = Split::new(gradient.shape(), dim);
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let counts = views.input(&repeats).all::<Whole>();
        let mut sums = vec![0.0; out.elements()];
        let mut start = 0;
        for part in 0..size {
            let count = counts.get(part).or(counts.first());
            let count = count.map_or(0, |count| usize::try_from(count.0).unwrap_or(0));
            for place in start..(start + count).min(from.size) {
                for outer in 0..from.outer {
                    for inner in 0..from.inner {
                        let one = at(&gradients, (outer * from.size + place) * from.inner + inner);
                        add(&mut sums, (outer * size + part) * from.inner + inner, one);
                    }
                }
            }
            start = start.saturating_add(count);
        }
        views.output(&out).put_all(&sums);
    })
}

/// `aclnnBatchNormReduce(x, sum, squareSum)`: of each channel, which is the second dimension.
fn channels(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE).ranked(4..=4)?;
    let count = at(input.shape(), 1);
    let result = |name: &str| call.output(name).of(types!(f32)).shaped(&[count]);
    let outs = [Some(result("sum")?), Some(result("squareSum")?)];
    let mut computed = Computed::new(&[Some(input)], &outs, |computed, numbers: Numbers<'_>| {
        let [count, area, ..] = computed.sizes;
        let [sums, squares, ..] = numbers.outs;
        for (index, one) in numbers.inputs[0].iter().enumerate() {
            add(sums, index / area % count, *one);
            add(squares, index / area % count, one * one);
        }
    });
    let area = input.shape().iter().skip(2).product::<usize>();
    computed.sizes = [count.max(1), area.max(1), 0, 0, 0, 0];
    computed.plan(call)
}

/// `aclnnAdaLayerNormBackward(gradOut, input, normalizedShape, rstd, mean, scale, shift, weightOptional, biasOptional,
/// gradInputOut, gradScaleOut, gradShiftOut, gradWeightOut, gradBiasOut)`
fn norms(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE).ranked(3..=3)?;
    let gradient = call.input("gradOut").like(&input)?.shaped(input.shape())?;
    let [batches, rows, width] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let own = call.ints("normalizedShape")?;
    if !matches!(own, [one] if usize::try_from(*one) == Ok(width)) {
        return Err(Refusal::invalid(format_args!(
            "normalizedShape is {own:?}; it is [{width}]"
        )));
    }
    let counted = |one: Input, count: usize| match one.elements() == count {
        true => Ok(one),
        false => Err(Refusal::invalid(format_args!(
            "{} {:?} has not {count} elements",
            one.name,
            one.shape()
        ))),
    };
    let figure = |name: &str, count: usize| counted(call.input(name).of(SINGLE)?, count);
    let (mean, factor) = (
        figure("mean", batches * rows)?,
        figure("rstd", batches * rows)?,
    );
    let (scale, _) = (
        figure("scale", batches * width)?,
        figure("shift", batches * width)?,
    );
    let given = |name: &str| -> Result<Option<Input>, Refusal> {
        match call.optional_input(name)? {
            Some(one) => Ok(Some(counted(one.of(SINGLE)?, width)?)),
            None => Ok(None),
        }
    };
    let (weight, bias) = (given("weightOptional")?, given("biasOptional")?);
    let names = [
        ("gradInputOut", batches * rows * width),
        ("gradScaleOut", batches * width),
        ("gradShiftOut", batches * width),
        ("gradWeightOut", width),
        ("gradBiasOut", width),
    ];
    let outs = every(names.into_iter().map(|(name, count)| {
        let out = call.output(name).of(SINGLE)?;
        match out.elements() == count {
            true => Ok(out),
            false => Err(Refusal::invalid(format_args!(
                "{name} {:?} has not {count} elements",
                out.shape()
            ))),
        }
    }))?;
    if input.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |input: &Input| views.input(input).all::<f64>();
        let (gradients, elements) = (read(&gradient), read(&input));
        let (means, factors, scales) = (read(&mean), read(&factor), read(&scale));
        let weights = weight.as_ref().map_or_else(|| vec![1.0; width], read);
        let biases = bias.as_ref().map_or_else(|| vec![0.0; width], read);
        let mut results = names.map(|(_, count)| vec![0.0; count]);
        let [by_input, by_scale, by_shift, by_weight, by_bias] = &mut results;
        for row in 0..batches * rows {
            let (batch, factor) = (row / rows, at(&factors, row));
            let (mut sum, mut product) = (0.0, 0.0);
            for column in 0..width {
                let (index, of_batch) = (row * width + column, batch * width + column);
                let (gradient, weight) = (at(&gradients, index), at(&weights, column));
                let normal = (at(&elements, index) - at(&means, row)) * factor;
                let more = 1.0 + at(&scales, of_batch);
                let slope = gradient * weight * more;
                sum += slope;
                product += slope * normal;
                add(
                    by_scale,
                    of_batch,
                    gradient * (normal * weight + at(&biases, column)),
                );
                add(by_shift, of_batch, gradient);
                add(by_weight, column, gradient * more * normal);
                add(by_bias, column, gradient * more);
                put(by_input, index, slope);
            }
            for column in 0..width {
                let index = row * width + column;
                let normal = (at(&elements, index) - at(&means, row)) * factor;
                // CAST: a number of elements, which is exact.
                let mean = (sum + normal * product) / width as f64;
                let slope = at(by_input, index);
                put(by_input, index, (slope - mean) * factor);
            }
        }
        for (out, numbers) in outs.iter().zip(&results) {
            views.output(out).put_all(numbers);
        }
    })
}

/// `aclnnConvTbcBackward(self, input, weight, bias, pad, cubeMathType, gradInput, gradWeight, gradBias)`: `self` is the gradient of the
/// result of `aclnnConvTbc`.
fn convolved(call: &Call) -> Result<Plan, Refusal> {
    let ([input, weight, _], steps, sizes) = along_first(call, "input")?;
    let [_, batches, _, _, width, _] = sizes;
    let gradient = call.input("self").like(&input)?;
    let gradient = gradient.shaped(&[steps, batches, width])?;
    let outs = [
        call.output("gradInput")
            .like(&input)?
            .shaped(input.shape())?,
        call.output("gradWeight")
            .like(&input)?
            .shaped(weight.shape())?,
        call.output("gradBias").like(&input)?.shaped(&[width])?,
    ];
    let inputs = [gradient, input, weight].map(Some);
    let mut computed = Computed::new(
        &inputs,
        &outs.map(Some),
        |computed, numbers: Numbers<'_>| {
            let [times, batches, channels, taps, width, pad] = computed.sizes;
            let [gradients, elements, weights, ..] = numbers.inputs;
            let [of_input, of_weight, of_bias, ..] = numbers.outs;
            for (index, gradient) in gradients.iter().enumerate() {
                let (place, to) = (index / width, index % width);
                let (time, batch) = (place / batches, place % batches);
                add(of_bias, to, *gradient);
                for tap in 0..taps {
                    let Some(from) = (time + tap).checked_sub(pad).filter(|from| *from < times)
                    else {
                        continue;
                    };
                    for channel in 0..channels {
                        let element = (from * batches + batch) * channels + channel;
                        let weight = (tap * channels + channel) * width + to;
                        add(of_input, element, gradient * at(weights, weight));
                        add(of_weight, weight, gradient * at(elements, element));
                    }
                }
            }
        },
    );
    computed.sizes = sizes;
    computed.plan(call)
}

/// `aclnnChamferDistanceBackward(xyz1, xyz2, idx1, idx2, gradDist1, gradDist2, gradXyz1, gradXyz2)`: the gradients of the squares of
/// distances between each point and the nearest of the other points, which the indices tell. An index that points nowhere adds nothing.
fn distances(call: &Call) -> Result<Plan, Refusal> {
    let points = call.input("xyz1").of(types!(f32 f16)).ranked(3..=3)?;
    let [batches, count, _] = [0, 1, 2].map(|dim| at(points.shape(), dim));
    let points = points.shaped(&[batches, count, 2])?;
    let others = call.input("xyz2").like(&points)?.shaped(points.shape())?;
    let index = |name: &str| call.input(name).of(types!(s32)).shaped(&[batches, count]);
    let indices = [index("idx1")?, index("idx2")?];
    let gradient = |name: &str| call.input(name).like(&points)?.shaped(&[batches, count]);
    let out = |name: &str| call.output(name).like(&points)?.shaped(points.shape());
    let inputs = [
        points,
        others,
        indices[0],
        indices[1],
        gradient("gradDist1")?,
        gradient("gradDist2")?,
    ];
    let outs = [out("gradXyz1")?, out("gradXyz2")?].map(Some);
    let mut computed = Computed::new(
        &inputs.map(Some),
        &outs,
        |computed, numbers: Numbers<'_>| {
            let count = computed.sizes[0].max(1);
            let [
                points,
                others,
                nearest,
                nearest_too,
                gradients,
                gradients_too,
                ..,
            ] = numbers.inputs;
            let [of_points, of_others, ..] = numbers.outs;
            let step = |ones: [&[f64]; 2],
                        [indices, gradients]: [&[f64]; 2],
                        outs: [&mut [f64]; 2]| {
                let [of_ones, of_nearest] = outs;
                for (place, (index, gradient)) in indices.iter().zip(gradients).enumerate() {
                    // CAST: an index, and a number of points, which are exact.
                    if !(0.0..count as f64).contains(index) {
                        continue;
                    }
                    // CAST: an index that is not negative.
                    let index = place / count * count + *index as usize;
                    for dim in 0..2 {
                        let distance = at(ones[0], place * 2 + dim) - at(ones[1], index * 2 + dim);
                        add(of_ones, place * 2 + dim, 2.0 * gradient * distance);
                        add(of_nearest, index * 2 + dim, -2.0 * gradient * distance);
                    }
                }
            };
            step(
                [points, others],
                [nearest, gradients],
                [of_points, of_others],
            );
            step(
                [others, points],
                [nearest_too, gradients_too],
                [of_others, of_points],
            );
        },
    );
    computed.sizes[0] = count;
    if batches * count == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        for index in &indices {
            for one in views.input(index).all::<Whole>() {
                let _ = views.below_in(index, one, count);
            }
        }
        computed.run(views);
    })
}
