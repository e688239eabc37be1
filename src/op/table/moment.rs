//! Reductions with several results, and results of all elements up to each one.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Arithmetic, Comparable, Floating, IndexElement, Real};
use crate::op::parameter::Scalar;
use crate::op::shape::Dims;
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on; a list without dimensions stands for all. With `keep` the \
     output has one element in each dimension that is taken away, without it those dimensions are left out.";
    /// Prepares the mean over the dimensions `axes` (`aclnnMeanV2`).
    #[doc(alias("aclnnMeanV2", "aclnnMeanV2GetWorkspaceSize"))]
    MeanV2<T: Floating>, mean_v2(a: in T, axes: ints, keep: attr bool, stays: (false) bool, out: out T)
        = aclnnMeanV2, aclnnMeanV2GetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the largest elements over the dimensions `axes` (`aclnnMaxV2`).
    #[doc(alias("aclnnMaxV2", "aclnnMaxV2GetWorkspaceSize"))]
    MaxV2<T: Comparable>, max_v2(a: in T, axes: ints, keep: attr bool, stays: (false) bool, out: out T)
        = aclnnMaxV2, aclnnMaxV2GetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the sum over the dimensions `axes`, where NaN counts as 0 (`aclnnReduceNansum`).
    #[doc(alias("aclnnReduceNansum", "aclnnReduceNansumGetWorkspaceSize"))]
    ReduceNansum<T: Arithmetic>,
        reduce_nansum(a: in T, axes: ints, keep: attr bool, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnReduceNansum, aclnnReduceNansumGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the logarithm of the sum over the dimensions `axes` (`aclnnReduceLogSum`).
    #[doc(alias("aclnnReduceLogSum", "aclnnReduceLogSumGetWorkspaceSize"))]
    ReduceLogSum<T: Floating>, reduce_log_sum(a: in T, axes: ints, keep: attr bool, stays: (false) bool, out: out T)
        = aclnnReduceLogSum, aclnnReduceLogSumGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the smallest and the largest elements over the dimensions `axes` (`aclnnAminmax`).
    #[doc(alias("aclnnAminmax", "aclnnAminmaxGetWorkspaceSize"))]
    Aminmax<T: Comparable>, aminmax(a: in T, axes: ints, keep: attr bool, least: out T, most: out T)
        = aclnnAminmax, aclnnAminmaxGetWorkspaceSize, |op| check_extremes(op, &a.dims, axes, keep, [&least.dims, &most.dims]);
    /// Prepares the smallest and the largest element (`aclnnAminmaxAll`). The outputs have no dimension.
    #[doc(alias("aclnnAminmaxAll", "aclnnAminmaxAllGetWorkspaceSize"))]
    AminmaxAll<T: Comparable>, aminmax_all(a: in T, least: out T, most: out T)
        = aclnnAminmaxAll, aclnnAminmaxAllGetWorkspaceSize, |op| check_extremes(op, &a.dims, &[], false, [&least.dims, &most.dims]);
    /// Prepares the smallest and the largest elements over the dimension `axis` (`aclnnAminmaxDim`).
    #[doc(alias("aclnnAminmaxDim", "aclnnAminmaxDimGetWorkspaceSize"))]
    AminmaxDim<T: Comparable>, aminmax_dim(a: in T, axis: attr i64, keep: attr bool, least: out T, most: out T)
        = aclnnAminmaxDim, aclnnAminmaxDimGetWorkspaceSize, |op| check_extremes(op, &a.dims, &[axis], keep, [&least.dims, &most.dims]);
    /// Prepares the variance and the mean over the dimensions `axes` (`aclnnVarMean`).
    #[doc(alias("aclnnVarMean", "aclnnVarMeanGetWorkspaceSize"))]
    VarMean<T: Floating>,
        var_mean(a: in T, axes: ints, correction: attr i64, keep: attr bool, variance: out T, mean: out T)
        = aclnnVarMean, aclnnVarMeanGetWorkspaceSize, |op| variance.dims.check_reduced(op, &a.dims, axes, keep).and(mean.dims.check_reduced(op, &a.dims, axes, keep));
    /// Prepares the standard deviation and the mean over the dimensions `axes` (`aclnnStdMeanCorrection`).
    #[doc(alias("aclnnStdMeanCorrection", "aclnnStdMeanCorrectionGetWorkspaceSize"))]
    StdMeanCorrection<T: Floating>,
        std_mean_correction(a: in T, axes: ints, correction: attr i64, keep: attr bool, deviation: out T, mean: out T)
        = aclnnStdMeanCorrection, aclnnStdMeanCorrectionGetWorkspaceSize, |op| deviation.dims.check_reduced(op, &a.dims, axes, keep).and(mean.dims.check_reduced(op, &a.dims, axes, keep));
    /// Prepares the means of whole channels, `[n, c, ..]` gives `[n, c, 1, ..]` (`aclnnGlobalAveragePool`).
    #[doc(alias("aclnnGlobalAveragePool", "aclnnGlobalAveragePoolGetWorkspaceSize"))]
    GlobalAveragePool<T: Real>, global_average_pool(a: in T, out: out T)
        = aclnnGlobalAveragePool, aclnnGlobalAveragePoolGetWorkspaceSize, |op| check_channels(op, &a.dims, &out.dims);
    /// Prepares the largest elements of whole channels, `[n, c, ..]` gives `[n, c, 1, ..]` (`aclnnGlobalMaxPool`).
    #[doc(alias("aclnnGlobalMaxPool", "aclnnGlobalMaxPoolGetWorkspaceSize"))]
    GlobalMaxPool<T: Real>, global_max_pool(a: in T, out: out T)
        = aclnnGlobalMaxPool, aclnnGlobalMaxPoolGetWorkspaceSize, |op| check_channels(op, &a.dims, &out.dims);
    /// Prepares the norm of vectors of the order `p` over the dimensions `axes` (`aclnnLinalgVectorNorm`).
    #[doc(alias("aclnnLinalgVectorNorm", "aclnnLinalgVectorNormGetWorkspaceSize"))]
    LinalgVectorNorm<T: Floating>,
        linalg_vector_norm(a: in T, p: scalar f32, axes: ints, keep: attr bool, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnLinalgVectorNorm, aclnnLinalgVectorNormGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the products of the elements up to each one along the dimension `axis` (`aclnnCumprod`).
    #[doc(alias("aclnnCumprod", "aclnnCumprodGetWorkspaceSize"))]
    Cumprod<T: Arithmetic>,
        cumprod(a: in T, axis: [i64: axis => Scalar<i64>], to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnCumprod, aclnnCumprodGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares the products of the elements up to each one along the dimension `axis`, in place (`aclnnInplaceCumprod`).
    #[doc(alias("aclnnInplaceCumprod", "aclnnInplaceCumprodGetWorkspaceSize"))]
    InplaceCumprod<T: Arithmetic>, inplace_cumprod(a: only_inout T, axis: [i64: axis => Scalar<i64>])
        = aclnnInplaceCumprod, aclnnInplaceCumprodGetWorkspaceSize, |op| a.dims.check_along(op, &a.dims, axis);
    /// Prepares the sums of the elements up to each one along the dimension `axis` (`aclnnCumsumV2`): without the element itself
    /// if `exclusive`, and from the end if `reverse`.
    #[doc(alias("aclnnCumsumV2", "aclnnCumsumV2GetWorkspaceSize"))]
    CumsumV2<T: Arithmetic>, cumsum_v2(a: in T, axis: attr i64, exclusive: attr bool, reverse: attr bool, out: out T)
        = aclnnCumsumV2, aclnnCumsumV2GetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares the largest of the elements up to each one along the dimension `axis`, and where it stands (`aclnnCummax`).
    #[doc(alias("aclnnCummax", "aclnnCummaxGetWorkspaceSize"))]
    Cummax<T: Comparable, I: IndexElement>, cummax(a: in T, axis: attr i64, values: out T, indices: out I)
        = aclnnCummax, aclnnCummaxGetWorkspaceSize, |op| values.dims.check_along(op, &a.dims, axis).and(indices.dims.check_same(op, &a.dims));
    /// Prepares the smallest of the elements up to each one along the dimension `axis`, and where it stands (`aclnnCummin`).
    #[doc(alias("aclnnCummin", "aclnnCumminGetWorkspaceSize"))]
    Cummin<T: Comparable, I: IndexElement>, cummin(a: in T, axis: attr i64, values: out T, indices: out I)
        = aclnnCummin, aclnnCumminGetWorkspaceSize, |op| values.dims.check_along(op, &a.dims, axis).and(indices.dims.check_same(op, &a.dims));
    /// Prepares the variance over the dimensions `axes` (`aclnnVarCorrection`): the sum of the squares is divided by the number of
    /// elements less `correction`.
    #[doc(alias("aclnnVarCorrection", "aclnnVarCorrectionGetWorkspaceSize"))]
    VarCorrection<T: Floating>, var_correction(a: in T, axes: ints, correction: attr i64, keep: attr bool, out: out T)
        = aclnnVarCorrection, aclnnVarCorrectionGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the sum of the diagonal of a matrix (`aclnnTrace`). The output has no dimension.
    #[doc(alias("aclnnTrace", "aclnnTraceGetWorkspaceSize"))]
    Trace<T: Floating>, trace(a: in T, out: out T)
        = aclnnTrace, aclnnTraceGetWorkspaceSize, |op| a.dims.check_rank(op, 2).and_then(|()| out.dims.check_is(op, &a.dims, &[]));
    /// Prepares a copy, whose parts along the dimension `axis` have a norm of the order `p` of at most `most` (`aclnnRenorm`).
    #[doc(alias("aclnnRenorm", "aclnnRenormGetWorkspaceSize"))]
    Renorm<T: Floating>, renorm(a: in T, p: scalar f32, axis: attr i64, most: scalar f32, out: out T)
        = aclnnRenorm, aclnnRenormGetWorkspaceSize, |op| check_parts(op, &a.dims).and_then(|()| out.dims.check_along(op, &a.dims, axis));
    /// Limits the norm of the order `p` of parts along the dimension `axis` to `most`, in place (`aclnnInplaceRenorm`).
    #[doc(alias("aclnnInplaceRenorm", "aclnnInplaceRenormGetWorkspaceSize"))]
    InplaceRenorm<T: Floating>, inplace_renorm(a: only_inout T, p: scalar f32, axis: attr i64, most: scalar f32)
        = aclnnInplaceRenorm, aclnnInplaceRenormGetWorkspaceSize, |op| check_parts(op, &a.dims).and_then(|()| a.dims.check_along(op, &a.dims, axis));
}

/// Checks both outputs of a reduction to the smallest and the largest elements.
fn check_extremes(
    operator: &'static str,
    operand: &Dims,
    axes: &[i64],
    keep: bool,
    outputs: [&Dims; 2],
) -> Result<()> {
    for output in outputs {
        output.check_reduced(operator, operand, axes, keep)?;
        operand.check_filled(operator, output)?;
    }
    Ok(())
}

/// Checks that the output has one element for each channel.
fn check_channels(operator: &'static str, operand: &Dims, output: &Dims) -> Result<()> {
    if operand.rank < 3 {
        operand.check_rank(operator, 3)?;
    }
    let axes: Vec<i64> = (2..operand.rank.cast_signed() as i64).collect();
    output.check_reduced(operator, operand, &axes, true)?;
    operand.check_filled(operator, output)
}

/// Checks that a part of the operand has dimensions of its own.
fn check_parts(operator: &'static str, operand: &Dims) -> Result<()> {
    if operand.rank < 2 {
        return operand.check_rank(operator, 2);
    }
    Ok(())
}
