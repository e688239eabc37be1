//! Memory that nobody owns any more but a device may still use.
//!
//! A queued buffer that is dropped (on an error path, say) cannot be freed: `aclrtFree` does not wait
//! for queued work (observed, CANN runtime 1.17). It is parked here, under the slot of the device whose
//! queue uses it, and freed when a synchronise of that whole device has proven that the work is over.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use ascendcl_sys as sys;

use crate::error::Error;
use crate::raw::check;
use crate::release;

/// An allocation with the function that frees it.
pub(crate) struct Parked {
    pub(crate) pointer: NonNull<c_void>,
    pub(crate) free: unsafe fn(NonNull<c_void>) -> sys::aclError,
    pub(crate) call: &'static str,
}

// SAFETY: an allocation that nothing else owns; freeing works on any thread, as for `Buf`.
unsafe impl Send for Parked {}

static PARKED: Mutex<Vec<(usize, Parked)>> = Mutex::new(Vec::new());

/// Parks an allocation that the queues of the device in `slot` may use.
#[cold]
pub(crate) fn park(slot: usize, parked: Parked) {
    PARKED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push((slot, parked));
}

/// Takes out what is parked for a device now. What is parked later may belong to later work.
pub(crate) fn take(slot: usize) -> Vec<Parked> {
    let mut all = PARKED.lock().unwrap_or_else(PoisonError::into_inner);
    if all.iter().all(|(of, _)| *of != slot) {
        return Vec::new();
    }
    let (taken, kept) = all.drain(..).partition::<Vec<_>, _>(|(of, _)| *of == slot);
    *all = kept;
    taken.into_iter().map(|(_, parked)| parked).collect()
}

/// Puts back what could not be proven free.
pub(crate) fn put_back(slot: usize, parked: Vec<Parked>) {
    let mut all = PARKED.lock().unwrap_or_else(PoisonError::into_inner);
    all.extend(parked.into_iter().map(|parked| (slot, parked)));
}

/// Frees what was taken out before a synchronise of the whole device that has succeeded.
///
/// # Safety
///
/// No queued work uses the allocations.
pub(crate) unsafe fn free(parked: Vec<Parked>) {
    for Parked {
        pointer,
        free,
        call,
    } in parked
    {
        if release::keeps_memory() {
            release::kept();
            continue;
        }
        // SAFETY: the caller's contract; whoever parked it gave up its ownership.
        let code = unsafe { free(pointer) };
        release::in_drop(check(call, code));
    }
}

/// Gives up what a device may use for ever, because no wait for it succeeds.
#[cold]
pub(crate) fn give_up(parked: Vec<Parked>, error: &Error) {
    for _ in parked {
        release::leaked(error);
    }
}
