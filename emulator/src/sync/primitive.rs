//! Atomics, cells and locks: those of the standard library, or those of loom, which tries every order in which
//! threads can run.

#![cfg_attr(
    not(loom),
    expect(clippy::disallowed_types, reason = "loom has one of the same kind")
)]

#[cfg(all(test, loom))]
pub(super) use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence},
    sync::{Condvar, Mutex, MutexGuard},
    thread::yield_now,
};
#[cfg(not(all(test, loom)))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence},
    sync::{Condvar, Mutex, MutexGuard},
    thread::yield_now,
};

/// A cell with the interface of the cell of loom.
#[cfg(not(all(test, loom)))]
#[derive(Debug)]
pub(super) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(all(test, loom)))]
impl<T> UnsafeCell<T> {
    pub(super) fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Calls `look` with a pointer that is valid for writes as long as no other thread has one.
    #[inline(always)]
    pub(super) fn with_mut<R>(&self, look: impl FnOnce(*mut T) -> R) -> R {
        look(self.0.get())
    }
}

/// Makes the earlier writes of the thread visible before its later reads. Only loom needs this: it treats
/// sequentially consistent accesses as acquire and release, and only fences as sequentially consistent.
#[inline(always)]
pub(super) fn fence_of_loom() {
    #[cfg(all(test, loom))]
    fence(Ordering::SeqCst);
}
