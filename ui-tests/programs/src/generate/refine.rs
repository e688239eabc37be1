//! Operands that fit a step. Random ones seldom do.

use super::Generator;
use crate::model::{Hold, Known, Machine};
use crate::program::{Collective, Family, Name, Op, Sort};

impl Generator<'_> {
    /// Chooses a communicator that a stream has, the stream, and its memory.
    fn refine_comm(&mut self, machine: &Machine, op: Op, of: &mut [Name]) -> Option<()> {
        let queued = |(name, hold, _): &(Name, Hold, Option<usize>)| match hold {
            Hold::Queued(stream) => Some((*name, *stream)),
            Hold::Idle => None,
        };
        let comms: Vec<(Name, usize)> = machine.comms().iter().filter_map(queued).collect();
        let (comm, home) = *self.random.pick(&comms)?;
        let mut streams = machine.names(Sort::Stream);
        streams.retain(|stream| machine.stream_of(*stream) == Some(home));
        *of.get_mut(0)? = comm;
        *of.get_mut(1)? = *self.random.pick(&streams)?;
        let mut all = machine.memories();
        all.retain(|memory| memory.hold == Hold::Queued(home) && memory.on_device && memory.plain);
        match op {
            Op::Collective { kind } => {
                let is_divided = matches!(kind, Collective::AllGatherV(_));
                let from = self.one(&all, |memory| {
                    memory.readable && (memory.whole || !is_divided)
                })?;
                let halves = all.iter().find(|memory| memory.name == from)?.halves;
                *of.get_mut(2)? = from;
                let ranks = self.ranks;
                let fits = |to: &Known| match kind {
                    Collective::AllGather => to.halves == halves * ranks,
                    Collective::ReduceScatter => to.halves * ranks == halves,
                    Collective::ReduceScatterV(_) => to.whole && !to.fresh,
                    _ => to.halves == halves,
                };
                *of.get_mut(3)? = self.one(&all, |memory| {
                    memory.writable && fits(memory) && memory.name != from
                })?;
            }
            Op::Exchange => {
                let (next, previous) = self.ring?;
                let back = self.random.chance(30);
                let (to, from) = if back {
                    (previous, next)
                } else {
                    (next, previous)
                };
                *of.get_mut(2)? = to;
                *of.get_mut(4)? = from;
                let sent = self.one(&all, |memory| memory.readable)?;
                let halves = all.iter().find(|memory| memory.name == sent)?.halves;
                *of.get_mut(3)? = sent;
                *of.get_mut(5)? = self.one(&all, |memory| {
                    memory.writable && memory.halves == halves && memory.name != sent
                })?;
            }
            Op::InPlace | Op::Broadcast => {
                let fits = |memory: &Known| memory.writable && !memory.fresh;
                *of.last_mut()? = self.one(&all, fits)?;
            }
            _ => {}
        }
        Some(())
    }

    /// Chooses the memory of a step by its state, because random memory seldom fits.
    pub(super) fn refine(&mut self, machine: &Machine, op: Op, of: &mut [Name]) -> Option<()> {
        let mut all = machine.memories();
        all.retain(|memory| memory.plain || takes_all(op) || memory.exported && copies(op));
        let first = of.first().and_then(|name| machine.stream_of(*name));
        let queued = |memory: &Known| {
            first.is_some_and(|stream| memory.hold == Hold::Queued(stream) && !memory.unbranded)
        };
        let idle = |memory: &Known| memory.hold == Hold::Idle && memory.unverified.is_none();
        match op {
            Op::MemcpyAsync | Op::Memcpy => {
                let is_site = |memory: &&Known| {
                    if op == Op::Memcpy {
                        idle(memory)
                    } else {
                        queued(memory)
                    }
                };
                let sources: Vec<Known> = all
                    .iter()
                    .filter(is_site)
                    .filter(|memory| memory.readable)
                    .copied()
                    .collect();
                let from = *self.random.pick(&sources)?;
                let fits = |memory: &&Known| {
                    memory.writable
                        && memory.name != from.name
                        && !(memory.exported && from.exported)
                        && memory.halves == from.halves
                        && (memory.on_device || from.on_device)
                };
                let targets: Vec<Known> =
                    all.iter().filter(is_site).filter(fits).copied().collect();
                *of.get_mut(1)? = self.random.pick(&targets)?.name;
                *of.get_mut(2)? = from.name;
            }
            Op::Export => {
                let fits = |memory: &Known| idle(memory) && memory.on_device && memory.readable;
                *of.get_mut(1)? = self.one(&all, |memory| fits(memory) && memory.whole)?;
            }
            Op::ToDlpack => {
                *of.get_mut(1)? = self.one(&all, |memory| idle(memory) && memory.readable)?;
            }
            Op::CloseExport => {
                *of.get_mut(1)? = self.one(&all, |memory| idle(memory) && memory.exported)?;
            }
            Op::MemcpyPeer => {
                let fits = |memory: &Known| idle(memory) && memory.on_device && memory.readable;
                *of.get_mut(2)? = self.one(&all, |memory| fits(memory) && memory.whole)?;
                *of.get_mut(3)? = self.one(&all, fits)?;
            }
            Op::MemsetAsync => {
                *of.get_mut(1)? = self.one(&all, |memory| queued(memory) && memory.writable)?
            }
            Op::HostFuncOn => {
                let fits = |memory: &Known| queued(memory) && memory.writable && !memory.on_device;
                *of.get_mut(1)? = self.one(&all, fits)?;
            }
            Op::Memset => {
                *of.get_mut(1)? = self.one(&all, |memory| idle(memory) && memory.writable)?
            }
            Op::Adopt => {
                *of.get_mut(1)? = self.one(&all, |memory| {
                    idle(memory) && (memory.whole || memory.writable)
                })?
            }
            Op::Take => *of.get_mut(1)? = self.one(&all, queued)?,
            Op::Verify => {
                *of.get_mut(1)? = self.one(&all, |memory| {
                    memory.unverified.is_some() && memory.unverified == first
                })?
            }
            Op::Accept => *of.get_mut(0)? = self.one(&all, |memory| memory.unverified.is_some())?,
            Op::Share => {
                *of.get_mut(0)? =
                    self.one(&all, |memory| memory.hold != Hold::Idle && memory.whole)?
            }
            Op::CloneShare | Op::TryUnwrap => {
                *of.get_mut(0)? = self.one(&all, |memory| {
                    !memory.whole && !memory.writable && memory.halves == 2
                })?;
            }
            Op::Unbrand => {
                *of.get_mut(0)? = self.one(&all, |memory| {
                    memory.hold != Hold::Idle && !memory.unbranded
                })?
            }
            Op::Rebrand => *of.get_mut(1)? = self.one(&all, |memory| memory.unbranded)?,
            Op::Handoff => *of.get_mut(3)? = self.one(&all, queued)?,
            Op::Fence => *of.get_mut(2)? = self.one(&all, queued)?,
            Op::Completed => *of.get_mut(1)? = self.one(&all, queued)?,
            Op::Lend { .. } => {
                *of.get_mut(1)? =
                    self.one(&all, |memory| idle(memory) && memory.whole && !memory.fresh)?
            }
            Op::Read | Op::Write => {
                *of.get_mut(0)? = self.one(&all, |memory| idle(memory) && !memory.on_device)?
            }
            Op::Plan { .. } => {
                let operand = |memory: &&Known| memory.on_device && memory.halves == 2;
                let inputs: Vec<Known> = all
                    .iter()
                    .filter(operand)
                    .filter(|memory| memory.readable)
                    .copied()
                    .collect();
                let from = *self.random.pick(&inputs)?;
                let fits = |memory: &Known| {
                    memory.on_device && memory.hold == from.hold && memory.context == from.context
                };
                *of.get_mut(1)? = from.name;
                *of.get_mut(2)? = self.one(&all, |memory| fits(memory) && memory.readable)?;
                *of.get_mut(3)? = self.one(&all, |memory| {
                    fits(memory) && memory.writable && memory.name != from.name
                })?;
            }
            Op::BatchSend | Op::BatchRecv => {
                let (next, previous) = self.ring?;
                let fits = |memory: &Known| {
                    let is_queued = memory.hold != Hold::Idle && memory.on_device;
                    let is_target = memory.writable && !memory.fresh;
                    is_queued
                        && if op == Op::BatchSend {
                            memory.readable
                        } else {
                            is_target
                        }
                };
                *of.get_mut(1)? = if op == Op::BatchSend { next } else { previous };
                *of.get_mut(2)? = self.one(&all, fits)?;
            }
            Op::Collective { .. }
            | Op::InPlace
            | Op::Broadcast
            | Op::Barrier
            | Op::Exchange
            | Op::BatchRun => {
                self.refine_comm(machine, op, of)?;
            }
            Op::CommTake | Op::CommVerify => {
                let fits = |(_, hold, unverified): &(Name, Hold, Option<usize>)| {
                    let stream = if op == Op::CommTake {
                        match hold {
                            Hold::Queued(stream) => Some(*stream),
                            Hold::Idle => None,
                        }
                    } else {
                        *unverified
                    };
                    stream.is_some() && stream == first
                };
                let mut comms = machine.comms();
                comms.retain(fits);
                *of.get_mut(1)? = self.random.pick(&comms)?.0;
            }
            Op::Repeatable => {
                let plan = of.get(1)?;
                machine.hold_of_plan(*plan)?;
            }
            Op::RunAgain { .. } | Op::LaunchAgain { .. } => {
                let (_, _, hold) = machine.repeat(*of.first()?)?;
                let is_launched = matches!(op, Op::LaunchAgain { .. });
                (is_launched == (hold != Hold::Idle)).then_some(())?;
                if let Hold::Queued(home) = hold {
                    let mut streams = machine.names(Sort::Stream);
                    streams.retain(|stream| machine.stream_of(*stream) == Some(home));
                    *of.get_mut(1)? = *self.random.pick(&streams)?;
                }
                let fits =
                    |memory: &Known| memory.on_device && memory.halves == 2 && memory.hold == hold;
                let reads = |memory: &Known| fits(memory) && memory.readable;
                *of.get_mut(2)? = self.one(&all, reads)?;
                *of.get_mut(3)? = self.one(&all, reads)?;
                let used = [*of.get(2)?, *of.get(3)?];
                *of.get_mut(4)? = self.one(&all, |memory| {
                    fits(memory) && memory.writable && !used.contains(&memory.name)
                })?;
            }
            Op::Find => {
                let fits = |memory: &Known| {
                    memory.on_device && memory.readable && memory.halves == 2 && idle(memory)
                };
                *of.get_mut(1)? = self.one(&all, fits)?;
            }
            Op::Front => {
                *of.get_mut(1)? = self.one(&all, |memory| memory.counted && idle(memory))?
            }
            Op::Paint => {
                let fits = |memory: &Known| memory.fresh && memory.picture && idle(memory);
                *of.get_mut(1)? = self.one(&all, fits)?;
            }
            Op::Check => {
                *of.get_mut(0)? = self.one(&all, |memory| memory.unchecked && idle(memory))?
            }
            Op::Pixels => {
                let fits = |memory: &Known| {
                    memory.picture && !memory.unchecked && memory.readable && idle(memory)
                };
                *of.get_mut(1)? = self.one(&all, fits)?;
            }
            Op::Infer => {
                let hold = self.user(machine, &all, of, |memory| memory.model)?;
                let fits = |memory: &Known| {
                    memory.plain && memory.on_device && memory.whole && memory.hold == hold
                };
                let from = self.one(&all, |memory| fits(memory) && memory.readable)?;
                *of.get_mut(2)? = from;
                *of.get_mut(3)? = self.one(&all, |memory| fits(memory) && memory.name != from)?;
            }
            Op::Crop => {
                let hold = self.user(machine, &all, of, |memory| memory.channel)?;
                let fits = |memory: &Known| memory.picture && memory.hold == hold && memory.whole;
                let from = self.one(&all, |memory| fits(memory) && memory.readable)?;
                *of.get_mut(2)? = from;
                *of.get_mut(3)? = self.one(&all, |memory| {
                    let is_target = memory.fresh || memory.unchecked;
                    fits(memory) && is_target && memory.name != from
                })?;
            }
            Op::LaunchKernel { .. } => self.refine_launch(machine, &all, of)?,
            Op::Launch => {
                let hold = machine.hold_of_plan(*of.first()?);
                let stream = machine.stream_of(*of.get(1)?)?;
                (hold == Some(Hold::Queued(stream))).then_some(())?;
            }
            Op::Run => {
                let hold = machine.hold_of_plan(*of.first()?);
                (hold == Some(Hold::Idle)).then_some(())?;
            }
            _ => {}
        }
        Some(())
    }

    /// Chooses the first two operands, a model or a channel and the stream that has it. Returns who holds it.
    fn user(
        &mut self,
        machine: &Machine,
        all: &[Known],
        of: &mut [Name],
        fits: impl Fn(&Known) -> bool,
    ) -> Option<Hold> {
        let users = all.iter().filter(|memory| fits(memory) && memory.whole);
        let users: Vec<Known> = users.copied().collect();
        let user = *self.random.pick(&users)?;
        let Hold::Queued(home) = user.hold else {
            return None;
        };
        let mut streams = machine.names(Sort::Stream);
        streams.retain(|stream| machine.stream_of(*stream) == Some(home));
        *of.get_mut(0)? = user.name;
        *of.get_mut(1)? = *self.random.pick(&streams)?;
        Some(user.hold)
    }

    /// Memory that fits.
    pub(super) fn one(&mut self, all: &[Known], fits: impl Fn(&Known) -> bool) -> Option<Name> {
        let fitting: Vec<Name> = all
            .iter()
            .filter(|memory| fits(memory))
            .map(|memory| memory.name)
            .collect();
        self.random.pick(&fitting).copied()
    }
}

/// Whether a step takes pictures, channels and counted numbers too.
/// Whether a step copies or fills exported memory, too.
fn copies(op: Op) -> bool {
    matches!(
        op,
        Op::Memcpy | Op::MemcpyAsync | Op::Memset | Op::MemsetAsync | Op::CloseExport
    )
}

fn takes_all(op: Op) -> bool {
    matches!(
        op,
        Op::Adopt
            | Op::Take
            | Op::Verify
            | Op::Accept
            | Op::Share
            | Op::CloneShare
            | Op::TryUnwrap
            | Op::Handoff
            | Op::Fence
            | Op::Completed
            | Op::Front
            | Op::Paint
            | Op::Check
            | Op::Pixels
            | Op::Crop
            | Op::Infer
    ) || op.family() == Family::Graph
}
