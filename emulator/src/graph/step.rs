//! Steps: the submitted tasks that a graph stores.

use std::sync::Arc;

use super::choice::Choice;
use super::group::Operator;
use super::label::Switch;
use crate::check::{self, Usage};
use crate::engine::task::{Task, Waited};
use crate::engine::work::Work;
use crate::observe::violation::What as Crash;

/// A submitted task.
#[derive(Debug)]
pub(super) struct Step {
    /// The lane of the graph that it belongs to.
    pub(super) lane: usize,
    pub(super) what: What,
    /// Whether a run wakes a worker for it.
    pub(super) large: bool,
    /// The memory uses of the task, for the checker.
    pub(super) usage: Option<Usage>,
}

/// The action of a step.
#[derive(Debug)]
pub(super) enum What {
    /// Queues this task.
    Task(Task),
    /// Runs an operator of a task group.
    Operator(Arc<Operator>),
    /// Runs the branch of the graph that a condition selects, or none.
    Condition(Arc<Choice>),
    /// The record of an event: a wait for it waits for all earlier tasks of the stream.
    Mark,
    /// Waits for a mark, by its index in the steps.
    After(usize),
    /// Starts another stream of the graph.
    Start(usize),
    /// A label, by its handle.
    Label(usize),
    /// Jumps to a label.
    Switch(Switch),
}

impl Step {
    /// Makes a step without memory uses for the checker.
    pub(super) fn new(lane: usize, what: What) -> Step {
        Step {
            lane,
            what,
            large: false,
            usage: None,
        }
    }

    /// Returns the task of the step for one more run; `None` for steps that only define the order.
    pub(super) fn task(&self) -> Option<Task> {
        match &self.what {
            What::Task(task) => Some(task.again()),
            What::Operator(operator) => Some(Task::Other(operator.again())),
            What::Condition(choice) => Some(Task::Other(choice.again())),
            What::Mark | What::After(_) | What::Start(_) | What::Label(_) | What::Switch(_) => None,
        }
    }

    /// Reports a copy or a fill that was refused because it is in a task group, where the runtime crashes.
    pub(super) fn crashes_in_group(&self) {
        use Task::{Copy, CopyBuffer, CopyRows, Fill, FillWords};
        if let What::Task(
            task @ (Copy { .. } | CopyBuffer { .. } | CopyRows(_) | Fill { .. } | FillWords { .. }),
        ) = &self.what
        {
            let why = "copies or fills in a task group";
            check::violated(
                task.call(),
                Crash::RuntimeCrash,
                format_args!("{} {why}", task.call()),
            );
        }
    }

    /// Returns whether the step runs an operator.
    pub(super) fn is_operator(&self) -> bool {
        matches!(self.what, What::Task(Task::Kernel(_)) | What::Operator(_))
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let What::Task(task) = &mut self.what {
            // A task is counted by the events that it refers to, and removes itself there.
            task.abandon();
        }
    }
}

impl Task {
    /// Returns whether the task refers to an event, which counts it.
    pub(super) fn refers_to_event(&self) -> bool {
        matches!(
            self,
            Task::Record(_) | Task::Reset(_) | Task::Wait { .. } | Task::WaitFlag { .. }
        )
    }

    /// Returns a copy of the task for one more run. The events that it refers to count the copy separately.
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
    /// Returns a copy of the wait. Its event counts it separately.
    pub(super) fn again(&self) -> Waited {
        self.event.refer_to_wait();
        Waited {
            since: None,
            ..*self
        }
    }
}
