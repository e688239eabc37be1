//! Arithmetic with tensors.

use ascendcl_sys as sys;

use crate::error::{Result, Usage};
use crate::op::element::{
    Arithmetic, Comparable, Floating, Fractional, IndexElement, Numeric, SumElement,
};
use crate::op::layout::Layout;
use crate::op::shape::Dims;
use crate::op::table::{any_shape, functions};
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
    /// Prepares the angle in radians of the point with the ordinate `a` and the abscissa `b` (`aclnnAtan2`).
    #[doc(alias("aclnnAtan2", "aclnnAtan2GetWorkspaceSize"))]
    Atan2<T: Fractional>, atan2(a: in T, b: in T, out: out T)
        = aclnnAtan2, aclnnAtan2GetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the logarithm of the sum of two exponentials (`aclnnLogAddExp`).
    #[doc(alias("aclnnLogAddExp", "aclnnLogAddExpGetWorkspaceSize"))]
    LogAddExp<T: Fractional>, log_add_exp(a: in T, b: in T, out: out T)
        = aclnnLogAddExp, aclnnLogAddExpGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the logarithm to the base 2 of the sum of two powers of 2 (`aclnnLogAddExp2`).
    #[doc(alias("aclnnLogAddExp2", "aclnnLogAddExp2GetWorkspaceSize"))]
    LogAddExp2<T: Fractional>, log_add_exp2(a: in T, b: in T, out: out T)
        = aclnnLogAddExp2, aclnnLogAddExp2GetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a * ln(b)`, and 0 where `a` is 0 (`aclnnXLogYTensor`).
    #[doc(alias("aclnnXLogYTensor", "aclnnXLogYTensorGetWorkspaceSize"))]
    XLogYTensor<T: Fractional>, x_log_y_tensor(a: in T, b: in T, out: out T)
        = aclnnXLogYTensor, aclnnXLogYTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a * ln(b)`, and 0 where `a` is 0, in place (`aclnnInplaceXLogYTensor`).
    #[doc(alias("aclnnInplaceXLogYTensor", "aclnnInplaceXLogYTensorGetWorkspaceSize"))]
    InplaceXLogYTensor<T: Fractional>, inplace_x_log_y_tensor(a: inout T, b: in T)
        = aclnnInplaceXLogYTensor, aclnnInplaceXLogYTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a * ln(b)` with a number of the host, and 0 where `a` is 0 (`aclnnXLogYScalarOther`).
    #[doc(alias("aclnnXLogYScalarOther", "aclnnXLogYScalarOtherGetWorkspaceSize"))]
    XLogYScalarOther<T: Fractional>, x_log_y_scalar_other(a: in T, b: scalar T, out: out T)
        = aclnnXLogYScalarOther, aclnnXLogYScalarOtherGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a * ln(b)` with a number of the host, and 0 where `a` is 0, in place (`aclnnInplaceXLogYScalarOther`).
    #[doc(alias("aclnnInplaceXLogYScalarOther", "aclnnInplaceXLogYScalarOtherGetWorkspaceSize"))]
    InplaceXLogYScalarOther<T: Fractional>, inplace_x_log_y_scalar_other(a: only_inout T, b: scalar T)
        = aclnnInplaceXLogYScalarOther, aclnnInplaceXLogYScalarOtherGetWorkspaceSize, |_| any_shape();
    /// Prepares `a * ln(b)` where `a` is a number of the host, and 0 where it is 0 (`aclnnXLogYScalarSelf`).
    #[doc(alias("aclnnXLogYScalarSelf", "aclnnXLogYScalarSelfGetWorkspaceSize"))]
    XLogYScalarSelf<T: Fractional>, x_log_y_scalar_self(base: scalar T, a: in T, out: out T)
        = aclnnXLogYScalarSelf, aclnnXLogYScalarSelfGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the number between `a` and `b` at the share `weight` of the way (`aclnnLerp`).
    #[doc(alias("aclnnLerp", "aclnnLerpGetWorkspaceSize"))]
    Lerp<T: Fractional>, lerp(a: in T, b: in T, c: in T, out: out T)
        = aclnnLerp, aclnnLerpGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares the number between `a` and `b` at the share `weight` of the way, in place (`aclnnInplaceLerp`).
    #[doc(alias("aclnnInplaceLerp", "aclnnInplaceLerpGetWorkspaceSize"))]
    InplaceLerp<T: Fractional>, inplace_lerp(a: inout T, b: in T, c: in T)
        = aclnnInplaceLerp, aclnnInplaceLerpGetWorkspaceSize, |op| a.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares the number between `a` and `b` at the share `weight` of the way, a number of the host (`aclnnLerps`).
    #[doc(alias("aclnnLerps", "aclnnLerpsGetWorkspaceSize"))]
    Lerps<T: Fractional>, lerps(a: in T, b: in T, weight: scalar T, out: out T)
        = aclnnLerps, aclnnLerpsGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the number between `a` and `b` at the share `weight` of the way, a number of the host, in place
    /// (`aclnnInplaceLerps`).
    #[doc(alias("aclnnInplaceLerps", "aclnnInplaceLerpsGetWorkspaceSize"))]
    InplaceLerps<T: Fractional>, inplace_lerps(a: inout T, b: in T, weight: scalar T)
        = aclnnInplaceLerps, aclnnInplaceLerpsGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `b - alpha * a` with broadcasting (`aclnnRsub`).
    #[doc(alias("aclnnRsub", "aclnnRsubGetWorkspaceSize"))]
    Rsub<T: Arithmetic>, rsub(a: in T, b: in T, alpha: scalar T, out: out T)
        = aclnnRsub, aclnnRsubGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `b - alpha * a`, where `b` is a number of the host (`aclnnRsubs`).
    #[doc(alias("aclnnRsubs", "aclnnRsubsGetWorkspaceSize"))]
    Rsubs<T: Arithmetic>, rsubs(a: in T, b: scalar T, alpha: scalar T, out: out T)
        = aclnnRsubs, aclnnRsubsGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the remainder of `a / b` rounded down, where `b` is a number of the host: it has the sign of `b`
    /// (`aclnnRemainderTensorScalar`).
    #[doc(alias("aclnnRemainderTensorScalar", "aclnnRemainderTensorScalarGetWorkspaceSize"))]
    RemainderTensorScalar<T: Numeric>, remainder_tensor_scalar(a: in T, b: scalar T, out: out T)
        = aclnnRemainderTensorScalar, aclnnRemainderTensorScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the remainder of `a / b` rounded down, where `b` is a number of the host: it has the sign of `b`, in place
    /// (`aclnnInplaceRemainderTensorScalar`).
    #[doc(alias("aclnnInplaceRemainderTensorScalar", "aclnnInplaceRemainderTensorScalarGetWorkspaceSize"))]
    InplaceRemainderTensorScalar<T: Numeric>, inplace_remainder_tensor_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceRemainderTensorScalar, aclnnInplaceRemainderTensorScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares the remainder of `a / b` rounded down, where `a` is a number of the host: it has the sign of `b`
    /// (`aclnnRemainderScalarTensor`).
    #[doc(alias("aclnnRemainderScalarTensor", "aclnnRemainderScalarTensorGetWorkspaceSize"))]
    RemainderScalarTensor<T: Numeric>, remainder_scalar_tensor(base: scalar T, a: in T, out: out T)
        = aclnnRemainderScalarTensor, aclnnRemainderScalarTensorGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the remainder of `a / b` with its fraction cut off, where `b` is a number of the host: it has the sign of
    /// `a` (`aclnnFmodScalar`).
    #[doc(alias("aclnnFmodScalar", "aclnnFmodScalarGetWorkspaceSize"))]
    FmodScalar<T: Numeric>, fmod_scalar(a: in T, b: scalar T, out: out T)
        = aclnnFmodScalar, aclnnFmodScalarGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares the remainder of `a / b` with its fraction cut off, where `b` is a number of the host: it has the sign of
    /// `a`, in place (`aclnnInplaceFmodScalar`).
    #[doc(alias("aclnnInplaceFmodScalar", "aclnnInplaceFmodScalarGetWorkspaceSize"))]
    InplaceFmodScalar<T: Numeric>, inplace_fmod_scalar(a: only_inout T, b: scalar T)
        = aclnnInplaceFmodScalar, aclnnInplaceFmodScalarGetWorkspaceSize, |_| any_shape();
    /// Prepares `a / b`, rounded down, where `b` is a number of the host (`aclnnFloorDivides`).
    #[doc(alias("aclnnFloorDivides", "aclnnFloorDividesGetWorkspaceSize"))]
    FloorDivides<T: Arithmetic>, floor_divides(a: in T, b: scalar T, out: out T)
        = aclnnFloorDivides, aclnnFloorDividesGetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares `a / b`, rounded down, where `b` is a number of the host, in place (`aclnnInplaceFloorDivides`).
    #[doc(alias("aclnnInplaceFloorDivides", "aclnnInplaceFloorDividesGetWorkspaceSize"))]
    InplaceFloorDivides<T: Arithmetic>, inplace_floor_divides(a: only_inout T, b: scalar T)
        = aclnnInplaceFloorDivides, aclnnInplaceFloorDividesGetWorkspaceSize, |_| any_shape();
    /// Prepares `a + alpha * b`, where `a` is a number of the host (`aclnnAddV3`).
    #[doc(alias("aclnnAddV3", "aclnnAddV3GetWorkspaceSize"))]
    AddV3<T: Fractional>, add_v3(base: scalar T, a: in T, alpha: scalar T, out: out T)
        = aclnnAddV3, aclnnAddV3GetWorkspaceSize, |op| out.dims.check_same(op, &a.dims);
    /// Prepares a number times its mask times `scale` (`aclnnMaskedScale`).
    #[doc(alias("aclnnMaskedScale", "aclnnMaskedScaleGetWorkspaceSize"))]
    MaskedScale<T: Floating>, masked_scale(a: in T, b: in T, scale: attr f32, out: out T)
        = aclnnMaskedScale, aclnnMaskedScaleGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares 0 for a negative number, 1 for a positive one, and `values` for 0 (`aclnnHeaviside`).
    #[doc(alias("aclnnHeaviside", "aclnnHeavisideGetWorkspaceSize"))]
    Heaviside<T: Numeric>, heaviside(a: in T, b: in T, out: out T)
        = aclnnHeaviside, aclnnHeavisideGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the number limited to the range from `b` to `c` (`aclnnClampTensor`).
    #[doc(alias("aclnnClampTensor", "aclnnClampTensorGetWorkspaceSize"))]
    ClampTensor<T: Arithmetic>, clamp_tensor(a: in T, b: in T, c: in T, out: out T)
        = aclnnClampTensor, aclnnClampTensorGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&a.dims, &b.dims, &c.dims]);
    /// Prepares `out = max(a, b)` (`aclnnClampMinTensor`).
    #[doc(alias("aclnnClampMinTensor", "aclnnClampMinTensorGetWorkspaceSize"))]
    ClampMinTensor<T: Arithmetic>, clamp_min_tensor(a: in T, b: in T, out: out T)
        = aclnnClampMinTensor, aclnnClampMinTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = max(a, b)` (`aclnnInplaceClampMinTensor`).
    #[doc(alias("aclnnInplaceClampMinTensor", "aclnnInplaceClampMinTensorGetWorkspaceSize"))]
    InplaceClampMinTensor<T: Arithmetic>, inplace_clamp_min_tensor(a: inout T, b: in T)
        = aclnnInplaceClampMinTensor, aclnnInplaceClampMinTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `out = min(a, b)` (`aclnnClampMaxTensor`).
    #[doc(alias("aclnnClampMaxTensor", "aclnnClampMaxTensorGetWorkspaceSize"))]
    ClampMaxTensor<T: Arithmetic>, clamp_max_tensor(a: in T, b: in T, out: out T)
        = aclnnClampMaxTensor, aclnnClampMaxTensorGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares `a = min(a, b)` (`aclnnInplaceClampMaxTensor`).
    #[doc(alias("aclnnInplaceClampMaxTensor", "aclnnInplaceClampMaxTensorGetWorkspaceSize"))]
    InplaceClampMaxTensor<T: Arithmetic>, inplace_clamp_max_tensor(a: inout T, b: in T)
        = aclnnInplaceClampMaxTensor, aclnnInplaceClampMaxTensorGetWorkspaceSize, |op| a.dims.check_broadcast(op, &a.dims, &b.dims);
    /// Prepares the greatest common divisor of two whole numbers (`aclnnGcd`).
    #[doc(alias("aclnnGcd", "aclnnGcdGetWorkspaceSize"))]
    Gcd<T: IndexElement>, gcd(a: in T, b: in T, out: out T)
        = aclnnGcd, aclnnGcdGetWorkspaceSize, |op| out.dims.check_broadcast(op, &a.dims, &b.dims);
}

/// Checks that there is a tensor, and that all of them broadcast to the output. The library reads the first one without
/// asking for it (published sources of ops-math).
pub(super) fn check_sum<X, T, L: Layout>(
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
