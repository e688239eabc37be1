//! Element-wise addition and multiplication (`aclnnop/aclnn_add.h`, `aclnnop/aclnn_mul.h`).

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::Site;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::op::element::{Arithmetic, Element};
use crate::op::handle::{Described, RawScalar, RawTensor};
use crate::op::plan::{Operator, Plan, prepare};
use crate::op::site::Output;
use crate::op::tensor::{Tensor, TensorOut};

/// Prepares `out = a + alpha * b` with broadcasting (`aclnnAdd`).
///
/// The shapes broadcast as in NumPy: dimensions are compared from the last, equal or 1. Integers
/// wrap; half precision is computed in single precision and rounded once.
///
/// # Errors
///
/// [`Usage::Broadcast`](crate::error::Usage::Broadcast) when the shapes do not fit together, and
/// [`ErrorKind::Refused`] with 161002 for what the operator does not take.
#[doc(alias = "aclnnAdd")]
#[doc(alias = "aclnnAddGetWorkspaceSize")]
#[inline(always)]
pub fn add<'b, 'dev, X, T, O>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    b: &Tensor<'b, X, T>,
    alpha: T,
    out: TensorOut<O>,
) -> Result<Plan<'b, 'dev, X, T, O>>
where
    X: Site,
    T: Arithmetic,
    O: Output<X, T>,
{
    let mut out = out;
    out.dims.check_broadcast(&a.dims, &b.dims)?;
    let tensors = tensors(a, b, &mut out)?;
    let scalar = RawScalar::new(alpha)?;
    let ([left, right, output], alpha) =
        (tensors.each_ref().map(RawTensor::as_ptr), scalar.as_ptr());
    let described = Described::new(tensors, Some(scalar));
    const ADD: Operator = Operator {
        prepare: "aclnnAddGetWorkspaceSize",
        launch: "aclnnAdd",
        function: sys::aclnnAdd,
    };
    prepare(current, &ADD, described, out.memory, |size, executor| {
        // SAFETY: live descriptions, and `size` and `executor` are valid for writes.
        unsafe { sys::aclnnAddGetWorkspaceSize(left, right, alpha, output, size, executor) }
    })
}

/// Prepares `out = a * b` with broadcasting (`aclnnMul`).
///
/// # Errors
///
/// As for [`add`].
#[doc(alias = "aclnnMul")]
#[doc(alias = "aclnnMulGetWorkspaceSize")]
#[inline(always)]
pub fn mul<'b, 'dev, X, T, O>(
    current: Current<'_, 'dev, X::Device>,
    a: &Tensor<'b, X, T>,
    b: &Tensor<'b, X, T>,
    out: TensorOut<O>,
) -> Result<Plan<'b, 'dev, X, T, O>>
where
    X: Site,
    T: Arithmetic,
    O: Output<X, T>,
{
    let mut out = out;
    out.dims.check_broadcast(&a.dims, &b.dims)?;
    let tensors = tensors(a, b, &mut out)?;
    let [left, right, output] = tensors.each_ref().map(RawTensor::as_ptr);
    let described = Described::new(tensors, None);
    const MUL: Operator = Operator {
        prepare: "aclnnMulGetWorkspaceSize",
        launch: "aclnnMul",
        function: sys::aclnnMul,
    };
    prepare(current, &MUL, described, out.memory, |size, executor| {
        // SAFETY: live descriptions, and `size` and `executor` are valid for writes.
        unsafe { sys::aclnnMulGetWorkspaceSize(left, right, output, size, executor) }
    })
}

/// Describes both operands and the output.
#[inline(always)]
fn tensors<X, T: Element, O: Output<X, T>>(
    a: &Tensor<'_, X, T>,
    b: &Tensor<'_, X, T>,
    out: &mut TensorOut<O>,
) -> Result<[RawTensor; 3]> {
    let left = RawTensor::new(a.data, a.dims)?;
    let right = RawTensor::new(b.data, b.dims)?;
    let output = RawTensor::new(out.memory.data(), out.dims)?;
    Ok([left, right, output])
}
