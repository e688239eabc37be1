//! What a process shares with others, and with its other libraries: exported memory, events that it records for others,
//! and tensors.

use super::access::{Mode, of_device};
use super::media::What;
use super::state::{Clock, Form, Hold, Place, RECORDS, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

/// An event for other processes.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) context: usize,
    is_there: bool,
    /// The stream of the last record, and what is over when it completes.
    recorded: Option<(usize, Clock)>,
    /// The record may have been dropped.
    is_dropped: bool,
}

impl Machine {
    pub(super) fn share_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Export => self.export(step),
            Op::CloseExport => self.close(step),
            Op::ToDlpack => self.give_tensor(step),
            Op::CreateShared => {
                let (context, borrows) = self.binding(step, 0)?;
                self.state.shared.push(Shared {
                    context,
                    is_there: true,
                    recorded: None,
                    is_dropped: false,
                });
                let value = Value::Shared(self.state.shared.len() - 1);
                self.give(step, 0, value, of_device(&borrows));
                Ok(())
            }
            Op::RecordShared => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let (shared, of) = self.shared_event(step, 1, Mode::Exclusive)?;
                let context = self.home_of(stream);
                if self.device_of(of.context) != self.device_of(context) {
                    return Err(Rule::EventOfOther);
                }
                self.note_if(of.context != context, Strictness::Contexts);
                if let Some(of) = self.state.streams.get_mut(stream) {
                    *of.after.entry(stream + RECORDS).or_default() += 1;
                }
                let record = self.after(stream);
                if let Some(of) = self.state.shared.get_mut(shared) {
                    of.recorded = Some((stream, record));
                    of.is_dropped = false;
                }
                Ok(())
            }
            _ => {
                let (_, of) = self.shared_event(step, 0, Mode::Shared)?;
                match of.recorded {
                    Some((stream, record)) => {
                        self.waits_for_record((of.is_dropped, stream), &record, true)
                    }
                    None => Ok(()),
                }
            }
        }
    }

    fn shared_event(&mut self, step: &Step, index: usize, mode: Mode) -> Run<(usize, Shared)> {
        let variable = self.operand(step, index, mode)?;
        let Value::Shared(shared) = variable.value else {
            return Err(Rule::Stopped);
        };
        Ok((shared, self.shared_there(shared)?))
    }

    fn shared_there(&self, shared: usize) -> Run<Shared> {
        self.called()?;
        match self.state.shared.get(shared) {
            Some(of) if of.is_there => Ok(of.clone()),
            _ => Err(Rule::SharedGone),
        }
    }

    /// Other processes read and write the memory from here on.
    fn export(&mut self, step: &Step) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
        if !matches!(self.place(&view)?, Place::Device(_)) {
            return Err(Rule::HostShared);
        }
        self.reaches(context, &view, Rule::OtherDevice)?;
        self.is_quiet(&view, true)?;
        self.touch_any(&view, true, false)?;
        let is_plain = view.form == Form::Whole && view.what == What::Numbers;
        let is_plain = is_plain && !self.is_pooled(&view);
        self.note_if(!is_plain, Strictness::Types);
        view.what = What::Exported;
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// A tensor for another library: it frees memory that it was given, and borrows a part that it was lent.
    fn give_tensor(&mut self, step: &Step) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
        match self.place(&view)? {
            Place::Device(_) => self.reaches(context, &view, Rule::OtherDevice)?,
            Place::Host(_) => {}
            Place::Rust => self.note(Strictness::Types),
        }
        self.is_quiet(&view, view.form != Form::ReadonlyPart)?;
        self.touch_any(&view, true, false)?;
        let has_form = matches!(view.form, Form::Whole | Form::Part | Form::ReadonlyPart);
        let is_plain = has_form && view.what == What::Numbers && !self.is_pooled(&view);
        self.note_if(!is_plain, Strictness::Types);
        self.note_if(view.fresh, Strictness::Form);
        view.what = What::Tensor {
            thread: self.state.thread,
        };
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// The memory belongs to the process alone again.
    fn close(&mut self, step: &Step) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let (mut view, borrows) = self.view(step, 1, Mode::Move)?;
        self.place(&view)?;
        self.reaches(context, &view, Rule::OtherContext)?;
        self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
        self.note_if(view.unverified, Strictness::NotVerified);
        let is_exported = view.form == Form::Whole && view.what == What::Exported;
        self.note_if(!is_exported, Strictness::Types);
        view.what = What::Numbers;
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// The end of a shared event, behind the work of its streams.
    pub(super) fn end_shared(&mut self, shared: usize) -> Run {
        self.shared_there(shared)?;
        if let Some(of) = self.state.shared.get_mut(shared) {
            of.is_there = false;
        }
        Ok(())
    }

    pub(super) fn end_shared_of(&mut self, context: usize) {
        let shared = self.state.shared.iter_mut();
        for of in shared.filter(|of| of.context == context) {
            of.is_there = false;
        }
    }

    /// An abort drops the records of a stream.
    pub(super) fn drop_shared(&mut self, stream: usize) {
        for of in &mut self.state.shared {
            of.is_dropped |= matches!(of.recorded, Some((from, _)) if from == stream);
        }
    }
}
