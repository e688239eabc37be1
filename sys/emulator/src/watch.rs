//! The moment when a task runs: what the checker and the timeline learn from it, and whether it is told to
//! fail.

use crate::check;
use crate::queue::Stream;
use crate::strike;
use crate::task::{Fault, Task};
use crate::trace;

/// Runs a task as the stream's `number`th.
#[inline]
pub(crate) fn execute(task: &mut Task, stream: &'static Stream, number: u64) -> Result<(), Fault> {
    if matches!(task, Task::HostFunction(_)) {
        // The program runs on: whatever it tells its threads there, they know it.
        check::note(|checker| checker.synchronised(stream, number - 1));
    }
    let result = match trace::begin() {
        None => run(task, stream, number),
        Some(start) => {
            let (name, after) = (task.call(), awaited(task));
            let result = run(task, stream, number);
            trace::task(name, stream, number, start, result.is_err(), after);
            result
        }
    };
    if result.is_err() {
        check::note(|checker| checker.task_failed(stream, number));
    }
    result
}

/// Runs it, unless it was told to fail.
#[inline]
fn run(task: &mut Task, stream: &'static Stream, number: u64) -> Result<(), Fault> {
    if let Some(code) = strike::task(task.call()) {
        task.abandon();
        return Err(Fault(code));
    }
    task.execute(stream, number)
}

/// The record that a task waits for: its stream and number.
fn awaited(task: &Task) -> Option<(&'static Stream, u64)> {
    match task {
        Task::Wait { until, .. } => Some(*until),
        Task::WaitFlag { on } => on
            .event
            .latest()
            .map(|record| (record.stream, record.number)),
        _ => None,
    }
}
