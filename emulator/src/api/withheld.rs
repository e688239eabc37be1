//! The functions that refuse: all of them in a child of `fork` whose parent has used the emulator, those that the chosen
//! product lacks, and those that an injected fault makes fail.
//!
//! Nothing else in the emulator asks for these reasons, so usual calls cost nothing more.

use std::cell::Cell;
use std::ffi::c_char;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

use ascendcl_sys::{Api, CollectiveTable, RuntimeTable, aclError, installed};

use super::observed::Answer;
use crate::check;
use crate::config::chosen;
use crate::error;
use crate::fork;
use crate::product::Product;

/// Answers a call that is refused. With the calling convention of C, the entries need no code for a panic, and there are so
/// many entries that none of them has a copy of this.
#[inline(never)]
extern "C" fn refused_call<T: Answer>(call: &&'static str) -> T {
    T::failure(refusal(call, T::UNSUPPORTED))
}

thread_local! {
    /// The code with which an injected fault makes the next refused call of the thread fail.
    static INJECTED: Cell<Option<aclError>> = const { Cell::new(None) };
}

/// Lets the next refused call of the thread fail with a code. Returns true.
pub(super) fn fail_next(code: aclError) -> bool {
    INJECTED.set(Some(code));
    true
}

/// Returns the code of a refused call, whose reason is given.
fn refusal(call: &'static str, unsupported: aclError) -> aclError {
    INJECTED.take().unwrap_or_else(|| {
        refuse(call, unsupported);
        unsupported
    })
}

/// Refuses a call with a code, and gives the reason.
#[cold]
fn refuse(call: &'static str, code: aclError) {
    match fork::parent() {
        Some(parent) => {
            check::used_in_child(call, parent);
            error::fail(
                code,
                format_args!(
                    "{call} failed: this process is a child of fork, and its parent, process {parent}, had used AscendCL \
                     before; a child has neither the threads nor the devices of its parent, and a card would hang; fork \
                     before the first call and call aclInit in the child, or start a program (exec, posix_spawn)"
                ),
            );
        }
        None => {
            let chip = chosen::peek().soc_name;
            let product = Product::of(&chip).map_or("this product", Product::series);
            error::fail(
                code,
                format_args!(
                    "{call} failed: {chip} ({product}) does not support this function, according to the manual; use \
                     another function where aclrtGetSocName returns such a chip, or choose another chip for the \
                     emulator (ASCENDCL_EMULATOR_SOC)"
                ),
            );
        }
    }
}

/// Makes one entry.
macro_rules! refused_entry {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        unsafe extern "C" fn $name($(_: $ty),*) -> $ret {
            super::refused_call(&stringify!($name))
        }
    };
}

/// Makes the table of one area.
macro_rules! refused {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        $( ascendcl_sys::function! { refused_entry; $(# $attribute)+ fn $name $parameters -> $ret; } )*
        pub(super) const REFUSED: ascendcl_sys::$Table = ascendcl_sys::$Table { $($name),* };
    };
}

/// One module per area.
macro_rules! areas {
    ($($area:ident $Table:ident $functions:ident),* $(,)?) => {
        $(
            mod $area {
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use ascendcl_sys::{structs::*, types::*};
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use std::ffi::{c_char, c_int, c_void};

                ascendcl_sys::$functions!(refused);
            }
        )*

        /// All functions of the lists, which refuse.
        pub(super) const ALL: Api = Api {
            $( $area: $area::REFUSED, )*
            ..super::API
        };
    };
}

ascendcl_sys::for_each_area!(areas);

/// The functions of a child of `fork`. Those that say why a call failed, and those that only compute, are as ever.
static IN_CHILD: Api = Api {
    find_operator: |_| None,
    runtime: RuntimeTable {
        aclGetRecentErrMsg: recent_text,
        aclrtPeekAtLastError: super::API.runtime.aclrtPeekAtLastError,
        aclrtGetLastError: super::API.runtime.aclrtGetLastError,
        aclrtGetVersion: super::API.runtime.aclrtGetVersion,
        aclDataTypeSize: super::API.runtime.aclDataTypeSize,
        aclFloat16ToFloat: super::API.runtime.aclFloat16ToFloat,
        aclFloatToFloat16: super::API.runtime.aclFloatToFloat16,
        ..ALL.runtime
    },
    collective: CollectiveTable {
        HcclGetErrorString: super::API.collective.HcclGetErrorString,
        ..ALL.collective
    },
    ..ALL
};

unsafe extern "C" fn recent_text() -> *const c_char {
    error::take_text(true)
}

/// Returns the functions without those that the chosen product lacks.
pub(crate) fn of_product(api: Api) -> Api {
    match Product::of(&chosen::peek().soc_name) {
        Some(product) => {
            let lacking = product.lacking();
            api.with_functions_of(&ALL, |name| lacking.contains(&name))
        }
        None => api,
    }
}

/// The functions that a C library calls.
static SHARED: AtomicPtr<Api> = AtomicPtr::new(ptr::null_mut());

/// Returns the functions of this process, for a library that exports them to C: a load and a comparison. The first call
/// asks `first` for them.
#[inline]
pub fn shared(first: fn() -> Api) -> &'static Api {
    // SAFETY: null, or one of the two pointers that are stored, which are valid for the rest of the process.
    match unsafe { SHARED.load(Ordering::Acquire).as_ref() } {
        Some(api) => api,
        None => share(first()),
    }
}

#[cold]
fn share(api: Api) -> &'static Api {
    let api = Box::into_raw(Box::new(api));
    let null = ptr::null_mut();
    let kept = match SHARED.compare_exchange(null, api, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => api,
        Err(earlier) => {
            // SAFETY: made above, and nobody else has seen it.
            drop(unsafe { Box::from_raw(api) });
            earlier
        }
    };
    // SAFETY: it is not null, and is valid for the rest of the process.
    unsafe { &*kept }
}

/// Makes each child of `fork` refuse calls if this process has used the emulator by then.
pub(crate) fn hear_of_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the functions exist for the rest of the process. `in_child` only stores numbers and pointers, which a
        // child may do after the fork of a process with threads.
        let _ = unsafe { libc::pthread_atfork(Some(before_fork), None, Some(in_child)) };
    });
}

unsafe extern "C" fn before_fork() {
    if fork::is_used() {
        check::forks();
    }
}

unsafe extern "C" fn in_child() {
    if !fork::begin_child() {
        return;
    }
    SHARED.store(ptr::from_ref(&IN_CHILD).cast_mut(), Ordering::Release);
    if installed() == Some(&super::API.origin) {
        // SAFETY: each function has the signature of its entry, and refuses, which any function may do. The backend of
        // this process is the emulator.
        unsafe { IN_CHILD.replace() };
    }
}
