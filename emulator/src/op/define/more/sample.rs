//! Numbers of images and volumes at places between their elements: those of a grid, and those of boxes.

use ascendcl_sys::ACL_DOUBLE;

use super::super::sampling::{Boxes, Grid, Place};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Types, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, put};
use crate::op::view::Views;

definitions! {
    aclnnGridSampler2D = |call: &Call| grid(call, 2, 3);
    aclnnGridSampler3D = |call: &Call| grid(call, 3, 2);
    aclnnRoiAlign = boxes_beside_batches;
    aclnnRoiAlignV2 = boxes_with_batches;
}

/// `(input, grid, interpolationMode, paddingMode, alignCorners, out)`
fn grid(call: &Call, dims: usize, ways: i64) -> Result<Plan, Refusal> {
    let grid = Grid::new(call, dims, types!(f32 f16 f64), ways)?;
    if grid.is_cubic() && grid.input.dtype() == ACL_DOUBLE {
        return Err(Refusal::invalid(
            "interpolationMode is 2, which takes no ACL_DOUBLE",
        ));
    }
    let out = call
        .output("out")
        .like(&grid.input)?
        .shaped(&grid.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let sample: fn(&Views<'_>, &Grid, &Output) = match (grid.input.dtype(), grid.most_near()) {
        (ACL_DOUBLE, _) => sample::<f64, 8>,
        (_, 5..=8) => sample::<f32, 8>,
        (_, 9..) => sample::<f32, 16>,
        _ => sample::<f32, 4>,
    };
    call.plan(move |views| sample(views, &grid, &out))
}

/// Gives each place the sum of at most `N` elements around it.
fn sample<W: Real, const N: usize>(views: &Views<'_>, grid: &Grid, out: &Output) {
    let operands = [&grid.input, &grid.places].map(|one| views.input(one));
    // SAFETY: the kernel writes the output below, after the last use of these elements.
    let [elements, places] = operands.each_ref().map(|one| unsafe { one.numbers::<W>() });
    let mut results = vec![W::ZERO; out.elements()];
    let [batches, channels] = [0, 1].map(|dim| at(grid.input.shape(), dim));
    let planes = batches * channels;
    let (area, points) = (elements.len() / planes, results.len() / planes);
    grid.each(&places, &mut |batch, first, block: &[Place<W, N>]| {
        for plane in batch * channels..(batch + 1) * channels {
            let image = elements.get(plane * area..(plane + 1) * area);
            let image = image.unwrap_or_default();
            let start = plane * points + first;
            let results = results.get_mut(start..start + block.len());
            for (result, place) in results.unwrap_or_default().iter_mut().zip(block) {
                let mut sum = W::ZERO;
                for (offset, weight) in place.offsets.iter().zip(&place.weights) {
                    sum = sum + at(image, *offset) * *weight;
                }
                *result = sum;
            }
        }
    });
    views.output(out).put_all(&results);
}

/// `aclnnRoiAlign(self, rois, batchIndices, mode, outputHeight, outputWidth, samplingRatio, spatialScale, out)`
fn boxes_beside_batches(call: &Call) -> Result<Plan, Refusal> {
    let is_largest = match call.text("mode")? {
        Some("avg") => false,
        Some("max") => true,
        other => {
            return Err(Refusal::invalid(format_args!(
                "mode is {other:?}; it is \"avg\" or \"max\""
            )));
        }
    };
    let input = call.input("self").of(types!(f32 f16)).ranked(4..=4)?;
    let ends = call.input("rois").like(&input)?;
    let batches = call.input("batchIndices").of(types!(s32)).ranked(1..=1)?;
    let ends = ends.shaped(&[batches.elements(), 4])?;
    pooled(
        call,
        (input, ends, batches, 4),
        ["outputHeight", "outputWidth"],
        is_largest,
    )
}

/// `aclnnRoiAlignV2(self, boxes, pooledHeight, pooledWidth, spatialScale, samplingRatio, aligned, out)`: a row of `boxes` is the
/// number of an image, and a box.
fn boxes_with_batches(call: &Call) -> Result<Plan, Refusal> {
    const TYPES: Types = types!(f32 f16);
    let input = call.input("self").of(TYPES).ranked(4..=4)?;
    let rows = call.input("boxes").like(&input).ranked(2..=2)?;
    let rows = rows.shaped(&[at(rows.shape(), 0), 5])?;
    pooled(
        call,
        (input, rows, rows, 5),
        ["pooledHeight", "pooledWidth"],
        false,
    )
}

/// Plans to give each box its numbers. `batches` has the number of the image of each box, first in `width` numbers of each row of
/// `ends`, or by itself.
fn pooled(
    call: &Call,
    (input, ends, batches, width): (Input, Input, Input, usize),
    names: [&str; 2],
    is_largest: bool,
) -> Result<Plan, Refusal> {
    let [images, channels, height, columns] = [0, 1, 2, 3].map(|dim| at(input.shape(), dim));
    let mut boxes = Boxes::new(call, names, [height, columns])?;
    boxes.is_largest = is_largest;
    let [rows, lines] = boxes.bins;
    let count = ends.elements() / width;
    let out: Output = call.output("out").like(&input)?;
    let out = out.shaped(&[count, channels, rows, lines])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let numbers = views.input(&ends).all::<f64>();
        let indices = views.input(&batches).all::<Whole>();
        let (area, bins) = (height * columns, rows * lines);
        let mut results = vec![0.0; out.elements()];
        let step = indices.len() / count;
        for (index, ends) in numbers.chunks(width).enumerate() {
            let image = indices.get(index * step).copied();
            let image = image.and_then(|image| views.below_in(&batches, image, images));
            let (Some(image), Some(ends)) = (image, ends.last_chunk::<4>()) else {
                continue;
            };
            boxes.each(ends, &mut |bin, near, behind| {
                for channel in 0..channels {
                    let plane = elements.get((image * channels + channel) * area..);
                    let plane = plane.unwrap_or_default();
                    let number = |(offset, weight): &(usize, f64)| at(plane, *offset) * weight;
                    let result = if is_largest {
                        let mut begin = 0;
                        let of_place = |end: &usize| {
                            let place = near.get(begin..*end).unwrap_or_default();
                            begin = *end;
                            place.iter().map(number).sum()
                        };
                        behind
                            .iter()
                            .map(of_place)
                            .fold(f64::NEG_INFINITY, f64::max)
                    } else {
                        near.iter().map(number).sum()
                    };
                    let place = (index * channels + channel) * bins + bin;
                    put(&mut results, place, result);
                }
            });
        }
        views.output(&out).put_all(&results);
    })
}
