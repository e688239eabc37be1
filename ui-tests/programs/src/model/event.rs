//! Steps with events: records, waits, fences, times.

use super::access::{Mode, of_device};
use super::state::{Borrows, Clock, Event, Form, Hold, RECORDS, Value, View, join};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Flags, Op, Step};

impl Machine {
    /// The capability of an event to be waited for by streams.
    fn can_order(event: &Event) -> bool {
        matches!(event.flags, Flags::Order | Flags::OrderTiming)
    }

    fn event(&self, event: usize) -> Run<Event> {
        match self.state.events.get(event) {
            Some(event) if event.alive => Ok(event.clone()),
            _ => Err(Rule::EventGone),
        }
    }

    /// Records an event on a stream, and returns what is over when it completes.
    fn record(&mut self, stream: usize, event: usize) -> Run<Clock> {
        let of = self.event(event)?;
        let context = self.home_of(stream);
        if of.context != context {
            return Err(Rule::EventOfOther);
        }
        if let Some(of) = self.state.streams.get_mut(stream) {
            *of.after.entry(stream + RECORDS).or_default() += 1;
        }
        let record = self.after(stream);
        if let Some(of) = self.state.events.get_mut(event) {
            of.recorded = Some((stream, record.clone()));
            of.dropped = false;
        }
        Ok(record)
    }

    /// Lets a stream wait for an event, perhaps to take memory over.
    fn wait(&mut self, (stream, takes): (usize, bool), event: usize, record: &Clock) -> Run {
        let of = self.event(event)?;
        let context = self.home_of(stream);
        if of.context != context {
            return Err(Rule::EventOfOther);
        }
        if !Self::can_order(&of) {
            return Err(Rule::NoOrder);
        }
        let recorded_on = of.recorded.map(|(from, _)| from);
        if of.dropped || recorded_on.is_some_and(|from| self.is_stuck(from)) {
            return Err(Rule::Dropped);
        }
        let is_over = self.has_ended(record);
        if let Some(waiting) = self.state.streams.get_mut(stream) {
            join(&mut waiting.after, record);
            if let Some(from) = recorded_on.filter(|from| *from != stream && !is_over) {
                *waiting.waits.entry(from).or_default() |= takes;
            }
        }
        Ok(())
    }

    pub(super) fn event_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::CreateEvent(flags) => {
                let (context, borrows) = self.binding(step, 0)?;
                self.state.events.push(Event {
                    context,
                    alive: true,
                    flags,
                    recorded: None,
                    dropped: false,
                });
                let event = self.state.events.len() - 1;
                self.give(step, 0, Value::Event(event), of_device(&borrows));
            }
            Op::DestroyEvent => {
                let variable = self.operand(step, 0, Mode::Move)?;
                if let Value::Event(event) = variable.value {
                    self.destroy_event(event)?;
                }
            }
            Op::Record => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let variable = self.operand(step, 1, Mode::Exclusive)?;
                let Value::Event(event) = variable.value else {
                    return Ok(());
                };
                self.record(stream, event)?;
                let borrow = step.of.get(1).map(|name| (*name, true));
                self.give(
                    step,
                    0,
                    Value::Point { event },
                    borrow.into_iter().collect(),
                );
            }
            Op::Wait => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let event = self.point(step, 1)?;
                let record = self.event(event)?.recorded.map(|(_, record)| record);
                self.wait((stream, false), event, &record.unwrap_or_default())?;
            }
            Op::SynchronizePoint => {
                let event = self.point(step, 0)?;
                let of = self.event(event)?;
                let (stream, record) = of.recorded.unwrap_or_default();
                self.waits_for_record((of.dropped, stream), &record, false)?;
                let borrow = step
                    .of
                    .first()
                    .and_then(|name| self.state.variables.get(name));
                let borrows = borrow
                    .map(|point| point.borrows.clone())
                    .unwrap_or_default();
                self.give(step, 0, Value::Done { event, stream }, borrows);
            }
            Op::QueryPoint => {
                let event = self.point(step, 0)?;
                // The answer may never be that it has completed.
                if self.event(event)?.dropped {
                    return Err(Rule::Dropped);
                }
            }
            Op::Elapsed => {
                let mut streams = Vec::new();
                for index in [0, 1] {
                    let variable = self.operand(step, index, Mode::Shared)?;
                    self.called()?;
                    let Value::Done { event, stream } = variable.value else {
                        return Ok(());
                    };
                    if !matches!(self.event(event)?.flags, Flags::Timing | Flags::OrderTiming) {
                        return Err(Rule::NoTime);
                    }
                    streams.push(stream);
                }
                if streams.first() != streams.last() {
                    return Err(Rule::OtherTimes);
                }
            }
            Op::Handoff => self.handoff(step)?,
            _ => self.fence_step(step)?,
        }
        Ok(())
    }

    fn point(&mut self, step: &Step, index: usize) -> Run<usize> {
        let variable = self.operand(step, index, Mode::Shared)?;
        self.called()?;
        match variable.value {
            Value::Point { event } => Ok(event),
            _ => Err(Rule::Stopped),
        }
    }

    /// Memory moves to another stream.
    fn moved(&mut self, view: View, from: usize, to: usize) -> View {
        let mut history = view.history;
        history.insert(0, (from, self.tasks(from)));
        View {
            hold: Hold::Queued(to),
            history,
            unbranded: false,
            ..view
        }
    }

    pub(super) fn note_home(&mut self, view: &View, stream: usize) {
        match view.hold {
            Hold::Idle => self.note(Strictness::NotAdopted),
            Hold::Queued(home) => self.note_if(home != stream, Strictness::NotTaken),
        }
        self.note_if(view.unbranded, Strictness::Brand);
        self.note_if(view.unverified, Strictness::NotVerified);
        let is_part = view.form.is_part();
        self.note_if(is_part, Strictness::Types);
    }

    fn handoff(&mut self, step: &Step) -> Run {
        let (from, _) = self.stream(step, 0, Mode::Exclusive)?;
        let (to, _) = self.stream(step, 1, Mode::Exclusive)?;
        self.note_if(step.of.first() == step.of.get(1), Strictness::Borrowed);
        let variable = self.operand(step, 2, Mode::Exclusive)?;
        let (view, borrows) = self.view(step, 3, Mode::Move)?;
        let Value::Event(event) = variable.value else {
            return Ok(());
        };
        self.place(&view)?;
        self.note_home(&view, from);
        let record = self.record(from, event)?;
        self.wait((to, true), event, &record)?;
        let view = self.moved(view, from, to);
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    fn fence_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Fence => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let variable = self.operand(step, 1, Mode::Move)?;
                let (view, mut borrows) = self.view(step, 2, Mode::Move)?;
                let Value::Event(event) = variable.value else {
                    return Ok(());
                };
                self.place(&view)?;
                self.note_home(&view, stream);
                let record = self.record(stream, event)?;
                borrows.extend(variable.borrows);
                let value = Value::Fence {
                    event,
                    record,
                    stream,
                    view,
                };
                self.give(step, 0, value, borrows);
            }
            Op::WaitFence | Op::WaitShared => {
                let (to, _) = self.stream(step, 0, Mode::Exclusive)?;
                let shared = step.op == Op::WaitShared;
                let mode = if shared { Mode::Shared } else { Mode::Move };
                let (event, record, from, view, borrows) = self.fence(step, 1, mode)?;
                self.wait((to, true), event, &record)?;
                self.place(&view)?;
                let context = self.home_of(to);
                self.reaches(context, &view, Rule::DeviceOfStream)?;
                if shared {
                    self.note_if(view.form != Form::Share, Strictness::Types);
                    self.change_memory(&view, |memory| memory.shares += 1);
                }
                let view = self.moved(view, from, to);
                self.give(step, 0, Value::Memory(view), borrows.clone());
                if !shared {
                    self.give(step, 1, Value::Event(event), borrows);
                }
            }
            Op::SynchronizeFence | Op::SynchronizeFenceWithin => {
                let (event, record, stream, mut view, borrows) = self.fence(step, 0, Mode::Move)?;
                let dropped = self.event(event)?.dropped;
                let within = step.op == Op::SynchronizeFenceWithin;
                self.waits_for_record((dropped, stream), &record, within)?;
                self.is_quiet(&view, view.form != Form::Share)?;
                let context = self.home_of(stream);
                if self.stops(context) {
                    view.history.clear();
                } else {
                    let task = record.get(&stream).copied().unwrap_or(0);
                    view.history.insert(0, (stream, task));
                    view.unverified = true;
                }
                view.hold = Hold::Idle;
                self.give(step, 0, Value::Memory(view), borrows.clone());
                self.give(step, 1, Value::Event(event), borrows);
            }
            _ => {
                let (event, _, _, view, borrows) = self.fence(step, 0, Mode::Move)?;
                self.event(event)?;
                self.give(step, 0, Value::Memory(view), borrows.clone());
                self.give(step, 1, Value::Event(event), borrows);
            }
        }
        Ok(())
    }

    fn fence(&mut self, step: &Step, index: usize, mode: Mode) -> Run<Opened> {
        let variable = self.operand(step, index, mode)?;
        self.called()?;
        match variable.value {
            Value::Fence {
                event,
                record,
                stream,
                view,
            } => Ok((event, record, stream, view, variable.borrows)),
            _ => Err(Rule::Stopped),
        }
    }
}

type Opened = (usize, Clock, usize, View, Borrows);
