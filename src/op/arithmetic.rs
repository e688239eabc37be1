//! Element-wise addition and multiplication (`aclnnop/aclnn_add.h`, `aclnnop/aclnn_mul.h`).

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::Site;
use crate::error::Result;
use crate::op::element::Arithmetic;
use crate::op::handle::{RawScalar, RawTensor};
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
/// [`Error::Refused`](crate::Error::Refused) with 161002 for what the operator does not take.
#[doc(alias = "aclnnAdd")]
#[doc(alias = "aclnnAddGetWorkspaceSize")]
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
    let left = RawTensor::new(a.data, &a.dims)?;
    let right = RawTensor::new(b.data, &b.dims)?;
    let output = RawTensor::new(out.memory.data(), &out.dims)?;
    let alpha = RawScalar::new(alpha)?;
    const ADD: Operator = Operator {
        prepare: "aclnnAddGetWorkspaceSize",
        launch: "aclnnAdd",
        function: sys::aclnnAdd,
    };
    prepare(current, &ADD, out.memory, |size, executor| {
        // SAFETY: live descriptions, and `size` and `executor` are valid for writes.
        unsafe {
            sys::aclnnAddGetWorkspaceSize(
                left.as_ptr(),
                right.as_ptr(),
                alpha.as_ptr(),
                output.as_ptr(),
                size,
                executor,
            )
        }
    })
    .map(|plan| plan.keeping(vec![left, right, output], Some(alpha)))
}

/// Prepares `out = a * b` with broadcasting (`aclnnMul`).
///
/// # Errors
///
/// As for [`add`].
#[doc(alias = "aclnnMul")]
#[doc(alias = "aclnnMulGetWorkspaceSize")]
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
    let left = RawTensor::new(a.data, &a.dims)?;
    let right = RawTensor::new(b.data, &b.dims)?;
    let output = RawTensor::new(out.memory.data(), &out.dims)?;
    const MUL: Operator = Operator {
        prepare: "aclnnMulGetWorkspaceSize",
        launch: "aclnnMul",
        function: sys::aclnnMul,
    };
    prepare(current, &MUL, out.memory, |size, executor| {
        // SAFETY: live descriptions, and `size` and `executor` are valid for writes.
        unsafe {
            sys::aclnnMulGetWorkspaceSize(
                left.as_ptr(),
                right.as_ptr(),
                output.as_ptr(),
                size,
                executor,
            )
        }
    })
    .map(|plan| plan.keeping(vec![left, right, output], None))
}
