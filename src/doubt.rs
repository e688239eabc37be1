//! One word that tells the waits of streams whether there is anything to look at behind a success.
//!
//! A wait of a stream is as cheap as C's because it looks at this word alone. It is zero in a process in which
//! no wait has failed, no wait for a whole device is under way, and no memory is parked for a stream.

use crate::sync::{AtomicU32, AtomicUsize, Ordering, shared};

/// A wait has failed, or a host function has panicked. The bit is never cleared.
const FAILED: u32 = 1 << 31;
/// Memory is parked for a stream.
const PARKED: u32 = 1 << 30;

shared! {
    /// The two bits, and below them how many waits for whole devices are under way.
    static WORD: AtomicU32 = AtomicU32::new(0);
    /// How many allocations are parked for streams.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

/// More than zero when a wait that succeeded needs a second look.
#[inline(always)]
pub(crate) fn word() -> u32 {
    // Who took the report of a failed task away from a stream had entered its doubt before, and the
    // runtime's own order makes that visible behind the stream's wait.
    WORD.load(Ordering::SeqCst)
}

/// Whether a wait that succeeded may have missed the report of a failed task.
pub(crate) fn of_failures() -> bool {
    word() & !PARKED != 0
}

/// A wait has failed, or a host function has panicked: from now on every wait looks.
pub(crate) fn failed() {
    WORD.fetch_or(FAILED, Ordering::SeqCst);
}

/// A wait for a whole device begins, which may take a report away from a stream.
pub(crate) fn wait_begins() {
    WORD.fetch_add(1, Ordering::SeqCst);
}

/// Its outcome is entered.
pub(crate) fn wait_ends() {
    WORD.fetch_sub(1, Ordering::SeqCst);
}

/// An allocation was parked for a stream.
pub(crate) fn parked() {
    COUNT.fetch_add(1, Ordering::SeqCst);
    WORD.fetch_or(PARKED, Ordering::SeqCst);
}

/// So many allocations are not parked for a stream any more.
pub(crate) fn unparked(count: usize) {
    if count == 0 || COUNT.fetch_sub(count, Ordering::SeqCst) > count {
        return;
    }
    WORD.fetch_and(!PARKED, Ordering::SeqCst);
    // What was parked meanwhile may have set the bit before it was cleared.
    if COUNT.load(Ordering::SeqCst) > 0 {
        WORD.fetch_or(PARKED, Ordering::SeqCst);
    }
}

#[cfg(all(test, not(loom_typed)))]
mod tests {
    use super::{FAILED, failed, of_failures, parked, unparked, wait_begins, wait_ends, word};

    /// However many waits fail, it is one bit: a count could come back to zero.
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
