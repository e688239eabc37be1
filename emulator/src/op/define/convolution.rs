//! Convolutions, and the window that slides along a dimension.

use ascendcl_sys::{ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL};

use super::definitions;
use super::slide::Slide;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::SINGLE;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined};
use crate::op::tensor::Tensor;
use crate::results::{every, every_some, list_of};

definitions! {
    aclnnConvolution = convolution;
    aclnnConvDepthwise2d = depthwise;
}

/// A window that slides along one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) size: usize,
    pub(super) out: usize,
    pub(super) kernel: usize,
    pub(super) stride: usize,
    pub(super) before: usize,
    pub(super) dilation: usize,
}

impl Axis {
    /// A dimension that the tensor lacks.
    const ONE: Self = Self {
        size: 1,
        out: 1,
        kernel: 1,
        stride: 1,
        before: 0,
        dilation: 1,
    };

    /// Returns the number of positions of the window; `None` if it does not fit once, or if a number is 0.
    pub(super) fn new(
        size: usize,
        kernel: usize,
        stride: usize,
        pads: [usize; 2],
        dilation: usize,
    ) -> Option<Self> {
        let rest = (size + pads[0] + pads[1])
            .checked_sub(kernel.checked_sub(1)?.checked_mul(dilation)? + 1)?;
        if dilation == 0 {
            return None;
        }
        let out = rest.checked_div(stride)? + 1;
        Some(Self {
            size,
            out,
            kernel,
            stride,
            before: pads[0],
            dilation,
        })
    }

    /// Returns the window with one more position if a part of the input is left; the window has to begin inside.
    pub(super) fn ceiled(self, pads: [usize; 2]) -> Self {
        let span = (self.kernel - 1) * self.dilation + 1;
        let rest = self.size + pads[0] + pads[1] - span;
        let out = rest.div_ceil(self.stride) + 1;
        let is_outside = (out - 1) * self.stride >= self.size + pads[0];
        Self {
            out: out - usize::from(is_outside),
            ..self
        }
    }

    /// Returns the position in the input of an element of the window.
    pub(super) fn at(self, out: usize, tap: usize) -> Option<usize> {
        let place = (out * self.stride + tap * self.dilation).checked_sub(self.before)?;
        (place < self.size).then_some(place)
    }

    /// Returns the elements of the window that lie in the input.
    pub(super) fn taps(self, out: usize) -> core::ops::Range<usize> {
        let first = |place: usize| {
            let rest = place.saturating_sub(out * self.stride);
            rest.div_ceil(self.dilation).min(self.kernel)
        };
        first(self.before)..first(self.size + self.before)
    }

    /// Returns the positions of the window at which one of its elements lies in the input.
    pub(super) fn reached(self, tap: usize) -> core::ops::Range<usize> {
        let first = |place: usize| {
            place
                .saturating_sub(tap * self.dilation)
                .div_ceil(self.stride)
        };
        let end = first(self.size + self.before).min(self.out);
        first(self.before).min(end)..end
    }

    /// Returns whether each position of the window is one element of the input, in order.
    pub(super) fn is_plain(self) -> bool {
        let rest = Self {
            size: 1,
            out: 1,
            ..self
        };
        rest == Self::ONE && self.size == self.out
    }
}

/// Reads sizes among the parameters; a shorter list is repeated.
pub(super) fn sizes(
    call: &Call,
    name: &str,
    lengths: &[usize],
    rank: usize,
) -> Result<Vec<usize>, Refusal> {
    let given = call.ints(name)?;
    if !lengths.contains(&given.len()) {
        return Err(Refusal::invalid(format_args!(
            "{name} {given:?} has not {lengths:?} numbers"
        )));
    }
    let sizes = every(given.iter().map(|size| count(name, *size)))?;
    Ok(if sizes.len() == 1 {
        sizes.repeat(rank)
    } else {
        sizes
    })
}

pub(super) fn no_window(input: &Input) -> Refusal {
    Refusal::invalid(format_args!(
        "the window does not fit into {} {:?}",
        input.name,
        input.shape()
    ))
}

/// `aclnnConvolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups, output,
/// cubeMathType)`
fn convolution(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let weight = call.input("weight").like(&input)?;
    let bias = call.optional_input("bias")?;
    let out = call.output("output").like(&input)?;
    check_format(out.name, &out.tensor)?;
    let (slide, shape) = slide(call, &input, &weight, true)?;
    planned(call, (input, weight, bias, out), slide, &shape)
}

/// Reads the attributes of a convolution: the window, and the shape of the result. `has_line_ends` is whether lines may have
/// padding of their own at each end, as images may.
pub(super) fn slide(
    call: &Call,
    input: &Input,
    weight: &Input,
    has_line_ends: bool,
) -> Result<(Slide, Vec<usize>), Refusal> {
    let input = input.ranked(3..=5)?;
    for one in [&input, weight] {
        check_format(one.name, &one.tensor)?;
    }
    let spatial = input.shape().len() - 2;
    let is_transposed = call.flag("transposed")?;
    let stride = sizes(call, "stride", &[spatial], spatial)?;
    let dilation = sizes(call, "dilation", &[spatial], spatial)?;
    // One number for each dimension, or one for each end of it.
    let has_ends = spatial == 2 || spatial == 1 && has_line_ends && !is_transposed;
    let lengths = [spatial, if has_ends { 2 * spatial } else { spatial }];
    let padding = sizes(call, "padding", &lengths, spatial)?;
    let pads = |index: usize| match padding.len() == spatial {
        true => [at(&padding, index); 2],
        false => [at(&padding, 2 * index), at(&padding, 2 * index + 1)],
    };
    let groups = count("groups", call.whole("groups")?)?;
    let extra = call
        .ints("outputPadding")?
        .iter()
        .map(|size| count("outputPadding", *size));
    let extra = every(extra)?;
    if is_transposed {
        check_transposed(&stride, &dilation, &extra)?;
    }
    check_mode(call)?;
    let axes = (0..spatial).map(|index| {
        let (size, kernel) = (at(input.shape(), index + 2), at(weight.shape(), index + 2));
        let (stride, dilation) = (at(&stride, index), at(&dilation, index));
        if is_transposed {
            let span = kernel.checked_sub(1)? * dilation + 1 + at(&extra, index);
            let grown = (size.checked_sub(1)? * stride + span)
                .checked_sub(pads(index)[0] + pads(index)[1])?;
            // The window slides along the output and has as many positions as the input has elements.
            Some(Axis {
                size: grown,
                out: size,
                kernel,
                stride,
                before: pads(index)[0],
                dilation,
            })
        } else {
            Axis::new(size, kernel, stride, pads(index), dilation)
        }
    });
    let axes = every_some(axes).ok_or_else(|| no_window(&input))?;
    fitted(&input, weight, &axes, groups, is_transposed)
}

/// Refuses images whose dimensions have no names (`aclnn_convolution.h`).
pub(super) fn check_format(name: &str, tensor: &Tensor) -> Result<(), Refusal> {
    let format = tensor.format;
    match format {
        ACL_FORMAT_NCL | ACL_FORMAT_NCHW | ACL_FORMAT_NCDHW => Ok(()),
        _ => Err(Refusal::invalid(format_args!(
            "{name} has the format {format:?}; it is ACL_FORMAT_NCL, ACL_FORMAT_NCHW or ACL_FORMAT_NCDHW"
        ))),
    }
}

/// Checks the numbers of a transposed convolution. What it has more at its end is less than the stride or the dilation.
fn check_transposed(stride: &[usize], dilation: &[usize], extra: &[usize]) -> Result<(), Refusal> {
    for (name, numbers) in [("stride", stride), ("dilation", dilation)] {
        if numbers.contains(&0) {
            return Err(Refusal::invalid(format_args!("{name} {numbers:?} has a 0")));
        }
    }
    let mut limits = extra.iter().zip(stride.iter().zip(dilation));
    if extra.len() == stride.len()
        && limits.all(|(extra, (stride, dilation))| extra < stride.max(dilation))
    {
        return Ok(());
    }
    Err(Refusal::invalid(format_args!(
        "outputPadding {extra:?} does not go with stride {stride:?} and dilation {dilation:?}"
    )))
}

fn check_mode(call: &Call) -> Result<(), Refusal> {
    match call.whole("cubeMathType")? {
        0..=4 => Ok(()),
        mode => Err(Refusal::invalid(format_args!(
            "cubeMathType is {mode}; it is 0 to 4"
        ))),
    }
}

/// `aclnnConvDepthwise2d(self, weight, kernelSize, bias, stride, padding, dilation, out, cubeMathType)`
fn depthwise(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let weight = call.input("weight").like(&input)?;
    let bias = call.optional_input("bias")?;
    let out = call.output("out").like(&input)?;
    let (input, weight) = (input.ranked(4..=4)?, weight.ranked(4..=4)?);
    for (name, tensor) in [
        (input.name, &input.tensor),
        (weight.name, &weight.tensor),
        (out.name, &out.tensor),
    ] {
        check_format(name, tensor)?;
    }
    let sizes = |name| sizes(call, name, &[2], 2);
    let (kernel, stride) = (sizes("kernelSize")?, sizes("stride")?);
    let (padding, dilation) = (sizes("padding")?, sizes("dilation")?);
    if Some(kernel.as_slice()) != weight.shape().get(2..) {
        return Err(Refusal::invalid(format_args!(
            "kernelSize {kernel:?} is not that of weight {:?}",
            weight.shape()
        )));
    }
    check_mode(call)?;
    let axes = (0..2).map(|index| {
        let pads = [at(&padding, index); 2];
        Axis::new(
            at(input.shape(), index + 2),
            at(&kernel, index),
            at(&stride, index),
            pads,
            at(&dilation, index),
        )
    });
    let axes = every_some(axes).ok_or_else(|| no_window(&input))?;
    let groups = at(input.shape(), 1);
    let (slide, shape) = fitted(&input, &weight, &axes, groups, false)?;
    planned(call, (input, weight, bias, out), slide, &shape)
}

/// Checks that filters fit an image: the window, and the shape of the result.
fn fitted(
    input: &Input,
    weight: &Input,
    own: &[Axis],
    groups: usize,
    is_transposed: bool,
) -> Result<(Slide, Vec<usize>), Refusal> {
    let mut axes = [Axis::ONE; 3];
    for (axis, own) in axes.iter_mut().skip(3 - own.len()).zip(own) {
        *axis = *own;
    }
    let (first, second) = (at(weight.shape(), 0), at(weight.shape(), 1));
    let given = at(input.shape(), 1);
    let (beside, results) = match is_transposed {
        true => (first, second * groups),
        false => (second * groups, first),
    };
    let divides = groups > 0 && given.is_multiple_of(groups) && results.is_multiple_of(groups);
    if weight.shape().len() != input.shape().len() || beside != given || !divides {
        return Err(Refusal::invalid(format_args!(
            "weight {:?} with {groups} groups does not fit {} {:?}",
            weight.shape(),
            input.name,
            input.shape()
        )));
    }
    let spatial = own
        .iter()
        .map(|axis| if is_transposed { axis.size } else { axis.out });
    let shape = joined(&[at(input.shape(), 0), results], &list_of(spatial));
    let slide = Slide {
        axes,
        channels: [given / groups, results / groups],
        is_transposed,
    };
    Ok((slide, shape))
}

fn planned(
    call: &Call,
    (input, weight, bias, out): (Input, Input, Option<Input>, Output),
    slide: Slide,
    shape: &[usize],
) -> Result<Plan, Refusal> {
    let (batches, results) = (at(shape, 0), at(shape, 1));
    if let Some(bias) = bias
        && bias.of(SINGLE)?.elements() != results
    {
        return Err(Refusal::invalid(format_args!(
            "bias {:?} has not {results} elements",
            bias.shape()
        )));
    }
    let out = out.shaped(shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let (input, weight) = (views.input(&input), views.input(&weight));
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let input = unsafe { input.numbers() };
        // SAFETY: as above.
        let weight = unsafe { weight.numbers() };
        let mut results = slide.run(&input, &weight, out.elements());
        if let Some(bias) = &bias {
            let bias = views.input(bias).all::<f32>();
            let area = results.len() / (batches * bias.len()).max(1);
            for (index, plane) in results.chunks_mut(area.max(1)).enumerate() {
                let bias = at(&bias, index % bias.len().max(1));
                plane.iter_mut().for_each(|one| *one += bias);
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Checks the operands of a convolution along the first of three dimensions, of which the last are the channels. Returns the
/// operand, the weight and the bias; the number of steps; and the sizes of both, with the pad.
#[cfg(any(feature = "more-operators", feature = "training"))]
pub(super) fn along_first(
    call: &Call,
    name: &'static str,
) -> Result<([Input; 3], usize, [usize; 6]), Refusal> {
    let input = call.input(name).of(SINGLE).ranked(3..=3)?;
    let weight = call.input("weight").like(&input)?.ranked(3..=3)?;
    let [times, batches, channels] = [0, 1, 2].map(|dim| at(input.shape(), dim));
    let [taps, others, width] = [0, 1, 2].map(|dim| at(weight.shape(), dim));
    let pad = count("pad", call.whole("pad")?)?;
    let steps = (times + 2 * pad + 1).checked_sub(taps);
    let Some(steps) = steps.filter(|_| taps > 0 && others == channels) else {
        return Err(Refusal::invalid(format_args!(
            "weight {:?} does not go with {name} {:?} and pad {pad}",
            weight.shape(),
            input.shape()
        )));
    };
    let bias = call.input("bias").like(&input)?.shaped(&[width])?;
    let sizes = [times, batches, channels, taps, width, pad];
    Ok(([input, weight, bias], steps, sizes))
}
