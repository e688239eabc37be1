//! Steps with a block: closures, loops, threads, scopes, brands.

use std::collections::{BTreeMap, BTreeSet};

use super::access::Mode;
use super::limit::Limit;
use super::ranks::Action;
use super::state::{Borrows, Entered, Naming, Stream, Thread, Value};
use super::step::new_device;
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Name, Op, Step};

impl Machine {
    /// Runs a block: its head, its steps, its end.
    pub(super) fn block_step(&mut self, step: &Step) -> Run {
        let turns = if step.op == Op::Repeat { 2 } else { 1 };
        let places = (self.reads.next, self.returned.next);
        for _ in 0..turns {
            // The text has the steps of a loop once.
            (self.reads.next, self.returned.next) = places;
            let fresh = self.usable(step);
            let counters = self.state.counters.clone();
            self.enter(step)?;
            for inner in &step.body {
                self.step(inner)?;
            }
            self.note_captures(step, &fresh);
            self.end_of_block()?;
            if step.op == Op::Catch {
                self.forget_numbers();
                // What comes behind takes a failed wait for one that has succeeded.
                self.unbounded = true;
            }
            if let Some(entered) = self.state.entered.pop() {
                if entered.is_closure {
                    self.forget_counts(&counters);
                }
                self.leave(&entered)?;
                // What it captures exclusively cannot leave it as a borrow.
                let is_captured = !entered.exclusive.is_disjoint(&entered.lent);
                self.note_if(is_captured, Strictness::Captured);
                if step.op == Op::Ranks {
                    self.act(Action::Ranks(entered.ranks..self.ranks()));
                }
            }
        }
        Ok(())
    }

    /// The variables that a closure captures, or that its call uses, and that are valid before it.
    fn usable(&self, step: &Step) -> Vec<Name> {
        fn used(steps: &[Step], found: &mut Vec<Name>) {
            for step in steps {
                found.extend(&step.of);
                used(&step.body, found);
            }
        }
        if step.op == Op::Repeat {
            return Vec::new();
        }
        let mut names = step.of.clone();
        used(&step.body, &mut names);
        let is_valid = |name: &Name| {
            self.state
                .variables
                .get(name)
                .is_some_and(|variable| !variable.stale)
        };
        names.retain(is_valid);
        names
    }

    /// A closure holds what it captures until it ends, and so does the call that runs it.
    fn note_captures(&mut self, step: &Step, captured: &[Name]) {
        let is_stale = |name: &Name| {
            self.state
                .variables
                .get(name)
                .is_some_and(|variable| variable.stale)
        };
        let ended = captured.iter().any(is_stale) || step.to.iter().any(is_stale);
        self.note_if(ended, Strictness::Borrowed);
    }

    /// The head of a block.
    pub(crate) fn enter(&mut self, step: &Step) -> Run {
        let mut entered = Entered {
            thread: self.state.thread,
            scope: None,
            aborts: 0,
            cores: self.thread().cores,
            is_closure: step.op != Op::Repeat,
            catches: step.op == Op::Catch,
            rank: self.state.rank,
            ranks: self.ranks(),
            exclusive: BTreeSet::new(),
            lent: BTreeSet::new(),
        };
        match step.op {
            Op::Spawn | Op::Rank => {
                if step.op == Op::Rank {
                    self.begin_rank();
                }
                self.state.threads.push(Thread {
                    current: None,
                    turn: 0,
                    claimed: false,
                    cores: None,
                });
                self.state.thread = self.state.threads.len() - 1;
                self.open(step, None, Vec::new());
            }
            Op::Scope => {
                let (context, _) = self.binding(step, 0)?;
                let stops = self.stops(context);
                self.note_if(stops, Strictness::Stopping);
                self.state.scopes += 1;
                let scope = self.state.scopes;
                self.state.open_scopes.push(scope);
                entered.scope = Some((scope, context));
                entered.aborts = self.aborts(context);
                self.open(step, Some(Value::Scope { scope }), Vec::new());
            }
            Op::WithStream => {
                let (context, borrows) = self.binding(step, 0)?;
                let stream = self.brand(context);
                let value = self.stream_value(stream, true);
                self.open(step, Some(value), borrows);
            }
            Op::ParkedWith => {
                let (value, borrows) = self.parked_with(step)?;
                self.open(step, Some(value), borrows);
            }
            Op::WithCores { cores } => {
                let (value, borrows) = self.with_cores(step, cores)?;
                self.open(step, Some(value), borrows);
            }
            Op::WithDevice { id } => {
                self.operand(step, 0, Mode::Shared)?;
                let thread = self.operand(step, 1, Mode::Exclusive)?;
                self.thread_token(&thread.value);
                let device = new_device(self, None, id)?;
                let acl = step.of.first().map(|acl| (*acl, false));
                self.open(step, Some(Value::Device(device)), acl.into_iter().collect());
                let borrows = step.of.get(1).map(|thread| (*thread, true));
                let token = Value::Thread {
                    thread: self.state.thread,
                    owned: false,
                };
                self.give(step, 1, token, borrows.into_iter().collect());
            }
            _ => self.open(step, None, Vec::new()),
        }
        self.state.entered.push(entered);
        Ok(())
    }

    fn open(&mut self, step: &Step, given: Option<Value>, borrows: Borrows) {
        self.state.blocks.push(Vec::new());
        if let Some(given) = given {
            self.give(step, 0, given, borrows);
        }
    }

    pub(super) fn leave(&mut self, entered: &Entered) -> Run {
        self.state.thread = entered.thread;
        self.state.rank = entered.rank;
        self.limit_thread(entered.cores);
        let Some((scope, context)) = entered.scope else {
            return Ok(());
        };
        // The wait at the end of the scope needs the context.
        self.is_current(context)?;
        self.wait_for_context(context, Limit::OfDevice)?;
        // Its work may be that of the stream that was aborted.
        if self.aborts(context) != entered.aborts {
            return Err(Rule::Poisoned);
        }
        self.state.open_scopes.retain(|open| *open != scope);
        let mut variables = self.state.variables.values();
        let escapes = variables.any(|variable| holds_lease(&variable.value, scope));
        self.note_if(escapes, Strictness::Borrowed);
        for memory in &mut self.state.memory {
            memory.lent.retain(|(of, _)| *of != scope);
        }
        Ok(())
    }

    /// A stream that a block is given.
    fn brand(&mut self, context: usize) -> usize {
        let depth = self.state.blocks.len();
        self.state.streams.push(Stream {
            context,
            alive: true,
            naming: Naming::Brand,
            brand_depth: depth,
            tasks: 0,
            after: super::state::Clock::new(),
            proven: 0,
            waits: BTreeMap::new(),
            aborts: 0,
            stuck: false,
        });
        self.state.streams.len() - 1
    }

    pub(super) fn stream_value(&self, stream: usize, attached: bool) -> Value {
        Value::Stream {
            stream,
            thread: self.state.thread,
            turn: self.thread().turn,
            attached,
        }
    }

    fn parked_with(&mut self, step: &Step) -> Run<(Value, Borrows)> {
        let parked = self.operand(step, 0, Mode::Exclusive)?;
        let (context, borrows) = self.binding(step, 1)?;
        let Value::Parked { stream, numbered } = parked.value else {
            return Err(Rule::Stopped);
        };
        self.is_alive(stream)?;
        let home = self.state.streams.get(stream).map(|stream| stream.context);
        self.note_if(home != Some(context), Strictness::Types);
        let depth = self.state.blocks.len();
        if numbered && let Some(stream) = self.state.streams.get_mut(stream) {
            stream.brand_depth = depth;
        }
        let value = self.stream_value(stream, false);
        let mut borrows = borrows;
        borrows.extend(step.of.first().map(|parked| (*parked, true)));
        Ok((value, borrows))
    }
}

fn holds_lease(value: &Value, scope: usize) -> bool {
    use super::state::Form;
    match value {
        Value::Memory(view) => matches!(
            view.form,
            Form::Lease { scope: of } | Form::ReadonlyLease { scope: of } if of == scope
        ),
        Value::Fence { view, .. } | Value::Completed { view, .. } => {
            matches!(view.form, Form::Lease { scope: of } | Form::ReadonlyLease { scope: of } if of == scope)
        }
        Value::Hole(Some(inner)) => holds_lease(&inner.value, scope),
        _ => false,
    }
}
