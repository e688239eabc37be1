//! Gradients of padding, of other sizes of images and of pooling: each element is added where its result came from.

use ascendcl_sys::{ACL_FLOAT, ACL_INT32};

use super::convolution::{Axis, no_window, sizes};
use super::definitions;
use super::weighted::{Sums, Taps, fill_singles, store, store_sums};
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{FLOATING, NUMBERS, SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined};
use crate::op::sums::add;
use crate::results::every;

definitions! {
    aclnnReflectionPad1dBackward = |call: &Call| padded(call, 1, End::Reflected);
    aclnnReflectionPad2dBackward = |call: &Call| padded(call, 2, End::Reflected);
    aclnnReflectionPad3dBackward = |call: &Call| padded(call, 3, End::Reflected);
    aclnnReplicationPad1dBackward = |call: &Call| padded(call, 1, End::Repeated);
    aclnnReplicationPad2dBackward = |call: &Call| padded(call, 2, End::Repeated);
    aclnnReplicationPad3dBackward = |call: &Call| padded(call, 3, End::Repeated);
    aclnnCircularPad2dBackward = |call: &Call| padded(call, 2, End::Circular);
    aclnnCircularPad3dBackward = |call: &Call| padded(call, 3, End::Circular);
    aclnnUpsampleNearest1dBackward, aclnnUpsampleNearest2dBackward, aclnnUpsampleNearest3dBackward =
        |call: &Call| resized(call, nearest);
    aclnnUpsampleNearestExact1dBackward, aclnnUpsampleNearestExact2dBackward, aclnnUpsampleNearestExact3dBackward =
        |call: &Call| resized(call, nearest_exact);
    aclnnUpsampleLinear1dBackward, aclnnUpsampleBilinear2dBackwardV2, aclnnUpsampleTrilinear3dBackward =
        |call: &Call| resized(call, linear);
    aclnnUpsampleBilinear2dBackward = |call: &Call| resized(call, linear_of_sizes);
    aclnnUpsampleBicubic2dBackward = |call: &Call| resized(call, cubic);
    aclnnAvgPool2dBackward = |call: &Call| averaged(call, "gradOutput", "gradInput", 2);
    aclnnAvgPool3dBackward = |call: &Call| averaged(call, "gradOuput", "output", 3);
    aclnnAdaptiveAvgPool2dBackward = |call: &Call| averaged_to_size(call, 2);
    aclnnAdaptiveAvgPool3dBackward = |call: &Call| averaged_to_size(call, 3);
    aclnnMaxPool2dWithIndicesBackward = |call: &Call| largest(call, 2);
    aclnnMaxPool3dWithArgmaxBackward = |call: &Call| largest(call, 3);
    aclnnAdaptiveMaxPool2dBackward = |call: &Call| placed(call, 2);
    aclnnAdaptiveMaxPool3dBackward = |call: &Call| placed(call, 3);
    aclnnIm2colBackward = columns;
    aclnnMaxUnpool2dBackward = |call: &Call| taken(call, 2);
    aclnnMaxUnpool3dBackward = |call: &Call| taken(call, 3);
}

/// Plans to spread a gradient along its last dimensions, each with its size in the operand and its size in the result. `taps`
/// gets the index of a dimension and a place of the result. The output has the shape of the operand.
fn spread(
    call: &Call,
    gradient: Input,
    out: Output,
    sizes: &[[usize; 2]],
    taps: &dyn Fn(usize, usize) -> Taps,
) -> Result<Plan, Refusal> {
    let kept = out.shape().len().saturating_sub(sizes.len());
    let kept = out.shape().get(..kept).unwrap_or_default();
    let ends: Vec<_> = sizes.iter().map(|[_, end]| *end).collect();
    let gradient = gradient.shaped(&joined(kept, &ends))?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    // Places are made for elements that are there, and not for sizes that the program says.
    let mut maps = Vec::with_capacity(sizes.len());
    for (index, [size, end]) in sizes.iter().enumerate() {
        let end = if gradient.elements() == 0 { 0 } else { *end };
        maps.push((
            *size,
            Vec::from_iter((0..end).map(|place| taps(index, place))),
        ));
    }
    call.plan(move |views| {
        let maps = maps.iter().map(|(size, taps)| Sums::back(*size, taps));
        store_sums(views, (&gradient, &out), &Vec::from_iter(maps), 1.0);
    })
}

/// Checks a gradient, the operand and its gradient, which have `dims` dimensions behind those of the batch. Returns the sizes
/// of these dimensions, too.
fn operands(
    call: &Call,
    [gradient, out]: [&'static str; 2],
    types: crate::op::dtype::Types,
    dims: usize,
) -> Result<(Input, Output, Vec<usize>), Refusal> {
    let gradient = call.input(gradient).of(types)?;
    let input = call.input("self").like(&gradient);
    let input = input.ranked(dims + 1..=dims + 2)?;
    let out = call.output(out).like(&gradient).shaped(input.shape())?;
    let (_, sizes) = input.shape().split_at(input.shape().len() - dims);
    Ok((gradient, out, sizes.to_vec()))
}

/// How an operand went on behind its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Reflected,
    Repeated,
    Circular,
}

/// `(gradOutput, self, padding, gradInput)`: the last dimension stands first in `padding`.
fn padded(call: &Call, dims: usize, end: End) -> Result<Plan, Refusal> {
    let names = ["gradOutput", "gradInput"];
    let (gradient, out, shape) = operands(call, names, FLOATING, dims)?;
    let pads = sizes(call, "padding", &[2 * shape.len()], 2)?;
    let mut ends = Vec::with_capacity(shape.len());
    for (index, size) in shape.iter().copied().enumerate() {
        let first = 2 * (shape.len() - 1 - index);
        let (before, after) = (at(&pads, first), at(&pads, first + 1));
        let most = match end {
            End::Reflected => size.saturating_sub(1),
            End::Repeated => usize::MAX,
            End::Circular => size,
        };
        if before.max(after) > most || size == 0 && end != End::Repeated {
            return Err(Refusal::invalid(format_args!(
                "padding {pads:?} is too large for the sizes {shape:?}"
            )));
        }
        ends.push([size, before + size + after]);
    }
    spread(call, gradient, out, &ends, &|dim, index| {
        let (size, before) = (at(&shape, dim), at(&pads, 2 * (shape.len() - 1 - dim)));
        let last = size.saturating_sub(1);
        let place = match end {
            End::Repeated => index.saturating_sub(before).min(last),
            End::Circular => (index + size - before) % size,
            End::Reflected if index < before => before - index,
            End::Reflected => {
                let place = index - before;
                place.min((2 * last).saturating_sub(place))
            }
        };
        vec![(place, 1.0)]
    })
}

/// A dimension of an image that gets another size.
#[derive(Clone, Copy)]
pub(super) struct Resized {
    pub(super) size: usize,
    pub(super) out: usize,
    /// The factor that the program gives; 0 stands for the quotient of both sizes.
    pub(super) scale: f64,
    pub(super) is_aligned: bool,
}

impl Resized {
    /// Returns the place of the operand at `offset` behind the beginning of an element.
    fn place(self, index: usize, offset: f64) -> f64 {
        // CAST: sizes of images, which are exact.
        let (size, out, index) = (self.size as f64, self.out as f64, index as f64 + offset);
        if self.scale > 0.0 {
            return index / self.scale;
        }
        index * size / out
    }

    /// Returns the place of the operand at the center of an element.
    fn center(self, index: usize) -> f64 {
        if self.is_aligned {
            // CAST: sizes of images, which are exact.
            let (size, out) = (self.size as f64, self.out as f64);
            return index as f64 * (size - 1.0) / (out - 1.0).max(1.0);
        }
        self.place(index, 0.5) - 0.5
    }

    /// Returns a place inside.
    fn inside(self, place: f64) -> usize {
        // CAST: a place in an image; one in front of it becomes 0.
        (place as usize).min(self.size - 1)
    }
}

fn nearest(axis: Resized, index: usize) -> Taps {
    vec![(axis.inside(axis.place(index, 0.0)), 1.0)]
}

fn nearest_exact(axis: Resized, index: usize) -> Taps {
    vec![(axis.inside(axis.place(index, 0.5)), 1.0)]
}

fn linear(axis: Resized, index: usize) -> Taps {
    let place = axis.center(index).max(0.0);
    let part = place.fract();
    let (first, second) = (axis.inside(place), axis.inside(place + 1.0));
    vec![(first, 1.0 - part), (second, part)]
}

/// Interpolates as [`linear`] does, without the program's scale: CANN's first version doesn't read it.
fn linear_of_sizes(axis: Resized, index: usize) -> Taps {
    linear(Resized { scale: 0.0, ..axis }, index)
}

fn cubic(axis: Resized, index: usize) -> Taps {
    /// What the curve of PyTorch and of CANN has.
    const A: f64 = -0.75;
    let place = axis.center(index);
    let part = place - place.floor();
    let near = |x: f64| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
    let weights = [
        far(part + 1.0),
        near(part),
        near(1.0 - part),
        far(2.0 - part),
    ];
    let steps = [-1.0, 0.0, 1.0, 2.0];
    let taps = steps.into_iter().zip(weights);
    taps.map(|(step, weight)| (axis.inside(place.floor() + step), weight))
        .collect()
}

/// `(gradOut, outputSize, inputSize, alignCorners, scales.., gradInput)`; the gradients of the nearest elements have no
/// `alignCorners`.
pub(super) fn resized(call: &Call, taps: fn(Resized, usize) -> Taps) -> Result<Plan, Refusal> {
    let named = |one, other| if call.has(one) { one } else { other };
    let scales: &[_] = if call.has("scales") {
        &["scales"]
    } else if call.has("scalesD") {
        &["scalesD", "scalesH", "scalesW"]
    } else {
        &["scalesH", "scalesW"]
    };
    let dims = scales.len();
    let gradient = call.input(named("gradOut", "gradOutput")).of(SINGLE)?;
    let out = call.output(named("gradInput", "out")).like(&gradient)?;
    let wanted = sizes(call, "outputSize", &[dims], dims)?;
    let shape = sizes(call, "inputSize", &[dims + 2], dims + 2)?;
    let is_aligned = call.has("alignCorners") && call.flag("alignCorners")?;
    if shape.iter().skip(2).chain(&wanted).any(|size| *size == 0) {
        return Err(Refusal::invalid(format_args!(
            "inputSize is {shape:?} and outputSize {wanted:?}; each size is at least 1"
        )));
    }
    let out = out.shaped(&shape)?;
    let pairs = scales.iter().zip(shape.iter().skip(2).zip(wanted));
    let axes: Vec<_> = every(pairs.map(|(scale, (size, out))| {
        Ok(Resized {
            size: *size,
            out,
            scale: call.floating(scale)?,
            is_aligned,
        })
    }))?;
    let sizes: Vec<_> = axes.iter().map(|axis| [axis.size, axis.out]).collect();
    spread(call, gradient, out, &sizes, &|dim, index| {
        axes.get(dim)
            .map(|axis| taps(*axis, index))
            .unwrap_or_default()
    })
}

/// Returns the windows of pooling in each dimension.
fn windows(
    call: &Call,
    gradient: &Input,
    shape: &[usize],
    kernel: &[usize],
) -> Result<Vec<Axis>, Refusal> {
    let lengths = [1, shape.len()];
    let stride = sizes(call, "stride", &[0, 1, shape.len()], shape.len())?;
    let stride = if stride.is_empty() { kernel } else { &stride };
    let padding = sizes(call, "padding", &lengths, shape.len())?;
    let is_ceiled = call.flag("ceilMode")?;
    if padding
        .iter()
        .zip(kernel)
        .any(|(pad, kernel)| *pad > kernel / 2)
    {
        return Err(Refusal::invalid(format_args!(
            "padding {padding:?} is above half of kernelSize {kernel:?}"
        )));
    }
    every(shape.iter().enumerate().map(|(index, size)| {
        let pads = [at(&padding, index); 2];
        let axis = Axis::new(*size, at(kernel, index), at(stride, index), pads, 1);
        let axis = axis.ok_or_else(|| no_window(gradient))?;
        Ok(if is_ceiled { axis.ceiled(pads) } else { axis })
    }))
}

/// `(gradOutput, self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride, .., gradInput)`
fn averaged(
    call: &Call,
    gradient: &'static str,
    out: &'static str,
    dims: usize,
) -> Result<Plan, Refusal> {
    let (gradient, out, shape) = operands(call, [gradient, out], SINGLE, dims)?;
    let kernel = sizes(call, "kernelSize", &[1, dims], dims)?;
    let axes = windows(call, &gradient, &shape, &kernel)?;
    let divisor = call.whole("divisorOverride")?;
    let counts_pads = call.flag("countIncludePad")?;
    let sizes: Vec<_> = axes.iter().map(|axis| [axis.size, axis.out]).collect();
    spread(call, gradient, out, &sizes, &|dim, position| {
        let Some(axis) = axes.get(dim) else {
            return Taps::new();
        };
        let taps = axis.taps(position);
        let places: Vec<_> = taps.filter_map(|tap| axis.at(position, tap)).collect();
        // A window that reaches beyond the padding counts only the part inside of it.
        let padded = axis.size + 2 * axis.before;
        let reach = padded.saturating_sub(position * axis.stride);
        // CAST: numbers of elements, which are exact.
        let count = match divisor {
            0 if counts_pads => axis.kernel.min(reach) as f64,
            0 => places.len() as f64,
            // The divisor of all dimensions together.
            _ if dim > 0 => 1.0,
            divisor => divisor as f64,
        };
        places
            .into_iter()
            .map(|place| (place, 1.0 / count))
            .collect()
    })
}

/// `(gradOutput, self, out)`
fn averaged_to_size(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let (gradient, out, shape) = operands(call, ["gradOutput", "out"], SINGLE, dims)?;
    let gradient = gradient.ranked(out.shape().len()..=out.shape().len())?;
    let kept = out.shape().len() - dims;
    let wanted = gradient.shape().iter().skip(kept).copied();
    let sizes: Vec<_> = shape
        .iter()
        .copied()
        .zip(wanted)
        .map(<[_; 2]>::from)
        .collect();
    spread(call, gradient, out, &sizes, &|dim, index| {
        let [size, wanted] = at(&sizes, dim);
        let block = index * size / wanted..((index + 1) * size).div_ceil(wanted);
        // CAST: a number of elements, which is exact.
        let weight = 1.0 / block.len() as f64;
        block.map(|place| (place, weight)).collect()
    })
}

/// `(gradOutput, self, indices, kernelSize, stride, padding, dilation, ceilMode, gradInput)`
fn largest(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let (gradient, out, shape) = operands(call, ["gradOutput", "gradInput"], SINGLE, dims)?;
    let dilation = sizes(call, "dilation", &[1, dims], dims)?;
    if dilation.iter().any(|one| *one != 1) {
        return Err(Refusal::invalid(format_args!(
            "dilation is {dilation:?}; it is 1"
        )));
    }
    let kernel = sizes(call, "kernelSize", &[1, dims], dims)?;
    let axes = windows(call, &gradient, &shape, &kernel)?;
    let places: Vec<_> = axes.iter().map(|axis| axis.out).collect();
    let (kept, _) = out.shape().split_at(out.shape().len() - dims);
    gradient.shaped(&joined(kept, &places))?;
    placed(call, dims)
}

/// `(gradOutput, self, indices, .., gradInput)`: an index counts the elements of its image.
fn placed(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let (gradient, out, shape) = operands(call, ["gradOutput", "gradInput"], SINGLE, dims)?;
    let rank = out.shape().len();
    let gradient = gradient.ranked(rank..=rank)?;
    let indices = call.input("indices").of(types!(s32 s64));
    let indices = indices.shaped(gradient.shape())?;
    let batch = move |shape: &[usize]| shape.iter().take(rank - dims).product::<usize>();
    if batch(gradient.shape()) != batch(out.shape()) {
        return Err(Refusal::invalid(format_args!(
            "gradOutput {:?} has another batch than self {:?}",
            gradient.shape(),
            out.shape()
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let image: usize = shape.iter().product();
    call.plan(move |views| {
        let (numbers, places) = (views.input(&gradient), views.input(&indices));
        // SAFETY: the kernel writes the output after the last use of these elements, or where no operand has memory.
        let numbers = unsafe { numbers.numbers::<f32>() };
        let count = (gradient.elements() / batch(out.shape()).max(1)).max(1);
        // Indices of 32 bits are converted when the turn of their image has come, so that they stay in the cache.
        let is_read = indices.tensor.is_contiguous() && indices.dtype() == ACL_INT32;
        // SAFETY: as above.
        let all = (!is_read).then(|| unsafe { places.numbers::<Whole>() });
        let mut room = vec![Whole(0); if is_read { count } else { 0 }];
        // The sums of an image are rounded once, in the end. Where one number at most is at each place, it is the sum.
        let mut sums = vec![0.0; image];
        let are_halves = out.dtype() != ACL_FLOAT;
        let operands = [gradient.slot, indices.slot];
        fill_singles(views, &out, &operands, |results| {
            for (index, results) in results.chunks_mut(image.max(1)).enumerate() {
                results.fill(0.0);
                let own = index * count..(index + 1) * count;
                let Some(numbers) = numbers.get(own.clone()) else {
                    continue;
                };
                let here = match &all {
                    Some(all) => all.get(own).unwrap_or_default(),
                    None => {
                        places.read(index * count, 1, &mut room);
                        &room
                    }
                };
                // The bits of what was at the places before.
                let mut before = 0;
                for (number, place) in numbers.iter().zip(here) {
                    let Some(result) = place.below(image).and_then(|one| results.get_mut(one))
                    else {
                        let _ = views.below_in(&indices, *place, image);
                        continue;
                    };
                    before |= result.to_bits();
                    *result += *number;
                }
                if before == 0 {
                    continue;
                }
                sums.fill(0.0);
                for (number, place) in numbers.iter().zip(here) {
                    if let Some(sum) = place.below(image).and_then(|place| sums.get_mut(place)) {
                        *sum += f64::from(*number);
                    }
                }
                store(results, &sums, are_halves);
            }
        });
    })
}

/// `(gradOutput, self, indices, outputSize, .., out)`: an index counts the elements of the larger image, whose gradient is given.
fn taken(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(NUMBERS)?;
    let input = call.input("self").like(&gradient);
    let input = input.ranked(dims + 1..=dims + 2)?;
    let indices = call.input("indices").of(types!(s64 s32));
    let indices = indices.shaped(input.shape())?;
    let out = call.output("out").like(&gradient).shaped(input.shape())?;
    let wanted = sizes(call, "outputSize", &[dims], dims)?;
    let (kept, own) = input.shape().split_at(input.shape().len() - dims);
    let gradient = gradient.shaped(&joined(kept, &wanted))?;
    let (area, image) = (
        own.iter().product::<usize>(),
        wanted.iter().product::<usize>(),
    );
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let numbers = views.input(&gradient).all_bits();
        let places = views.input(&indices).all::<Whole>();
        let mut results = Vec::with_capacity(places.len());
        for (index, place) in places.into_iter().enumerate() {
            let place = views.below_in(&indices, place, image);
            let first = index / area * image;
            results.push(place.map_or(0, |place| at(&numbers, first + place)));
        }
        views.output(&out).put_all_bits(&results);
    })
}

/// `aclnnIm2colBackward(gradOutput, inputSize, kernelSize, dilation, padding, stride, out)`: each element of a column is added at
/// its place in the image.
fn columns(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("gradOutput").of(SINGLE).ranked(2..=3)?;
    let list = |name| sizes(call, name, &[2], 2);
    let (image, kernel) = (list("inputSize")?, list("kernelSize")?);
    let (dilation, padding) = (list("dilation")?, list("padding")?);
    let stride = list("stride")?;
    let axis = |index: usize| {
        Axis::new(
            at(&image, index),
            at(&kernel, index),
            at(&stride, index),
            [at(&padding, index); 2],
            at(&dilation, index),
        )
    };
    let (Some(height), Some(width)) = (axis(0), axis(1)) else {
        return Err(no_window(&gradient));
    };
    let (batch, last) = gradient.shape().split_at(gradient.shape().len() - 2);
    let taps = height.kernel * width.kernel;
    let places = height.out * width.out;
    if taps == 0 || !at(last, 0).is_multiple_of(taps) || at(last, 1) != places {
        return Err(Refusal::invalid(format_args!(
            "gradOutput {:?} has not {taps} rows for each channel, or not {places} columns",
            gradient.shape()
        )));
    }
    let shape = joined(batch, &[at(last, 0) / taps, at(&image, 0), at(&image, 1)]);
    let out = call.output("out").like(&gradient)?.shaped(&shape)?;
    if out.elements() == 0 || places == 0 {
        return Ok(call.nothing());
    }
    let area = at(&image, 0) * at(&image, 1);
    call.plan(move |views| {
        let gradients = views.input(&gradient);
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let gradients = unsafe { gradients.numbers::<f32>() };
        let mut results = vec![0.0_f32; out.elements()];
        // A plane is rounded once, after all sums.
        let mut sums = vec![0.0; area];
        for (row, columns) in gradients.chunks(places).enumerate() {
            let (plane, tap) = (row / taps, row % taps);
            let (h, w) = (tap / width.kernel, tap % width.kernel);
            for y in height.reached(h) {
                let line = (y * height.stride + h * height.dilation).saturating_sub(height.before);
                let xs = width.reached(w);
                let first = xs.start * width.stride + w * width.dilation;
                let place = line * width.size + first.saturating_sub(width.before);
                let line = sums.get_mut(place..).unwrap_or_default();
                let (start, count) = (y * width.out + xs.start, xs.len());
                let columns = columns.get(start..start + count).unwrap_or_default();
                if width.stride == 1 {
                    let line = line.get_mut(..count).unwrap_or_default();
                    add(line, columns);
                    continue;
                }
                for (sum, one) in line.iter_mut().step_by(width.stride).zip(columns) {
                    *sum += f64::from(*one);
                }
            }
            if tap + 1 == taps {
                let results = results.get_mut(plane * area..).unwrap_or_default();
                store(results.get_mut(..area).unwrap_or_default(), &sums, false);
                sums.fill(0.0);
            }
        }
        views.output(&out).put_all(&results);
    })
}
