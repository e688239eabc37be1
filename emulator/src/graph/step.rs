//! The parts of a submitted task that an instance keeps.

use std::sync::Arc;

use super::label::Switch;
use crate::check::Usage;
use crate::engine::task::{Task, Waited};

/// A submitted task.
#[derive(Debug)]
pub(super) struct Step {
    /// The stream of the instance that it belongs to.
    pub(super) lane: usize,
    pub(super) what: What,
    /// Whether a run calls a worker for it.
    pub(super) large: bool,
    /// What the checker is to know.
    pub(super) usage: Option<Usage>,
}

/// What a step does.
#[derive(Debug)]
pub(super) enum What {
    /// This task is queued once more.
    Task(Task),
    /// An event was recorded: what comes before it is what a wait waits for.
    Mark,
    /// Waits for a mark, by its place among the steps.
    After(usize),
    /// Starts another stream of the instance.
    Start(usize),
    /// A place to jump to, by its handle.
    Label(usize),
    /// Jumps to such a place.
    Switch(Switch),
}

impl Step {
    /// A step that is about order alone.
    pub(super) fn new(lane: usize, what: What) -> Step {
        Step {
            lane,
            what,
            large: false,
            usage: None,
        }
    }

    /// Whether it runs an operator.
    pub(super) fn is_operator(&self) -> bool {
        matches!(self.what, What::Task(Task::Kernel(_) | Task::Operator(_)))
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let What::Task(task) = &mut self.what {
            // A task counts at the events that it refers to.
            task.abandon();
        }
    }
}

impl Task {
    /// Whether it counts at an event.
    pub(super) fn refers_to_event(&self) -> bool {
        matches!(
            self,
            Task::Record(_) | Task::Reset(_) | Task::Wait { .. } | Task::WaitFlag { .. }
        )
    }

    /// The same task for one more run. It counts for itself at the events that it refers to.
    pub(super) fn again(&self) -> Task {
        match self {
            Task::Copy { to, from, count } => Task::Copy {
                to: *to,
                from: *from,
                count: *count,
            },
            Task::CopyBuffer { to, from } => Task::CopyBuffer {
                to: *to,
                from: from.clone(),
            },
            Task::CopyRows(rows) => Task::CopyRows(rows.clone()),
            Task::Fill { to, value, count } => Task::Fill {
                to: *to,
                value: *value,
                count: *count,
            },
            Task::FillWords { to, value, count } => Task::FillWords {
                to: *to,
                value: *value,
                count: *count,
            },
            Task::Kernel(kernel) => Task::Kernel(kernel.clone()),
            Task::Operator(operator) => Task::Operator(Arc::clone(operator)),
            Task::Update(update) => Task::Update(update.clone()),
            Task::Record(event) => {
                event.refer();
                Task::Record(event)
            }
            Task::Reset(event) => {
                event.refer();
                Task::Reset(event)
            }
            Task::ValueWrite(value) => Task::ValueWrite(value.clone()),
            Task::ValueWait(value) => Task::ValueWait(value.clone()),
            Task::Wait { on, until } => Task::Wait {
                on: on.again(),
                until: *until,
            },
            Task::WaitFlag { on } => Task::WaitFlag { on: on.again() },
            Task::HostFunction(call) => Task::HostFunction(*call),
            Task::Callback {
                call, blocks, kind, ..
            } => Task::Callback {
                call: *call,
                blocks: *blocks,
                handed: false,
                kind: *kind,
            },
            Task::Nothing => Task::Nothing,
            Task::Mark => Task::Mark,
            Task::After(points) => Task::After(points.clone()),
            Task::Jump(jump) => Task::Jump(jump.clone()),
            Task::Model(run) => Task::Model(Arc::clone(run)),
            Task::Condition(choice) => Task::Condition(Arc::clone(choice)),
            Task::Defaults(conditions) => Task::Defaults(conditions.clone()),
        }
    }
}

impl Waited {
    /// The same wait once more.
    pub(super) fn again(&self) -> Waited {
        self.event.refer_to_wait();
        Waited {
            since: None,
            ..*self
        }
    }
}
