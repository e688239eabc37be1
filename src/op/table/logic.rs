//! Logic, bits, and choices by masks.

use ascendcl_sys as sys;

use crate::op::element::{Bits, Comparable, Fractional, Numeric};
use crate::op::table::{any_shape, functions};
use crate::op::truth::Bool;

functions! {
    "Shapes broadcast as in NumPy. What is changed in place has the shape of the result, and `tensor_mut` lends it.";
    /// Prepares `out = a && b`, where all but zero is true (`aclnnLogicalAnd`).
    #[doc(alias("aclnnLogicalAnd", "aclnnLogicalAndGetWorkspaceSize"))]
    LogicalAnd<T: Comparable>, logical_and(a: in T, b: in T, out: out Bool)
        = aclnnLogicalAnd, aclnnLogicalAndGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a && b`, where all but zero is true (`aclnnInplaceLogicalAnd`).
    #[doc(alias("aclnnInplaceLogicalAnd", "aclnnInplaceLogicalAndGetWorkspaceSize"))]
    InplaceLogicalAnd<T: Comparable>, inplace_logical_and(a: inout T, b: in T)
        = aclnnInplaceLogicalAnd, aclnnInplaceLogicalAndGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a || b`, where all but zero is true (`aclnnLogicalOr`).
    #[doc(alias("aclnnLogicalOr", "aclnnLogicalOrGetWorkspaceSize"))]
    LogicalOr<T: Comparable>, logical_or(a: in T, b: in T, out: out Bool)
        = aclnnLogicalOr, aclnnLogicalOrGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a || b`, where all but zero is true (`aclnnInplaceLogicalOr`).
    #[doc(alias("aclnnInplaceLogicalOr", "aclnnInplaceLogicalOrGetWorkspaceSize"))]
    InplaceLogicalOr<T: Comparable>, inplace_logical_or(a: inout T, b: in T)
        = aclnnInplaceLogicalOr, aclnnInplaceLogicalOrGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = !a`, where all but zero is true (`aclnnLogicalNot`).
    #[doc(alias("aclnnLogicalNot", "aclnnLogicalNotGetWorkspaceSize"))]
    LogicalNot<T: Comparable>, logical_not(a: in T, out: out Bool)
        = aclnnLogicalNot, aclnnLogicalNotGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a = !a`, where all but zero is true (`aclnnInplaceLogicalNot`).
    #[doc(alias("aclnnInplaceLogicalNot", "aclnnInplaceLogicalNotGetWorkspaceSize"))]
    InplaceLogicalNot<T: Comparable>, inplace_logical_not(a: only_inout T)
        = aclnnInplaceLogicalNot, aclnnInplaceLogicalNotGetWorkspaceSize, |_| any_shape();
    /// Prepares `out = a & b` of the bits (`aclnnBitwiseAndTensor`).
    #[doc(alias("aclnnBitwiseAndTensor", "aclnnBitwiseAndTensorGetWorkspaceSize"))]
    BitwiseAndTensor<T: Bits>, bitwise_and_tensor(a: in T, b: in T, out: out T)
        = aclnnBitwiseAndTensor, aclnnBitwiseAndTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a & b` of the bits (`aclnnInplaceBitwiseAndTensor`).
    #[doc(alias("aclnnInplaceBitwiseAndTensor", "aclnnInplaceBitwiseAndTensorGetWorkspaceSize"))]
    InplaceBitwiseAndTensor<T: Bits>, inplace_bitwise_and_tensor(a: inout T, b: in T)
        = aclnnInplaceBitwiseAndTensor, aclnnInplaceBitwiseAndTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a | b` of the bits (`aclnnBitwiseOrTensor`).
    #[doc(alias("aclnnBitwiseOrTensor", "aclnnBitwiseOrTensorGetWorkspaceSize"))]
    BitwiseOrTensor<T: Bits>, bitwise_or_tensor(a: in T, b: in T, out: out T)
        = aclnnBitwiseOrTensor, aclnnBitwiseOrTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a | b` of the bits (`aclnnInplaceBitwiseOrTensor`).
    #[doc(alias("aclnnInplaceBitwiseOrTensor", "aclnnInplaceBitwiseOrTensorGetWorkspaceSize"))]
    InplaceBitwiseOrTensor<T: Bits>, inplace_bitwise_or_tensor(a: inout T, b: in T)
        = aclnnInplaceBitwiseOrTensor, aclnnInplaceBitwiseOrTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = !a` of the bits (`aclnnBitwiseNot`).
    #[doc(alias("aclnnBitwiseNot", "aclnnBitwiseNotGetWorkspaceSize"))]
    BitwiseNot<T: Bits>, bitwise_not(a: in T, out: out T)
        = aclnnBitwiseNot, aclnnBitwiseNotGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares where `a` is neither infinite nor NaN (`aclnnIsFinite`).
    #[doc(alias("aclnnIsFinite", "aclnnIsFiniteGetWorkspaceSize"))]
    IsFinite<T: Fractional>, is_finite(a: in T, out: out Bool)
        = aclnnIsFinite, aclnnIsFiniteGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares where `a` is infinite (`aclnnIsInf`).
    #[doc(alias("aclnnIsInf", "aclnnIsInfGetWorkspaceSize"))]
    IsInf<T: Fractional>, is_inf(a: in T, out: dense_out Bool)
        = aclnnIsInf, aclnnIsInfGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares whether two tensors are equal, as a whole (`aclnnEqual`). The output has the shape `[1]`; tensors of
    /// different
    /// shapes are not equal.
    #[doc(alias("aclnnEqual", "aclnnEqualGetWorkspaceSize"))]
    Equal<T: Comparable>, equal(a: in T, b: in T, out: dense_out Bool)
        = aclnnEqual, aclnnEqualGetWorkspaceSize, |op| out.dims.check_is(op, &a.dims, &[1]);
    /// Prepares `out = if mask { a } else { b }` (`aclnnSWhere`).
    #[doc(alias("aclnnSWhere", "aclnnSWhereGetWorkspaceSize"))]
    SWhere<T: Comparable>, s_where(mask: in Bool, a: in T, b: in T, out: out T)
        = aclnnSWhere, aclnnSWhereGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&mask.dims, &a.dims, &b.dims]);
    /// Prepares `a = value` where the mask is true (`aclnnInplaceMaskedFillScalar`).
    #[doc(alias("aclnnInplaceMaskedFillScalar", "aclnnInplaceMaskedFillScalarGetWorkspaceSize"))]
    InplaceMaskedFillScalar<T: Numeric>, inplace_masked_fill_scalar(a: inout T, mask: in Bool, value: scalar T)
        = aclnnInplaceMaskedFillScalar, aclnnInplaceMaskedFillScalarGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &mask.dims);
    /// Prepares `a = value` where the mask is true, with a tensor of one element and no dimension
    /// (`aclnnInplaceMaskedFillTensor`).
    #[doc(alias("aclnnInplaceMaskedFillTensor", "aclnnInplaceMaskedFillTensorGetWorkspaceSize"))]
    InplaceMaskedFillTensor<T: Numeric>, inplace_masked_fill_tensor(a: inout T, mask: in Bool, value: in T)
        = aclnnInplaceMaskedFillTensor, aclnnInplaceMaskedFillTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &mask.dims).and(value.dims.check_is(op, &value.dims, &[]));
}
