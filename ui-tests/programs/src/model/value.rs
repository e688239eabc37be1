//! Steps of Rust alone: drops, moves, exchanges.

use super::access::Mode;
use super::state::{Hold, Naming, Place, Value, Variable};
use super::{Machine, Run, Strictness};
use crate::program::{Op, Reach, Sort, Step};

impl Machine {
    pub(super) fn value_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Drop => {
                let variable = self.operand(step, 0, Mode::Move)?;
                if !variable.gone {
                    self.drop_value(variable)?;
                }
            }
            Op::Forget => {
                let variable = self.operand(step, 0, Mode::Move)?;
                self.forget_memory(&variable.value);
            }
            Op::Through(_) => {
                let variable = self.operand(step, 0, Mode::Move)?;
                self.give(step, 0, variable.value, variable.borrows);
            }
            Op::Swap => {
                let first = self.operand(step, 0, Mode::Exclusive)?;
                let second = self.operand(step, 1, Mode::Exclusive)?;
                let is_same = self.type_of(&first.value) == self.type_of(&second.value);
                self.note_if(!is_same, Strictness::Types);
                self.note_if(step.of.first() == step.of.get(1), Strictness::Borrowed);
                let mut borrows = first.borrows;
                borrows.extend(second.borrows);
                for (index, value) in [(0, second.value), (1, first.value)] {
                    if let Some(name) = step.of.get(index) {
                        let borrows = borrows.clone();
                        self.change(*name, |variable| {
                            variable.value = value;
                            variable.borrows = borrows;
                        });
                    }
                }
            }
            Op::Hole => self.give(step, 0, Value::Hole(None), Vec::new()),
            _ => {
                let hole = self.operand(step, 0, Mode::Exclusive)?;
                let inner = self.operand(step, 1, Mode::Move)?;
                if let Value::Hole(Some(before)) = hole.value {
                    let is_same = self.type_of(&before.value) == self.type_of(&inner.value);
                    self.note_if(!is_same, Strictness::Types);
                    self.drop_value(*before)?;
                }
                let depth = self.brand_depth(&inner);
                self.note_if(hole.depth <= depth, Strictness::Brand);
                let is_lease = matches!(&inner.value, Value::Scope { .. });
                self.note_if(is_lease, Strictness::Borrowed);
                let borrows = inner.borrows.clone();
                // What the block declares does not live as long as the variable outside.
                let is_shorter = borrows.iter().any(|(name, _)| {
                    let of = self.state.variables.get(name);
                    of.is_some_and(|of| of.depth > hole.depth)
                });
                self.note_if(is_shorter, Strictness::Borrowed);
                // What a closure captures exclusively cannot leave it as a borrow.
                let mut within = self.state.entered.iter().skip(hole.depth.saturating_sub(1));
                let in_closure = within.any(|entered| entered.is_closure);
                self.note_if(
                    in_closure && borrows.iter().any(|(_, exclusive)| *exclusive),
                    Strictness::Captured,
                );
                if let Some(name) = step.of.first() {
                    self.change(*name, |variable| {
                        variable.value = Value::Hole(Some(Box::new(inner)));
                        variable.borrows.extend(borrows);
                    });
                }
            }
        }
        Ok(())
    }

    /// The number of blocks around the closure whose brand the type of a value has; 0 for none.
    fn brand_depth(&self, variable: &Variable) -> usize {
        let stream = match &variable.value {
            Value::Stream { stream, .. }
            | Value::Proof { stream, .. }
            | Value::Synchronized { stream, .. }
            | Value::Completed { stream, .. }
            | Value::Fence { stream, .. }
            | Value::Done { stream, .. } => Some(*stream),
            Value::Parked {
                stream,
                numbered: false,
            } => Some(*stream),
            Value::Point { event } => {
                let recorded = self
                    .state
                    .events
                    .get(*event)
                    .and_then(|event| event.recorded.as_ref());
                recorded.map(|(stream, _)| *stream)
            }
            Value::Memory(view) if !view.unbranded => match view.hold {
                Hold::Queued(stream) => Some(stream),
                Hold::Idle => None,
            },
            Value::Comm {
                hold: Hold::Queued(stream),
                ..
            }
            | Value::Batch {
                hold: Hold::Queued(stream),
                ..
            } => Some(*stream),
            _ => None,
        };
        let of = stream.and_then(|stream| self.state.streams.get(stream));
        let of = of.filter(|stream| stream.naming == Naming::Brand);
        let of_stream = of.map_or(0, |stream| stream.brand_depth);
        of_stream.max(self.device_brand(&variable.value))
    }

    /// The number of blocks around the closure that gives the device of a value its brand; 0 for none.
    fn device_brand(&self, value: &Value) -> usize {
        let of_stream = |stream: usize| self.state.streams.get(stream).map(|stream| stream.context);
        let context = match value {
            Value::Device(device) => self.state.devices.get(*device).map(|device| device.context),
            Value::Context(context)
            | Value::Binding { context, .. }
            | Value::Repeat { context, .. }
            | Value::Binary { context, .. }
            | Value::Function { context, .. }
            | Value::Plan { context, .. } => Some(*context),
            Value::Stream { stream, .. }
            | Value::Parked { stream, .. }
            | Value::Proof { stream, .. }
            | Value::Synchronized { stream, .. }
            | Value::Completed { stream, .. }
            | Value::Fence { stream, .. } => of_stream(*stream),
            Value::Pool(pool) => self.state.pools.get(*pool).map(|pool| pool.context),
            Value::Counter(counter) => self.state.counters.get(*counter).map(|of| of.context),
            Value::Shared(shared) => self.state.shared.get(*shared).map(|of| of.context),
            Value::Pipeline { pipeline, .. } => {
                let of = self.state.pipelines.get(*pipeline);
                of.map(|pipeline| pipeline.context)
            }
            Value::Comm { comm, .. } | Value::Batch { comm, .. } => {
                self.state.comms.get(*comm).map(|comm| comm.context)
            }
            Value::Event(event) | Value::Point { event } | Value::Done { event, .. } => {
                self.state.events.get(*event).map(|event| event.context)
            }
            Value::Memory(view) => match (
                view.hold,
                self.state
                    .memory
                    .get(view.memory)
                    .map(|memory| memory.place),
            ) {
                (Hold::Queued(stream), _) => of_stream(stream),
                (Hold::Idle, Some(Place::Device(home))) => Some(home),
                (Hold::Idle, _) => None,
            },
            _ => None,
        };
        if let Value::Access(access) = value {
            return self.access_brand(*access);
        }
        let device = context.map(|context| self.device_of(context));
        let device = device.and_then(|device| self.state.devices.get(device));
        let device = device.filter(|device| device.slot.is_none());
        device.map_or(0, |device| device.brand_depth)
    }

    /// What the type of a value depends on.
    fn type_of(&self, value: &Value) -> String {
        let naming = |stream: usize| {
            self.state
                .streams
                .get(stream)
                .map(|stream| (stream.context, stream.naming, stream.brand_depth))
        };
        match value {
            Value::Memory(view) => {
                let place = self
                    .state
                    .memory
                    .get(view.memory)
                    .map(|memory| memory.place);
                let place = match place {
                    Some(Place::Host(_)) => String::from("host"),
                    other => format!("{other:?}"),
                };
                let hold = match view.hold {
                    Hold::Idle => String::from("idle"),
                    Hold::Queued(_) if view.unbranded => String::from("numbered"),
                    Hold::Queued(stream) => format!("{:?}", naming(stream)),
                };
                let history: Vec<_> = view
                    .history
                    .iter()
                    .map(|(stream, _)| naming(*stream))
                    .collect();
                let shape = (
                    view.form,
                    view.fresh,
                    view.unverified,
                    view.halves,
                    view.what,
                );
                let is_pooled = self.is_pooled(view);
                format!("{place} {is_pooled} {hold} {history:?} {shape:?}")
            }
            Value::Stream {
                stream, attached, ..
            } => format!("{:?} {attached}", naming(*stream)),
            Value::Event(event) => {
                let event = self.state.events.get(*event);
                format!("{:?}", event.map(|event| (event.context, event.flags)))
            }
            other => format!("{other:?}"),
        }
    }

    /// The sorts of values that a variable can give away in programs that reach so far.
    pub(crate) fn sorts_of_values(reach: Reach) -> &'static [Sort] {
        const COMMS: usize = 4;
        const KERNELS: usize = 2;
        const POOLS: usize = 2;
        const SIGNALS: usize = 2;
        let all = &[
            Sort::Batch,
            Sort::Comm,
            Sort::Comm,
            Sort::Seat,
            Sort::Device,
            Sort::Context,
            Sort::Stream,
            Sort::Parked,
            Sort::Event,
            Sort::Point,
            Sort::Done,
            Sort::Memory,
            Sort::Fence,
            Sort::Proof,
            Sort::Synchronized,
            Sort::Completed,
            Sort::Pipeline,
            Sort::Plan,
            Sort::Repeat,
            Sort::Access,
            Sort::Binary,
            Sort::Function,
            Sort::Pool,
            Sort::Memory,
            Sort::Counter,
            Sort::Shared,
        ];
        let pools = all.len() - SIGNALS;
        let kernels = pools - POOLS;
        let end = kernels - KERNELS;
        let own = match reach {
            Reach::Kernels => all.get(COMMS..kernels),
            // They have no values of kernels.
            Reach::Pools => all.get(COMMS..pools),
            Reach::Counters | Reach::Shares => all.get(COMMS..),
            Reach::Comms | Reach::Ranks => all.get(..end),
            Reach::Alone
            | Reach::Within
            | Reach::Reserved
            | Reach::Settings
            | Reach::Graphs
            | Reach::Media => all.get(COMMS..end),
        };
        own.unwrap_or_default()
    }
}
