//! Settings: sizes that devices take when they are set, and how many cores work may use.

use super::access::Mode;
use super::state::{Borrows, Value};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

/// A limit of the cores that a stream gives to the work of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cores {
    context: usize,
    number: u8,
}

impl Machine {
    pub(super) fn setting_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::SetSize => {
                self.called()?;
                let held = self.state.variables.values().filter(|of| !of.gone);
                let mut held = held.filter_map(|of| device(&of.value));
                let devices = &self.state.devices;
                if held.any(|held| devices.get(held).is_some_and(|device| device.open)) {
                    return Err(Rule::SetTooLate);
                }
                self.operand(step, 0, Mode::Exclusive)?;
                // The proof for memory of the host is made anew behind it, which a block keeps to itself.
                self.note_if(self.state.blocks.len() > 1, Strictness::Borrowed);
            }
            Op::LimitCores { cores } => {
                let variable = self.operand(step, 0, Mode::Exclusive)?;
                self.called()?;
                let device = self.open_device(&variable)?;
                if let Some(device) = self.state.devices.get_mut(device) {
                    device.cores = Some(cores);
                }
            }
            _ => {
                let (context, _) = self.binding(step, 0)?;
                let device = self.state.devices.get(self.device_of(context));
                let of_device = device.and_then(|device| device.cores);
                let number = match self.thread().cores {
                    Some(cores) if cores.context == context => Some(cores.number),
                    // What a stream of another device gives is nobody's promise.
                    Some(_) => None,
                    None => of_device,
                };
                self.reads.find(number.map(i32::from));
            }
        }
        Ok(())
    }

    /// The head of a block whose work uses so many cores.
    pub(super) fn with_cores(&mut self, step: &Step, number: u8) -> Run<(Value, Borrows)> {
        let (stream, mut borrows) = self.stream(step, 0, Mode::Exclusive)?;
        let context = self.home_of(stream);
        self.limit_thread(Some(Cores { context, number }));
        borrows.extend(Self::borrow(step, 0, true));
        Ok((self.stream_value(stream, false), borrows))
    }

    /// Changes the limit of the thread.
    pub(super) fn limit_thread(&mut self, cores: Option<Cores>) {
        if let Some(thread) = self.state.threads.get_mut(self.state.thread) {
            thread.cores = cores;
        }
    }
}

/// The device that a value is.
fn device(value: &Value) -> Option<usize> {
    match value {
        Value::Device(device) => Some(*device),
        Value::Hole(Some(inner)) if !inner.gone => device(&inner.value),
        _ => None,
    }
}
