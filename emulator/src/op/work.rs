//! The computation of a fast kernel: a formula on elements of one data type, in a walk over three views.

use half::{bf16, f16};

use super::{
    element::{Arithmetic, Element, Function},
    kernel::{Views, run},
    shape::Nest,
};

/// The arithmetic of a plan.
#[derive(Debug)]
pub(super) struct Work {
    /// The walk over the three views.
    pub(super) nest: Nest<2>,
    /// The formula and its data type.
    pub(super) kind: Kind,
}

/// A formula for elements of one data type.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    F32(Formula<f32>),
    F16(Formula<f32>),
    Bf16(Formula<f32>),
    I32(Formula<i32>),
    I64(Formula<i64>),
}

/// The formula of an operator, with its scalar in the type of the computation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Formula<W> {
    /// `self * other`.
    Multiply,
    /// `self + alpha * other`.
    AddScaled(W),
    /// `self * alpha`.
    Scale(W),
}

impl Work {
    /// Computes the results; the views begin at these addresses.
    ///
    /// # Safety
    ///
    /// - The bytes of the plan's extents are readable for `left` and `right` and writable for `out`.
    /// - No other thread writes the operands, or reads or writes `out`, during the call.
    /// - If `is_apart`, each operand shares no memory with `out`, or it is `out` itself, with the same strides.
    pub(super) unsafe fn run(
        &self,
        left: *const u8,
        right: *const u8,
        out: *mut u8,
        is_apart: bool,
    ) {
        let nest = &self.nest;
        match self.kind {
            // SAFETY: the caller's contract.
            Kind::F32(formula) => unsafe {
                compute::<f32>(nest, formula, left, right, out, is_apart)
            },
            // SAFETY: the caller's contract.
            Kind::F16(formula) => unsafe {
                compute::<f16>(nest, formula, left, right, out, is_apart)
            },
            // SAFETY: the caller's contract.
            Kind::Bf16(formula) => unsafe {
                compute::<bf16>(nest, formula, left, right, out, is_apart)
            },
            // SAFETY: the caller's contract.
            Kind::I32(formula) => unsafe {
                compute::<i32>(nest, formula, left, right, out, is_apart)
            },
            // SAFETY: the caller's contract.
            Kind::I64(formula) => unsafe {
                compute::<i64>(nest, formula, left, right, out, is_apart)
            },
        }
    }
}

/// Runs the kernel of a data type.
///
/// # Safety
///
/// - The contract of [`Work::run`] holds.
unsafe fn compute<T: Element>(
    nest: &Nest<2>,
    formula: Formula<T::Wide>,
    left: *const u8,
    right: *const u8,
    out: *mut u8,
    is_apart: bool,
) {
    let views = Views {
        out: out.cast::<T>(),
        left: left.cast::<T>(),
        right: right.cast::<T>(),
    };
    let function = match formula {
        Formula::Multiply => Function::Product,
        // A product with 1 changes nothing, so the plain sum has the same result and is faster.
        Formula::AddScaled(alpha) if alpha == T::Wide::ONE => Function::Sum,
        Formula::AddScaled(alpha) => Function::ScaledSum(alpha),
        Formula::Scale(alpha) => Function::Scaled(alpha),
    };
    // SAFETY: the caller's contract; an extent covers all elements that its nest visits.
    unsafe { run(nest, &views, function, is_apart) };
}
