//! Whether a call has to look twice.
//!
//! What is rare (a stopped context, a capture) must not cost the usual call anything, so all of it is
//! told by one word, which stays in every core's cache.

use std::sync::atomic::{AtomicU32, Ordering};

/// Why a call may not go its usual way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A failed task has stopped a context.
    Stopped = 1,
    /// Tasks of some stream go to a model instance.
    Kept = 2,
}

static REASONS: AtomicU32 = AtomicU32::new(0);

/// Whether there is any reason.
#[inline(always)]
pub(crate) fn is_any() -> bool {
    REASONS.load(Ordering::Relaxed) != 0
}

/// Whether there is this one.
#[inline(always)]
pub(crate) fn is(reason: Reason) -> bool {
    REASONS.load(Ordering::Relaxed) & reason as u32 != 0
}

/// Says that there is this reason, or that there is no longer.
pub(crate) fn set(reason: Reason, there: bool) {
    let bit = reason as u32;
    if there {
        REASONS.fetch_or(bit, Ordering::Relaxed);
    } else {
        REASONS.fetch_and(!bit, Ordering::Relaxed);
    }
}
