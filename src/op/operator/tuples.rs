//! Tuples as lists of parameters and of arguments.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use super::{Arguments, Flatten, Parameters, sealed, tuple};
use crate::error::Result;
use crate::op::handle::Handles;
use crate::op::located::Located;
use crate::op::parameter::Parameter;
use crate::op::parameter::describe::Describe;
use crate::op::slot::{Position, SlotList};

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
