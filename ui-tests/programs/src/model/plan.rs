//! Operators: their first phase makes an executor, which runs once.

use super::access::{Mode, of_device};
use super::state::{Form, Hold, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Name, Operator, Sort, Step};

impl Machine {
    pub(super) fn plan(&mut self, step: &Step, operator: Operator, fresh: bool) -> Run {
        let (context, borrows) = self.binding(step, 0)?;
        let mut of = of_device(&borrows);
        let mut reads = Vec::new();
        let operands: &[usize] = match operator {
            Operator::Add | Operator::Mul => &[1, 2],
            Operator::Relu | Operator::InplaceAdd => &[1],
        };
        for index in operands {
            let (view, borrows) = self.view(step, *index, Mode::Shared)?;
            let alias = step.of.get(*index) == step.of.get(3);
            self.note_if(alias, Strictness::Borrowed);
            let is_part = matches!(view.form, Form::Part | Form::ReadonlyPart);
            // The tensor of a part borrows the whole memory.
            of.extend(if is_part {
                borrows
            } else {
                Self::borrow(step, *index, false)
            });
            reads.push(view);
        }
        let (writes, borrows) = if fresh {
            self.view(step, 3, Mode::Move)?
        } else {
            of.extend(Self::borrow(step, 3, true));
            self.view(step, 3, Mode::Exclusive)?
        };
        self.note_if(fresh != writes.fresh, Strictness::Form);
        self.note_if(fresh && operator == Operator::InplaceAdd, Strictness::Form);
        if fresh {
            of.extend(borrows);
        }
        if operator == Operator::InplaceAdd {
            reads.push(writes.clone());
        }
        for view in reads.iter().chain([&writes]) {
            if !matches!(self.place(view)?, Place::Device(_)) {
                return Err(Rule::OtherDevice);
            }
            self.reaches(context, view, Rule::OtherDevice)?;
            if view.halves != 3 {
                return Err(Rule::Length);
            }
            let site = (view.hold, view.unbranded);
            self.note_if(
                site != (writes.hold, writes.unbranded),
                Strictness::NotAdopted,
            );
            self.note_if(view.unverified, Strictness::NotVerified);
            let is_lease = matches!(view.form, Form::Lease { .. } | Form::ReadonlyLease { .. });
            self.note_if(is_lease, Strictness::Types);
        }
        self.note_if(writes.form == Form::Share, Strictness::Shared);
        if reads.iter().any(|view| view.fresh) {
            self.note(Strictness::Form);
        }
        let idle_share = |view: &View| view.form == Form::Share && view.hold == Hold::Idle;
        let has_idle_share = reads.iter().any(idle_share);
        self.note_if(has_idle_share, Strictness::Types);
        let thread = self.state.thread;
        let value = Value::Plan {
            thread,
            context,
            reads,
            writes,
            owns: fresh,
            ran: false,
        };
        self.give(step, 0, value, of);
        Ok(())
    }

    pub(super) fn run_plan(&mut self, step: &Step, launch: bool) -> Run {
        let variable = self.operand(step, 0, Mode::Move)?;
        let Value::Plan {
            context,
            reads,
            writes,
            owns,
            ran,
            ..
        } = variable.value
        else {
            return Ok(());
        };
        if ran {
            return Err(Rule::OneShot);
        }
        if let Some(name) = step.of.first() {
            self.change(*name, |variable| {
                if let Value::Plan { ran, .. } = &mut variable.value {
                    *ran = true;
                }
            });
        }
        let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
        let home = self
            .state
            .streams
            .get(stream)
            .map_or(0, |stream| stream.context);
        if self.device_of(home) != self.device_of(context) {
            return Err(Rule::DeviceOfStream);
        }
        self.note_if(home != context, Strictness::Contexts);
        let task = self.task(stream);
        for view in &reads {
            self.queue((stream, task), view, (true, false), launch)?;
        }
        self.queue((stream, task), &writes, (false, true), launch)?;
        if !launch {
            let stops = self.stops(home);
            self.note_if(stops, Strictness::Stopping);
            self.wait_for(stream, true);
        }
        self.note_if(owns == step.to.is_empty(), Strictness::Form);
        let borrows = self.output_borrows(&variable.borrows);
        self.written(step, writes, borrows);
        Ok(())
    }

    /// The output of a plan borrows no operand.
    fn output_borrows(&self, borrows: &[(Name, bool)]) -> Vec<(Name, bool)> {
        let is_owner = |name: &Name| matches!(name.sort, Sort::Device | Sort::Context);
        borrows
            .iter()
            .filter(|(name, _)| is_owner(name))
            .copied()
            .collect()
    }
}
