//! Arithmetic with two tensors.

use ascendcl_sys as sys;

use crate::op::element::{Arithmetic, Fractional};
use crate::op::table::functions;

functions! {
    "Shapes broadcast as in NumPy: dimensions are compared from the last, equal or 1. Integers wrap; half precision is \
     computed in single precision and rounded once.";
    /// Prepares `out = a + alpha * b` (`aclnnAdd`).
    #[doc(alias("aclnnAdd", "aclnnAddGetWorkspaceSize"))]
    Add<T: Arithmetic>, add(a: in T, b: in T, alpha: scalar T, out: out T)
        = aclnnAdd, aclnnAddGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a - alpha * b` (`aclnnSub`).
    #[doc(alias("aclnnSub", "aclnnSubGetWorkspaceSize"))]
    Sub<T: Arithmetic>, sub(a: in T, b: in T, alpha: scalar T, out: out T)
        = aclnnSub, aclnnSubGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a * b` (`aclnnMul`).
    #[doc(alias("aclnnMul", "aclnnMulGetWorkspaceSize"))]
    Mul<T: Arithmetic>, mul(a: in T, b: in T, out: out T)
        = aclnnMul, aclnnMulGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a / b` (`aclnnDiv`).
    #[doc(alias("aclnnDiv", "aclnnDivGetWorkspaceSize"))]
    Div<T: Fractional>, div(a: in T, b: in T, out: out T)
        = aclnnDiv, aclnnDivGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a += alpha * b` (`aclnnInplaceAdd`). The first operand is lent for writing, by `tensor_mut`, and has the
    /// shape of the result.
    #[doc(alias("aclnnInplaceAdd", "aclnnInplaceAddGetWorkspaceSize"))]
    InplaceAdd<T: Arithmetic>, inplace_add(a: inout T, b: in T, alpha: scalar T)
        = aclnnInplaceAdd, aclnnInplaceAddGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
}
