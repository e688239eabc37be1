//! Memory at reserved addresses, which grows by pieces: mapping it moves nothing, so work may use the pieces that there are.
//!
//! Each piece is memory of its own. The whole has the tasks that use a piece, for its end.

use super::access::{Mode, of_device};
use super::contents::FILLED;
use super::media::What;
use super::state::{Form, Hold, Place, Use, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

/// Reserved addresses: the memory of each piece that was mapped, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reserved {
    pieces: Vec<usize>,
    /// The number of pieces that the buffer has; it may have been shortened.
    len: usize,
}

/// A buffer that grows, and its number.
type Whole = (View, usize);

impl Machine {
    pub(super) fn reserved_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::ReserveMem => {
                let (context, borrows) = self.binding(step, 0)?;
                self.state.reserved.push(Reserved::default());
                let mut view = self.new_memory(Place::Device(context), true);
                self.set_numbers(&view, [None; 2]);
                view.what = What::Reserved {
                    reserved: self.state.reserved.len() - 1,
                };
                self.give(step, 0, Value::Memory(view), of_device(&borrows));
            }
            Op::MapMem => {
                let (context, _) = self.binding(step, 0)?;
                if let Some((view, _)) = self.grown(step, 1, Mode::Exclusive)? {
                    self.reaches(context, &view, Rule::OtherDevice)?;
                    self.note_if(view.unverified, Strictness::NotVerified);
                }
            }
            Op::GrowFilled | Op::GrowCopied => self.grow_now(step)?,
            Op::GrowFilledOn | Op::GrowCopiedOn => self.grow_on(step)?,
            Op::ReadTail => {
                self.stream(step, 0, Mode::Exclusive)?;
                self.binding(step, 1)?;
                self.target(step, 2)?;
                if self.grown(step, 3, Mode::Exclusive)?.is_some() {
                    return Err(Rule::Unwritten);
                }
            }
            Op::ReadGrown { piece } | Op::ReadGrownOn { piece } => {
                self.read_grown(step, usize::from(piece))?;
            }
            Op::WriteGrownOn { piece } => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                if let Some(whole) = self.grown(step, 1, Mode::Exclusive)? {
                    let view = self.piece(&whole, usize::from(piece))?;
                    self.work(stream, &whole.0, &view, (false, true))?;
                    self.set_numbers(&view, [Some(FILLED); 2]);
                }
            }
            Op::Truncate { to } => {
                if let Some((_, reserved)) = self.grown(step, 0, Mode::Exclusive)? {
                    self.change_reserved(reserved, |of| of.len = of.len.min(usize::from(to)));
                }
            }
            _ => self.unmap(step)?,
        }
        Ok(())
    }

    /// A buffer that grows, as an operand. Other memory has not the steps of one.
    fn grown(&mut self, step: &Step, index: usize, mode: Mode) -> Run<Option<Whole>> {
        let (view, _) = self.view(step, index, mode)?;
        self.place(&view)?;
        self.note_if(view.form != Form::Whole, Strictness::Types);
        match view.what {
            What::Reserved { reserved } => Ok(Some((view, reserved))),
            _ => {
                self.note(Strictness::Types);
                Ok(None)
            }
        }
    }

    fn change_reserved(&mut self, reserved: usize, f: impl FnOnce(&mut Reserved)) {
        if let Some(reserved) = self.state.reserved.get_mut(reserved) {
            f(reserved);
        }
    }

    /// The number of pieces of a buffer that grows.
    pub(super) fn pieces_of(&self, view: &View) -> Option<usize> {
        match view.what {
            What::Reserved { reserved } => self.state.reserved.get(reserved).map(|of| of.len),
            _ => None,
        }
    }

    /// The piece of a buffer that has no other, if other memory is not meant: its length is that of other memory.
    pub(super) fn only_piece(&mut self, view: View) -> View {
        let What::Reserved { reserved } = view.what else {
            return view;
        };
        self.note(Strictness::Types);
        match self.pieces_of(&view) {
            Some(1) => self.piece(&(view.clone(), reserved), 0).unwrap_or(view),
            _ => view,
        }
    }

    /// A piece that was written, with who holds it.
    fn piece(&self, (view, reserved): &Whole, piece: usize) -> Run<View> {
        let of = self.state.reserved.get(*reserved).ok_or(Rule::Stopped)?;
        let memory = of.pieces.get(piece).filter(|_| piece < of.len);
        Ok(View {
            memory: *memory.ok_or(Rule::NotGrown)?,
            what: What::Numbers,
            ..view.clone()
        })
    }

    /// The next piece, which the work of the step writes.
    fn next_piece(&mut self, (view, reserved): &Whole) -> Run<View> {
        let of = self.state.reserved.get(*reserved).ok_or(Rule::Stopped)?;
        if of.pieces.len() == of.len {
            let memory = self.new_memory(self.place(view)?, false).memory;
            self.change_reserved(*reserved, |of| of.pieces.push(memory));
        }
        self.change_reserved(*reserved, |of| of.len += 1);
        let len = self.pieces_of(view).unwrap_or_default();
        self.piece(&(view.clone(), *reserved), len.saturating_sub(1))
    }

    /// A task of a stream uses a piece.
    fn work(&mut self, stream: usize, whole: &View, piece: &View, uses: (bool, bool)) -> Run {
        let task = self.task(stream);
        self.queue((stream, task), piece, uses, true)?;
        let halves = whole.halves;
        self.change_memory(whole, |memory| {
            memory.uses.push(Use {
                stream,
                task,
                writes: false,
                halves,
            });
        });
        Ok(())
    }

    fn grow_now(&mut self, step: &Step) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let from = match step.op {
            Op::GrowCopied => Some(self.source(step, 2)?),
            _ => None,
        };
        let Some(whole) = self.grown(step, 1, Mode::Exclusive)? else {
            return Ok(());
        };
        self.reaches(context, &whole.0, Rule::OtherDevice)?;
        let view = self.next_piece(&whole)?;
        if let Some(from) = &from {
            self.direction(&view, from)?;
            self.reaches(context, from, Rule::OtherDevice)?;
            let is_rust = self.place(from)? == Place::Rust;
            self.note_if(is_rust || from.form == Form::Share, Strictness::Types);
            self.touch(from, true, false)?;
        }
        self.touch(&view, false, true)?;
        match &from {
            Some(from) => self.copy_numbers(&view, from),
            None => self.set_numbers(&view, [Some(FILLED); 2]),
        }
        Ok(())
    }

    fn grow_on(&mut self, step: &Step) -> Run {
        let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
        let (context, _) = self.binding(step, 1)?;
        let from = match step.op {
            Op::GrowCopiedOn => Some(self.source(step, 3)?),
            _ => None,
        };
        let Some(whole) = self.grown(step, 2, Mode::Exclusive)? else {
            return Ok(());
        };
        self.reaches(context, &whole.0, Rule::OtherDevice)?;
        let view = self.next_piece(&whole)?;
        if let Some(from) = &from {
            self.direction(&view, from)?;
            let task = (stream, self.task(stream));
            self.queue(task, from, (true, false), true)?;
        }
        self.work(stream, &whole.0, &view, (false, true))?;
        match &from {
            Some(from) => self.copy_numbers(&view, from),
            None => self.set_numbers(&view, [Some(FILLED); 2]),
        }
        Ok(())
    }

    /// A copy of a piece.
    fn read_grown(&mut self, step: &Step, piece: usize) -> Run {
        let stream = match step.op {
            Op::ReadGrownOn { .. } => Some(self.stream(step, 0, Mode::Exclusive)?.0),
            _ => None,
        };
        let context = match stream {
            Some(stream) => self.home_of(stream),
            None => self.binding(step, 0)?.0,
        };
        let Some(whole) = self.grown(step, 2, Mode::Shared)? else {
            return Ok(());
        };
        let (to, borrows) = self.destination(step, 1)?;
        self.note_if(step.of.get(1) == step.of.get(2), Strictness::Borrowed);
        let from = self.piece(&whole, piece)?;
        self.direction(&to, &from)?;
        if let Some(stream) = stream {
            self.work(stream, &whole.0, &from, (true, false))?;
            let task = (stream, self.tasks(stream));
            self.queue(task, &to, (false, true), true)?;
        } else {
            self.reaches(context, &to, Rule::OtherDevice)?;
            self.reaches(context, &from, Rule::OtherDevice)?;
            let is_rust = self.place(&to)? == Place::Rust;
            self.note_if(is_rust, Strictness::Types);
            self.touch(&from, true, false)?;
            self.touch(&to, false, true)?;
        }
        self.copy_numbers(&to, &from);
        self.written(step, to, borrows);
        Ok(())
    }

    /// The memory behind the last element is freed. It is one unit for all pieces.
    fn unmap(&mut self, step: &Step) -> Run {
        let Some((view, reserved)) = self.grown(step, 0, Mode::Exclusive)? else {
            return Ok(());
        };
        self.called()?;
        if self.pieces_of(&view) == Some(0) {
            let busy = self.is_quiet(&view, true);
            busy.map_err(|_| Rule::FreedInUse)?;
            self.end_pieces(&view);
            self.change_reserved(reserved, |of| of.pieces.clear());
        }
        self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
        self.note_if(view.unverified, Strictness::NotVerified);
        Ok(())
    }

    /// The memory of the pieces ends with the whole.
    pub(super) fn end_pieces(&mut self, view: &View) {
        let What::Reserved { reserved } = view.what else {
            return;
        };
        let of = self.state.reserved.get(reserved);
        for piece in of.map(|of| of.pieces.clone()).unwrap_or_default() {
            if let Some(memory) = self.state.memory.get_mut(piece) {
                memory.alive = false;
            }
        }
    }
}
