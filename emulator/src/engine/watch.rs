//! The moment when a task runs: what the checker and the timeline learn from it, and whether it is told to
//! fail.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::check;
use crate::config::{Check, EmulatorConfig, fault};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, Hands, Task};
use crate::observe::{strike, trace};

/// Whether anybody wants to know, or to disturb: checker, timeline or faults.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Learns from the configuration whether tasks are watched.
pub(crate) fn start(config: &EmulatorConfig) {
    let disturbed = config.faults.iter().any(fault::Fault::is_in_task);
    let watched = config.check != Check::Off || config.trace.is_some() || disturbed;
    WATCHED.store(watched, Ordering::Relaxed);
}

/// Runs a task as the stream's `number`th.
#[inline]
pub(crate) fn execute(
    task: &mut Task,
    stream: &'static Stream,
    number: u64,
    hands: &mut Hands,
) -> Result<(), Fault> {
    if WATCHED.load(Ordering::Relaxed) {
        return execute_watched(task, stream, number, hands);
    }
    task.execute(stream, number, hands)
}

#[cold]
fn execute_watched(
    task: &mut Task,
    stream: &'static Stream,
    number: u64,
    hands: &mut Hands,
) -> Result<(), Fault> {
    if matches!(task, Task::HostFunction(_)) {
        // The program runs on: whatever it tells its threads there, they know it.
        check::note(|checker| checker.synchronised(stream.slot(), number - 1));
    }
    let result = match trace::begin() {
        None => run(task, stream, number, hands),
        Some(start) => {
            let (name, after) = (task.call(), awaited(task));
            let result = run(task, stream, number, hands);
            let after = after.map(|(stream, number)| (stream.track(), number));
            trace::task(name, stream.track(), number, start, result.is_err(), after);
            result
        }
    };
    if result.is_err() {
        check::note(|checker| checker.task_failed(stream.slot(), number));
    }
    result
}

/// Runs it, unless it was told to fail.
fn run(
    task: &mut Task,
    stream: &'static Stream,
    number: u64,
    hands: &mut Hands,
) -> Result<(), Fault> {
    if let Some(code) = strike::task(task.call()) {
        task.abandon();
        return Err(Fault(code));
    }
    task.execute(stream, number, hands)
}

/// The record that a task waits for: its stream and number.
fn awaited(task: &Task) -> Option<(&'static Stream, u64)> {
    match task {
        Task::Wait { until, .. } => Some(*until),
        Task::WaitFlag { on } => on
            .event
            .latest()
            .map(|record| (record.stream, record.number)),
        Task::After(points) => points.last().copied(),
        Task::Other(work) => work.awaited(),
        _ => None,
    }
}
