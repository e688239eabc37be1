//! A lock that survives a panic. The part that locks does not depend on the type of the value, so it is compiled once.

#![expect(clippy::disallowed_types, reason = "the one kind that all share")]

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::time::Duration;
use std::sync::Condvar;

/// A value that one thread at a time uses. A panic inside the emulator leaves every structure consistent, so there is no poison.
///
/// # Invariants
///
/// - The value is only used by the thread that has locked `raw`, through the one [`MutexGuard`].
pub(crate) struct Mutex<T> {
    raw: std::sync::Mutex<()>,
    value: UnsafeCell<T>,
}

// SAFETY: the invariant: one thread at a time uses the value, which may be on any thread.
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> UnwindSafe for Mutex<T> {}
impl<T> RefUnwindSafe for Mutex<T> {}

impl<T> Mutex<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self {
            raw: std::sync::Mutex::new(()),
            value: UnsafeCell::new(value),
        }
    }

    pub(crate) fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

/// The use of a locked value. The lock ends with it.
///
/// # Invariants
///
/// - This thread has locked the mutex of the value, and `raw` is that lock.
pub(crate) struct MutexGuard<'a, T> {
    raw: std::sync::MutexGuard<'a, ()>,
    value: &'a UnsafeCell<T>,
    /// Other threads may share the value through this if they may share it at all.
    lives: PhantomData<&'a mut T>,
}

// SAFETY: a shared guard gives no more than a shared reference to the value.
unsafe impl<T: Sync> Sync for MutexGuard<'_, T> {}

/// Locks a mutex.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // INVARIANT: the thread has just locked the mutex.
    MutexGuard {
        raw: raw(&mutex.raw),
        value: &mutex.value,
        lives: PhantomData,
    }
}

fn raw(mutex: &std::sync::Mutex<()>) -> std::sync::MutexGuard<'_, ()> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    }
}

impl<T> MutexGuard<'_, T> {
    /// Gives the lock up until a wake-up or for a time, and locks again.
    pub(crate) fn wait(mut self, moved: &Condvar, limit: Option<Duration>) -> Self {
        self.raw = wait(self.raw, moved, limit);
        self
    }
}

fn wait<'a>(
    guard: std::sync::MutexGuard<'a, ()>,
    moved: &Condvar,
    limit: Option<Duration>,
) -> std::sync::MutexGuard<'a, ()> {
    match limit {
        None => match moved.wait(guard) {
            Ok(guard) => guard,
            Err(poisoned) => poisoned.into_inner(),
        },
        Some(limit) => match moved.wait_timeout(guard, limit) {
            Ok((guard, _)) => guard,
            Err(poisoned) => poisoned.into_inner().0,
        },
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the invariant: this thread has the lock, and the guard is borrowed as long as the reference lives.
        unsafe { &*self.value.get() }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed exclusively.
        unsafe { &mut *self.value.get() }
    }
}

impl<T> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MutexGuard")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_at_a_time_changes_the_value() {
        let mutex = Mutex::new((0, 0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let mut pair = lock(&mutex);
                        assert_eq!(pair.0, pair.1);
                        pair.0 += 1;
                        pair.1 += 1;
                    }
                });
            }
        });
        assert_eq!(mutex.into_inner(), (4000, 4000));
    }

    #[test]
    fn a_panic_leaves_the_value_to_others() {
        let mutex = Mutex::<Vec<u8>>::default();
        let result = std::panic::catch_unwind(|| {
            let mut held = lock(&mutex);
            held.push(1);
            assert!(held.is_empty(), "on purpose");
        });
        assert!(result.is_err());
        lock(&mutex).push(2);
        assert_eq!(*lock(&mutex), [1, 2]);
    }

    #[test]
    fn a_wait_gives_the_lock_up() {
        let (mutex, moved) = (Mutex::new(false), Condvar::new());
        let waited = lock(&mutex).wait(&moved, Some(Duration::ZERO));
        assert!(!*waited);
        drop(waited);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                *lock(&mutex) = true;
                moved.notify_all();
            });
            let mut is_set = lock(&mutex);
            while !*is_set {
                is_set = is_set.wait(&moved, None);
            }
        });
        assert!(*lock(&mutex));
    }
}
