//! The post of the thread that looks for work.

use super::primitive::{AtomicBool, Ordering, fence_of_loom};

/// The post of the one thread that looks for queued work, held or vacant.
///
/// Whoever appends to a [`Ring`](super::Ring) asks afterwards whether the post is held; whoever leaves
/// the post looks once more at the rings afterwards. So no work stays unseen: appending, asking,
/// leaving and looking are sequentially consistent, and of the appending and the leaving one comes
/// first.
#[derive(Debug, Default)]
pub(crate) struct Post {
    held: AtomicBool,
}

impl Post {
    /// Takes the post; false when it is held. Cheap while it is.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        fence_of_loom();
        !self.held.load(Ordering::SeqCst) && !self.held.swap(true, Ordering::SeqCst)
    }

    /// Leaves the post. The caller looks at the rings once more.
    pub(crate) fn leave(&self) {
        self.held.store(false, Ordering::SeqCst);
        fence_of_loom();
    }
}
