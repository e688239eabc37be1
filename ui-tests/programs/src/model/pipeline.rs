//! Pipelines: lanes with batches, each of which has one result, in order.

use std::collections::VecDeque;

use super::access::Mode;
use super::contents::FILLED;
use super::state::Value;
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Middle, Op, Step};

/// The result of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Batched {
    Number(i32),
    /// The input of an older batch. A lane that is made again after a failure does not have it. `None` where it depends on the
    /// choice of the lane.
    Carried(Option<i32>),
    Error,
}

/// The results that a step has returned, with their numbers.
pub(crate) type Returned = Vec<(u64, Batched)>;

#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub(crate) context: usize,
    pub(crate) lanes: usize,
    pub(crate) carries: bool,
    /// What the free lanes carry.
    pub(crate) free: Vec<Option<i32>>,
    /// The batches without a result: what their lanes carry, if there are lanes, and what the result is.
    pub(crate) busy: VecDeque<(Option<Option<i32>>, Batched)>,
    pub(crate) returned: u64,
    pub(crate) uses: usize,
    /// The model knows the batches.
    pub(crate) is_known: bool,
}

impl Pipeline {
    /// Takes a lane, and returns what it carries. Which one it is says nobody.
    fn lane(&mut self) -> Option<i32> {
        let Some(lane) = self.free.pop() else {
            return Some(FILLED);
        };
        if self.free.iter().all(|other| *other == lane) {
            return lane;
        }
        self.free.fill(None);
        None
    }

    fn push(&mut self, middle: Middle, number: i32) -> Option<(u64, Batched)> {
        let carried = self.lane();
        let (lane, result) = match middle {
            Middle::Copy => (Some(carried), Batched::Number(number)),
            Middle::Fill => (Some(carried), Batched::Number(FILLED)),
            Middle::Add => (Some(carried), Batched::Number(2 * number)),
            Middle::Carry => (Some(Some(number)), Batched::Carried(carried)),
            Middle::Error | Middle::Short | Middle::Keep => (None, Batched::Error),
        };
        self.busy.push_back((lane, result));
        if self.busy.len() < self.lanes {
            return None;
        }
        self.pop()
    }

    fn pop(&mut self) -> Option<(u64, Batched)> {
        let (lane, result) = self.busy.pop_front()?;
        self.free.extend(lane);
        self.returned += 1;
        Some((self.returned - 1, result))
    }
}

impl Machine {
    pub(super) fn pipeline_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Pipeline { lanes, carries } => {
                let (context, borrows) = self.binding(step, 0)?;
                let lanes = usize::from(lanes).max(1);
                self.state.pipelines.push(Pipeline {
                    context,
                    lanes,
                    carries,
                    free: vec![Some(FILLED); lanes],
                    busy: VecDeque::new(),
                    returned: 0,
                    uses: 0,
                    is_known: true,
                });
                let value = Value::Pipeline {
                    pipeline: self.state.pipelines.len() - 1,
                    thread: self.state.thread,
                    turn: self.thread().turn,
                };
                self.give(step, 0, value, borrows);
            }
            Op::Compare => {
                let variable = self.operand(step, 0, Mode::Move)?;
                let Value::Outcome {
                    pipeline,
                    uses,
                    found,
                } = variable.value
                else {
                    return Err(Rule::Stopped);
                };
                let of = self.state.pipelines.get(pipeline).ok_or(Rule::Stopped)?;
                // The lane may have the next batch by now.
                if of.uses != uses {
                    return Err(Rule::TouchedInUse);
                }
                let found = of.is_known.then_some(found);
                self.returned.find(found);
            }
            Op::Push { middle, number } => {
                let (pipeline, of) = self.pipeline(step, Some(middle))?;
                let found = of.push(middle, number.into());
                self.outcome(step, pipeline, found);
            }
            Op::Pop => {
                let (pipeline, of) = self.pipeline(step, None)?;
                let found = of.pop();
                self.outcome(step, pipeline, found);
            }
            Op::PushPanics => drop(self.pipeline(step, None)?.1.lane()),
            Op::RunBatches {
                middle,
                number,
                batches,
                stops,
            } => {
                let (_, of) = self.pipeline(step, Some(middle))?;
                let mut found = Vec::new();
                let mut left = 0..batches;
                let has_stopped = |found: &Returned| stops && !found.is_empty();
                while !has_stopped(&found)
                    && let Some(batch) = left.next()
                {
                    found.extend(of.push(middle, i32::from(number) + i32::from(batch)));
                }
                while !has_stopped(&found)
                    && let Some(result) = of.pop()
                {
                    found.push(result);
                }
                let found = of.is_known.then_some(found);
                self.returned.find(found);
            }
            _ => {}
        }
        Ok(())
    }

    /// Uses a pipeline, whose context is the current one.
    fn pipeline(&mut self, step: &Step, middle: Option<Middle>) -> Run<(usize, &mut Pipeline)> {
        let variable = self.operand(step, 0, Mode::Exclusive)?;
        let Value::Pipeline {
            pipeline,
            thread,
            turn,
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        self.called()?;
        let of = self.state.pipelines.get(pipeline).ok_or(Rule::Stopped)?;
        let (context, carries) = (of.context, of.carries);
        self.is_current(context)?;
        self.is_bound(thread, turn);
        self.note_if(middle == Some(Middle::Carry) && !carries, Strictness::Types);
        if middle == Some(Middle::Add) {
            self.binding(step, 1)?;
        }
        if middle == Some(Middle::Keep) {
            return Err(Rule::LeaseEscapes);
        }
        self.unbounded |= !self.is_limited_in(context);
        let of = self
            .state
            .pipelines
            .get_mut(pipeline)
            .ok_or(Rule::Stopped)?;
        of.uses += 1;
        Ok((pipeline, of))
    }

    fn outcome(&mut self, step: &Step, pipeline: usize, found: Option<(u64, Batched)>) {
        let of = self.state.pipelines.get(pipeline);
        let value = Value::Outcome {
            pipeline,
            uses: of.map_or(0, |pipeline| pipeline.uses),
            found: found.into_iter().collect(),
        };
        self.give(step, 0, value, Self::borrow(step, 0, true));
    }

    /// The drop of a pipeline waits for its streams.
    pub(super) fn drop_pipeline(&mut self, pipeline: usize) -> Run {
        self.called()?;
        let of = self.state.pipelines.get(pipeline).ok_or(Rule::Stopped)?;
        let (context, is_busy) = (of.context, !of.busy.is_empty());
        let home = self.state.contexts.get(context);
        if !home.is_some_and(|context| context.alive) {
            return Err(Rule::StreamGone);
        }
        self.unbounded |= is_busy && !self.is_limited_in(context);
        Ok(())
    }
}
