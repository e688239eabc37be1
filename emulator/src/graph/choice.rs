//! Conditional tasks: the choice of the branch, and its execution.
//!
//! A branch runs inside of the conditional task: one task after the other, in the order in which they were captured.
//! So the streams of a branch need no queues of their own: the events of a branch always allow the order of
//! submission.

use std::sync::Arc;
use std::thread;

use super::condition::Condition;
use super::step::{Step, What};
use super::{Graph, Inner};
use crate::check::{self, Usage};
use crate::engine::queue::Stream;
use crate::engine::task::{Fault, Hands, Task, fault};
use crate::engine::watch;
use crate::engine::work::Work;
use crate::results::list_of;

/// The kind of a conditional task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionalKind {
    /// Runs the first branch, or the second one if the value is 0.
    If,
    /// Runs the branch as long as the value is not 0.
    While,
    /// Runs the branch with the number of the value.
    Switch,
}

/// A conditional task.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) condition: Arc<Condition>,
    pub(super) kind: ConditionalKind,
    pub(super) branches: Vec<Arc<Graph>>,
}

impl Choice {
    /// Runs the branches that the condition selects, as part of the stream's `number`th task.
    fn choose(&self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        match self.kind {
            ConditionalKind::If => {
                let other = self.value()? == 0;
                self.run_branch(usize::from(other), stream, number)
            }
            ConditionalKind::Switch => {
                let chosen = usize::try_from(self.value()?).unwrap_or(usize::MAX);
                self.run_branch(chosen, stream, number)
            }
            ConditionalKind::While => {
                while !stream.is_given_up(number) && self.value()? != 0 {
                    // A failed round may not have changed the value, and then the loop would never end. So a failure
                    // ends the loop.
                    self.run_branch(0, stream, number)?;
                    thread::yield_now();
                }
                Ok(())
            }
        }
    }

    fn value(&self) -> Result<u64, Fault> {
        let value = self.condition.value();
        value.map_err(|gone| fault("aclmdlRIAddCondTask", gone))
    }

    /// Runs all tasks of a branch if the branch exists. Returns the first failure.
    fn run_branch(&self, branch: usize, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        let Some(branch) = self.branches.get(branch) else {
            return Ok(());
        };
        // The tasks are copied, because they may run for long and must not run under a lock.
        let tasks: Vec<Task> = list_of(branch.lock().tasks());
        let mut hands = Hands::default();
        let mut outcome = Ok(());
        for mut task in tasks {
            if stream.is_given_up(number) {
                task.abandon();
                continue;
            }
            outcome = outcome.and(watch::execute(&mut task, stream, number, &mut hands));
        }
        outcome
    }

    /// Adds the memory uses of its branches, and of branches inside of them.
    pub(super) fn usages(&self, all: &mut Vec<Usage>) {
        for branch in &self.branches {
            let inner = branch.lock();
            all.extend(inner.steps.iter().filter_map(|step| step.usage.clone()));
            for choice in inner.choices() {
                choice.usages(all);
            }
        }
    }
}

impl Work for Arc<Choice> {
    fn call(&self) -> &'static str {
        "aclmdlRIAddCondTask"
    }

    fn run(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        self.choose(stream, number)
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(Arc::clone(self))
    }

    fn repeated(&self, stream: &'static Stream, number: u64) {
        if !check::is_on() {
            return;
        }
        let mut usages = Vec::new();
        self.usages(&mut usages);
        check::note(&|checker| {
            for usage in &usages {
                checker.may_repeat(stream.slot(), number, usage);
            }
        });
    }
}

impl Step {
    /// Returns the conditional task of the step, if it is one.
    pub(super) fn choice(&self) -> Option<&Choice> {
        match &self.what {
            What::Condition(choice) => Some(choice),
            _ => None,
        }
    }
}

/// Lock order: a thread that holds a graph's lock may take the locks of its branches, but not the reverse.
impl Inner {
    fn tasks(&self) -> impl Iterator<Item = Task> {
        self.steps.iter().filter_map(Step::task)
    }

    /// Returns the conditional tasks of the graph.
    pub(super) fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.steps.iter().filter_map(Step::choice)
    }

    /// Adds the conditions of the graph and of its branches to `all`.
    pub(super) fn all_conditions(&self, all: &mut Vec<Arc<Condition>>) {
        all.extend(self.conditions.iter().cloned());
        for branch in self.choices().flat_map(|choice| &choice.branches) {
            branch.lock().all_conditions(all);
        }
    }
}
