//! Mistakes with memory that grows: its tail, its end, and its pieces.

use super::scenes::Mistake;
use crate::model::Rule;
use crate::program::{Name, Op};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 9] = [
    (&[Rule::Unwritten], tail_read),
    (&[Rule::Unwritten], tail_read),
    (&[Rule::FreedInUse], unmapped_in_use),
    (&[Rule::FreedInUse], unmapped_in_use),
    (&[Rule::FreedInUse], freed_in_use),
    (&[Rule::Race], read_by_other),
    (&[Rule::TouchedInUse], proof_of_other),
    (&[Rule::NotGrown], read_beyond),
    (&[Rule::OtherDevice], grown_elsewhere),
];

/// A buffer of a stream, of which queued work writes the first piece.
fn queued(scene: &mut Scene, site: Site) -> Option<Name> {
    let reserved = scene.make(Op::ReserveMem, &[site.binding])?;
    let cache = scene.make(Op::Adopt, &[site.stream, reserved])?;
    scene.make(Op::GrowFilledOn, &[site.stream, site.binding, cache]);
    Some(cache)
}

/// The next elements are read, and no work writes them.
fn tail_read(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    let host = scene.make(Op::MallocHostOn, &[site.stream])?;
    scene.make(Op::ReadTail, &[site.stream, site.binding, host, cache]);
    Some(())
}

/// The memory of a shortened buffer is unmapped while queued work writes it.
fn unmapped_in_use(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    scene.make(Op::Truncate { to: 0 }, &[cache]);
    scene.make(Op::UnmapMem, &[cache]);
    Some(())
}

fn freed_in_use(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    scene.make(Op::Free, &[cache]);
    Some(())
}

fn read_by_other(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    let host = scene.make(Op::MallocHostOn, &[other])?;
    scene.make(Op::ReadGrownOn { piece: 0 }, &[other, host, cache]);
    Some(())
}

/// A buffer comes back from its stream with the proof of another one.
fn proof_of_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    let proof = scene.make(Op::Synchronize, &[other])?;
    let taken = scene.make(Op::Take, &[proof, cache])?;
    match random.below(3) {
        0 => scene.make(Op::Free, &[taken]),
        1 => scene.make(Op::UnmapMem, &[taken]),
        _ => scene.make(Op::GrowFilled, &[site.binding, taken]),
    };
    Some(())
}

/// Work reads a piece that the buffer does not have, or has no longer.
fn read_beyond(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let cache = queued(scene, site)?;
    let host = scene.make(Op::MallocHostOn, &[site.stream])?;
    let mut piece = 1;
    if random.chance(50) {
        piece = 0;
        scene.make(Op::Truncate { to: 0 }, &[cache]);
    }
    scene.make(Op::ReadGrownOn { piece }, &[site.stream, host, cache]);
    Some(())
}

/// A buffer grows while another device is current.
fn grown_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let reserved = scene.make(Op::ReserveMem, &[site.binding])?;
    let there = scene.other_device(site.thread?)?;
    scene.make(Op::GrowFilled, &[there, reserved]);
    Some(())
}
