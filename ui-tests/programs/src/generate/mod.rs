//! Legal programs: random steps, of which the model keeps those that are legal here.

mod graphs;
mod kernels;
mod later;
mod pools;
mod ranks;
mod recorded;
mod refine;
mod reserved;
mod signals;
mod used;

pub(crate) use kernels::launch;
pub(crate) use recorded::{THROUGH, capture, memory as graph_memory};
pub(crate) use used::use_fenced;

use crate::kinds::{followers, lengths, random_kind, vary};
use crate::model::{Machine, judge};
use crate::program::{
    ACL, Collective, Family, Flags, Lengths, Name, Op, Operator, Program, Reach, Sort, Step,
};
use crate::random::Random;

/// A legal program that the API has to accept, with what `reach` asks for.
pub(crate) fn generate(random: &mut Random, reach: Reach) -> Program {
    loop {
        let program = match reach {
            Reach::Ranks => ranks::attempt(random),
            _ => Some(attempt(random, reach)),
        };
        if let Some(program) = program
            && program.is_resolved()
            && judge(&program).is_clean()
        {
            return program;
        }
    }
}

fn attempt(random: &mut Random, reach: Reach) -> Program {
    let mut generator = Generator::new(random, reach);
    let mut machine = Machine::new();
    let mut steps = Vec::new();
    generator.begin(&mut machine, &mut steps);
    let size = 6 + generator.random.below(18);
    generator.fill(&mut machine, &mut steps, size, 0);
    let mut program = Program { steps };
    remove_unused_holes(&mut program);
    program
}

/// The compiler does not know the type of a hole that nothing fills.
fn remove_unused_holes(program: &mut Program) {
    fn filled(steps: &[Step], found: &mut Vec<Name>) {
        for step in steps {
            if step.op == Op::Escape {
                found.extend(step.of.first());
            }
            filled(&step.body, found);
        }
    }
    fn remove(steps: &mut Vec<Step>, filled: &[Name]) {
        steps.retain(|step| {
            let unused = step
                .to
                .iter()
                .any(|name| name.sort == Sort::Hole && !filled.contains(name));
            let uses = step
                .of
                .iter()
                .any(|name| name.sort == Sort::Hole && !filled.contains(name));
            !unused && !uses
        });
        for step in steps {
            remove(&mut step.body, filled);
        }
    }
    let mut found = Vec::new();
    filled(&program.steps, &mut found);
    remove(&mut program.steps, &found);
}

struct Generator<'a> {
    random: &'a mut Random,
    reach: Reach,
    /// Each wait has a limit.
    is_limited: bool,
    /// The number of ranks of each communicator.
    ranks: u32,
    /// The next and the previous rank of the own one.
    ring: Option<(Name, Name)>,
    /// The number of the next name.
    next: u16,
    /// The kinds that make use of the last steps, with the number of tries that are left.
    wanted: Vec<(Op, usize)>,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, reach: Reach) -> Generator<'a> {
        Generator {
            is_limited: reach == Reach::Within
                || reach == Reach::Kernels && random.chance(45)
                || matches!(
                    reach,
                    Reach::Pools | Reach::Reserved | Reach::Counters | Reach::Shares
                ) && random.chance(30),
            random,
            reach,
            ranks: 1,
            ring: None,
            next: 1,
            wanted: Vec::new(),
        }
    }

    fn name(&mut self, sort: Sort) -> Name {
        self.next += 1;
        Name {
            sort,
            number: self.next - 1,
        }
    }

    fn make(&mut self, op: Op, of: Vec<Name>) -> Step {
        let to: Vec<Name> = op.results().iter().map(|sort| self.name(*sort)).collect();
        Step::new(op, &of, &to)
    }

    /// A device and a binding to it.
    fn begin(&mut self, machine: &mut Machine, steps: &mut Vec<Step>) {
        let claim = self.make(Op::Claim, Vec::new());
        let thread = claim.to.clone();
        let id = u8::from(self.random.chance(20));
        let mut all = vec![claim];
        if !self.random.chance(12) {
            let slot = u8::from(self.random.chance(20));
            let of = [ACL].into_iter().chain(thread.iter().copied()).collect();
            let open = self.make(Op::SetDevice { slot, id }, of);
            let mut device = open.to.clone();
            all.push(open);
            let is_limited = self.is_limited;
            if is_limited {
                let limit = self.make(Op::Limit, device);
                device = limit.to.clone();
                all.push(limit);
            }
            let peer = (!is_limited && self.random.chance(10))
                .then(|| self.peer(&thread, (1 - slot, 1 - id), &mut all));
            let of = thread.iter().chain(&device).copied().collect();
            let bind = self.make(Op::Bind, of);
            let binding = bind.to.clone();
            all.push(bind);
            if let Some((peer, there)) = peer {
                self.peer_access(&binding, (&peer, &there), &mut all);
            }
            self.supplies(&binding, &mut all);
            if self.reach == Reach::Pools {
                self.pool_supplies(&binding, &mut all);
            }
            if self.reach == Reach::Reserved {
                self.reserved_supplies(&binding, &mut all);
            }
            match self.reach {
                Reach::Counters => all.push(self.make(Op::CreateCounter, binding.clone())),
                Reach::Shares => self.share_supplies(&binding, &mut all),
                _ => {}
            }
            if self.reach == Reach::Kernels {
                self.kernel_supplies(&binding, &mut all);
            }
            if self.reach == Reach::Graphs {
                self.graph_supplies(&binding, &mut all);
            }
            if self.reach == Reach::Media {
                self.media_supplies(&binding, &mut all);
            }
            if self.reach >= Reach::Comms {
                self.comm_supplies(&binding, &device, &mut all);
            }
        }
        for step in all {
            if machine.allows(&step) {
                steps.push(step);
            }
        }
    }

    /// A second device, and memory there.
    fn peer(
        &mut self,
        thread: &[Name],
        (slot, id): (u8, u8),
        all: &mut Vec<Step>,
    ) -> (Vec<Name>, Vec<Name>) {
        let of = [ACL].into_iter().chain(thread.iter().copied()).collect();
        let open = self.make(Op::SetDevice { slot, id }, of);
        let peer = open.to.clone();
        all.push(open);
        let of = thread.iter().chain(&peer).copied().collect();
        let bind = self.make(Op::Bind, of);
        let binding = bind.to.clone();
        all.push(bind);
        (peer, self.filled(&binding, all))
    }

    /// Access to a peer, and a copy to its memory.
    fn peer_access(
        &mut self,
        binding: &[Name],
        (peer, there): (&[Name], &[Name]),
        all: &mut Vec<Step>,
    ) {
        let here = self.filled(binding, all);
        let of = binding.iter().chain(peer).copied().collect();
        let enable = self.make(Op::EnablePeer, of);
        let access = enable.to.clone();
        all.push(enable);
        let of = [binding, access.as_slice(), there, here.as_slice()].concat();
        all.push(self.make(Op::MemcpyPeer, of));
    }

    /// Device memory that was written.
    fn filled(&mut self, binding: &[Name], all: &mut Vec<Step>) -> Vec<Name> {
        let malloc = self.make(Op::Malloc, binding.to_vec());
        let fresh = malloc.to.clone();
        all.push(malloc);
        let mut fill = self.make(Op::Memset, [binding, fresh.as_slice()].concat());
        fill.to = vec![self.name(Sort::Memory)];
        let memory = fill.to.clone();
        all.push(fill);
        memory
    }

    /// Streams, memory and events, so that most programs do some work.
    fn supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let mut streams: Vec<Vec<Name>> = Vec::new();
        for name in 0..1 + self.random.below(3) {
            let name = u8::try_from(name).unwrap_or(0);
            let step = self.make(Op::CreateStream { name }, binding.to_vec());
            streams.push(step.to.clone());
            all.push(step);
        }
        for _ in 0..1 + self.random.below(5) {
            let queued = self
                .random
                .chance(60)
                .then(|| self.random.pick(&streams).cloned())
                .flatten();
            let is_host = self.random.chance(45);
            let step = match (queued, is_host) {
                (Some(stream), true) => self.make(Op::MallocHostOn, stream),
                (Some(stream), false) => self.make(Op::MallocOn, stream),
                (None, true) => self.make(Op::MallocHost, binding.to_vec()),
                (None, false) => self.make(Op::Malloc, binding.to_vec()),
            };
            all.push(step);
        }
        if self.random.chance(60) {
            all.push(self.make(Op::CreateEvent(Flags::Order), binding.to_vec()));
        }
    }

    /// A channel on a stream, with pictures to read and to write, and perhaps a model.
    fn media_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams = all.iter().filter(is_stream);
        let streams: Vec<Vec<Name>> = streams.map(|step| step.to.clone()).collect();
        let Some(stream) = self.random.pick(&streams).cloned() else {
            return;
        };
        if self.random.chance(50) {
            let load = self.make(Op::Load, binding.to_vec());
            let of = [stream.as_slice(), load.to.as_slice()].concat();
            all.push(load);
            all.push(self.make(Op::Adopt, of));
            let fresh = self.make(Op::MallocOn, stream.clone());
            let of = [stream.as_slice(), fresh.to.as_slice()].concat();
            all.push(fresh);
            let mut fill = self.make(Op::MemsetAsync, of);
            fill.to = vec![self.name(Sort::Memory)];
            all.push(fill);
            all.push(self.make(Op::MallocOn, stream.clone()));
        }
        let media = self.make(Op::Media, vec![ACL]);
        let of = [media.to.as_slice(), binding].concat();
        all.push(media);
        let adopt = |this: &mut Self, value: &[Name], all: &mut Vec<Step>| {
            all.push(this.make(Op::Adopt, [stream.as_slice(), value].concat()));
        };
        let channel = self.make(Op::Channel, of.clone());
        let to = channel.to.clone();
        all.push(channel);
        adopt(self, &to, all);
        for number in 0..2 + self.random.below(3) {
            let picture = self.make(Op::Picture, of.clone());
            let mut to = picture.to.clone();
            all.push(picture);
            if number == 0 {
                let paint = self.make(Op::Paint, [binding, to.as_slice()].concat());
                to.clone_from(&paint.to);
                all.push(paint);
            }
            adopt(self, &to, all);
        }
    }

    /// A communicator on a stream, and memory for its operations.
    fn comm_supplies(&mut self, binding: &[Name], device: &[Name], all: &mut Vec<Step>) {
        let comm = if self.random.chance(25) {
            let of = [binding, device].concat();
            let seat = self.make(Op::CommInitAll { name: 0, ranks: 1 }, of);
            let of = [binding, seat.to.as_slice()].concat();
            all.push(seat);
            self.make(Op::CommAttach, of)
        } else {
            self.make(Op::CommInit { name: 0 }, binding.to_vec())
        };
        let mut of = comm.to.clone();
        all.push(comm);
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams: Vec<Name> = all
            .iter()
            .filter(is_stream)
            .flat_map(|step| step.to.clone())
            .collect();
        let Some(stream) = self.random.pick(&streams).copied() else {
            return;
        };
        let mut adopted = Vec::new();
        if self.random.chance(80) {
            of.insert(0, stream);
            let adopt = self.make(Op::CommAdopt, of);
            adopted.clone_from(&adopt.to);
            all.push(adopt);
        }
        let mut written = Vec::new();
        for _ in 0..2 {
            let fresh = self.make(Op::MallocOn, vec![stream]);
            let mut fill = self.make(Op::MemsetAsync, [&[stream], fresh.to.as_slice()].concat());
            fill.to = vec![self.name(Sort::Memory)];
            all.push(fresh);
            if self.random.chance(70) {
                written.extend(fill.to.clone());
                all.push(fill);
            }
        }
        if !adopted.is_empty() && self.random.chance(50) {
            all.extend(self.listed(&adopted, &[stream], &written));
        }
    }

    /// An operation with a list, from the first buffer to the second one.
    fn listed(&mut self, comm: &[Name], stream: &[Name], memory: &[Name]) -> Option<Step> {
        let memory = memory.get(..2)?;
        let all = [
            Collective::AllGatherV(Lengths::Equal),
            Collective::ReduceScatterV(Lengths::Equal),
            Collective::ReduceScatterV(Lengths::Equal),
            Collective::AllToAllV(Lengths::Equal),
            Collective::AllToAllVC(Lengths::Equal),
        ];
        let mut kind = *self.random.pick(&all)?;
        *kind.lengths_mut()? = lengths(self.random);
        let of = [comm, stream, memory].concat();
        Some(self.make(Op::Collective { kind }, of))
    }

    /// Adds steps to a block.
    fn fill(&mut self, machine: &mut Machine, steps: &mut Vec<Step>, size: usize, depth: usize) {
        let mut tries = 0;
        let mut made = 0;
        while made < size && tries < size * 60 {
            tries += 1;
            let Some(mut step) = self.propose(machine) else {
                continue;
            };
            if step.op.is_block() {
                if depth > 2 {
                    continue;
                }
                let mut inside = machine.clone();
                if inside.enter(&step).is_err() {
                    continue;
                }
                if step.op == Op::Spawn {
                    self.begin_of_thread(&mut inside, &mut step.body);
                }
                self.want(step.op);
                let inner = 1 + self.random.below(7);
                self.fill(&mut inside, &mut step.body, inner, depth + 1);
                if step.body.is_empty() {
                    continue;
                }
            }
            if machine.allows(&step) {
                let kind = std::mem::discriminant(&step.op);
                self.wanted
                    .retain(|(op, _)| std::mem::discriminant(op) != kind);
                self.want(step.op);
                made += step_size(&step);
                steps.push(step);
            }
        }
    }

    /// A thread needs a binding of its own for most steps.
    fn begin_of_thread(&mut self, machine: &mut Machine, steps: &mut Vec<Step>) {
        let claim = self.make(Op::Claim, Vec::new());
        let thread = claim.to.first().copied();
        if machine.allows(&claim) {
            steps.push(claim);
        }
        let devices = machine.names(Sort::Device);
        let device = self.random.pick(&devices).copied();
        let of = [thread, device].into_iter().flatten().collect();
        let bind = self.make(Op::Bind, of);
        if machine.allows(&bind) {
            steps.push(bind);
        }
    }

    /// The kind of the next step: one that makes use of the last ones, or any.
    fn kind(&mut self) -> Op {
        if self.random.chance(70)
            && let Some((op, left)) = self.wanted.first_mut()
        {
            let op = *op;
            *left -= 1;
            if *left == 0 {
                self.wanted.remove(0);
            }
            return vary(op, self.random);
        }
        if self.reach == Reach::Ranks && self.random.chance(30) {
            return ranks::random_work(self.random);
        }
        let kind = random_kind(self.random, self.reach);
        self.bound(kind)
    }

    /// The kind that waits within a limit, where each wait has one.
    fn bound(&self, op: Op) -> Op {
        match op {
            Op::Synchronize if self.is_limited => Op::SynchronizeWithin,
            Op::SynchronizeFence if self.is_limited => Op::SynchronizeFenceWithin,
            other => other,
        }
    }

    /// Notes what makes use of a step.
    fn want(&mut self, op: Op) {
        let is_work = matches!(op, Op::MemcpyAsync | Op::MemsetAsync | Op::HostFuncOn);
        let is_aborted = self.is_limited && is_work && self.random.chance(40);
        let chains = match is_aborted {
            true => &[&[Op::TryWithin, Op::Abort][..]][..],
            false => followers(op),
        };
        if self.random.chance(60)
            && let Some(chain) = self.random.pick(chains)
        {
            self.wanted.truncate(4);
            let chain: Vec<_> = chain.iter().map(|op| (self.bound(*op), 10)).collect();
            self.wanted.extend(chain);
        }
    }

    /// A step with random operands that are still there.
    fn propose(&mut self, machine: &Machine) -> Option<Step> {
        let op = self.kind();
        // Ranks would open the same devices.
        let opens = matches!(op, Op::SetDevice { .. } | Op::WithDevice { .. });
        if opens && self.reach == Reach::Ranks {
            return None;
        }
        let mut of = Vec::new();
        for sort in op.operands() {
            of.push(self.operand(machine, *sort)?);
        }
        match op {
            Op::Reset | Op::DestroyContext | Op::Finalize if self.random.chance(80) => return None,
            Op::Drop | Op::Forget | Op::Through(_) => {
                let sort = self.sort_of_value()?;
                if sort == Sort::Device && self.random.chance(80) {
                    return None;
                }
                of.push(self.operand(machine, sort)?);
            }
            Op::Swap => {
                let sort =
                    *self
                        .random
                        .pick(&[Sort::Memory, Sort::Memory, Sort::Stream, Sort::Event])?;
                of = vec![self.operand(machine, sort)?, self.operand(machine, sort)?];
            }
            Op::Escape => {
                let sort = self.sort_of_value()?;
                of = vec![
                    self.operand(machine, Sort::Hole)?,
                    self.operand(machine, sort)?,
                ];
            }
            _ => {}
        }
        self.refine(machine, op, &mut of)?;
        let mut op = op;
        if op.family() == Family::Graph {
            self.refine_graph(machine, &mut op, &mut of)?;
        }
        if op.family() == Family::Reserved {
            self.refine_reserved(machine, &mut op, &mut of)?;
        }
        if let Op::RunAgain { operator, layout } | Op::LaunchAgain { operator, layout } = &mut op {
            (*operator, *layout, _) = machine.repeat(*of.first()?)?;
        }
        if let Op::AwaitCount { number } = &mut op {
            let reached = machine.count(*of.get(1)?).filter(|count| *count > 0)?;
            *number = u8::try_from(1 + self.random.below(reached)).ok()?;
        }
        if let Op::LaunchKernel { kernel, .. } = &mut op {
            *kernel = machine.kernel(*of.first()?)?;
        }
        if let Op::Plan {
            operator, fresh, ..
        } = &mut op
        {
            let output = of.get(3).copied()?;
            *fresh = machine.is_fresh(output);
            if matches!(operator, Operator::Relu | Operator::InplaceAdd)
                && let Some(first) = of.get(1).copied()
                && let Some(second) = of.get_mut(2)
            {
                *second = first;
            }
        }
        let mut step = self.make(op, of);
        if let Op::Through(_) = op {
            let sort = step.of.first()?.sort;
            step.to = vec![self.name(sort)];
        }
        let by_value = match op {
            Op::Memset | Op::Memcpy | Op::MemsetAsync | Op::MemcpyAsync => {
                machine.is_fresh(*step.of.get(1)?)
            }
            Op::ReadGrown { .. } | Op::ReadGrownOn { .. } => machine.is_fresh(*step.of.get(1)?),
            Op::Run | Op::Launch => machine.owns_output(*step.of.first()?),
            Op::Collective { .. } | Op::Crop | Op::Infer | Op::LaunchKernel { .. } => {
                machine.is_fresh(*step.of.get(3)?)
            }
            Op::RunAgain { .. } | Op::LaunchAgain { .. } => machine.is_fresh(*step.of.get(4)?),
            Op::Exchange => machine.is_fresh(*step.of.get(5)?),
            _ => false,
        };
        if by_value {
            step.to = vec![self.name(Sort::Memory)];
        }
        Some(step)
    }

    fn sort_of_value(&mut self) -> Option<Sort> {
        let sorts = Machine::sorts_of_values(self.reach);
        self.random.pick(sorts).copied()
    }

    fn operand(&mut self, machine: &Machine, sort: Sort) -> Option<Name> {
        let names = machine.names(sort);
        // Later values are more often of use.
        if self.random.chance(50) && names.len() > 3 {
            return self.random.pick(names.get(names.len() - 3..)?).copied();
        }
        self.random.pick(&names).copied()
    }
}

fn step_size(step: &Step) -> usize {
    1 + crate::program::count(&step.body)
}
