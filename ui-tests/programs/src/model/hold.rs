//! Steps that change who holds memory: streams, readers, parts, scopes.

use super::access::Mode;
use super::media::What;
use super::state::{Form, Hold, Naming, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

impl Machine {
    pub(super) fn hold_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Adopt => self.adopt(step),
            Op::Take | Op::Verify => self.take(step),
            Op::Accept => {
                let (mut view, borrows) = self.view(step, 0, Mode::Move)?;
                self.place(&view)?;
                let is_moved = matches!(view.hold, Hold::Queued(_)) && !view.history.is_empty();
                self.note_if(!view.unverified && !is_moved, Strictness::Types);
                self.accept_tasks(&view);
                self.accept_graph(&view);
                // A task may have failed, or an abort may have dropped it.
                self.set_numbers(
                    &View {
                        halves: 3,
                        ..view.clone()
                    },
                    [None; 2],
                );
                view.history = Vec::new();
                view.unverified = false;
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::Unbrand => {
                let (mut view, borrows) = self.view(step, 0, Mode::Move)?;
                let is_branded = matches!(view.hold, Hold::Queued(stream) if self.is_brand(stream));
                self.note_if(!is_branded || view.unbranded, Strictness::Types);
                let is_whole = view.form.is_part();
                self.note_if(is_whole, Strictness::Types);
                view.unbranded = true;
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::Rebrand => {
                let (stream, _) = self.stream(step, 0, Mode::Shared)?;
                let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
                let is_brand = self.is_brand(stream);
                let is_part = view.form.is_part();
                self.note_if(!view.unbranded || !is_brand || is_part, Strictness::Types);
                if view.hold != Hold::Queued(stream) {
                    return Err(Rule::OtherStream);
                }
                view.unbranded = false;
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::Share => {
                let (mut view, borrows) = self.view(step, 0, Mode::Move)?;
                self.place(&view)?;
                let is_queued = view.hold != Hold::Idle;
                self.note_if(!is_queued || view.form != Form::Whole, Strictness::Types);
                self.change_memory(&view, |memory| memory.shares = 1);
                view.form = Form::Share;
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::CloneShare => {
                let (view, borrows) = self.view(step, 0, Mode::Shared)?;
                self.place(&view)?;
                self.note_if(
                    view.form != Form::Share || view.unverified,
                    Strictness::Types,
                );
                self.change_memory(&view, |memory| memory.shares += 1);
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::TryUnwrap => {
                let (mut view, borrows) = self.view(step, 0, Mode::Move)?;
                self.is_quiet(&view, true)?;
                self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
                self.note_if(view.unverified, Strictness::NotVerified);
                self.note_if(view.form != Form::Share, Strictness::Types);
                let shares = self
                    .state
                    .memory
                    .get(view.memory)
                    .map_or(0, |memory| memory.shares);
                if shares != 1 {
                    return Err(Rule::ShareInUse);
                }
                self.change_memory(&view, |memory| memory.shares = 0);
                view.form = Form::Whole;
                self.give(step, 0, Value::Memory(view), borrows);
                Ok(())
            }
            Op::Split | Op::Slice => self.parts(step),
            Op::And => {
                let (first, borrows) = self.view(step, 0, Mode::Move)?;
                let (second, others) = self.view(step, 1, Mode::Move)?;
                self.place(&first)?;
                self.place(&second)?;
                let of = |view: &View| (view.hold, view.unbranded, view.history.len());
                let is_queued = first.hold != Hold::Idle && !first.unbranded;
                let homes = |view: &View| {
                    view.history
                        .iter()
                        .map(|(stream, _)| *stream)
                        .collect::<Vec<_>>()
                };
                let is_same = of(&first) == of(&second) && homes(&first) == homes(&second);
                self.note_if(!is_queued || !is_same, Strictness::Types);
                let is_part = |view: &View| view.form.is_part();
                self.note_if(is_part(&first) || is_part(&second), Strictness::Types);
                self.give(step, 0, Value::Memory(first), borrows);
                self.give(step, 1, Value::Memory(second), others);
                Ok(())
            }
            Op::Lend { exclusive } => self.lend(step, exclusive),
            _ => {
                let (view, _) = self.view(step, 0, Mode::Move)?;
                let is_lease = view.form.is_lease();
                self.is_quiet(&view, true)?;
                self.note_if(!is_lease, Strictness::Types);
                self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
                Ok(())
            }
        }
    }

    fn is_brand(&self, stream: usize) -> bool {
        let naming = self.state.streams.get(stream).map(|stream| stream.naming);
        naming == Some(Naming::Brand)
    }

    fn adopt(&mut self, step: &Step) -> Run {
        let (stream, _) = self.stream(step, 0, Mode::Shared)?;
        let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
        let context = self.home_of(stream);
        let place = self.place(&view)?;
        self.reaches(context, &view, Rule::DeviceOfStream)?;
        match view.hold {
            Hold::Idle => self.is_quiet(&view, true)?,
            // It is handed to another stream without an event: the uses are compared later.
            Hold::Queued(_) => self.note(Strictness::Types),
        }
        self.note_if(view.unverified, Strictness::NotVerified);
        let is_part = view.form.is_part();
        self.note_if(is_part, Strictness::Types);
        let is_lease = view.form.is_lease();
        self.note_if(place == Place::Rust && !is_lease, Strictness::Types);
        view.hold = Hold::Queued(stream);
        view.history = Vec::new();
        view.unverified = false;
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// Memory comes back from its stream, or a result is verified.
    fn take(&mut self, step: &Step) -> Run {
        let proof = self.operand(step, 0, Mode::Shared)?;
        let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
        let Value::Proof {
            stream,
            tasks,
            drained,
        } = proof.value
        else {
            return Err(Rule::Stopped);
        };
        if step.op == Op::Verify {
            self.note_if(!view.unverified || drained, Strictness::Types);
            self.place(&view)?;
            if let Some((first, task)) = view.history.first().copied() {
                if drained || first != stream || task > tasks {
                    if !self.is_proven(first, task) {
                        return Err(Rule::Unverified);
                    }
                    self.note(Strictness::OtherProof);
                }
                view.history.remove(0);
            }
            view.unverified = !view.history.is_empty();
        } else {
            let reads = view.form == Form::Share || matches!(view.form, Form::ReadonlyLease { .. });
            self.is_quiet(&view, !reads)?;
            let Hold::Queued(home) = view.hold else {
                self.note(Strictness::Types);
                self.give(step, 0, Value::Memory(view), borrows);
                return Ok(());
            };
            self.note_if(view.unbranded, Strictness::Brand);
            self.note_if(home != stream, Strictness::OtherProof);
            let context = self.home_of(home);
            if drained {
                view.history.insert(0, (home, tasks));
            } else if self.stops(context) {
                view.history.clear();
            }
            view.hold = Hold::Idle;
            view.unverified = !view.history.is_empty();
            let is_part = view.form.is_part();
            self.note_if(is_part, Strictness::Types);
        }
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    fn parts(&mut self, step: &Step) -> Run {
        let exclusive = step.op == Op::Split;
        let mode = Mode::exclusive_if(exclusive);
        let (view, _) = self.view(step, 0, mode)?;
        if self.pieces_of(&view) == Some(0) {
            return Err(Rule::NotGrown);
        }
        if view.halves != 3 {
            return Err(Rule::Length);
        }
        let place = self.place(&view)?;
        let is_plain = view.form == Form::Whole && place != Place::Rust && !view.unverified;
        let is_plain = is_plain && view.what == What::Numbers;
        self.note_if(!is_plain, Strictness::Types);
        self.note_if(view.fresh, Strictness::Form);
        let borrow = step.of.first().map(|name| (*name, exclusive));
        let borrow: Vec<_> = borrow.into_iter().collect();
        let form = if exclusive {
            Form::Part
        } else {
            Form::ReadonlyPart
        };
        for (index, halves) in [(0, 1), (1, 2)] {
            let part = View {
                halves,
                form,
                ..view.clone()
            };
            self.give(step, index, Value::Memory(part), borrow.clone());
        }
        Ok(())
    }

    fn lend(&mut self, step: &Step, exclusive: bool) -> Run {
        let scope = self.operand(step, 0, Mode::Shared)?;
        let mode = Mode::exclusive_if(exclusive);
        let (view, _) = self.view(step, 1, mode)?;
        // Lending is no call of C, so memory of another device breaks no rule before work uses it.
        let Value::Scope { scope } = scope.value else {
            return Err(Rule::Stopped);
        };
        if !self.state.open_scopes.contains(&scope) {
            return Err(Rule::LeaseEscapes);
        }
        self.is_quiet(&view, exclusive)?;
        let is_plain = matches!(view.form, Form::Whole) && view.hold == Hold::Idle;
        let is_plain = is_plain && view.what == What::Numbers;
        self.note_if(!is_plain, Strictness::Types);
        self.note_if(view.unverified, Strictness::NotVerified);
        self.note_if(view.fresh, Strictness::Form);
        self.change_memory(&view, |memory| memory.lent.push((scope, exclusive)));
        // What the scope itself declares does not live as long as the scope.
        let name = step.of.get(1).copied();
        let depth = name
            .and_then(|name| self.state.variables.get(&name))
            .map_or(0, |variable| variable.depth);
        let inside = step
            .of
            .first()
            .and_then(|name| self.state.variables.get(name));
        let inside = inside.map_or(usize::MAX, |scope| scope.depth);
        self.note_if(depth >= inside, Strictness::Borrowed);
        // A closure does not give a borrow of what it captures to the outside.
        let between = self
            .state
            .entered
            .get(inside.saturating_sub(1)..)
            .unwrap_or_default();
        let captured = between.iter().any(|entered| entered.is_closure);
        self.note_if(exclusive && captured, Strictness::Borrowed);
        if let Some(name) = name {
            for closure in self.closures_since(inside) {
                closure.lent.insert(name);
            }
        }
        let form = if exclusive {
            Form::Lease { scope }
        } else {
            Form::ReadonlyLease { scope }
        };
        let lease = View { form, ..view };
        self.give(step, 0, Value::Memory(lease), Vec::new());
        Ok(())
    }
}
