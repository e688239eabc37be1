//! Images and volumes of other sizes, and windows of volumes.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Floating, Fractional, IndexElement};
use crate::op::indices::Indices;
use crate::op::parameter::{Ints, Text};
use crate::op::shape::{Dims, product};
use crate::op::table::functions;
use crate::op::window::Window;

functions! {
    "An operand has a batch, channels, and the dimensions of a vector, an image or a volume; the output has as many.";
    /// Prepares vectors of the size of the output, each element of which is the nearest one
    /// (`aclnnUpsampleNearest1d`): the index `i` of `n` comes from `i * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearest1d", "aclnnUpsampleNearest1dGetWorkspaceSize"))]
    UpsampleNearest1d<T: Fractional>, upsample_nearest1d(a: image T, size: (&last::<1>(&out.dims)) Ints, out: image_out T)
        = aclnnUpsampleNearest1d, aclnnUpsampleNearest1dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 1);
    /// Prepares vectors of the size of the output, each element of which is the nearest one
    /// (`aclnnUpsampleNearest1dV2`): the index `i` of `n` comes from `i * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearest1dV2", "aclnnUpsampleNearest1dV2GetWorkspaceSize"))]
    UpsampleNearest1dV2<T: Fractional>,
        upsample_nearest1d_v2(a: image T, size: (&last::<1>(&out.dims)) Ints, scale: (0.0) f32, out: image_out T)
        = aclnnUpsampleNearest1dV2, aclnnUpsampleNearest1dV2GetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 1);
    /// Prepares images of the size of the output, each element of which is the nearest one
    /// (`aclnnUpsampleNearest2dV2`): the index `i` of `n` comes from `i * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearest2dV2", "aclnnUpsampleNearest2dV2GetWorkspaceSize"))]
    UpsampleNearest2dV2<T: Fractional>,
        upsample_nearest2d_v2(a: image T, size: (&last::<2>(&out.dims)) Ints, scale_h: (0.0) f32, scale_w: (0.0) f32, out: image_out T)
        = aclnnUpsampleNearest2dV2, aclnnUpsampleNearest2dV2GetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2);
    /// Prepares volumes of the size of the output, each element of which is the nearest one
    /// (`aclnnUpsampleNearest3d`): the index `i` of `n` comes from `i * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearest3d", "aclnnUpsampleNearest3dGetWorkspaceSize"))]
    UpsampleNearest3d<T: Fractional>,
        upsample_nearest3d(a: image T, size: (&last::<3>(&out.dims)) Ints, scale_d: (0.0) f64, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleNearest3d, aclnnUpsampleNearest3dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 3);
    /// Prepares vectors of the size of the output, each element of which is the one whose center is nearest
    /// (`aclnnUpsampleNearestExact1d`): the index `i` of `n` comes from `(i + 0.5) * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearestExact1d", "aclnnUpsampleNearestExact1dGetWorkspaceSize"))]
    UpsampleNearestExact1d<T: Fractional>,
        upsample_nearest_exact1d(a: image T, size: (&last::<1>(&out.dims)) Ints, scale: (0.0) f64, out: image_out T)
        = aclnnUpsampleNearestExact1d, aclnnUpsampleNearestExact1dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 1);
    /// Prepares images of the size of the output, each element of which is the one whose center is nearest
    /// (`aclnnUpsampleNearestExact2d`): the index `i` of `n` comes from `(i + 0.5) * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearestExact2d", "aclnnUpsampleNearestExact2dGetWorkspaceSize"))]
    UpsampleNearestExact2d<T: Fractional>,
        upsample_nearest_exact2d(a: image T, size: (&last::<2>(&out.dims)) Ints, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleNearestExact2d, aclnnUpsampleNearestExact2dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2);
    /// Prepares volumes of the size of the output, each element of which is the one whose center is nearest
    /// (`aclnnUpsampleNearestExact3d`): the index `i` of `n` comes from `(i + 0.5) * size / n`, rounded down.
    #[doc(alias("aclnnUpsampleNearestExact3d", "aclnnUpsampleNearestExact3dGetWorkspaceSize"))]
    UpsampleNearestExact3d<T: Fractional>,
        upsample_nearest_exact3d(a: image T, size: (&last::<3>(&out.dims)) Ints, scale_d: (0.0) f64, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleNearestExact3d, aclnnUpsampleNearestExact3dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 3);
    /// Prepares vectors of the size of the output by linear interpolation (`aclnnUpsampleLinear1d`). Centers of elements are
    /// at halves, or the corners of both are at the same place if `align_corners`.
    #[doc(alias("aclnnUpsampleLinear1d", "aclnnUpsampleLinear1dGetWorkspaceSize"))]
    UpsampleLinear1d<T: Floating>,
        upsample_linear1d(a: image T, size: (&last::<1>(&out.dims)) Ints, align_corners: attr bool, scale: (0.0) f64, out: image_out T)
        = aclnnUpsampleLinear1d, aclnnUpsampleLinear1dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 1);
    /// Prepares volumes of the size of the output by linear interpolation (`aclnnUpsampleTrilinear3d`). Centers of elements are
    /// at halves, or the corners of both are at the same place if `align_corners`.
    #[doc(alias("aclnnUpsampleTrilinear3d", "aclnnUpsampleTrilinear3dGetWorkspaceSize"))]
    UpsampleTrilinear3d<T: Floating>,
        upsample_trilinear3d(a: image T, size: (&last::<3>(&out.dims)) Ints, align_corners: attr bool, scale_d: (0.0) f64, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleTrilinear3d, aclnnUpsampleTrilinear3dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 3);
    /// Prepares images of the size of the output by cubic interpolation (`aclnnUpsampleBicubic2d`). Centers of elements are
    /// at halves, or the corners of both are at the same place if `align_corners`.
    #[doc(alias("aclnnUpsampleBicubic2d", "aclnnUpsampleBicubic2dGetWorkspaceSize"))]
    UpsampleBicubic2d<T: Floating>,
        upsample_bicubic2d(a: image T, size: (&last::<2>(&out.dims)) Ints, align_corners: attr bool, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleBicubic2d, aclnnUpsampleBicubic2dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2);
    /// Prepares images of the size of the output by cubic interpolation (`aclnnUpsampleBicubic2dAA`),
    /// over all elements that become one. Centers of elements are
    /// at halves, or the corners of both are at the same place if `align_corners`.
    #[doc(alias("aclnnUpsampleBicubic2dAA", "aclnnUpsampleBicubic2dAAGetWorkspaceSize"))]
    UpsampleBicubic2dAA<T: Floating>,
        upsample_bicubic2d_aa(a: image T, size: (&last::<2>(&out.dims)) Ints, align_corners: attr bool, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleBicubic2dAA, aclnnUpsampleBicubic2dAAGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2);
    /// Prepares images of the size of the output by linear interpolation (`aclnnUpsampleBilinear2dAA`),
    /// over all elements that become one. Centers of elements are
    /// at halves, or the corners of both are at the same place if `align_corners`.
    #[doc(alias("aclnnUpsampleBilinear2dAA", "aclnnUpsampleBilinear2dAAGetWorkspaceSize"))]
    UpsampleBilinear2dAA<T: Floating>,
        upsample_bilinear2d_aa(a: image T, size: (&last::<2>(&out.dims)) Ints, align_corners: attr bool, scale_h: (0.0) f64, scale_w: (0.0) f64, out: image_out T)
        = aclnnUpsampleBilinear2dAA, aclnnUpsampleBilinear2dAAGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2);
    /// Prepares the means of as many blocks of volumes as the output has elements (`aclnnAdaptiveAvgPool3d`): block `i` of `n`
    /// has the indices from `i * size / n`, rounded down, to `(i + 1) * size / n`, rounded up.
    #[doc(alias("aclnnAdaptiveAvgPool3d", "aclnnAdaptiveAvgPool3dGetWorkspaceSize"))]
    AdaptiveAvgPool3d<T: Floating>, adaptive_avg_pool3d(a: image T, size: (&last::<3>(&out.dims)) Ints, out: image_out T)
        = aclnnAdaptiveAvgPool3d, aclnnAdaptiveAvgPool3dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 3);
    /// Prepares the largest elements of as many blocks of images as the output has elements, and where they stand
    /// (`aclnnAdaptiveMaxPool2d`): an index counts the elements of the last 2 dimensions. The outputs come back as a pair.
    #[doc(alias("aclnnAdaptiveMaxPool2d", "aclnnAdaptiveMaxPool2dGetWorkspaceSize"))]
    AdaptiveMaxPool2d<T: Fractional>,
        adaptive_max_pool2d(a: image T, size: (&last::<2>(&out.dims)) Ints, out: image_out T, indices: image_out i64)
        = aclnnAdaptiveMaxPool2d, aclnnAdaptiveMaxPool2dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 2).and_then(|()| indices.dims.check_is(op, &a.dims, out.dims.sizes()));
    /// Prepares the largest elements of as many blocks of volumes as the output has elements, and where they stand
    /// (`aclnnAdaptiveMaxPool3d`): an index counts the elements of the last 3 dimensions. The outputs come back as a pair.
    #[doc(alias("aclnnAdaptiveMaxPool3d", "aclnnAdaptiveMaxPool3dGetWorkspaceSize"))]
    AdaptiveMaxPool3d<T: Fractional>,
        adaptive_max_pool3d(a: image T, size: (&last::<3>(&out.dims)) Ints, out: image_out T, indices: image_out i64)
        = aclnnAdaptiveMaxPool3d, aclnnAdaptiveMaxPool3dGetWorkspaceSize, |op| check_resized(op, &a.dims, &out.dims, 3).and_then(|()| indices.dims.check_is(op, &a.dims, out.dims.sizes()));
    /// Prepares the means of the elements of volumes under a window (`aclnnAvgPool3d`). Zeros of the padding count as elements if
    /// `counts_pads`, and sums are divided by `divisor` if it is not 0.
    ///
    /// `kernel`, `stride` and `padding` have three numbers each, and the padding is at most half of the window. With `ceil` a last
    /// window that reaches beyond the volume counts.
    #[doc(alias("aclnnAvgPool3d", "aclnnAvgPool3dGetWorkspaceSize"))]
    AvgPool3d<T: Floating>,
        avg_pool3d(a: image T, kernel: ints, stride: ints, padding: ints, ceil: attr bool, counts_pads: attr bool, divisor: attr i64, out: image_out T)
        = aclnnAvgPool3d, aclnnAvgPool3dGetWorkspaceSize, |op| check_windows(op, &a.dims, [kernel, stride, padding, &[1; 3]], ceil, &out.dims);
    /// Prepares the largest elements of volumes under a window, and where they stand (`aclnnMaxPool3dWithArgmax`): an index counts
    /// the elements of the last 3 dimensions. The outputs come back as a pair.
    ///
    /// The lists have three numbers each, and the padding is at most half of the window. With `ceil` a last window that reaches
    /// beyond the volume counts.
    #[doc(alias("aclnnMaxPool3dWithArgmax", "aclnnMaxPool3dWithArgmaxGetWorkspaceSize"))]
    MaxPool3dWithArgmax<T: Floating>,
        max_pool3d_with_argmax(a: image T, kernel: ints, stride: ints, padding: ints, dilation: ints, ceil: attr bool, out: image_out T, indices: image_out i32)
        = aclnnMaxPool3dWithArgmax, aclnnMaxPool3dWithArgmaxGetWorkspaceSize, |op| check_windows(op, &a.dims, [kernel, stride, padding, dilation], ceil, &out.dims).and_then(|()| indices.dims.check_is(op, &a.dims, out.dims.sizes()));
    /// Prepares zeros, and the elements of `a` at the places of an image that the indices name (`aclnnMaxUnpool2d`): an index
    /// counts the elements of the last 2 dimensions of the output.
    #[doc(alias("aclnnMaxUnpool2d", "aclnnMaxUnpool2dGetWorkspaceSize"))]
    MaxUnpool2d<T: Arithmetic, I: IndexElement>,
        max_unpool2d(a: in T, index: index I, size: (&last::<2>(&out.dims)) Ints, out: out T)
        = aclnnMaxUnpool2d, aclnnMaxUnpool2dGetWorkspaceSize, |op| check_back(op, &a.dims, index, &out.dims, 2);
    /// Prepares zeros, and the elements of `a` at the places of a volume that the indices name (`aclnnMaxUnpool3d`): an index
    /// counts the elements of the last 3 dimensions of the output. `stride` and `padding` are those of the pooling, three numbers
    /// each.
    #[doc(alias("aclnnMaxUnpool3d", "aclnnMaxUnpool3dGetWorkspaceSize"))]
    MaxUnpool3d<T: Arithmetic, I: IndexElement>,
        max_unpool3d(a: in T, index: index I, size: (&last::<3>(&out.dims)) Ints, stride: ints, padding: ints, out: out T)
        = aclnnMaxUnpool3d, aclnnMaxUnpool3dGetWorkspaceSize, |op| check_back(op, &a.dims, index, &out.dims, 3).and_then(|()| check_lists(op, &a.dims, &[stride, padding]));
    /// Prepares the numbers of images at the places of a grid (`aclnnGridSampler2D`).
    ///
    /// The output has the batch and the channels of the images, and the dimensions of the grid, which has 2 numbers from -1 to 1
    /// for each place, the last dimension first. `way` is 0 for linear interpolation, 1 for the nearest element and 2 for cubic curves; `ends` is 0 for zeros behind
    /// the ends, 1 for the elements there, and 2 for a reflection.
    #[doc(alias("aclnnGridSampler2D", "aclnnGridSampler2DGetWorkspaceSize"))]
    GridSampler2D<T: Fractional>,
        grid_sampler2d(a: in T, grid: in T, way: attr i64, ends: attr i64, align_corners: attr bool, out: out T)
        = aclnnGridSampler2D, aclnnGridSampler2DGetWorkspaceSize, |op| a.dims.grid_output::<2>(op, &grid.dims, way, 3, ends).and_then(|shape| out.dims.check_is(op, &a.dims, &shape)).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the numbers of volumes at the places of a grid (`aclnnGridSampler3D`).
    ///
    /// The output has the batch and the channels of the volumes, and the dimensions of the grid, which has 3 numbers from -1 to 1
    /// for each place, the last dimension first. `way` is 0 for linear interpolation and 1 for the
    /// nearest element; `ends` is 0 for zeros behind
    /// the ends, 1 for the elements there, and 2 for a reflection.
    #[doc(alias("aclnnGridSampler3D", "aclnnGridSampler3DGetWorkspaceSize"))]
    GridSampler3D<T: Fractional>,
        grid_sampler3d(a: in T, grid: in T, way: attr i64, ends: attr i64, align_corners: attr bool, out: out T)
        = aclnnGridSampler3D, aclnnGridSampler3DGetWorkspaceSize, |op| a.dims.grid_output::<3>(op, &grid.dims, way, 2, ends).and_then(|shape| out.dims.check_is(op, &a.dims, &shape)).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the means of the numbers of boxes in images (`aclnnRoiAlign`): a box is divided into as many bins as the output has
    /// in its last two dimensions.
    ///
    /// A row of `boxes` is a left, an upper, a right and a lower end, which are multiplied by `scale`, and `batch` has the number of
    /// an image for each. The output has the shape `[boxes, channels, rows, columns]`. A bin has `places` times `places` numbers;
    /// 0 stands for as many as it has elements.
    #[doc(alias("aclnnRoiAlign", "aclnnRoiAlignGetWorkspaceSize"))]
    RoiAlign<T: Floating>,
        roi_align(
            a: image T, boxes: in T, batch: index i32, mode: (c"avg") Text,
            rows: (i32::try_from(out.dims.size(2)).unwrap_or_default()) i32,
            columns: (i32::try_from(out.dims.size(3)).unwrap_or_default()) i32, places: [u16: i32::from(places) => i32],
            scale: attr f32, out: image_out T
        )
        = aclnnRoiAlign, aclnnRoiAlignGetWorkspaceSize, |op| check_boxes(op, &a.dims, &boxes.dims, batch, &out.dims);
}

/// The last sizes of a shape.
fn last<const COUNT: usize>(dims: &Dims) -> [i64; COUNT] {
    dims.sizes().last_chunk().copied().unwrap_or([0; COUNT])
}

/// Checks that the last dimensions of the output have any size, and the others those of the operand.
fn check_resized(operator: &'static str, operand: &Dims, out: &Dims, dims: usize) -> Result<()> {
    operand.check_rank(operator, dims + 2)?;
    out.check_is(operator, operand, &operand.with_last(out.last(dims)))?;
    operand.check_filled(operator, out)
}

/// Checks that lists have a number for each dimension of a volume.
fn check_lists(operator: &'static str, operand: &Dims, lists: &[&[i64]]) -> Result<()> {
    match lists.iter().find(|list| list.len() != 3) {
        Some(list) => {
            Err(operand.numbers(operator, list, "a number for each dimension of a volume"))
        }
        None => Ok(()),
    }
}

/// Checks a window over volumes: the lists are its sizes, its distances, the padding, and the distances in it.
fn check_windows(
    operator: &'static str,
    operand: &Dims,
    lists: [&[i64]; 4],
    ceil: bool,
    out: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 5)?;
    check_lists(operator, operand, &lists)?;
    let [kernel, stride, padding, dilation] = lists;
    for list in [kernel, stride, dilation] {
        let rule = "kernels, strides and dilations are at least 1";
        operand.check_numbers(operator, list, |number| number > 0, rule)?;
    }
    let mut pairs = padding.iter().zip(kernel);
    if !pairs.all(|(padding, kernel)| (0..=kernel / 2).contains(padding)) {
        let rule = "padding is at least 0, and at most half of the window";
        return Err(operand.numbers(operator, padding, rule));
    }
    let mut windows = Vec::with_capacity(3);
    for ((kernel, stride), (padding, dilation)) in
        kernel.iter().zip(stride).zip(padding.iter().zip(dilation))
    {
        windows.push(Window {
            kernel: *kernel,
            stride: *stride,
            padding: [*padding; 2],
            dilation: *dilation,
        });
    }
    let slid = operand.slid(operator, &windows, ceil)?;
    out.check_is(operator, operand, &operand.with_last(&slid))?;
    operand.check_filled(operator, out)
}

/// Checks that each index has an element in the last dimensions of the output.
fn check_back<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    index: &Indices<'_, X, I, L>,
    out: &Dims,
    dims: usize,
) -> Result<()> {
    check_resized(operator, operand, out, dims)?;
    index
        .tensor
        .dims
        .check_beside(operator, operand, operand.sizes())?;
    index.check_within(operator, product(out.last(dims)))
}

/// Checks that there is a box for each number of an image, and that the output has channels and bins for each box.
fn check_boxes<X, L>(
    operator: &'static str,
    operand: &Dims,
    boxes: &Dims,
    batch: &Indices<'_, X, i32, L>,
    out: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 4)?;
    let count = batch.tensor.dims.elements();
    batch.tensor.dims.check_beside(operator, boxes, &[count])?;
    boxes.check_beside(operator, operand, &[count, 4])?;
    batch.check_within(operator, operand.size(0))?;
    let bins = out.last(2);
    let mut expected = vec![count, operand.size(1)];
    expected.extend_from_slice(bins);
    out.check_is(operator, operand, &expected)?;
    operand.check_filled(operator, out)
}
