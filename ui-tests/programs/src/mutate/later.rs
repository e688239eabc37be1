//! Mistakes with futures and pipelines: results that come later.

use super::scenes::Mistake;
use crate::model::Rule;
use crate::program::{Middle, Name, Op};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 6] = [
    (&[Rule::TouchedInUse, Rule::FreedInUse], used_while_awaited),
    (&[Rule::NoContext], awaited_elsewhere),
    (&[Rule::TouchedInUse], completed_on_other),
    (&[Rule::Unverified], read_unverified),
    (&[Rule::TouchedInUse], result_kept),
    (&[Rule::LeaseEscapes], output_kept),
];

/// The stream gets work while a future waits for it, and the proof of the future is taken for one of this work.
fn used_while_awaited(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let from = scene.written_on(site.stream)?;
    let host = scene.make(Op::MallocHostOn, &[site.stream])?;
    let future = scene.make(Op::Synchronized, &[site.stream])?;
    if random.chance(50) {
        scene.make(Op::PollSynchronized, &[future]);
    }
    scene.make(Op::MemcpyAsync, &[site.stream, host, from]);
    let proof = scene.make(Op::AwaitSynchronized, &[future])?;
    let taken = scene.make(Op::Take, &[proof, host])?;
    scene.make(*random.pick(&[Op::Read, Op::Free])?, &[taken]);
    Some(())
}

/// A future of a stream is awaited on a thread that has no context.
fn awaited_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    scene.written_on(site.stream)?;
    let future = scene.make(Op::Synchronized, &[site.stream])?;
    scene.make_on_thread(Op::AwaitSynchronized, &[future])
}

/// The function that tells of the end of the work is queued on another stream.
fn completed_on_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
    let written = scene.copied(site.stream)?;
    let future = scene.make(Op::Completed, &[other, written])?;
    if random.chance(50) {
        scene.make(Op::PollCompleted, &[future]);
    }
    let reached = scene.make(Op::AwaitCompleted, &[future])?;
    let taken = scene.make(Op::Accept, &[reached])?;
    scene.make(*random.pick(&[Op::Read, Op::Free])?, &[taken]);
    Some(())
}

/// The host reads memory whose work is over and may have failed.
fn read_unverified(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let host = scene.copied(site.stream)?;
    let future = scene.make(Op::Completed, &[site.stream, host])?;
    let reached = scene.make(Op::AwaitCompleted, &[future])?;
    if random.chance(50) {
        scene.make(Op::Synchronize, &[site.stream]);
        let more = scene.copied(site.stream)?;
        let future = scene.make(Op::Completed, &[site.stream, more])?;
        let reached = scene.make(Op::AwaitCompleted, &[future])?;
        scene.make(Op::Read, &[reached]);
        return Some(());
    }
    scene.make(Op::Read, &[reached]);
    Some(())
}

/// A pipeline, and a batch in it.
fn pushed(scene: &mut Scene, site: Site, middle: Middle) -> Option<[Name; 2]> {
    let op = Op::Pipeline {
        lanes: 1,
        carries: false,
    };
    let pipeline = scene.make(op, &[site.binding])?;
    let push = Op::Push { middle, number: 5 };
    Some([pipeline, scene.make(push, &[pipeline, site.binding])?])
}

/// A result is read when its lane has the next batch.
fn result_kept(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [pipeline, kept] = pushed(scene, site, Middle::Copy)?;
    let push = Op::Push {
        middle: Middle::Fill,
        number: 6,
    };
    let next = *random.pick(&[push, Op::Pop])?;
    let of = [pipeline, site.binding];
    scene.make(next, of.get(..next.operands().len())?);
    scene.make(Op::Compare, &[kept]);
    Some(())
}

/// The memory of an output leaves the step that writes it.
fn output_kept(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    pushed(scene, site, Middle::Keep).map(drop)
}
