//! Conditional tasks: which branch runs, and how.
//!
//! A branch runs in the place of the task that chooses it: one task after the other, in the order in which
//! they were captured. Streams of a branch need no queues of their own for that, because the order of
//! submission is one of those that its events allow.

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

/// How a conditional task depends on its condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The first branch runs, or the second one where the value is 0.
    If,
    /// The branch runs as long as the value is not 0.
    While,
    /// The branch runs whose number the value is.
    Switch,
}

/// A conditional task.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) condition: Arc<Condition>,
    pub(super) kind: Kind,
    pub(super) branches: Vec<Arc<Graph>>,
}

impl Choice {
    /// Runs what the condition asks for, as part of the stream's `number`th task.
    fn choose(&self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        match self.kind {
            Kind::If => {
                let other = self.value()? == 0;
                self.run_branch(usize::from(other), stream, number)
            }
            Kind::Switch => {
                let chosen = usize::try_from(self.value()?).unwrap_or(usize::MAX);
                self.run_branch(chosen, stream, number)
            }
            Kind::While => {
                while !stream.is_given_up(number) && self.value()? != 0 {
                    // A round that failed may not have changed the value, and nobody would ever change it.
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

    /// Runs all tasks of a branch, if there is one of this number; the first failure is told.
    fn run_branch(&self, branch: usize, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        let Some(branch) = self.branches.get(branch) else {
            return Ok(());
        };
        // Copies: tasks take their time, and must not run under a lock.
        let tasks: Vec<Task> = branch.lock().tasks().collect();
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

    /// What its branches, and those inside of them, may do with memory.
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
        check::note(|checker| {
            for usage in &usages {
                checker.may_repeat(stream.slot(), number, usage);
            }
        });
    }
}

impl Step {
    /// The conditional task that it is.
    pub(super) fn choice(&self) -> Option<&Choice> {
        match &self.what {
            What::Condition(choice) => Some(choice),
            _ => None,
        }
    }
}

/// Whoever holds a graph's lock may take those of its branches; not the other way round.
impl Inner {
    fn tasks(&self) -> impl Iterator<Item = Task> {
        self.steps.iter().filter_map(Step::task)
    }

    /// Its conditional tasks.
    pub(super) fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.steps.iter().filter_map(Step::choice)
    }

    /// Adds its conditions, and those of its branches.
    pub(super) fn all_conditions(&self, all: &mut Vec<Arc<Condition>>) {
        all.extend(self.conditions.iter().cloned());
        for branch in self.choices().flat_map(|choice| &choice.branches) {
            branch.lock().all_conditions(all);
        }
    }
}
