//! Pools: memory that streams allocate in their order.
//!
//! An allocation is a task of its stream: other streams and the host use the memory behind it.

use super::access::{Mode, of_device};
use super::limit::Limit;
use super::media::What;
use super::state::{Form, Hold, Naming, Place, Use, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

#[derive(Debug, Clone)]
pub(crate) struct Pool {
    pub(crate) context: usize,
    /// The program has neither destroyed nor dropped it.
    is_there: bool,
}

/// The pool of memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pool: usize,
    /// Nobody frees it.
    is_forgotten: bool,
}

impl Machine {
    pub(super) fn pool_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::CreatePool => {
                let (context, borrows) = self.binding(step, 0)?;
                self.state.pools.push(Pool {
                    context,
                    is_there: true,
                });
                let value = Value::Pool(self.state.pools.len() - 1);
                self.give(step, 0, value, of_device(&borrows));
            }
            Op::MallocFrom => self.malloc_from(step)?,
            _ => {
                let (context, _) = self.binding(step, 0)?;
                let variable = self.operand(step, 1, Mode::Move)?;
                let Value::Pool(pool) = variable.value else {
                    return Err(Rule::Stopped);
                };
                let home = self.home_of_pool(pool)?;
                if self.device_of(home) != self.device_of(context) {
                    return Err(Rule::OtherContext);
                }
                self.note_if(home != context, Strictness::Contexts);
                self.wait_for_context(context, Limit::None)?;
                self.end_pool(pool, true)?;
            }
        }
        Ok(())
    }

    fn malloc_from(&mut self, step: &Step) -> Run {
        let (stream, borrows) = self.stream(step, 0, Mode::Shared)?;
        let variable = self.operand(step, 1, Mode::Shared)?;
        let Value::Pool(pool) = variable.value else {
            return Err(Rule::Stopped);
        };
        let home = self.home_of_pool(pool)?;
        let naming = self.state.streams.get(stream).map(|stream| stream.naming);
        if naming == Some(Naming::Default) {
            return Err(Rule::DefaultAllocates);
        }
        let context = self.home_of(stream);
        if self.device_of(home) != self.device_of(context) {
            return Err(Rule::DeviceOfStream);
        }
        self.note_if(home != context, Strictness::Contexts);
        let mut view = self.new_memory(Place::Device(home), false);
        view.hold = Hold::Queued(stream);
        let allocation = Use {
            stream,
            task: self.task(stream),
            writes: true,
            halves: view.halves,
        };
        self.change_memory(&view, |memory| {
            memory.uses.push(allocation);
            memory.origin = Some(Origin {
                pool,
                is_forgotten: false,
            });
        });
        let mut borrows = of_device(&borrows);
        borrows.extend(of_device(&variable.borrows));
        borrows.extend(Self::borrow(step, 1, false));
        self.give(step, 0, Value::Memory(view), borrows);
        Ok(())
    }

    /// The context of a pool that lives.
    fn home_of_pool(&self, pool: usize) -> Run<usize> {
        self.called()?;
        match self.state.pools.get(pool) {
            Some(pool) if pool.is_there => Ok(pool.context),
            _ => Err(Rule::PoolGone),
        }
    }

    /// The end of a pool: nothing has memory of it. One that is dropped lives on for memory that was forgotten.
    pub(super) fn end_pool(&mut self, pool: usize, is_destroyed: bool) -> Run {
        self.home_of_pool(pool)?;
        let variables = self.state.variables.values();
        let held = variables.filter(|variable| !variable.gone);
        let held: Vec<usize> = held.flat_map(|of| self.memory_of(&of.value)).collect();
        for (index, memory) in self.state.memory.iter().enumerate() {
            let Some(origin) = memory.origin.filter(|of| of.pool == pool && memory.alive) else {
                continue;
            };
            if held.contains(&index) {
                return Err(Rule::PoolInUse);
            }
            if is_destroyed && origin.is_forgotten {
                return Err(Rule::PoolForgotten);
            }
        }
        if let Some(pool) = self.state.pools.get_mut(pool) {
            pool.is_there = false;
        }
        Ok(())
    }

    /// The pools of a device end with its reset.
    pub(super) fn end_pools(&mut self, device: usize) {
        for pool in 0..self.state.pools.len() {
            let context = self.state.pools.get(pool).map(|pool| pool.context);
            let is_here = context.is_some_and(|context| self.device_of(context) == device);
            if let Some(pool) = self.state.pools.get_mut(pool).filter(|_| is_here) {
                pool.is_there = false;
            }
        }
    }

    /// The memory that a value frees at its end.
    fn memory_of(&self, value: &Value) -> Vec<usize> {
        let of_view = |view: &View| match (view.form, view.what) {
            (Form::Whole, What::Graph { graph }) => {
                let graph = self.state.graphs.get(graph).into_iter();
                graph
                    .flat_map(|graph| &graph.memory)
                    .map(|view| view.memory)
                    .collect()
            }
            (Form::Whole | Form::Share, _) => vec![view.memory],
            _ => Vec::new(),
        };
        match value {
            Value::Memory(view) | Value::Fence { view, .. } | Value::Completed { view, .. } => {
                of_view(view)
            }
            Value::Plan {
                writes, owns: true, ..
            } => of_view(writes),
            Value::Hole(Some(inner)) => self.memory_of(&inner.value),
            _ => Vec::new(),
        }
    }

    /// Nobody frees the memory of a value that was forgotten.
    pub(super) fn forget_memory(&mut self, value: &Value) {
        for index in self.memory_of(value) {
            let memory = self.state.memory.get_mut(index);
            if let Some(origin) = memory.and_then(|memory| memory.origin.as_mut()) {
                origin.is_forgotten = true;
            }
        }
    }

    /// Whether memory is of a pool.
    pub(super) fn is_pooled(&self, view: &View) -> bool {
        let memory = self.state.memory.get(view.memory);
        memory.is_some_and(|memory| memory.origin.is_some())
    }
}
