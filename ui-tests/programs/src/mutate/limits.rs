//! Mistakes with limits and aborts: behind a stream of a device that has a limit.

use super::scenes::Mistake;
use crate::model::Rule;
use crate::program::Op;
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 5] = [
    (&[Rule::Unverified], read_of_dropped),
    (&[Rule::FreedInUse, Rule::TouchedInUse], limit_ignored),
    (&[Rule::DefaultAborted], default_aborted),
    (&[Rule::Poisoned], proof_of_aborted),
    (&[Rule::NotAborted], aborted_before_other),
];

/// The host reads memory whose copy an abort may have dropped: while it is queued, or behind a wait that proves no success.
fn read_of_dropped(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let mut host = scene.copied(site.stream)?;
    if random.chance(50) {
        scene.make(Op::TryWithin, &[site.stream]);
    }
    let stream = scene.make(Op::Abort, &[site.stream])?;
    if random.chance(50) {
        let proof = scene.make(Op::Drain, &[stream])?;
        host = scene.make(Op::Take, &[proof, host])?;
    }
    scene.make(Op::Read, &[host]);
    Some(())
}

/// The wait may have exceeded its limit.
fn limit_ignored(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let host = scene.copied(site.stream)?;
    scene.make(Op::TryWithin, &[site.stream]);
    let use_it = *random.pick(&[Op::Free, Op::Read, Op::Write])?;
    scene.make(use_it, &[host]);
    Some(())
}

fn default_aborted(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let stream = scene.make(Op::DefaultStream, &[site.binding])?;
    scene.written_on(stream)?;
    scene.make(Op::Abort, &[stream]);
    Some(())
}

/// A wait behind an abort is taken for the proof of work that was dropped.
fn proof_of_aborted(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let host = scene.copied(site.stream)?;
    let stream = scene.make(Op::Abort, &[site.stream])?;
    let wait = *random.pick(&[Op::Synchronize, Op::SynchronizeWithin])?;
    let proof = scene.make(wait, &[stream])?;
    let taken = scene.make(Op::Take, &[proof, host])?;
    scene.make(Op::Read, &[taken]);
    Some(())
}

/// A stream is aborted before the one whose memory it has taken over.
fn aborted_before_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let (stream, moved) = scene.moved(site, random)?;
    let stream = scene.make(Op::Abort, &[stream])?;
    let proof = scene.make(Op::Drain, &[stream])?;
    scene.make(Op::Take, &[proof, moved]);
    Some(())
}
