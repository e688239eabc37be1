//! What happens when a release fails: the hook, the counters, and memory that is never freed.
//!
//! `Drop` cannot return an error and must not panic. It reports to a hook and counts.

use std::ffi::c_void;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use ascendcl_sys as sys;

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

/// After a wait failed twice nothing proves that the device stopped: from now on this process frees
/// no memory that a device may use.
///
/// Buffers are one or two words and do not know their device, so this is one switch for all.
#[cold]
pub(crate) fn wait_lost(error: &Error) {
    WAIT_LOST.store(true, Ordering::Release);
    for frees in [&FREES, &HOST_FREES, &DVPP_FREES, &DVPP_V2_FREES] {
        frees.0.store(kept as *mut c_void, Ordering::Release);
    }
    leaked(error);
}

/// Whether a wait was lost; then memory stays allocated.
pub(crate) fn keeps_memory() -> bool {
    WAIT_LOST.load(Ordering::Relaxed)
}

/// A function of C that frees memory.
type Free = unsafe extern "C" fn(*mut c_void) -> sys::aclError;

/// Where the frees of one allocator go: to the backend, or nowhere after a wait was lost.
///
/// Because the address changes, a free looks at no switch: it is what a raw call is, one load and one
/// indirect call.
///
/// # Invariants
///
/// The address is that of a [`Free`]: the allocator's, or [`kept`].
#[derive(Debug)]
pub(crate) struct Frees(AtomicPtr<c_void>);

/// Frees of device memory.
pub(crate) static FREES: Frees = Frees::at(aclrt_free);
/// Frees of page-locked host memory.
pub(crate) static HOST_FREES: Frees = Frees::at(aclrt_free_host);
/// Frees of media memory. They stay with the raw call, which knows when the media library was loaded.
pub(crate) static DVPP_FREES: Frees = Frees::at(acldvpp_free);
/// The same for its second version.
pub(crate) static DVPP_V2_FREES: Frees = Frees::at(hi_mpi_dvpp_free);

/// Lets frees go straight to the backend, which is installed now.
pub(crate) fn frees_go_to_backend() {
    let memory = sys::functions::memory::MemoryTable::installed();
    FREES.replace(aclrt_free, memory.aclrtFree);
    HOST_FREES.replace(aclrt_free_host, memory.aclrtFreeHost);
}

impl Frees {
    const fn at(function: Free) -> Frees {
        Frees(AtomicPtr::new(function as *mut c_void))
    }

    /// Replaces one function by another, if it is still that one.
    fn replace(&self, old: Free, new: Free) {
        let (old, new) = (old as *mut c_void, new as *mut c_void);
        // A failure means that it was replaced already, perhaps by `kept`.
        let _ = self
            .0
            .compare_exchange(old, new, Ordering::Release, Ordering::Relaxed);
    }

    /// Frees.
    ///
    /// # Safety
    ///
    /// `pointer` is a live allocation of this allocator, and nothing uses it.
    #[inline(always)]
    pub(crate) unsafe fn free(&self, pointer: *mut c_void) -> sys::aclError {
        // Relaxed: whoever frees what a lost wait had covered got it back behind that wait.
        let address = self.0.load(Ordering::Relaxed);
        // SAFETY: the address of such a function (invariant).
        let function = unsafe { mem::transmute::<*mut c_void, Free>(address) };
        // SAFETY: the caller's contract.
        unsafe { function(pointer) }
    }
}

unsafe extern "C" fn aclrt_free(pointer: *mut c_void) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtFree(pointer) }
}

unsafe extern "C" fn aclrt_free_host(pointer: *mut c_void) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtFreeHost(pointer) }
}

unsafe extern "C" fn acldvpp_free(pointer: *mut c_void) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::acldvppFree(pointer) }
}

unsafe extern "C" fn hi_mpi_dvpp_free(pointer: *mut c_void) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::hi_mpi_dvpp_free(pointer) }
}

/// Counts an allocation that stays because a wait was lost.
unsafe extern "C" fn kept(_: *mut c_void) -> sys::aclError {
    LEAKS.fetch_add(1, Ordering::Relaxed);
    sys::ACL_SUCCESS
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
