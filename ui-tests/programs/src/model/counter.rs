//! Counters: numbers that streams change and wait for.
//!
//! A wait for a number takes over the order of the changes without which the counter would not reach it. It has to be sure that
//! the counter reaches the number: a program that waits for another one hangs.

use super::access::{Mode, of_device};
use super::state::{Clock, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Name, Op, Step};

#[derive(Debug, Clone)]
pub(crate) struct Counter {
    pub(crate) context: usize,
    is_there: bool,
    /// The tasks that add one behind the last reset.
    counts: Vec<(usize, u64, Clock)>,
    /// The tasks of waits and changes since then.
    users: Vec<(usize, u64)>,
    /// The last reset.
    reset: Option<(usize, u64)>,
    /// An earlier change may come behind the last reset, or a reset may be dropped.
    is_unknown: bool,
}

impl Machine {
    pub(super) fn counter_step(&mut self, step: &Step) -> Run {
        if step.op == Op::CreateCounter {
            let (context, borrows) = self.binding(step, 0)?;
            self.state.counters.push(Counter {
                context,
                is_there: true,
                counts: Vec::new(),
                users: Vec::new(),
                reset: None,
                is_unknown: false,
            });
            let value = Value::Counter(self.state.counters.len() - 1);
            self.give(step, 0, value, of_device(&borrows));
            return Ok(());
        }
        let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
        let variable = self.operand(step, 1, Mode::Shared)?;
        let Value::Counter(counter) = variable.value else {
            return Err(Rule::Stopped);
        };
        let of = self.counter(counter)?;
        let context = self.home_of(stream);
        if self.device_of(of.context) != self.device_of(context) {
            return Err(Rule::CounterOfOther);
        }
        self.note_if(of.context != context, Strictness::Contexts);
        let after = self.after(stream);
        let task = self.task(stream);
        let change = match step.op {
            Op::Count => {
                let is_behind = of.reset.is_none_or(|reset| self.is_behind(&after, reset));
                Change::Count(is_behind)
            }
            Op::AwaitCount { number } => {
                let number = usize::from(number);
                let sure = of.counts.len();
                if of.is_unknown || sure < number {
                    return Err(Rule::CountMissed);
                }
                let needed = match sure == number {
                    true => of.counts.as_slice(),
                    false => &[],
                };
                for (from, _, clock) in needed {
                    self.waits_for_count((stream, *from), clock);
                }
                for (from, ..) in &of.counts {
                    self.waits_for_count((stream, *from), &Clock::new());
                }
                Change::Nothing
            }
            _ => {
                let mut users = of.users.iter();
                let is_last = users.all(|user| self.is_behind(&after, *user));
                if !is_last {
                    // A wait may miss the number.
                    return Err(Rule::CountMissed);
                }
                Change::Reset
            }
        };
        let clock = self.after(stream);
        let Some(of) = self.state.counters.get_mut(counter) else {
            return Ok(());
        };
        match change {
            Change::Nothing | Change::Count(false) => of.users.push((stream, task)),
            Change::Count(true) => {
                of.counts.push((stream, task, clock));
                of.users.push((stream, task));
            }
            Change::Reset => {
                of.counts.clear();
                of.users = vec![(stream, task)];
                of.reset = Some((stream, task));
            }
        }
        Ok(())
    }

    /// Whether a task is over when the next task behind a clock begins.
    fn is_behind(&self, after: &Clock, (stream, task): (usize, u64)) -> bool {
        let of = |clock: &Clock| clock.get(&stream).is_some_and(|over| *over >= task);
        of(after) || of(&self.state.over)
    }

    /// A stream waits for what another one counts.
    fn waits_for_count(&mut self, (stream, from): (usize, usize), clock: &Clock) {
        let is_stuck = self.is_stuck(from);
        if let Some(waiting) = self.state.streams.get_mut(stream) {
            super::state::join(&mut waiting.after, clock);
            if from != stream {
                waiting.waits.entry(from).or_default();
                waiting.stuck |= is_stuck;
            }
        }
    }

    fn counter(&self, counter: usize) -> Run<Counter> {
        self.called()?;
        match self.state.counters.get(counter) {
            Some(of) if of.is_there => Ok(of.clone()),
            _ => Err(Rule::CounterGone),
        }
    }

    /// The number that a counter is sure to reach.
    pub(crate) fn count(&self, name: Name) -> Option<usize> {
        let Value::Counter(counter) = self.state.variables.get(&name)?.value else {
            return None;
        };
        let of = self.state.counters.get(counter)?;
        (of.is_there && !of.is_unknown).then_some(of.counts.len())
    }

    /// The end of a counter, behind the work of its streams.
    pub(super) fn end_counter(&mut self, counter: usize) -> Run {
        self.counter(counter)?;
        if let Some(of) = self.state.counters.get_mut(counter) {
            of.is_there = false;
        }
        Ok(())
    }

    pub(super) fn end_counters_of(&mut self, context: usize) {
        let counters = self.state.counters.iter_mut();
        for of in counters.filter(|of| of.context == context) {
            of.is_there = false;
        }
    }

    /// A closure may have ended early: what it counts is not sure behind it.
    pub(super) fn forget_counts(&mut self, before: &[Counter]) {
        for (of, before) in self.state.counters.iter_mut().zip(before) {
            of.is_unknown |= of.reset != before.reset;
            of.counts.truncate(before.counts.len());
        }
    }

    /// An abort drops the changes of a stream that are not over.
    pub(super) fn drop_counts(&mut self, stream: usize) {
        let over = self.state.over.get(&stream).copied().unwrap_or_default();
        let is_dropped = |(of, task): (usize, u64)| of == stream && task > over;
        for of in &mut self.state.counters {
            of.is_unknown |= of.reset.is_some_and(is_dropped);
            of.counts.retain(|(of, task, _)| !is_dropped((*of, *task)));
        }
    }
}

/// What a step does to a counter.
enum Change {
    Nothing,
    /// One more, and whether it is sure to come behind the last reset.
    Count(bool),
    Reset,
}
