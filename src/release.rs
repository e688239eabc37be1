//! Releases that fail: the hook, the counters, and memory that is never freed.
//!
//! `Drop` cannot return an error and must not panic. It reports to a hook and counts.

use std::mem;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::raw::contained;

static HOOK: AtomicPtr<()> = AtomicPtr::new(log as fn(&Error) as *mut ());
static FAILURES: AtomicU64 = AtomicU64::new(0);
static LEAKS: AtomicU64 = AtomicU64::new(0);

/// Sets the function that is called when a release in `Drop` fails. The default logs a `tracing` error,
/// which only a program with a subscriber prints.
///
/// The hook is a function and borrows nothing; a counter or a collection for it is a `static`. It runs on the thread
/// that dropped the value, possibly during a panic. A panic of the hook ends inside it. Explicit releases
/// (`stream.destroy()?`, `device.reset()?` ...) return their error instead.
///
/// The hook also learns, once for each device, that much memory is parked: [`set_parked_threshold`](crate::set_parked_threshold).
/// It gets the errors of [workers](crate::worker) that no request and no call gets.
///
/// # Examples
///
/// ```
/// ascendcl::on_release_failure(|error| eprintln!("release failed: {error}"));
/// ```
pub fn on_release_failure(hook: fn(&Error)) {
    HOOK.store(hook as *mut (), Ordering::Release);
}

/// The number of releases in `Drop` that have failed in this process.
///
/// ```
/// # ascendcl::example!(|acl| {
/// drop(acl);
/// assert_eq!(ascendcl::release_failures(), 0); // `finalize` would have returned the error instead
/// # });
/// ```
#[must_use]
pub fn release_failures() -> u64 {
    FAILURES.load(Ordering::Relaxed)
}

/// The number of resources that this process never releases, because the device may still use them. The hook was
/// called for each.
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// let before = ascendcl::leaks();
/// // ... work ...
/// assert_eq!(ascendcl::leaks(), before); // nothing was leaked because of a failed wait
/// # } Ok(()) }
/// ```
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

/// Looks at the status of a release in `Drop`. The success path is one comparison.
#[inline(always)]
pub(crate) fn status_in_drop(call: &'static str, code: sys::aclError) {
    #[cold]
    #[inline(never)]
    fn refused(call: &'static str, code: sys::aclError) {
        failed(&Error::refused(call, code));
    }
    if code != sys::ACL_SUCCESS {
        refused(call, code);
    }
}

/// Counts a resource that is given up.
#[cold]
pub(crate) fn leaked(error: &Error) {
    LEAKS.fetch_add(1, Ordering::Relaxed);
    report(error);
}

/// Ends the process: memory that was borrowed may be in use by a device, no wait has succeeded, and the caller is
/// about to have it back.
#[cold]
#[expect(clippy::print_stderr, reason = "the last words of the process")]
pub(crate) fn abort(error: &Error) -> ! {
    // A hook that panics is stopped in `failed`, so nothing leads past the abort.
    failed(error);
    // A program without a logger would end without a word.
    eprintln!(
        "ascendcl: the process is aborted, because a device may still use memory that was borrowed: {error}"
    );
    std::process::abort();
}

/// Gives an error to the hook.
#[cold]
pub(crate) fn report(error: &Error) {
    let hook = HOOK.load(Ordering::Acquire);
    // SAFETY: only `on_release_failure` and the initialiser write HOOK, and both store a
    // `fn(&Error)`.
    let hook = unsafe { mem::transmute::<*mut (), fn(&Error)>(hook) };
    // Releases go on behind this point, some of them because soundness needs it.
    contained(|| hook(error));
}

/// The default hook.
fn log(error: &Error) {
    #[cfg(feature = "tracing")]
    tracing::error!(%error, "an error of AscendCL that no call returns");
    #[cfg(not(feature = "tracing"))]
    let _ = error;
}
