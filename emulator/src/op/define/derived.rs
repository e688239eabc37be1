//! Gradients of weights of channels, of masked softmax, of distances, of groups and of windows.

use super::backward::{Slopes, figures, row_gradients};
use super::computed::{Computed, Numbers};
use super::definitions;
use super::weights::{broadcast_like, of_channels};
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, dimension, put};

definitions! {
    aclnnPreluBackward = parametric;
    aclnnScaledMaskedSoftmaxBackward = masked_softmax;
    aclnnCdistBackward = distances;
    aclnnGroupedBiasAddGrad = group_sums;
    aclnnUnfoldGrad = unfolded;
    aclnnGroupNormSwishGrad = swish_groups;
    aclnnModulateBackward = modulated;
    aclnnMoeInitRoutingV2Grad = routed;
    aclnnSoftmaxGrad = softened;
}

/// Adds to a sum, unless it is outside of the slice.
fn add(sums: &mut [f64], index: usize, number: f64) {
    put(sums, index, at(sums, index) + number);
}

/// `aclnnPreluBackward(gradOutput, self, weight, gradInput, gradWeight)`
fn parametric(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE)?;
    let input = call.input("self").like(&gradient)?;
    let input = input.shaped(gradient.shape())?;
    let weight = call.input("weight").like(&gradient)?;
    let _ = of_channels(weight, &input)?;
    let outs = [
        Some(call.output("gradInput").shaped(input.shape())?),
        Some(call.output("gradWeight").shaped(weight.shape())?),
    ];
    let split = Split::new(input.shape(), 1.min(input.shape().len().saturating_sub(1)));
    let inputs = [Some(gradient), Some(input), Some(weight)];
    let mut computed = Computed::new(&inputs, &outs, |computed, numbers| {
        let [inner, ..] = computed.sizes;
        let [gradients, elements, weights, ..] = numbers.inputs;
        let [results, sums, ..] = numbers.outs;
        for (index, (gradient, one)) in gradients.iter().zip(elements).enumerate() {
            let channel = index / inner.max(1) % weights.len().max(1);
            if *one > 0.0 {
                put(results, index, *gradient);
            } else {
                put(results, index, gradient * at(weights, channel));
                add(sums, channel, gradient * one);
            }
        }
    });
    computed.sizes[0] = split.inner;
    computed.plan(call)
}

/// `aclnnScaledMaskedSoftmaxBackward(gradOutput, y, mask, scale, fixTriuMask, out)`
fn masked_softmax(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE).ranked(4..=4)?;
    let result = call.input("y").like(&gradient)?.shaped(gradient.shape())?;
    let mask = call.input("mask").of(types!(bool)).ranked(4..=4)?;
    let mask = broadcast_like(mask, &gradient)?;
    if call.flag("fixTriuMask")? {
        return Err(Refusal::invalid("fixTriuMask is true; it has to be false"));
    }
    let out = call.output("out").like(&gradient)?;
    let out = out.shaped(gradient.shape())?;
    let inputs = [Some(gradient), Some(result), Some(mask)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers| {
        let width = computed.sizes[0].max(1);
        let [gradients, elements, chosen, ..] = numbers.inputs;
        let rows = gradients.chunks(width).zip(elements.chunks(width));
        let rows = rows.zip(chosen.chunks(width));
        for (results, ((gradients, row), chosen)) in numbers.outs[0].chunks_mut(width).zip(rows) {
            let pairs = gradients.iter().zip(row);
            let sum: f64 = pairs.clone().map(|(gradient, one)| gradient * one).sum();
            for (result, ((gradient, one), chosen)) in results.iter_mut().zip(pairs.zip(chosen)) {
                let slope = computed.numbers[0] * one * (gradient - sum);
                *result = if *chosen > 0.0 { 0.0 } else { slope };
            }
        }
    });
    computed.is_spread = true;
    computed.sizes[0] = at(gradient.shape(), 3);
    computed.numbers[0] = call.floating("scale")?;
    computed.plan(call)
}

/// `aclnnCdistBackward(grad, x1, x2, cdist, p, out)`: the gradient by `x1`.
fn distances(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("grad").of(types!(f32 f16)).ranked(2..=8)?;
    let input = call.input("x1").like(&gradient)?.ranked(2..=8)?;
    let other = call.input("x2").like(&gradient)?.ranked(2..=8)?;
    let found = call.input("cdist").like(&gradient)?;
    let found = found.shaped(gradient.shape())?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let p = call.floating("p")?;
    let (outer, last) = input.shape().split_at(input.shape().len() - 2);
    let (others, ends) = other.shape().split_at(other.shape().len() - 2);
    let [rows, columns, width] = [at(last, 0), at(ends, 0), at(last, 1)];
    let is_like = gradient.shape().ends_with(&[rows, columns])
        && gradient.shape().get(..outer.len()) == Some(outer)
        && gradient.shape().len() == input.shape().len();
    if outer != others || width != at(ends, 1) || !is_like || p.is_nan() || p < 0.0 {
        return Err(Refusal::invalid(format_args!(
            "grad {:?}, x1 {:?} and x2 {:?} do not go together, or p is {p}, and not at least 0",
            gradient.shape(),
            input.shape(),
            other.shape()
        )));
    }
    let inputs = [Some(gradient), Some(input), Some(other), Some(found)];
    let mut computed = Computed::new(&inputs, &[Some(out)], distance_slopes);
    computed.sizes = [rows, columns, width, 0, 0, 0];
    computed.numbers[0] = p;
    computed.plan(call)
}

fn distance_slopes(computed: &Computed, numbers: Numbers<'_>) {
    let [rows, columns, width, ..] = computed.sizes;
    let p = computed.numbers[0];
    let [gradients, left, right, found, ..] = numbers.inputs;
    let [results, ..] = numbers.outs;
    for (pair, (gradient, length)) in gradients.iter().zip(found).enumerate() {
        let (row, column) = (
            pair / columns,
            pair % columns + pair / columns / rows * columns,
        );
        for offset in 0..width {
            let place = row * width + offset;
            let one = at(left, place) - at(right, column * width + offset);
            let sign = if one == 0.0 { 0.0 } else { one.signum() };
            let slope = if p == 0.0 || *length == 0.0 {
                0.0
            } else if p.is_infinite() {
                // CAST: the lengths were rounded to single precision.
                sign * f64::from(u8::from(one.abs() as f32 >= *length as f32))
            } else {
                sign * one.abs().powf(p - 1.0) / length.powf(p - 1.0)
            };
            let slope = if sign == 0.0 { 0.0 } else { slope };
            add(results, place, gradient * slope);
        }
    }
}

/// `aclnnGroupedBiasAddGrad(gradY, groupIdxOptional, out)`: the second of three dimensions is summed up, or the rows up to the end
/// of each group.
fn group_sums(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradY").of(SINGLE)?;
    let ends = call.optional_input("groupIdxOptional")?;
    let (groups, width) = match (gradient.shape(), ends) {
        ([groups, _, width], None) => (*groups, *width),
        ([_, width], Some(ends)) => {
            let ends = ends.of(types!(s32 s64))?.ranked(1..=1)?;
            (ends.elements(), *width)
        }
        (shape, _) => {
            return Err(Refusal::invalid(format_args!(
                "gradY {shape:?} has not three dimensions, or two with groupIdx"
            )));
        }
    };
    let out = call.output("out").like(&gradient)?;
    let out = out.shaped(&[groups, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let rows = gradient.elements() / width.max(1);
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let ends = ends.as_ref().map(|ends| views.input(ends).all::<Whole>());
        let mut sums = vec![0.0; groups * width];
        let mut start = 0;
        for (group, sums) in sums.chunks_mut(width).enumerate() {
            let end = match &ends {
                None => start + rows / groups,
                Some(ends) => {
                    let end = views.below(at(ends, group), rows + 1);
                    end.unwrap_or(rows).max(start)
                }
            };
            let part = gradients.get(start * width..end * width);
            for row in part.unwrap_or_default().chunks(width) {
                for (sum, one) in sums.iter_mut().zip(row) {
                    *sum += one;
                }
            }
            start = end;
        }
        views.output(&out).put_all(&sums);
    })
}

/// `aclnnUnfoldGrad(gradOut, inputSizes, dim, size, step, gradIn)`: the windows of one dimension have a last dimension of their own.
fn unfolded(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOut").of(SINGLE)?;
    let mut shape = Vec::new();
    for size in call.ints("inputSizes")? {
        shape.push(count("inputSizes", *size)?);
    }
    let dim = dimension("dim", call.whole("dim")?, shape.len())?;
    let [size, step] =
        ["size", "step"].map(|name| call.whole(name).and_then(|one| count(name, one)));
    let (size, step) = (size?, step?);
    let length = at(&shape, dim);
    if size == 0 || step == 0 || size > length {
        return Err(Refusal::invalid(format_args!(
            "size is {size} and step is {step}; both are above 0, and dim {dim} has {length} elements"
        )));
    }
    let windows = (length - size) / step + 1;
    let mut expected = shape.clone();
    put(&mut expected, dim, windows);
    expected.push(size);
    let gradient = gradient.shaped(&expected)?;
    let out = call.output("gradIn").like(&gradient)?.shaped(&shape)?;
    let split = Split::new(&shape, dim);
    let mut computed = Computed::new(&[Some(gradient)], &[Some(out)], |computed, numbers| {
        let [length, inner, windows, size, step, _] = computed.sizes;
        let ([gradients, ..], [results, ..]) = (numbers.inputs, numbers.outs);
        for (index, gradient) in gradients.iter().enumerate() {
            let (place, offset) = (index / size, index % size);
            let (rest, behind) = (place / inner, place % inner);
            let (outer, window) = (rest / windows, rest % windows);
            let to = (outer * length + window * step + offset) * inner + behind;
            add(results, to, *gradient);
        }
    });
    computed.sizes = [length, split.inner, windows, size, step, 0];
    computed.plan(call)
}

/// `aclnnGroupNormSwishGrad(dy, mean, rstd, x, gamma, beta, numGroups, dataFormatOptional, swishScale, dgammaIsRequire,
/// dbetaIsRequire, dxOut, dgammaOut, dbetaOut)`: also what is not required is written.
fn swish_groups(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("dy").of(SINGLE).ranked(2..=8)?;
    let input = call.input("x").like(&gradient)?.shaped(gradient.shape())?;
    let groups = count("numGroups", call.whole("numGroups")?)?;
    let [batches, channels] = [0, 1].map(|dim| at(input.shape(), dim));
    let format = call.text("dataFormatOptional")?;
    if groups == 0 || !channels.is_multiple_of(groups) || !matches!(format, None | Some("NCHW")) {
        return Err(Refusal::invalid(format_args!(
            "{channels} channels cannot be in {groups} groups, or dataFormat {format:?} is not \"NCHW\""
        )));
    }
    let figure = |name| figures(call.input(name).of(SINGLE)?, batches * groups);
    let weight = |name| call.input(name).of(SINGLE).shaped(&[channels]);
    let inputs = [
        Some(gradient),
        Some(input),
        Some(figure("mean")?),
        Some(figure("rstd")?),
        Some(weight("gamma")?),
        Some(weight("beta")?),
    ];
    let outs = [
        Some(call.output("dxOut").like(&input)?.shaped(input.shape())?),
        Some(call.output("dgammaOut").of(SINGLE).shaped(&[channels])?),
        Some(call.output("dbetaOut").of(SINGLE).shaped(&[channels])?),
    ];
    let mut computed = Computed::new(&inputs, &outs, swish_slopes);
    let area = input.shape().iter().skip(2).product();
    computed.sizes = [channels, groups, area, 0, 0, 0];
    computed.numbers[0] = call.floating("swishScale")?;
    computed.plan(call)
}

fn swish_slopes(computed: &Computed, numbers: Numbers<'_>) {
    let [channels, groups, area, ..] = computed.sizes;
    let scale = computed.numbers[0];
    let [gradients, elements, means, factors, gamma, beta, ..] = numbers.inputs;
    let [results, of_gamma, of_beta, ..] = numbers.outs;
    let size = (channels / groups * area).max(1);
    let rows = gradients.chunks(size).zip(elements.chunks(size));
    for (index, (results, (gradients, row))) in results.chunks_mut(size).zip(rows).enumerate() {
        let (mean, factor) = (at(means, index), at(factors, index));
        let channel = |place: usize| index % groups * (channels / groups) + place / area;
        let mut slopes = Slopes::new(row.len());
        let places = slopes.normal.iter_mut().zip(&mut slopes.weighted);
        let places = places.zip(gradients.iter().zip(row)).enumerate();
        for (place, ((normal, weighted), (gradient, one))) in places {
            let channel = channel(place);
            let own = (one - mean) * factor;
            let norm = own * at(gamma, channel) + at(beta, channel);
            let open = 1.0 / (1.0 + (-scale * norm).exp());
            let slope = gradient * open * (1.0 + scale * norm * (1.0 - open));
            add(of_gamma, channel, slope * own);
            add(of_beta, channel, slope);
            // CAST: rounded to single precision.
            (*normal, *weighted) = (own as f32, (slope * at(gamma, channel)) as f32);
        }
        let mut of_row = vec![0.0; row.len()];
        row_gradients(&slopes, factor, true, &mut of_row);
        for (result, slope) in results.iter_mut().zip(of_row) {
            *result = f64::from(slope);
        }
    }
}

/// `aclnnModulateBackward(grad_output, input, scale, shift, grad_input, grad_scale, grad_shift)`
fn modulated(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("grad_output").of(SINGLE).ranked(3..=3)?;
    let input = call.input("input").like(&gradient)?;
    let input = input.shaped(gradient.shape())?;
    let [batches, _, width] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let of_batch = |one: &[usize]| one == [batches, width] || one == [batches, 1, width];
    let scale = call.input("scale").like(&gradient)?;
    let shift = call.input("shift").like(&gradient)?;
    let outs = [
        call.output("grad_input")
            .like(&input)?
            .shaped(input.shape())?,
        call.output("grad_scale").like(&input)?,
        call.output("grad_shift").like(&input)?,
    ];
    let [_, of_scale, of_shift] = &outs;
    let shapes = [
        scale.shape(),
        shift.shape(),
        of_scale.shape(),
        of_shift.shape(),
    ];
    if !shapes.into_iter().all(of_batch) {
        return Err(Refusal::invalid(format_args!(
            "scale, shift and their gradients have the shapes {shapes:?}; they are {:?}",
            [batches, width]
        )));
    }
    let inputs = [Some(gradient), Some(input), Some(scale)];
    let mut computed = Computed::new(&inputs, &outs.map(Some), |computed, numbers| {
        let [rows, width, ..] = computed.sizes;
        let [gradients, elements, scales, ..] = numbers.inputs;
        let [results, of_scale, of_shift, ..] = numbers.outs;
        for (index, (gradient, one)) in gradients.iter().zip(elements).enumerate() {
            let place = index / (rows * width) * width + index % width;
            put(results, index, gradient * (1.0 + at(scales, place)));
            add(of_scale, place, gradient * one);
            add(of_shift, place, *gradient);
        }
    });
    computed.sizes = [at(input.shape(), 1), width, 0, 0, 0, 0];
    computed.plan(call)
}

/// `aclnnMoeInitRoutingV2Grad(gradExpandedX, expandedRowIdx, topK, dropPadMode, activeNum, out)`: the sums of the rows to which each
/// row has gone. A row that was dropped has no place.
fn routed(call: &Call) -> Result<Plan, Refusal> {
    let gradient: Input = call.input("gradExpandedX").of(SINGLE).ranked(2..=3)?;
    let places = call.input("expandedRowIdx").of(types!(s32)).ranked(1..=1)?;
    let choices = count("topK", call.whole("topK")?)?;
    let width = gradient.shape().last().copied().unwrap_or(0);
    let mode = call.whole("dropPadMode")?;
    if choices == 0 || !places.elements().is_multiple_of(choices) || !(0..=1).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "topK is {choices}, which has to divide {} places, or dropPadMode is {mode}, and not 0 or 1",
            places.elements()
        )));
    }
    let active = count("activeNum", call.whole("activeNum")?)?;
    let rows = places.elements() / choices;
    let out = call.output("out").like(&gradient)?.shaped(&[rows, width])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let found = views.input(&places).all::<Whole>();
        let most = gradients.len() / width;
        let kept = if active == 0 || mode == 1 {
            most
        } else {
            active.min(most)
        };
        let mut sums = vec![0.0; rows * width];
        for (index, place) in found.iter().enumerate() {
            // CAST: a number of rows, which is far below the limit.
            let is_kept = (0..kept as i64).contains(&place.0);
            let Some(row) = place.place(most).filter(|_| is_kept) else {
                continue;
            };
            let row = gradients.get(row * width..(row + 1) * width);
            for (offset, one) in row.unwrap_or_default().iter().enumerate() {
                add(&mut sums, index / choices * width + offset, *one);
            }
        }
        views.output(&out).put_all(&sums);
    })
}

/// `aclnnSoftmaxGrad(y, dy, dx)`: along the last dimension.
fn softened(call: &Call) -> Result<Plan, Refusal> {
    let result = call.input("y").of(SINGLE).ranked(1..=8)?;
    let gradient = call.input("dy").like(&result)?.shaped(result.shape())?;
    let out = call.output("dx").like(&result)?.shaped(result.shape())?;
    let inputs = [Some(result), Some(gradient)];
    let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers| {
        let width = computed.sizes[0].max(1);
        let [softened, gradients, ..] = numbers.inputs;
        let rows = softened.chunks(width).zip(gradients.chunks(width));
        for (results, (row, gradients)) in numbers.outs[0].chunks_mut(width).zip(rows) {
            let sum: f64 = row
                .iter()
                .zip(gradients)
                .map(|(one, slope)| one * slope)
                .sum();
            for (result, (one, slope)) in results.iter_mut().zip(row.iter().zip(gradients)) {
                *result = one * (slope - sum);
            }
        }
    });
    computed.sizes[0] = result.shape().last().copied().unwrap_or(0);
    computed.plan(call)
}
