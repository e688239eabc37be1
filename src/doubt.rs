//! The doubt word: one atomic word that makes a successful wait check further state.
//!
//! The wait for a stream costs as much as in C, because it reads only this word. The word is zero in a process in
//! which no wait has failed, no wait for a whole device is running, and no memory is parked for a stream.

use crate::sync::{AtomicU32, AtomicUsize, Ordering, shared};

/// A wait has failed, or a host function has panicked. The bit is never cleared.
const FAILED: u32 = 1 << 31;
/// Memory is parked for a stream.
const PARKED: u32 = 1 << 30;

shared! {
    /// The two bits, and below them the number of running waits for whole devices.
    static WORD: AtomicU32 = AtomicU32::new(0);
    /// The number of allocations that are parked for streams.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

/// Returns the word. It is not zero when a successful wait needs more checks.
#[inline(always)]
pub(crate) fn word() -> u32 {
    // A wait that takes the report of a failed task away from a stream changes this word before that. The order of
    // the runtime makes the change visible after the wait of the stream.
    WORD.load(Ordering::SeqCst)
}

/// Whether a successful wait may have missed the report of a failed task.
pub(crate) fn of_failures() -> bool {
    word() & !PARKED != 0
}

/// Enters that a wait has failed or a host function has panicked. From now on every wait checks the ledger.
pub(crate) fn failed() {
    WORD.fetch_or(FAILED, Ordering::SeqCst);
}

/// Enters that a wait for a whole device begins. It may take a report away from a stream.
pub(crate) fn wait_begins() {
    WORD.fetch_add(1, Ordering::SeqCst);
}

/// Enters that a wait for a whole device has ended. Its outcome is in the ledger.
pub(crate) fn wait_ends() {
    WORD.fetch_sub(1, Ordering::SeqCst);
}

/// Enters that an allocation was parked for a stream.
pub(crate) fn parked() {
    COUNT.fetch_add(1, Ordering::SeqCst);
    WORD.fetch_or(PARKED, Ordering::SeqCst);
}

/// Enters that `count` allocations are not parked for a stream any more.
pub(crate) fn unparked(count: usize) {
    if count == 0 || COUNT.fetch_sub(count, Ordering::SeqCst) > count {
        return;
    }
    WORD.fetch_and(!PARKED, Ordering::SeqCst);
    // Another thread may have parked memory meanwhile, and set the bit before it was cleared here.
    if COUNT.load(Ordering::SeqCst) > 0 {
        WORD.fetch_or(PARKED, Ordering::SeqCst);
    }
}

#[cfg(all(test, not(loom_typed)))]
mod tests {
    use super::{FAILED, failed, of_failures, parked, unparked, wait_begins, wait_ends, word};

    /// Any number of failed waits sets one bit. A counter could wrap to zero.
    #[test]
    fn a_failure_is_remembered_for_good() {
        assert!(!of_failures());
        wait_begins();
        assert!(of_failures());
        wait_ends();
        assert_eq!(word(), 0);
        for _ in 0..1000 {
            failed();
        }
        assert_eq!(word(), FAILED);
        parked();
        unparked(1);
        wait_begins();
        wait_ends();
        assert_eq!(word(), FAILED);
    }
}
