//! Each kind of step: the calls of C that it makes, and the values that it takes and gives.

use std::collections::BTreeMap;

use super::access::{Mode, of_device};
use super::limit::Limit;
use super::state::{Borrows, Context, Device, Naming, Place, Stream, Value, Variable};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Family, Op, Step};

/// Opens a device, and makes its context current.
pub(super) fn new_device(machine: &mut Machine, slot: Option<u8>, id: u8) -> Run<usize> {
    machine.called()?;
    // Another rank may open it at the same time.
    let rank = machine.state.rank;
    let is_beside = |other: usize| other != 0 && rank != 0 && other != rank;
    let is_taken = |device: &Device| {
        let is_same = device.id == id || (slot.is_some() && device.slot == slot);
        is_same && (device.open || is_beside(device.rank))
    };
    if machine.state.devices.iter().any(is_taken) {
        return Err(Rule::SlotTaken);
    }
    let device = machine.state.devices.len();
    let context = machine.state.contexts.len();
    machine.state.contexts.push(Context {
        device,
        alive: true,
        number: None,
        aborts: 0,
    });
    machine.state.devices.push(Device {
        slot,
        id,
        open: true,
        stops: false,
        limited: false,
        other_queues: false,
        context,
        cores: None,
        brand_depth: machine.state.blocks.len(),
        rank: machine.state.rank,
    });
    machine.take_device(device)?;
    machine.bind(context);
    Ok(device)
}

impl Machine {
    /// Runs a step. Where a step breaks a rule, it says nothing about the strictness of the API.
    pub(super) fn step(&mut self, step: &Step) -> Run {
        let before = self.strict.clone();
        let ran = self.run_step(step);
        if ran.is_err() && !step.op.is_block() {
            self.strict = before;
        }
        ran
    }

    fn run_step(&mut self, step: &Step) -> Run {
        match step.op.family() {
            Family::Device => self.device_step(step),
            Family::Stream => self.stream_step(step),
            Family::Memory => self.memory_step(step),
            Family::Pool => self.pool_step(step),
            Family::Reserved => self.reserved_step(step),
            Family::Hold => self.hold_step(step),
            Family::Event => self.event_step(step),
            Family::Future => self.future_step(step),
            Family::Pipeline => self.pipeline_step(step),
            Family::Operator => self.operator_step(step),
            Family::Kernel => self.kernel_step(step),
            Family::Graph => self.graph_step(step),
            Family::Counter => self.counter_step(step),
            Family::Share => self.share_step(step),
            Family::Setting => self.setting_step(step),
            Family::Media => self.media_step(step),
            Family::Peer => self.peer_step(step),
            Family::Comm => self.comm_step(step),
            Family::Value => self.value_step(step),
            Family::Leave => self.leaves(step.op == Op::Fail),
            Family::Block => self.block_step(step),
        }
    }

    fn operator_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Plan {
                operator,
                fresh,
                layout,
            } => self.plan(step, operator, fresh, layout),
            Op::Find => self.find(step),
            Op::Repeatable => self.repeatable(step),
            Op::RunAgain { operator, layout } => self.run_again(step, operator, layout, false),
            Op::LaunchAgain { operator, layout } => self.run_again(step, operator, layout, true),
            Op::Run => self.run_plan(step, false),
            Op::Launch => self.run_plan(step, true),
            _ => Ok(()),
        }
    }

    /// The token of a thread: it is used on its thread.
    pub(super) fn thread_token(&mut self, value: &Value) {
        if let Value::Thread { thread, .. } = value {
            let is_other = *thread != self.state.thread;
            self.note_if(is_other, Strictness::Thread);
        }
    }

    pub(super) fn borrow(step: &Step, index: usize, exclusive: bool) -> Borrows {
        step.of
            .get(index)
            .map(|name| (*name, exclusive))
            .into_iter()
            .collect()
    }

    fn device_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::Claim => {
                let thread = self.state.thread;
                let Some(of) = self.state.threads.get_mut(thread) else {
                    return Ok(());
                };
                if std::mem::replace(&mut of.claimed, true) {
                    return Err(Rule::ThreadClaimed);
                }
                self.give(
                    step,
                    0,
                    Value::Thread {
                        thread,
                        owned: true,
                    },
                    Vec::new(),
                );
            }
            Op::SetDevice { slot, id } => {
                self.operand(step, 0, Mode::Shared)?;
                let thread = self.operand(step, 1, Mode::Exclusive)?;
                self.thread_token(&thread.value);
                let device = new_device(self, Some(slot), id)?;
                self.give(step, 0, Value::Device(device), Self::borrow(step, 0, false));
            }
            Op::StopOnFailure => {
                let variable = self.operand(step, 0, Mode::Move)?;
                let device = self.open_device(&variable)?;
                let Some(of) = self.state.devices.get_mut(device) else {
                    return Ok(());
                };
                let again = std::mem::replace(&mut of.stops, true);
                self.note_if(again, Strictness::Types);
                self.give(step, 0, variable.value, variable.borrows);
            }
            Op::Limit => {
                let variable = self.operand(step, 0, Mode::Move)?;
                let device = self.open_device(&variable)?;
                if let Some(of) = self.state.devices.get_mut(device) {
                    of.limited = true;
                }
                self.give(step, 0, variable.value, variable.borrows);
            }
            Op::CreateContext { number } => {
                let device = self.operand(step, 0, Mode::Shared)?;
                let device = self.open_device(&device)?;
                let thread = self.operand(step, 1, Mode::Exclusive)?;
                self.thread_token(&thread.value);
                self.called()?;
                let is_same = |context: &Context| {
                    context.alive && context.device == device && context.number == Some(number)
                };
                if self.state.contexts.iter().any(is_same) {
                    return Err(Rule::NameTaken);
                }
                let context = self.state.contexts.len();
                self.state.contexts.push(Context {
                    device,
                    alive: true,
                    number: Some(number),
                    aborts: 0,
                });
                self.bind(context);
                self.give(
                    step,
                    0,
                    Value::Context(context),
                    Self::borrow(step, 0, false),
                );
            }
            Op::Bind | Op::BindContext => {
                let thread = self.operand(step, 0, Mode::Exclusive)?;
                self.thread_token(&thread.value);
                let variable = self.operand(step, 1, Mode::Shared)?;
                self.called()?;
                let context = match variable.value {
                    Value::Context(context) => context,
                    _ => {
                        let device = self.open_device(&variable)?;
                        self.state
                            .devices
                            .get(device)
                            .map_or(0, |device| device.context)
                    }
                };
                let device = self.device_of(context);
                self.take_device(device)?;
                self.bind(context);
                self.is_current(context)?;
                let value = Value::Binding {
                    context,
                    thread: self.state.thread,
                    turn: self.thread().turn,
                };
                let mut borrows = Self::borrow(step, 0, true);
                borrows.extend(Self::borrow(step, 1, false));
                // The device outlives its own borrows.
                borrows.extend(of_device(&variable.borrows));
                self.give(step, 0, value, borrows);
            }
            Op::Reset => {
                let variable = self.operand(step, 0, Mode::Move)?;
                if let Value::Device(device) = variable.value {
                    self.reset(device)?;
                }
            }
            Op::DestroyContext => {
                let variable = self.operand(step, 0, Mode::Move)?;
                if let Value::Context(context) = variable.value {
                    self.destroy_context(context)?;
                }
            }
            Op::Finalize => {
                self.operand(step, 0, Mode::Move)?;
                self.called()?;
                self.state.finalized = true;
            }
            _ => {
                let (context, _) = self.binding(step, 0)?;
                self.wait_for_context(context, Limit::None)?;
            }
        }
        Ok(())
    }

    pub(super) fn open_device(&self, variable: &Variable) -> Run<usize> {
        let Value::Device(device) = variable.value else {
            return Err(Rule::Stopped);
        };
        match self.state.devices.get(device) {
            Some(of) if of.open => Ok(device),
            _ => Err(Rule::DeviceGone),
        }
    }

    fn new_stream(&mut self, context: usize, naming: Naming) -> Run<usize> {
        let is_same = |stream: &Stream| {
            // A stream whose work was dropped keeps its name.
            (stream.alive || stream.aborts > 0)
                && stream.context == context
                && stream.naming == naming
                && naming != Naming::Brand
        };
        if self.state.streams.iter().any(is_same) {
            return Err(Rule::NameTaken);
        }
        self.state.streams.push(Stream {
            context,
            alive: true,
            naming,
            brand_depth: 0,
            tasks: 0,
            after: super::state::Clock::new(),
            proven: 0,
            waits: BTreeMap::new(),
            aborts: 0,
            stuck: false,
        });
        Ok(self.state.streams.len() - 1)
    }

    fn stream_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::CreateStream { .. } | Op::DefaultStream => {
                let (context, borrows) = self.binding(step, 0)?;
                let naming = match step.op {
                    Op::CreateStream { name } => Naming::Name(name),
                    _ => Naming::Default,
                };
                let stream = self.new_stream(context, naming)?;
                let value = self.stream_value(stream, true);
                self.give(step, 0, value, borrows);
            }
            Op::CreateNumbered => {
                let (context, borrows) = self.binding(step, 0)?;
                let stream = self.new_stream(context, Naming::Brand)?;
                let value = Value::Parked {
                    stream,
                    numbered: true,
                };
                self.give(step, 0, value, of_device(&borrows));
            }
            Op::DestroyStream => {
                let variable = self.operand(step, 0, Mode::Move)?;
                let Value::Stream {
                    stream,
                    thread,
                    attached,
                    ..
                } = variable.value
                else {
                    return Ok(());
                };
                let naming = self.state.streams.get(stream).map(|stream| stream.naming);
                if naming == Some(Naming::Default) {
                    return Err(Rule::DefaultContext);
                }
                self.note_if(!attached, Strictness::Types);
                self.note_if(thread != self.state.thread, Strictness::Thread);
                self.destroy_stream(stream, false)?;
            }
            Op::Synchronize | Op::Drain | Op::SynchronizeWithin => {
                let (stream, _) = self.stream_anywhere(step, 0, Mode::Exclusive)?;
                let drained = step.op == Op::Drain;
                if !drained {
                    self.is_unspoilt(stream)?;
                }
                let limit = match step.op {
                    Op::SynchronizeWithin => Limit::Own,
                    _ => Limit::None,
                };
                self.wait_for(stream, !drained, limit)?;
                let tasks = self.tasks(stream);
                let value = Value::Proof {
                    stream,
                    tasks,
                    drained,
                };
                self.give(step, 0, value, Self::borrow(step, 0, true));
            }
            Op::TryWithin => {
                self.stream_anywhere(step, 0, Mode::Exclusive)?;
            }
            Op::Abort => self.abort(step)?,
            Op::Query => {
                self.stream_anywhere(step, 0, Mode::Shared)?;
            }
            Op::Park => {
                let (context, borrows) = self.binding(step, 0)?;
                let variable = self.operand(step, 1, Mode::Move)?;
                let Value::Stream {
                    stream,
                    thread,
                    attached,
                    ..
                } = variable.value
                else {
                    return Ok(());
                };
                self.is_alive(stream)?;
                self.note_if(!attached, Strictness::Types);
                self.note_if(thread != self.state.thread, Strictness::Thread);
                let home = self.state.streams.get(stream).map(|stream| stream.context);
                self.note_if(home != Some(context), Strictness::Types);
                let value = Value::Parked {
                    stream,
                    numbered: false,
                };
                self.give(step, 0, value, of_device(&borrows));
            }
            Op::Attach => {
                let (context, borrows) = self.binding(step, 0)?;
                let variable = self.operand(step, 1, Mode::Move)?;
                let Value::Parked { stream, numbered } = variable.value else {
                    return Ok(());
                };
                self.is_alive(stream)?;
                self.note_if(numbered, Strictness::Brand);
                let home = self.state.streams.get(stream).map(|stream| stream.context);
                self.note_if(home != Some(context), Strictness::Types);
                let value = self.stream_value(stream, true);
                self.give(step, 0, value, borrows);
            }
            _ => {
                let (stream, _) = self.stream(step, 0, Mode::Exclusive)?;
                let context = self.home_of(stream);
                let stops = self.stops(context);
                self.note_if(stops, Strictness::Stopping);
                let task = self.task(stream);
                if step.op == Op::HostFuncOn {
                    let (view, _) = self.target(step, 1)?;
                    if matches!(self.place(&view)?, Place::Device(_)) {
                        return Err(Rule::HostTouchesDevice);
                    }
                    let numbers = self.numbers(&view);
                    self.queue((stream, task), &view, (true, true), true)?;
                    self.set_numbers(&view, [Some(6), numbers[1]]);
                }
                if step.op == Op::HostFuncOwns {
                    let (view, _) = self.view(step, 1, Mode::Move)?;
                    if self.place(&view)? != Place::Rust {
                        return Err(Rule::CallInCallback);
                    }
                    let is_lease = view.form.is_lease();
                    self.note_if(is_lease, Strictness::Captured);
                }
            }
        }
        Ok(())
    }
}
