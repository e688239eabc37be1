//! What happens when a release fails: the hook, the counters, and memory that is never freed.
//!
//! `Drop` cannot return an error and must not panic. It reports to a hook and counts.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use crate::error::{Error, Result};

static HOOK: AtomicPtr<()> = AtomicPtr::new(log as fn(&Error) as *mut ());
static FAILURES: AtomicU64 = AtomicU64::new(0);
static LEAKS: AtomicU64 = AtomicU64::new(0);
static WAIT_LOST: AtomicBool = AtomicBool::new(false);

/// Sets what is called when a release in `Drop` fails; by default a `tracing` error is logged.
///
/// A hook is a function and borrows nothing: what it counts or collects lies in a `static`. It runs on the
/// thread that dropped the value, possibly while that unwinds. If it panics, the panic ends there. Explicit
/// releases (`stream.destroy()?`, `device.reset()?` ...) return their error instead.
///
/// # Examples
///
/// ```
/// ascendcl::on_release_failure(|error| eprintln!("release failed: {error}"));
/// ```
pub fn on_release_failure(hook: fn(&Error)) {
    HOOK.store(hook as *mut (), Ordering::Release);
}

/// How many releases in `Drop` have failed in this process.
#[must_use]
pub fn release_failures() -> u64 {
    FAILURES.load(Ordering::Relaxed)
}

/// How many resources this process has given up instead of releasing, because nothing proves that
/// the device is done with them. Each was reported to the hook.
#[must_use]
pub fn leaks() -> u64 {
    LEAKS.load(Ordering::Relaxed)
}

/// Reports a release that failed in `Drop`.
#[cold]
pub(crate) fn failed(error: &Error) {
    FAILURES.fetch_add(1, Ordering::Relaxed);
    report(error);
}

/// Reports a failed release where there is nobody to return it to.
#[inline]
pub(crate) fn in_drop(result: Result<()>) {
    if let Err(error) = result {
        failed(&error);
    }
}

/// Counts a resource that is given up.
#[cold]
pub(crate) fn leaked(error: &Error) {
    LEAKS.fetch_add(1, Ordering::Relaxed);
    report(error);
}

/// After a wait failed twice nothing proves that the device stopped: from now on this process frees
/// no memory that a device may use.
///
/// Buffers are one or two words and do not know their device, so this is one switch for all.
#[cold]
pub(crate) fn wait_lost(error: &Error) {
    WAIT_LOST.store(true, Ordering::Release);
    leaked(error);
}

/// Whether a wait was lost; then memory stays allocated.
#[inline(always)]
pub(crate) fn keeps_memory() -> bool {
    WAIT_LOST.load(Ordering::Relaxed)
}

/// Counts an allocation that stays because a wait was lost.
#[cold]
pub(crate) fn kept() {
    LEAKS.fetch_add(1, Ordering::Relaxed);
}

fn report(error: &Error) {
    let hook = HOOK.load(Ordering::Acquire);
    // SAFETY: only `on_release_failure` and the initialiser write HOOK, and both store a
    // `fn(&Error)`.
    let hook = unsafe { mem::transmute::<*mut (), fn(&Error)>(hook) };
    // Releases go on behind this point, some of them because soundness needs it.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| hook(error))) {
        // Dropping the payload could panic again.
        mem::forget(panic);
    }
}

/// The default hook.
fn log(error: &Error) {
    #[cfg(feature = "tracing")]
    tracing::error!(%error, "an AscendCL resource could not be released");
    #[cfg(not(feature = "tracing"))]
    let _ = error;
}
