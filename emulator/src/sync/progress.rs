//! The one place where threads sleep until work has moved on.

use std::time::Instant;

use super::primitive::{AtomicU32, Condvar, Mutex, MutexGuard, Ordering};

/// Tells sleepers that some queue has moved on.
///
/// An event count: a thread takes a [`Ticket`], looks once more, and sleeps only if nothing was
/// announced since it took the ticket. Announcing costs one atomic operation while nobody sleeps.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    waiting: AtomicU32,
    epoch: Mutex<u64>,
    moved: Condvar,
}

impl Progress {
    /// Wakes every sleeper, after something that it may wait for has changed.
    #[inline]
    pub(crate) fn announce(&self) {
        // A read-modify-write, not a load: whichever of this and the `fetch_add` of `ticket` comes
        // second sees the first and what happened before it. So either the ticket is seen here, or
        // its holder sees the change when it looks again.
        if self.waiting.fetch_add(0, Ordering::AcqRel) != 0 {
            self.wake();
        }
    }

    /// Wakes the sleepers that are seen at a glance. One who lies down at this moment may be missed,
    /// so an [`announce`](Progress::announce) has to follow before anybody depends on it.
    #[inline]
    pub(crate) fn hint(&self) {
        if self.waiting.load(Ordering::Relaxed) != 0 {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        *lock(&self.epoch) += 1;
        self.moved.notify_all();
    }

    /// Prepares to sleep: look again after this, before [`Ticket::wait`].
    pub(crate) fn ticket(&self) -> Ticket<'_> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Ticket {
            progress: self,
            epoch: *lock(&self.epoch),
        }
    }
}

/// The right to sleep until something was announced after it was taken.
#[derive(Debug)]
pub(crate) struct Ticket<'a> {
    progress: &'a Progress,
    epoch: u64,
}

impl Ticket<'_> {
    /// Sleeps until the next announcement or the deadline; false when the deadline has passed.
    pub(crate) fn wait(self, deadline: Option<Instant>) -> bool {
        let mut epoch = lock(&self.progress.epoch);
        while *epoch == self.epoch {
            let Some(deadline) = deadline else {
                epoch = match self.progress.moved.wait(epoch) {
                    Ok(epoch) => epoch,
                    Err(poisoned) => poisoned.into_inner(),
                };
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            epoch = match self.progress.moved.wait_timeout(epoch, left) {
                Ok((epoch, _)) => epoch,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        true
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.progress.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

/// As [`lock`](super::lock), for the lock that loom watches.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    }
}
