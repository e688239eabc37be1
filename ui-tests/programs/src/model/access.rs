//! The use of variables: what was given away, and which borrows a use ends.

use super::media::What;
use super::state::{Borrows, Entered, Value, Variable, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Name, Step};

/// How a step uses a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Shared,
    Exclusive,
    Move,
}

impl Mode {
    pub(super) fn exclusive_if(exclusive: bool) -> Mode {
        if exclusive {
            Mode::Exclusive
        } else {
            Mode::Shared
        }
    }
}

impl Machine {
    /// Uses the operand of a step.
    pub(super) fn operand(&mut self, step: &Step, index: usize, mode: Mode) -> Run<Variable> {
        let name = step.of.get(index).copied().ok_or(Rule::Stopped)?;
        self.access(name, mode)
    }

    /// Uses a variable. A use ends the borrows that exclude it.
    pub(super) fn access(&mut self, name: Name, mode: Mode) -> Run<Variable> {
        let variable = self
            .state
            .variables
            .get(&name)
            .cloned()
            .ok_or(Rule::Stopped)?;
        self.note_if(variable.gone, Strictness::Moved);
        self.note_if(variable.stale, Strictness::Borrowed);
        self.end_borrows(name, mode);
        if mode == Mode::Exclusive {
            for closure in self.closures_since(variable.depth) {
                closure.exclusive.insert(name);
            }
        }
        let is_elsewhere = home(&variable.value).is_some_and(|thread| thread != self.state.thread);
        self.note_if(is_elsewhere, Strictness::Thread);
        self.note_lent(&variable.value, mode);
        let is_copy = matches!(
            variable.value,
            Value::Binding { .. }
                | Value::Function { .. }
                | Value::Point { .. }
                | Value::Rank { .. }
                | Value::Scope { .. }
        );
        if mode == Mode::Move && !is_copy {
            self.change(name, |variable| variable.gone = true);
        }
        Ok(variable)
    }

    /// The open closures in a block at this depth.
    pub(super) fn closures_since(&mut self, depth: usize) -> impl Iterator<Item = &mut Entered> {
        let inside = self.state.entered.iter_mut().skip(depth.saturating_sub(1));
        inside.filter(|entered| entered.is_closure)
    }

    pub(super) fn end_borrows(&mut self, name: Name, mode: Mode) {
        // A closure may have captured a variable that is gone by now.
        let ends = |variable: &Variable| {
            !variable.stale
                && variable
                    .borrows
                    .iter()
                    .any(|(of, exclusive)| *of == name && (*exclusive || mode != Mode::Shared))
        };
        let ended: Vec<Name> = self
            .state
            .variables
            .iter()
            .filter(|(_, variable)| ends(variable))
            .map(|(name, _)| *name)
            .collect();
        for borrower in ended {
            self.change(borrower, |variable| variable.stale = true);
            self.end_borrows(borrower, Mode::Move);
        }
    }

    /// The compiler takes lent memory for lent until the end of its scope.
    fn note_lent(&mut self, value: &Value, mode: Mode) {
        let Value::Memory(view) = value else {
            return;
        };
        if view.form.is_lease() {
            return;
        }
        let memory = self.state.memory.get(view.memory);
        let excludes = |(_, exclusive): &(usize, bool)| *exclusive || mode != Mode::Shared;
        let is_lent = memory.is_some_and(|memory| memory.lent.iter().any(excludes));
        self.note_if(is_lent, Strictness::Returned);
    }

    pub(super) fn change(&mut self, name: Name, f: impl FnOnce(&mut Variable)) {
        if let Some(variable) = self.state.variables.get_mut(&name) {
            f(variable);
        }
    }

    /// Uses memory.
    pub(super) fn view(&mut self, step: &Step, index: usize, mode: Mode) -> Run<(View, Borrows)> {
        let variable = self.operand(step, index, mode)?;
        let Value::Memory(view) = variable.value else {
            return Err(Rule::Stopped);
        };
        // A tensor is kept and dropped only.
        self.note_if(matches!(view.what, What::Tensor { .. }), Strictness::Types);
        Ok((view, variable.borrows))
    }

    /// Uses a binding: its context has to be the current one of the thread.
    pub(super) fn binding(&mut self, step: &Step, index: usize) -> Run<(usize, Borrows)> {
        let variable = self.operand(step, index, Mode::Shared)?;
        let Value::Binding {
            context,
            thread,
            turn,
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        self.called()?;
        self.is_current(context)?;
        self.is_bound(thread, turn);
        Ok((context, variable.borrows))
    }

    /// What was bound to a thread is used there, before the thread is bound again.
    pub(super) fn is_bound(&mut self, thread: usize, turn: usize) {
        let is_here = thread == self.state.thread;
        let is_old = turn != self.thread().turn;
        self.note_if(!is_here, Strictness::Thread);
        self.note_if(is_here && is_old, Strictness::OldBinding);
    }

    /// Uses a stream for work: its context has to be the current one of the thread.
    pub(super) fn stream(
        &mut self,
        step: &Step,
        index: usize,
        mode: Mode,
    ) -> Run<(usize, Borrows)> {
        let (stream, borrows) = self.stream_anywhere(step, index, mode)?;
        let context = self.home_of(stream);
        self.is_current(context)?;
        Ok((stream, borrows))
    }

    /// Uses a stream for a call that works with any context.
    pub(super) fn stream_anywhere(
        &mut self,
        step: &Step,
        index: usize,
        mode: Mode,
    ) -> Run<(usize, Borrows)> {
        let variable = self.operand(step, index, mode)?;
        let Value::Stream {
            stream,
            thread,
            turn,
            ..
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        self.called()?;
        if self.thread().current.is_none() {
            return Err(Rule::NoContext);
        }
        self.is_alive(stream)?;
        self.is_bound(thread, turn);
        Ok((stream, variable.borrows))
    }

    /// A stream that was not destroyed.
    pub(super) fn is_alive(&self, stream: usize) -> Run {
        match self.state.streams.get(stream) {
            Some(stream) if stream.alive => Ok(()),
            _ => Err(Rule::StreamGone),
        }
    }

    /// A call of the runtime.
    pub(super) fn called(&self) -> Run {
        if self.state.finalized {
            return Err(Rule::AfterFinalize);
        }
        Ok(())
    }

    pub(super) fn is_current(&self, context: usize) -> Run {
        match self.thread().current {
            None => return Err(Rule::NoContext),
            Some(current) if current != context => return Err(Rule::OtherContext),
            Some(_) => {}
        }
        match self.state.contexts.get(context) {
            Some(context) if context.alive => Ok(()),
            _ => Err(Rule::ContextGone),
        }
    }

    pub(super) fn thread(&self) -> super::state::Thread {
        let thread = self.state.threads.get(self.state.thread).cloned();
        thread.unwrap_or(super::state::Thread {
            current: None,
            turn: 0,
            claimed: false,
            cores: None,
        })
    }

    /// Changes the current context of the thread.
    pub(super) fn bind(&mut self, context: usize) {
        if let Some(thread) = self.state.threads.get_mut(self.state.thread) {
            thread.current = Some(context);
            thread.turn += 1;
        }
    }

    /// The device of a context.
    pub(super) fn device_of(&self, context: usize) -> usize {
        self.state
            .contexts
            .get(context)
            .map_or(usize::MAX, |context| context.device)
    }

    pub(super) fn stops(&self, context: usize) -> bool {
        let device = self.device_of(context);
        self.state
            .devices
            .get(device)
            .is_some_and(|device| device.stops)
    }
}

/// The thread to which a value belongs.
fn home(value: &Value) -> Option<usize> {
    match value {
        Value::Thread { thread, .. }
        | Value::Binding { thread, .. }
        | Value::Stream { thread, .. }
        | Value::Synchronized { thread, .. }
        | Value::Pipeline { thread, .. }
        | Value::Plan { thread, .. }
        | Value::Repeat { thread, .. }
        | Value::Binary { thread, .. }
        | Value::Function { thread, .. }
        | Value::Comm { thread, .. }
        | Value::Batch { thread, .. } => Some(*thread),
        Value::Memory(view) | Value::Completed { view, .. } => match view.what {
            What::Counted { thread } | What::Tensor { thread } => Some(thread),
            other => other.thread(),
        },
        Value::Hole(Some(inner)) => home(&inner.value),
        _ => None,
    }
}

/// The borrows of the device alone, as memory and events have them.
pub(super) fn of_device(borrows: &[(Name, bool)]) -> Borrows {
    borrows
        .iter()
        .filter(|(_, exclusive)| !exclusive)
        .copied()
        .collect()
}
