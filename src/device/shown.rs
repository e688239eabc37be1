//! What waits have shown of single tasks: that they have succeeded, or that no wait will ever show it.
//!
//! The contents of a picture know the tasks behind them until a wait has shown that those have succeeded. So a stream with
//! such tasks notes what its waits show. The word of pending checks leads there, so other programs do not pay for it.

use std::sync::{Arc, Weak};

use crate::park::StreamKey;
use crate::pending;
use crate::sync::{AtomicU8, Mutex, Ordering, lock};

/// A wait has shown that the task has succeeded.
const SUCCEEDED: u8 = 1;
/// The task is over, and its stream is poisoned.
const IN_VAIN: u8 = 2;

/// What is shown of a task.
#[derive(Debug, Default)]
pub(crate) struct Shown(AtomicU8);

impl Shown {
    /// Notes that the task has succeeded. The caller has a proof of it.
    pub(crate) fn succeeded(&self) {
        self.0.fetch_or(SUCCEEDED, Ordering::Release);
    }

    /// Whether a wait has shown that the task has succeeded.
    pub(crate) fn has_succeeded(&self) -> bool {
        self.0.load(Ordering::Acquire) & SUCCEEDED != 0
    }

    /// Whether the task is over, and no wait will ever show that it has succeeded.
    pub(crate) fn is_in_vain(&self) -> bool {
        self.0.load(Ordering::Acquire) & IN_VAIN != 0
    }
}

/// The tasks that wait for a proof, each with its stream.
#[derive(Debug)]
pub(crate) struct Open(Mutex<List>);

#[derive(Debug)]
struct List {
    tasks: Vec<(StreamKey, Weak<Shown>)>,
    /// The number of tasks with which those that are gone are removed again.
    limit: usize,
}

impl Open {
    pub(super) fn new() -> Open {
        let tasks = Vec::new();
        Open(Mutex::new(List { tasks, limit: 8 }))
    }

    /// Enters a task that is about to be queued on the stream.
    pub(crate) fn enter(&self, stream: StreamKey, task: &Arc<Shown>) {
        let mut list = lock(&self.0);
        if list.tasks.len() >= list.limit {
            list.remove(|(_, task)| task.strong_count() == 0);
            list.limit = (2 * list.tasks.len()).max(8);
        }
        list.tasks.push((stream, Arc::downgrade(task)));
        pending::opened();
    }

    /// Notes that all tasks of the stream have succeeded, if `is_proven`, or that they are over in vain.
    #[cold]
    pub(crate) fn close(&self, stream: StreamKey, is_proven: bool) {
        let shown = if is_proven { SUCCEEDED } else { IN_VAIN };
        lock(&self.0).remove(|(other, task)| {
            if *other != stream {
                return false;
            }
            if let Some(task) = task.upgrade() {
                task.0.fetch_or(shown, Ordering::Release);
            }
            true
        });
    }
}

impl List {
    fn remove(&mut self, mut is_gone: impl FnMut(&(StreamKey, Weak<Shown>)) -> bool) {
        let before = self.tasks.len();
        self.tasks.retain(|task| !is_gone(task));
        pending::closed(before - self.tasks.len());
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.0).remove(|_| true);
    }
}
