//! Executors: each is released once, by the second phase that consumes it or here.

use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::raw::check;
use crate::release;

/// An `aclOpExecutor` that has not run, or that is repeatable.
///
/// # Invariants
///
/// The pointer came from a first phase. No second phase has had it, or it was made repeatable before.
pub(super) struct Executor(NonNull<sys::aclOpExecutor>);

// SAFETY: a value of the host; `Plan` keeps it on its thread, which is bound to the device.
unsafe impl Send for Executor {}

impl Executor {
    /// The executor that the first phase `call` wrote, if it returned success.
    #[inline(always)]
    pub(super) fn prepared(
        call: &'static str,
        code: sys::aclnnStatus,
        executor: *mut sys::aclOpExecutor,
    ) -> Result<Executor> {
        check(call, code)?;
        // INVARIANT: the first phase has just written it.
        match NonNull::new(executor) {
            Some(executor) => Ok(Executor(executor)),
            None => Err(Error::refused(call, sys::ACLNN_ERR_INNER_CREATE_EXECUTOR)),
        }
    }

    /// Lets the second phase keep it. The latest first phase of this thread has made it.
    pub(super) fn set_repeatable(&self) -> Result<()> {
        // SAFETY: it has not run (invariant).
        let code = unsafe { sys::aclSetAclOpExecutorRepeatable(self.0.as_ptr()) };
        check("aclSetAclOpExecutorRepeatable", code)
    }

    /// For calls that leave it alive.
    #[inline(always)]
    pub(super) fn get(&self) -> NonNull<sys::aclOpExecutor> {
        self.0
    }

    /// Hands it to the second phase, which releases a one-shot executor itself (aclnn guide, CANN 8.x).
    #[inline(always)]
    pub(super) fn launch(self) -> NonNull<sys::aclOpExecutor> {
        ManuallyDrop::new(self).0
    }
}

impl Drop for Executor {
    /// Releases an executor that never runs, or that is repeatable. Work that it has queued has its own copy of all
    /// that it needs, as the second phase of a one-shot executor releases that behind its launch (hicann/opbase,
    /// July 2026).
    #[inline(always)]
    fn drop(&mut self) {
        /// By value, as in the drop of `Described`.
        #[cold]
        #[inline(never)]
        fn release(executor: NonNull<sys::aclOpExecutor>) {
            // SAFETY: never launched, or repeatable (invariant), and used nowhere else.
            let code = unsafe { sys::aclDestroyAclOpExecutor(executor.as_ptr()) };
            release::in_drop(check("aclDestroyAclOpExecutor", code));
        }
        release(self.0);
    }
}
