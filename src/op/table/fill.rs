//! Operators that make tensors of nothing: numbers in order, one value for all.

use ascendcl_sys as sys;

use crate::op::element::{Comparable, Element, Numeric};
use crate::op::table::{any_shape, functions};

functions! {
    "What is changed in place `tensor_mut` lends.";
    /// Prepares zeros (`aclnnInplaceZero`).
    #[doc(alias("aclnnInplaceZero", "aclnnInplaceZeroGetWorkspaceSize"))]
    InplaceZero<T: Comparable>, inplace_zero(a: only_inout T)
        = aclnnInplaceZero, aclnnInplaceZeroGetWorkspaceSize, |_| any_shape();
    /// Prepares ones (`aclnnInplaceOne`).
    #[doc(alias("aclnnInplaceOne", "aclnnInplaceOneGetWorkspaceSize"))]
    InplaceOne<T: Comparable>, inplace_one(a: only_inout T)
        = aclnnInplaceOne, aclnnInplaceOneGetWorkspaceSize, |_| any_shape();
    /// Prepares one value for all elements (`aclnnInplaceFillScalar`).
    #[doc(alias("aclnnInplaceFillScalar", "aclnnInplaceFillScalarGetWorkspaceSize"))]
    InplaceFillScalar<T: Element>, inplace_fill_scalar(a: only_inout T, value: scalar T)
        = aclnnInplaceFillScalar, aclnnInplaceFillScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the value of a tensor without dimensions for all elements (`aclnnInplaceFillTensor`).
    #[doc(alias("aclnnInplaceFillTensor", "aclnnInplaceFillTensorGetWorkspaceSize"))]
    InplaceFillTensor<T: Numeric>, inplace_fill_tensor(a: inout T, value: in T)
        = aclnnInplaceFillTensor, aclnnInplaceFillTensorGetWorkspaceSize, |op| value.dims.check_beside(op, &a.dims, &[]);
    /// Prepares the numbers from `start` to `end`, without it, by steps of `step` (`aclnnArange`). The output is a
    /// vector of as many elements as there are numbers. `tensor_mut` lends it, because the operator does not
    /// compare its length: where it is longer, the rest keeps what it holds.
    #[doc(alias("aclnnArange", "aclnnArangeGetWorkspaceSize"))]
    Arange<T: Numeric>, arange(start: scalar T, end: scalar T, step: scalar T, out: only_inout T)
        = aclnnArange, aclnnArangeGetWorkspaceSize, |op| out.dims.check_rank(op, 1);
    /// Prepares ones on the diagonal of a matrix and zeros elsewhere (`aclnnEye`).
    #[doc(alias("aclnnEye", "aclnnEyeGetWorkspaceSize"))]
    Eye<T: Numeric>, eye(rows: (out.dims.size(0)) i64, columns: (out.dims.size(1)) i64, out: only_out T)
        = aclnnEye, aclnnEyeGetWorkspaceSize, |op| out.dims.check_rank(op, 2);
}
