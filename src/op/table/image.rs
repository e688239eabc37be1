//! Operators on images: pooling, columns under a window, and other sizes.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Fractional, IndexElement};
use crate::op::parameter::Ints;
use crate::op::shape::{Dims, product, to_sizes};
use crate::op::table::functions;
use crate::op::table::matrix::CubeMath;
use crate::op::window::Window;

/// Declares what the attributes of a window have in common.
macro_rules! windows {
    ($Options:ident, $ceil:expr, $dilation:expr) => {
        impl $Options {
            fn windows(&self) -> [Window; 2] {
                [0, 1].map(|index| {
                    let of = |numbers: [i64; 2]| if index == 0 { numbers[0] } else { numbers[1] };
                    Window {
                        kernel: of(self.kernel_size),
                        stride: of(self.stride),
                        padding: [of(self.padding); 2],
                        dilation: of($dilation(self)),
                    }
                })
            }

            /// The rows and columns of the output.
            fn slid(&self, operator: &'static str, input: &Dims) -> Result<Vec<i64>> {
                input.check_image(operator)?;
                let positive = |number: i64| number > 0;
                for list in [self.kernel_size, self.stride, $dilation(self)] {
                    let rule = "kernels, strides and dilations are at least 1";
                    input.check_numbers(operator, &list, positive, rule)?;
                }
                let rule = "padding is at least 0";
                input.check_numbers(operator, &self.padding, |number| number >= 0, rule)?;
                input.slid(operator, &self.windows(), $ceil(self))
            }
        }
    };
}

/// Declares the attributes of pooling, of which the padding is at most half of the window.
macro_rules! pools {
    ($Options:ident, $function:literal, $operator:literal) => {
        windows!($Options, |options: &$Options| options.ceil_mode, |_: &$Options| [1, 1]);

        impl $Options {
            #[doc = concat!("The shape of the output of [`", $function, "`] for an operand of this shape.")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", $function, "`] for shapes and attributes that do not fit together.")]
            pub fn output_shape(&self, input: &[usize]) -> Result<Vec<usize>> {
                let input = Dims::asked(input)?;
                self.output($operator, &input).map(|sizes| to_sizes(&sizes))
            }

            fn check(&self, operator: &'static str, input: &Dims, out: &Dims) -> Result<()> {
                out.check_is(operator, input, &self.output(operator, input)?)?;
                input.check_filled(operator, out)
            }

            pub(super) fn output(
                &self,
                operator: &'static str,
                input: &Dims,
            ) -> Result<Vec<i64>> {
                let slid = self.slid(operator, input)?;
                let mut pairs = self.padding.iter().zip(&self.kernel_size);
                if !pairs.all(|(padding, kernel)| *padding <= kernel / 2) {
                    let rule = "padding is at most half of the window";
                    return Err(input.numbers(operator, &self.padding, rule));
                }
                Ok(input.with_last(&slid))
            }
        }
    };
}

/// The attributes of [`avg_pool2d`], as C names them. [`AvgPoolOptions::new`] has the defaults.
///
/// ```
/// use ascendcl::op::AvgPoolOptions;
///
/// let options = AvgPoolOptions { padding: [1, 1], count_include_pad: false, ..AvgPoolOptions::new([3, 3]) };
/// assert_eq!(options.output_shape(&[1, 8, 9, 9])?, [1, 8, 3, 3]);
/// # Ok::<(), ascendcl::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AvgPoolOptions {
    /// The rows and columns of the window.
    pub kernel_size: [i64; 2],
    /// The distances of two places of the window, in rows and columns.
    pub stride: [i64; 2],
    /// The zeros above and below, and to the left and right: at most half of the window.
    pub padding: [i64; 2],
    /// Whether a last window that reaches beyond the image counts.
    pub ceil_mode: bool,
    /// Whether zeros of the padding count as elements.
    pub count_include_pad: bool,
    /// What sums are divided by; 0 stands for the number of elements.
    pub divisor_override: i64,
    /// How exactly the card computes.
    pub cube_math: CubeMath,
}

impl AvgPoolOptions {
    /// Windows side by side, without padding, whose sums are divided by the number of elements.
    ///
    /// ```
    /// use ascendcl::op::AvgPoolOptions;
    ///
    /// let options = AvgPoolOptions::new([2, 2]);
    /// assert_eq!(options.output_shape(&[1, 8, 32, 32])?, [1, 8, 16, 16]);
    /// # Ok::<(), ascendcl::Error>(())
    /// ```
    #[must_use]
    pub const fn new(kernel_size: [i64; 2]) -> AvgPoolOptions {
        AvgPoolOptions {
            kernel_size,
            stride: kernel_size,
            padding: [0; 2],
            ceil_mode: false,
            count_include_pad: true,
            divisor_override: 0,
            cube_math: CubeMath::Keep,
        }
    }
}
pools!(AvgPoolOptions, "avg_pool2d", "aclnnAvgPool2d");

/// The attributes of [`max_pool`] and [`max_pool2d_with_indices`], as C names them. [`MaxPoolOptions::new`] has the
/// defaults.
///
/// ```
/// use ascendcl::op::MaxPoolOptions;
///
/// let options = MaxPoolOptions { stride: [2, 2], padding: [1, 1], ..MaxPoolOptions::new([3, 3]) };
/// assert_eq!(options.output_shape(&[1, 64, 112, 112])?, [1, 64, 56, 56]);
/// # Ok::<(), ascendcl::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxPoolOptions {
    /// The rows and columns of the window.
    pub kernel_size: [i64; 2],
    /// The distances of two places of the window, in rows and columns.
    pub stride: [i64; 2],
    /// The elements above and below, and to the left and right, which are never the largest: at most half of the window.
    pub padding: [i64; 2],
    /// Whether a last window that reaches beyond the image counts.
    pub ceil_mode: bool,
}

impl MaxPoolOptions {
    /// Windows side by side, without padding.
    ///
    /// ```
    /// use ascendcl::op::MaxPoolOptions;
    ///
    /// let options = MaxPoolOptions::new([2, 2]);
    /// assert_eq!(options.output_shape(&[1, 8, 32, 32])?, [1, 8, 16, 16]);
    /// # Ok::<(), ascendcl::Error>(())
    /// ```
    #[must_use]
    pub const fn new(kernel_size: [i64; 2]) -> MaxPoolOptions {
        MaxPoolOptions {
            kernel_size,
            stride: kernel_size,
            padding: [0; 2],
            ceil_mode: false,
        }
    }
}
pools!(MaxPoolOptions, "max_pool", "aclnnMaxPool");

/// The attributes of [`im2col`], as C names them. [`Im2colOptions::new`] has the defaults.
///
/// ```
/// use ascendcl::op::Im2colOptions;
///
/// let options = Im2colOptions { stride: [2, 2], ..Im2colOptions::new([2, 2]) };
/// assert_eq!(options.dilation, [1, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Im2colOptions {
    /// The rows and columns of the window.
    pub kernel_size: [i64; 2],
    /// The distances of neighbours in the window, in rows and columns.
    pub dilation: [i64; 2],
    /// The zeros above and below, and to the left and right.
    pub padding: [i64; 2],
    /// The distances of two places of the window, in rows and columns.
    pub stride: [i64; 2],
}

impl Im2colOptions {
    /// A window at each place, without padding.
    ///
    /// ```
    /// use ascendcl::op::Im2colOptions;
    ///
    /// let options = Im2colOptions::new([3, 3]); // a window at each place, without padding
    /// assert_eq!((options.stride, options.padding), ([1, 1], [0, 0]));
    /// ```
    #[must_use]
    pub const fn new(kernel_size: [i64; 2]) -> Im2colOptions {
        Im2colOptions {
            kernel_size,
            dilation: [1; 2],
            padding: [0; 2],
            stride: [1; 2],
        }
    }

    /// The shape of the columns of images.
    pub(super) fn columns(&self, operator: &'static str, input: &Dims) -> Result<Vec<i64>> {
        let slid = self.slid(operator, input)?;
        let sizes = input.sizes();
        let (batch, image) = sizes.split_at(sizes.len().saturating_sub(3));
        let channels = image.first().copied().unwrap_or(1);
        let rows = channels.saturating_mul(product(&self.kernel_size));
        Ok([batch, &[rows, product(&slid)]].concat())
    }

    fn check(&self, operator: &'static str, input: &Dims, out: &Dims) -> Result<()> {
        let expected = self.columns(operator, input)?;
        out.check_is(operator, input, &expected)?;
        input.check_filled(operator, out)
    }
}
windows!(
    Im2colOptions,
    |_: &Im2colOptions| false,
    |options: &Im2colOptions| options.dilation
);

functions! {
    "An operand has the dimensions `[c, h, w]`, or `[n, c, h, w]` with a batch of images; the output has as many.";
    /// Prepares the means of the elements under a window (`aclnnAvgPool2d`).
    ///
    /// The output has `(h + 2 * padding - kernel) / stride + 1` rows, and columns by the same formula;
    /// [`AvgPoolOptions::output_shape`] computes it.
    #[doc(alias("aclnnAvgPool2d", "aclnnAvgPool2dGetWorkspaceSize"))]
    AvgPool2d<T: Floating>,
        avg_pool2d(
            a: image T, options: [&AvgPoolOptions: &options.kernel_size => Ints], stride: (&options.stride) Ints,
            padding: (&options.padding) Ints, ceil: (options.ceil_mode) bool, counts_pads: (options.count_include_pad) bool,
            divisor: (options.divisor_override) i64, math: (options.cube_math as i8) i8, out: image_out T
        )
        = aclnnAvgPool2d, aclnnAvgPool2dGetWorkspaceSize, |op| options.check(op, &a.dims, &out.dims);
    /// Prepares the means of as many blocks as the output has elements (`aclnnAdaptiveAvgPool2d`): block `i` of `n` has the
    /// rows from `i * h / n`, rounded down, to `(i + 1) * h / n`, rounded up.
    #[doc(alias("aclnnAdaptiveAvgPool2d", "aclnnAdaptiveAvgPool2dGetWorkspaceSize"))]
    AdaptiveAvgPool2d<T: Floating>, adaptive_avg_pool2d(a: image T, size: (&last(&out.dims)) Ints, out: image_out T)
        = aclnnAdaptiveAvgPool2d, aclnnAdaptiveAvgPool2dGetWorkspaceSize, |op| a.dims.check_image(op).and_then(|()| check_resized(op, &a.dims, &out.dims));
    /// Prepares the largest elements under a window (`aclnnMaxPool`).
    ///
    /// The output has `(h + 2 * padding - kernel) / stride + 1` rows, and columns by the same formula;
    /// [`MaxPoolOptions::output_shape`] computes it.
    #[doc(alias("aclnnMaxPool", "aclnnMaxPoolGetWorkspaceSize"))]
    MaxPool<T: Floating>,
        max_pool(
            a: image T, options: [&MaxPoolOptions: &options.kernel_size => Ints], stride: (&options.stride) Ints,
            auto_pad: (0) i64, padding: (&options.padding) Ints, dilation: (&[1, 1]) Ints,
            ceil: (i64::from(options.ceil_mode)) i64, out: image_out T
        )
        = aclnnMaxPool, aclnnMaxPoolGetWorkspaceSize, |op| options.check(op, &a.dims, &out.dims);
    /// Prepares the largest elements under a window, and where they stand (`aclnnMaxPool2dWithIndices`): an index counts the
    /// elements of its image row by row. Both outputs come back as a pair, and have the shape of the output of [`max_pool`].
    ///
    /// A card does not take images with NaN or negative infinity (Atlas A2).
    #[doc(alias("aclnnMaxPool2dWithIndices", "aclnnMaxPool2dWithIndicesGetWorkspaceSize"))]
    MaxPool2dWithIndices<T: Floating, I: IndexElement>,
        max_pool2d_with_indices(
            a: image T, options: [&MaxPoolOptions: &options.kernel_size => Ints], stride: (&options.stride) Ints,
            padding: (&options.padding) Ints, dilation: (&[1, 1]) Ints, ceil: (options.ceil_mode) bool, out: image_out T,
            indices: image_out I
        )
        = aclnnMaxPool2dWithIndices, aclnnMaxPool2dWithIndicesGetWorkspaceSize, |op| options.check(op, &a.dims, &out.dims).and_then(|()| indices.dims.check_is(op, &a.dims, out.dims.sizes()));
    /// Prepares the elements under each place of a window as a column (`aclnnIm2col`).
    ///
    /// `[n, c, h, w]` gives `[n, c * kh * kw, places]`, where the places are
    /// `(h + 2 * padding - dilation * (kh - 1) - 1) / stride + 1` rows times as many columns by the same formula. Without a
    /// batch both have one dimension less.
    #[doc(alias("aclnnIm2col", "aclnnIm2colGetWorkspaceSize"))]
    Im2col<T: Floating>,
        im2col(
            a: image T, options: [&Im2colOptions: &options.kernel_size => Ints], dilation: (&options.dilation) Ints,
            padding: (&options.padding) Ints, stride: (&options.stride) Ints, out: image_out T
        )
        = aclnnIm2col, aclnnIm2colGetWorkspaceSize, |op| options.check(op, &a.dims, &out.dims);
    /// Prepares images of the size of the output, each element of which is the nearest one (`aclnnUpsampleNearest2d`): the
    /// row `y` of `n` comes from the row `y * h / n`, rounded down. The operand has a batch.
    #[doc(alias("aclnnUpsampleNearest2d", "aclnnUpsampleNearest2dGetWorkspaceSize"))]
    UpsampleNearest2d<T: Fractional>, upsample_nearest2d(a: image T, size: (&last(&out.dims)) Ints, out: image_out T)
        = aclnnUpsampleNearest2d, aclnnUpsampleNearest2dGetWorkspaceSize, |op| a.dims.check_rank(op, 4).and_then(|()| check_resized(op, &a.dims, &out.dims));
    /// Prepares images of the size of the output by linear interpolation (`aclnnUpsampleBilinear2d`). The operand has a batch.
    ///
    /// Centers of elements are at halves, or the corners of both images are at the same place if `align_corners`. `scales`
    /// has the factors of the height and of the width; 0 stands for the quotient of both sizes.
    #[doc(alias("aclnnUpsampleBilinear2d", "aclnnUpsampleBilinear2dGetWorkspaceSize"))]
    UpsampleBilinear2d<T: Fractional>,
        upsample_bilinear2d(
            a: image T, size: (&last(&out.dims)) Ints, align_corners: attr bool, scales: [(f64, f64): scales.0 => f64],
            scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleBilinear2d, aclnnUpsampleBilinear2dGetWorkspaceSize, |op| a.dims.check_rank(op, 4).and_then(|()| check_resized(op, &a.dims, &out.dims));
}

/// The last two sizes of a shape.
fn last(dims: &Dims) -> [i64; 2] {
    dims.sizes().last_chunk().copied().unwrap_or_default()
}

/// Checks that the output has images of any size, as many as the operand.
fn check_resized(operator: &'static str, operand: &Dims, out: &Dims) -> Result<()> {
    out.check_is(operator, operand, &operand.with_last(&last(out)))?;
    operand.check_filled(operator, out)
}
