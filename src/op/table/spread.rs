//! Gradients of padding, of other sizes of images and of pooling.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Fractional, IndexElement};
use crate::op::indices::Indices;
use crate::op::parameter::{Bools, Ints};
use crate::op::shape::{Dims, product};
use crate::op::table::functions;
use crate::op::table::image::{AvgPoolOptions, Im2colOptions, MaxPoolOptions};
use crate::op::window::Window;

/// A window that slides over volumes, as C names its attributes. [`VolumeWindow::new`] has the defaults.
///
/// ```
/// use ascendcl::op::VolumeWindow;
///
/// let window = VolumeWindow { padding: [1, 1, 1], ..VolumeWindow::new([3, 3, 3]) };
/// assert_eq!(window.stride, [3, 3, 3]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VolumeWindow {
    /// The sizes of the window: depth, rows and columns.
    pub kernel_size: [i64; 3],
    /// The distances of two places of the window.
    pub stride: [i64; 3],
    /// The elements in front and behind, as many on both sides: at most half of the window.
    pub padding: [i64; 3],
    /// Whether a last window that reaches beyond the volume counts.
    pub ceil_mode: bool,
}

impl VolumeWindow {
    /// Windows side by side, without padding.
    ///
    /// ```
    /// use ascendcl::op::VolumeWindow;
    ///
    /// assert_eq!(VolumeWindow::new([2, 2, 2]).padding, [0, 0, 0]);
    /// ```
    #[must_use]
    pub const fn new(kernel_size: [i64; 3]) -> VolumeWindow {
        VolumeWindow {
            kernel_size,
            stride: kernel_size,
            padding: [0; 3],
            ceil_mode: false,
        }
    }

    /// The shape of the result of an operand.
    fn output(&self, operator: &'static str, operand: &Dims) -> Result<Vec<i64>> {
        check_ranks(operator, operand, [4, 5])?;
        let sizes = self.kernel_size.into_iter().zip(self.stride);
        let windows: Vec<_> = sizes
            .zip(self.padding)
            .map(|((kernel, stride), padding)| Window {
                kernel,
                stride,
                padding: [padding; 2],
                dilation: 1,
            })
            .collect();
        let is_padded = |window: &Window| (0..=window.kernel / 2).contains(&window.padding[0]);
        if !windows.iter().all(is_padded) {
            let rule = "padding is not negative, and at most half of the window";
            return Err(operand.numbers(operator, &self.padding, rule));
        }
        let slid = operand.slid(operator, &windows, self.ceil_mode)?;
        Ok(operand.with_last(&slid))
    }
}

functions! {
    "The output has the shape that the operand had. A scale of 0 stands for the quotient of both sizes. An index counts the \
     elements of its image, and was compared with their number by [`Tensor::indices`](crate::op::Tensor::indices).";
    /// Prepares the gradient of padding by reflection in one dimension (`aclnnReflectionPad1dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReflectionPad1dBackward", "aclnnReflectionPad1dBackwardGetWorkspaceSize"))]
    ReflectionPad1dBackward<T: Fractional>,
        reflection_pad1d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 1]: &numbers::<1, 2>(pad) => Ints], out: out T
        )
        = aclnnReflectionPad1dBackward, aclnnReflectionPad1dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<1, 2>(pad), &out.dims, Some(0));
    /// Prepares the gradient of padding by the elements at the ends in one dimension (`aclnnReplicationPad1dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReplicationPad1dBackward", "aclnnReplicationPad1dBackwardGetWorkspaceSize"))]
    ReplicationPad1dBackward<T: Fractional>,
        replication_pad1d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 1]: &numbers::<1, 2>(pad) => Ints], out: out T
        )
        = aclnnReplicationPad1dBackward, aclnnReplicationPad1dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<1, 2>(pad), &out.dims, None);
    /// Prepares the gradient of padding by reflection in two dimensions (`aclnnReflectionPad2dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReflectionPad2dBackward", "aclnnReflectionPad2dBackwardGetWorkspaceSize"))]
    ReflectionPad2dBackward<T: Fractional>,
        reflection_pad2d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 2]: &numbers::<2, 4>(pad) => Ints], out: out T
        )
        = aclnnReflectionPad2dBackward, aclnnReflectionPad2dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<2, 4>(pad), &out.dims, Some(0));
    /// Prepares the gradient of padding by the elements at the ends in two dimensions (`aclnnReplicationPad2dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReplicationPad2dBackward", "aclnnReplicationPad2dBackwardGetWorkspaceSize"))]
    ReplicationPad2dBackward<T: Fractional>,
        replication_pad2d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 2]: &numbers::<2, 4>(pad) => Ints], out: out T
        )
        = aclnnReplicationPad2dBackward, aclnnReplicationPad2dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<2, 4>(pad), &out.dims, None);
    /// Prepares the gradient of padding by reflection in three dimensions (`aclnnReflectionPad3dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReflectionPad3dBackward", "aclnnReflectionPad3dBackwardGetWorkspaceSize"))]
    ReflectionPad3dBackward<T: Fractional>,
        reflection_pad3d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 3]: &numbers::<3, 6>(pad) => Ints], out: out T
        )
        = aclnnReflectionPad3dBackward, aclnnReflectionPad3dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<3, 6>(pad), &out.dims, Some(0));
    /// Prepares the gradient of padding by the elements at the ends in three dimensions (`aclnnReplicationPad3dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnReplicationPad3dBackward", "aclnnReplicationPad3dBackwardGetWorkspaceSize"))]
    ReplicationPad3dBackward<T: Fractional>,
        replication_pad3d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 3]: &numbers::<3, 6>(pad) => Ints], out: out T
        )
        = aclnnReplicationPad3dBackward, aclnnReplicationPad3dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<3, 6>(pad), &out.dims, None);
    /// Prepares the gradient of lines of another size, each element of which is the nearest one
    /// (`aclnnUpsampleNearest1dBackward`).
    #[doc(alias("aclnnUpsampleNearest1dBackward", "aclnnUpsampleNearest1dBackwardGetWorkspaceSize"))]
    UpsampleNearest1dBackward<T: Floating>,
        upsample_nearest1d_backward(
            gradient: image T, size: (&last::<1>(&gradient.dims)) Ints, size_before: (&last::<3>(&out.dims)) Ints, scale: attr f64, out: image_out T
        )
        = aclnnUpsampleNearest1dBackward, aclnnUpsampleNearest1dBackwardGetWorkspaceSize, |op| check_resized::<1>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of images of another size, each element of which is the nearest one
    /// (`aclnnUpsampleNearest2dBackward`).
    #[doc(alias("aclnnUpsampleNearest2dBackward", "aclnnUpsampleNearest2dBackwardGetWorkspaceSize"))]
    UpsampleNearest2dBackward<T: Floating>,
        upsample_nearest2d_backward(
            gradient: image T, size: (&last::<2>(&gradient.dims)) Ints, size_before: (&last::<4>(&out.dims)) Ints, scales: [(f64, f64): scales.0 => f64], scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleNearest2dBackward, aclnnUpsampleNearest2dBackwardGetWorkspaceSize, |op| check_resized::<2>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of volumes of another size, each element of which is the nearest one
    /// (`aclnnUpsampleNearest3dBackward`).
    #[doc(alias("aclnnUpsampleNearest3dBackward", "aclnnUpsampleNearest3dBackwardGetWorkspaceSize"))]
    UpsampleNearest3dBackward<T: Floating>,
        upsample_nearest3d_backward(
            gradient: image T, size: (&last::<3>(&gradient.dims)) Ints, size_before: (&last::<5>(&out.dims)) Ints, scales: [(f64, f64, f64): scales.0 => f64], scale_of_height: (scales.1) f64, scale_of_width: (scales.2) f64, out: image_out T
        )
        = aclnnUpsampleNearest3dBackward, aclnnUpsampleNearest3dBackwardGetWorkspaceSize, |op| check_resized::<3>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of lines of another size, each element of which is the one nearest to its center
    /// (`aclnnUpsampleNearestExact1dBackward`).
    #[doc(alias("aclnnUpsampleNearestExact1dBackward", "aclnnUpsampleNearestExact1dBackwardGetWorkspaceSize"))]
    UpsampleNearestExact1dBackward<T: Floating>,
        upsample_nearest_exact1d_backward(
            gradient: image T, size: (&last::<1>(&gradient.dims)) Ints, size_before: (&last::<3>(&out.dims)) Ints, scale: attr f64, out: image_out T
        )
        = aclnnUpsampleNearestExact1dBackward, aclnnUpsampleNearestExact1dBackwardGetWorkspaceSize, |op| check_resized::<1>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of images of another size, each element of which is the one nearest to its center
    /// (`aclnnUpsampleNearestExact2dBackward`).
    #[doc(alias("aclnnUpsampleNearestExact2dBackward", "aclnnUpsampleNearestExact2dBackwardGetWorkspaceSize"))]
    UpsampleNearestExact2dBackward<T: Floating>,
        upsample_nearest_exact2d_backward(
            gradient: image T, size: (&last::<2>(&gradient.dims)) Ints, size_before: (&last::<4>(&out.dims)) Ints, scales: [(f64, f64): scales.0 => f64], scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleNearestExact2dBackward, aclnnUpsampleNearestExact2dBackwardGetWorkspaceSize, |op| check_resized::<2>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of volumes of another size, each element of which is the one nearest to its center
    /// (`aclnnUpsampleNearestExact3dBackward`).
    #[doc(alias("aclnnUpsampleNearestExact3dBackward", "aclnnUpsampleNearestExact3dBackwardGetWorkspaceSize"))]
    UpsampleNearestExact3dBackward<T: Floating>,
        upsample_nearest_exact3d_backward(
            gradient: image T, size: (&last::<3>(&gradient.dims)) Ints, size_before: (&last::<5>(&out.dims)) Ints, scales: [(f64, f64, f64): scales.0 => f64], scale_of_height: (scales.1) f64, scale_of_width: (scales.2) f64, out: image_out T
        )
        = aclnnUpsampleNearestExact3dBackward, aclnnUpsampleNearestExact3dBackwardGetWorkspaceSize, |op| check_resized::<3>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of lines of another size by linear interpolation (`aclnnUpsampleLinear1dBackward`).
    #[doc(alias("aclnnUpsampleLinear1dBackward", "aclnnUpsampleLinear1dBackwardGetWorkspaceSize"))]
    UpsampleLinear1dBackward<T: Floating>,
        upsample_linear1d_backward(
            gradient: image T, size: (&last::<1>(&gradient.dims)) Ints, size_before: (&last::<3>(&out.dims)) Ints, align_corners: attr bool, scale: attr f64, out: image_out T
        )
        = aclnnUpsampleLinear1dBackward, aclnnUpsampleLinear1dBackwardGetWorkspaceSize, |op| check_resized::<1>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of images of another size by linear interpolation (`aclnnUpsampleBilinear2dBackward`).
    ///
    /// The scales have no effect: [`upsample_bilinear2d_backward_v2`](crate::op::upsample_bilinear2d_backward_v2) uses them.
    #[doc(alias("aclnnUpsampleBilinear2dBackward", "aclnnUpsampleBilinear2dBackwardGetWorkspaceSize"))]
    UpsampleBilinear2dBackward<T: Floating>,
        upsample_bilinear2d_backward(
            gradient: image T, size: (&last::<2>(&gradient.dims)) Ints, size_before: (&last::<4>(&out.dims)) Ints, align_corners: attr bool, scales: [(f64, f64): scales.0 => f64], scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleBilinear2dBackward, aclnnUpsampleBilinear2dBackwardGetWorkspaceSize, |op| check_resized::<2>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of volumes of another size by linear interpolation (`aclnnUpsampleTrilinear3dBackward`).
    #[doc(alias("aclnnUpsampleTrilinear3dBackward", "aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize"))]
    UpsampleTrilinear3dBackward<T: Floating>,
        upsample_trilinear3d_backward(
            gradient: image T, size: (&last::<3>(&gradient.dims)) Ints, size_before: (&last::<5>(&out.dims)) Ints, align_corners: attr bool, scales: [(f64, f64, f64): scales.0 => f64], scale_of_height: (scales.1) f64, scale_of_width: (scales.2) f64, out: image_out T
        )
        = aclnnUpsampleTrilinear3dBackward, aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize, |op| check_resized::<3>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of images of another size by cubic interpolation (`aclnnUpsampleBicubic2dBackward`).
    #[doc(alias("aclnnUpsampleBicubic2dBackward", "aclnnUpsampleBicubic2dBackwardGetWorkspaceSize"))]
    UpsampleBicubic2dBackward<T: Floating>,
        upsample_bicubic2d_backward(
            gradient: image T, size: (&last::<2>(&gradient.dims)) Ints, size_before: (&last::<4>(&out.dims)) Ints, align_corners: attr bool, scales: [(f64, f64): scales.0 => f64], scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleBicubic2dBackward, aclnnUpsampleBicubic2dBackwardGetWorkspaceSize, |op| check_resized::<2>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of [`avg_pool2d`](crate::op::avg_pool2d) (`aclnnAvgPool2dBackward`).
    #[doc(alias("aclnnAvgPool2dBackward", "aclnnAvgPool2dBackwardGetWorkspaceSize"))]
    AvgPool2dBackward<T: Floating>,
        avg_pool2d_backward(
            gradient: image T, a: image T, options: [&AvgPoolOptions: &options.kernel_size => Ints], stride: (&options.stride) Ints,
            padding: (&options.padding) Ints, ceil: (options.ceil_mode) bool, counts_pads: (options.count_include_pad) bool,
            divisor: (options.divisor_override) i64, math: (options.cube_math as i8) i8, out: image_out T
        )
        = aclnnAvgPool2dBackward, aclnnAvgPool2dBackwardGetWorkspaceSize, |op| options.output(op, &a.dims).and_then(|shape| check_pooled(op, &gradient.dims, &a.dims, &shape, &out.dims));
    /// Prepares the gradient of the means of the elements under a window of three dimensions (`aclnnAvgPool3dBackward`).
    ///
    /// The sums were divided by `divisor`, or by the number of elements if it is 0, with those of the padding if
    /// `counts_pads`.
    #[doc(alias("aclnnAvgPool3dBackward", "aclnnAvgPool3dBackwardGetWorkspaceSize"))]
    AvgPool3dBackward<T: Floating>,
        avg_pool3d_backward(
            gradient: image T, a: image T, window: [&VolumeWindow: &window.kernel_size => Ints], stride: (&window.stride) Ints,
            padding: (&window.padding) Ints, ceil: (window.ceil_mode) bool, counts_pads: attr bool, divisor: attr i64,
            out: image_out T
        )
        = aclnnAvgPool3dBackward, aclnnAvgPool3dBackwardGetWorkspaceSize, |op| window.output(op, &a.dims).and_then(|shape| check_pooled(op, &gradient.dims, &a.dims, &shape, &out.dims));
    /// Prepares the gradient of the largest elements under a window of three dimensions, by their indices
    /// (`aclnnMaxPool3dWithArgmaxBackward`).
    #[doc(alias("aclnnMaxPool3dWithArgmaxBackward", "aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize"))]
    MaxPool3dWithArgmaxBackward<T: Floating, I: IndexElement>,
        max_pool3d_with_argmax_backward(
            gradient: image T, a: image T, index: index I, window: [&VolumeWindow: &window.kernel_size => Ints],
            stride: (&window.stride) Ints, padding: (&window.padding) Ints, dilation: (&[1, 1, 1]) Ints,
            ceil: (window.ceil_mode) bool, out: image_out T
        )
        = aclnnMaxPool3dWithArgmaxBackward, aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize, |op| window.output(op, &a.dims).and_then(|shape| check_pooled(op, &gradient.dims, &a.dims, &shape, &out.dims)).and_then(|()| check_places::<3, _, _, _>(op, &gradient.dims, &a.dims, index));
    /// Prepares the gradient of the means of as many blocks as the gradient has elements
    /// (`aclnnAdaptiveAvgPool2dBackward`).
    #[doc(alias("aclnnAdaptiveAvgPool2dBackward", "aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize"))]
    AdaptiveAvgPool2dBackward<T: Floating>,
        adaptive_avg_pool2d_backward(
            gradient: image T, a: image T, out: image_out T
        )
        = aclnnAdaptiveAvgPool2dBackward, aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize, |op| check_blocks::<2>(op, &gradient.dims, &a.dims, &out.dims);
    /// Prepares the gradient of the means of as many blocks of three dimensions as the gradient has elements
    /// (`aclnnAdaptiveAvgPool3dBackward`).
    #[doc(alias("aclnnAdaptiveAvgPool3dBackward", "aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize"))]
    AdaptiveAvgPool3dBackward<T: Floating>,
        adaptive_avg_pool3d_backward(
            gradient: image T, a: image T, out: image_out T
        )
        = aclnnAdaptiveAvgPool3dBackward, aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize, |op| check_blocks::<3>(op, &gradient.dims, &a.dims, &out.dims);
    /// Prepares the gradient of [`max_pool2d_with_indices`](crate::op::max_pool2d_with_indices), by its indices
    /// (`aclnnMaxPool2dWithIndicesBackward`).
    #[doc(alias("aclnnMaxPool2dWithIndicesBackward", "aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize"))]
    MaxPool2dWithIndicesBackward<T: Floating, I: IndexElement>,
        max_pool2d_with_indices_backward(
            gradient: image T, a: image T, index: index I, options: [&MaxPoolOptions: &options.kernel_size => Ints],
            stride: (&options.stride) Ints, padding: (&options.padding) Ints, dilation: (&[1, 1]) Ints,
            ceil: (options.ceil_mode) bool, out: image_out T
        )
        = aclnnMaxPool2dWithIndicesBackward, aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize, |op| options.output(op, &a.dims).and_then(|shape| check_pooled(op, &gradient.dims, &a.dims, &shape, &out.dims)).and_then(|()| check_places::<2, _, _, _>(op, &gradient.dims, &a.dims, index));
    /// Prepares the gradient of the largest elements of as many blocks as the gradient has elements, by their
    /// indices (`aclnnAdaptiveMaxPool2dBackward`).
    #[doc(alias("aclnnAdaptiveMaxPool2dBackward", "aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize"))]
    AdaptiveMaxPool2dBackward<T: Floating, I: IndexElement>,
        adaptive_max_pool2d_backward(
            gradient: image T, a: image T, index: index I, out: image_out T
        )
        = aclnnAdaptiveMaxPool2dBackward, aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize, |op| check_blocks::<2>(op, &gradient.dims, &a.dims, &out.dims).and_then(|()| check_places::<2, _, _, _>(op, &gradient.dims, &a.dims, index));
    /// Prepares the gradient of the largest elements of as many blocks of three dimensions as the gradient has elements, by their
    /// indices (`aclnnAdaptiveMaxPool3dBackward`).
    #[doc(alias("aclnnAdaptiveMaxPool3dBackward", "aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize"))]
    AdaptiveMaxPool3dBackward<T: Floating, I: IndexElement>,
        adaptive_max_pool3d_backward(
            gradient: image T, a: image T, index: index I, out: image_out T
        )
        = aclnnAdaptiveMaxPool3dBackward, aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize, |op| check_blocks::<3>(op, &gradient.dims, &a.dims, &out.dims).and_then(|()| check_places::<3, _, _, _>(op, &gradient.dims, &a.dims, index));
    /// Prepares the gradient of images that go on at their ends from the other end (`aclnnCircularPad2dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnCircularPad2dBackward", "aclnnCircularPad2dBackwardGetWorkspaceSize"))]
    CircularPad2dBackward<T: Fractional>,
        circular_pad2d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 2]: &numbers::<2, 4>(pad) => Ints], out: out T
        )
        = aclnnCircularPad2dBackward, aclnnCircularPad2dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<2, 4>(pad), &out.dims, Some(1));
    /// Prepares the gradient of volumes that go on at their ends from the other end (`aclnnCircularPad3dBackward`).
    ///
    /// The pairs of `pad` are for the last dimension first: how many elements are in front, and how many behind.
    #[doc(alias("aclnnCircularPad3dBackward", "aclnnCircularPad3dBackwardGetWorkspaceSize"))]
    CircularPad3dBackward<T: Fractional>,
        circular_pad3d_backward(
            gradient: in T, a: in T, pad: [[(usize, usize); 3]: &numbers::<3, 6>(pad) => Ints], out: out T
        )
        = aclnnCircularPad3dBackward, aclnnCircularPad3dBackwardGetWorkspaceSize, |op| check_padded(op, &gradient.dims, &a.dims, &numbers::<3, 6>(pad), &out.dims, Some(1));
    /// Prepares the gradient of images of another size by linear interpolation (`aclnnUpsampleBilinear2dBackwardV2`).
    #[doc(alias("aclnnUpsampleBilinear2dBackwardV2", "aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize"))]
    UpsampleBilinear2dBackwardV2<T: Floating>,
        upsample_bilinear2d_backward_v2(
            gradient: image T, size: (&last::<2>(&gradient.dims)) Ints, size_before: (&last::<4>(&out.dims)) Ints, align_corners: attr bool, scales: [(f64, f64): scales.0 => f64], scale_of_width: (scales.1) f64, out: image_out T
        )
        = aclnnUpsampleBilinear2dBackwardV2, aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize, |op| check_resized::<2>(op, &gradient.dims, &out.dims);
    /// Prepares the gradient of elements that were put at the places of an image that the indices name
    /// (`aclnnMaxUnpool2dBackward`): the elements of the gradient at these places.
    #[doc(alias("aclnnMaxUnpool2dBackward", "aclnnMaxUnpool2dBackwardGetWorkspaceSize"))]
    MaxUnpool2dBackward<T: Floating, I: IndexElement>,
        max_unpool2d_backward(gradient: in T, a: in T, index: index I, size: (&last::<2>(&gradient.dims)) Ints, out: out T)
        = aclnnMaxUnpool2dBackward, aclnnMaxUnpool2dBackwardGetWorkspaceSize, |op| check_blocks::<2>(op, &gradient.dims, &a.dims, &out.dims).and_then(|()| check_places::<2, _, _, _>(op, &a.dims, &gradient.dims, index));
    /// Prepares the gradient of elements that were put at the places of a volume that the indices name
    /// (`aclnnMaxUnpool3dBackward`): the elements of the gradient at these places. `stride` and `padding` are those of the
    /// pooling.
    #[doc(alias("aclnnMaxUnpool3dBackward", "aclnnMaxUnpool3dBackwardGetWorkspaceSize"))]
    MaxUnpool3dBackward<T: Floating, I: IndexElement>,
        max_unpool3d_backward(gradient: in T, a: in T, index: index I, size: (&last::<3>(&gradient.dims)) Ints, stride: ints, padding: ints, out: out T)
        = aclnnMaxUnpool3dBackward, aclnnMaxUnpool3dBackwardGetWorkspaceSize, |op| check_blocks::<3>(op, &gradient.dims, &a.dims, &out.dims).and_then(|()| check_places::<3, _, _, _>(op, &a.dims, &gradient.dims, index)).and(check_triples(op, &a.dims, [stride, padding]));
    /// Prepares the gradients of the numbers of images at the places of a grid, by the images and by the places
    /// (`aclnnGridSampler2DBackward`). The outputs come back as a pair.
    ///
    /// The gradient has the shape of the numbers: the batch and the channels of the images, and the dimensions of the grid, which
    /// has 2 numbers from -1 to 1 for each place, the last dimension first. `way` is 0 for linear interpolation and 1 for the
    /// nearest element; `ends` is 0 for zeros behind the ends, 1 for the elements there, and 2 for a reflection.
    #[doc(alias("aclnnGridSampler2DBackward", "aclnnGridSampler2DBackwardGetWorkspaceSize"))]
    GridSampler2DBackward<T: Fractional>,
        grid_sampler2d_backward(
            gradient: in T, a: in T, grid: in T, way: attr i64, ends: attr i64, align_corners: attr bool,
            mask: (&[true, true]) Bools, out: out T, of_grid: out T
        )
        = aclnnGridSampler2DBackward, aclnnGridSampler2DBackwardGetWorkspaceSize, |op| a.dims.grid_output::<2>(op, &grid.dims, way, 2, ends).and_then(|shape| gradient.dims.check_beside(op, &a.dims, &shape)).and(out.dims.check_same(op, &a.dims)).and(of_grid.dims.check_same(op, &grid.dims)).and(gradient.dims.check_filled(op, &out.dims)).and(gradient.dims.check_filled(op, &of_grid.dims));
    /// Prepares the gradients of the numbers of volumes at the places of a grid, by the volumes and by the places
    /// (`aclnnGridSampler3DBackward`). The outputs come back as a pair.
    ///
    /// The gradient has the shape of the numbers: the batch and the channels of the volumes, and the dimensions of the grid, which
    /// has 3 numbers from -1 to 1 for each place, the last dimension first. `way` is 0 for linear interpolation and 1 for the
    /// nearest element; `ends` is 0 for zeros behind the ends, 1 for the elements there, and 2 for a reflection.
    #[doc(alias("aclnnGridSampler3DBackward", "aclnnGridSampler3DBackwardGetWorkspaceSize"))]
    GridSampler3DBackward<T: Fractional>,
        grid_sampler3d_backward(
            gradient: in T, a: in T, grid: in T, way: attr i64, ends: attr i64, align_corners: attr bool,
            mask: (&[true, true]) Bools, out: out T, of_grid: out T
        )
        = aclnnGridSampler3DBackward, aclnnGridSampler3DBackwardGetWorkspaceSize, |op| a.dims.grid_output::<3>(op, &grid.dims, way, 2, ends).and_then(|shape| gradient.dims.check_beside(op, &a.dims, &shape)).and(out.dims.check_same(op, &a.dims)).and(of_grid.dims.check_same(op, &grid.dims)).and(gradient.dims.check_filled(op, &out.dims)).and(gradient.dims.check_filled(op, &of_grid.dims));
    /// Prepares the gradient of [`im2col`](crate::op::im2col) (`aclnnIm2colBackward`): each element of a column is added at its place in
    /// the image, which the output has.
    #[doc(alias("aclnnIm2colBackward", "aclnnIm2colBackwardGetWorkspaceSize"))]
    Im2colBackward<T: Floating>,
        im2col_backward(
            gradient: in T, size: (&last::<2>(&out.dims)) Ints, options: [&Im2colOptions: &options.kernel_size => Ints],
            dilation: (&options.dilation) Ints, padding: (&options.padding) Ints, stride: (&options.stride) Ints, out: image_out T
        )
        = aclnnIm2colBackward, aclnnIm2colBackwardGetWorkspaceSize, |op| options.columns(op, &out.dims).and_then(|shape| gradient.dims.check_beside(op, &out.dims, &shape)).and(gradient.dims.check_filled(op, &out.dims));
}

/// The numbers of elements in front and behind as C counts them. What is too large is negative, and refused.
fn numbers<const N: usize, const M: usize>(pad: [(usize, usize); N]) -> [i64; M] {
    let mut numbers = pad.into_iter().flat_map(|(front, behind)| [front, behind]);
    core::array::from_fn(|_| numbers.next().unwrap_or(0).cast_signed() as i64)
}

/// The last sizes of a shape.
fn last<const N: usize>(dims: &Dims) -> [i64; N] {
    dims.sizes().last_chunk().copied().unwrap_or([0; N])
}

/// Checks that a tensor has so many dimensions, or one more for a batch.
fn check_ranks(operator: &'static str, dims: &Dims, ranks: [usize; 2]) -> Result<()> {
    if ranks.contains(&dims.rank) {
        return Ok(());
    }
    dims.check_rank(operator, ranks[1])
}

/// Checks the gradient of an operand that was padded, with less than so many elements more than its dimension has.
fn check_padded(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    pad: &[i64],
    out: &Dims,
    more: Option<i64>,
) -> Result<()> {
    let dims = pad.len() / 2;
    check_ranks(operator, operand, [dims + 1, dims + 2])?;
    let mut sizes = operand.sizes().to_vec();
    for (size, pair) in sizes.iter_mut().rev().zip(pad.chunks(2)) {
        let limit = more.map_or(i64::MAX, |more| size.saturating_add(more));
        if pair.iter().any(|more| !(0..limit).contains(more)) {
            let rule = "none is negative, those of a reflection are less than its dimension has elements, and those of the other end not more";
            return Err(operand.numbers(operator, pad, rule));
        }
        for more in pair {
            *size = size.saturating_add(*more);
        }
    }
    check_pooled(operator, gradient, operand, &sizes, out)
}

/// Checks that a gradient has this shape, and the output that of the operand.
fn check_pooled(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    shape: &[i64],
    out: &Dims,
) -> Result<()> {
    gradient.check_beside(operator, operand, shape)?;
    out.check_same(operator, operand)?;
    gradient.check_filled(operator, out)
}

/// Checks that both shapes differ in their last `N` sizes only.
fn check_resized<const N: usize>(
    operator: &'static str,
    gradient: &Dims,
    out: &Dims,
) -> Result<()> {
    gradient.check_rank(operator, N + 2)?;
    out.check_is(operator, gradient, &gradient.with_last(&last::<N>(out)))?;
    gradient.check_filled(operator, out)
}

/// Checks a gradient that differs from the operand in its last `N` sizes only.
fn check_blocks<const N: usize>(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    out: &Dims,
) -> Result<()> {
    check_ranks(operator, operand, [N + 1, N + 2])?;
    let shape = operand.with_last(&last::<N>(gradient));
    check_pooled(operator, gradient, operand, &shape, out)
}

/// Checks that there is an index for each element of a gradient, which lies in an image of `N` dimensions.
fn check_places<const N: usize, X, I: IndexElement, L>(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    index: &Indices<'_, X, I, L>,
) -> Result<()> {
    let places = &index.tensor.dims;
    places.check_beside(operator, gradient, gradient.sizes())?;
    index.check_within(operator, product(&last::<N>(operand)))
}

/// Checks that lists have a number for each dimension of a volume.
fn check_triples(operator: &'static str, operand: &Dims, lists: [&[i64]; 2]) -> Result<()> {
    let rule = "a number for each dimension of a volume";
    match lists.into_iter().find(|list| list.len() != 3) {
        Some(list) => Err(operand.numbers(operator, list, rule)),
        None => Ok(()),
    }
}
