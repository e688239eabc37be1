//! Makes types of the operators that this crate has.

/// Declares operators whose functions `ascendcl-sys` has: the type, its parameters in C's order, both functions, and
/// the function of this crate.
macro_rules! operators {
    (mod $types:ident; $(
        $Name:ident<$($T:ident),*>($($value:ident: $Parameter:ty),* $(,)?) = $launch:ident, $prepare:ident, $name:ident;
    )*) => {
        /// The operators as types. A module of their own, so that a function and its operator have a path each.
        pub(in crate::op) mod $types { use super::*; $(
        #[doc = concat!("The operator of [`op::", stringify!($name), "`](crate::op::", stringify!($name), ").")]
        pub struct $Name<$($T),*>(core::marker::PhantomData<fn($($T),*)>);

        impl<$($T),*> core::fmt::Debug for $Name<$($T),*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($Name))
            }
        }

        // Which element types the operator takes, the function says: were it said here too, each mistake would be two errors.
        // SAFETY: the parameters are those of the declaration in `ascendcl-sys`, where the compiler compares them with
        // the headers; the operators of CANN that stand in a table of this crate read and write their tensors only,
        // refuse what they do not take, and write each output as a whole (`aclnnop/`, CANN 8.1), for tensors that the
        // function of this crate has checked, which alone plans them (`ByFunction`).
        unsafe impl<$($T: $crate::op::element::Element),*> $crate::op::Operator for $Name<$($T),*> {
            const NAME: &'static str = stringify!($launch);
            const PREPARE: &'static str = stringify!($prepare);
            type Parameters = ($($Parameter,)*);
            type PlannedBy = $crate::op::operator::ByFunction;

            #[inline(always)]
            unsafe fn prepare(
                ($($value,)*): $crate::op::operator::ValuesOf<Self>,
                size: *mut u64,
                executor: *mut *mut sys::aclOpExecutor,
            ) -> sys::aclnnStatus {
                // SAFETY: the caller's contract.
                unsafe { sys::$prepare($($value,)* size, executor) }
            }

            #[inline(always)]
            unsafe fn launch(
                workspace: *mut core::ffi::c_void,
                size: u64,
                executor: *mut sys::aclOpExecutor,
                stream: sys::aclrtStream,
            ) -> sys::aclnnStatus {
                // SAFETY: the caller's contract.
                unsafe { sys::$launch(workspace, size, executor, stream) }
            }
        }
        )* }
    };
}
pub(super) use operators;
