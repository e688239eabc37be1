//! The role of the thread that looks for queued work.

use super::primitive::{AtomicBool, Ordering, fence_of_loom};

/// The role of the one thread that looks for queued work, held or vacant.
///
/// A thread that appends to a [`Ring`](super::Ring) checks afterwards whether the role is held. A thread that leaves
/// the role checks the rings once more afterwards. So no work is missed: appending, checking the role, leaving the
/// role and checking the rings are sequentially consistent, and either the append or the leave comes first.
#[derive(Debug, Default)]
pub(crate) struct Post {
    held: AtomicBool,
}

impl Post {
    /// Takes the role. Returns false if it is held, which is the cheap case.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        fence_of_loom();
        !self.held.load(Ordering::SeqCst) && !self.held.swap(true, Ordering::SeqCst)
    }

    /// Leaves the role. The caller has to check the rings once more.
    pub(crate) fn leave(&self) {
        self.held.store(false, Ordering::SeqCst);
        fence_of_loom();
    }
}
