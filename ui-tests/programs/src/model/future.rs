//! Futures: the end of a stream's work, and of the work on memory.

use super::access::Mode;
use super::limit::Limit;
use super::state::{Form, Hold, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

impl Machine {
    pub(super) fn future_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Synchronized => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let tasks = self.told(stream);
                let value = Value::Synchronized {
                    stream,
                    thread: self.state.thread,
                    tasks,
                    record: self.after(stream),
                };
                self.give(step, 0, value, Self::borrow(step, 0, true));
            }
            Op::Completed => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let (view, borrows) = self.view(step, 1, Mode::Move)?;
                self.place(&view)?;
                self.note_home(&view, stream);
                self.told(stream);
                let of = self.state.streams.get(stream);
                let value = Value::Completed {
                    stream,
                    record: self.after(stream),
                    view,
                    aborts: of.map_or(0, |stream| stream.aborts),
                };
                self.give(step, 0, value, borrows);
            }
            Op::PollSynchronized | Op::PollCompleted => {
                self.operand(step, 0, Mode::Exclusive)?;
                self.called()?;
            }
            Op::AwaitSynchronized => self.await_stream(step)?,
            _ => self.await_memory(step)?,
        }
        Ok(())
    }

    /// A function of the host behind the work of a stream tells of its end. Returns the number of tasks with it.
    fn told(&mut self, stream: usize) -> u64 {
        let context = self.home_of(stream);
        let stops = self.stops(context);
        self.note_if(stops, Strictness::Stopping);
        self.task(stream)
    }

    fn await_stream(&mut self, step: &Step) -> Run {
        let variable = self.operand(step, 0, Mode::Move)?;
        let Value::Synchronized {
            stream,
            tasks,
            record,
            ..
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        self.called()?;
        if self.thread().current.is_none() {
            return Err(Rule::NoContext);
        }
        self.is_alive(stream)?;
        self.is_unspoilt(stream)?;
        if self.tasks(stream) == tasks {
            self.wait_for(stream, true, Limit::Own)?;
        } else {
            // The function has told of the end of what was before it, and of nothing else.
            self.note_wait(stream, &record, Limit::Own)?;
            self.is_reached(&record);
            if let Some(stream) = self.state.streams.get_mut(stream) {
                stream.proven = stream.proven.max(tasks);
            }
        }
        let value = Value::Proof {
            stream,
            tasks,
            drained: false,
        };
        self.give(step, 0, value, variable.borrows);
        Ok(())
    }

    fn await_memory(&mut self, step: &Step) -> Run {
        let mut variable = self.operand(step, 0, Mode::Move)?;
        let Value::Completed {
            stream,
            record,
            view,
            aborts,
        } = variable.value.clone()
        else {
            return Err(Rule::Stopped);
        };
        self.called()?;
        let of = self.state.streams.get(stream);
        let was_aborted = of.is_some_and(|stream| stream.aborts != aborts);
        if step.op == Op::TryCompleted {
            if !was_aborted && self.is_stuck(stream) {
                return Err(Rule::Dropped);
            }
            return self.drop_value(variable);
        }
        if was_aborted {
            // The function may have been called before the abort.
            return Err(Rule::NeverCompleted);
        }
        self.waits_for_record((false, stream), &record, true)?;
        self.is_quiet(&view, view.form != Form::Share)?;
        let mut history = view.history.clone();
        let task = record.get(&stream).copied().unwrap_or(0);
        history.insert(0, (stream, task));
        variable.value = Value::Memory(View {
            hold: Hold::Idle,
            history,
            unverified: true,
            ..view
        });
        self.give(step, 0, variable.value, variable.borrows);
        Ok(())
    }
}
