//! Kernels in legal programs: what they need, operands that fit them, and steps that come together.

use super::Generator;
use crate::model::{Hold, Known, Machine};
use crate::program::{Kernel, Name, Op, Passed, Program, Sort, Step};
use crate::random::Random;
use crate::scene::{Scene, Site};

impl Generator<'_> {
    /// A binary with its kernels, and memory of a stream that they use.
    pub(super) fn kernel_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams = all.iter().filter(is_stream);
        let streams: Vec<Vec<Name>> = streams.map(|step| step.to.clone()).collect();
        let Some(stream) = self.random.pick(&streams).cloned() else {
            return;
        };
        let load = self.make(Op::LoadBinary, binding.to_vec());
        let binary = load.to.clone();
        all.push(load);
        for kernel in [Kernel::Change, Kernel::Make] {
            if self.random.chance(85) {
                all.push(self.make(Op::FindKernel { kernel }, binary.clone()));
            }
        }
        for _ in 0..2 {
            let fresh = self.make(Op::MallocOn, stream.clone());
            let of = [stream.as_slice(), fresh.to.as_slice()].concat();
            all.push(fresh);
            let mut fill = self.make(Op::MemsetAsync, of);
            fill.to = vec![self.name(Sort::Memory)];
            all.push(fill);
        }
        all.push(self.make(Op::MallocOn, stream.clone()));
        all.push(self.make(Op::MallocHostOn, stream));
    }

    /// Chooses the stream and the memory of a launch.
    pub(super) fn refine_launch(
        &mut self,
        machine: &Machine,
        all: &[Known],
        of: &mut [Name],
    ) -> Option<()> {
        let kernel = machine.kernel(*of.first()?)?;
        let stream = machine.stream_of(*of.get(1)?)?;
        let is_queued = |memory: &Known| {
            memory.on_device && memory.hold == Hold::Queued(stream) && !memory.unbranded
        };
        let from = self.one(all, |memory| is_queued(memory) && memory.readable)?;
        let halves = all.iter().find(|memory| memory.name == from)?.halves;
        *of.get_mut(2)? = from;
        *of.get_mut(3)? = self.one(all, |memory| {
            let is_target = memory.writable && (kernel == Kernel::Make || !memory.fresh);
            is_queued(memory) && is_target && memory.halves == halves && memory.name != from
        })?;
        Some(())
    }
}

/// The launch of a kernel with arguments as it declares them.
pub(crate) fn launch(kernel: Kernel, random: &mut Random) -> Op {
    Op::LaunchKernel {
        kernel,
        passed: Passed::Declared,
        number: u8::try_from(random.below(100)).unwrap_or(0),
    }
}

/// Adds launches of both kernels, whose result the host reads, and an end of their binary at any point of the way.
pub(super) fn computed(program: &mut Program, random: &mut Random) -> Option<()> {
    let is_limited = program.has_kind("Limit");
    let (
        mut scene,
        Site {
            binding, stream, ..
        },
    ) = Scene::behind_stream(program, random)?;
    let binary = scene.make(Op::LoadBinary, &[binding])?;
    let mut find = |kernel| scene.make(Op::FindKernel { kernel }, &[binary]);
    let (change, make) = (find(Kernel::Change)?, find(Kernel::Make)?);
    let ones = scene.make(Op::MallocHostOn, &[stream])?;
    let fresh = scene.make(Op::MallocOn, &[stream])?;
    let x = scene.write(Op::MemcpyAsync, &[stream, fresh, ones])?;
    let mut y = scene.written_on(stream)?;
    for _ in 0..1 + random.below(3) {
        let (first, second) = if random.chance(70) { (x, y) } else { (y, x) };
        if random.chance(60) {
            let of = [change, stream, first, second];
            scene.make(launch(Kernel::Change, random), &of);
            continue;
        }
        let make_it = launch(Kernel::Make, random);
        if random.chance(50) {
            scene.make(make_it, &[make, stream, first, second]);
        } else {
            let fresh = scene.make(Op::MallocOn, &[stream])?;
            y = scene.write(make_it, &[make, stream, first, fresh])?;
        }
    }
    let host = scene.make(Op::MallocHostOn, &[stream])?;
    scene.make(Op::MemcpyAsync, &[stream, host, y]);
    let end = match random.below(5) {
        0..3 => Op::Unload,
        3 => Op::Drop,
        _ => Op::Forget,
    };
    // An unload waits without a limit.
    let is_early = random.chance(60) && !(is_limited && end == Op::Unload);
    if is_early {
        scene.make(end, &[binary]);
    }
    let wait = match is_limited {
        true => Op::SynchronizeWithin,
        false => Op::Synchronize,
    };
    let proof = scene.make(wait, &[stream])?;
    let taken = scene.make(Op::Take, &[proof, host])?;
    scene.make(Op::Read, &[taken]);
    if !is_early && random.chance(60) {
        scene.make(end, &[binary]);
    }
    scene.end(program)
}
