//! The places where threads sleep until a queue makes progress.

#![cfg_attr(
    not(loom),
    expect(clippy::disallowed_types, reason = "loom has one of the same kind")
)]

use std::time::Instant;

use super::primitive::{AtomicU32, Condvar, Mutex, MutexGuard, Ordering};

/// A notification of sleeping threads that a queue made progress.
///
/// This is an event count. A thread takes a [`Ticket`], checks the queues once more, and sleeps only if nothing was
/// announced since it took the ticket. An announcement costs one atomic operation while no thread sleeps.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    waiting: AtomicU32,
    epoch: Mutex<u64>,
    moved: Condvar,
}

impl Progress {
    /// Wakes every sleeping thread. Called after a change that a thread may wait for.
    #[inline]
    pub(crate) fn announce(&self) {
        // A read-modify-write, not a load: of this and the `fetch_add` of `ticket`, the second one sees the first one
        // and the changes before it. So either this sees the ticket, or the owner of the ticket sees the change in
        // its second check.
        if self.waiting.fetch_add(0, Ordering::AcqRel) != 0 {
            self.wake();
        }
    }

    /// Wakes the sleeping threads that a relaxed load sees. It may miss a thread that begins to sleep at this moment,
    /// so an [`announce`](Progress::announce) has to follow.
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

    /// Prepares to sleep. The caller checks the queues again before [`Ticket::wait`].
    pub(crate) fn ticket(&self) -> Ticket<'_> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Ticket {
            progress: self,
            epoch: *lock(&self.epoch),
        }
    }
}

/// The right to sleep until the first announcement after the ticket was taken.
#[derive(Debug)]
pub(crate) struct Ticket<'a> {
    progress: &'a Progress,
    epoch: u64,
}

impl Ticket<'_> {
    /// Sleeps until the next announcement or the deadline. Returns false if the deadline has passed.
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

/// Locks a mutex like [`lock`](super::lock), for the mutex type of loom.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    }
}
