//! Convolutions, and the window that slides along a dimension.

use ascendcl_sys::{ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL};

use super::definitions;
use super::shape::Positions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::SINGLE;
use crate::op::plan::Plan;
use crate::op::product::{Matrix, MatrixMut, add_row, multiply_alone, multiply_matrices};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined};
use crate::op::tensor::Tensor;
use crate::results::{every, every_some, list_of};
use crate::sync::cores::fill;

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
        let out = rest.checked_div(stride).filter(|_| dilation > 0)? + 1;
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
        (out * self.stride + tap * self.dilation)
            .checked_sub(self.before)
            .filter(|one| *one < self.size)
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
    fn is_plain(self) -> bool {
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

/// A checked convolution of images with three dimensions; missing ones have size 1.
struct Convolution {
    input: Input,
    weight: Input,
    bias: Option<Input>,
    out: Output,
    axes: [Axis; 3],
    batches: usize,
    /// The channels of the input and of the output in a group.
    channels: [usize; 2],
    is_transposed: bool,
}

/// `aclnnConvolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups, output,
/// cubeMathType)`
fn convolution(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let weight = call.input("weight").like(&input)?;
    let bias = call.optional_input("bias")?;
    let out = call.output("output").like(&input)?;
    let input = input.ranked(3..=5)?;
    for (name, tensor) in [
        (input.name, &input.tensor),
        (weight.name, &weight.tensor),
        (out.name, &out.tensor),
    ] {
        check_format(name, tensor)?;
    }
    let spatial = input.shape().len() - 2;
    let is_transposed = call.flag("transposed")?;
    let stride = sizes(call, "stride", &[spatial], spatial)?;
    let dilation = sizes(call, "dilation", &[spatial], spatial)?;
    // One number for each dimension, or one for each end of it.
    let has_ends = spatial == 2 || spatial == 1 && !is_transposed;
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
    planned(
        call,
        (input, weight, bias, out),
        &axes,
        groups,
        is_transposed,
    )
}

/// Refuses images whose dimensions have no names (`aclnn_convolution.h`).
fn check_format(name: &str, tensor: &Tensor) -> Result<(), Refusal> {
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
    planned(call, (input, weight, bias, out), &axes, groups, false)
}

fn planned(
    call: &Call,
    (input, weight, bias, out): (Input, Input, Option<Input>, Output),
    own: &[Axis],
    groups: usize,
    is_transposed: bool,
) -> Result<Plan, Refusal> {
    let mut axes = [Axis::ONE; 3];
    for (axis, own) in axes.iter_mut().skip(3 - own.len()).zip(own) {
        *axis = *own;
    }
    let (first, second) = (at(weight.shape(), 0), at(weight.shape(), 1));
    let given = at(input.shape(), 1);
    let results = if is_transposed {
        second * groups
    } else {
        first
    };
    let fits = if is_transposed {
        first == given
    } else {
        second * groups == given
    };
    let divides = groups > 0 && given % groups == 0 && results % groups == 0;
    if weight.shape().len() != input.shape().len() || !fits || !divides {
        return Err(Refusal::invalid(format_args!(
            "weight {:?} with {groups} groups does not fit {} {:?}",
            weight.shape(),
            input.name,
            input.shape()
        )));
    }
    if let Some(bias) = bias
        && bias.of(SINGLE)?.elements() != results
    {
        return Err(Refusal::invalid(format_args!(
            "bias {:?} has not {results} elements",
            bias.shape()
        )));
    }
    let batches = at(input.shape(), 0);
    let spatial = own
        .iter()
        .map(|axis| if is_transposed { axis.size } else { axis.out });
    let shape = joined(&[batches, results], &list_of(spatial));
    let out = out.shaped(&shape)?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    let channels = [given / groups, results / groups];
    let convolution = Convolution {
        input,
        weight,
        bias,
        out,
        axes,
        batches,
        channels,
        is_transposed,
    };
    call.plan(move |views| {
        let (input, weight) = (
            views.input(&convolution.input),
            views.input(&convolution.weight),
        );
        // SAFETY: the kernel writes the output below, after the last use of these elements.
        let input = unsafe { input.numbers() };
        // SAFETY: as above.
        let weight = unsafe { weight.numbers() };
        let mut results = convolution.run(&input, &weight);
        if let Some(bias) = &convolution.bias {
            let bias = views.input(bias).all::<f32>();
            let area = results.len() / (convolution.batches * bias.len()).max(1);
            for (index, plane) in results.chunks_mut(area.max(1)).enumerate() {
                let bias = at(&bias, index % bias.len().max(1));
                plane.iter_mut().for_each(|one| *one += bias);
            }
        }
        views.output(&convolution.out).put_all(&results);
    })
}

/// Elements next to each other along the last dimension: the number of their row in the matrix of columns, their first
/// position of the window, their first place in the image, and how many they are.
struct Run {
    row: usize,
    place: usize,
    image: usize,
    len: usize,
}

/// The number of elements of the matrix of columns that are made at a time: they stay in the caches.
const COLUMNS: usize = 1 << 17;

/// The number of filters for a channel up to which no matrix is worth its copy.
const FEW: usize = 4;

/// The number of multiplications for which another thread is worth its start.
const GRAIN: usize = 4 << 20;

/// Some positions of the window in an image, and the place of their results.
struct Strip<'a> {
    image: &'a [f32],
    filters: &'a [f32],
    places: core::ops::Range<usize>,
    sums: MatrixMut<'a>,
}

impl Convolution {
    /// Returns the results without the bias.
    fn run(&self, input: &[f32], weight: &[f32]) -> Vec<f32> {
        let [given, results] = self.channels;
        let product = |of: fn(&Axis) -> usize| self.axes.iter().map(of).product::<usize>();
        let (size, places, taps) = (
            product(|axis| axis.size),
            product(|axis| axis.out),
            product(|axis| axis.kernel),
        );
        // The window slides along the larger of the two images: along the output if the convolution is transposed.
        let (from, to) = if self.is_transposed {
            (places, size)
        } else {
            (size, places)
        };
        let mut all = vec![0.0; self.out.elements()];
        let images = input.chunks((given * from).max(1));
        let mut parts = Vec::new();
        for (index, (image, sums)) in images
            .zip(all.chunks_mut((results * to).max(1)))
            .enumerate()
        {
            let len = given * results * taps;
            let first = index * len % weight.len().max(1);
            let filters = weight.get(first..first + len).unwrap_or_default();
            parts.push((image, filters, sums));
        }
        let each = given * results * taps;
        if self.is_transposed {
            for (image, filters, sums) in parts {
                self.spread(image, filters, sums);
            }
        } else if given == 1 && results <= FEW {
            fill(&mut parts, GRAIN / (each * places).max(1), &|_, parts| {
                for (image, filters, sums) in parts {
                    self.slide(image, filters, sums);
                }
            });
        } else {
            let most = (COLUMNS / (given * taps).max(1)).max(64);
            let mut strips = Vec::new();
            for (image, filters, sums) in parts {
                let mut rest = MatrixMut::new(sums, [results, places]);
                for first in (0..places).step_by(most) {
                    let places = first..places.min(first + most);
                    let Some((sums, others)) = rest.and_then(|rest| rest.split(places.len()))
                    else {
                        break;
                    };
                    rest = Some(others);
                    strips.push(Strip {
                        image,
                        filters,
                        places,
                        sums,
                    });
                }
            }
            fill(
                &mut strips,
                GRAIN / (each * most.min(places)).max(1),
                &|_, strips| {
                    let mut room = Vec::new();
                    for strip in strips {
                        self.strip(strip, taps, size, &mut room);
                    }
                },
            );
        }
        all
    }

    /// Computes some results as the product of the filters and a matrix of columns: one for each position of the window.
    fn strip(&self, strip: &mut Strip<'_>, taps: usize, size: usize, room: &mut Vec<f32>) {
        let [given, results] = self.channels;
        let (places, len) = (strip.places.clone(), strip.places.len());
        let filters = Matrix::new(strip.filters, [results, given * taps]);
        let columns = if self.axes.iter().all(|axis| axis.is_plain()) {
            Matrix::new(strip.image, [given, size]).and_then(|image| image.columns(places))
        } else {
            room.clear();
            room.resize(given * taps * len, 0.0);
            let stride = self.axes[2].stride;
            self.runs(given, places.clone(), &mut |run| {
                let to = run.row * len + run.place - places.start;
                let to = room.get_mut(to..to + run.len).unwrap_or_default();
                let from = strip.image.get(run.image..).unwrap_or_default();
                if stride == 1 {
                    for (to, one) in to.iter_mut().zip(from) {
                        *to = *one;
                    }
                } else {
                    for (to, one) in to.iter_mut().zip(from.iter().step_by(stride)) {
                        *to = *one;
                    }
                }
            });
            Matrix::new(room, [given * taps, len])
        };
        if let Some((filters, columns)) = filters.zip(columns) {
            multiply_alone(filters, columns, &mut strip.sums, false);
        }
    }

    /// Computes the results of one channel: each element of a filter is a factor for a row of it.
    fn slide(&self, image: &[f32], filters: &[f32], sums: &mut [f32]) {
        let places = sums.len() / self.channels[1].max(1);
        let taps = filters.len() / self.channels[1].max(1);
        let stride = self.axes[2].stride;
        for (filter, sums) in filters
            .chunks(taps.max(1))
            .zip(sums.chunks_mut(places.max(1)))
        {
            self.runs(1, 0..places, &mut |run| {
                let factor = at(filter, run.row);
                let sums = sums
                    .get_mut(run.place..run.place + run.len)
                    .unwrap_or_default();
                let from = image.get(run.image..).unwrap_or_default();
                if stride == 1 {
                    add_row(sums, from, factor);
                } else {
                    for (sum, one) in sums.iter_mut().zip(from.iter().step_by(stride)) {
                        *sum += one * factor;
                    }
                }
            });
        }
    }

    /// Computes the results of a transposed convolution: the columns are a product, and each is added to the elements under
    /// the window.
    fn spread(&self, image: &[f32], filters: &[f32], sums: &mut [f32]) {
        let [given, results] = self.channels;
        let places = image.len() / given.max(1);
        let rows = filters.len() / given.max(1);
        let mut columns = vec![0.0; rows * places];
        let out = MatrixMut::new(&mut columns, [rows, places]);
        let factors = Matrix::new(filters, [given, rows]).zip(Matrix::new(image, [given, places]));
        if let (Some((filters, image)), Some(mut out)) = (factors, out) {
            multiply_matrices(filters.transposed(), image, &mut out, false);
        }
        let stride = self.axes[2].stride;
        self.runs(results, 0..places, &mut |run| {
            let from = run.row * places + run.place;
            let from = columns.get(from..from + run.len).unwrap_or_default();
            let sums = sums.get_mut(run.image..).unwrap_or_default();
            if stride == 1 {
                add_row(sums.get_mut(..run.len).unwrap_or_default(), from, 1.0);
            } else {
                for (sum, one) in sums.iter_mut().step_by(stride).zip(from) {
                    *sum += one;
                }
            }
        });
    }

    /// Calls a function for the elements under the window at these positions.
    fn runs(&self, channels: usize, places: core::ops::Range<usize>, visit: &mut dyn FnMut(Run)) {
        let [depth, height, width] = self.axes;
        let mut row = 0;
        let shape = [channels, depth.kernel, height.kernel, width.kernel];
        let mut positions = Positions::new(&shape);
        while let Some(position) = positions.next() {
            let [channel, d, h, w] = *position else {
                continue;
            };
            let reached = width.reached(w);
            let mut place = places.start;
            while place < places.end {
                let (line, x) = (place / width.out, place % width.out);
                let len = (width.out - x).min(places.end - place);
                let (from, to) = (reached.start.max(x), reached.end.min(x + len));
                let (z, y) = (line / height.out, line % height.out);
                let lines = depth.at(z, d).zip(height.at(y, h));
                if let (Some((z, y)), true) = (lines, from < to) {
                    let first = from * width.stride + w * width.dilation - width.before;
                    visit(Run {
                        row,
                        place: place - x + from,
                        image: ((channel * depth.size + z) * height.size + y) * width.size + first,
                        len: to - from,
                    });
                }
                place += len;
            }
            row += 1;
        }
    }
}
