//! Messages between two ranks, alone and in batches.

use super::access::Mode;
use super::ranks::{Action, Key, Kind, Message, Part, Terms};
use super::state::{Hold, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Op, Step};

/// A message of a rank: the other rank, the memory, and whether it is received.
type Side = (u8, View, bool);

impl Machine {
    /// A step that queues messages.
    pub(super) fn message(&mut self, step: &Step) -> Run {
        let (used, task) = self.operation(step)?;
        let sides = match step.op {
            Op::Send => vec![self.sent(step, (2, 3), used.comm)?],
            Op::Recv => vec![self.received(step, (2, 3), used.comm, task)?],
            Op::Exchange => {
                self.note_if(step.of.get(3) == step.of.get(5), Strictness::Borrowed);
                let sent = self.sent(step, (2, 3), used.comm)?;
                let received = self.received(step, (4, 5), used.comm, task)?;
                vec![sent, received]
            }
            _ => {
                let variable = self.operand(step, 2, Mode::Move)?;
                let Value::Batch {
                    comm,
                    hold,
                    messages,
                    ..
                } = variable.value
                else {
                    return Err(Rule::Stopped);
                };
                let is_own = self.group(comm) == self.group(used.comm);
                self.note_if(!is_own || hold != used.hold, Strictness::Types);
                let seat = self.seat(used.comm)?;
                for (rank, ..) in &messages {
                    Self::is_other(*rank, seat.rank)?;
                    if *rank >= seat.size {
                        return Err(Rule::RankRange);
                    }
                }
                if messages.is_empty() {
                    return Err(Rule::EmptyBatch);
                }
                messages
            }
        };
        for (_, view, is_received) in &sides {
            // What a step alone receives was queued with its destination.
            if !is_received || step.op == Op::BatchRun {
                self.queue(task, view, (!is_received, *is_received), true)?;
            }
        }
        self.note_messages(step.op, used.comm, task, &sides)
    }

    fn is_other(rank: u8, own: u8) -> Run {
        if rank == own {
            return Err(Rule::OwnRank);
        }
        Ok(())
    }

    fn sent(&mut self, step: &Step, (rank, memory): (usize, usize), comm: usize) -> Run<Side> {
        let rank = self.rank(step, rank, comm)?;
        let view = self.source(step, memory)?;
        self.is_exchanged(&view)?;
        Self::is_other(rank, self.seat(comm)?.rank)?;
        Ok((rank, view, false))
    }

    fn received(
        &mut self,
        step: &Step,
        (rank, memory): (usize, usize),
        comm: usize,
        task: (usize, u64),
    ) -> Run<Side> {
        let rank = self.rank(step, rank, comm)?;
        let by_value = !step.to.is_empty();
        let (view, borrows) = if by_value {
            self.view(step, memory, Mode::Move)?
        } else {
            self.target(step, memory)?
        };
        self.note_if(by_value != view.fresh, Strictness::Form);
        self.is_exchanged(&view)?;
        Self::is_other(rank, self.seat(comm)?.rank)?;
        self.queue(task, &view, (false, true), true)?;
        self.written(step, view.clone(), borrows);
        Ok((rank, view, true))
    }

    /// Notes messages for the comparison with those of the other ranks. The first one of a direction that is in no batch waits
    /// for the other rank.
    fn note_messages(&mut self, op: Op, comm: usize, task: (usize, u64), sides: &[Side]) -> Run {
        let seat = self.seat(comm)?;
        let in_batch = matches!(op, Op::Exchange | Op::BatchRun);
        let mut parts = Vec::new();
        for (other, view, is_received) in sides {
            let (from, to) = if *is_received {
                (*other, seat.rank)
            } else {
                (seat.rank, *other)
            };
            if !in_batch {
                let key = Key::Pair(seat.world.clone(), from, to);
                self.act(Action::Meet(key, 2));
            }
            let mut message = Message {
                from,
                to,
                in_batch,
                number: 0,
            };
            let Some(of) = self.state.comms.get_mut(comm) else {
                return Err(Rule::Stopped);
            };
            let number = of.messages.entry(message).or_default();
            *number += 1;
            message.number = *number;
            parts.push(Part {
                key: Key::Message(seat.world.clone(), message),
                parts: 2,
                terms: Terms {
                    kind: Kind::Message,
                    is_max: false,
                    root: None,
                    count: view.halves.count_ones(),
                    lengths: None,
                },
            });
        }
        self.note_task(task, parts);
        Ok(())
    }

    /// A step that makes a list of messages. It calls no function of C.
    pub(super) fn batch_step(&mut self, step: &Step) -> Run {
        if step.op == Op::Batch {
            let used = self.comm(step, 0, Mode::Shared)?;
            self.note_if(used.hold == Hold::Idle, Strictness::NotAdopted);
            self.note_if(used.unverified.is_some(), Strictness::NotVerified);
            let batch = Value::Batch {
                comm: used.comm,
                thread: self.state.thread,
                hold: used.hold,
                messages: Vec::new(),
            };
            self.give(step, 0, batch, Vec::new());
            return Ok(());
        }
        let variable = self.operand(step, 0, Mode::Exclusive)?;
        let Value::Batch { comm, hold, .. } = variable.value else {
            return Err(Rule::Stopped);
        };
        let is_received = step.op == Op::BatchRecv;
        let rank = self.rank(step, 1, comm)?;
        let name = step.of.get(2).copied().ok_or(Rule::Stopped)?;
        let before = self.state.variables.get(&name);
        let mut borrows = before.map(|of| of.borrows.clone()).unwrap_or_default();
        let view = if is_received {
            self.target(step, 2)?.0
        } else {
            self.source(step, 2)?
        };
        self.is_exchanged(&view)?;
        Self::is_other(rank, self.seat(comm)?.rank)?;
        self.note_if(is_received && view.fresh, Strictness::Form);
        self.note_if(view.hold != hold, Strictness::NotTaken);
        self.note_if(view.unverified, Strictness::NotVerified);
        // The batch has borrowed the memory before.
        let batch = step
            .of
            .first()
            .and_then(|name| self.state.variables.get(name));
        let is_stale = batch.is_some_and(|batch| batch.stale);
        self.note_if(is_stale, Strictness::Borrowed);
        // A part is given to the batch, and other memory is lent to it.
        if !view.form.is_part() {
            borrows.push((name, is_received));
        }
        if let Some(batch) = step.of.first() {
            self.change(*batch, |variable| {
                variable.borrows.extend(borrows);
                if let Value::Batch { messages, .. } = &mut variable.value {
                    messages.push((rank, view, is_received));
                }
            });
        }
        Ok(())
    }
}
