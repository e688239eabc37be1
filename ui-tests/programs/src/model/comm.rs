//! Communicators of HCCL: each is of a device, has a name, and runs its operations on streams.
//!
//! A device has one map of its communicators, by name, and a communicator is found through the device that is current. For
//! the memory of a rank an operation is a copy on the stream. `ranks` compares the operations of all ranks.

use std::collections::BTreeMap;

use super::access::{Mode, of_device};
use super::ranks::{Action, Key, Kind, Part, Terms};
use super::state::{Borrows, Comm, Form, Group, Hold, Naming, Place, Seat, Value, View};
use super::{Machine, Rule, Run, Strictness};
use crate::program::{Collective, Lengths, Op, Step, Which};

/// A communicator as a step uses it.
pub(super) struct Used {
    pub(super) comm: usize,
    pub(super) hold: Hold,
    pub(super) unverified: Option<usize>,
    borrows: Borrows,
}

impl Machine {
    pub(super) fn comm_step(&mut self, step: &Step) -> Run {
        match step.op {
            Op::CommInit { name } => {
                let (context, borrows) = self.binding(step, 0)?;
                let stops = self.stops(context);
                self.note_if(stops, Strictness::Stopping);
                let thread = Some(self.state.thread);
                let group = Group { name, part: None };
                let root = self.new_root();
                let comm = self.new_comm(context, group, None, thread, Seat::alone(root))?;
                self.give_comm(step, (comm, Hold::Idle, None), borrows);
                Ok(())
            }
            Op::RootInfo { ranks } => {
                self.binding(step, 0)?;
                let root = self.new_root();
                self.give(step, 0, Value::Root { root, size: ranks }, Vec::new());
                Ok(())
            }
            Op::CommJoin { name, rank } => self.comm_join(step, name, rank),
            Op::CommInitAll { name, .. } => self.comm_init_all(step, name),
            Op::CommAttach => self.comm_attach(step),
            Op::SubComm { part } => self.sub_comm(step, part),
            Op::RankOf(which) => {
                let used = self.comm(step, 0, Mode::Shared)?;
                self.note_if(used.unverified.is_some(), Strictness::NotVerified);
                let Seat { rank, size, .. } = self.seat(used.comm)?;
                let number = match which {
                    Which::Own => rank,
                    Which::Next => (rank + 1) % size,
                    Which::Previous => (rank + size - 1) % size,
                    Which::At(number) if number < size => number,
                    Which::At(_) => return Err(Rule::RankRange),
                };
                let comm = used.comm;
                self.give(step, 0, Value::Rank { comm, number }, Vec::new());
                Ok(())
            }
            Op::Batch | Op::BatchSend | Op::BatchRecv => self.batch_step(step),
            Op::CommAdopt => {
                let (stream, _) = self.stream(step, 0, Mode::Shared)?;
                let used = self.comm(step, 1, Mode::Move)?;
                self.note_if(used.hold != Hold::Idle, Strictness::Types);
                self.note_if(used.unverified.is_some(), Strictness::NotVerified);
                let is_home = self.home_of(stream) == self.context_of(used.comm)?;
                self.note_if(!is_home, Strictness::Types);
                self.give_comm(step, (used.comm, Hold::Queued(stream), None), used.borrows);
                Ok(())
            }
            Op::CommTake | Op::CommVerify => self.comm_take(step),
            Op::CommAccept => {
                let used = self.comm(step, 0, Mode::Move)?;
                self.note_if(used.unverified.is_none(), Strictness::Types);
                self.give_comm(step, (used.comm, used.hold, None), used.borrows);
                Ok(())
            }
            Op::CommDestroy => {
                let used = self.comm(step, 0, Mode::Move)?;
                self.called()?;
                self.is_found(used.comm)?;
                self.note_if(used.hold != Hold::Idle, Strictness::NotTaken);
                self.note_if(used.unverified.is_some(), Strictness::NotVerified);
                self.end_comm(used.comm)
            }
            _ => self.collective(step),
        }
    }

    /// Makes a communicator. The maps of names and threads are those of the API.
    fn new_comm(
        &mut self,
        context: usize,
        group: Group,
        whole: Option<usize>,
        thread: Option<usize>,
        place: Seat,
    ) -> Run<usize> {
        let device = self.device_of(context);
        let all = self.state.comms.iter().enumerate();
        let claimed: Vec<&Comm> = all
            .filter(|(index, of)| self.device_of(of.context) == device && self.is_claimed(*index))
            .map(|(_, of)| of)
            .collect();
        if claimed.iter().any(|of| of.group == group) {
            return Err(Rule::NameTaken);
        }
        let is_elsewhere = |of: &&Comm| of.thread.is_some() && of.thread != thread;
        if thread.is_some() && claimed.iter().any(is_elsewhere) {
            return Err(Rule::CommThread);
        }
        self.has_other_queues(context);
        self.state.comms.push(Comm {
            context,
            alive: true,
            claimed: true,
            group,
            whole,
            thread,
            uses: Vec::new(),
            place,
            operations: 0,
            messages: BTreeMap::new(),
            parts: BTreeMap::new(),
        });
        Ok(self.state.comms.len() - 1)
    }

    /// Whether the name of a communicator is taken: by itself, or by a part, with which it ends.
    fn is_claimed(&self, comm: usize) -> bool {
        let own = self.state.comms.get(comm).is_some_and(|of| of.claimed);
        let mut parts = self.state.comms.iter();
        own || parts.any(|of| of.whole == Some(comm) && of.claimed)
    }

    fn give_comm(
        &mut self,
        step: &Step,
        (comm, hold, unverified): (usize, Hold, Option<usize>),
        borrows: Borrows,
    ) {
        let value = Value::Comm {
            comm,
            thread: self.state.thread,
            hold,
            unverified,
        };
        self.give(step, 0, value, borrows);
    }

    pub(super) fn comm(&mut self, step: &Step, index: usize, mode: Mode) -> Run<Used> {
        let variable = self.operand(step, index, mode)?;
        let Value::Comm {
            comm,
            hold,
            unverified,
            ..
        } = variable.value
        else {
            return Err(Rule::Stopped);
        };
        Ok(Used {
            comm,
            hold,
            unverified,
            borrows: variable.borrows,
        })
    }

    fn new_root(&mut self) -> usize {
        self.state.roots += 1;
        self.state.roots
    }

    /// The place of a rank in its communicator.
    pub(super) fn seat(&self, comm: usize) -> Run<Seat> {
        let of = self.state.comms.get(comm);
        of.map(|of| of.place.clone()).ok_or(Rule::Stopped)
    }

    /// The name of a communicator, which its types have.
    pub(super) fn group(&self, comm: usize) -> Option<Group> {
        self.state.comms.get(comm).map(|of| of.group)
    }

    fn context_of(&self, comm: usize) -> Run<usize> {
        let of = self.state.comms.get(comm);
        of.map(|of| of.context).ok_or(Rule::Stopped)
    }

    /// Whether HCCL finds a communicator: it lives, and its device is current.
    fn is_found(&self, comm: usize) -> Run {
        let context = self.context_of(comm)?;
        if !self.state.comms.get(comm).is_some_and(|of| of.alive) {
            return Err(Rule::CommGone);
        }
        if !self.is_open(self.device_of(context)) {
            return Err(Rule::DeviceGone);
        }
        match self.thread().current {
            None => Err(Rule::NoContext),
            Some(current) if self.device_of(current) != self.device_of(context) => {
                Err(Rule::OtherContext)
            }
            Some(_) => Ok(()),
        }
    }

    /// The end of a communicator, from any thread: it lives, its device too, and its work is over.
    pub(super) fn end_comm(&mut self, comm: usize) -> Run {
        self.called()?;
        let context = self.context_of(comm)?;
        let device = self.device_of(context);
        let is_open = self.is_open(device);
        let over = self.state.over.clone();
        let Some(of) = self.state.comms.get_mut(comm) else {
            return Err(Rule::Stopped);
        };
        if !of.alive {
            return Err(Rule::CommGone);
        }
        if !is_open {
            return Err(Rule::DeviceGone);
        }
        let is_over = |(stream, task): &(usize, u64)| over.get(stream).is_some_and(|at| at >= task);
        if !of.uses.iter().all(is_over) {
            return Err(Rule::CommBusy);
        }
        of.alive = false;
        of.claimed = false;
        // A part that has it may end on any thread.
        of.thread = None;
        Ok(())
    }

    /// The drop of a queued communicator: its device destroys it behind the work of the stream. The name stays taken until
    /// then.
    pub(super) fn park_comm(&mut self, comm: usize, stream: usize) -> Run {
        self.called()?;
        let context = self.context_of(comm)?;
        if !self.is_open(self.device_of(context)) {
            return Err(Rule::DeviceGone);
        }
        let after = self.after(stream);
        let over = self.state.over.clone();
        let Some(of) = self.state.comms.get_mut(comm) else {
            return Err(Rule::Stopped);
        };
        let is_over = |(stream, task): &(usize, u64)| {
            let clocks = [&after, &over];
            clocks
                .iter()
                .any(|clock| clock.get(stream).is_some_and(|at| at >= task))
        };
        if !of.uses.iter().all(is_over) {
            return Err(Rule::CommBusy);
        }
        of.alive = false;
        of.thread = None;
        Ok(())
    }

    fn comm_init_all(&mut self, step: &Step, name: u8) -> Run {
        let (context, _) = self.binding(step, 0)?;
        let stops = self.stops(context);
        self.note_if(stops, Strictness::Stopping);
        let root = self.new_root();
        let size = u8::try_from(step.of.len() - 1).unwrap_or(u8::MAX);
        let (mut comms, mut borrows) = (Vec::new(), Vec::new());
        for rank in 0..size {
            let index = usize::from(rank) + 1;
            let variable = self.operand(step, index, Mode::Shared)?;
            let device = self.open_device(&variable)?;
            if !self.state.members.insert((root, device)) {
                return Err(Rule::RankTwice);
            }
            let context = self.state.devices.get(device).map_or(0, |of| of.context);
            let stops = self.stops(context);
            self.note_if(stops, Strictness::Stopping);
            let world = vec![root];
            let place = Seat { world, rank, size };
            comms.push(self.new_comm(context, Group { name, part: None }, None, None, place)?);
            borrows.extend(Self::borrow(step, index, false));
            borrows.extend(of_device(&variable.borrows));
        }
        for (index, comm) in comms.into_iter().enumerate() {
            self.give(step, index, Value::Seat { comm }, borrows.clone());
        }
        Ok(())
    }

    /// A rank joins by a root information, and waits for all others.
    fn comm_join(&mut self, step: &Step, name: u8, rank: u8) -> Run {
        let (context, borrows) = self.binding(step, 0)?;
        let stops = self.stops(context);
        self.note_if(stops, Strictness::Stopping);
        let variable = self.operand(step, 1, Mode::Shared)?;
        let Value::Root { root, size } = variable.value else {
            return Err(Rule::Stopped);
        };
        if rank >= size {
            return Err(Rule::RankRange);
        }
        let world = vec![root];
        let thread = Some(self.state.thread);
        let place = Seat { world, rank, size };
        let group = Group { name, part: None };
        let comm = self.new_comm(context, group, None, thread, place.clone())?;
        let is_first = self.state.joined.insert((root, rank));
        let device = self.device_of(context);
        if !self.state.members.insert((root, device)) || !is_first {
            return Err(Rule::RankTwice);
        }
        self.meet(&place, Key::Join);
        self.give_comm(step, (comm, Hold::Idle, None), borrows);
        Ok(())
    }

    /// Waits for all ranks of a communicator.
    fn meet(&mut self, place: &Seat, key: impl FnOnce(Vec<usize>) -> Key) {
        if place.size > 1 {
            self.act(Action::Meet(key(place.world.clone()), place.size));
        }
    }

    /// The thread of a device takes its communicator.
    fn comm_attach(&mut self, step: &Step) -> Run {
        let (context, mut borrows) = self.binding(step, 0)?;
        let stops = self.stops(context);
        self.note_if(stops, Strictness::Stopping);
        let variable = self.operand(step, 1, Mode::Move)?;
        let Value::Seat { comm } = variable.value else {
            return Err(Rule::Stopped);
        };
        if self.context_of(comm)? != context {
            return Err(Rule::SeatOfOther);
        }
        let (device, thread) = (self.device_of(context), self.state.thread);
        let mut all = self.state.comms.iter().enumerate();
        let is_elsewhere = all.any(|(index, of)| {
            let is_other = of.thread.is_some_and(|of| of != thread);
            is_other && self.device_of(of.context) == device && self.is_claimed(index)
        });
        if is_elsewhere {
            return Err(Rule::CommThread);
        }
        if let Some(of) = self.state.comms.get_mut(comm) {
            of.thread = Some(thread);
        }
        borrows.extend(variable.borrows);
        self.give_comm(step, (comm, Hold::Idle, None), borrows);
        Ok(())
    }

    fn sub_comm(&mut self, step: &Step, part: u8) -> Run {
        let used = self.comm(step, 0, Mode::Exclusive)?;
        self.called()?;
        self.is_found(used.comm)?;
        self.note_if(used.hold != Hold::Idle, Strictness::Types);
        self.note_if(used.unverified.is_some(), Strictness::NotVerified);
        let context = self.context_of(used.comm)?;
        let of = self.state.comms.get(used.comm).map(|of| of.group);
        let of = of.ok_or(Rule::Stopped)?;
        self.note_if(of.part.is_some(), Strictness::Types);
        let group = Group {
            name: of.name,
            part: Some(part),
        };
        let thread = Some(self.state.thread);
        let mut place = self.seat(used.comm)?;
        if let Some(of) = self.state.comms.get_mut(used.comm) {
            let number = of.parts.entry(part).or_default();
            *number += 1;
            place.world.extend([usize::from(part), *number]);
        }
        let comm = self.new_comm(context, group, Some(used.comm), thread, place.clone())?;
        self.meet(&place, Key::Join);
        self.give_comm(step, (comm, Hold::Idle, None), used.borrows);
        Ok(())
    }

    /// A communicator comes back from its stream, or its operations are verified.
    fn comm_take(&mut self, step: &Step) -> Run {
        let proof = self.operand(step, 0, Mode::Shared)?;
        let used = self.comm(step, 1, Mode::Move)?;
        let Value::Proof {
            stream, drained, ..
        } = proof.value
        else {
            return Err(Rule::Stopped);
        };
        let unverified = if step.op == Op::CommVerify {
            self.note_if(used.unverified.is_none() || drained, Strictness::Types);
            let is_other = used.unverified.is_some_and(|home| home != stream);
            self.note_if(is_other, Strictness::OtherProof);
            None
        } else {
            self.note_if(used.hold == Hold::Idle, Strictness::Types);
            let is_other = matches!(used.hold, Hold::Queued(home) if home != stream);
            self.note_if(is_other, Strictness::OtherProof);
            drained.then_some(stream)
        };
        self.give_comm(step, (used.comm, Hold::Idle, unverified), used.borrows);
        Ok(())
    }

    /// The begin of an operation: a communicator and a stream that fit each other, and a task.
    pub(super) fn operation(&mut self, step: &Step) -> Run<(Used, (usize, u64))> {
        let used = self.comm(step, 0, Mode::Shared)?;
        let (stream, _) = self.stream(step, 1, Mode::Shared)?;
        self.is_found(used.comm)?;
        let (home, context) = (self.home_of(stream), self.context_of(used.comm)?);
        if self.device_of(home) != self.device_of(context) {
            return Err(Rule::DeviceOfStream);
        }
        self.note_if(home != context, Strictness::Types);
        let naming = self.state.streams.get(stream).map(|stream| stream.naming);
        if naming == Some(Naming::Default) {
            return Err(Rule::NullStream);
        }
        self.note_if(used.unverified.is_some(), Strictness::NotVerified);
        match used.hold {
            Hold::Idle => self.note(Strictness::NotAdopted),
            Hold::Queued(home) => self.note_if(home != stream, Strictness::NotTaken),
        }
        let task = self.task(stream);
        if let Some(of) = self.state.comms.get_mut(used.comm) {
            of.uses.push((stream, task));
        }
        Ok((used, (stream, task)))
    }

    /// Notes a task of a communicator with several ranks. `parts` are those of the task.
    pub(super) fn note_task(&mut self, (stream, task): (usize, u64), parts: Vec<Part>) {
        let mut after = self.after(stream);
        after.insert(stream, task - 1);
        let task = (stream, task);
        self.act(Action::Queue { task, after, parts });
    }

    /// Notes an operation of all ranks. The first of a kind waits for all of them.
    fn note_operation(&mut self, comm: usize, task: (usize, u64), terms: Terms) -> Run {
        let place = self.seat(comm)?;
        if place.size == 1 {
            return Ok(());
        }
        self.meet(&place, |world| Key::Link(world, terms.kind));
        let Some(of) = self.state.comms.get_mut(comm) else {
            return Err(Rule::Stopped);
        };
        of.operations += 1;
        let part = Part {
            key: Key::Operation(place.world, of.operations),
            parts: place.size,
            terms,
        };
        self.note_task(task, vec![part]);
        Ok(())
    }

    /// Whether a rank belongs to communicators of this name. It is a number, which another one may not have.
    pub(super) fn rank(&mut self, step: &Step, index: usize, comm: usize) -> Run<u8> {
        let variable = self.operand(step, index, Mode::Shared)?;
        let Value::Rank { comm: of, number } = variable.value else {
            return Err(Rule::Stopped);
        };
        let is_own = self.group(of) == self.group(comm);
        self.note_if(!is_own, Strictness::Types);
        if number >= self.seat(comm)?.size {
            return Err(Rule::RankRange);
        }
        Ok(number)
    }

    /// An operation of all ranks: its task on the stream, and the memory that the task uses.
    fn collective(&mut self, step: &Step) -> Run {
        if matches!(step.op, Op::Send | Op::Recv | Op::Exchange | Op::BatchRun) {
            return self.message(step);
        }
        let (used, (stream, task)) = self.operation(step)?;
        let mut terms = Terms {
            kind: Kind::Barrier,
            is_max: false,
            root: None,
            count: 0,
            lengths: None,
        };
        match step.op {
            Op::Collective { kind } => {
                let from = self.source(step, 2)?;
                let by_value = !step.to.is_empty();
                let (to, borrows) = if by_value {
                    self.view(step, 3, Mode::Move)?
                } else {
                    self.target(step, 3)?
                };
                self.note_if(by_value != to.fresh, Strictness::Form);
                // A rank that is not the root would not write the result.
                let is_reduce = kind == Collective::Reduce;
                let is_max = kind == Collective::AllMax;
                // A rank writes its own part of the buffer.
                let is_divided = matches!(kind, Collective::ReduceScatterV(_));
                self.note_if((is_reduce || is_divided) && to.fresh, Strictness::Form);
                // A part has no parts.
                let divided = match kind {
                    Collective::AllGatherV(_) => from.form,
                    Collective::ReduceScatterV(_) => to.form,
                    _ => Form::Whole,
                };
                self.note_if(divided != Form::Whole, Strictness::Types);
                self.note_if(step.of.get(2) == step.of.get(3), Strictness::Borrowed);
                self.is_exchanged(&from)?;
                self.is_exchanged(&to)?;
                let (sent, received) = (from.halves.count_ones(), to.halves.count_ones());
                let size = u32::from(self.seat(used.comm)?.size);
                let lengths = kind.lengths();
                let (kind, sent_by_all, count) = match kind {
                    Collective::AllReduce | Collective::AllMax => (Kind::AllReduce, sent, sent),
                    Collective::Reduce => (Kind::Reduce, sent, sent),
                    Collective::AllGather => (Kind::AllGather, sent * size, sent),
                    Collective::ReduceScatter => (Kind::ReduceScatter, sent, received),
                    Collective::AllToAll => (Kind::AllToAll, sent, sent),
                    Collective::AllGatherV(_) => (Kind::AllGatherV, sent, received),
                    Collective::ReduceScatterV(_) => (Kind::ReduceScatterV, sent, sent),
                    Collective::AllToAllV(_) => (Kind::AllToAllV, sent, sent),
                    Collective::AllToAllVC(_) => (Kind::AllToAllVC, sent, sent),
                };
                // A list of another length than the buffer can be that of the memory that all ranks receive into.
                let listed = match lengths {
                    Some(Lengths::Short) if sent == 2 => 1,
                    Some(Lengths::Short) => 0,
                    _ => sent,
                };
                let fits = match kind {
                    Kind::ReduceScatter => sent_by_all == received * size,
                    // The part of a rank lies in a buffer of any length that has it.
                    Kind::ReduceScatterV => listed == sent && received >= sent,
                    Kind::AllGatherV => listed == received,
                    _ => listed == sent && sent_by_all == received,
                };
                if !fits {
                    return Err(Rule::Length);
                }
                terms = Terms {
                    kind,
                    is_max,
                    root: is_reduce.then_some(0),
                    count,
                    lengths,
                };
                self.queue((stream, task), &from, (true, false), true)?;
                self.queue((stream, task), &to, (false, true), true)?;
                self.written(step, to, borrows);
            }
            Op::InPlace | Op::Broadcast => {
                let index = if step.op == Op::InPlace { 2 } else { 3 };
                terms.kind = Kind::AllReduce;
                if step.op == Op::Broadcast {
                    terms.kind = Kind::Broadcast;
                    terms.root = Some(self.rank(step, 2, used.comm)?);
                }
                let (view, _) = self.target(step, index)?;
                self.is_exchanged(&view)?;
                terms.count = view.halves.count_ones();
                self.queue((stream, task), &view, (true, true), true)?;
                self.note_if(view.fresh, Strictness::Form);
            }
            // A barrier uses memory of its own.
            _ => {}
        }
        self.note_operation(used.comm, (stream, task), terms)
    }

    /// Memory that ranks exchange is device memory.
    pub(super) fn is_exchanged(&mut self, view: &View) -> Run {
        if !matches!(self.place(view)?, Place::Device(_)) {
            return Err(Rule::CommHost);
        }
        let is_plain = matches!(view.form, Form::Whole | Form::Part | Form::ReadonlyPart);
        self.note_if(!is_plain, Strictness::Types);
        Ok(())
    }
}
