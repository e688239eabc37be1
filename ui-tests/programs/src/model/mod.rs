//! The rules of AscendCL as a machine that runs programs.
//!
//! The machine knows the runtime of C and not this crate: handles, the context of each thread, queues, events, waits,
//! and for each task what it is ordered after. It was written from the manual and from observations of the production
//! runtime. A step that breaks a [`Rule`] makes the program illegal.
//!
//! The API is stricter than AscendCL in known ways. The machine notes each [`Strictness`] that a program would need
//! to be lifted. A legal program without such a note has to compile.

mod access;
mod blocks;
mod capture;
mod comm;
mod contents;
mod counter;
mod event;
mod future;
mod graph;
mod hold;
mod kernel;
mod limit;
mod media;
mod memory;
mod message;
mod peer;
mod pipeline;
mod plan;
mod pool;
mod ranks;
mod release;
mod reserved;
mod rule;
mod settings;
mod share;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod value;
mod work;

use std::collections::BTreeSet;

use crate::program::{ACL, Kernel, Layout, Name, Operator, Program, Sort, Step};
use contents::Expected;
use media::What;
pub(crate) use pipeline::Returned;
pub(crate) use rule::{Rule, Strictness};
pub(crate) use state::Hold;
use state::{Borrows, Form, Place, State, Thread, Value, Variable};

/// What the model says about a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The first rule that it breaks.
    pub(crate) broken: Option<Rule>,
    /// Where the API is stricter.
    pub(crate) strict: BTreeSet<Strictness>,
    /// Each wait has a limit, or is for work that is over.
    pub(crate) bounded: bool,
}

impl Verdict {
    /// Legal, and expected to compile.
    pub(crate) fn is_clean(&self) -> bool {
        self.broken.is_none() && self.strict.is_empty()
    }
}

/// The verdict about a program.
pub(crate) fn judge(program: &Program) -> Verdict {
    let mut machine = Machine::new();
    let broken = machine.run(program).err();
    Verdict {
        broken,
        bounded: !machine.unbounded,
        strict: machine.strict,
    }
}

/// What the text of a legal program has to find, as far as the model knows it: at each read of the host a number, and at each
/// use of a pipeline results.
pub(crate) fn expected(program: &Program) -> (Vec<Option<i32>>, Vec<Option<Returned>>) {
    let mut machine = Machine::new();
    let is_clean = machine.run(program).is_ok() && machine.strict.is_empty();
    match is_clean {
        true => (machine.reads.all, machine.returned.all),
        false => Default::default(),
    }
}

/// The numbers alone.
#[cfg(test)]
pub(crate) fn numbers_read(program: &Program) -> Vec<Option<i32>> {
    expected(program).0
}

/// The machine.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    state: State,
    strict: BTreeSet<Strictness>,
    /// A wait without a limit was for work that may not have ended.
    unbounded: bool,
    /// What each read of the host has to find.
    reads: Expected<i32>,
    /// What each step with a pipeline returns.
    returned: Expected<Returned>,
}

/// What the generator has to know about memory to propose steps that make sense.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) name: Name,
    pub(crate) on_device: bool,
    pub(crate) context: Option<usize>,
    pub(crate) hold: Hold,
    pub(crate) whole: bool,
    pub(crate) writable: bool,
    pub(crate) readable: bool,
    pub(crate) fresh: bool,
    /// The stream that has to verify it next.
    pub(crate) unverified: Option<usize>,
    pub(crate) halves: u32,
    pub(crate) unbranded: bool,
    /// It has numbers, and no picture.
    pub(crate) plain: bool,
    pub(crate) picture: bool,
    pub(crate) channel: bool,
    pub(crate) model: bool,
    /// A picture whose status was not read.
    pub(crate) unchecked: bool,
    pub(crate) counted: bool,
    pub(crate) graph: bool,
    /// It is exported to other processes.
    pub(crate) exported: bool,
    /// The number of its pieces, if it grows.
    pub(crate) grown: Option<usize>,
}

type Run<T = ()> = Result<T, Rule>;

impl Machine {
    /// At the begin of a program.
    pub(crate) fn new() -> Machine {
        let mut machine = Machine {
            state: State::default(),
            strict: BTreeSet::new(),
            unbounded: false,
            reads: Expected::default(),
            returned: Expected::default(),
        };
        machine.state.threads.push(Thread {
            current: None,
            turn: 0,
            claimed: false,
            cores: None,
        });
        machine.state.blocks.push(Vec::new());
        machine.state.actions.push(Vec::new());
        machine.declare(ACL, Value::Acl, Vec::new());
        machine
    }

    /// Whether a step can follow: it breaks no rule and needs nothing that the API does not allow.
    pub(crate) fn allows(&mut self, step: &Step) -> bool {
        let mut next = self.clone();
        if next.step(step).is_err() || !next.strict.is_empty() {
            return false;
        }
        // A program with a limit is bounded, so that it can run on devices that hang.
        if next.unbounded && !self.unbounded && self.has_limit() {
            return false;
        }
        *self = next;
        true
    }

    /// The visible names of a sort that a step can still use.
    pub(crate) fn names(&self, sort: Sort) -> Vec<Name> {
        let usable = |(name, variable): (&Name, &Variable)| {
            (name.sort == sort && !variable.gone && !variable.stale).then_some(*name)
        };
        self.state.variables.iter().filter_map(usable).collect()
    }

    /// Whether a name stands for memory that nothing has written.
    pub(crate) fn is_fresh(&self, name: Name) -> bool {
        let variable = self.state.variables.get(&name);
        matches!(variable.map(|variable| &variable.value), Some(Value::Memory(view)) if view.fresh)
    }

    /// The memory that a step can still use.
    pub(crate) fn memories(&self) -> Vec<Known> {
        let known = |(name, variable): (&Name, &Variable)| {
            let Value::Memory(view) = &variable.value else {
                return None;
            };
            let memory = self.state.memory.get(view.memory)?;
            let usable = !variable.gone && !variable.stale && memory.alive;
            let usable = usable && !matches!(view.what, What::Tensor { .. });
            usable.then(|| Known {
                name: *name,
                on_device: matches!(memory.place, Place::Device(_)),
                context: match memory.place {
                    Place::Device(context) | Place::Host(context) => Some(context),
                    Place::Rust => None,
                },
                hold: view.hold,
                whole: view.form == Form::Whole,
                writable: !matches!(
                    view.form,
                    Form::Share | Form::ReadonlyPart | Form::ReadonlyLease { .. }
                ),
                readable: view.form != Form::Part && memory.written & view.halves == view.halves,
                fresh: view.fresh,
                unverified: view
                    .unverified
                    .then(|| view.history.first().map(|(stream, _)| *stream))
                    .flatten(),
                halves: view.halves.count_ones(),
                unbranded: view.unbranded,
                plain: view.what == What::Numbers,
                picture: matches!(view.what, What::Picture { .. }),
                channel: matches!(view.what, What::Channel { .. }),
                model: matches!(view.what, What::Model { .. }),
                unchecked: view.what == What::Picture { checked: false },
                counted: matches!(view.what, What::Counted { .. }),
                graph: matches!(view.what, What::Graph { .. }),
                exported: view.what == What::Exported,
                grown: self.pieces_of(view),
            })
        };
        self.state.variables.iter().filter_map(known).collect()
    }

    /// The communicators that a step can still use, with who holds them and the stream that has to verify them.
    pub(crate) fn comms(&self) -> Vec<(Name, Hold, Option<usize>)> {
        let known = |(name, variable): (&Name, &Variable)| match variable.value {
            Value::Comm {
                hold, unverified, ..
            } if !variable.gone && !variable.stale => Some((*name, hold, unverified)),
            _ => None,
        };
        self.state.variables.iter().filter_map(known).collect()
    }

    /// The stream, and whether it is a `Drained`, of a stream, a proof or a fence.
    pub(crate) fn stream_of(&self, name: Name) -> Option<usize> {
        match &self.state.variables.get(&name)?.value {
            Value::Stream { stream, .. } | Value::Proof { stream, .. } => Some(*stream),
            _ => None,
        }
    }

    /// How the operands of a plan are held.
    pub(crate) fn hold_of_plan(&self, name: Name) -> Option<Hold> {
        match &self.state.variables.get(&name)?.value {
            Value::Plan { writes, .. } => Some(writes.hold),
            _ => None,
        }
    }

    /// The operator of a plan that runs several times, the layout of its operands, and who holds them.
    pub(crate) fn repeat(&self, name: Name) -> Option<(Operator, Layout, Hold)> {
        match &self.state.variables.get(&name)?.value {
            Value::Repeat {
                operator,
                layout,
                hold,
                ..
            } => Some((*operator, *layout, *hold)),
            _ => None,
        }
    }

    /// The kernel of a function.
    pub(crate) fn kernel(&self, name: Name) -> Option<Kernel> {
        match self.state.variables.get(&name)?.value {
            Value::Function { kernel, .. } => Some(kernel),
            _ => None,
        }
    }

    /// Whether a name stands for a plan with an output of its own.
    pub(crate) fn owns_output(&self, name: Name) -> bool {
        let variable = self.state.variables.get(&name);
        matches!(
            variable.map(|variable| &variable.value),
            Some(Value::Plan { owns: true, .. })
        )
    }

    fn run(&mut self, program: &Program) -> Run {
        program.steps.iter().try_for_each(|step| self.step(step))?;
        self.end()?;
        self.play()
    }

    /// The end of the program: what is left is dropped.
    pub(crate) fn end(&mut self) -> Run {
        self.end_of_block()
    }

    fn note(&mut self, strictness: Strictness) {
        self.strict.insert(strictness);
    }

    fn note_if(&mut self, holds: bool, strictness: Strictness) {
        if holds {
            self.note(strictness);
        }
    }

    fn declare(&mut self, name: Name, value: Value, borrows: Borrows) {
        let variable = Variable {
            value,
            borrows,
            stale: false,
            gone: false,
            depth: self.state.blocks.len(),
        };
        self.state.variables.insert(name, variable);
        if let Some(block) = self.state.blocks.last_mut() {
            block.push(name);
        }
    }
}

/// Declares the result of a step, if the step has one.
impl Machine {
    fn give(&mut self, step: &Step, index: usize, value: Value, borrows: Borrows) {
        if let Some(name) = step.to.get(index) {
            self.declare(*name, value, borrows);
        }
    }
}
