//! Operators: their first phase makes an executor, which runs once.

use super::access::{Mode, of_device};
use super::media::What;
use super::state::{Borrows, Form, Hold, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Layout, Name, Operator, Sort, Step};

/// The operands of an operator.
struct Operands {
    reads: Vec<View>,
    writes: View,
    /// What their tensors borrow.
    borrows: Borrows,
}

impl Machine {
    pub(super) fn plan(
        &mut self,
        step: &Step,
        operator: Operator,
        fresh: bool,
        layout: Layout,
    ) -> Run {
        let (context, borrows) = self.binding(step, 0)?;
        let mut operands = self.operands(step, 1, (operator, layout), fresh)?;
        for view in operands.reads.iter().chain([&operands.writes]) {
            self.reaches(context, view, Rule::OtherDevice)?;
        }
        operands.borrows.extend(of_device(&borrows));
        let value = Value::Plan {
            thread: self.state.thread,
            context,
            reads: operands.reads,
            writes: operands.writes,
            owns: fresh,
            ran: false,
            operator,
            layout,
        };
        self.give(step, 0, value, operands.borrows);
        Ok(())
    }

    /// The operands of an operator, of which the first one is at an index. The output comes behind two of them.
    fn operands(
        &mut self,
        step: &Step,
        first: usize,
        (operator, layout): (Operator, Layout),
        fresh: bool,
    ) -> Run<Operands> {
        let mut of = Vec::new();
        let mut reads = Vec::new();
        let output = first + 2;
        let operands = match operator {
            Operator::Add | Operator::Mul => first..output,
            Operator::Relu | Operator::InplaceAdd => first..first + 1,
        };
        for index in operands {
            let (view, borrows) = self.view(step, index, Mode::Shared)?;
            let alias = step.of.get(index) == step.of.get(output);
            self.note_if(alias, Strictness::Borrowed);
            let is_part = view.form.is_part();
            // The tensor of a part borrows the whole memory.
            of.extend(if is_part {
                borrows
            } else {
                Self::borrow(step, index, false)
            });
            reads.push(view);
        }
        let (writes, borrows) = if fresh {
            self.view(step, output, Mode::Move)?
        } else {
            of.extend(Self::borrow(step, output, true));
            self.view(step, output, Mode::Exclusive)?
        };
        self.note_if(fresh != writes.fresh, Strictness::Form);
        self.note_if(fresh && operator == Operator::InplaceAdd, Strictness::Form);
        // The rest of the memory would come back as written.
        self.note_if(fresh && layout == Layout::Part, Strictness::Form);
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
            if self.halves_of(view) != 2 {
                return Err(Rule::Length);
            }
            let site = (view.hold, view.unbranded);
            self.note_if(
                site != (writes.hold, writes.unbranded),
                Strictness::NotAdopted,
            );
            self.note_if(view.unverified, Strictness::NotVerified);
            let is_lease = view.form.is_lease();
            self.note_if(is_lease, Strictness::Types);
            self.note_if(view.what != What::Numbers, Strictness::Types);
        }
        self.note_if(writes.form == Form::Share, Strictness::Shared);
        if reads.iter().any(|view| view.fresh) {
            self.note(Strictness::Form);
        }
        let idle_share = |view: &View| view.form == Form::Share && view.hold == Hold::Idle;
        let has_idle_share = reads.iter().any(idle_share);
        self.note_if(has_idle_share, Strictness::Types);
        Ok(Operands {
            reads,
            writes,
            borrows: of,
        })
    }

    /// A plan of an operator that finds the numbers that are not 0, with memory of its own for their places.
    pub(super) fn find(&mut self, step: &Step) -> Run {
        let (context, borrows) = self.binding(step, 0)?;
        let (view, of_part) = self.view(step, 1, Mode::Shared)?;
        if !matches!(self.place(&view)?, Place::Device(_)) {
            return Err(Rule::OtherDevice);
        }
        self.reaches(context, &view, Rule::OtherDevice)?;
        if self.halves_of(&view) != 2 {
            return Err(Rule::Length);
        }
        let is_plain = view.what == What::Numbers
            && matches!(view.form, Form::Whole | Form::Part | Form::ReadonlyPart);
        self.note_if(!is_plain, Strictness::Types);
        self.note_if(view.fresh, Strictness::Form);
        self.note_if(view.hold != Hold::Idle, Strictness::NotAdopted);
        self.note_if(view.unverified, Strictness::NotVerified);
        let mut of = of_device(&borrows);
        let is_part = view.form.is_part();
        of.extend(if is_part {
            of_part
        } else {
            Self::borrow(step, 1, false)
        });
        let mut writes = self.new_memory(Place::Device(context), false);
        writes.what = What::Counted {
            thread: self.state.thread,
        };
        let value = Value::Plan {
            thread: self.state.thread,
            context,
            reads: vec![view],
            writes,
            owns: true,
            ran: false,
            operator: Operator::Relu,
            layout: Layout::Whole,
        };
        self.give(step, 0, value, of);
        Ok(())
    }

    /// The first phase of an operator once more, for runs on other tensors.
    pub(super) fn repeatable(&mut self, step: &Step) -> Run {
        let (current, borrows) = self.binding(step, 0)?;
        let variable = self.operand(step, 1, Mode::Move)?;
        let Value::Plan {
            thread,
            context,
            writes,
            owns,
            ran,
            operator,
            layout,
            ..
        } = variable.value
        else {
            return Ok(());
        };
        if ran {
            return Err(Rule::OneShot);
        }
        if context != current {
            return Err(Rule::OtherContext);
        }
        // A result that is copied into a view goes to the address of the first phase.
        let is_copied = operator == Operator::InplaceAdd && layout == Layout::Turned;
        if matches!(writes.what, What::Counted { .. }) || is_copied {
            return Err(Rule::Decided);
        }
        self.note_if(thread != self.state.thread, Strictness::Thread);
        if owns {
            self.drop_view(&writes)?;
        }
        let value = Value::Repeat {
            thread,
            context,
            operator,
            layout,
            hold: writes.hold,
        };
        self.give(step, 0, value, of_device(&borrows));
        Ok(())
    }

    pub(super) fn run_again(
        &mut self,
        step: &Step,
        operator: Operator,
        layout: Layout,
        launch: bool,
    ) -> Run {
        let variable = self.operand(step, 0, Mode::Exclusive)?;
        let Value::Repeat {
            context,
            operator: planned,
            layout: lies,
            hold,
            ..
        } = variable.value
        else {
            return Ok(());
        };
        let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
        let fresh = !step.to.is_empty();
        let of = self.operands(step, 2, (operator, layout), fresh)?;
        let is_idle = hold == Hold::Idle;
        self.note_if(planned != operator || is_idle == launch, Strictness::Types);
        self.note_if(of.writes.hold != hold, Strictness::NotAdopted);
        if lies != layout {
            return Err(Rule::Length);
        }
        let borrows = of_device(&variable.borrows);
        self.compute(
            step,
            (context, stream, layout, operator),
            (of.reads, of.writes),
            launch,
        )?;
        if let Some(name) = step.to.first() {
            self.change(*name, |variable| variable.borrows = borrows);
        }
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
            operator,
            layout,
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
        self.note_if(owns == step.to.is_empty(), Strictness::Form);
        let borrows = self.output_borrows(&variable.borrows);
        let what = (context, stream, layout, operator);
        self.compute(step, what, (reads, writes), launch)?;
        if let Some(name) = step.to.first() {
            self.change(*name, |variable| variable.borrows = borrows);
        }
        Ok(())
    }

    /// The second phase of an operator, on its operands.
    fn compute(
        &mut self,
        step: &Step,
        (context, stream, layout, operator): (usize, usize, Layout, Operator),
        (reads, writes): (Vec<View>, View),
        launch: bool,
    ) -> Run {
        let home = self.home_of(stream);
        if self.device_of(home) != self.device_of(context) {
            return Err(Rule::DeviceOfStream);
        }
        self.note_if(home != context, Strictness::Contexts);
        let task = (stream, self.task(stream));
        let halves = if layout == Layout::Part { 1 } else { 3 };
        let part = |view: &View| View {
            halves,
            ..view.clone()
        };
        for view in &reads {
            self.queue(task, &part(view), (true, false), launch)?;
        }
        let numbers = self.computed(operator, &reads);
        self.queue_any(task, &part(&writes), (false, true), launch)?;
        if writes.what == What::Numbers {
            self.set_numbers(&part(&writes), numbers);
        }
        if !launch {
            let stops = self.stops(home);
            self.note_if(stops, Strictness::Stopping);
            self.is_unspoilt(stream)?;
            let limit = self.limit_of_run(stream);
            self.wait_for(stream, true, limit)?;
        }
        self.written(step, writes, Vec::new());
        Ok(())
    }

    /// The output of a plan borrows no operand.
    fn output_borrows(&self, borrows: &[(Name, bool)]) -> Borrows {
        let is_owner = |name: &Name| matches!(name.sort, Sort::Device | Sort::Context);
        borrows
            .iter()
            .filter(|(name, _)| is_owner(name))
            .copied()
            .collect()
    }
}
