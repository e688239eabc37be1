//! The call that makes a stream wait when memory changes hands.
//!
//! Such a wait must not end before the event: the other stream might still use the memory.
//! [`Acl::set_op_wait_timeout`](crate::Acl::set_op_wait_timeout) limits `aclrtStreamWaitEvent`, so another function
//! is called while a limit is set. The function is a pointer, because a test of the limit before each wait would cost
//! more than the raw call.

use std::ffi::c_void;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use ascendcl_sys as sys;

use crate::error::{Error, Result};

/// A function that queues a wait.
type Wait = unsafe extern "C" fn(sys::aclrtStream, sys::aclrtEvent) -> sys::aclError;

/// The function in use: always one of the type [`Wait`] whose waits are not limited.
static WAIT: AtomicPtr<c_void> = AtomicPtr::new(wait_without_limit as *mut c_void);

/// Whether the process has limited `aclrtStreamWaitEvent`. It stays so when AscendCL is initialised again.
static IS_LIMITED: AtomicBool = AtomicBool::new(false);

/// Notes whether waits are limited.
pub(super) fn note_limit(is_limited: bool) {
    IS_LIMITED.store(is_limited, Ordering::Relaxed);
    choose();
}

/// Chooses the function, once the process has a backend. No stream is in use on any thread.
pub(super) fn choose() {
    let wait: Wait = if IS_LIMITED.load(Ordering::Relaxed) {
        wait_without_limit
    } else {
        sys::EventTable::installed().aclrtStreamWaitEvent
    };
    WAIT.store(wait as *mut c_void, Ordering::Relaxed);
}

/// `aclrtStreamWaitEvent` where that has a limit.
unsafe extern "C" fn wait_without_limit(
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
) -> sys::aclError {
    // SAFETY: the caller's contract; 0 is no limit.
    unsafe { sys::aclrtStreamWaitEventWithTimeout(stream, event, 0) }
}

/// Queues a wait that does not end before the event completes.
///
/// # Safety
///
/// As for `aclrtStreamWaitEvent`: a live stream of the current context and a live event.
#[inline(always)]
pub(crate) unsafe fn wait(stream: sys::aclrtStream, event: sys::aclrtEvent) -> Result<()> {
    // Relaxed: whoever has a stream got it behind the last change (`choose`).
    let address = WAIT.load(Ordering::Relaxed);
    // SAFETY: `choose` and the static's initialiser store only pointers that were functions of this type.
    let wait = unsafe { mem::transmute::<*mut c_void, Wait>(address) };
    // SAFETY: the caller's contract.
    match unsafe { wait(stream, event) } {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(refused(code)),
    }
}

#[cold]
fn refused(code: sys::aclError) -> Error {
    let call = if IS_LIMITED.load(Ordering::Relaxed) {
        "aclrtStreamWaitEventWithTimeout"
    } else {
        "aclrtStreamWaitEvent"
    };
    Error::refused(call, code)
}
