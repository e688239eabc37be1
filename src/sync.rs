//! Locks and atomics for state that threads share: those of the standard library, or those of loom for the model
//! tests (`device/interleavings.rs`). loom runs every interleaving of threads.

#[cfg(all(test, loom))]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
use std::sync::{LockResult, PoisonError};
use std::time::{Duration, Instant};

/// Declares statics. loom creates its statics again for each interleaving.
macro_rules! shared {
    ($($(#[$doc:meta])* static $name:ident: $type:ty = $value:expr;)*) => { $(
        #[cfg(not(all(test, loom)))]
        $(#[$doc])*
        static $name: $type = $value;
        #[cfg(all(test, loom))]
        loom::lazy_static! {
            $(#[$doc])*
            static ref $name: $type = $value;
        }
    )* };
}
pub(crate) use shared;

/// Returns the guard of a lock also when the lock is poisoned. For locks whose data is valid after every statement
/// and under which no code panics.
pub(crate) fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex also when it is poisoned. For locks whose data is valid after every statement and under which no
/// code panics.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}

/// Waits until `is_over` holds, at most for the limit if there is one. What the guard shows tells the two apart.
pub(crate) fn wait_until<'m, T>(
    condvar: &Condvar,
    mut guard: MutexGuard<'m, T>,
    limit: Option<Duration>,
    is_over: impl Fn(&T) -> bool,
) -> MutexGuard<'m, T> {
    let start = Instant::now();
    while !is_over(&guard) {
        guard = match limit.map(|limit| limit.checked_sub(start.elapsed())) {
            None => unpoisoned(condvar.wait(guard)),
            Some(None) => break,
            Some(Some(left)) => unpoisoned(condvar.wait_timeout(guard, left)).0,
        };
    }
    guard
}

/// Nobody has the latch.
const FREE: u32 = 0;
/// A thread has the latch.
const TAKEN: u32 = 1;
/// A thread has the latch, and others may sleep until it is free.
const WAITED_FOR: u32 = 2;

/// A lock for a path on which each instruction counts. Without another thread, taking it and giving it back are two
/// instructions of the processor with their comparisons. A [`Mutex`] also asks twice whether the thread panics.
///
/// # Invariants
///
/// - `state` is `FREE` if and only if there is no [`Latched`].
/// - If a thread sleeps at `freed`, `state` is `WAITED_FOR`, or a thread is about to wake it.
#[derive(Debug)]
pub(crate) struct Latch<T> {
    state: AtomicU32,
    /// Locked by a thread that goes to sleep, until it sleeps.
    sleepers: Mutex<()>,
    freed: Condvar,
    data: UnsafeCell<T>,
}

// SAFETY: one thread at a time has the data (invariant), so a shared latch only sends them.
unsafe impl<T: Send> Sync for Latch<T> {}

/// The exclusive use of the data of a [`Latch`].
pub(crate) struct Latched<'l, T> {
    latch: &'l Latch<T>,
    /// What it gives access to.
    _data: PhantomData<&'l mut T>,
}

impl<T> Latch<T> {
    pub(crate) fn new(data: T) -> Latch<T> {
        Latch {
            state: AtomicU32::new(FREE),
            sleepers: Mutex::new(()),
            freed: Condvar::new(),
            data: UnsafeCell::new(data),
        }
    }

    /// Takes the latch. The calling thread must not have it.
    #[inline(always)]
    pub(crate) fn take(&self) -> Latched<'_, T> {
        let taken = self
            .state
            .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_err() {
            self.sleep();
        }
        // INVARIANT: the state was free, and was changed by this thread.
        Latched {
            latch: self,
            _data: PhantomData,
        }
    }

    #[cold]
    #[inline(never)]
    fn sleep(&self) {
        let mut sleepers = lock(&self.sleepers);
        while self.state.swap(WAITED_FOR, Ordering::Acquire) != FREE {
            // INVARIANT: who frees the latch now sees that it is waited for. It locks `sleepers` first, so it wakes this
            // thread after it has begun to sleep.
            sleepers = unpoisoned(self.freed.wait(sleepers));
        }
    }

    /// Wakes a sleeping thread. The next one that sleeps is woken by the thread which is woken here: `sleep` leaves
    /// `WAITED_FOR` behind.
    #[cold]
    #[inline(never)]
    fn wake(&self) {
        drop(lock(&self.sleepers));
        self.freed.notify_one();
    }
}

impl<T> Deref for Latched<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: this value has the data exclusively (invariant of `Latch`), and is borrowed.
        unsafe { &*self.latch.data.get() }
    }
}

impl<T> DerefMut for Latched<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this value has the data exclusively (invariant of `Latch`), and is borrowed exclusively.
        unsafe { &mut *self.latch.data.get() }
    }
}

impl<T> Drop for Latched<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // INVARIANT: this value ends, so nobody has the data.
        if self.latch.state.swap(FREE, Ordering::Release) == WAITED_FOR {
            self.latch.wake();
        }
    }
}

#[cfg(all(test, loom))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod interleavings {
    use std::sync::Arc;

    use loom::thread;

    use super::{AtomicUsize, Latch, Ordering};

    /// Three threads have the latch one after the other, and none sleeps for ever.
    #[test]
    fn a_latch_has_one_holder_and_wakes_all() {
        loom::model(|| {
            let latch = Arc::new((Latch::new(0), AtomicUsize::new(0)));
            let count = |(latch, holders): &(Latch<u32>, AtomicUsize)| {
                let mut number = latch.take();
                assert_eq!(holders.fetch_add(1, Ordering::Relaxed), 0, "taken twice");
                *number += 1;
                holders.fetch_sub(1, Ordering::Relaxed);
            };
            let others = [Arc::clone(&latch), Arc::clone(&latch)]
                .map(|latch| thread::spawn(move || count(&latch)));
            count(&latch);
            for other in others {
                other.join().unwrap();
            }
            assert_eq!(*latch.0.take(), 3);
        });
    }
}
