//! Pools in legal programs: their supplies, and steps that come together.

use super::Generator;
use crate::program::{Flags, Name, Op, Program, Sort, Step};
use crate::random::Random;
use crate::scene::{Scene, Site};

/// The number of the name of a stream that ends before its memory.
const ENDED: u8 = 7;

impl Generator<'_> {
    /// A pool, and memory of it that streams have.
    pub(super) fn pool_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let is_stream = |step: &&Step| matches!(step.op, Op::CreateStream { .. });
        let streams = all.iter().filter(is_stream);
        let streams: Vec<Vec<Name>> = streams.map(|step| step.to.clone()).collect();
        let create = self.make(Op::CreatePool, binding.to_vec());
        let pool = create.to.clone();
        all.push(create);
        for is_written in [true, true, false] {
            let Some(stream) = self.random.pick(&streams).cloned() else {
                return;
            };
            let fresh = self.make(Op::MallocFrom, [stream.as_slice(), &pool].concat());
            let of = [stream.as_slice(), &fresh.to].concat();
            all.push(fresh);
            if is_written {
                let mut fill = self.make(Op::MemsetAsync, of);
                fill.to = vec![self.name(Sort::Memory)];
                all.push(fill);
            }
            if self.random.chance(50) {
                all.push(self.make(Op::MallocHostOn, stream));
            }
        }
    }
}

/// Adds turns that allocate memory of a pool, use it and let it go, each in one of many ways. The host reads what is left.
pub(super) fn in_turns(program: &mut Program, random: &mut Random) -> Option<()> {
    let is_limited = program.has_kind("Limit");
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let wait = match is_limited {
        true => Op::SynchronizeWithin,
        false => Op::Synchronize,
    };
    let other = scene.other_stream(site.binding)?;
    let event = scene.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
    let pool = scene.make(Op::CreatePool, &[site.binding])?;
    let (mut reads, mut is_kept) = (Vec::new(), false);
    for _ in 0..2 + random.below(3) {
        if !is_limited && random.chance(20) {
            lent(&mut scene, site, pool)?;
            continue;
        }
        let written = turn(&mut scene, site.stream, pool, random)?;
        if random.chance(40) {
            reads.push((site.stream, read(&mut scene, site.stream, written)?));
        }
        match random.below(10) {
            0 | 1 => drop(scene.make(Op::Drop, &[written])),
            2 | 3 => {
                // The first stream must not get it while the second one reads or writes it.
                let moved = scene.make(Op::Handoff, &[site.stream, other, event, written])?;
                if random.chance(70) {
                    reads.push((other, read(&mut scene, other, moved)?));
                } else {
                    scene.make(Op::MemsetAsync, &[other, moved]);
                }
                scene.make(Op::Drop, &[moved]);
            }
            4 => ended(&mut scene, site, pool, random)?,
            5..9 => {
                let proof = scene.make(wait, &[site.stream])?;
                let taken = scene.make(Op::Take, &[proof, written])?;
                let end = *random.pick(&[Op::Free, Op::Drop, Op::Free])?;
                scene.make(end, &[taken]);
            }
            _ => is_kept = true,
        }
    }
    // The wait for the device and the drop come before those for the streams, or behind them.
    let is_early = random.chance(60);
    if !is_kept && is_early {
        end(&mut scene, site, pool, is_limited, random)?;
    }
    for (stream, host) in reads {
        let proof = scene.make(wait, &[stream])?;
        let taken = scene.make(Op::Take, &[proof, host])?;
        scene.make(Op::Read, &[taken]);
    }
    if !is_kept && !is_early {
        end(&mut scene, site, pool, is_limited, random)?;
    }
    scene.end(program)
}

/// Adds the end of a pool. A call for it waits without a limit.
fn end(
    scene: &mut Scene,
    site: Site,
    pool: Name,
    is_limited: bool,
    random: &mut Random,
) -> Option<()> {
    if !is_limited && random.chance(80) {
        scene.make(Op::DestroyPool, &[site.binding, pool]);
    } else {
        scene.make(*random.pick(&[Op::Drop, Op::Forget])?, &[pool]);
    }
    Some(())
}

/// Adds memory of a pool that a stream writes: with its fill, or with the numbers of the host.
fn turn(scene: &mut Scene, stream: Name, pool: Name, random: &mut Random) -> Option<Name> {
    let fresh = scene.make(Op::MallocFrom, &[stream, pool])?;
    if random.chance(50) {
        return scene.write(Op::MemsetAsync, &[stream, fresh]);
    }
    let ones = scene.make(Op::MallocHostOn, &[stream])?;
    scene.write(Op::MemcpyAsync, &[stream, fresh, ones])
}

/// Adds memory of the host into which a stream copies.
fn read(scene: &mut Scene, stream: Name, from: Name) -> Option<Name> {
    let host = scene.make(Op::MallocHostOn, &[stream])?;
    scene.make(Op::MemcpyAsync, &[stream, host, from]);
    Some(host)
}

/// Adds memory that gets numbers of a loan, and goes back to its pool before the loan ends.
fn lent(scene: &mut Scene, site: Site, pool: Name) -> Option<()> {
    let numbers = scene.make(Op::Vec, &[])?;
    scene.block(Op::Scope, &[site.binding], |scene, scope| {
        let lease = scene.make(Op::Lend { exclusive: false }, &[scope, numbers])?;
        let from = scene.make(Op::Adopt, &[site.stream, lease])?;
        let fresh = scene.make(Op::MallocFrom, &[site.stream, pool])?;
        let written = scene.write(Op::MemcpyAsync, &[site.stream, fresh, from])?;
        scene.make(Op::Drop, &[written])
    });
    Some(())
}

/// Adds memory that outlives its stream.
fn ended(scene: &mut Scene, site: Site, pool: Name, random: &mut Random) -> Option<()> {
    let stream = scene.make(Op::CreateStream { name: ENDED }, &[site.binding])?;
    let written = turn(scene, stream, pool, random)?;
    let end = *random.pick(&[Op::DestroyStream, Op::Drop])?;
    scene.make(end, &[stream]);
    scene.make(Op::Drop, &[written]);
    Some(())
}
