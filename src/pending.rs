//! The word of pending checks: one atomic word that makes a successful wait check further state.
//!
//! The wait for a stream costs as much as in C, because it reads only this word. The word is zero in a process in
//! which no wait has failed, no wait for a whole device is running, no memory is parked for a stream, no stream runs
//! work of a communicator, and no task of the media engine waits for a proof. Records of events read it too.

use crate::sync::{AtomicU32, AtomicUsize, Ordering, shared};

/// A wait has failed, or a host function has panicked. The bit is never cleared.
const FAILED: u32 = 1 << 31;
/// Memory is parked for a stream.
const PARKED: u32 = 1 << 30;
/// A stream has an object with an error of its own, which its waits ask for.
const WATCHED: u32 = 1 << 29;
/// A stream has tasks that wait for a proof.
const OPEN: u32 = 1 << 28;
/// A record of an event is remembered, or a stream that has waited for another one.
const RECORDED: u32 = 1 << 27;
/// The bits that say nothing about failures.
const HARMLESS: u32 = PARKED | WATCHED | OPEN | RECORDED;

shared! {
    /// The word of this process.
    static PENDING: Pending = Pending::new();
}

/// The word, with the counters behind two of its bits.
struct Pending {
    /// The bits, and below them the number of running waits for whole devices.
    word: AtomicU32,
    /// The number of allocations that are parked for streams.
    count: AtomicUsize,
    /// The number of objects that waits for streams ask.
    watched: AtomicUsize,
    /// The number of tasks that wait for a proof.
    open: AtomicUsize,
    /// The number of records and of streams that are remembered.
    recorded: AtomicUsize,
}

impl Pending {
    #[cfg(not(all(test, loom)))]
    const fn new() -> Pending {
        Pending {
            word: AtomicU32::new(0),
            count: AtomicUsize::new(0),
            watched: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            recorded: AtomicUsize::new(0),
        }
    }

    #[cfg(all(test, loom))]
    fn new() -> Pending {
        Pending {
            word: AtomicU32::new(0),
            count: AtomicUsize::new(0),
            watched: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            recorded: AtomicUsize::new(0),
        }
    }

    #[inline(always)]
    fn word(&self) -> u32 {
        // A wait that takes the report of a failed task away from a stream changes this word before that. The order
        // of the runtime makes the change visible after the wait of the stream.
        self.word.load(Ordering::SeqCst)
    }

    fn of_failures(&self) -> bool {
        self.word() & !HARMLESS != 0
    }

    fn failed(&self) {
        self.word.fetch_or(FAILED, Ordering::SeqCst);
    }

    fn wait_begins(&self) {
        self.word.fetch_add(1, Ordering::SeqCst);
    }

    fn wait_ends(&self) {
        self.word.fetch_sub(1, Ordering::SeqCst);
    }

    fn parked(&self) {
        self.add(&self.count, PARKED);
    }

    fn unparked(&self, count: usize) {
        self.remove(&self.count, PARKED, count);
    }

    fn watched(&self) {
        self.add(&self.watched, WATCHED);
    }

    fn unwatched(&self, count: usize) {
        self.remove(&self.watched, WATCHED, count);
    }

    fn opened(&self) {
        self.add(&self.open, OPEN);
    }

    fn closed(&self, count: usize) {
        self.remove(&self.open, OPEN, count);
    }

    fn recorded(&self) {
        self.add(&self.recorded, RECORDED);
    }

    fn unrecorded(&self, count: usize) {
        self.remove(&self.recorded, RECORDED, count);
    }

    fn add(&self, counter: &AtomicUsize, bit: u32) {
        counter.fetch_add(1, Ordering::SeqCst);
        self.word.fetch_or(bit, Ordering::SeqCst);
    }

    fn remove(&self, counter: &AtomicUsize, bit: u32, count: usize) {
        if count == 0 || counter.fetch_sub(count, Ordering::SeqCst) > count {
            return;
        }
        self.word.fetch_and(!bit, Ordering::SeqCst);
        // Another thread may have counted up meanwhile, and set the bit before it was cleared here.
        if counter.load(Ordering::SeqCst) > 0 {
            self.word.fetch_or(bit, Ordering::SeqCst);
        }
    }
}

/// Returns the word. It is not zero when a successful wait needs more checks.
#[inline(always)]
pub(crate) fn word() -> u32 {
    PENDING.word()
}

/// Whether a successful wait may have missed the report of a failed task.
pub(crate) fn of_failures() -> bool {
    PENDING.of_failures()
}

/// Whether memory is parked for a stream of the process, or a record is remembered that may have been in front of some.
pub(crate) fn of_parked() -> bool {
    PENDING.count.load(Ordering::SeqCst) > 0 || of_records()
}

/// Whether a record of an event is remembered, or a stream that has waited for another one.
pub(crate) fn of_records() -> bool {
    // Not the bit, which is clear for a moment while one thread removes the last record and another one adds a record.
    PENDING.recorded.load(Ordering::SeqCst) > 0
}

/// Whether a task of the process waits for a proof.
pub(crate) fn of_open() -> bool {
    PENDING.word() & OPEN != 0
}

/// Whether a successful wait has to ask objects with errors of their own.
pub(crate) fn of_watches() -> bool {
    PENDING.word() & WATCHED != 0
}

/// Whether a successful wait has to do more than that.
#[inline(always)]
pub(crate) fn of_more_than_watches() -> bool {
    word() & !WATCHED != 0
}

/// Enters that the waits for a stream ask an object.
pub(crate) fn watched() {
    PENDING.watched();
}

/// Enters that `count` objects are not asked any more.
pub(crate) fn unwatched(count: usize) {
    PENDING.unwatched(count);
}

/// Enters that a task waits for a proof.
pub(crate) fn opened() {
    PENDING.opened();
}

/// Enters that `count` tasks do not wait for a proof any more.
pub(crate) fn closed(count: usize) {
    PENDING.closed(count);
}

/// Enters that a wait has failed or a host function has panicked. From now on every wait checks the ledger.
pub(crate) fn failed() {
    PENDING.failed();
}

/// Enters that a wait for a whole device begins. It may take a report away from a stream.
pub(crate) fn wait_begins() {
    PENDING.wait_begins();
}

/// Enters that a wait for a whole device has ended. Its outcome is in the ledger.
pub(crate) fn wait_ends() {
    PENDING.wait_ends();
}

/// Enters that an allocation was parked for a stream.
pub(crate) fn parked() {
    PENDING.parked();
}

/// Enters that `count` allocations are not parked for a stream any more.
pub(crate) fn unparked(count: usize) {
    PENDING.unparked(count);
}

/// Enters that a record of an event is remembered, or a stream that has waited for another one.
pub(crate) fn recorded() {
    PENDING.recorded();
}

/// Enters that `count` of them are not remembered any more.
pub(crate) fn unrecorded(count: usize) {
    PENDING.unrecorded(count);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{FAILED, Pending};

    /// Any number of failed waits sets one bit. A counter could wrap to zero. The test has a word of its own, because
    /// other tests of this process change the shared one.
    #[test]
    fn a_failure_is_remembered_for_good() {
        let pending = Pending::new();
        assert!(!pending.of_failures());
        pending.wait_begins();
        assert!(pending.of_failures());
        pending.wait_ends();
        assert_eq!(pending.word(), 0);
        for _ in 0..1000 {
            pending.failed();
        }
        assert_eq!(pending.word(), FAILED);
        pending.parked();
        pending.unparked(1);
        pending.wait_begins();
        pending.wait_ends();
        assert_eq!(pending.word(), FAILED);
    }

    /// A stream with a communicator is asked, and its successful waits prove as much as before.
    #[test]
    fn a_watched_object_is_no_failure() {
        let pending = Pending::new();
        pending.watched();
        pending.watched();
        assert_ne!(pending.word(), 0);
        assert!(!pending.of_failures());
        pending.unwatched(1);
        assert_ne!(pending.word(), 0);
        pending.parked();
        pending.opened();
        pending.unwatched(1);
        pending.unwatched(0);
        assert!(!pending.of_failures());
        pending.closed(1);
        assert!(pending.word() != 0 && !pending.of_failures());
        pending.recorded();
        pending.unparked(1);
        assert!(pending.word() != 0 && !pending.of_failures());
        pending.unrecorded(1);
        assert_eq!(pending.word(), 0);
    }
}
