//! Atomics, cells and locks: those of the standard library, or those of loom, which tries every order
//! in which threads could meet.

#[cfg(loom)]
pub(super) use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence},
    sync::{Condvar, Mutex, MutexGuard},
    thread::yield_now,
};
#[cfg(not(loom))]
pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, fence},
    sync::{Condvar, Mutex, MutexGuard},
    thread::yield_now,
};

/// A cell that loom watches, with the interface that it needs for that.
#[cfg(not(loom))]
#[derive(Debug)]
pub(super) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(super) fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Gives a pointer that is good for writes as long as nobody else has one.
    #[inline(always)]
    pub(super) fn with_mut<R>(&self, look: impl FnOnce(*mut T) -> R) -> R {
        look(self.0.get())
    }
}

/// Sees to it that what the thread wrote before is visible before it reads on, where a sequentially
/// consistent access is not enough: loom takes such accesses for acquire and release, and only
/// fences for what they are.
#[inline(always)]
pub(super) fn fence_of_loom() {
    #[cfg(loom)]
    fence(Ordering::SeqCst);
}
