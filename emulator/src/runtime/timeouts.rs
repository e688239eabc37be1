//! The time that an operator may take on a device (`acl/acl_rt.h`).
//!
//! The emulator stores the time and returns it. Its operators end by themselves, so no task fails because of it.
//!
//! A device counts the time in steps, at most 254 of them (a public sample of the runtime). Three assumptions: the
//! step is 2^32 ns, as on products whose longest time is 1091 s; a program that has set no time has the longest; and
//! a time of 0 is the longest.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::{ACL_SUCCESS, aclError};

use crate::engine::current::current;
use crate::object_calls::{attempt, not_null};

/// A step in microseconds.
const STEP: u64 = (1 << 32) / 1000;
/// The longest time in steps.
const MOST: u64 = 254;

/// The time of the process in steps.
static TIME: AtomicU64 = AtomicU64::new(MOST);

/// Stores a time in microseconds, rounded up to steps. Returns the rounded time.
fn set(microseconds: u64) -> u64 {
    let steps = match microseconds.div_ceil(STEP) {
        0 => MOST,
        steps => steps.min(MOST),
    };
    TIME.store(steps, Ordering::Relaxed);
    steps * STEP
}

pub(crate) unsafe extern "C" fn aclrtSetOpExecuteTimeOut(timeout: u32) -> aclError {
    set(u64::from(timeout) * 1_000_000);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> aclError {
    set(u64::from(timeout) * 1000);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSetOpExecuteTimeOutV2(
    timeout: u64,
    actualTimeout: *mut u64,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { answer("aclrtSetOpExecuteTimeOutV2", actualTimeout, || set(timeout)) }
}

pub(crate) unsafe extern "C" fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> aclError {
    // SAFETY: the same contract.
    unsafe { answer("aclrtGetOpTimeOutInterval", interval, || STEP) }
}

pub(crate) unsafe extern "C" fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> aclError {
    // The longest time is 1_090_921 ms.
    let milliseconds = || (TIME.load(Ordering::Relaxed) * STEP / 1000) as u32;
    // SAFETY: the same contract.
    unsafe { answer("aclrtGetOpExecuteTimeout", timeoutMs, milliseconds) }
}

/// Writes the answer of a call that needs a current context.
///
/// # Safety
///
/// - `out` is null or valid for a write.
unsafe fn answer<T>(call: &str, out: *mut T, value: impl FnOnce() -> T) -> aclError {
    attempt!(not_null(call, "the pointer for the answer", out));
    attempt!(current(call));
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(value()) };
    ACL_SUCCESS
}
