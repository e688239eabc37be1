//! Operators as types: what an operator is called, what its first phase takes, and what it writes.
//!
//! The function of an operator of this crate checks its arguments and calls `Plan::prepare`. A program that declares an operator
//! calls [`Operator::plan`], which calls that too.

mod outputs;
mod tuples;

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::Result;
use crate::op::declared::Entry;
use crate::op::handle::Handles;
use crate::op::located::Located;
#[cfg(doc)]
use crate::op::parameter::Parameter;
use crate::op::plan::Plan;

pub use outputs::Outputs;
pub(crate) use outputs::{Flatten, written};

/// An operator of CANN: the type that [`Plan`] names it by.
///
/// The operators of this crate are functions of [`op`](crate::op), which check shapes and indices and then plan them. A
/// program declares any other one by an `unsafe impl` with [`operator!`](crate::operator!) in it, and [`Operator::plan`]
/// plans that.
///
/// # Safety
///
/// - The items are those that the macro makes.
/// - `Parameters` are those of the C function `PREPARE` in C's order, without the last two.
/// - The operator reads no memory but that of its tensors and its workspace, and writes no memory but that of the
///   parameters [`Out`](crate::op::Out), [`OutUpTo`](crate::op::OutUpTo), [`OutList`](crate::op::OutList) and
///   [`InOut`](crate::op::InOut), and its workspace.
/// - It refuses data types and shapes that it does not take in its first phase.
/// - When it has run without an error, every element of each `Out` and of each tensor of an `OutList` was written. The
///   first elements of each [`OutUpTo`](crate::op::OutUpTo) were written, and `aclGetViewShape` has their shape.
pub unsafe trait Operator: Sized {
    /// The name of the second phase, such as `aclnnAdd`.
    const NAME: &'static str;
    /// The name of the first phase, such as `aclnnAddGetWorkspaceSize`.
    const PREPARE: &'static str;
    /// The parameters of the first phase: a tuple of [`Parameter`]s.
    type Parameters: Parameters;
    /// What plans it: its type, or a function that checks more than C does.
    #[doc(hidden)]
    type PlannedBy;

    /// Where the functions are, of an operator that is looked up by name. An operator of this crate is not: it has `prepare`
    /// and `launch` of its own, which do not ask for the entry.
    #[doc(hidden)]
    fn entry() -> &'static Entry {
        static NONE: Entry = Entry::new("\0");
        &NONE
    }

    /// Looks for the functions, where the backend may lack them without answering.
    #[doc(hidden)]
    #[inline(always)]
    fn find() -> Result<()> {
        Ok(())
    }

    /// The first phase.
    ///
    /// # Safety
    ///
    /// - The descriptions among `values` are alive.
    /// - `size` and `executor` are valid for writes.
    /// - `find` has succeeded.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn prepare(
        values: ValuesOf<Self>,
        size: *mut u64,
        executor: *mut *mut sys::aclOpExecutor,
    ) -> sys::aclnnStatus {
        match Self::entry().prepare() {
            // SAFETY: the function of that name has these parameters (contract of the trait); the caller's contract.
            Some(function) => unsafe { Self::Parameters::call(function, values, size, executor) },
            None => sys::ACL_ERROR_API_NOT_SUPPORT,
        }
    }

    /// The second phase.
    ///
    /// # Safety
    ///
    /// - The first phase of this operator made the executor, which has not run.
    /// - The workspace has `size` bytes, as the first phase asked for.
    /// - Tensors and workspace are memory of the stream's device, and stay allocated until the operator is over.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn launch(
        workspace: *mut c_void,
        size: u64,
        executor: *mut sys::aclOpExecutor,
        stream: sys::aclrtStream,
    ) -> sys::aclnnStatus {
        // SAFETY: the caller's contract.
        unsafe { Self::entry().launch(workspace, size, executor, stream) }
    }

    /// Prepares the operator: describes the arguments to C and calls the first phase. The plan gives the outputs back
    /// when it runs, in the order of the parameters: `()` for a borrowed one, the initialised buffer for a fresh one,
    /// and a tuple of them if there are several.
    ///
    /// `arguments` is a tuple with one argument for each of the `Parameters`; [`Parameter`] says what goes where.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for shapes, element types and attributes that the
    /// operator does not take, and [`ErrorKind::Backend`](crate::ErrorKind::Backend) where the backend does not have it.
    #[inline(always)]
    fn plan<'b, 'dev, D, X, A, O>(
        current: Current<'_, 'dev, D>,
        arguments: A,
    ) -> Result<Plan<'b, 'dev, X, Self, O>>
    where
        D: AnyDevice,
        X: Site<Device = D>,
        A: Located<Site<D, D> = X>,
        A: Arguments<'b, X, Self::Parameters, Memory = O>,
        Self::PlannedBy: Planner,
    {
        Plan::prepare(current, arguments)
    }
}

/// What plans an operator that a program declares: [`Operator::plan`].
#[derive(Debug)]
pub enum ByType {}

/// What plans an operator of this crate: its function, which refuses shapes for which C would do nothing, or would read
/// and write beside the tensors.
#[derive(Debug)]
pub enum ByFunction {}

/// What may plan an operator without a check of this crate.
#[diagnostic::on_unimplemented(
    message = "an operator of `ascendcl` is planned by its function",
    label = "planned by its type, which checks neither shapes nor indices",
    note = "call the function of `ascendcl::op` with the name of the operator, such as `op::rms_norm` for `RmsNorm`"
)]
pub trait Planner {}
impl Planner for ByType {}

/// What the first phase takes.
pub(super) type ValuesOf<P> = <<P as Operator>::Parameters as Parameters>::Values;
/// The descriptions of the arguments.
pub(super) type HandlesOf<P> = <<P as Operator>::Parameters as Parameters>::Handles;
/// Where the tensors are.
pub(super) type PlacesOf<P> = <<P as Operator>::Parameters as Parameters>::Places;
/// The tensors of a repeatable plan.
pub(super) type SlotsOf<P> = <<P as Operator>::Parameters as Parameters>::Slots;
/// The element types of the outputs.
pub(crate) type OutputsOf<P> = <<P as Operator>::Parameters as Parameters>::Outputs;

/// The parameters of an operator: a tuple of up to 44 [`Parameter`]s.
pub trait Parameters: sealed::Sealed {
    #[doc(hidden)]
    type Handles: Handles;
    #[doc(hidden)]
    type Values: Copy;
    #[doc(hidden)]
    type Outputs;
    /// Where the tensors are.
    #[doc(hidden)]
    type Places: Copy;
    /// The tensors of a repeatable plan.
    #[doc(hidden)]
    type Slots;
    /// Whether the second phase waits for the stream.
    #[doc(hidden)]
    const WAITS: bool;

    #[doc(hidden)]
    fn values(handles: &Self::Handles) -> Self::Values;

    #[doc(hidden)]
    fn slots(values: Self::Values, places: Self::Places) -> Self::Slots;

    /// Calls the first phase at an address.
    ///
    /// # Safety
    ///
    /// The function there has these parameters, and the contract of [`Operator::prepare`] is met.
    #[doc(hidden)]
    unsafe fn call(
        function: NonNull<c_void>,
        values: Self::Values,
        size: *mut u64,
        executor: *mut *mut sys::aclOpExecutor,
    ) -> sys::aclnnStatus;
}

mod sealed {
    crate::state::sealed! {
        "expected a tuple of parameters of an operator";
        /// Seals [`Parameters`](super::Parameters).
        pub trait Sealed {}
    }
}

/// What a program passes to an operator with the parameters `P`: a tuple with an argument for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of an operator with the parameters `{P}`",
    label = "one argument for each parameter, in that order",
    note = "the table of `ascendcl::op::Parameter` says what goes where"
)]
pub trait Arguments<'b, X, P: Parameters>: tuple::Describe<'b, X, P> {}

mod tuple {
    use super::{Parameters, Result};

    /// Does the work of [`Arguments`](super::Arguments), and seals it.
    pub trait Describe<'b, X, P: Parameters> {
        /// What the outputs write to: nothing, one, or a tuple.
        type Memory;

        fn describe(&mut self) -> Result<P::Handles>;

        fn places(&mut self) -> P::Places;

        fn into_memory(self) -> Self::Memory;
    }
}
