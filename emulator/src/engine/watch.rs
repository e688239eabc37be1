//! The observation of tasks that run, for the checker and the timeline, and the injection of faults into them.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::check;
use crate::config::fault::Effect;
use crate::config::{Check, EmulatorConfig, fault};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, Hands, Task};
use crate::observe::inject;
use crate::observe::trace::{self, Ended};

/// Whether tasks are observed: the checker, a timeline or a fault for tasks is on.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether there is an injected fault that makes streams stand still.
static STANDS: AtomicBool = AtomicBool::new(false);

/// Returns whether an injected fault may make a stream stand still.
#[inline(always)]
pub(crate) fn may_stand() -> bool {
    STANDS.load(Ordering::Relaxed)
}

/// Reads from the configuration whether tasks are observed, and whether streams may stand still.
pub(crate) fn start(config: &EmulatorConfig) {
    for fault in &config.faults {
        if !matches!(fault.effect(), Effect::Call | Effect::Task) {
            STANDS.store(true, Ordering::Relaxed);
        }
    }
    WATCHED.store(is_asked_for(config), Ordering::Relaxed);
}

/// Observes tasks while the profiler runs, and afterwards only if the configuration asks for it.
pub(crate) fn profile(config: &EmulatorConfig, runs: bool) {
    WATCHED.store(runs || is_asked_for(config), Ordering::Relaxed);
}

fn is_asked_for(config: &EmulatorConfig) -> bool {
    let disturbed = config.faults.iter().any(fault::Fault::is_in_task);
    config.check != Check::Off || config.trace.is_some() || disturbed
}

/// Runs a task as the `number`th of the stream.
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
        // The function runs in the program and may inform other threads, so the host knows that the earlier tasks are
        // over.
        check::note(&|checker| checker.synchronised(stream.slot(), number - 1));
    }
    let result = match trace::begin() {
        None => run(task, stream, number, hands),
        Some(start) => {
            let (name, after) = (task.call(), awaited(task));
            let result = run(task, stream, number, hands);
            let ended = Ended {
                name,
                stream: stream.track(),
                number,
                failed: result.is_err(),
                after: after.map(|(stream, number)| (stream.track(), number)),
            };
            trace::task(ended, start);
            result
        }
    };
    if result.is_err() {
        check::note(&|checker| checker.task_failed(stream.slot(), number));
    }
    result
}

/// Runs the task, unless an injected fault makes it fail.
fn run(
    task: &mut Task,
    stream: &'static Stream,
    number: u64,
    hands: &mut Hands,
) -> Result<(), Fault> {
    if let Some(code) = inject::task(task.call()) {
        stream.inject(number);
        task.abandon();
        return Err(Fault(code));
    }
    task.execute(stream, number, hands)
}

/// Returns the record that a task waits for: its stream and number.
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
