//! Operators that take dimensions away: sums.

use ascendcl_sys as sys;

use crate::op::element::{Element, SumTo};
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on; no dimension stands for all. With `keep` the output \
     has one element in each dimension that is taken away, without it those dimensions are left out.";
    /// Prepares the sum over the dimensions `axes` (`aclnnReduceSum`).
    ///
    /// Half precision is summed in single precision.
    #[doc(alias("aclnnReduceSum", "aclnnReduceSumGetWorkspaceSize"))]
    ReduceSum<T: SumTo<U>, U: Element>,
        reduce_sum(a: in T, axes: ints, keep: attr bool, to: (U::DATA_TYPE) sys::aclDataType, out: out U)
        = aclnnReduceSum, aclnnReduceSumGetWorkspaceSize, |op| out.dims.check_reduced(op, &a.dims, axes, keep);
}
