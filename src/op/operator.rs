//! Operators as types: what an operator is called, what its first phase takes, and what it writes.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::Result;
use crate::memory::Destination;
use crate::op::declared::Entry;
use crate::op::handle::Handles;
use crate::op::located::Located;
use crate::op::parameter::Parameter;
use crate::op::parameter::describe::Describe;
use crate::op::plan::Plan;
use crate::op::site::Output;
use crate::op::slot::{Position, SlotList};

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

    /// Where the functions are, of an operator that is looked up by name.
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

/// What a program passes to an operator with the parameters `P`: a tuple with an `Argument` for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of an operator with the parameters `{P}`",
    label = "one argument for each parameter, in that order",
    note = "the table of `ascendcl::op::Parameter` says what goes where"
)]
pub trait Arguments<'b, X, P: Parameters>: tuple::Describe<'b, X, P> {}

mod tuple {
    use super::{Parameters, Result};

    /// Seals [`Arguments`](super::Arguments).
    pub trait Describe<'b, X, P: Parameters> {
        /// What the outputs write to: nothing, one, or a tuple.
        type Memory;

        fn describe(&mut self) -> Result<P::Handles>;

        fn places(&mut self) -> P::Places;

        fn into_memory(self) -> Self::Memory;
    }
}

/// A list of what outputs write to, one behind the other, as the plan holds it.
pub trait Flatten {
    /// Nothing, one, or a tuple.
    type Flat;

    #[doc(hidden)]
    fn flatten(self) -> Self::Flat;
}

/// What the outputs of an operator write to, with the list `L` of their element types.
pub trait Outputs<X, L>: Written<X, L> {}
impl<X, L, O: Written<X, L>> Outputs<X, L> for O {}

pub(super) mod written {
    use std::marker::PhantomData;

    /// Seals [`Outputs`](super::Outputs).
    pub trait Written<X, L> {
        /// What the caller has afterwards.
        type Written;

        /// # Safety
        ///
        /// The operator was queued, for a queue; has succeeded, for a device.
        unsafe fn written(self) -> Self::Written;
    }

    /// The memory `Self` is written by an output `K` of an operator: [`One`], [`Front`], [`Many`] or [`Maybe`].
    pub trait Returned<X, K> {
        /// What the caller has afterwards.
        type Returned;

        /// # Safety
        ///
        /// The operator was queued, for a queue; has succeeded, for a device.
        unsafe fn returned(self) -> Self::Returned;
    }

    /// An output that is a tensor of `T` elements.
    #[derive(Debug)]
    pub struct One<T>(PhantomData<T>);
    /// An output of `T` elements of which the operator writes the front.
    #[derive(Debug)]
    pub struct Front<T>(PhantomData<T>);
    /// An output that is a list of tensors of `T` elements.
    #[derive(Debug)]
    pub struct Many<T>(PhantomData<T>);
    /// An output `K` that the caller may leave out.
    #[derive(Debug)]
    pub struct Maybe<K>(PhantomData<K>);
}
use written::{Many, Maybe, One, Returned, Written};

impl<X, T, O: Output<X, T>> Returned<X, One<T>> for O {
    type Returned = O::Written;

    #[inline(always)]
    unsafe fn returned(self) -> O::Written {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        unsafe { Destination::written(self) }
    }
}

impl<X, T, O: Output<X, T>> Returned<X, Many<T>> for Vec<O> {
    type Returned = Vec<O::Written>;

    unsafe fn returned(self) -> Vec<O::Written> {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        let written = |one: O| unsafe { one.written() };
        self.into_iter().map(written).collect()
    }
}

impl<X, T, O: Output<X, T>, const N: usize> Returned<X, Many<T>> for [O; N] {
    type Returned = [O::Written; N];

    unsafe fn returned(self) -> [O::Written; N] {
        // SAFETY: the caller's contract; the operator writes each output as a whole (contract of `Operator`).
        self.map(|one: O| unsafe { one.written() })
    }
}

impl<X, K, O: Returned<X, K>> Returned<X, Maybe<K>> for Option<O> {
    type Returned = Option<O::Returned>;

    unsafe fn returned(self) -> Option<O::Returned> {
        // SAFETY: the caller's contract.
        self.map(|one| unsafe { one.returned() })
    }
}

impl<X, K> Returned<X, Maybe<K>> for () {
    type Returned = ();

    unsafe fn returned(self) {}
}

/// What twelve parameters or arguments add to a list.
///
/// Types that are nested for up to 44 of them one by one are deeper in the JSON of rustdoc than its readers go, 128 levels.
mod group {
    use super::SlotList;

    /// Parameters of an operator, one behind the other.
    pub trait Parameters {
        /// The list of element types `L`, and behind it those of the outputs.
        type Outputs<L>;
        /// The list of tensors `L`, and behind it these.
        type Slots<L: SlotList>: SlotList;
    }

    /// The arguments for the parameters `P`.
    pub trait Arguments<'b, X, P> {
        /// The list of memory `L`, and behind it what the outputs write to.
        type Memory<L>;
    }
}

/// Nests the lists of outputs: the first parameter is innermost.
macro_rules! nested {
    ([$list:ty] ) => { $list };
    ([$list:ty] $P1:ident $P2:ident $P3:ident $P4:ident $P5:ident $P6:ident $P7:ident $P8:ident $P9:ident $P10:ident $P11:ident $P12:ident
        $($rest:ident)+
    ) => {
        nested!([<($P1, $P2, $P3, $P4, $P5, $P6, $P7, $P8, $P9, $P10, $P11, $P12) as group::Parameters>::Outputs<$list>] $($rest)+)
    };
    ([$list:ty] $P:ident $($rest:ident)*) => { nested!([<$P as Parameter>::Outputs<$list>] $($rest)*) };
    ([$list:ty] $A1:ident: $P1:ident, $A2:ident: $P2:ident, $A3:ident: $P3:ident, $A4:ident: $P4:ident, $A5:ident: $P5:ident, $A6:ident: $P6:ident, $A7:ident: $P7:ident, $A8:ident: $P8:ident, $A9:ident: $P9:ident, $A10:ident: $P10:ident, $A11:ident: $P11:ident, $A12:ident: $P12:ident,
        $($rest:tt)+
    ) => {
        nested!([
            <($A1, $A2, $A3, $A4, $A5, $A6, $A7, $A8, $A9, $A10, $A11, $A12) as group::Arguments<'b, X,
                ($P1, $P2, $P3, $P4, $P5, $P6, $P7, $P8, $P9, $P10, $P11, $P12)>>::Memory<$list>
        ] $($rest)+)
    };
    ([$list:ty] $A:ident: $P:ident, $($rest:tt)*) => {
        nested!([<$A as Describe<'b, X, $P>>::Memory<$list>] $($rest)*)
    };
}

/// Nests the tensors of a repeatable plan: the first one is innermost.
macro_rules! slots {
    ([$list:ty] ) => { $list };
    ([$list:ty] $P1:ident $P2:ident $P3:ident $P4:ident $P5:ident $P6:ident $P7:ident $P8:ident $P9:ident $P10:ident $P11:ident $P12:ident
        $($rest:ident)+
    ) => {
        slots!([<($P1, $P2, $P3, $P4, $P5, $P6, $P7, $P8, $P9, $P10, $P11, $P12) as group::Parameters>::Slots<$list>] $($rest)+)
    };
    ([$list:ty] $P:ident $($rest:ident)*) => { slots!([<$P as Parameter>::Slots<$list>] $($rest)*) };
}

/// Nests the sites of arguments: the first one that has a site is outermost.
macro_rules! located {
    () => { Rest };
    ($A1:ident $A2:ident $A3:ident $A4:ident $A5:ident $A6:ident $A7:ident $A8:ident $A9:ident $A10:ident $A11:ident $A12:ident
        $($others:ident)+
    ) => {
        <($A1, $A2, $A3, $A4, $A5, $A6, $A7, $A8, $A9, $A10, $A11, $A12) as Located>::Site<D, located!($($others)+)>
    };
    ($A:ident $($others:ident)*) => { <$A as Located>::Site<D, located!($($others)*)> };
}

/// Implements what is said of parameters and arguments for tuples of one length.
macro_rules! tuple {
    ($($P:ident $A:ident $H:ident $value:ident)*) => {
        impl<$($P: Parameter),*> sealed::Sealed for ($($P,)*) {}
        impl<$($P: Parameter),*> Parameters for ($($P,)*) {
            type Handles = ($($P::Handle,)*);
            type Values = ($($P::Value,)*);
            type Outputs = nested!([()] $($P)*);
            type Places = ($($P::Place,)*);
            type Slots = slots!([()] $($P)*);
            const WAITS: bool = $($P::WAITS ||)* false;

            #[inline(always)]
            fn values(($($value,)*): &Self::Handles) -> Self::Values {
                ($($P::value($value),)*)
            }

            #[inline(always)]
            #[allow(non_snake_case, reason = "names of the macro's list, which types have too")]
            fn slots(($($value,)*): Self::Values, places: Self::Places) -> Self::Slots {
                let mut position = Position::default();
                let list = ();
                let ($($A,)*) = places;
                $( let list = $P::slot($value, $A, list, &mut position); )*
                list
            }

            #[inline(always)]
            unsafe fn call(
                function: NonNull<c_void>,
                ($($value,)*): Self::Values,
                size: *mut u64,
                executor: *mut *mut sys::aclOpExecutor,
            ) -> sys::aclnnStatus {
                type Prepare<$($H),*> = unsafe extern "C" fn($($H,)* *mut u64, *mut *mut sys::aclOpExecutor) -> sys::aclnnStatus;
                // SAFETY: the function has these parameters (the caller's contract), and every first phase ends in
                // these two and returns a status.
                let function = unsafe {
                    core::mem::transmute::<*mut c_void, Prepare<$($P::Value),*>>(function.as_ptr())
                };
                // SAFETY: the caller's contract.
                unsafe { function($($value,)* size, executor) }
            }
        }

        impl<$($H),*> Handles for ($($H,)*) {
            #[inline(always)]
            fn release_out_of_line(self) {
                #[cold]
                #[inline(never)]
                #[allow(clippy::too_many_arguments, reason = "one for each parameter")]
                fn release<$($H),*>($($value: $H),*) {
                    $( drop($value); )*
                }
                let ($($value,)*) = self;
                release($($value),*);
            }

            #[inline(always)]
            fn release(self) {
                let ($($value,)*) = self;
                $( drop($value); )*
            }
        }

        impl<$($A: Located),*> Located for ($($A,)*) {
            type Site<D, Rest> = located!($($A)*);
        }

        // Not `Argument`, which follows from it: each mistake would be one error more.
        impl<'b, X, $($P: Parameter, $A: Describe<'b, X, $P>),*> tuple::Describe<'b, X, ($($P,)*)> for ($($A,)*)
        where
            nested!([()] $($A: $P,)*): Flatten,
        {
            type Memory = <nested!([()] $($A: $P,)*) as Flatten>::Flat;

            #[inline(always)]
            fn describe(&mut self) -> Result<($($P::Handle,)*)> {
                let ($($value,)*) = self;
                Ok(($( <$A as Describe<'b, X, $P>>::describe($value)?, )*))
            }

            #[inline(always)]
            fn places(&mut self) -> ($($P::Place,)*) {
                let ($($value,)*) = self;
                ($( <$A as Describe<'b, X, $P>>::place($value), )*)
            }

            #[inline(always)]
            fn into_memory(self) -> Self::Memory {
                let ($($value,)*) = self;
                let list = ();
                $( let list = <$A as Describe<'b, X, $P>>::into_memory($value, list); )*
                list.flatten()
            }
        }
        impl<'b, X, $($P: Parameter, $A: Describe<'b, X, $P>),*> Arguments<'b, X, ($($P,)*)> for ($($A,)*)
        where
            nested!([()] $($A: $P,)*): Flatten,
        {
        }
    };
}

/// Implements it for one length.
macro_rules! group {
    ($($P:ident $A:ident)*) => {
        impl<$($P: Parameter),*> group::Parameters for ($($P,)*) {
            type Outputs<L> = nested!([L] $($P)*);
            type Slots<L: SlotList> = slots!([L] $($P)*);
        }
        impl<'b, X, $($P: Parameter, $A: Describe<'b, X, $P>),*> group::Arguments<'b, X, ($($P,)*)> for ($($A,)*) {
            type Memory<L> = nested!([L] $($A: $P,)*);
        }
    };
}
group!(P1 A1 P2 A2 P3 A3 P4 A4 P5 A5 P6 A6 P7 A7 P8 A8 P9 A9 P10 A10 P11 A11 P12 A12);

/// Implements it for all lengths up to the longest.
macro_rules! tuples {
    ([$($done:tt)*]) => {};
    ([$($done:tt)*] $P:ident $A:ident $H:ident $value:ident, $($rest:tt)*) => {
        tuple!($($done)* $P $A $H $value);
        tuples!([$($done)* $P $A $H $value] $($rest)*);
    };
}

tuples!([]
    P1 A1 H1 v1, P2 A2 H2 v2, P3 A3 H3 v3, P4 A4 H4 v4, P5 A5 H5 v5, P6 A6 H6 v6,
    P7 A7 H7 v7, P8 A8 H8 v8, P9 A9 H9 v9, P10 A10 H10 v10, P11 A11 H11 v11, P12 A12 H12 v12,
    P13 A13 H13 v13, P14 A14 H14 v14, P15 A15 H15 v15, P16 A16 H16 v16, P17 A17 H17 v17, P18 A18 H18 v18,
    P19 A19 H19 v19, P20 A20 H20 v20, P21 A21 H21 v21, P22 A22 H22 v22, P23 A23 H23 v23, P24 A24 H24 v24,
    P25 A25 H25 v25, P26 A26 H26 v26, P27 A27 H27 v27, P28 A28 H28 v28, P29 A29 H29 v29, P30 A30 H30 v30,
    P31 A31 H31 v31, P32 A32 H32 v32, P33 A33 H33 v33, P34 A34 H34 v34, P35 A35 H35 v35, P36 A36 H36 v36,
    P37 A37 H37 v37, P38 A38 H38 v38, P39 A39 H39 v39, P40 A40 H40 v40, P41 A41 H41 v41, P42 A42 H42 v42,
    P43 A43 H43 v43, P44 A44 H44 v44,
);

impl<O> Flatten for ((), O) {
    type Flat = O;

    #[inline(always)]
    fn flatten(self) -> O {
        self.1
    }
}
impl<X, K, O: Returned<X, K>> Written<X, ((), K)> for O {
    type Written = O::Returned;

    #[inline(always)]
    unsafe fn written(self) -> O::Returned {
        // SAFETY: the caller's contract.
        unsafe { self.returned() }
    }
}

/// Implements what is said of outputs for several of them: the innermost list has the first two.
macro_rules! outputs {
    ([$($O:ident $K:ident $value:ident)*] $list:ty, $kinds:ty, $pattern:pat,) => {};
    ([$($O:ident $K:ident $value:ident)*] $list:ty, $kinds:ty, $pattern:pat, $P:ident $L:ident $next:ident $($rest:ident)*) => {
        impl<$($O,)* $P> Flatten for ($list, $P) {
            type Flat = ($($O,)* $P);

            #[inline(always)]
            fn flatten(self) -> Self::Flat {
                let ($pattern, $next) = self;
                ($($value,)* $next)
            }
        }
        impl<X, $($K, $O: Returned<X, $K>,)* $L, $P: Returned<X, $L>> Written<X, ($kinds, $L)> for ($($O,)* $P) {
            type Written = ($($O::Returned,)* $P::Returned);

            #[inline(always)]
            unsafe fn written(self) -> Self::Written {
                let ($($value,)* $next) = self;
                // SAFETY: the caller's contract, for each of them.
                ($( unsafe { $value.returned() }, )* unsafe { $next.returned() })
            }
        }
        outputs!([$($O $K $value)* $P $L $next] ($list, $P), ($kinds, $L), ($pattern, $next), $($rest)*);
    };
}

outputs!([A K1 a] ((), A), ((), K1), ((), a),
    B K2 b C K3 c E K4 e F K5 f G K6 g H K7 h I K8 i
    J K9 j M K10 m N K11 n R K12 r);
