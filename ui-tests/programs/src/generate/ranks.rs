//! Programs with several ranks: each a thread with a device, and all with the same steps but for messages.

use std::collections::BTreeMap;

use super::Generator;
use crate::kinds::vary;
use crate::model::{Machine, judge};
use crate::program::{ACL, Collective, Name, Op, Program, Reach, Sort, Step, Which};
use crate::random::Random;

/// A program that is legal more often than not, if the ranks have something to do with each other.
pub(super) fn attempt(random: &mut Random) -> Option<Program> {
    let mut generator = Generator::new(random, Reach::Ranks);
    let count = 2 + u8::from(generator.random.chance(30));
    generator.ranks = u32::from(count);
    let mut steps = Vec::new();
    let outside = generator.outside(count, &mut steps);
    let mut machine = Machine::new();
    let mut world = generator.make(Op::Ranks, Vec::new());
    let mut rank = generator.make(Op::Rank, Vec::new());
    let enters = |machine: &mut Machine| {
        steps.iter().all(|step| machine.allows(step))
            && machine.enter(&world).is_ok()
            && machine.enter(&rank).is_ok()
    };
    if !enters(&mut machine) {
        return None;
    }
    generator.begin_rank(&outside, &mut machine, &mut rank.body);
    let size = 4 + generator.random.below(12);
    generator.fill(&mut machine, &mut rank.body, size, 1);
    if !rank.body.iter().any(is_work) {
        return None;
    }
    for number in 0..count {
        let own = if number == 0 {
            rank.clone()
        } else {
            generator.copy(&rank, &outside, number)
        };
        world.body.push(own);
    }
    steps.push(world);
    let program = Program { steps };
    Some(generator.messages(program, count))
}

/// Whether a step is an operation of all ranks, or of a ring of them.
fn is_work(step: &Step) -> bool {
    matches!(
        step.op,
        Op::Collective { .. }
            | Op::InPlace
            | Op::Broadcast
            | Op::Barrier
            | Op::Exchange
            | Op::BatchRun
    )
}

/// A kind of operations of all ranks.
pub(super) fn random_work(random: &mut Random) -> Op {
    let all = Op::Collective {
        kind: Collective::AllReduce,
    };
    let kinds = [
        all,
        all,
        Op::InPlace,
        Op::Broadcast,
        Op::Barrier,
        Op::Exchange,
        Op::Batch,
        Op::SubComm { part: 0 },
    ];
    vary(random.pick(&kinds).copied().unwrap_or(all), random)
}

/// What the ranks use in common, or one of them each.
struct Outside {
    devices: Vec<Name>,
    root: Option<Name>,
    seats: Vec<Name>,
}

impl Generator<'_> {
    /// Opens the devices, and makes what the ranks need to find each other.
    fn outside(&mut self, count: u8, steps: &mut Vec<Step>) -> Outside {
        let claim = self.make(Op::Claim, Vec::new());
        let thread = claim.to.clone();
        steps.push(claim);
        let opens_own = self.random.chance(30);
        let opened = if opens_own { 1 } else { count };
        let mut devices = Vec::new();
        for number in 0..opened {
            let (slot, id) = (number, number);
            let of = [&[ACL], thread.as_slice()].concat();
            let open = self.make(Op::SetDevice { slot, id }, of);
            devices.extend(open.to.clone());
            steps.push(open);
        }
        let of = thread.iter().chain(devices.first()).copied().collect();
        let bind = self.make(Op::Bind, of);
        let binding = bind.to.clone();
        steps.push(bind);
        let (mut root, mut seats) = (None, Vec::new());
        if !opens_own && self.random.chance(30) {
            let of = [binding, devices.clone()].concat();
            let op = Op::CommInitAll {
                name: 0,
                ranks: count,
            };
            let all = self.make(op, of);
            seats.clone_from(&all.to);
            steps.push(all);
        } else {
            let step = self.make(Op::RootInfo { ranks: count }, binding);
            root = step.to.first().copied();
            steps.push(step);
        }
        if opens_own {
            steps.push(self.make(Op::Reset, devices.clone()));
            devices.clear();
        }
        Outside {
            devices,
            root,
            seats,
        }
    }

    /// The first steps of rank 0: its device, its communicator on a stream, and memory.
    fn begin_rank(&mut self, outside: &Outside, machine: &mut Machine, body: &mut Vec<Step>) {
        let claim = self.make(Op::Claim, Vec::new());
        let thread = claim.to.clone();
        let mut all = vec![claim];
        let mut device: Vec<Name> = outside.devices.first().copied().into_iter().collect();
        if device.is_empty() {
            let of = [&[ACL], thread.as_slice()].concat();
            let open = self.make(Op::SetDevice { slot: 0, id: 0 }, of);
            device.clone_from(&open.to);
            all.push(open);
        }
        let bind = self.make(Op::Bind, [thread, device].concat());
        let binding = bind.to.clone();
        all.push(bind);
        let other = outside.root.or(outside.seats.first().copied());
        let of = binding.iter().copied().chain(other).collect();
        let op = match outside.root {
            Some(_) => Op::CommJoin { name: 0, rank: 0 },
            None => Op::CommAttach,
        };
        let join = self.make(op, of);
        let idle = join.to.clone();
        all.push(join);
        let create = self.make(Op::CreateStream { name: 0 }, binding.clone());
        let stream = create.to.clone();
        all.push(create);
        if self.random.chance(40) {
            all.push(self.make(Op::CreateStream { name: 1 }, binding));
        }
        let adopt = self.make(Op::CommAdopt, [stream.clone(), idle].concat());
        let comm = adopt.to.clone();
        all.push(adopt);
        let next = self.make(Op::RankOf(Which::Next), comm.clone());
        let previous = self.make(Op::RankOf(Which::Previous), comm.clone());
        self.ring = next.to.first().copied().zip(previous.to.first().copied());
        all.extend([next, previous]);
        let mut written = Vec::new();
        for number in 0..4 {
            let fresh = self.make(Op::MallocOn, stream.clone());
            let of = [stream.clone(), fresh.to.clone()].concat();
            all.push(fresh);
            if number < 2 || self.random.chance(40) {
                let mut fill = self.make(Op::MemsetAsync, of);
                fill.to = vec![self.name(Sort::Memory)];
                written.extend(fill.to.clone());
                all.push(fill);
            }
        }
        if self.random.chance(40) {
            self.ring_batch((&comm, &stream), &written, &mut all);
        }
        if self.ranks == 2 && self.random.chance(40) {
            self.halves((&comm, &stream), &written, &mut all);
        }
        if self.random.chance(40) {
            all.extend(self.listed(&comm, &stream, &written));
        }
        for step in all {
            if machine.allows(&step) {
                body.push(step);
            }
        }
    }

    /// A batch with a message to the next rank and one from the previous rank.
    fn ring_batch(
        &mut self,
        (comm, stream): (&[Name], &[Name]),
        memory: &[Name],
        all: &mut Vec<Step>,
    ) {
        let (Some((next, previous)), [sent, received, ..]) = (self.ring, memory) else {
            return;
        };
        let make = self.make(Op::Batch, comm.to_vec());
        let batch = make.to.clone();
        all.push(make);
        let sides = [
            (Op::BatchSend, next, *sent),
            (Op::BatchRecv, previous, *received),
        ];
        for (op, rank, memory) in sides {
            let of = batch.iter().copied().chain([rank, memory]);
            let of = of.collect();
            all.push(self.make(op, of));
        }
        let of = [comm, stream, batch.as_slice()].concat();
        all.push(self.make(Op::BatchRun, of));
    }

    /// An operation of two ranks from half of a buffer to another buffer, or the other way round.
    fn halves(&mut self, (comm, stream): (&[Name], &[Name]), memory: &[Name], all: &mut Vec<Step>) {
        let [one, other, ..] = memory else { return };
        let gathers = self.random.chance(50);
        let (divide, kind) = if gathers {
            (Op::Slice, Collective::AllGather)
        } else {
            (Op::Split, Collective::ReduceScatter)
        };
        let divide = self.make(divide, vec![*one]);
        let half = divide.to.get(..1).unwrap_or_default().to_vec();
        all.push(divide);
        let memory = if gathers {
            [half, vec![*other]].concat()
        } else {
            [vec![*other], half].concat()
        };
        let of = [comm, stream, memory.as_slice()].concat();
        all.push(self.make(Op::Collective { kind }, of));
    }

    /// The steps of rank 0, for another rank.
    fn copy(&mut self, rank: &Step, outside: &Outside, number: u8) -> Step {
        let mut names = BTreeMap::new();
        for all in [&outside.devices, &outside.seats] {
            if let (Some(first), Some(own)) = (all.first(), all.get(usize::from(number))) {
                names.insert(*first, *own);
            }
        }
        self.renamed(rank, &mut names, number)
    }

    fn renamed(&mut self, step: &Step, names: &mut BTreeMap<Name, Name>, number: u8) -> Step {
        let of = step.of.iter();
        let of = of.map(|name| names.get(name).copied().unwrap_or(*name));
        let of = of.collect();
        let mut to = Vec::new();
        for name in &step.to {
            let own = self.name(name.sort);
            names.insert(*name, own);
            to.push(own);
        }
        let op = match step.op {
            Op::CommJoin { name, rank: 0 } => Op::CommJoin { name, rank: number },
            Op::SetDevice { slot: 0, id: 0 } => Op::SetDevice {
                slot: number,
                id: number,
            },
            other => other,
        };
        let body = step.body.iter();
        let body = body.map(|inner| self.renamed(inner, names, number));
        let body = body.collect();
        Step { op, of, to, body }
    }

    /// Adds messages from one rank to another, behind an operation of both.
    fn messages(&mut self, mut program: Program, count: u8) -> Program {
        for _ in 0..self.random.below(4) {
            for _ in 0..8 {
                let mut with = program.clone();
                if self.message(&mut with, count).is_some() && judge(&with).is_clean() {
                    program = with;
                    break;
                }
            }
        }
        program
    }

    fn message(&mut self, program: &mut Program, count: u8) -> Option<()> {
        let from = self.random.below(usize::from(count));
        let to = (from + 1 + self.random.below(usize::from(count) - 1)) % usize::from(count);
        let world = program.steps.last_mut()?;
        let steps = world.body.get(from)?.body.iter().enumerate();
        let work = steps.filter(|(_, step)| is_work(step));
        let work: Vec<usize> = work.map(|(index, _)| index).collect();
        // Messages that were added before have the same length in all ranks.
        let at = *self.random.pick(&work)?;
        for (rank, other, op) in [(from, to, Op::Send), (to, from, Op::Recv)] {
            let body = &mut world.body.get_mut(rank)?.body;
            let work = body.get(at)?;
            if !is_work(work) {
                return None;
            }
            let (comm, stream) = (*work.of.first()?, *work.of.get(1)?);
            let memory = body
                .iter()
                .take(at + 1)
                .flat_map(|step| step.of.iter().chain(&step.to));
            let memory = memory.copied().filter(|name| name.sort == Sort::Memory);
            let memory = *self.random.pick(&memory.collect::<Vec<_>>())?;
            let other = u8::try_from(other).unwrap_or(u8::MAX);
            let of = self.make(Op::RankOf(Which::At(other)), vec![comm]);
            let name = *of.to.first()?;
            let message = self.make(op, vec![comm, stream, name, memory]);
            body.splice(at + 1..at + 1, [of, message]);
        }
        // The ranks that take no part keep the places of their steps.
        for (rank, own) in world.body.iter_mut().enumerate() {
            if rank != from && rank != to {
                let work = own.body.get(at)?;
                let comm = *work.of.first()?;
                for _ in 0..2 {
                    let op = vary(Op::RankOf(Which::Own), self.random);
                    let of = self.make(op, vec![comm]);
                    own.body.insert(at + 1, of);
                }
            }
        }
        Some(())
    }
}
