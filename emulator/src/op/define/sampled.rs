//! Gradients of numbers at places between the elements of images and volumes.

use std::borrow::Cow;

use ascendcl_sys::ACL_DOUBLE;

use super::definitions;
use super::sampling::{Boxes, Grid, Place, images};
use crate::op::call::Call;
use crate::op::dtype::{FLOATING, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};

definitions! {
    aclnnGridSampler2DBackward = |call: &Call| grid(call, 2);
    aclnnGridSampler3DBackward = |call: &Call| grid(call, 3);
    aclnnRoiAlignV2Backward = boxes;
}

/// `(gradOutput, input, grid, interpolationMode, paddingMode, alignCorners, outputMask, inputGrad, gridGrad)`
fn grid(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let grid = Grid::new(call, dims, FLOATING, 2)?;
    let gradient = call.input("gradOutput").like(&grid.input)?;
    let gradient = gradient.shaped(&grid.shape())?;
    let of_input = call.output("inputGrad").like(&grid.input)?;
    let of_places = call.output("gridGrad").like(&grid.input)?;
    let of_input = of_input.shaped(grid.input.shape())?;
    let of_places = of_places.shaped(grid.places.shape())?;
    let mask = call.bools("outputMask")?;
    let [wants_input, wants_places] = *mask else {
        return Err(Refusal::invalid(format_args!(
            "outputMask has {} truth values; it has 2",
            mask.len()
        )));
    };
    if gradient.elements() == 0 || of_input.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let operands = [&grid.input, &grid.places, &gradient].map(|one| views.input(one));
        let (results, slopes) = if grid.input.dtype() == ACL_DOUBLE {
            // SAFETY: the kernel writes the outputs below, after the last use of these elements.
            let numbers = operands
                .each_ref()
                .map(|one| unsafe { one.numbers::<f64>() });
            slopes::<f64, 8>(&grid, numbers)
        } else {
            // SAFETY: as above.
            let numbers = operands
                .each_ref()
                .map(|one| unsafe { one.numbers::<f32>() });
            match grid.most_near() {
                ..=4 => slopes::<f32, 4>(&grid, numbers),
                _ => slopes::<f32, 8>(&grid, numbers),
            }
        };
        if wants_input {
            views.output(&of_input).put_all(&results);
        }
        if wants_places {
            views.output(&of_places).put_all(&slopes);
        }
    })
}

/// Returns the gradients of the elements and of the places, which have at most `N` elements around them.
fn slopes<W: Real, const N: usize>(
    grid: &Grid,
    [elements, places, gradients]: [Cow<'_, [W]>; 3],
) -> (Vec<f64>, Vec<f64>) {
    let mut results = vec![0.0; elements.len()];
    let mut slopes = vec![0.0; places.len()];
    let [batches, channels] = [0, 1].map(|dim| at(grid.input.shape(), dim));
    let planes = batches * channels;
    let (area, points) = (elements.len() / planes, gradients.len() / planes);
    let dims = places.len() / (batches * points);
    let mut along = Vec::new();
    grid.each(&places, &mut |batch, first, block: &[Place<W, N>]| {
        along.clear();
        along.resize(block.len(), [0.0; 3]);
        for plane in batch * channels..(batch + 1) * channels {
            let of_plane = plane * area..(plane + 1) * area;
            let image = elements.get(of_plane.clone()).unwrap_or_default();
            let sums = results.get_mut(of_plane).unwrap_or_default();
            let start = plane * points + first;
            let gradients = gradients.get(start..start + block.len());
            let gradients = gradients.unwrap_or_default().iter();
            for ((place, gradient), along) in block.iter().zip(gradients).zip(&mut along) {
                let mut parts = [W::ZERO; 3];
                for (index, offset) in place.offsets.iter().enumerate() {
                    let Some((sum, one)) = sums.get_mut(*offset).zip(image.get(*offset)) else {
                        continue;
                    };
                    *sum += (at(&place.weights, index) * *gradient).double();
                    for (part, slopes) in parts.iter_mut().zip(&place.slopes) {
                        *part = *part + at(slopes, index) * *one;
                    }
                }
                for (along, part) in along.iter_mut().zip(parts) {
                    *along += (part * *gradient).double();
                }
            }
        }
        let own = slopes.chunks_mut(dims).skip(batch * points + first);
        for (own, along) in own.zip(&along) {
            for (own, one) in own.iter_mut().zip(along) {
                *own += *one;
            }
        }
    });
    (results, slopes)
}

/// `aclnnRoiAlignV2Backward(gradOutput, boxes, inputShape, pooledHeight, pooledWidth, spatialScale, samplingRatio, aligned,
/// gradInput)`
fn boxes(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(types!(f32)).ranked(4..=4)?;
    let rows = call.input("boxes").like(&gradient)?;
    let shape = images(call, "inputShape")?;
    let out = call.output("gradInput").like(&gradient)?.shaped(&shape)?;
    let [batches, channels, height, width] = [0, 1, 2, 3].map(|dim| at(&shape, dim));
    let boxes = Boxes::new(call, ["pooledHeight", "pooledWidth"], [height, width])?;
    let [lines, columns] = boxes.bins;
    let count = at(gradient.shape(), 0);
    let gradient = gradient.shaped(&[count, channels, lines, columns])?;
    let rows = rows.shaped(&[count, 5])?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let gradients = views.input(&gradient).all::<f64>();
        let numbers = views.input(&rows).all::<f64>();
        let (area, bins) = (height * width, lines * columns);
        let mut results = vec![0.0; out.elements()];
        for (index, row) in numbers.chunks(5).enumerate() {
            // CAST: the number of an image; what is not one is refused below.
            let image = Whole(at(row, 0) as i64);
            let image = views.below_in(&rows, image, batches);
            let (Some(image), Some(ends)) = (image, row.last_chunk::<4>()) else {
                continue;
            };
            boxes.each(ends, &mut |bin, near, _| {
                for channel in 0..channels {
                    let gradient = at(&gradients, (index * channels + channel) * bins + bin);
                    let plane = results.get_mut((image * channels + channel) * area..);
                    let plane = plane.unwrap_or_default();
                    for (offset, weight) in near {
                        if let Some(result) = plane.get_mut(*offset) {
                            *result += weight * gradient;
                        }
                    }
                }
            });
        }
        views.output(&out).put_all(&results);
    })
}
