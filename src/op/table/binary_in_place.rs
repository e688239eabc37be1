//! Arithmetic that changes a tensor in place.

use ascendcl_sys as sys;

use crate::op::element::{Arithmetic, Fractional, Numeric};
use crate::op::table::binary::Rounding;
use crate::op::table::functions;

functions! {
    "The first operand is lent for writing, by `tensor_mut`, and has the shape of the result; the others broadcast to it as in \
     NumPy.";
    /// Prepares `a += alpha * b` (`aclnnInplaceAdd`).
    #[doc(alias("aclnnInplaceAdd", "aclnnInplaceAddGetWorkspaceSize"))]
    InplaceAdd<T: Arithmetic>, inplace_add(a: inout T, b: in T, alpha: scalar T)
        = aclnnInplaceAdd, aclnnInplaceAddGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a -= alpha * b` (`aclnnInplaceSub`).
    #[doc(alias("aclnnInplaceSub", "aclnnInplaceSubGetWorkspaceSize"))]
    InplaceSub<T: Arithmetic>, inplace_sub(a: inout T, b: in T, alpha: scalar T)
        = aclnnInplaceSub, aclnnInplaceSubGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a *= b` (`aclnnInplaceMul`).
    #[doc(alias("aclnnInplaceMul", "aclnnInplaceMulGetWorkspaceSize"))]
    InplaceMul<T: Arithmetic>, inplace_mul(a: inout T, b: in T)
        = aclnnInplaceMul, aclnnInplaceMulGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a /= b` (`aclnnInplaceDiv`).
    #[doc(alias("aclnnInplaceDiv", "aclnnInplaceDivGetWorkspaceSize"))]
    InplaceDiv<T: Fractional>, inplace_div(a: inout T, b: in T)
        = aclnnInplaceDiv, aclnnInplaceDivGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = floor(a / b)` (`aclnnInplaceFloorDivide`).
    #[doc(alias("aclnnInplaceFloorDivide", "aclnnInplaceFloorDivideGetWorkspaceSize"))]
    InplaceFloorDivide<T: Arithmetic>, inplace_floor_divide(a: inout T, b: in T)
        = aclnnInplaceFloorDivide, aclnnInplaceFloorDivideGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a -= trunc(a / b) * b` (`aclnnInplaceFmodTensor`).
    #[doc(alias("aclnnInplaceFmodTensor", "aclnnInplaceFmodTensorGetWorkspaceSize"))]
    InplaceFmodTensor<T: Numeric>, inplace_fmod_tensor(a: inout T, b: in T)
        = aclnnInplaceFmodTensor, aclnnInplaceFmodTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a -= floor(a / b) * b` (`aclnnInplaceRemainderTensorTensor`).
    #[doc(alias("aclnnInplaceRemainderTensorTensor", "aclnnInplaceRemainderTensorTensorGetWorkspaceSize"))]
    InplaceRemainderTensorTensor<T: Numeric>, inplace_remainder_tensor_tensor(a: inout T, b: in T)
        = aclnnInplaceRemainderTensorTensor, aclnnInplaceRemainderTensorTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a ^ b` (`aclnnInplacePowTensorTensor`).
    #[doc(alias("aclnnInplacePowTensorTensor", "aclnnInplacePowTensorTensorGetWorkspaceSize"))]
    InplacePowTensorTensor<T: Arithmetic>, inplace_pow_tensor_tensor(a: inout T, b: in T)
        = aclnnInplacePowTensorTensor, aclnnInplacePowTensorTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = a / b`, rounded to whole numbers (`aclnnInplaceDivMod`).
    #[doc(alias("aclnnInplaceDivMod", "aclnnInplaceDivModGetWorkspaceSize"))]
    InplaceDivMod<T: Arithmetic>, inplace_div_mod(a: inout T, b: in T, rounding: [Rounding: rounding as i32 => i32])
        = aclnnInplaceDivMod, aclnnInplaceDivModGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a += value * b * c` (`aclnnInplaceAddcmul`).
    #[doc(alias("aclnnInplaceAddcmul", "aclnnInplaceAddcmulGetWorkspaceSize"))]
    InplaceAddcmul<T: Numeric>, inplace_addcmul(a: inout T, b: in T, c: in T, value: scalar T)
        = aclnnInplaceAddcmul, aclnnInplaceAddcmulGetWorkspaceSize, |op| a.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares `a += value * b / c` (`aclnnInplaceAddcdiv`).
    #[doc(alias("aclnnInplaceAddcdiv", "aclnnInplaceAddcdivGetWorkspaceSize"))]
    InplaceAddcdiv<T: Fractional>, inplace_addcdiv(a: inout T, b: in T, c: in T, value: scalar T)
        = aclnnInplaceAddcdiv, aclnnInplaceAddcdivGetWorkspaceSize, |op| a.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
}
