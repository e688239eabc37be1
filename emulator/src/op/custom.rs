//! Custom operators: operators that a program defines, as `msopgen` makes them for a card.
//!
//! On a card a custom operator is a library with two functions of C, for example `aclnnMineGetWorkspaceSize` and
//! `aclnnMine`. Callers find the functions by name. [`operator!`](crate::operator!) makes both functions from one
//! line, which has the same form as the lines of the list in `ascendcl-sys`. So the first phase has exactly the
//! signature of its parameters. After [`register`], `ascendcl_sys::operator` finds the two functions while the
//! emulator is the backend.
//!
//! ```
//! use ascendcl_emulator::{elementwise, operator};
//!
//! // y = max(x, x * slope)
//! let leaky = operator!(
//!     aclnnLeaky(x: tensor, slope: f64, y: out_tensor) = elementwise!(|x, slope| x.larger(x * slope))
//! );
//! // SAFETY: callers of this name pass these parameters; the definition writes all of `y`.
//! unsafe { operator::register(leaky) };
//! assert!(operator::find(c"aclnnLeaky").is_some());
//! ```
//!
//! The definition of any other operator is a function. It checks the call and returns a closure that computes the
//! elements:
//!
//! ```
//! use ascendcl_emulator::operator::{self, Call, Plan, Refusal};
//!
//! /// `y[i]` is the sum of the first `i + 1` elements of `x`.
//! fn sums(call: &Call) -> Result<Plan, Refusal> {
//!     let (x, y) = (call.input("x")?, call.output("y")?);
//!     if x.shape() != y.shape() || x.dtype() != y.dtype() {
//!         return Err(Refusal::invalid("x and y differ"));
//!     }
//!     call.plan(move |views| {
//!         let (from, mut to, mut sum) = (views.input(&x), views.output(&y), 0.0);
//!         for index in 0..x.elements() {
//!             sum += from.get::<f64>(index);
//!             to.set(index, sum);
//!         }
//!     })
//! }
//!
//! let sums = ascendcl_emulator::operator!(aclnnSums(x: tensor, y: out_tensor) = sums);
//! // SAFETY: callers of this name pass these parameters; the definition writes all of `y`.
//! unsafe { operator::register(sums) };
//! ```
//!
//! Calls of a custom operator are not in the journal or the timeline: they do not go through the function tables.

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl_sys::aclnnLaunch;

pub use super::argument::{Argument, Part};
pub use super::call::{Call, Input, Output};
pub use super::elementwise::{
    CHUNK, Elementwise, Number, OfNumbers, OfReals, OfWholes, Real, Whole,
};
pub use super::plan::{Definition, Operator, Plan};
pub use super::refusal::Refusal;
pub use super::scalar::Scalar;
pub use super::view::{View, ViewMut, Views};
use crate::sync::{Mutex, lock};

/// A custom operator with its two functions of C. [`operator!`](crate::operator!) makes it.
#[derive(Debug, Clone, Copy)]
pub struct Custom {
    name: &'static CStr,
    functions: ascendcl_sys::Operator,
}

// SAFETY: the pointers are function pointers, and any thread may call the functions.
unsafe impl Send for Custom {}

impl Custom {
    /// Makes an operator with this name and these functions. `name` is a C string literal.
    ///
    /// # Safety
    ///
    /// `prepare` is the first phase and `launch` the second phase of one operator.
    #[doc(hidden)]
    #[must_use]
    pub unsafe fn new(
        name: &'static CStr,
        prepare: *const c_void,
        launch: aclnnLaunch,
    ) -> Option<Self> {
        let prepare = NonNull::new(prepare.cast_mut())?;
        let functions = ascendcl_sys::Operator { prepare, launch };
        Some(Self { name, functions })
    }
}

static REGISTERED: Mutex<Vec<Custom>> = Mutex::new(Vec::new());
static REGISTRATIONS: AtomicUsize = AtomicUsize::new(0);

/// Registers an operator, so that programs find it by its name. It comes before an operator of the emulator and
/// before an operator that was registered earlier with the same name.
///
/// A caller of `ascendcl_sys::operator` keeps what it has found. The typed API looks again: a plan runs the operator that
/// was registered when it was made, unless another plan of the same operator was made since. It is refused then.
///
/// # Safety
///
/// Callers of the operator rely on its C header, and find this definition in its place:
///
/// - The parameters have the kinds and the order of the header.
/// - When the operator succeeds, it has written every element of its outputs.
/// - The definition returns a [`Plan`] of the [`Call`] that it was given, and not one of an earlier call.
pub unsafe fn register(operator: impl Into<Option<Custom>>) {
    lock(&REGISTERED).extend(operator.into());
    // Release: who reads this count finds the operator.
    REGISTRATIONS.fetch_add(1, Ordering::Release);
}

/// Returns how many times a program has registered an operator. A caller that keeps the result
/// of [`find`] looks again when this number has changed.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn registrations() -> usize {
    REGISTRATIONS.load(Ordering::Acquire)
}

/// Returns the operator that was registered with this name. `ascendcl_sys::operator` calls this function if the
/// emulator is the backend.
#[must_use]
pub fn find(name: &CStr) -> Option<ascendcl_sys::Operator> {
    let registered = lock(&REGISTERED);
    let found = registered.iter().rev().find(|one| one.name == name);
    found.map(|one| one.functions)
}

/// Makes an operator from its signature and its definition.
///
/// The argument has the form of a line of the list in `ascendcl-sys`: the name of the second phase, the parameters of
/// the first phase with their kinds (`ascendcl_sys::parameter`), and behind `=` the definition.
///
/// See [`operator`](mod@crate::operator) for examples.
#[macro_export]
macro_rules! operator {
    ($name:ident($($arg:ident: $kind:ident),* $(,)?) = $definition:expr) => {{
        static OPERATOR: $crate::operator::Operator =
            $crate::operator::Operator::new(stringify!($name), &$definition);
        const _: () = OPERATOR.check_parts(&[$($crate::operator::Part::$kind),*]);

        unsafe extern "C" fn prepare(
            $($arg: $crate::operator::sys::parameter::$kind,)*
            workspace_size: *mut u64,
            executor: *mut *mut $crate::operator::sys::aclOpExecutor,
        ) -> $crate::operator::sys::aclnnStatus {
            let arguments = [$($crate::operator::Argument::$kind(stringify!($arg), $arg)),*];
            // SAFETY: the caller's contract is that of a first phase.
            unsafe { OPERATOR.prepare(&arguments, workspace_size, executor) }
        }

        unsafe extern "C" fn launch(
            workspace: *mut ::core::ffi::c_void,
            workspace_size: u64,
            executor: *mut $crate::operator::sys::aclOpExecutor,
            stream: $crate::operator::sys::aclrtStream,
        ) -> $crate::operator::sys::aclnnStatus {
            OPERATOR.launch(workspace, workspace_size, executor, stream)
        }

        let name = concat!(stringify!($name), "\0");
        let name = ::core::ffi::CStr::from_bytes_with_nul(name.as_bytes()).unwrap_or_default();
        // SAFETY: both phases of the operator above.
        unsafe { $crate::operator::Custom::new(name, prepare as *const ::core::ffi::c_void, launch) }
    }};
}

#[doc(hidden)]
pub use ascendcl_sys as sys;
