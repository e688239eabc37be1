//! Arithmetic with tensors.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{Arithmetic, Comparable, Fractional, Numeric, SumElement};
use crate::op::layout::Layout;
use crate::op::shape::Dims;
use crate::op::table::functions;
use crate::op::tensor::Tensor;

/// How a quotient becomes a whole number (`mode` of `aclnn_div.h`, CANN 8.1). A quotient that is not rounded is that of
/// [`div`].
///
/// ```
/// use ascendcl::op::Rounding;
///
/// // -7 / 2 is -3 with `Truncate`, and -4 with `Floor`.
/// let rounding = Rounding::Floor;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Rounding {
    /// Towards zero, as `/` of Rust.
    Truncate = 1,
    /// Down, as `//` of Python.
    Floor = 2,
}

functions! {
    "Shapes broadcast as in NumPy: dimensions are compared from the last, equal or 1. Integers wrap; half precision is \
     computed in single precision and rounded once.";
    /// Prepares `out = a + alpha * b` (`aclnnAdd`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// // rows + 2 * offsets, for each of the two rows
    /// let rows = current.malloc_host_from(host, &[1, 2, 3, 10, 20, 30])?;
    /// let rows = current.memcpy(current.malloc::<i32>(6)?, &rows)?;
    /// let offsets = current.malloc_host_from(host, &[100, 200, 300])?;
    /// let offsets = current.memcpy(current.malloc::<i32>(3)?, &offsets)?;
    /// let out = current.malloc(6)?.into_tensor(&[2, 3])?;
    /// let plan = op::add(current, &rows.tensor(&[2, 3])?, &offsets.tensor(&[3])?, 2, out)?;
    /// let sums = plan.run(&mut stream)?;
    /// let mut back = current.malloc_host::<i32>(host, 6)?;
    /// current.memcpy(&mut back, &sums)?;
    /// assert_eq!(back[..], [201, 402, 603, 210, 420, 630]);
    /// # });
    /// ```
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
    /// Prepares `out = floor(a / b)` (`aclnnFloorDivide`).
    ///
    /// Integers are rounded down too: `-7 / 2` is `-4`.
    #[doc(alias("aclnnFloorDivide", "aclnnFloorDivideGetWorkspaceSize"))]
    FloorDivide<T: Arithmetic>, floor_divide(a: in T, b: in T, out: out T)
        = aclnnFloorDivide, aclnnFloorDivideGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a - trunc(a / b) * b` (`aclnnFmodTensor`).
    ///
    /// The remainder has the sign of `a`.
    #[doc(alias("aclnnFmodTensor", "aclnnFmodTensorGetWorkspaceSize"))]
    FmodTensor<T: Numeric>, fmod_tensor(a: in T, b: in T, out: out T)
        = aclnnFmodTensor, aclnnFmodTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a - floor(a / b) * b` (`aclnnRemainderTensorTensor`).
    ///
    /// The remainder has the sign of `b`.
    #[doc(alias("aclnnRemainderTensorTensor", "aclnnRemainderTensorTensorGetWorkspaceSize"))]
    RemainderTensorTensor<T: Numeric>, remainder_tensor_tensor(a: in T, b: in T, out: out T)
        = aclnnRemainderTensorTensor, aclnnRemainderTensorTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a ^ b` (`aclnnPowTensorTensor`).
    #[doc(alias("aclnnPowTensorTensor", "aclnnPowTensorTensorGetWorkspaceSize"))]
    PowTensorTensor<T: Arithmetic>, pow_tensor_tensor(a: in T, b: in T, out: out T)
        = aclnnPowTensorTensor, aclnnPowTensorTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = max(a, b)` (`aclnnMaximum`).
    #[doc(alias("aclnnMaximum", "aclnnMaximumGetWorkspaceSize"))]
    Maximum<T: Comparable>, maximum(a: in T, b: in T, out: out T)
        = aclnnMaximum, aclnnMaximumGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = min(a, b)` (`aclnnMinimum`).
    #[doc(alias("aclnnMinimum", "aclnnMinimumGetWorkspaceSize"))]
    Minimum<T: Comparable>, minimum(a: in T, b: in T, out: out T)
        = aclnnMinimum, aclnnMinimumGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = a / b`, rounded to whole numbers (`aclnnDivMod`).
    #[doc(alias("aclnnDivMod", "aclnnDivModGetWorkspaceSize"))]
    DivMod<T: Arithmetic>, div_mod(a: in T, b: in T, rounding: [Rounding: rounding as i32 => i32], out: out T)
        = aclnnDivMod, aclnnDivModGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the sum of the tensors, element by element (`aclnnSum`). Their shapes broadcast as in NumPy.
    /// [`reduce_sum`](crate::op::reduce_sum) sums over dimensions of one tensor.
    ///
    /// Half precision is rounded once or several times: a card adds up to 16 tensors at a time.
    #[doc(alias("aclnnSum", "aclnnSumGetWorkspaceSize"))]
    Sum<T: SumElement>, sum(tensors: list T, out: out T)
        = aclnnSum, aclnnSumGetWorkspaceSize, |op| check_sum(op, tensors, &out.dims);
    /// Prepares `out = a + value * b * c` (`aclnnAddcmul`).
    #[doc(alias("aclnnAddcmul", "aclnnAddcmulGetWorkspaceSize"))]
    Addcmul<T: Numeric>, addcmul(a: in T, b: in T, c: in T, value: scalar T, out: out T)
        = aclnnAddcmul, aclnnAddcmulGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares `out = a + value * b / c` (`aclnnAddcdiv`).
    #[doc(alias("aclnnAddcdiv", "aclnnAddcdivGetWorkspaceSize"))]
    Addcdiv<T: Fractional>, addcdiv(a: in T, b: in T, c: in T, value: scalar T, out: out T)
        = aclnnAddcdiv, aclnnAddcdivGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
}

/// Checks that there is a tensor, and that all of them broadcast to the output. The library reads the first one without
/// asking for it (published sources of ops-math).
fn check_sum<X, T, L: Layout>(
    operator: &'static str,
    tensors: &[&Tensor<'_, X, T, L>],
    output: &Dims,
) -> Result<()> {
    if tensors.is_empty() {
        return Err(Usage::EmptyList { operator }.into());
    }
    let operands: Vec<&Dims> = tensors.iter().map(|tensor| &tensor.dims).collect();
    output.check_broadcast_of(operator, &operands)
}
