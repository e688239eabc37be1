//! The check whether a call must leave the fast path.
//!
//! Rare cases (a stopped context, a capture) must not slow down the usual call. So one word represents all of them,
//! and it stays in the cache of every core.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::aclError;

use crate::check::Usage;
use crate::engine::submit::Target;
use crate::engine::task::Task;

/// A reason for the slow path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A failed task has stopped a context.
    Stopped = 1,
    /// Tasks of some stream go to a graph.
    Kept = 2,
    /// An abort has failed half-way.
    Aborted = 4,
    /// An abort has dropped a record, so that a record may end a wait for an earlier one.
    Dropped = 8,
}

static REASONS: AtomicU32 = AtomicU32::new(0);

/// Returns whether there is any reason for the slow path.
#[inline(always)]
pub(crate) fn is_any() -> bool {
    REASONS.load(Ordering::Relaxed) != 0
}

/// Returns whether there is this reason for the slow path.
#[inline(always)]
pub(crate) fn is(reason: Reason) -> bool {
    REASONS.load(Ordering::Relaxed) & reason as u32 != 0
}

/// Sets or clears a reason for the slow path.
pub(crate) fn set(reason: Reason, there: bool) {
    let bit = reason as u32;
    if there {
        REASONS.fetch_or(bit, Ordering::Relaxed);
    } else {
        REASONS.fetch_and(!bit, Ordering::Relaxed);
    }
}

/// The receiver of the tasks of a graph, while there is [`Reason::Kept`].
pub(crate) trait Recorder: Sync {
    /// Returns the destination of a task that is submitted to a stream.
    fn way(&self, stream: Target) -> Way;

    /// Stores a task that was submitted to a stream. If the task is refused, the submitter releases its event.
    fn keep(
        &self,
        call: &str,
        stream: Target,
        task: Task,
        large: bool,
        usage: Option<Usage>,
    ) -> aclError;
}

/// The destination of a submitted task.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// The queue of the stream.
    Queue,
    /// The [`Recorder`].
    Keep,
}

static RECORDER: OnceLock<&'static dyn Recorder> = OnceLock::new();

/// Sets whether tasks of some stream go to a graph, and the recorder that receives them.
pub(crate) fn keep(there: bool, recorder: &'static dyn Recorder) {
    let _ = RECORDER.set(recorder);
    set(Reason::Kept, there);
}

/// Returns the recorder, if the tasks of some stream have ever gone to a graph.
pub(crate) fn recorder() -> Option<&'static dyn Recorder> {
    RECORDER.get().copied()
}
