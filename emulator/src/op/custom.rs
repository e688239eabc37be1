//! Operators that a program brings, as `msopgen` makes them for a card.
//!
//! On a card such an operator is a library with two functions of C, `aclnnMineGetWorkspaceSize` and `aclnnMine`, which
//! callers find by name. [`operator!`](crate::operator!) makes both from a line like those of the list in
//! `ascendcl-sys`, so that the first phase has the signature that the parameters say, and [`register`] lets
//! `ascendcl_sys::operator` find them while the emulator is the backend.
//!
//! ```
//! use ascendcl_emulator::{elementwise, operator};
//!
//! // y = max(x, x * slope)
//! operator::register(operator!(
//!     aclnnLeaky(x: tensor, slope: f64, y: out_tensor) = elementwise!(|x, slope| x.larger(x * slope))
//! ));
//! assert!(operator::find(c"aclnnLeaky").is_some());
//! ```
//!
//! Where the shapes of an operator are not those of an element-wise one, its definition is a function that checks the
//! call and gives back a closure over the elements:
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
//! operator::register(ascendcl_emulator::operator!(aclnnSums(x: tensor, y: out_tensor) = sums));
//! ```
//!
//! Calls of such an operator are not in the journal or the timeline: they do not go through the tables.

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use std::sync::Mutex;

use ascendcl_sys::aclnnLaunch;

pub use super::argument::Argument;
pub use super::call::{Call, Input, Output};
pub use super::elementwise::{CHUNK, Chunked, Elementwise, Number, Real, Whole};
pub use super::plan::{Definition, Operator, Plan};
pub use super::refusal::Refusal;
pub use super::scalar::Scalar;
pub use super::view::{View, ViewMut, Views};
use crate::sync::lock;

/// An operator with its two functions of C; [`operator!`](crate::operator!) makes one.
#[derive(Debug, Clone, Copy)]
pub struct Custom {
    name: &'static CStr,
    functions: ascendcl_sys::Operator,
}

// SAFETY: the pointers are those of functions, which any thread may call.
unsafe impl Send for Custom {}

impl Custom {
    /// An operator with this name and these functions. `name` is a C string literal.
    #[doc(hidden)]
    #[must_use]
    pub fn new(name: &'static CStr, prepare: *const c_void, launch: aclnnLaunch) -> Option<Self> {
        let prepare = NonNull::new(prepare.cast_mut())?;
        let functions = ascendcl_sys::Operator { prepare, launch };
        Some(Self { name, functions })
    }
}

static REGISTERED: Mutex<Vec<Custom>> = Mutex::new(Vec::new());

/// Lets programs find an operator by its name, before those that the emulator has. The newest one of a name is found.
pub fn register(operator: impl Into<Option<Custom>>) {
    lock(&REGISTERED).extend(operator.into());
}

/// An operator that was registered under this name. `ascendcl_sys::operator` asks here where the emulator is the
/// backend.
#[must_use]
pub fn find(name: &CStr) -> Option<ascendcl_sys::Operator> {
    let registered = lock(&REGISTERED);
    let found = registered.iter().rev().find(|one| one.name == name);
    found.map(|one| one.functions)
}

/// Makes an operator from a line like those of the list in `ascendcl-sys`: the name of its second phase, the parameters
/// of its first one with their kinds (`ascendcl_sys::parameter`), and its definition.
///
/// See [`operator`](mod@crate::operator) for examples.
#[macro_export]
macro_rules! operator {
    ($name:ident($($arg:ident: $kind:ident),* $(,)?) = $definition:expr) => {{
        static OPERATOR: $crate::operator::Operator =
            $crate::operator::Operator::new(stringify!($name), &$definition);

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
        $crate::operator::Custom::new(name, prepare as *const ::core::ffi::c_void, launch)
    }};
}

#[doc(hidden)]
pub use ascendcl_sys as sys;
