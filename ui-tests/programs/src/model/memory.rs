//! Steps that allocate, copy, fill, access and free memory.

use super::access::{Mode, of_device};
use super::contents::FILLED;
use super::limit::Limit;
use super::media::What;
use super::state::{Borrows, Form, Hold, Memory, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

impl Machine {
    /// Memory as a destination that is borrowed: a part is given away.
    pub(super) fn target(&mut self, step: &Step, index: usize) -> Run<(View, Borrows)> {
        let name = step.of.get(index).copied();
        let value = name
            .and_then(|name| self.state.variables.get(&name))
            .map(|variable| &variable.value);
        let is_part = matches!(value, Some(Value::Memory(view)) if view.form.is_part());
        let mode = if is_part { Mode::Move } else { Mode::Exclusive };
        self.view(step, index, mode)
    }

    /// Memory as a source: a part is given away.
    pub(super) fn source(&mut self, step: &Step, index: usize) -> Run<View> {
        let name = step.of.get(index).copied();
        let value = name
            .and_then(|name| self.state.variables.get(&name))
            .map(|variable| &variable.value);
        let form = match value {
            Some(Value::Memory(view)) => view.form,
            _ => Form::Whole,
        };
        let mode = match form {
            Form::Part | Form::ReadonlyPart => Mode::Move,
            _ => Mode::Shared,
        };
        // Only a part for reading is a source.
        self.note_if(form == Form::Part, Strictness::Types);
        let view = self.view(step, index, mode)?.0;
        Ok(self.only_piece(view))
    }

    pub(super) fn new_memory(&mut self, place: Place, written: bool) -> View {
        self.state.memory.push(Memory {
            place,
            origin: None,
            alive: true,
            written: if written { 3 } else { 0 },
            numbers: [written.then_some(1); 2],
            uses: Vec::new(),
            shares: 0,
            lent: Vec::new(),
        });
        View {
            memory: self.state.memory.len() - 1,
            what: What::Numbers,
            halves: 3,
            hold: Hold::Idle,
            form: Form::Whole,
            fresh: !written,
            history: Vec::new(),
            unverified: false,
            unbranded: false,
        }
    }

    /// The destination of a copy or fill: fresh memory by value if the step has a result, else memory by `&mut`.
    pub(super) fn destination(&mut self, step: &Step, index: usize) -> Run<(View, Borrows)> {
        let by_value = !step.to.is_empty();
        let (view, borrows) = if by_value {
            self.view(step, index, Mode::Move)?
        } else {
            self.target(step, index)?
        };
        self.note_if(by_value != view.fresh, Strictness::Form);
        Ok((view, borrows))
    }

    /// The written memory as the result of the step, if the destination was passed by value.
    pub(super) fn written(&mut self, step: &Step, view: View, borrows: Borrows) {
        let view = View {
            fresh: false,
            history: Vec::new(),
            ..view
        };
        self.give(step, 0, Value::Memory(view), borrows);
    }

    pub(super) fn memory_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Malloc | Op::MallocHost => {
                let (context, borrows) = self.binding(step, 0)?;
                let is_host = step.op == Op::MallocHost;
                let place = if is_host {
                    Place::Host(context)
                } else {
                    Place::Device(context)
                };
                let view = self.new_memory(place, is_host);
                self.give(step, 0, Value::Memory(view), of_device(&borrows));
            }
            Op::Vec => {
                let view = self.new_memory(Place::Rust, true);
                self.give(step, 0, Value::Memory(view), Vec::new());
            }
            Op::MallocOn | Op::MallocHostOn => {
                let (stream, borrows) = self.stream(step, 0, Mode::Shared)?;
                let context = self.home_of(stream);
                let is_host = step.op == Op::MallocHostOn;
                let place = if is_host {
                    Place::Host(context)
                } else {
                    Place::Device(context)
                };
                let mut view = self.new_memory(place, is_host);
                view.hold = Hold::Queued(stream);
                self.give(step, 0, Value::Memory(view), of_device(&borrows));
            }
            Op::Memset => {
                let (context, _) = self.binding(step, 0)?;
                let (view, borrows) = self.destination(step, 1)?;
                if self.place(&view)? == Place::Rust {
                    return Err(Rule::NotAllocated);
                }
                self.reaches(context, &view, Rule::OtherDevice)?;
                self.touch(&in_copy(&view), false, true)?;
                self.set_numbers(&view, [Some(FILLED); 2]);
                self.written(step, view, borrows);
            }
            Op::Memcpy => {
                let (context, _) = self.binding(step, 0)?;
                let from = self.source(step, 2)?;
                let (to, borrows) = self.destination(step, 1)?;
                self.note_if(step.of.get(1) == step.of.get(2), Strictness::Borrowed);
                self.direction(&to, &from)?;
                self.reaches(context, &to, Rule::OtherDevice)?;
                self.reaches(context, &from, Rule::OtherDevice)?;
                let is_rust = self.place(&to)? == Place::Rust || self.place(&from)? == Place::Rust;
                self.note_if(is_rust, Strictness::Types);
                self.note_if(from.form == Form::Share, Strictness::Types);
                self.note_if(is_exported(&to) && is_exported(&from), Strictness::Types);
                self.touch(&in_copy(&from), true, false)?;
                self.touch(&in_copy(&to), false, true)?;
                self.copy_numbers(&to, &from);
                self.written(step, to, borrows);
            }
            Op::MemsetAsync => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let (view, borrows) = self.destination(step, 1)?;
                if self.place(&view)? == Place::Rust {
                    return Err(Rule::NotAllocated);
                }
                let task = self.task(stream);
                self.queue((stream, task), &in_copy(&view), (false, true), true)?;
                self.set_numbers(&view, [Some(FILLED); 2]);
                self.written(step, view, borrows);
            }
            Op::MemcpyAsync => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let from = self.source(step, 2)?;
                let (to, borrows) = self.destination(step, 1)?;
                self.note_if(step.of.get(1) == step.of.get(2), Strictness::Borrowed);
                self.direction(&to, &from)?;
                let task = self.task(stream);
                self.note_if(is_exported(&to) && is_exported(&from), Strictness::Types);
                self.queue((stream, task), &in_copy(&from), (true, false), true)?;
                self.queue((stream, task), &in_copy(&to), (false, true), true)?;
                self.copy_numbers(&to, &from);
                self.written(step, to, borrows);
            }
            Op::Read | Op::Write => {
                let writes = step.op == Op::Write;
                let mode = Mode::exclusive_if(writes);
                let (view, _) = self.view(step, 0, mode)?;
                if matches!(self.place(&view)?, Place::Device(_)) {
                    return Err(Rule::HostTouchesDevice);
                }
                let numbers = self.numbers(&view);
                self.touch(&view, !writes, writes)?;
                if writes {
                    self.set_numbers(&view, [Some(5), numbers[1]]);
                } else {
                    self.reads.find(numbers[0]);
                }
                self.note_if(view.fresh, Strictness::Form);
                let is_whole = matches!(view.form, Form::Whole | Form::Share);
                self.note_if(!is_whole, Strictness::Types);
            }
            Op::Free => {
                let (view, _) = self.view(step, 0, Mode::Move)?;
                if self.place(&view)? == Place::Rust || view.form.is_part() {
                    return Err(Rule::NotAllocated);
                }
                let is_shared = is_exported(&view);
                self.free(&view)?;
                if is_shared {
                    return Err(Rule::ExportOpen);
                }
                self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
                self.note_if(view.unverified, Strictness::NotVerified);
                let is_memory = matches!(view.what, What::Numbers | What::Reserved { .. });
                let is_whole = view.form == Form::Whole && is_memory;
                self.note_if(!is_whole, Strictness::Types);
            }
            _ => {
                let (context, _) = self.binding(step, 0)?;
                let (view, _) = self.view(step, 1, Mode::Move)?;
                self.wait_for_context(context, Limit::None)?;
                if !matches!(self.place(&view)?, Place::Device(_)) {
                    return Err(Rule::NotAllocated);
                }
                self.reaches(context, &view, Rule::OtherDevice)?;
                let is_whole = view.form == Form::Whole && view.what == What::Numbers;
                let is_plain = is_whole && !self.is_pooled(&view);
                self.note_if(view.hold == Hold::Idle || !is_plain, Strictness::Types);
                if let Hold::Queued(stream) = view.hold {
                    let home = self.state.streams.get(stream).map(|stream| stream.context);
                    self.note_if(home != Some(context), Strictness::Types);
                }
                self.free(&view)?;
            }
        }
        Ok(())
    }
}

fn is_exported(view: &View) -> bool {
    view.what == What::Exported
}

/// Memory as the operand of a copy or a fill: exported memory is one.
fn in_copy(view: &View) -> View {
    let what = match view.what {
        What::Exported => What::Numbers,
        what => what,
    };
    View {
        what,
        ..view.clone()
    }
}
