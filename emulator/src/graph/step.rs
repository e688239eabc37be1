//! The parts of a submitted task that a graph keeps.

use std::sync::Arc;

use super::choice::Choice;
use super::group::Operator;
use super::label::Switch;
use crate::check::Usage;
use crate::engine::task::{Task, Waited};
use crate::engine::work::Work;

/// A submitted task.
#[derive(Debug)]
pub(super) struct Step {
    /// The stream of the graph that it belongs to.
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
    /// Runs an operator of a task group.
    Operator(Arc<Operator>),
    /// Runs a branch of the graph, or none, as a condition says.
    Condition(Arc<Choice>),
    /// An event was recorded: what comes before it is what a wait waits for.
    Mark,
    /// Waits for a mark, by its place among the steps.
    After(usize),
    /// Starts another stream of the graph.
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

    /// Its task for one more run; `None` for what is about order alone.
    pub(super) fn task(&self) -> Option<Task> {
        match &self.what {
            What::Task(task) => Some(task.again()),
            What::Operator(operator) => Some(Task::Other(operator.again())),
            What::Condition(choice) => Some(Task::Other(choice.again())),
            What::Mark | What::After(_) | What::Start(_) | What::Label(_) | What::Switch(_) => None,
        }
    }

    /// Whether it runs an operator.
    pub(super) fn is_operator(&self) -> bool {
        matches!(self.what, What::Task(Task::Kernel(_)) | What::Operator(_))
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
            Task::Record(event) => {
                event.refer();
                Task::Record(event)
            }
            Task::Reset(event) => {
                event.refer();
                Task::Reset(event)
            }
            Task::Wait { on, until } => Task::Wait {
                on: on.again(),
                until: *until,
            },
            Task::WaitFlag { on } => Task::WaitFlag { on: on.again() },
            Task::HostFunction(call) => Task::HostFunction(*call),
            Task::Nothing => Task::Nothing,
            Task::Mark => Task::Mark,
            Task::After(points) => Task::After(points.clone()),
            Task::Other(work) => Task::Other(work.again()),
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
