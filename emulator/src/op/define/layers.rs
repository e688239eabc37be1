//! Gradients of layers: of the rows of experts that a card has a part of, of points and of images, and a loss over several cards.

use super::computed::{Computed, Numbers};
use super::definitions;
use super::spread::{Resized, resized};
use super::weighted::Taps;
use crate::op::call::Call;
use crate::op::dtype::{SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined, put};
use crate::op::sums::joined_product;

definitions! {
    aclnnMoeTokenPermuteWithEpGrad = permuted;
    aclnnMoeTokenUnpermuteWithEpGrad = unpermuted;
    aclnnMoeFinalizeRoutingV2Grad = finalized;
    aclnnFusedCrossEntropyLossWithMaxSum = loss;
    aclnnThreeInterpolateBackward = points;
    aclnnUpsampleBicubic2dAAGrad = |call: &Call| resized(call, cubic);
    aclnnUpsampleBilinear2dAABackward = |call: &Call| resized(call, linear);
}

/// The rows of a card: their first one, and the one behind the last. Without a range it has all.
fn range(call: &Call, kept: usize) -> Result<[usize; 2], Refusal> {
    if call.flag("paddedMode")? {
        return Err(Refusal::invalid(
            "paddedMode is true; only false is supported",
        ));
    }
    // A null array has no numbers.
    match *call.ints("rangeOptional")? {
        [] => Ok([0, kept]),
        [first, end] => {
            let [first, end] = [count("rangeOptional", first)?, count("rangeOptional", end)?];
            if end < first || end - first != kept {
                return Err(Refusal::invalid(format_args!(
                    "rangeOptional is {first} to {end}, and the card has {kept} rows"
                )));
            }
            Ok([first, end])
        }
        ref other => Err(Refusal::invalid(format_args!(
            "rangeOptional has {} numbers, not two",
            other.len()
        ))),
    }
}

/// `aclnnMoeTokenPermuteWithEpGrad(permutedTokensOutputGrad, sortedIndices, permutedProbsOutputGradOptional, numTopk, rangeOptional,
/// paddedMode, tokenGradOut, probsGradOut)`: `probsGradOut` is left as it is without the gradient of the shares.
fn permuted(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call
        .input("permutedTokensOutputGrad")
        .of(SINGLE)
        .ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let choices = count("numTopk", call.whole("numTopk")?)?;
    let [kept, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let [first, end] = range(call, kept)?;
    let total = places.elements();
    if choices == 0 || !total.is_multiple_of(choices) || end > total {
        return Err(Refusal::invalid(format_args!(
            "numTopk is {choices}, and the card has the rows {first} to {end} of {total}"
        )));
    }
    let rows = total / choices;
    let out = call
        .output("tokenGradOut")
        .like(&gradient)?
        .shaped(&[rows, width])?;
    let shares = match call.optional_input("permutedProbsOutputGradOptional")? {
        Some(shares) => {
            let shares = shares.like(&gradient)?.shaped(&[kept])?;
            let out = call.output("probsGradOut").like(&gradient)?;
            Some((shares, out.shaped(&[rows, choices])?))
        }
        None => None,
    };
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let of_shares = shares.map(|(shares, _)| views.input(&shares).all::<f64>());
        let mut sums = vec![0.0; rows * width];
        let mut slopes = vec![0.0; total];
        for (index, place) in order.iter().enumerate() {
            let Some(place) = views.below_in(&places, *place, total) else {
                continue;
            };
            let Some(place) = place.checked_sub(first).filter(|place| *place < kept) else {
                continue;
            };
            let row = gradients.get(place * width..(place + 1) * width);
            let token = index / choices;
            let to = sums.get_mut(token * width..(token + 1) * width);
            for (sum, one) in to
                .unwrap_or_default()
                .iter_mut()
                .zip(row.unwrap_or_default())
            {
                *sum += one;
            }
            put(
                &mut slopes,
                index,
                of_shares.as_ref().map_or(0.0, |shares| at(shares, place)),
            );
        }
        views.output(&out).put_all(&sums);
        if let Some((_, out)) = &shares {
            views.output(out).put_all(&slopes);
        }
    })
}

/// `aclnnMoeTokenUnpermuteWithEpGrad(unpermutedTokensGrad, sortedIndices, permutedTokensOptional, probsOptional, paddedMode,
/// restoreShapeOptional, rangeOptional, topkNum, permutedTokensGradOut, probsGradOut)`: `probsGradOut` is left as it is without shares.
fn unpermuted(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call
        .input("unpermutedTokensGrad")
        .of(SINGLE)
        .ranked(2..=2)?;
    let places = call.input("sortedIndices").of(types!(s32)).ranked(1..=1)?;
    let [rows, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let out = call.output("permutedTokensGradOut").like(&gradient)?;
    let kept = at(out.shape(), 0);
    let out = out.shaped(&[kept, width])?;
    let [first, end] = range(call, kept)?;
    let total = places.elements();
    let shares = match call.optional_input("probsOptional")? {
        Some(shares) => Some(shares.of(SINGLE)?.ranked(2..=2)?),
        None => None,
    };
    let choices = match shares {
        Some(shares) => at(shares.shape(), 1),
        None => count("topkNum", call.whole("topkNum")?)?,
    };
    let fits = shares.is_none_or(|shares| shares.shape() == [rows, choices]);
    if rows.checked_mul(choices) != Some(total) || !fits || end > total {
        return Err(Refusal::invalid(format_args!(
            "{rows} tokens with {choices} rows each are not {total}, or the card has the rows {first} to {end}"
        )));
    }
    let of_shares = match shares {
        Some(shares) => {
            let input = call.input("permutedTokensOptional").like(&gradient)?;
            let out = call.output("probsGradOut").like(&shares)?;
            Some((
                input.shaped(&[kept, width])?,
                shares,
                out.shaped(shares.shape())?,
            ))
        }
        None => None,
    };
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let given = of_shares.map(|(input, shares, _)| {
            [input, shares].map(|input| views.input(&input).all::<f64>())
        });
        let mut results = vec![0.0; kept * width];
        let mut slopes = vec![0.0; total];
        for (index, place) in order.iter().enumerate() {
            let Some(place) = views.below_in(&places, *place, total) else {
                continue;
            };
            let Some(place) = place.checked_sub(first).filter(|place| *place < kept) else {
                continue;
            };
            let token = index / choices;
            let slope = gradients.get(token * width..(token + 1) * width);
            let slope = slope.unwrap_or_default();
            let mut factor = 1.0;
            if let Some([elements, shares]) = &given {
                let row = elements.get(place * width..(place + 1) * width);
                put(
                    &mut slopes,
                    index,
                    joined_product(row.unwrap_or_default(), slope),
                );
                factor = at(shares, index);
            }
            let to = results.get_mut(place * width..(place + 1) * width);
            for (to, slope) in to.unwrap_or_default().iter_mut().zip(slope) {
                *to = slope * factor;
            }
        }
        views.output(&out).put_all(&results);
        if let Some((.., out)) = &of_shares {
            views.output(out).put_all(&slopes);
        }
    })
}

/// `aclnnMoeFinalizeRoutingV2Grad(gradY, expandedRowIdx, expandedXOptional, scalesOptional, expertIdxOptional, biasOptional,
/// dropPadMode, activeNum, expertNum, expertCapacity, gradExpandedXOut, gradScalesOut)`: a place outside of the rows has been dropped.
/// `gradScalesOut` is left as it is without scales.
fn finalized(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradY").of(SINGLE).ranked(2..=2)?;
    let places = call.input("expandedRowIdx").of(types!(s32)).ranked(1..=1)?;
    let [rows, width] = [0, 1].map(|dim| at(gradient.shape(), dim));
    let mode = call.whole("dropPadMode")?;
    if mode != 0 {
        return Err(Refusal::invalid(format_args!(
            "dropPadMode is {mode}; the emulator models 0"
        )));
    }
    let total = places.elements();
    let choices = total.checked_div(rows).unwrap_or(0);
    if choices * rows != total {
        return Err(Refusal::invalid(format_args!(
            "expandedRowIdx has {total} places, and gradY {rows} rows"
        )));
    }
    let active = count("activeNum", call.whole("activeNum")?)?;
    let kept = if active == 0 {
        total
    } else {
        active.min(total)
    };
    let out = call.output("gradExpandedXOut").like(&gradient)?;
    let out = out.shaped(&[kept, width])?;
    let scales = match call.optional_input("scalesOptional")? {
        Some(scales) => {
            let scales = scales.like(&gradient)?.shaped(&[rows, choices])?;
            let input = call.input("expandedXOptional").like(&gradient)?;
            let out = call.output("gradScalesOut").like(&gradient)?;
            Some((
                scales,
                input.shaped(&[kept, width])?,
                out.shaped(&[rows, choices])?,
            ))
        }
        None => None,
    };
    let bias = match call.optional_input("biasOptional")? {
        Some(bias) if scales.is_some() => {
            let bias = bias.like(&gradient)?.ranked(2..=2)?;
            let bias = bias.shaped(&joined(&[at(bias.shape(), 0)], &[width]))?;
            let experts = call.input("expertIdxOptional").of(types!(s32));
            Some((bias, experts.shaped(&[rows, choices])?))
        }
        _ => None,
    };
    if total == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let order = views.input(&places).all::<Whole>();
        let given = scales.map(|(scales, input, _)| {
            [scales, input].map(|input| views.input(&input).all::<f64>())
        });
        let biases = bias.map(|(bias, experts)| {
            (
                views.input(&bias).all::<f64>(),
                views.input(&experts).all::<Whole>(),
            )
        });
        let mut results = vec![0.0; kept * width];
        let mut slopes = vec![0.0; total];
        for (index, place) in order.iter().enumerate() {
            let row = usize::try_from(place.0).ok().filter(|row| *row < kept);
            let Some(range) = row.map(|row| row * width..(row + 1) * width) else {
                continue;
            };
            let token = index / choices;
            let slope = gradients.get(token * width..(token + 1) * width);
            let slope = slope.unwrap_or_default();
            let mut factor = 1.0;
            if let Some([scales, elements]) = &given {
                factor = at(scales, index);
                let mut row = elements.get(range.clone()).unwrap_or_default().to_vec();
                if let (Some((biases, chosen)), Some((bias, experts))) = (&biases, &bias) {
                    let expert = views.below_in(experts, at(chosen, index), at(bias.shape(), 0));
                    let bias = expert.and_then(|one| biases.get(one * width..(one + 1) * width));
                    for (one, bias) in row.iter_mut().zip(bias.unwrap_or_default()) {
                        *one += bias;
                    }
                }
                put(&mut slopes, index, joined_product(&row, slope));
            }
            let to = results.get_mut(range).unwrap_or_default();
            for (to, slope) in to.iter_mut().zip(slope) {
                *to = slope * factor;
            }
        }
        views.output(&out).put_all(&results);
        if let Some((.., out)) = &scales {
            views.output(out).put_all(&slopes);
        }
    })
}

/// `aclnnFusedCrossEntropyLossWithMaxSum(logitsMax, sumExpLogits, predictedLogits, labelSmoothing, inputOptional, weightOptional,
/// vocabParallelLogitsOptional, lossOut, softMaxOutOptional)`: the softmax of the part of the classes that a card has.
fn loss(call: &Call) -> Result<Plan, Refusal> {
    let most = call.input("logitsMax").of(types!(f32)).ranked(1..=1)?;
    let sum = call
        .input("sumExpLogits")
        .of(types!(f32))
        .shaped(most.shape())?;
    let found = call
        .input("predictedLogits")
        .of(types!(f32))
        .shaped(most.shape())?;
    if call.floating("labelSmoothing")? != 0.0 {
        return Err(Refusal::invalid("labelSmoothing is not 0"));
    }
    let out = call
        .output("lossOut")
        .of(types!(f32))
        .shaped(most.shape())?;
    let logits = match call.optional_input("vocabParallelLogitsOptional")? {
        Some(logits) => Some(logits.of(types!(f32 f16 bf16))?.ranked(2..=2)?),
        None => None,
    };
    let width = logits.map_or(0, |logits| at(logits.shape(), 1));
    let softmax = match (logits, call.optional_output("softMaxOutOptional")?) {
        (Some(logits), Some(softmax)) => {
            let shape = [most.elements(), width];
            let _ = logits.shaped(&shape)?;
            Some(softmax.of(types!(f32))?.shaped(&shape)?)
        }
        _ => None,
    };
    let inputs = [Some(most), Some(sum), Some(found), logits];
    let mut computed = Computed::new(
        &inputs,
        &[Some(out), softmax],
        |computed, numbers: Numbers<'_>| {
            let [most, sums, found, logits, ..] = numbers.inputs;
            let [losses, softmax, ..] = numbers.outs;
            for (index, loss) in losses.iter_mut().enumerate() {
                *loss = at(sums, index).ln() - at(found, index);
            }
            for (index, (result, logit)) in softmax.iter_mut().zip(logits).enumerate() {
                let row = index / computed.sizes[0].max(1);
                *result = (logit - at(most, row)).exp() / at(sums, row);
            }
        },
    );
    computed.sizes[0] = width;
    computed.plan(call)
}

/// `aclnnThreeInterpolateBackward(grad_x, idx, weight, m, grad_y)`: each point has been the mean of three others, which gives each of
/// them its gradient.
fn points(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("grad_x").of(types!(f32 f16)).ranked(3..=3)?;
    let [batches, channels, number] = [0, 1, 2].map(|dim| at(gradient.shape(), dim));
    let indices = call.input("idx").of(types!(s32 s64));
    let indices = indices.shaped(&[batches, number, 3])?;
    let weights = call.input("weight").like(&gradient)?;
    let weights = weights.shaped(&[batches, number, 3])?;
    let others = count("m", call.whole("m")?)?;
    let out = call.output("grad_y").like(&gradient)?;
    let out = out.shaped(&[batches, channels, others])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let places = views.input(&indices).all::<Whole>();
        let factors = views.input(&weights).all::<f64>();
        let mut sums = vec![0.0; out.elements()];
        for (index, gradient) in gradients.iter().enumerate() {
            let (line, point) = (index / number, index % number);
            let first = (line / channels * number + point) * 3;
            for tap in first..first + 3 {
                if let Some(place) = views.below_in(&indices, at(&places, tap), others) {
                    let to = line * others + place;
                    let before = at(&sums, to);
                    put(&mut sums, to, before + gradient * at(&factors, tap));
                }
            }
        }
        views.output(&out).put_all(&sums);
    })
}

/// Returns the places under a curve that is as wide as what becomes one element, with weights whose sum is 1.
fn smooth(axis: Resized, index: usize, reach: f64, curve: fn(f64) -> f64) -> Taps {
    // CAST: sizes of images, which are exact.
    let [size, out] = [axis.size, axis.out].map(|size| size as f64);
    let step = if axis.is_aligned {
        (size - 1.0) / (out - 1.0).max(1.0)
    } else if axis.scale > 0.0 {
        1.0 / axis.scale
    } else {
        size / out
    };
    let spread = step.max(1.0);
    let center = step * (index as f64 + 0.5);
    let edge = |place: f64| (place + 0.5).floor().clamp(0.0, size);
    // CAST: between 0 and the size of an image.
    let [first, end] = [-reach, reach].map(|reach| edge(center + reach * spread) as usize);
    let mut taps = Taps::new();
    let mut sum = 0.0;
    for place in first..end {
        let weight = curve(((place as f64 - center + 0.5) / spread).abs());
        sum += weight;
        taps.push((place, weight));
    }
    for (_, weight) in &mut taps {
        *weight /= sum;
    }
    taps
}

fn linear(axis: Resized, index: usize) -> Taps {
    smooth(axis, index, 1.0, |x| (1.0 - x).max(0.0))
}

fn cubic(axis: Resized, index: usize) -> Taps {
    /// What the curve of PyTorch has for smooth images.
    const A: f64 = -0.5;
    smooth(axis, index, 2.0, |x| match x {
        ..1.0 => ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0,
        1.0..2.0 => ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A,
        _ => 0.0,
    })
}
