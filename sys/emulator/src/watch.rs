//! The moment when a task runs: what the checker learns from it.

use crate::check;
use crate::queue::Stream;
use crate::task::{Fault, Task};

/// Runs a task as the stream's `number`th.
#[inline]
pub(crate) fn execute(task: &mut Task, stream: &'static Stream, number: u64) -> Result<(), Fault> {
    if matches!(task, Task::HostFunction(_)) {
        // The program runs on: whatever it tells its threads there, they know it.
        check::note(|checker| checker.synchronised(stream, number - 1));
    }
    let result = task.execute(stream, number);
    if result.is_err() {
        check::note(|checker| checker.task_failed(stream, number));
    }
    result
}
