//! Mistakes with pools: their end, and the order of their memory.

use super::scenes::Mistake;
use crate::model::Rule;
use crate::program::{Name, Op};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 12] = [
    (&[Rule::PoolInUse], ended_before_memory),
    (&[Rule::PoolInUse], ended_before_memory),
    (&[Rule::PoolGone], allocated_behind_end),
    (&[Rule::PoolGone], allocated_behind_end),
    (&[Rule::DefaultAllocates], allocated_by_default),
    (&[Rule::DeviceOfStream], allocated_elsewhere),
    (&[Rule::Race], used_by_other),
    (&[Rule::Race], used_by_other),
    (&[Rule::FreedInUse, Rule::TouchedInUse], used_at_once),
    (&[Rule::MemoryGone], used_behind_free),
    (&[Rule::PoolForgotten], forgotten),
    (&[Rule::PoolForgotten], forgotten),
];

/// A pool, and memory of it that a stream writes.
fn written(scene: &mut Scene, site: Site) -> Option<[Name; 2]> {
    let pool = scene.make(Op::CreatePool, &[site.binding])?;
    let fresh = scene.make(Op::MallocFrom, &[site.stream, pool])?;
    let written = scene.write(Op::MemsetAsync, &[site.stream, fresh])?;
    Some([pool, written])
}

/// The end of a pool, by a call or by a drop.
fn end(scene: &mut Scene, site: Site, pool: Name, random: &mut Random) {
    if random.chance(50) {
        scene.make(Op::DestroyPool, &[site.binding, pool]);
    } else {
        scene.make(Op::Drop, &[pool]);
    }
}

/// A pool ends while a stream, another one, or the host has memory of it.
fn ended_before_memory(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [pool, mut memory] = written(scene, site)?;
    match random.below(3) {
        0 => {
            let proof = scene.make(Op::Synchronize, &[site.stream])?;
            memory = scene.make(Op::Take, &[proof, memory])?;
        }
        1 => memory = scene.make(Op::Share, &[memory])?,
        _ => {}
    }
    end(scene, site, pool, random);
    scene.make(Op::Drop, &[memory]);
    Some(())
}

fn allocated_behind_end(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let pool = scene.make(Op::CreatePool, &[site.binding])?;
    end(scene, site, pool, random);
    if random.chance(30) {
        scene.make(Op::DestroyPool, &[site.binding, pool]);
    } else {
        scene.make(Op::MallocFrom, &[site.stream, pool]);
    }
    Some(())
}

fn allocated_by_default(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let pool = scene.make(Op::CreatePool, &[site.binding])?;
    let stream = scene.make(Op::DefaultStream, &[site.binding])?;
    scene.make(Op::MallocFrom, &[stream, pool]);
    Some(())
}

/// A stream allocates from a pool of another device.
fn allocated_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let pool = scene.make(Op::CreatePool, &[site.binding])?;
    let there = scene.other_device(site.thread?)?;
    let stream = scene.other_stream(there)?;
    scene.make(Op::MallocFrom, &[stream, pool]);
    Some(())
}

/// Another stream uses memory that its stream has allocated, perhaps fresh memory.
fn used_by_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
    if random.chance(50) {
        let pool = scene.make(Op::CreatePool, &[site.binding])?;
        let fresh = scene.make(Op::MallocFrom, &[site.stream, pool])?;
        scene.write(Op::MemsetAsync, &[other, fresh])?;
        return Some(());
    }
    let [_, memory] = written(scene, site)?;
    let host = scene.make(Op::MallocHostOn, &[other])?;
    scene.make(Op::MemcpyAsync, &[other, host, memory]);
    Some(())
}

/// The host frees or fills memory that a stream has, or takes it by the proof of another one.
fn used_at_once(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
    let [_, mut memory] = written(scene, site)?;
    if random.chance(60) {
        let proof = scene.make(Op::Synchronize, &[other])?;
        memory = scene.make(Op::Take, &[proof, memory])?;
    }
    if random.chance(50) {
        scene.make(Op::Free, &[memory]);
    } else {
        scene.make(Op::Memset, &[site.binding, memory]);
    }
    Some(())
}

/// Memory is used that its pool has back.
fn used_behind_free(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [_, memory] = written(scene, site)?;
    scene.make(Op::Drop, &[memory]);
    let host = scene.make(Op::MallocHostOn, &[site.stream])?;
    let of = [site.stream, host, memory];
    match random.below(2) {
        0 => scene.make(Op::MemcpyAsync, &of),
        _ => scene.make(Op::MemsetAsync, &[site.stream, memory]),
    };
    Some(())
}

/// A pool is destroyed whose memory was forgotten, while a stream has it or not.
fn forgotten(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [pool, mut memory] = written(scene, site)?;
    if random.chance(40) {
        let proof = scene.make(Op::Synchronize, &[site.stream])?;
        memory = scene.make(Op::Take, &[proof, memory])?;
    }
    scene.make(Op::Forget, &[memory]);
    scene.make(Op::DestroyPool, &[site.binding, pool]);
    Some(())
}
