//! Binaries of kernels, their functions, and launches.

use super::access::Mode;
use super::limit::Limit;
use super::state::{Place, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Kernel, Op, Passed, Step};

/// A binary of kernels.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    context: usize,
    /// The program has neither unloaded nor dropped it.
    is_loaded: bool,
}

impl Machine {
    pub(super) fn kernel_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::LoadBinary => {
                let (context, borrows) = self.binding(step, 0)?;
                self.state.binaries.push(Binary {
                    context,
                    is_loaded: true,
                });
                let value = Value::Binary {
                    binary: self.state.binaries.len() - 1,
                    context,
                    thread: self.state.thread,
                    turn: self.thread().turn,
                };
                self.give(step, 0, value, borrows);
            }
            Op::FindKernel { kernel } => {
                let variable = self.operand(step, 0, Mode::Shared)?;
                let Value::Binary {
                    binary,
                    context,
                    thread,
                    ..
                } = variable.value
                else {
                    return Err(Rule::Stopped);
                };
                self.is_loaded(binary)?;
                let value = Value::Function {
                    binary,
                    context,
                    thread,
                    kernel,
                };
                self.give(step, 0, value, Self::borrow(step, 0, false));
            }
            Op::LaunchKernel {
                kernel,
                passed,
                number,
            } => self.launch_kernel(step, (kernel, number), passed)?,
            _ => {
                let variable = self.operand(step, 0, Mode::Move)?;
                let Value::Binary {
                    binary,
                    context,
                    thread,
                    turn,
                } = variable.value
                else {
                    return Err(Rule::Stopped);
                };
                self.called()?;
                // It waits for the context that is current.
                self.is_current(context)?;
                self.is_bound(thread, turn);
                self.wait_for_context(context, Limit::None)?;
                self.end_binary(binary)?;
            }
        }
        Ok(())
    }

    fn is_loaded(&self, binary: usize) -> Run {
        self.called()?;
        let Some(of) = self.state.binaries.get(binary) else {
            return Err(Rule::Stopped);
        };
        if !of.is_loaded {
            return Err(Rule::BinaryGone);
        }
        let context = self.state.contexts.get(of.context);
        if !context.is_some_and(|context| context.alive) {
            return Err(Rule::ContextGone);
        }
        Ok(())
    }

    fn end_binary(&mut self, binary: usize) -> Run {
        self.is_loaded(binary)?;
        if let Some(of) = self.state.binaries.get_mut(binary) {
            of.is_loaded = false;
        }
        Ok(())
    }

    /// The drop of a binary: it is unloaded behind a later wait for its device, so nothing is launched from here on.
    pub(super) fn drop_binary(&mut self, binary: usize) -> Run {
        self.end_binary(binary)
    }

    fn launch_kernel(
        &mut self,
        step: &Step,
        (kernel, number): (Kernel, u8),
        passed: Passed,
    ) -> Run {
        let variable = self.operand(step, 0, Mode::Shared)?;
        let Value::Function {
            binary,
            context,
            kernel: own,
            ..
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        let (stream, _) = self.stream(step, 1, Mode::Exclusive)?;
        let from = self.source(step, 2)?;
        let (to, borrows) = match passed {
            Passed::Shared => self.view(step, 3, Mode::Shared)?,
            _ => self.destination(step, 3)?,
        };
        self.is_loaded(binary)?;
        let home = self.home_of(stream);
        if self.device_of(home) != self.device_of(context) {
            return Err(Rule::DeviceOfStream);
        }
        self.note_if(home != context, Strictness::Contexts);
        if kernel != own || !matches!(passed, Passed::Declared | Passed::Shared) {
            return Err(Rule::KernelArguments);
        }
        self.note_if(passed == Passed::Shared, Strictness::Types);
        for view in [&from, &to] {
            if !matches!(self.place(view)?, Place::Device(_)) {
                return Err(Rule::KernelHost);
            }
        }
        if from.memory == to.memory && from.halves & to.halves != 0 {
            return Err(Rule::KernelAlias);
        }
        let task = (stream, self.task(stream));
        self.queue(task, &from, (true, false), true)?;
        let changes = kernel == Kernel::Change;
        let numbers = self.launched((kernel, number), &from, &to);
        self.queue(task, &to, (changes, true), true)?;
        if from.halves.count_ones() != to.halves.count_ones() {
            return Err(Rule::Length);
        }
        self.set_numbers(&to, numbers);
        self.written(step, to, borrows);
        Ok(())
    }
}
