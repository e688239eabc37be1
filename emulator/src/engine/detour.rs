//! Whether a call has to look twice.
//!
//! What is rare (a stopped context, a capture) must not cost the usual call anything, so all of it is
//! told by one word, which stays in every core's cache.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::aclError;

use crate::check::Usage;
use crate::engine::submit::Target;
use crate::engine::task::Task;

/// Why a call may not go its usual way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A failed task has stopped a context.
    Stopped = 1,
    /// Tasks of some stream go to a graph.
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

/// Whoever keeps the tasks of streams, for as long as there is [`Reason::Kept`].
pub(crate) trait Keeper: Sync {
    /// Where a task goes that is submitted to a stream.
    fn way(&self, call: &str, stream: Target) -> Way;

    /// Keeps a task that was submitted to a stream. Where it is refused, the submitter leaves the event that it
    /// refers to.
    fn keep(
        &self,
        call: &str,
        stream: Target,
        task: Task,
        large: bool,
        usage: Option<Usage>,
    ) -> aclError;
}

/// Where a submitted task goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// Into the stream's queue.
    Queue,
    /// To the [`Keeper`].
    Keep,
    /// Nowhere, for this code.
    Refuse(aclError),
}

static KEEPER: OnceLock<&'static dyn Keeper> = OnceLock::new();

/// Says whether tasks of some stream are kept, and by whom.
pub(crate) fn keep(there: bool, keeper: &'static dyn Keeper) {
    let _ = KEEPER.set(keeper);
    set(Reason::Kept, there);
}

/// Whoever keeps tasks, once there was a stream whose tasks are kept.
pub(super) fn keeper() -> Option<&'static dyn Keeper> {
    KEEPER.get().copied()
}
