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
    /// Prepares whether a number has a minus sign (`aclnnSignbit`).
    #[doc(alias("aclnnSignbit", "aclnnSignbitGetWorkspaceSize"))]
    Signbit<T: Comparable>, signbit(a: in T, out: out Bool)
        = aclnnSignbit, aclnnSignbitGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares whether a number is minus infinity (`aclnnIsNegInf`).
    #[doc(alias("aclnnIsNegInf", "aclnnIsNegInfGetWorkspaceSize"))]
    IsNegInf<T: Comparable>, is_neg_inf(a: in T, out: out Bool)
        = aclnnIsNegInf, aclnnIsNegInfGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares whether a number is plus infinity (`aclnnIsPosInf`).
    #[doc(alias("aclnnIsPosInf", "aclnnIsPosInfGetWorkspaceSize"))]
    IsPosInf<T: Comparable>, is_pos_inf(a: in T, out: out Bool)
        = aclnnIsPosInf, aclnnIsPosInfGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits that exactly one of two whole numbers has (`aclnnBitwiseXorTensor`).
    #[doc(alias("aclnnBitwiseXorTensor", "aclnnBitwiseXorTensorGetWorkspaceSize"))]
    BitwiseXorTensor<T: Bits>, bitwise_xor_tensor(a: in T, b: in T, out: out T)
        = aclnnBitwiseXorTensor, aclnnBitwiseXorTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the bits that exactly one of two whole numbers has, in place (`aclnnInplaceBitwiseXorTensor`).
    #[doc(alias("aclnnInplaceBitwiseXorTensor", "aclnnInplaceBitwiseXorTensorGetWorkspaceSize"))]
    InplaceBitwiseXorTensor<T: Bits>, inplace_bitwise_xor_tensor(a: inout T, b: in T)
        = aclnnInplaceBitwiseXorTensor, aclnnInplaceBitwiseXorTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the bits that exactly one of two whole numbers has, one of them of the host (`aclnnBitwiseXorScalar`).
    #[doc(alias("aclnnBitwiseXorScalar", "aclnnBitwiseXorScalarGetWorkspaceSize"))]
    BitwiseXorScalar<T: Bits>, bitwise_xor_scalar(a: in T, b: scalar T, out: out T)
        = aclnnBitwiseXorScalar, aclnnBitwiseXorScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits that exactly one of two whole numbers has, one of them of the host, in place
    /// (`aclnnInplaceBitwiseXorScalar`).
    #[doc(alias("aclnnInplaceBitwiseXorScalar", "aclnnInplaceBitwiseXorScalarGetWorkspaceSize"))]
    InplaceBitwiseXorScalar<T: Bits>, inplace_bitwise_xor_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceBitwiseXorScalar, aclnnInplaceBitwiseXorScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the bits that both of two whole numbers have, one of them of the host (`aclnnBitwiseAndScalar`).
    #[doc(alias("aclnnBitwiseAndScalar", "aclnnBitwiseAndScalarGetWorkspaceSize"))]
    BitwiseAndScalar<T: Bits>, bitwise_and_scalar(a: in T, b: scalar T, out: out T)
        = aclnnBitwiseAndScalar, aclnnBitwiseAndScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits that both of two whole numbers have, one of them of the host, in place
    /// (`aclnnInplaceBitwiseAndScalar`).
    #[doc(alias("aclnnInplaceBitwiseAndScalar", "aclnnInplaceBitwiseAndScalarGetWorkspaceSize"))]
    InplaceBitwiseAndScalar<T: Bits>, inplace_bitwise_and_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceBitwiseAndScalar, aclnnInplaceBitwiseAndScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the bits that one of two whole numbers has, one of them of the host (`aclnnBitwiseOrScalar`).
    #[doc(alias("aclnnBitwiseOrScalar", "aclnnBitwiseOrScalarGetWorkspaceSize"))]
    BitwiseOrScalar<T: Bits>, bitwise_or_scalar(a: in T, b: scalar T, out: out T)
        = aclnnBitwiseOrScalar, aclnnBitwiseOrScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the bits that one of two whole numbers has, one of them of the host, in place
    /// (`aclnnInplaceBitwiseOrScalar`).
    #[doc(alias("aclnnInplaceBitwiseOrScalar", "aclnnInplaceBitwiseOrScalarGetWorkspaceSize"))]
    InplaceBitwiseOrScalar<T: Bits>, inplace_bitwise_or_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceBitwiseOrScalar, aclnnInplaceBitwiseOrScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the bits that both of two whole numbers have (`aclnnBitwiseAndTensorOut`).
    #[doc(alias("aclnnBitwiseAndTensorOut", "aclnnBitwiseAndTensorOutGetWorkspaceSize"))]
    BitwiseAndTensorOut<T: Bits>, bitwise_and_tensor_out(a: in T, b: in T, out: out T)
        = aclnnBitwiseAndTensorOut, aclnnBitwiseAndTensorOutGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the bits that both of two whole numbers have, in place (`aclnnInplaceBitwiseAndTensorOut`).
    #[doc(alias("aclnnInplaceBitwiseAndTensorOut", "aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize"))]
    InplaceBitwiseAndTensorOut<T: Bits>, inplace_bitwise_and_tensor_out(a: inout T, b: in T)
        = aclnnInplaceBitwiseAndTensorOut, aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares whether exactly one of two numbers is not 0 (`aclnnLogicalXor`).
    #[doc(alias("aclnnLogicalXor", "aclnnLogicalXorGetWorkspaceSize"))]
    LogicalXor<T: Comparable>, logical_xor(a: in T, b: in T, out: out Bool)
        = aclnnLogicalXor, aclnnLogicalXorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares whether two numbers differ by at most `atol + rtol * abs(b)` (`aclnnIsClose`).
    #[doc(alias("aclnnIsClose", "aclnnIsCloseGetWorkspaceSize"))]
    IsClose<T: Comparable>, is_close(a: in T, b: in T, rtol: attr f64, atol: attr f64, equal_nan: attr bool, out: out Bool)
        = aclnnIsClose, aclnnIsCloseGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
}
