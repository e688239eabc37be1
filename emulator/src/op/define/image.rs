//! Sliding windows and sizes of images.

use super::convolution::{Axis, no_window, sizes};
use super::definitions;
use super::index::ONE;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::moves::{Mover, Part};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined};
use crate::op::shape::{Dims, Loop};
use crate::op::sums::total;
use crate::op::tensor::Tensor;

definitions! {
    aclnnIm2col = columns;
    aclnnAvgPool2d = average;
    aclnnAdaptiveAvgPool2d = average_to_size;
    aclnnMaxPool = largest;
    aclnnMaxPool2dWithIndices = largest_with_places;
    aclnnUpsampleNearest2d = nearest;
    aclnnUpsampleBilinear2d = bilinear;
}

/// Checks an operator on images, which are the last two dimensions, and returns their size.
fn images(
    call: &Call,
    ranks: core::ops::RangeInclusive<usize>,
) -> Result<(Input, Output, [usize; 2]), Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let out = call.output("out").like(&input)?;
    let input = input.ranked(ranks)?;
    let size = input.shape().last_chunk::<2>().copied().unwrap_or_default();
    Ok((input, out, size))
}

/// Returns the shape of images of another size.
fn resized(input: &Input, size: [usize; 2]) -> Vec<usize> {
    let kept = input.shape().len() - 2;
    joined(input.shape().get(..kept).unwrap_or_default(), &size)
}

/// The computation of a line of the output from an image and its number. The line has zeros before.
type Row = Box<dyn Fn(&[f32], usize, &mut [f64]) + Send + Sync>;

/// Plans to compute each line of the output from an image in single precision and its number.
fn each_row(
    call: &Call,
    (input, out): (Input, Output),
    [height, width]: [usize; 2],
    compute: Row,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let [rows, columns] = out.shape().last_chunk::<2>().copied().unwrap_or_default();
    call.plan(move |views| {
        let view = views.input(&input);
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let elements = unsafe { view.numbers() };
        // Images without elements give 0.
        let mut results = vec![0.0; out.elements()];
        let images = elements.chunks((height * width).max(1));
        for (image, results) in images.zip(results.chunks_mut((rows * columns).max(1))) {
            for (row, results) in results.chunks_mut(columns.max(1)).enumerate() {
                compute(image, row, results);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Plans to compute each line of the output from an image and its position.
fn each_line(
    call: &Call,
    (input, out): (Input, Output),
    [height, width]: [usize; 2],
    compute: Box<dyn Fn(&[f64], usize, &mut [f64]) + Send + Sync>,
) -> Result<Plan, Refusal> {
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let [rows, columns] = out.shape().last_chunk::<2>().copied().unwrap_or_default();
    call.plan(move |views| {
        let elements = views.input(&input).all::<f64>();
        let mut results = vec![0.0; out.elements()];
        let images = elements.chunks((height * width).max(1));
        for (image, results) in images.zip(results.chunks_mut((rows * columns).max(1))) {
            for (row, results) in results.chunks_mut(columns.max(1)).enumerate() {
                compute(image, row, results);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// `aclnnIm2col(self, kernelSize, dilation, padding, stride, out)`
fn columns(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, [height, width]) = images(call, 3..=4)?;
    let sizes = |name| sizes(call, name, &[2], 2);
    let (kernel, dilation) = (sizes("kernelSize")?, sizes("dilation")?);
    let (padding, stride) = (sizes("padding")?, sizes("stride")?);
    let axis = |index: usize, size| {
        Axis::new(
            size,
            at(&kernel, index),
            at(&stride, index),
            [at(&padding, index); 2],
            at(&dilation, index),
        )
    };
    let (Some(height), Some(width)) = (axis(0, height), axis(1, width)) else {
        return Err(no_window(&input));
    };
    let (batch, channels) = input.shape().split_at(input.shape().len() - 3);
    let channels = at(channels, 0);
    let rows = channels * height.kernel * width.kernel;
    let shape = joined(batch, &[rows, height.out * width.out]);
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    // Each element of the window has a row of the output for each channel.
    let (mut parts, taps) = (Vec::new(), height.kernel * width.kernel);
    let (from, to) = (
        input.tensor.strides.as_slice(),
        out.tensor.strides.as_slice(),
    );
    let last = from.len() - 1;
    let (row, column) = (at(to, last - 2), at(to, last - 1));
    for tap in 0..taps {
        let (h, w) = (tap / width.kernel, tap % width.kernel);
        let (ys, xs) = (height.reached(h), width.reached(w));
        let first = |axis: Axis, start: usize, tap: usize| {
            (start * axis.stride + tap * axis.dilation).saturating_sub(axis.before)
        };
        let mut loops = vec![
            Loop::new(channels, at(from, last - 2), row * taps),
            Loop::new(
                ys.len(),
                height.stride * at(from, last - 1),
                width.out * column,
            ),
            Loop::new(xs.len(), width.stride * at(from, last), column),
        ];
        if let Some(count) = batch.first() {
            loops.push(Loop::new(*count, at(from, 0), at(to, 0)));
        }
        let start = first(height, ys.start, h) * at(from, last - 1)
            + first(width, xs.start, w) * at(from, last);
        let place = tap * row + (ys.start * width.out + xs.start) * column;
        parts.push(Part::new(&loops, start, place));
    }
    call.plan(move |views| {
        let mut mover = Mover::new(views, &input, &out);
        Mover::of_bits(views, 0, &out).part(&Part::filled(&out));
        parts.iter().for_each(|part| mover.part(part));
    })
}

/// Returns both axes of a pooling window.
fn pool(
    input: &Input,
    [height, width]: [usize; 2],
    (kernel, stride, pads, dilation): (&[usize], &[usize], [[usize; 2]; 2], &[usize]),
    is_ceiled: bool,
) -> Result<[Axis; 2], Refusal> {
    let axis = |index: usize, size: usize| {
        let pads = at(&pads, index);
        let axis = Axis::new(
            size,
            at(kernel, index),
            at(stride, index),
            pads,
            at(dilation, index),
        )?;
        Some(if is_ceiled { axis.ceiled(pads) } else { axis })
    };
    match (axis(0, height), axis(1, width)) {
        (Some(height), Some(width)) => Ok([height, width]),
        _ => Err(no_window(input)),
    }
}

/// `aclnnAvgPool2d(self, kernelSize, strides, paddings, ceilMode, countIncludePad, divisorOverride, cubeMathType, out)`
fn average(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size) = images(call, 3..=4)?;
    let kernel = sizes(call, "kernelSize", &[1, 2], 2)?;
    let stride = sizes(call, "strides", &[0, 1, 2], 2)?;
    let stride = if stride.is_empty() {
        kernel.clone()
    } else {
        stride
    };
    let padding = sizes(call, "paddings", &[1, 2], 2)?;
    if padding
        .iter()
        .zip(&kernel)
        .any(|(pad, kernel)| *pad > kernel / 2)
    {
        return Err(Refusal::invalid(format_args!(
            "paddings {padding:?} is above half of kernelSize {kernel:?}"
        )));
    }
    let divisor = call.whole("divisorOverride")?;
    let (counts_pads, is_ceiled) = (call.flag("countIncludePad")?, call.flag("ceilMode")?);
    let pads = [[at(&padding, 0); 2], [at(&padding, 1); 2]];
    let [height, width] = pool(&input, size, (&kernel, &stride, pads, &[1, 1]), is_ceiled)?;
    let out = out.shaped(&resized(&input, [height.out, width.out]))?;
    // A window that reaches beyond the padding counts only the part inside of it.
    let reach = |axis: Axis, at: usize| {
        let start = at * axis.stride;
        axis.kernel
            .min((axis.size + 2 * axis.before).saturating_sub(start))
    };
    let compute = move |image: &[f32], row: usize, sums: &mut [f64]| {
        each_tap([height, width], row, &mut |places, first| {
            let from = image.get(first..).unwrap_or_default();
            let sums = sums.get_mut(places).unwrap_or_default();
            for (sum, one) in sums.iter_mut().zip(from.iter().step_by(width.stride)) {
                *sum += f64::from(*one);
            }
        });
        let [line, inside] = [reach(height, row), height.taps(row).len()];
        for (column, sum) in sums.iter_mut().enumerate() {
            // CAST: numbers of elements, which are exact.
            *sum /= match divisor {
                0 if counts_pads => (line * reach(width, column)) as f64,
                0 => (inside * width.taps(column).len()) as f64,
                divisor => divisor as f64,
            };
        }
    };
    each_row(call, (input, out), size, Box::new(compute))
}

/// `aclnnAdaptiveAvgPool2d(self, outputSize, out)`
fn average_to_size(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size) = images(call, 3..=4)?;
    let wanted = sizes(call, "outputSize", &[2], 2)?;
    let (rows, columns) = (at(&wanted, 0), at(&wanted, 1));
    let out = out.shaped(&resized(&input, [rows, columns]))?;
    let [height, width] = size;
    let blocks = |size: usize, parts: usize| {
        let mut blocks = Vec::with_capacity(parts);
        for index in 0..parts {
            blocks.push([index * size / parts, ((index + 1) * size).div_ceil(parts)]);
        }
        blocks
    };
    let (ys, xs) = (blocks(height, rows), blocks(width, columns));
    let compute = move |image: &[f32], row: usize, results: &mut [f64]| {
        let [top, bottom] = at(&ys, row);
        for (result, [left, right]) in results.iter_mut().zip(&xs) {
            let mut sum = 0.0;
            if right - left == width {
                // Whole lines are next to each other.
                sum = total(image.get(top * width..bottom * width).unwrap_or_default());
            } else {
                for y in top..bottom {
                    let line = image.get(y * width + left..y * width + right);
                    for one in line.unwrap_or_default() {
                        sum += f64::from(*one);
                    }
                }
            }
            // CAST: a number of elements, which is exact.
            *result = sum / ((bottom - top) * (right - left)) as f64;
        }
    };
    each_row(call, (input, out), size, Box::new(compute))
}

/// Calls a function for each element of a window and a line of the output, with the columns of the output whose element it is,
/// and the place of the first one in the image. The others follow it in the distance of the stride.
fn each_tap(
    [height, width]: [Axis; 2],
    row: usize,
    visit: &mut dyn FnMut(core::ops::Range<usize>, usize),
) {
    // A window can be much larger than its image.
    let last = width.out.saturating_sub(1);
    let taps = width.taps(last).start..width.taps(0).end;
    for h in height.taps(row) {
        let Some(y) = height.at(row, h) else {
            continue;
        };
        for w in taps.clone() {
            let columns = width.reached(w);
            if !columns.is_empty() {
                let x = columns.start * width.stride + w * width.dilation - width.before;
                visit(columns, y * width.size + x);
            }
        }
    }
}

/// Stores the largest element under each window of a line, and its place.
fn largest_of(
    image: &[f32],
    window: [Axis; 2],
    row: usize,
    best: &mut [f32],
    places: &mut [Whole],
) {
    const NONE: Whole = Whole(-1);
    places.fill(NONE);
    let stride = window[1].stride;
    each_tap(window, row, &mut |columns, first| {
        let from = image
            .get(first..)
            .unwrap_or_default()
            .iter()
            .step_by(stride);
        let best = best.get_mut(columns.clone()).unwrap_or_default();
        let places = places.get_mut(columns).unwrap_or_default();
        // CAST: a place is far below the limit.
        let numbers = (first as i64..).step_by(stride).zip(from);
        for ((best, place), (number, one)) in best.iter_mut().zip(places).zip(numbers) {
            let is_better = (*one > *best) | (one.is_nan() & !best.is_nan()) | (*place == NONE);
            (*best, *place) = if is_better {
                (*one, Whole(number))
            } else {
                (*best, *place)
            };
        }
    });
    for (best, place) in best.iter_mut().zip(places) {
        if *place == NONE {
            (*best, *place) = (at(image, 0), Whole(0));
        }
    }
}

/// `aclnnMaxPool(self, kernelShape, strides, autoPad, pads, dilations, ceilMode, out)`: without strides they are 1.
fn largest(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size) = images(call, 3..=4)?;
    let kernel = sizes(call, "kernelShape", &[1, 2], 2)?;
    let stride = sizes(call, "strides", &[0, 1, 2], 2)?;
    let stride = if stride.is_empty() {
        vec![1, 1]
    } else {
        stride
    };
    let padding = sizes(call, "pads", &[0, 1, 2, 4], 2)?;
    let dilations = sizes(call, "dilations", &[0, 1, 2, 4], 2)?;
    if dilations.iter().any(|one| *one != 1) || call.whole("autoPad")? != 0 {
        return Err(Refusal::invalid("autoPad is not 0, or dilations are not 1"));
    }
    let pads = match padding.as_slice() {
        // CANN lists the widths before both dimensions first.
        [top, left, bottom, right] => [[*top, *bottom], [*left, *right]],
        other => [[at(other, 0); 2], [at(other, 1); 2]],
    };
    let window = pool(
        &input,
        size,
        (&kernel, &stride, pads, &[1, 1]),
        call.whole("ceilMode")? != 0,
    )?;
    let [height, width] = window;
    let out = out.shaped(&resized(&input, [height.out, width.out]))?;
    let compute = move |image: &[f32], row: usize, results: &mut [f64]| {
        let (mut best, mut places) = (vec![0.0; width.out], vec![Whole(0); width.out]);
        largest_of(image, window, row, &mut best, &mut places);
        for (result, best) in results.iter_mut().zip(best) {
            *result = best.into();
        }
    };
    each_row(call, (input, out), size, Box::new(compute))
}

/// `aclnnMaxPool2dWithIndices(self, kernelSize, stride, padding, dilation, ceilMode, out, indices)`
fn largest_with_places(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size) = images(call, 3..=4)?;
    let indices = call.output("indices").of(types!(s32 s64))?;
    let kernel = sizes(call, "kernelSize", &[1, 2], 2)?;
    let stride = sizes(call, "stride", &[0, 1, 2], 2)?;
    let stride = if stride.is_empty() {
        kernel.clone()
    } else {
        stride
    };
    let padding = sizes(call, "padding", &[1, 2], 2)?;
    let dilation = sizes(call, "dilation", &[1, 2], 2)?;
    if dilation.iter().any(|one| *one != 1) {
        return Err(Refusal::invalid(format_args!(
            "dilation is {dilation:?}; it is 1"
        )));
    }
    let pads = [[at(&padding, 0); 2], [at(&padding, 1); 2]];
    let window = pool(
        &input,
        size,
        (&kernel, &stride, pads, &dilation),
        call.flag("ceilMode")?,
    )?;
    let [height, width] = window;
    let (rows, columns) = (height.out, width.out);
    let shape = resized(&input, [rows, columns]);
    let (out, indices) = (out.shaped(&shape)?, indices.shaped(&shape)?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let view = views.input(&input);
        // SAFETY: the kernel writes the outputs below, after the last use of these elements.
        let elements = unsafe { view.numbers() };
        let images = elements.chunks((size[0] * size[1]).max(1));
        let count = out.elements();
        let (mut values, mut places) = (vec![0.0; count], vec![Whole(0); count]);
        let lines = values.chunks_mut(columns).zip(places.chunks_mut(columns));
        for ((image, row), (values, places)) in images
            .flat_map(|image| (0..rows).map(move |row| (image, row)))
            .zip(lines)
        {
            largest_of(image, window, row, values, places);
        }
        views.output(&out).put_all(&values);
        views.output(&indices).put_all(&places);
    })
}

/// Checks an operator that resizes images, and returns the new size.
fn resizing(
    call: &Call,
    types: crate::op::dtype::Types,
) -> Result<(Input, Output, [usize; 2], [usize; 2]), Refusal> {
    let input = call.input("self").of(types)?;
    let out = call.output("out").like(&input)?;
    let input = input.ranked(4..=4)?;
    let size = [at(input.shape(), 2), at(input.shape(), 3)];
    let wanted = sizes(call, "outputSize", &[2], 2)?;
    let wanted = [at(&wanted, 0), at(&wanted, 1)];
    let out = out.shaped(&resized(&input, wanted))?;
    if out.elements() > 0 && input.elements() == 0 {
        return Err(Refusal::invalid(format_args!(
            "self {:?} has no elements",
            input.shape()
        )));
    }
    Ok((input, out, size, wanted))
}

/// `aclnnUpsampleNearest2d(self, outputSize, out)`
fn nearest(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size, wanted) = resizing(call, types!(bf16 f16 f32 f64 u8))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let source = |index: usize, axis: usize| index * at(&size, axis) / at(&wanted, axis);
    let step = |tensor: &Tensor, dim: usize| at(tensor.strides.as_slice(), dim);
    let pairs = |axis: usize| {
        let (from, to) = (step(&input.tensor, axis + 2), step(&out.tensor, axis + 2));
        let mut pairs = Vec::with_capacity(at(&wanted, axis));
        for index in 0..at(&wanted, axis) {
            pairs.push([source(index, axis) * from, index * to]);
        }
        pairs
    };
    let (lines, columns) = (pairs(0), pairs(1));
    call.plan(move |views| {
        let outer = |dims: &Dims| dims.filtered(&|index| index < 2);
        let images = outer(&input.tensor.shape);
        let from = images.offsets(outer(&input.tensor.strides));
        let to = images.offsets(outer(&out.tensor.strides));
        let mut starts = Vec::new();
        for (from, to) in from.zip(to) {
            for line in &lines {
                starts.push([from + line[0], to + line[1]]);
            }
        }
        Mover::new(views, &input, &out).blocks(&starts, &columns, &ONE);
    })
}

/// `aclnnUpsampleBilinear2d(self, outputSize, alignCorners, scalesH, scalesW, out)`: a scale of 0 follows from the sizes.
fn bilinear(call: &Call) -> Result<Plan, Refusal> {
    let (input, out, size, wanted) = resizing(call, types!(bf16 f16 f32 f64))?;
    let is_aligned = call.flag("alignCorners")?;
    let scales = [call.floating("scalesH")?, call.floating("scalesW")?];
    // Returns the two elements on both sides of a position, and the weight of the second one.
    let sides = move |index: usize, axis: usize| {
        let (size, wanted) = (at(&size, axis), at(&wanted, axis));
        // CAST: sizes of images, which are exact.
        let (small, large, index) = (size as f64, wanted as f64, index as f64);
        let scale = at(&scales, axis);
        let source = if is_aligned {
            index * (small - 1.0) / (large - 1.0).max(1.0)
        } else {
            let scale = if scale > 0.0 {
                1.0 / scale
            } else {
                small / large
            };
            ((index + 0.5) * scale - 0.5).max(0.0)
        };
        // CAST: a position in the image.
        let first = (source as usize).min(size - 1);
        (first, (first + 1).min(size - 1), source - first as f64)
    };
    let mut columns = Vec::with_capacity(wanted[1]);
    for column in 0..wanted[1] {
        columns.push(sides(column, 1));
    }
    let compute = move |image: &[f64], row: usize, results: &mut [f64]| {
        let (top, bottom, down) = sides(row, 0);
        let line = |y: usize| {
            image
                .get(y * size[1]..(y + 1) * size[1])
                .unwrap_or_default()
        };
        let (upper, lower) = (line(top), line(bottom));
        for (column, result) in results.iter_mut().enumerate() {
            let (left, right, along) = at(&columns, column);
            let mixed = |line: &[f64]| at(line, left) * (1.0 - along) + at(line, right) * along;
            *result = mixed(upper) * (1.0 - down) + mixed(lower) * down;
        }
    };
    each_line(call, (input, out), size, Box::new(compute))
}
