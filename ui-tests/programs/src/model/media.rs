//! Steps with pictures and channels of the media engine, with models, and with counted numbers.

use super::access::{Mode, of_device};
use super::state::{Form, Hold, Place, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

/// What memory has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Numbers,
    /// As many numbers as the data decide, with the description that says how many. One thread has it.
    Counted {
        thread: usize,
    },
    Picture {
        /// The status of the tasks behind the contents was read.
        checked: bool,
    },
    /// A channel: each of its tasks uses it alone.
    Channel {
        thread: usize,
    },
    /// A graph: each of its runs uses it alone.
    Graph {
        graph: usize,
    },
    /// Memory that grows: its pieces are memory of their own.
    Reserved {
        reserved: usize,
    },
    /// Memory that other processes can import.
    Exported,
    /// A tensor of DLPack that has the memory.
    Tensor {
        thread: usize,
    },
    /// A loaded model: each of its runs uses it alone.
    Model {
        thread: usize,
    },
}

impl What {
    /// The thread that has it, and whose context its end needs.
    pub(crate) fn thread(self) -> Option<usize> {
        match self {
            What::Channel { thread } | What::Model { thread } => Some(thread),
            _ => None,
        }
    }
}

/// The tasks of which the contents of a picture are the result: on its own streams, and on those of pictures that were
/// read there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tasks {
    own: Vec<(usize, u64)>,
    foreign: Vec<(usize, u64)>,
}

impl Machine {
    pub(super) fn media_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Media => {
                self.operand(step, 0, Mode::Shared)?;
                if std::mem::replace(&mut self.state.media, true) {
                    return Err(Rule::MediaTaken);
                }
                self.give(step, 0, Value::Media, Self::borrow(step, 0, false));
            }
            Op::Channel | Op::Picture => {
                self.operand(step, 0, Mode::Shared)?;
                let (context, borrows) = self.binding(step, 1)?;
                let is_channel = step.op == Op::Channel;
                self.has_other_queues(context);
                let mut view = self.new_memory(Place::Device(context), is_channel);
                let (what, borrows) = if is_channel {
                    let thread = self.state.thread;
                    let media = Self::borrow(step, 0, false);
                    (What::Channel { thread }, [media, borrows].concat())
                } else {
                    (What::Picture { checked: true }, of_device(&borrows))
                };
                view.what = what;
                self.give(step, 0, Value::Memory(view), borrows);
            }
            Op::Load => {
                let (context, borrows) = self.binding(step, 0)?;
                self.has_other_queues(context);
                let mut view = self.new_memory(Place::Device(context), true);
                let thread = self.state.thread;
                view.what = What::Model { thread };
                self.give(step, 0, Value::Memory(view), borrows);
            }
            Op::Infer => self.infer(step)?,
            Op::Paint => {
                let (context, _) = self.binding(step, 0)?;
                let (view, borrows) = self.destination(step, 1)?;
                self.picture(&view, true);
                self.reaches(context, &view, Rule::OtherDevice)?;
                self.touch_any(&view, false, true)?;
                self.written(step, view, borrows);
            }
            Op::Crop => self.crop(step)?,
            Op::Check => self.check(step)?,
            Op::Pixels => {
                let (context, _) = self.binding(step, 0)?;
                let (view, _) = self.view(step, 1, Mode::Shared)?;
                self.reaches(context, &view, Rule::OtherDevice)?;
                self.touch_any(&view, true, false)?;
                if view.what == (What::Picture { checked: false }) {
                    return Err(Rule::StatusUnread);
                }
                self.picture(&view, true);
            }
            _ => {
                let (context, _) = self.binding(step, 0)?;
                let (view, _) = self.view(step, 1, Mode::Shared)?;
                self.reaches(context, &view, Rule::OtherDevice)?;
                self.touch_any(&view, true, false)?;
                self.note_if(
                    !matches!(view.what, What::Counted { .. }),
                    Strictness::Types,
                );
            }
        }
        Ok(())
    }

    /// Notes what is no picture in this state.
    fn picture(&mut self, view: &View, checked: bool) {
        self.note_if(view.what != What::Picture { checked }, Strictness::Types);
    }

    fn infer(&mut self, step: &Step) -> Run {
        let (model, _) = self.view(step, 0, Mode::Exclusive)?;
        let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
        let from = self.source(step, 2)?;
        let (to, borrows) = self.destination(step, 3)?;
        let is_model = matches!(model.what, What::Model { .. });
        self.note_if(!is_model, Strictness::Types);
        self.note_if(step.of.get(2) == step.of.get(3), Strictness::Borrowed);
        for view in [&from, &to] {
            if !matches!(self.place(view)?, Place::Device(_)) {
                return Err(Rule::HostOfModel);
            }
            if view.halves != 3 {
                return Err(Rule::Length);
            }
            self.note_if(view.form != Form::Whole, Strictness::Types);
        }
        let task = (stream, self.task(stream));
        self.queue_any(task, &model, (true, true), true)?;
        self.queue(task, &from, (true, false), true)?;
        self.queue(task, &to, (false, true), true)?;
        self.written(step, to, borrows);
        Ok(())
    }

    fn crop(&mut self, step: &Step) -> Run {
        let (channel, _) = self.view(step, 0, Mode::Shared)?;
        let (stream, _) = self.stream(step, 1, Mode::Shared)?;
        let (from, _) = self.view(step, 2, Mode::Shared)?;
        let (to, borrows) = self.destination(step, 3)?;
        let is_channel = matches!(channel.what, What::Channel { .. });
        self.note_if(!is_channel, Strictness::Types);
        let is_picture = matches!(from.what, What::Picture { .. });
        let is_read = is_picture && from.form != Form::Share;
        self.note_if(!is_read, Strictness::Types);
        let is_fresh = to.fresh && matches!(to.what, What::Picture { .. });
        let is_written = is_fresh || to.what == What::Picture { checked: false };
        self.note_if(!is_written, Strictness::Types);
        self.note_if(step.of.get(2) == step.of.get(3), Strictness::Borrowed);
        let task = (stream, self.task(stream));
        self.queue_any(task, &channel, (true, true), true)?;
        self.queue_any(task, &from, (true, false), true)?;
        self.queue_any(task, &to, (false, true), true)?;
        let read = self.tasks_of(&from);
        // Another stream has made it, and a wait for this one does not say whether that succeeded.
        let context = self.state.streams.get(stream).map_or(0, |of| of.context);
        let is_foreign = !from.history.is_empty() && !self.stops(context);
        let tasks = self.state.pictures.entry(to.memory).or_default();
        if is_foreign {
            tasks.foreign.extend(read.own);
        } else {
            tasks.own.extend(read.own);
        }
        tasks.foreign.extend(read.foreign);
        tasks.own.push(task);
        let what = What::Picture { checked: false };
        self.written(step, View { what, ..to }, borrows);
        Ok(())
    }

    fn tasks_of(&self, view: &View) -> Tasks {
        let tasks = self.state.pictures.get(&view.memory).cloned();
        tasks.unwrap_or_default()
    }

    /// The status of the tasks of a picture is read.
    fn check(&mut self, step: &Step) -> Run {
        let (view, borrows) = self.view(step, 0, Mode::Move)?;
        self.is_quiet(&view, true)?;
        let tasks = self.tasks_of(&view);
        let is_proven = |(stream, task): &(usize, u64)| {
            let context = self.state.streams.get(*stream).map_or(0, |of| of.context);
            // An event behind a failure does not complete on a device that stops.
            let is_over = self.stops(context) && self.is_done(*stream, *task);
            is_over || self.is_proven(*stream, *task)
        };
        if !tasks.own.iter().chain(&tasks.foreign).all(is_proven) {
            return Err(Rule::Unproven);
        }
        self.picture(&view, false);
        self.note_if(view.fresh || view.form != Form::Whole, Strictness::Types);
        self.note_if(view.hold != Hold::Idle, Strictness::NotTaken);
        self.note_if(view.unverified, Strictness::NotVerified);
        let is_accepted = |task: &(usize, u64)| self.state.accepted.contains(task);
        let is_unchecked = |task: &(usize, u64)| !self.state.checked.contains(task);
        let own = tasks.own.iter().any(is_accepted);
        let mut foreign = tasks
            .foreign
            .iter()
            .filter(|task| !tasks.own.contains(task));
        let is_strict = own || foreign.any(|task| is_accepted(task) || is_unchecked(task));
        self.note_if(is_strict, Strictness::Accepted);
        self.state.checked.extend(tasks.own);
        self.state.pictures.remove(&view.memory);
        let what = What::Picture { checked: true };
        self.give(step, 0, Value::Memory(View { what, ..view }), borrows);
        Ok(())
    }

    /// A result is taken without a proof.
    pub(super) fn accept_tasks(&mut self, view: &View) {
        let tasks = self.tasks_of(view);
        self.state.accepted.extend(tasks.own);
    }
}
