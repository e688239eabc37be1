//! Images of other sizes, and means of blocks. Each element is a sum of elements with weights, one dimension after the other.

use super::super::convolution::{Axis, no_window, sizes};
use super::super::weighted::{Sums, Taps, store_sums};
use super::pad::by_axes;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined};

definitions! {
    aclnnUpsampleNearest1d = |call: &Call| nearest(call, 1, 0.0);
    aclnnUpsampleNearest1dV2 = |call: &Call| nearest(call, 1, 0.0);
    aclnnUpsampleNearest2dV2 = |call: &Call| nearest(call, 2, 0.0);
    aclnnUpsampleNearest3d = |call: &Call| nearest(call, 3, 0.0);
    aclnnUpsampleNearestExact1d = |call: &Call| nearest(call, 1, 0.5);
    aclnnUpsampleNearestExact2d = |call: &Call| nearest(call, 2, 0.5);
    aclnnUpsampleNearestExact3d = |call: &Call| nearest(call, 3, 0.5);
    aclnnUpsampleLinear1d = |call: &Call| interpolated(call, "self", 1, LINEAR);
    aclnnUpsampleTrilinear3d = |call: &Call| interpolated(call, "self", 3, LINEAR);
    aclnnUpsampleBicubic2d = |call: &Call| interpolated(call, "self", 2, CUBIC);
    aclnnUpsampleBicubic2dAA = |call: &Call| interpolated(call, call_name(call), 2, SMOOTH_CUBIC);
    aclnnUpsampleBilinear2dAA = |call: &Call| interpolated(call, call_name(call), 2, SMOOTH_LINEAR);
    aclnnAdaptiveAvgPool3d = blocks;
    aclnnAvgPool3d = windows;
}

/// How far a curve of weights reaches, its parameter if it is a cubic one, and whether it is spread over what becomes one
/// element.
#[derive(Debug, Clone, Copy)]
struct Curve {
    reach: f64,
    cubic: Option<f64>,
    is_smooth: bool,
}

const LINEAR: Curve = Curve {
    reach: 1.0,
    cubic: None,
    is_smooth: false,
};
const CUBIC: Curve = Curve {
    reach: 2.0,
    cubic: Some(-0.75),
    is_smooth: false,
};
const SMOOTH_LINEAR: Curve = Curve {
    is_smooth: true,
    ..LINEAR
};
const SMOOTH_CUBIC: Curve = Curve {
    cubic: Some(-0.5),
    is_smooth: true,
    ..CUBIC
};

impl Curve {
    /// Returns the weight at a distance.
    fn at(self, distance: f64) -> f64 {
        let x = distance.abs();
        match self.cubic {
            _ if x >= self.reach => 0.0,
            None => 1.0 - x,
            Some(a) if x < 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            Some(a) => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
        }
    }
}

/// Returns the name of the operand: the headers of two operators call it otherwise.
fn call_name(call: &Call) -> &'static str {
    if call.has("input") { "input" } else { "self" }
}

/// Checks an operator that resizes the last dimensions. Returns the tensors, and for each dimension its size, the wanted size,
/// and the distance of two elements of the result in the operand.
fn resizing(
    call: &Call,
    name: &str,
    dims: usize,
    types: Types,
) -> Result<(Input, Output, Vec<[usize; 2]>, Vec<f64>), Refusal> {
    let input = call.input(name).of(types)?;
    let out = call.output("out").like(&input)?;
    let input = input.ranked(dims + 2..=dims + 2)?;
    let wanted = sizes(call, "outputSize", &[dims], dims)?;
    let own = input.shape().get(2..).unwrap_or_default();
    let mut shape = input.shape().get(..2).unwrap_or_default().to_vec();
    shape.extend_from_slice(&wanted);
    let out = out.shaped(&shape)?;
    if out.elements() > 0 && input.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "{name} {:?} has no elements",
            input.shape()
        )));
    }
    let names: &[&str] = match dims {
        1 => &["scales", "scale", "scaleL"],
        2 => &["scalesH", "scalesW"],
        _ => &["scalesD", "scalesH", "scalesW"],
    };
    if out.elements() == 0 {
        // Nothing is computed, and nothing is made for sizes beside one of 0.
        return Ok((input, out, Vec::new(), Vec::new()));
    }
    let (mut pairs, mut steps) = (Vec::new(), Vec::new());
    let mut given = names.iter().filter(|name| call.has(name));
    for (size, wanted) in own.iter().zip(&wanted) {
        pairs.push([*size, *wanted]);
        let scale = match given.next() {
            Some(name) => call.floating(name)?,
            None => 0.0,
        };
        // CAST: sizes of images, which are exact.
        steps.push(if scale > 0.0 {
            1.0 / scale
        } else {
            *size as f64 / (*wanted).max(1) as f64
        });
    }
    Ok((input, out, pairs, steps))
}

/// Gives each element the nearest one, whose index is that of the result and a part of the way to the next one.
fn nearest(call: &Call, dims: usize, part: f64) -> Result<Plan, Refusal> {
    let types = types!(bf16 f16 f32 f64 u8);
    let (input, out, pairs, steps) = resizing(call, "self", dims, types)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let outer = input.shape().iter().take(2).copied();
    let outer: Vec<usize> = outer.collect();
    let axes = move || {
        let mut axes = Vec::with_capacity(dims + 2);
        for size in &outer {
            axes.push(Vec::from_iter(0..*size));
        }
        for ([size, wanted], step) in pairs.iter().zip(&steps) {
            let mut places = Vec::with_capacity(*wanted);
            for index in 0..*wanted {
                // CAST: a position in an image.
                let place = ((index as f64 + part) * step) as usize;
                places.push(place.min(size.saturating_sub(1)));
            }
            axes.push(places);
        }
        axes
    };
    by_axes(call, input, out, axes)
}

/// Interpolates along each of the last dimensions.
fn interpolated(call: &Call, name: &str, dims: usize, curve: Curve) -> Result<Plan, Refusal> {
    let (input, out, pairs, steps) = resizing(call, name, dims, SINGLE)?;
    let is_aligned = call.flag("alignCorners")?;
    let axes = move || {
        let mut axes = Vec::with_capacity(dims);
        for ([size, wanted], step) in pairs.iter().zip(&steps) {
            // CAST: sizes of images, which are exact.
            let step = match is_aligned {
                true => size.saturating_sub(1) as f64 / wanted.saturating_sub(1).max(1) as f64,
                false => *step,
            };
            let mut taps = Vec::with_capacity(*wanted);
            for index in 0..*wanted {
                taps.push(match (curve.is_smooth, is_aligned) {
                    (true, _) => spread(curve, [*size, index], step),
                    (false, true) => near(curve, *size, index as f64 * step),
                    (false, false) => near(curve, *size, (index as f64 + 0.5) * step - 0.5),
                });
            }
            axes.push(taps);
        }
        axes
    };
    weighted(call, (input, out), axes, 1.0)
}

/// Returns the weights of the elements around a position. Those outside of the image count as the ones at its ends.
fn near(curve: Curve, size: usize, position: f64) -> Taps {
    // A line of a linear curve does not begin in front of the first element.
    let position = if curve.cubic.is_none() {
        position.max(0.0)
    } else {
        position
    };
    let last = size.saturating_sub(1);
    let first = position.floor();
    let mut taps = Vec::new();
    // CAST: 2 or 4. A position beyond those of an image has no next one, so the steps are counted.
    for step in 0..2 * curve.reach as usize {
        let place = first - curve.reach + 1.0 + step as f64;
        // CAST: a position in an image; one in front of it becomes 0.
        taps.push((
            (place.max(0.0) as usize).min(last),
            curve.at(position - place),
        ));
    }
    taps
}

/// Returns the weights of all elements that become one, whose sum is 1.
fn spread(curve: Curve, [size, index]: [usize; 2], step: f64) -> Taps {
    // CAST: an index of an image, which is exact.
    let (wide, center) = (step.max(1.0), step * (index as f64 + 0.5));
    let reach = curve.reach * wide;
    // CAST: positions in an image; those in front of it become 0.
    let first = (center - reach + 0.5).max(0.0) as usize;
    let end = ((center + reach + 0.5).max(0.0) as usize).min(size);
    let (mut taps, mut sum) = (Vec::new(), 0.0);
    for place in first..end {
        let weight = curve.at((place as f64 - center + 0.5) / wide);
        sum += weight;
        taps.push((place, weight));
    }
    for (_, weight) in &mut taps {
        *weight /= sum;
    }
    taps
}

/// `aclnnAdaptiveAvgPool3d(self, outputSize, out)`
fn blocks(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = volumes(call, types!(bf16 f16 f32))?;
    let wanted = sizes(call, "outputSize", &[3], 3)?;
    let (outer, own) = input.shape().split_at(input.shape().len() - 3);
    let out = out.shaped(&joined(outer, &wanted))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    if input.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has no elements",
            input.shape()
        )));
    }
    let own = own.to_vec();
    let axes = move || {
        let mut axes = Vec::with_capacity(3);
        for (size, parts) in own.iter().zip(&wanted) {
            let mut taps = Vec::with_capacity(*parts);
            for index in 0..*parts {
                let block = index * size / parts..((index + 1) * size).div_ceil(*parts);
                // CAST: a number of elements, which is exact.
                let weight = 1.0 / block.len() as f64;
                let mut tap = Vec::with_capacity(block.len());
                for place in block {
                    tap.push((place, weight));
                }
                taps.push(tap);
            }
            axes.push(taps);
        }
        axes
    };
    weighted(call, (input, out), axes, 1.0)
}

/// Checks an operator on volumes, which are the last three dimensions.
pub(super) fn volumes(call: &Call, types: Types) -> Result<(Input, Output), Refusal> {
    let input = call.input("self").of(types)?;
    let name = if call.has("outputOut") {
        "outputOut"
    } else {
        "out"
    };
    let out = call.output(name).like(&input)?;
    Ok((input.ranked(4..=5)?, out))
}

/// Returns the windows along the last three dimensions.
pub(super) fn axes(
    call: &Call,
    input: &Input,
    [kernel, stride, padding]: [&str; 3],
    dilation: &[usize],
) -> Result<Vec<Axis>, Refusal> {
    let kernel = sizes(call, kernel, &[1, 3], 3)?;
    let stride = match call.ints(stride)?.len() {
        0 => kernel.clone(),
        _ => sizes(call, stride, &[1, 3], 3)?,
    };
    let padding = sizes(call, padding, &[1, 3], 3)?;
    let is_ceiled = call.flag("ceilMode")?;
    let mut axes = Vec::with_capacity(3);
    let first = input.shape().len() - 3;
    for (index, size) in input.shape().iter().skip(first).enumerate() {
        let (kernel, pads) = (at(&kernel, index), [at(&padding, index); 2]);
        if pads[0] > kernel / 2 {
            return Err(Refusal::invalid(format_args!(
                "padding {padding:?} is above half of the window"
            )));
        }
        let axis = Axis::new(*size, kernel, at(&stride, index), pads, at(dilation, index));
        let axis = axis.ok_or_else(|| no_window(input))?;
        axes.push(if is_ceiled { axis.ceiled(pads) } else { axis });
    }
    Ok(axes)
}

/// `aclnnAvgPool3d(self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride, out)`
fn windows(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = volumes(call, SINGLE)?;
    let windows = axes(call, &input, ["kernelSize", "stride", "padding"], &[1; 3])?;
    let divisor = call.whole("divisorOverride")?;
    let counts_pads = call.flag("countIncludePad")?;
    let (outer, _) = input.shape().split_at(input.shape().len() - 3);
    let wanted = Vec::from_iter(windows.iter().map(|axis| axis.out));
    let out = out.shaped(&joined(outer, &wanted))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let axes = move || {
        let mut axes = Vec::with_capacity(3);
        for axis in &windows {
            let mut taps = Vec::with_capacity(axis.out);
            for index in 0..axis.out {
                let places = axis.taps(index).filter_map(|tap| axis.at(index, tap));
                let mut tap = Vec::from_iter(places.map(|place| (place, 1.0)));
                // A window that reaches beyond the padding counts only the part inside of it.
                let reach = (axis.size + 2 * axis.before).saturating_sub(index * axis.stride);
                // CAST: numbers of elements, which are exact.
                let count = match divisor {
                    0 if counts_pads => axis.kernel.min(reach) as f64,
                    0 => tap.len() as f64,
                    _ => 1.0,
                };
                for (_, weight) in &mut tap {
                    *weight /= count;
                }
                taps.push(tap);
            }
            axes.push(taps);
        }
        axes
    };
    // CAST: a number of elements, which is exact.
    weighted(
        call,
        (input, out),
        axes,
        if divisor == 0 { 1.0 } else { divisor as f64 },
    )
}

/// Plans to make each element of the last dimensions a sum of elements with weights, divided by a number. The lists of `axes` are
/// as long as the dimensions of the result, so they are made when its memory was found to be there.
fn weighted(
    call: &Call,
    (input, out): (Input, Output),
    axes: impl Fn() -> Vec<Vec<Taps>> + Send + Sync + 'static,
    divisor: f64,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let sizes = input.shape().iter().rev();
        let mut sums = Vec::new();
        for (taps, size) in axes().iter().rev().zip(sizes) {
            sums.push(Sums::new(*size, taps));
        }
        sums.reverse();
        store_sums(views, (&input, &out), &sums, divisor);
    })
}
