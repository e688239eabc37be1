//! The element-wise operators: a table with an entry for each.
//!
//! An entry has the type that names the operator, the function, its operands (behind `;` a number of the host), the
//! family of element types, and the two functions of C. All tensors hold the same type.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::Site;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::op::builtin::operators;
use crate::op::element::{Arithmetic, Floating};
use crate::op::operator::Operator;
use crate::op::parameter::{In, InOut, InPlace, Out, Scalar};
use crate::op::plan::Plan;
use crate::op::site::Output;
use crate::op::tensor::{Tensor, TensorOut};

/// Declares operators that write to an output of their own.
macro_rules! element_wise {
    ($(
        $(#[$doc:meta])*
        $Name:ident, $name:ident($($operand:ident),+ $(; $scalar:ident)?): $Family:ident = $launch:ident, $prepare:ident;
    )*) => {
        operators! { mod element_wise; $(
            $Name<T>($($operand: In<T>,)+ $($scalar: Scalar<T>,)? out: Out<T>) = $launch, $prepare, $name;
        )* }
        $(
            $(#[$doc])*
            ///
            /// Shapes broadcast as in NumPy: dimensions are compared from the last, equal or 1. Integers wrap; half
            /// precision is computed in single precision and rounded once.
            ///
            /// # Errors
            ///
            /// [`Usage::Broadcast`] or [`Usage::OutputShape`] when the shapes do not fit together, and
            /// [`ErrorKind::Refused`] with 161002 for what the card does not take.
            #[inline(always)]
            pub fn $name<'b, 'dev, X, T, O>(
                current: Current<'_, 'dev, X::Device>,
                $($operand: &Tensor<'b, X, T>,)+
                $($scalar: T,)?
                out: TensorOut<O>,
            ) -> Result<Plan<'b, 'dev, X, element_wise::$Name<T>, O>>
            where
                X: Site,
                T: $Family,
                O: Output<X, T>,
            {
                check!(element_wise::$Name<T>, out, $($operand)+);
                Plan::prepare(current, ($($operand,)+ $($scalar,)? out))
            }
        )*
    };
}

/// Declares operators that change their first operand in place.
macro_rules! in_place {
    ($(
        $(#[$doc:meta])*
        $Name:ident, $name:ident($changed:ident $(, $operand:ident)* $(; $scalar:ident)?): $Family:ident = $launch:ident, $prepare:ident;
    )*) => {
        operators! { mod in_place; $(
            $Name<T>($changed: InOut<T>, $($operand: In<T>,)* $($scalar: Scalar<T>,)?) = $launch, $prepare, $name;
        )* }
        $(
            $(#[$doc])*
            ///
            /// The first operand is lent for writing, by `tensor_mut`, and has the shape of the result: the other one
            /// broadcasts to it as in NumPy.
            ///
            /// # Errors
            ///
            /// [`Usage::Broadcast`] when the shapes do not fit together, and [`ErrorKind::Refused`] with 161002 for what
            /// the card does not take.
            #[inline(always)]
            pub fn $name<'b, 'dev, X, T, O>(
                current: Current<'_, 'dev, X::Device>,
                $changed: TensorOut<O>,
                $($operand: &Tensor<'b, X, T>,)*
                $($scalar: T,)?
            ) -> Result<Plan<'b, 'dev, X, in_place::$Name<T>, O>>
            where
                X: Site,
                T: $Family,
                O: InPlace<X, T>,
            {
                check!(in_place::$Name<T>, $changed, $changed $($operand)*);
                Plan::prepare(current, ($changed, $($operand,)* $($scalar,)?))
            }
        )*
    };
}

/// Checks the shapes of an operator with one operand, or with two.
macro_rules! check {
    ($Name:ty, $out:ident, $operand:ident) => {
        $out.dims
            .check_same(<$Name as Operator>::NAME, &$operand.dims)?
    };
    ($Name:ty, $out:ident, $left:ident $right:ident) => {
        $out.dims
            .check_broadcast(<$Name as Operator>::NAME, &$left.dims, &$right.dims)?
    };
}

element_wise! {
    /// Prepares `out = a + alpha * b` (`aclnnAdd`).
    #[doc(alias("aclnnAdd", "aclnnAddGetWorkspaceSize"))]
    Add, add(a, b; alpha): Arithmetic = aclnnAdd, aclnnAddGetWorkspaceSize;
    /// Prepares `out = a - alpha * b` (`aclnnSub`).
    #[doc(alias("aclnnSub", "aclnnSubGetWorkspaceSize"))]
    Sub, sub(a, b; alpha): Arithmetic = aclnnSub, aclnnSubGetWorkspaceSize;
    /// Prepares `out = a * b` (`aclnnMul`).
    #[doc(alias("aclnnMul", "aclnnMulGetWorkspaceSize"))]
    Mul, mul(a, b): Arithmetic = aclnnMul, aclnnMulGetWorkspaceSize;
    /// Prepares `out = a / b` (`aclnnDiv`).
    #[doc(alias("aclnnDiv", "aclnnDivGetWorkspaceSize"))]
    Div, div(a, b): Floating = aclnnDiv, aclnnDivGetWorkspaceSize;
    /// Prepares `out = max(a, 0)` (`aclnnRelu`).
    #[doc(alias("aclnnRelu", "aclnnReluGetWorkspaceSize"))]
    Relu, relu(a): Arithmetic = aclnnRelu, aclnnReluGetWorkspaceSize;
}

in_place! {
    /// Prepares `a += alpha * b` (`aclnnInplaceAdd`).
    #[doc(alias("aclnnInplaceAdd", "aclnnInplaceAddGetWorkspaceSize"))]
    InplaceAdd, inplace_add(a, b; alpha): Arithmetic = aclnnInplaceAdd, aclnnInplaceAddGetWorkspaceSize;
}
