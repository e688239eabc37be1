//! Operators that take dimensions away: sums, extremes, means.

use ascendcl_sys as sys;

use crate::op::element::{
    Arithmetic, Comparable, Element, Floating, Fractional, IndexElement, Numeric, SumTo,
};
use crate::op::parameter::Ints;
use crate::op::table::functions;
use crate::op::truth::Bool;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on; a list without dimensions stands for all. With `keep` the \
     output has one element in each dimension that is taken away, without it those dimensions are left out.";
    /// Prepares the sum over the dimensions `axes` (`aclnnReduceSum`).
    ///
    /// Half precision is summed in single precision.
    #[doc(alias("aclnnReduceSum", "aclnnReduceSumGetWorkspaceSize"))]
    ReduceSum<T: SumTo<U>, U: Element>,
        reduce_sum(a: in T, axes: ints, keep: attr bool, to: (U::DATA_TYPE) sys::aclDataType, out: out U)
        = aclnnReduceSum, aclnnReduceSumGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the mean over the dimensions `axes` (`aclnnMean`).
    #[doc(alias("aclnnMean", "aclnnMeanGetWorkspaceSize"))]
    Mean<T: Fractional>, mean(a: in T, axes: ints, keep: attr bool, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnMean, aclnnMeanGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the product of all elements (`aclnnProd`). The output has one element.
    #[doc(alias("aclnnProd", "aclnnProdGetWorkspaceSize"))]
    Prod<T: Arithmetic>, prod(a: in T, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnProd, aclnnProdGetWorkspaceSize, |op| out.dims.check_is(op, &a.dims, &[1]);
    /// Prepares the product over the dimension `axis` (`aclnnProdDim`).
    #[doc(alias("aclnnProdDim", "aclnnProdDimGetWorkspaceSize"))]
    ProdDim<T: Arithmetic>,
        prod_dim(a: in T, axis: attr i64, keep: attr bool, to: (T::DATA_TYPE) sys::aclDataType, out: out T)
        = aclnnProdDim, aclnnProdDimGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, &[axis], keep);
    /// Prepares the largest of all elements (`aclnnMax`). The output has one element.
    #[doc(alias("aclnnMax", "aclnnMaxGetWorkspaceSize"))]
    Max<T: Comparable>, max(a: in T, out: out T)
        = aclnnMax, aclnnMaxGetWorkspaceSize, |op| out.dims.check_one(op, &a.dims);
    /// Prepares the largest elements over the dimensions `axes` (`aclnnAmax`).
    #[doc(alias("aclnnAmax", "aclnnAmaxGetWorkspaceSize"))]
    Amax<T: Comparable>, amax(a: in T, axes: ints, keep: attr bool, out: out T)
        = aclnnAmax, aclnnAmaxGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the largest elements over the dimension `axis`, and where they stood in it (`aclnnMaxDim`). The two
    /// outputs come back as a pair.
    #[doc(alias("aclnnMaxDim", "aclnnMaxDimGetWorkspaceSize"))]
    MaxDim<T: Numeric, I: IndexElement>, max_dim(a: in T, axis: attr i64, keep: attr bool, values: out T, indices: out I)
        = aclnnMaxDim, aclnnMaxDimGetWorkspaceSize, |op| values.dims.check_reduced(op, &a.dims, &[axis], keep).and(indices.dims.check_reduced(op, &a.dims, &[axis], keep)).and(a.dims.check_filled(op, &values.dims));
    /// Prepares where the largest elements stand in the dimension `axis` (`aclnnArgMax`).
    #[doc(alias("aclnnArgMax", "aclnnArgMaxGetWorkspaceSize"))]
    ArgMax<T: Arithmetic, I: IndexElement>, arg_max(a: in T, axis: attr i64, keep: attr bool, out: out I)
        = aclnnArgMax, aclnnArgMaxGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, &[axis], keep).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the smallest of all elements (`aclnnMin`). The output has one element.
    #[doc(alias("aclnnMin", "aclnnMinGetWorkspaceSize"))]
    Min<T: Comparable>, min(a: in T, out: out T)
        = aclnnMin, aclnnMinGetWorkspaceSize, |op| out.dims.check_one(op, &a.dims);
    /// Prepares the smallest elements over the dimensions `axes` (`aclnnAmin`).
    #[doc(alias("aclnnAmin", "aclnnAminGetWorkspaceSize"))]
    Amin<T: Comparable>, amin(a: in T, axes: ints, keep: attr bool, out: out T)
        = aclnnAmin, aclnnAminGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the smallest elements over the dimension `axis`, and where they stood in it (`aclnnMinDim`). The two
    /// outputs come back as a pair.
    #[doc(alias("aclnnMinDim", "aclnnMinDimGetWorkspaceSize"))]
    MinDim<T: Numeric, I: IndexElement>, min_dim(a: in T, axis: attr i64, keep: attr bool, values: out T, indices: out I)
        = aclnnMinDim, aclnnMinDimGetWorkspaceSize, |op| values.dims.check_reduced(op, &a.dims, &[axis], keep).and(indices.dims.check_reduced(op, &a.dims, &[axis], keep)).and(a.dims.check_filled(op, &values.dims));
    /// Prepares where the smallest elements stand in the dimension `axis` (`aclnnArgMin`).
    #[doc(alias("aclnnArgMin", "aclnnArgMinGetWorkspaceSize"))]
    ArgMin<T: Arithmetic, I: IndexElement>, arg_min(a: in T, axis: attr i64, keep: attr bool, out: out I)
        = aclnnArgMin, aclnnArgMinGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, &[axis], keep).and(a.dims.check_filled(op, &out.dims));
    /// Prepares whether all elements over the dimensions `axes` are true, which all but zero are (`aclnnAll`).
    #[doc(alias("aclnnAll", "aclnnAllGetWorkspaceSize"))]
    All<T: Comparable>, all(a: in T, axes: ints, keep: attr bool, out: out Bool)
        = aclnnAll, aclnnAllGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares whether one element over the dimensions `axes` is true, which all but zero are (`aclnnAny`).
    #[doc(alias("aclnnAny", "aclnnAnyGetWorkspaceSize"))]
    Any<T: Comparable>, any(a: in T, axes: ints, keep: attr bool, out: out Bool)
        = aclnnAny, aclnnAnyGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the standard deviation over the dimensions `axes`: the sum of squares is divided by the number of
    /// elements less `correction` (`aclnnStd`).
    #[doc(alias("aclnnStd", "aclnnStdGetWorkspaceSize"))]
    Std<T: Floating>,
        std(a: in T, axes: [&[i64]: Some(axes) => Option<Ints>], correction: attr i64, keep: attr bool, out: out T)
        = aclnnStd, aclnnStdGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the variance over the dimensions `axes`: the sum of squares is divided by the number of elements,
    /// less 1 if `unbiased` (`aclnnVar`).
    #[doc(alias("aclnnVar", "aclnnVarGetWorkspaceSize"))]
    Var<T: Floating>,
        var(a: in T, axes: [&[i64]: Some(axes) => Option<Ints>], unbiased: attr bool, keep: attr bool, out: out T)
        = aclnnVar, aclnnVarGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the norm of the order `p` over the dimensions `axes` (`aclnnNorm`).
    #[doc(alias("aclnnNorm", "aclnnNormGetWorkspaceSize"))]
    Norm<T: Floating>, norm(a: in T, p: scalar f32, axes: ints, keep: attr bool, out: out T)
        = aclnnNorm, aclnnNormGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the logarithm of the sum of `e ^ a` over the dimensions `axes` (`aclnnLogSumExp`).
    #[doc(alias("aclnnLogSumExp", "aclnnLogSumExpGetWorkspaceSize"))]
    LogSumExp<T: Floating>, log_sum_exp(a: in T, axes: ints, keep: attr bool, out: out T)
        = aclnnLogSumExp, aclnnLogSumExpGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
    /// Prepares the sums of the elements up to each along the dimension `axis` (`aclnnCumsum`). The output has the
    /// shape of the operand.
    #[doc(alias("aclnnCumsum", "aclnnCumsumGetWorkspaceSize"))]
    Cumsum<T: SumTo<U>, U: Element>, cumsum(a: in T, axis: attr i64, to: (U::DATA_TYPE) sys::aclDataType, out: out U)
        = aclnnCumsum, aclnnCumsumGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
}
