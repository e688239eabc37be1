//! Other versions of operators.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, BiasOf, Comparable, Element, Floating, Half, IndexElement};
use crate::op::parameter::{In, Text};
use crate::op::shape::Dims;
use crate::op::table::decided::check_different;
use crate::op::table::functions;
use crate::op::table::index::check_taken;
use crate::op::table::norm::{check_groups as check_groups_of_channels, check_layers};
use crate::op::table::quantize::{
    RoundMode, check_factors, check_groups, check_rows, check_scaled,
};

/// The dimension of [`unique_consecutive`] that stands for none (`NoneN` of the published source).
const NO_AXIS: i64 = 1000;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. Indices were compared with a bound by \
     [`Tensor::indices`](crate::op::Tensor::indices).";
    /// Prepares `(a - mean) * r * weight + bias` with `r = 1 / sqrt(variance + epsilon)` over the last dimensions, whose sizes are
    /// `shape`, the mean and `r` (`aclnnFastLayerNorm`). Weight and bias have the shape `shape`; without them they are 1 and 0. The
    /// outputs come back as a tuple; the mean and `r` are `Some(out)`, or `()` to leave them out.
    #[doc(alias("aclnnFastLayerNorm", "aclnnFastLayerNormGetWorkspaceSize"))]
    FastLayerNorm<T: Floating>,
        fast_layer_norm(a: in T, shape: ints, weight: maybe T, bias: maybe T, epsilon: attr f64, out: out T, mean: maybe_out T, r: maybe_out T)
        = aclnnFastLayerNorm, aclnnFastLayerNormGetWorkspaceSize, |op| check_layers(op, &a.dims, shape, [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, mean.shapes().chain(r.shapes()));
    /// Prepares `(a - mean) * r * weight + bias` with `r = 1 / sqrt(variance + epsilon)` over the last dimensions, whose sizes are
    /// `shape`, the mean and `r` (`aclnnLayerNormWithImplMode`),
    /// in a way that `mode` names: 0 is the exact one. Weight and bias have the shape `shape`; without them they are 1 and 0. The
    /// outputs come back as a tuple; the mean and `r` are `Some(out)`, or `()` to leave them out.
    #[doc(alias("aclnnLayerNormWithImplMode", "aclnnLayerNormWithImplModeGetWorkspaceSize"))]
    LayerNormWithImplMode<T: Floating>,
        layer_norm_with_impl_mode(a: in T, shape: ints, weight: maybe T, bias: maybe T, epsilon: attr f64, out: out T, mean: maybe_out T, r: maybe_out T, mode: attr i32)
        = aclnnLayerNormWithImplMode, aclnnLayerNormWithImplModeGetWorkspaceSize, |op| check_layers(op, &a.dims, shape, [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, mean.shapes().chain(r.shapes()));
    /// Prepares `a` with `alpha * source` added at `index` of the dimension `axis` (`aclnnIndexAddV2`). The indices are a vector.
    #[doc(alias("aclnnIndexAddV2", "aclnnIndexAddV2GetWorkspaceSize"))]
    IndexAddV2<T: Arithmetic, I: IndexElement>,
        index_add_v2(a: in T, axis: attr i64, index: index I, source: dense T, alpha: scalar T, mode: (0) i64, out: out T)
        = aclnnIndexAddV2, aclnnIndexAddV2GetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, 1).and_then(|()| source.dims.check_source(op, &a.dims, axis, index.tensor.dims.sizes())).and(out.dims.check_same(op, &a.dims)).and(source.dims.check_filled(op, &out.dims));
    /// Prepares the elements at `index` of the dimension `axis` (`aclnnGatherV3`). The output has the dimensions of the indices
    /// instead of `axis`. Dimensions that the indices share with `a` are for [`Operator`](crate::op::Operator).
    #[doc(alias("aclnnGatherV3", "aclnnGatherV3GetWorkspaceSize"))]
    GatherV3<T: Comparable, I: IndexElement>,
        gather_v3(a: in T, axis: attr i64, index: index I, batches: (0) i64, mode: (0) i64, out: dense_out T)
        = aclnnGatherV3, aclnnGatherV3GetWorkspaceSize, |op| check_taken(op, &a.dims, axis, index, index.tensor.dims.rank).and(out.dims.check_replaced(op, &a.dims, axis, index.tensor.dims.sizes()));
    /// Prepares the positions of the elements that differ from zero, a column for each (`aclnnNonzeroV2`). `out` has a row for each
    /// dimension of `a`, and at least as many columns as `a` has elements. It comes back as
    /// [`Counted`](crate::op::Counted) memory, as that of [`nonzero`](crate::op::nonzero).
    #[doc(alias("aclnnNonzeroV2", "aclnnNonzeroV2GetWorkspaceSize"))]
    NonzeroV2<T: Comparable>, nonzero_v2(a: in T, out: out_up_to i64)
        = aclnnNonzeroV2, aclnnNonzeroV2GetWorkspaceSize, |op| check_columns(op, &a.dims, &out.dims);
    /// Prepares the different elements of `a`, and for each element of `a` where it is among them (`aclnnUnique`). With `sorted` they
    /// ascend. `values` has one dimension, with as many elements as `a` has. It comes back as
    /// [`Counted`](crate::op::Counted) memory, as that of [`nonzero`](crate::op::nonzero).
    #[doc(alias("aclnnUnique", "aclnnUniqueGetWorkspaceSize"))]
    Unique<T: Element>, unique(a: in T, sorted: attr bool, return_inverse: (true) bool, values: out_up_to T, inverse: out i64)
        = aclnnUnique, aclnnUniqueGetWorkspaceSize, |op| check_different(op, &a.dims, &values.dims, &inverse.dims, &values.dims);
    /// Prepares the elements of `a` that differ from the one in front of them, for each element of `a` where it is among them, and
    /// how often each is repeated (`aclnnUniqueConsecutive`). `values` and `counts` have one dimension, with as many elements as `a`
    /// has. They come back as [`Counted`](crate::op::Counted) memory, as that of [`nonzero`](crate::op::nonzero).
    #[doc(alias("aclnnUniqueConsecutive", "aclnnUniqueConsecutiveGetWorkspaceSize"))]
    UniqueConsecutive<T: Element>,
        unique_consecutive(a: in T, return_inverse: (true) bool, return_counts: (true) bool, axis: (NO_AXIS) i64, values: out_up_to T, inverse: out i64, counts: out_up_to i64)
        = aclnnUniqueConsecutive, aclnnUniqueConsecutiveGetWorkspaceSize, |op| check_different(op, &a.dims, &values.dims, &inverse.dims, &counts.dims);
    /// Prepares `x * scale + offset`, rounded to bytes (`aclnnAscendQuant`). `scale` and `offset` are vectors with one number for all
    /// elements, or with one for each of the last dimension. The scale is squared if `sqrt_mode`.
    #[doc(alias("aclnnAscendQuant", "aclnnAscendQuantGetWorkspaceSize"))]
    AscendQuant<T: Floating>,
        ascend_quant(x: in T, scale: in T, offset: maybe T, sqrt_mode: attr bool, round: [RoundMode: round.text() => Text], to: (sys::ACL_INT8.0) i32, y: out i8)
        = aclnnAscendQuant, aclnnAscendQuantGetWorkspaceSize, |op| check_scaled(op, &x.dims, [Some(&scale.dims), offset.map(|offset| &offset.dims)], -1).and(y.dims.check_same(op, &x.dims));
    /// Prepares the product of a matrix and of weights that are bytes (`aclnnWeightQuantBatchMatmulV3`), as
    /// [`weight_quant_batch_matmul_v2`](crate::op::weight_quant_batch_matmul_v2) does. `inner_precise` is 0 for exact products, or 1
    /// for fast ones.
    #[doc(alias("aclnnWeightQuantBatchMatmulV3", "aclnnWeightQuantBatchMatmulV3GetWorkspaceSize"))]
    WeightQuantBatchMatmulV3<T: Half, U: BiasOf<T>>,
        weight_quant_batch_matmul_v3(x: in T, weight: in i8, scale: in T, offset: maybe T, quant_scale: (None) Option<In<u64>>, quant_offset: (None) Option<In<f32>>, bias: maybe U, group_size: attr i32, inner_precise: attr i32, y: dense_out T)
        = aclnnWeightQuantBatchMatmulV3, aclnnWeightQuantBatchMatmulV3GetWorkspaceSize, |op| y.dims.check_matrices(op, &x.dims, &weight.dims, 2)
            .and_then(|()| check_groups(op, &weight.dims, [Some(&scale.dims), offset.map(|one| &one.dims)], i64::from(group_size)))
            .and_then(|()| check_factors(op, &weight.dims, &[(bias.map(|one| &one.dims), weight.dims.size(1), false)]));
    /// Prepares `a * r * (1 + gamma)` with `r = 1 / sqrt(mean(a ^ 2) + epsilon)` over the last dimensions, which are those of
    /// `gamma`, and `r` (`aclnnGemmaRmsNorm`). The outputs come back as a pair.
    #[doc(alias("aclnnGemmaRmsNorm", "aclnnGemmaRmsNormGetWorkspaceSize"))]
    GemmaRmsNorm<T: Floating>, gemma_rms_norm(a: in T, gamma: in T, epsilon: attr f64, out: out T, r: out f32)
        = aclnnGemmaRmsNorm, aclnnGemmaRmsNormGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims], &[&r.dims]);
    /// Prepares the sum of two tensors and its [`rms_norm`](crate::op::rms_norm), also as f32 (`aclnnAddRmsNormCast`). The outputs
    /// come back as a tuple: the norm as f32, the norm, `r`, the sum.
    #[doc(alias("aclnnAddRmsNormCast", "aclnnAddRmsNormCastGetWorkspaceSize"))]
    AddRmsNormCast<T: Half>,
        add_rms_norm_cast(a: in T, b: in T, gamma: in T, epsilon: attr f64, wide: out f32, out: out T, r: out f32, sum: out T)
        = aclnnAddRmsNormCast, aclnnAddRmsNormCastGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&wide.dims, &out.dims, &sum.dims], &[&r.dims]));
    /// Prepares the [`rms_norm`](crate::op::rms_norm) of the sum of two tensors in place of the first one, and the sum in place of
    /// the second one (`aclnnInplaceAddRmsNorm`). The outputs come back as a tuple: the norm, the sum, `r`.
    #[doc(alias("aclnnInplaceAddRmsNorm", "aclnnInplaceAddRmsNormGetWorkspaceSize"))]
    InplaceAddRmsNorm<T: Floating>, inplace_add_rms_norm(a: inout T, b: inout T, gamma: in T, epsilon: attr f64, r: out f32)
        = aclnnInplaceAddRmsNorm, aclnnInplaceAddRmsNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&a.dims], &[&r.dims]));
    /// Prepares the [`group_norm`](crate::op::group_norm) followed by SiLU, the mean and `r` (`aclnnGroupNormSilu`).
    #[doc(alias("aclnnGroupNormSilu", "aclnnGroupNormSiluGetWorkspaceSize"))]
    GroupNormSilu<T: Floating>,
        group_norm_silu(a: in T, gamma: maybe T, beta: maybe T, groups: [usize: groups.cast_signed() as i64 => i64], epsilon: attr f64, out: out T, mean: out T, r: out T)
        = aclnnGroupNormSilu, aclnnGroupNormSiluGetWorkspaceSize, |op| check_groups_of_channels(op, &a.dims, groups, [gamma, beta].into_iter().flatten().map(|one| &one.dims), &out.dims, [&mean.dims, &r.dims]);
    /// Prepares the [`group_norm`](crate::op::group_norm) followed by SiLU if `silu`, the mean and `r` (`aclnnGroupNormSiluV2`).
    #[doc(alias("aclnnGroupNormSiluV2", "aclnnGroupNormSiluV2GetWorkspaceSize"))]
    GroupNormSiluV2<T: Floating>,
        group_norm_silu_v2(a: in T, gamma: maybe T, beta: maybe T, groups: [usize: groups.cast_signed() as i64 => i64], epsilon: attr f64, silu: attr bool, out: out T, mean: out T, r: out T)
        = aclnnGroupNormSiluV2, aclnnGroupNormSiluV2GetWorkspaceSize, |op| check_groups_of_channels(op, &a.dims, groups, [gamma, beta].into_iter().flatten().map(|one| &one.dims), &out.dims, [&mean.dims, &r.dims]);
    /// Prepares `(a - mean) / sqrt(variance + epsilon) * gamma + beta` of each channel of each image, and the mean and the variance
    /// (`aclnnInstanceNorm`). The outputs come back as a tuple.
    ///
    /// The operand is `[n, channels, rows, columns]`, `gamma` and `beta` have a number for each channel, and the figures have the
    /// shape `[n, channels, 1, 1]`. Of the cards only those of Atlas 300I take it.
    #[doc(alias("aclnnInstanceNorm", "aclnnInstanceNormGetWorkspaceSize"))]
    InstanceNorm<T: Floating>,
        instance_norm(a: in T, gamma: in T, beta: in T, format: (c"NCHW") Text, epsilon: attr f64, out: out T, mean: out T, variance: out T)
        = aclnnInstanceNorm, aclnnInstanceNormGetWorkspaceSize, |op| check_instances(op, &a.dims, [&gamma.dims, &beta.dims], &out.dims, [&mean.dims, &variance.dims]);
    /// Prepares the norm of `alpha * a + b` over the last dimensions, which are those of `gamma` and `beta`
    /// (`aclnnDeepNorm`): the mean, `r = 1 / sqrt(variance + epsilon)`, and the norm, which come back as a tuple.
    #[doc(alias("aclnnDeepNorm", "aclnnDeepNormGetWorkspaceSize"))]
    DeepNorm<T: Floating>,
        deep_norm(a: dense T, b: dense T, beta: dense T, gamma: dense T, alpha: attr f64, epsilon: attr f64, mean: dense_out f32, r: dense_out f32, out: dense_out T)
        = aclnnDeepNorm, aclnnDeepNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims, &beta.dims], &[&out.dims], &[&mean.dims, &r.dims]));
    /// Prepares bytes for the elements of each row, and the scale and the offset of each row (`aclnnDynamicQuantV2`): the scale is the
    /// distance of the smallest and the largest element, divided by 255, and the offset makes 127 of the largest one.
    ///
    /// `smooth` has a factor for each element of a row. The bytes have the shape of the operand, and the others the same without the
    /// last dimension. The outputs come back as a tuple; the offset is `Some(out)`, or `()`: then the scale is that of
    /// [`dynamic_quant`](crate::op::dynamic_quant).
    #[doc(alias("aclnnDynamicQuantV2", "aclnnDynamicQuantV2GetWorkspaceSize"))]
    DynamicQuantV2<T: Half>,
        dynamic_quant_v2(x: in T, smooth: maybe T, groups: (None) Option<In<i32>>, to: (i64::from(sys::ACL_INT8.0)) i64, y: out i8, scale: out f32, offset: maybe_out f32)
        = aclnnDynamicQuantV2, aclnnDynamicQuantV2GetWorkspaceSize, |op| check_rows(op, &x.dims, smooth.map(|smooth| &smooth.dims), &y.dims, &scale.dims).and_then(|()| offset.shapes().try_for_each(|offset| offset.check_is(op, &x.dims, scale.dims.sizes())));
    /// Prepares `(a - mean) * r * gamma + beta` over groups of channels, the norm times its sigmoid of `scale` times it if `swish`, the
    /// mean, and `r = 1 / sqrt(variance + epsilon)` (`aclnnGroupNormSwish`). The outputs come back as a tuple.
    ///
    /// The operand is `[n, channels, ..]`, `gamma` and `beta` have a number for each channel, and the figures are `[n, groups]`.
    #[doc(alias("aclnnGroupNormSwish", "aclnnGroupNormSwishGetWorkspaceSize"))]
    GroupNormSwish<T: Floating>,
        group_norm_swish(
            a: in T, gamma: in T, beta: in T, groups: [usize: groups.cast_signed() as i64 => i64], format: (c"NCHW") Text,
            epsilon: attr f64, swish: attr bool, scale: attr f64, out: out T, mean: out T, r: out T
        )
        = aclnnGroupNormSwish, aclnnGroupNormSwishGetWorkspaceSize, |op| check_groups_of_channels(op, &a.dims, groups, [&gamma.dims, &beta.dims].into_iter(), &out.dims, [&mean.dims, &r.dims]);
}

/// Checks that the output has a column for each element, and a row for each dimension.
fn check_columns(operator: &'static str, a: &Dims, out: &Dims) -> Result<()> {
    // CAST: at most 8.
    let (columns, rows) = (a.elements(), a.rank as i64);
    let given = out.size(1);
    a.check_filled(operator, out)?;
    out.check_is(operator, a, &[rows, given.max(columns)])
}

/// Checks the norm of each channel of each image.
fn check_instances(
    operator: &'static str,
    operand: &Dims,
    weights: [&Dims; 2],
    out: &Dims,
    figures: [&Dims; 2],
) -> Result<()> {
    operand.check_rank(operator, 4)?;
    let [batch, channels] = [0, 1].map(|dim| operand.size(dim));
    for weight in weights {
        weight.check_beside(operator, operand, &[channels])?;
    }
    out.check_same(operator, operand)?;
    figures.into_iter().try_for_each(|figure| {
        figure.check_is(operator, operand, &[batch, channels, 1, 1])?;
        operand.check_filled(operator, figure)
    })
}
