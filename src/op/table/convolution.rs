//! Convolutions.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::parameter::Ints;
use crate::op::shape::{Dims, to_sizes};
use crate::op::table::functions;
use crate::op::table::matrix::CubeMath;
use crate::op::window::{Window, given};

/// Names the operator in errors of a shape that a program asks for.
const CONVOLUTION: &str = "aclnnConvolution";

/// The attributes of [`convolution`], as C names them. The default is a window at each place: no padding, no groups.
///
/// A list has a number for each dimension behind the channels, and an empty one stands for the default.
///
/// ```
/// use ascendcl::op::ConvolutionOptions;
///
/// let options = ConvolutionOptions { stride: &[2, 2], padding: &[3, 3], ..ConvolutionOptions::default() };
/// assert_eq!(options.output_shape(&[1, 3, 224, 224], &[64, 3, 7, 7])?, [1, 64, 112, 112]);
/// # Ok::<(), ascendcl::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConvolutionOptions<'a> {
    /// The distances of two places of the window, in elements; 1 by default.
    pub stride: &'a [i64],
    /// The zeros at both ends of each dimension; none by default. A list of twice as many numbers has those in front and
    /// those behind, dimension by dimension; images with a depth, and transposed convolutions of rows, have no such list.
    pub padding: &'a [i64],
    /// The distances of neighbours in the window, in elements; 1 by default.
    pub dilation: &'a [i64],
    /// Whether the convolution is transposed: it computes the operand of a convolution from its result, in shape.
    pub transposed: bool,
    /// How many elements more a transposed convolution has at the end of each dimension: less than `stride` or
    /// `dilation`; none by default.
    pub output_padding: &'a [i64],
    /// The number of groups of channels, each of which has its own part of the weights.
    pub groups: i64,
    /// How exactly the card multiplies. The default is [`CubeMath::AllowRounding`], because Atlas A2 refuses
    /// [`CubeMath::Keep`] for f32.
    pub cube_math: CubeMath,
}

impl Default for ConvolutionOptions<'_> {
    fn default() -> Self {
        ConvolutionOptions {
            stride: &[],
            padding: &[],
            dilation: &[],
            transposed: false,
            output_padding: &[],
            groups: 1,
            cube_math: CubeMath::AllowRounding,
        }
    }
}

impl<'a> ConvolutionOptions<'a> {
    /// The shape of the output for an operand and weights of these shapes.
    ///
    /// ```
    /// use ascendcl::op::ConvolutionOptions;
    ///
    /// let options = ConvolutionOptions { padding: &[1, 1], ..ConvolutionOptions::default() };
    /// let shape = options.output_shape(&[1, 3, 32, 32], &[16, 3, 3, 3])?; // 16 filters of 3 rows and 3 columns
    /// assert_eq!(shape, [1, 16, 32, 32]);
    /// # Ok::<(), ascendcl::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`convolution`] for shapes and attributes that do not fit together.
    pub fn output_shape(&self, input: &[usize], weight: &[usize]) -> Result<Vec<usize>> {
        let (input, weight) = (Dims::asked(input)?, Dims::asked(weight)?);
        self.output(CONVOLUTION, &input, &weight)
            .map(|sizes| to_sizes(&sizes))
    }

    /// The numbers of an attribute for a tensor of the rank `rank`.
    pub(super) fn list(numbers: &'a [i64], rank: usize, default: &'a [i64; 3]) -> &'a [i64] {
        let default = default.get(..rank.saturating_sub(2)).unwrap_or_default();
        if numbers.is_empty() { default } else { numbers }
    }

    /// The numbers of elements of padding, in front and behind.
    fn pads(&self, operator: &'static str, input: &Dims, spatial: usize) -> Result<Vec<[i64; 2]>> {
        let numbers = self.padding;
        let has_ends = spatial == 2 || spatial == 1 && !self.transposed;
        if has_ends && numbers.len() == 2 * spatial {
            let (pairs, _) = numbers.as_chunks::<2>();
            return Ok(pairs.to_vec());
        }
        let numbers = given(operator, input, numbers, spatial, &[0; 3])?;
        Ok(numbers.iter().map(|number| [*number; 2]).collect())
    }

    /// The shape of the output.
    fn output(&self, operator: &'static str, input: &Dims, weight: &Dims) -> Result<Vec<i64>> {
        let spatial = input.rank.wrapping_sub(2);
        if !(1..=3).contains(&spatial) {
            let named = [self.stride, self.padding, self.dilation];
            let named = named.iter().map(|list| list.len()).find(|len| *len > 0);
            let spatial = named.map_or(2, |len| len.clamp(1, 3));
            input.check_rank(operator, 2 + spatial)?;
        }
        weight.check_rank(operator, input.rank)?;
        let stride = given(operator, input, self.stride, spatial, &[1; 3])?;
        let dilation = given(operator, input, self.dilation, spatial, &[1; 3])?;
        let more = given(operator, input, self.output_padding, spatial, &[0; 3])?;
        let pads = self.pads(operator, input, spatial)?;
        for list in [stride, dilation] {
            input.check_numbers(
                operator,
                list,
                |number| number > 0,
                "strides and dilations are at least 1",
            )?;
        }
        input.check_numbers(
            operator,
            pads.as_flattened(),
            |number| number >= 0,
            "padding is at least 0",
        )?;
        if self.transposed {
            let limits = more.iter().zip(stride.iter().zip(dilation));
            let fits = |(more, (stride, dilation)): (&i64, (&i64, &i64))| {
                *more >= 0 && more < stride.max(dilation)
            };
            if !limits.into_iter().all(fits) {
                let rule = "output padding is at least 0, and less than the stride or the dilation";
                return Err(input.numbers(operator, more, rule));
            }
        }
        let channels = self.check_channels(operator, input, weight)?;
        let numbers = stride.iter().zip(&pads).zip(dilation);
        let kernels = weight.sizes().iter().skip(2);
        let windows: Vec<Window> = kernels
            .zip(numbers)
            .map(|(kernel, ((stride, padding), dilation))| Window {
                kernel: *kernel,
                stride: *stride,
                padding: *padding,
                dilation: *dilation,
            })
            .collect();
        let spatial = if self.transposed {
            let sizes = input.sizes().iter().skip(2).zip(&windows).zip(more);
            let grown: Option<Vec<i64>> = sizes
                .map(|((size, window), more)| window.grown(*size, *more))
                .collect();
            grown.ok_or_else(|| {
                let rule = "padding leaves nothing of (size - 1) * stride - padding + dilation * (kernel - 1) + 1";
                input.numbers(operator, pads.as_flattened(), rule)
            })?
        } else {
            input.slid(operator, &windows, false)?
        };
        Ok([input.size(0), channels]
            .into_iter()
            .chain(spatial)
            .collect())
    }

    /// Checks the channels of the weights, and returns those of the output.
    fn check_channels(&self, operator: &'static str, input: &Dims, weight: &Dims) -> Result<i64> {
        let (given, groups) = (input.size(1), self.groups);
        let (first, second) = (weight.size(0), weight.size(1));
        let channels = if self.transposed {
            second.saturating_mul(groups)
        } else {
            first
        };
        if !(1..=65535).contains(&groups) || given % groups != 0 || channels % groups != 0 {
            let rule = "the channels are divided into 1 to 65535 groups of the same size";
            return Err(weight.numbers(operator, &[given, channels, groups], rule));
        }
        let mut expected = weight.sizes().to_vec();
        let beside = if self.transposed { 0 } else { 1 };
        if let Some(size) = expected.get_mut(beside) {
            *size = if self.transposed {
                given
            } else {
                given / groups
            };
        }
        weight.check_beside(operator, input, &expected)?;
        Ok(channels)
    }

    /// Checks that a tensor that is read has the shape of the result.
    #[cfg(feature = "training")]
    pub(super) fn check_result(
        &self,
        operator: &'static str,
        input: &Dims,
        weight: &Dims,
        result: &Dims,
    ) -> Result<()> {
        let expected = self.output(operator, input, weight)?;
        result.check_beside(operator, input, &expected)
    }

    fn check(
        &self,
        operator: &'static str,
        input: &Dims,
        weight: &Dims,
        bias: Option<&Dims>,
        output: &Dims,
    ) -> Result<()> {
        let expected = self.output(operator, input, weight)?;
        if let Some(bias) = bias {
            bias.check_beside(operator, weight, expected.get(1..2).unwrap_or_default())?;
        }
        output.check_is(operator, input, &expected)?;
        input.check_filled(operator, output)?;
        weight.check_filled(operator, output)
    }
}

/// The attributes of [`conv_depthwise2d`], as C names them.
///
/// ```
/// use ascendcl::op::DepthwiseOptions;
///
/// let options = DepthwiseOptions { padding: [1, 1], ..DepthwiseOptions::default() };
/// assert_eq!(options.stride, [1, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthwiseOptions {
    /// The distances of two places of the window, in rows and columns: 1 to 63.
    pub stride: [i64; 2],
    /// The zeros above and below, and to the left and right: 0 to 255.
    pub padding: [i64; 2],
    /// The distances of neighbours in the window, in rows and columns: 1 to 255.
    pub dilation: [i64; 2],
    /// How exactly the card multiplies. The default is [`CubeMath::AllowRounding`], because Atlas A2 refuses
    /// [`CubeMath::Keep`] for f32.
    pub cube_math: CubeMath,
}

impl Default for DepthwiseOptions {
    fn default() -> Self {
        DepthwiseOptions {
            stride: [1; 2],
            padding: [0; 2],
            dilation: [1; 2],
            cube_math: CubeMath::AllowRounding,
        }
    }
}

impl DepthwiseOptions {
    fn check(
        &self,
        operator: &'static str,
        input: &Dims,
        weight: &Dims,
        bias: Option<&Dims>,
        out: &Dims,
    ) -> Result<()> {
        input.check_rank(operator, 4)?;
        weight.check_rank(operator, 4)?;
        let (given, channels) = (input.size(1), weight.size(0));
        weight.check_beside(
            operator,
            input,
            &[channels, 1, weight.size(2), weight.size(3)],
        )?;
        if given == 0 || channels % given != 0 {
            let rule = "the weights have one filter or several ones for each channel";
            return Err(weight.numbers(operator, &[given, channels], rule));
        }
        let convolution = ConvolutionOptions {
            stride: &self.stride,
            padding: &self.padding,
            dilation: &self.dilation,
            groups: given,
            ..ConvolutionOptions::default()
        };
        convolution.check(operator, input, weight, bias, out)
    }
}

functions! {
    "The batch is the first dimension and the channels are the second one; sums of half precision are computed in single \
     precision.";
    /// Prepares a convolution over one to three dimensions, or a transposed one (`aclnnConvolution`).
    ///
    /// `[n, c, h, w]` and weights `[o, c / groups, kh, kw]` give `[n, o, oh, ow]` with
    /// `oh = (h + padding - dilation * (kh - 1) - 1) / stride + 1`. A transposed one has weights `[c, o / groups, kh, kw]`
    /// and `oh = (h - 1) * stride - padding + dilation * (kh - 1) + 1 + output_padding`. `padding` is that of both ends
    /// together. [`ConvolutionOptions::output_shape`] computes the shape. The bias has a number for each channel of the
    /// output. As in PyTorch, the window is not mirrored.
    #[doc(alias("aclnnConvolution", "aclnnConvolutionGetWorkspaceSize"))]
    Convolution<T: Floating>,
        convolution(
            input: image T, weight: image T, bias: maybe T,
            options: [&ConvolutionOptions<'_>: ConvolutionOptions::list(options.stride, input.dims.rank, &[1; 3]) => Ints],
            padding: (ConvolutionOptions::list(options.padding, input.dims.rank, &[0; 3])) Ints,
            dilation: (ConvolutionOptions::list(options.dilation, input.dims.rank, &[1; 3])) Ints,
            transposed: (options.transposed) bool,
            output_padding: (Some(ConvolutionOptions::list(options.output_padding, input.dims.rank, &[0; 3]))) Option<Ints>,
            groups: (options.groups) i64, output: image_out T, math: (options.cube_math as i8) i8
        )
        = aclnnConvolution, aclnnConvolutionGetWorkspaceSize, |op| options.check(op, &input.dims, &weight.dims, bias.map(|bias| &bias.dims), &output.dims);
    /// Prepares a convolution of each channel with filters of its own (`aclnnConvDepthwise2d`).
    ///
    /// `[n, c, h, w]` and weights `[o, 1, kh, kw]` give `[n, o, oh, ow]`, where `o` is a multiple of `c` and
    /// `oh = (h + 2 * padding - dilation * (kh - 1) - 1) / stride + 1`. The bias is `[o]`.
    #[doc(alias("aclnnConvDepthwise2d", "aclnnConvDepthwise2dGetWorkspaceSize"))]
    ConvDepthwise2d<T: Floating>,
        conv_depthwise2d(
            input: image T, weight: image T, kernel: (&[weight.dims.size(2), weight.dims.size(3)]) Ints, bias: maybe T,
            options: [&DepthwiseOptions: &options.stride => Ints], padding: (&options.padding) Ints,
            dilation: (&options.dilation) Ints, out: image_out T, math: (options.cube_math as i8) i8
        )
        = aclnnConvDepthwise2d, aclnnConvDepthwise2dGetWorkspaceSize, |op| options.check(op, &input.dims, &weight.dims, bias.map(|bias| &bias.dims), &out.dims);
}
