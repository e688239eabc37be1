//! Memory that grows, in legal programs: its supplies, operands that fit it, and steps that come together.

use super::Generator;
use crate::model::{Hold, Known, Machine};
use crate::program::{Flags, Name, Op, Program, Sort, Step};
use crate::random::Random;
use crate::scene::Scene;

impl Generator<'_> {
    /// A buffer that a stream has, with two pieces, and memory of the host.
    pub(super) fn reserved_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams = all.iter().filter(is_stream);
        let streams: Vec<Vec<Name>> = streams.map(|step| step.to.clone()).collect();
        let Some(stream) = self.random.pick(&streams).cloned() else {
            return;
        };
        let reserve = self.make(Op::ReserveMem, binding.to_vec());
        let adopt = self.make(Op::Adopt, [stream.as_slice(), &reserve.to].concat());
        let cache = adopt.to.clone();
        all.extend([reserve, adopt]);
        let host = self.make(Op::MallocHostOn, stream.clone());
        let of = [&stream, binding, &cache].concat();
        all.push(self.make(Op::GrowFilledOn, of.clone()));
        if self.random.chance(60) {
            let of = [of, host.to.clone()].concat();
            all.push(host);
            all.push(self.make(Op::GrowCopiedOn, of));
        }
        if self.random.chance(50) {
            let idle = self.make(Op::ReserveMem, binding.to_vec());
            let of = [binding, &idle.to].concat();
            all.push(idle);
            all.push(self.make(Op::GrowFilled, of));
        }
    }

    /// Chooses the memory of a step with a buffer that grows, and its piece.
    pub(super) fn refine_reserved(
        &mut self,
        machine: &Machine,
        op: &mut Op,
        of: &mut [Name],
    ) -> Option<()> {
        let all = machine.memories();
        let hold = match of.first()?.sort {
            Sort::Stream => Hold::Queued(machine.stream_of(*of.first()?)?),
            _ => Hold::Idle,
        };
        let is_here = |memory: &Known| {
            let is_mine = memory.hold == hold && memory.unverified.is_none();
            is_mine && !memory.unbranded && memory.whole
        };
        let is_grown = |memory: &Known| is_here(memory) && memory.grown.is_some();
        let is_source = |memory: &Known| {
            is_here(memory) && memory.plain && memory.readable && memory.halves == 2
        };
        let is_target = |memory: &Known| {
            is_here(memory) && memory.plain && memory.writable && memory.halves == 2
        };
        let is_written = |memory: &Known| is_grown(memory) && memory.grown > Some(0);
        match op {
            Op::MapMem => {
                *of.get_mut(1)? =
                    self.one(&all, |memory| memory.grown.is_some() && memory.whole)?;
            }
            Op::GrowFilled => *of.get_mut(1)? = self.one(&all, is_grown)?,
            Op::GrowCopied => {
                *of.get_mut(1)? = self.one(&all, is_grown)?;
                *of.get_mut(2)? = self.one(&all, is_source)?;
            }
            Op::GrowFilledOn => *of.get_mut(2)? = self.one(&all, is_grown)?,
            Op::GrowCopiedOn => {
                *of.get_mut(2)? = self.one(&all, is_grown)?;
                *of.get_mut(3)? = self.one(&all, is_source)?;
            }
            Op::ReadGrown { piece } | Op::ReadGrownOn { piece } => {
                *of.get_mut(1)? = self.one(&all, is_target)?;
                let cache = self.one(&all, is_written)?;
                *of.get_mut(2)? = cache;
                *piece = self.any_piece(&all, cache)?;
            }
            Op::WriteGrownOn { piece } => {
                let cache = self.one(&all, is_written)?;
                *of.get_mut(1)? = cache;
                *piece = self.any_piece(&all, cache)?;
            }
            Op::Truncate { to } => {
                let cache = self.one(&all, |memory| memory.grown.is_some() && memory.whole)?;
                *of.get_mut(0)? = cache;
                *to = self.any_piece(&all, cache)?;
            }
            Op::UnmapMem => *of.get_mut(0)? = self.one(&all, is_grown)?,
            _ => {}
        }
        Some(())
    }

    fn any_piece(&mut self, all: &[Known], cache: Name) -> Option<u8> {
        let len = all.iter().find(|memory| memory.name == cache)?.grown?;
        u8::try_from(self.random.below(len)).ok()
    }
}

/// Adds a buffer that grows while a stream and perhaps a second one work with its pieces. The host reads the copies.
pub(super) fn grown(program: &mut Program, random: &mut Random) -> Option<()> {
    let wait = match program.has_kind("Limit") {
        true => Op::SynchronizeWithin,
        false => Op::Synchronize,
    };
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let (binding, first) = (site.binding, site.stream);
    let reserved = scene.make(Op::ReserveMem, &[binding])?;
    let mut cache = scene.make(Op::Adopt, &[first, reserved])?;
    let (mut stream, mut len) = (first, 0);
    let mut reads = Vec::new();
    for _ in 0..4 + random.below(5) {
        let piece = u8::try_from(random.below(len)).ok()?;
        match random.below(14) {
            0..3 => {
                scene.make(Op::GrowFilledOn, &[stream, binding, cache]);
                len += 1;
            }
            3 | 4 => {
                let ones = scene.make(Op::MallocHostOn, &[stream])?;
                scene.make(Op::GrowCopiedOn, &[stream, binding, cache, ones]);
                len += 1;
            }
            5..8 if len > 0 => {
                let host = scene.make(Op::MallocHostOn, &[stream])?;
                scene.make(Op::ReadGrownOn { piece }, &[stream, host, cache]);
                reads.push((stream, host));
            }
            8 if len > 0 => drop(scene.make(Op::WriteGrownOn { piece }, &[stream, cache])),
            9 if len > 0 => {
                scene.make(Op::Truncate { to: piece }, &[cache]);
                len = usize::from(piece);
            }
            10 if stream == first => {
                let event = scene.make(Op::CreateEvent(Flags::Order), &[binding])?;
                stream = scene.other_stream(binding)?;
                cache = scene.make(Op::Handoff, &[first, stream, event, cache])?;
            }
            11..14 if stream == first => {
                let proof = scene.make(wait, &[stream])?;
                let idle = scene.make(Op::Take, &[proof, cache])?;
                len += with_idle(&mut scene, binding, (idle, len), random)?;
                cache = scene.make(Op::Adopt, &[stream, idle])?;
            }
            _ => drop(scene.make(Op::MapMem, &[binding, cache])),
        }
    }
    let is_dropped = random.chance(50);
    if is_dropped {
        scene.make(Op::Drop, &[cache]);
    }
    for (stream, host) in reads {
        let proof = scene.make(wait, &[stream])?;
        let taken = scene.make(Op::Take, &[proof, host])?;
        scene.make(Op::Read, &[taken]);
    }
    if !is_dropped && stream == first && random.chance(60) {
        let proof = scene.make(wait, &[stream])?;
        let taken = scene.make(Op::Take, &[proof, cache])?;
        scene.make(Op::Free, &[taken]);
    }
    scene.end(program)
}

/// Adds what the host does with the idle buffer. Returns the number of new pieces.
fn with_idle(
    scene: &mut Scene,
    binding: Name,
    (idle, len): (Name, usize),
    random: &mut Random,
) -> Option<usize> {
    if random.chance(70) {
        scene.make(Op::UnmapMem, &[idle]);
    }
    if len > 0 && random.chance(70) {
        let host = scene.make(Op::MallocHost, &[binding])?;
        let piece = u8::try_from(random.below(len)).ok()?;
        scene.make(Op::ReadGrown { piece }, &[binding, host, idle]);
        scene.make(Op::Read, &[host]);
    }
    match random.below(4) {
        0 => drop(scene.make(Op::GrowFilled, &[binding, idle])),
        1 | 2 => {
            let ones = scene.make(Op::MallocHost, &[binding])?;
            scene.make(Op::GrowCopied, &[binding, idle, ones]);
        }
        _ => return Some(0),
    }
    Some(1)
}
