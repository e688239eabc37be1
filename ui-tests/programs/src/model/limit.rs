//! Limits of waits, and the aborts behind them.

use super::access::Mode;
use super::state::{Clock, Naming, RECORDS, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::Step;

/// The limit of a wait of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    None,
    /// That of the call, on a device with a limit.
    Own,
    /// That of the releases of the device, if it has one. A drop tells nobody that it has passed, and the end of a scope need not
    /// wait for a stream that has none of its memory.
    OfDevice,
}

impl Machine {
    /// Whether a device has a limit.
    pub(super) fn has_limit(&self) -> bool {
        self.state.devices.iter().any(|device| device.limited)
    }

    fn is_limited(&self, stream: usize) -> bool {
        self.is_limited_in(self.home_of(stream))
    }

    /// Whether the device of a context has a limit.
    pub(super) fn is_limited_in(&self, context: usize) -> bool {
        let device = self.device_of(context);
        let device = self.state.devices.get(device);
        device.is_some_and(|device| device.limited)
    }

    /// Whether a stream waits for a record that was dropped.
    pub(super) fn is_stuck(&self, stream: usize) -> bool {
        self.state.streams.get(stream).is_some_and(|of| of.stuck)
    }

    /// A wait for a stream: it ends, because nothing that the stream waits for was dropped.
    pub(super) fn note_wait(&mut self, stream: usize, after: &Clock, limit: Limit) -> Run {
        if self.is_stuck(stream) {
            return Err(Rule::Dropped);
        }
        let has_limit = match limit {
            Limit::None => false,
            // Behind its error, the program drops the stream.
            Limit::Own | Limit::OfDevice => self.is_limited(stream),
        };
        self.unbounded |= !has_limit && !self.is_known(after);
        Ok(())
    }

    /// The limit of a run that borrows its operands: it returns an error when the limit has passed.
    pub(super) fn limit_of_run(&self, stream: usize) -> Limit {
        match self.is_limited(stream) {
            true => Limit::Own,
            false => Limit::None,
        }
    }

    /// Whether the host has waited for all tasks of a clock.
    fn is_known(&self, clock: &Clock) -> bool {
        let awaited = |stream| self.state.awaited.get(stream).copied().unwrap_or_default();
        let mut tasks = clock.iter().filter(|(stream, _)| **stream < RECORDS);
        tasks.all(|(stream, task)| awaited(stream) >= *task)
    }

    /// Whether a wait of the host for all tasks and records of a clock has ended, perhaps by the limit of a device.
    pub(super) fn has_ended(&self, clock: &Clock) -> bool {
        let over = |stream| self.state.over.get(stream).copied().unwrap_or_default();
        clock.iter().all(|(stream, task)| over(stream) >= *task)
    }

    /// A wait of the host for an event that a stream has recorded.
    pub(super) fn waits_for_record(
        &mut self,
        (dropped, stream): (bool, usize),
        record: &Clock,
        within: bool,
    ) -> Run {
        if dropped || self.is_stuck(stream) {
            return Err(Rule::Dropped);
        }
        let has_limit = within && self.is_limited(stream);
        self.unbounded |= !has_limit && !self.is_known(record);
        self.is_reached(record);
        Ok(())
    }

    /// The number of aborts in a context.
    pub(super) fn aborts(&self, context: usize) -> usize {
        let of = self.state.contexts.get(context);
        of.map_or(0, |context| context.aborts)
    }

    /// A wait that is to prove something of a stream.
    pub(super) fn is_unspoilt(&self, stream: usize) -> Run {
        let of = self.state.streams.get(stream);
        if of.is_some_and(|of| of.aborts > 0) {
            return Err(Rule::Poisoned);
        }
        Ok(())
    }

    /// Queues that no abort reaches, on the device of a context. Their waits have no limit.
    pub(super) fn has_other_queues(&mut self, context: usize) {
        let device = self.device_of(context);
        if let Some(device) = self.state.devices.get_mut(device) {
            device.other_queues = true;
        }
        self.unbounded = true;
    }

    /// Drops the work of a stream, and waits until nothing of it runs.
    pub(super) fn abort(&mut self, step: &Step) -> Run {
        let name = step.of.first();
        let variable = name.and_then(|name| self.state.variables.get(name));
        let of_block = variable.is_some_and(|variable| {
            let value = &variable.value;
            matches!(
                value,
                Value::Stream {
                    attached: false,
                    ..
                }
            )
        });
        let (stream, borrows) = self.stream(step, 0, Mode::Move)?;
        self.note_if(of_block, Strictness::Types);
        let home = self.home_of(stream);
        let stops = self.stops(home);
        self.note_if(stops, Strictness::Stopping);
        let device = self.state.devices.get(self.device_of(home));
        let can_abort = device.is_some_and(|device| device.limited && !device.other_queues);
        let Some(of) = self.state.streams.get_mut(stream) else {
            return Ok(());
        };
        if of.naming == Naming::Default {
            return Err(Rule::DefaultAborted);
        }
        if !can_abort || of.waits.values().any(|takes| *takes) {
            return Err(Rule::NotAborted);
        }
        of.aborts += 1;
        of.stuck = false;
        for event in &mut self.state.events {
            let is_own = matches!(event.recorded, Some((from, _)) if from == stream);
            event.dropped |= is_own;
        }
        self.drop_counts(stream);
        self.drop_shared(stream);
        self.stick(stream);
        if let Some(context) = self.state.contexts.get_mut(home) {
            context.aborts += 1;
        }
        let after = self.after(stream);
        self.is_reached(&after);
        let value = self.stream_value(stream, true);
        self.give(step, 0, value, borrows);
        Ok(())
    }

    /// What waits for a record of the stream may never end, and what waits for that neither.
    fn stick(&mut self, stream: usize) {
        let mut stuck = vec![stream];
        while let Some(from) = stuck.pop() {
            for (index, other) in self.state.streams.iter_mut().enumerate() {
                if other.waits.contains_key(&from) && !std::mem::replace(&mut other.stuck, true) {
                    stuck.push(index);
                }
            }
        }
        // Behind the abort, they can be aborted themselves.
        for other in &mut self.state.streams {
            other.waits.remove(&stream);
        }
    }
}
