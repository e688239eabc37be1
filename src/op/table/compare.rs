//! Comparisons, which give truth values.

use ascendcl_sys as sys;

use crate::op::element::Comparable;
use crate::op::table::{any_shape, functions};
use crate::op::truth::Bool;

functions! {
    "Shapes broadcast as in NumPy. A NaN is unequal to everything.";
    /// Prepares `out = a == b` (`aclnnEqTensor`).
    #[doc(alias("aclnnEqTensor", "aclnnEqTensorGetWorkspaceSize"))]
    EqTensor<T: Comparable>, eq_tensor(a: in T, b: in T, out: out Bool)
        = aclnnEqTensor, aclnnEqTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a == b` with a number of the host (`aclnnEqScalar`).
    #[doc(alias("aclnnEqScalar", "aclnnEqScalarGetWorkspaceSize"))]
    EqScalar<T: Comparable>, eq_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnEqScalar, aclnnEqScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a == b`, where 1 is true and 0 is false (`aclnnInplaceEqTensor`).
    #[doc(alias("aclnnInplaceEqTensor", "aclnnInplaceEqTensorGetWorkspaceSize"))]
    InplaceEqTensor<T: Comparable>, inplace_eq_tensor(a: inout T, b: in T)
        = aclnnInplaceEqTensor, aclnnInplaceEqTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a == b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceEqScalar`).
    #[doc(alias("aclnnInplaceEqScalar", "aclnnInplaceEqScalarGetWorkspaceSize"))]
    InplaceEqScalar<T: Comparable>, inplace_eq_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceEqScalar, aclnnInplaceEqScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a != b` (`aclnnNeTensor`).
    #[doc(alias("aclnnNeTensor", "aclnnNeTensorGetWorkspaceSize"))]
    NeTensor<T: Comparable>, ne_tensor(a: in T, b: in T, out: out Bool)
        = aclnnNeTensor, aclnnNeTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a != b` with a number of the host (`aclnnNeScalar`).
    #[doc(alias("aclnnNeScalar", "aclnnNeScalarGetWorkspaceSize"))]
    NeScalar<T: Comparable>, ne_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnNeScalar, aclnnNeScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a != b`, where 1 is true and 0 is false (`aclnnInplaceNeTensor`).
    #[doc(alias("aclnnInplaceNeTensor", "aclnnInplaceNeTensorGetWorkspaceSize"))]
    InplaceNeTensor<T: Comparable>, inplace_ne_tensor(a: inout T, b: in T)
        = aclnnInplaceNeTensor, aclnnInplaceNeTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a != b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceNeScalar`).
    #[doc(alias("aclnnInplaceNeScalar", "aclnnInplaceNeScalarGetWorkspaceSize"))]
    InplaceNeScalar<T: Comparable>, inplace_ne_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceNeScalar, aclnnInplaceNeScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a > b` (`aclnnGtTensor`).
    #[doc(alias("aclnnGtTensor", "aclnnGtTensorGetWorkspaceSize"))]
    GtTensor<T: Comparable>, gt_tensor(a: in T, b: in T, out: out Bool)
        = aclnnGtTensor, aclnnGtTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a > b` with a number of the host (`aclnnGtScalar`).
    #[doc(alias("aclnnGtScalar", "aclnnGtScalarGetWorkspaceSize"))]
    GtScalar<T: Comparable>, gt_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnGtScalar, aclnnGtScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a > b`, where 1 is true and 0 is false (`aclnnInplaceGtTensor`).
    #[doc(alias("aclnnInplaceGtTensor", "aclnnInplaceGtTensorGetWorkspaceSize"))]
    InplaceGtTensor<T: Comparable>, inplace_gt_tensor(a: inout T, b: in T)
        = aclnnInplaceGtTensor, aclnnInplaceGtTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a > b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceGtScalar`).
    #[doc(alias("aclnnInplaceGtScalar", "aclnnInplaceGtScalarGetWorkspaceSize"))]
    InplaceGtScalar<T: Comparable>, inplace_gt_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceGtScalar, aclnnInplaceGtScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a >= b` (`aclnnGeTensor`).
    #[doc(alias("aclnnGeTensor", "aclnnGeTensorGetWorkspaceSize"))]
    GeTensor<T: Comparable>, ge_tensor(a: in T, b: in T, out: out Bool)
        = aclnnGeTensor, aclnnGeTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a >= b` with a number of the host (`aclnnGeScalar`).
    #[doc(alias("aclnnGeScalar", "aclnnGeScalarGetWorkspaceSize"))]
    GeScalar<T: Comparable>, ge_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnGeScalar, aclnnGeScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a >= b`, where 1 is true and 0 is false (`aclnnInplaceGeTensor`).
    #[doc(alias("aclnnInplaceGeTensor", "aclnnInplaceGeTensorGetWorkspaceSize"))]
    InplaceGeTensor<T: Comparable>, inplace_ge_tensor(a: inout T, b: in T)
        = aclnnInplaceGeTensor, aclnnInplaceGeTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a >= b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceGeScalar`).
    #[doc(alias("aclnnInplaceGeScalar", "aclnnInplaceGeScalarGetWorkspaceSize"))]
    InplaceGeScalar<T: Comparable>, inplace_ge_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceGeScalar, aclnnInplaceGeScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a < b` (`aclnnLtTensor`).
    #[doc(alias("aclnnLtTensor", "aclnnLtTensorGetWorkspaceSize"))]
    LtTensor<T: Comparable>, lt_tensor(a: in T, b: in T, out: out Bool)
        = aclnnLtTensor, aclnnLtTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a < b` with a number of the host (`aclnnLtScalar`).
    #[doc(alias("aclnnLtScalar", "aclnnLtScalarGetWorkspaceSize"))]
    LtScalar<T: Comparable>, lt_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnLtScalar, aclnnLtScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a < b`, where 1 is true and 0 is false (`aclnnInplaceLtTensor`).
    #[doc(alias("aclnnInplaceLtTensor", "aclnnInplaceLtTensorGetWorkspaceSize"))]
    InplaceLtTensor<T: Comparable>, inplace_lt_tensor(a: inout T, b: in T)
        = aclnnInplaceLtTensor, aclnnInplaceLtTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a < b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceLtScalar`).
    #[doc(alias("aclnnInplaceLtScalar", "aclnnInplaceLtScalarGetWorkspaceSize"))]
    InplaceLtScalar<T: Comparable>, inplace_lt_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceLtScalar, aclnnInplaceLtScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a <= b` (`aclnnLeTensor`).
    #[doc(alias("aclnnLeTensor", "aclnnLeTensorGetWorkspaceSize"))]
    LeTensor<T: Comparable>, le_tensor(a: in T, b: in T, out: out Bool)
        = aclnnLeTensor, aclnnLeTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a <= b` with a number of the host (`aclnnLeScalar`).
    #[doc(alias("aclnnLeScalar", "aclnnLeScalarGetWorkspaceSize"))]
    LeScalar<T: Comparable>, le_scalar(a: in T, b: scalar T, out: out Bool)
        = aclnnLeScalar, aclnnLeScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = a <= b`, where 1 is true and 0 is false (`aclnnInplaceLeTensor`).
    #[doc(alias("aclnnInplaceLeTensor", "aclnnInplaceLeTensorGetWorkspaceSize"))]
    InplaceLeTensor<T: Comparable>, inplace_le_tensor(a: inout T, b: in T)
        = aclnnInplaceLeTensor, aclnnInplaceLeTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a <= b` with a number of the host, where 1 is true and 0 is false (`aclnnInplaceLeScalar`).
    #[doc(alias("aclnnInplaceLeScalar", "aclnnInplaceLeScalarGetWorkspaceSize"))]
    InplaceLeScalar<T: Comparable>, inplace_le_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceLeScalar, aclnnInplaceLeScalarGetWorkspaceSize, |_| any_shape();
}
