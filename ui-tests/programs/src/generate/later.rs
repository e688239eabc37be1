//! Futures and pipelines in legal programs, with more steps in their order than random work has.

use crate::kinds::vary;
use crate::program::{Middle, Name, Op, Program};
use crate::random::Random;
use crate::scene::{Scene, Site};

/// The number of the name of a stream that is aborted.
const ABORTED: u8 = 7;

/// Adds futures of memory that are awaited, dropped, forgotten or kept, among later work of the stream.
pub(super) fn awaited(program: &mut Program, random: &mut Random) -> Option<()> {
    let is_aborted = program.has_kind("Limit") && random.chance(60);
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let mut stream = site.stream;
    if is_aborted {
        stream = scene.make(Op::CreateStream { name: ABORTED }, &[site.binding])?;
        let futures = completed(&mut scene, stream, random)?;
        stream = scene.make(Op::Abort, &[stream])?;
        for future in futures {
            let end = *random.pick(&[Op::TryCompleted, Op::TryCompleted, Op::Drop])?;
            scene.make(end, &[future]);
        }
    }
    let mut reached = Vec::new();
    for future in completed(&mut scene, stream, random)? {
        match random.below(6) {
            0 => drop(scene.make(Op::TryCompleted, &[future])),
            1 => drop(scene.make(*random.pick(&[Op::Drop, Op::Forget])?, &[future])),
            _ => reached.push(scene.make(Op::AwaitCompleted, &[future])?),
        }
    }
    if is_aborted {
        // No wait vouches for a stream that was aborted.
        for memory in reached {
            let taken = scene.make(Op::Accept, &[memory])?;
            scene.make(Op::Free, &[taken]);
        }
        return scene.end(program);
    }
    let future = scene.make(Op::Synchronized, &[stream])?;
    let proof = scene.make(Op::AwaitSynchronized, &[future])?;
    for memory in reached {
        let taken = scene.make(Op::Verify, &[proof, memory])?;
        scene.make(Op::Read, &[taken]);
    }
    scene.end(program)
}

/// Adds copies of a stream to memory of the host, with the futures of their ends.
fn completed(scene: &mut Scene, stream: Name, random: &mut Random) -> Option<Vec<Name>> {
    let mut futures = Vec::new();
    for _ in 0..1 + random.below(2) {
        let host = scene.copied(stream)?;
        let future = scene.make(Op::Completed, &[stream, host])?;
        if random.chance(50) {
            scene.make(Op::PollCompleted, &[future]);
        }
        futures.push(future);
    }
    Some(futures)
}

/// Adds a pipeline with batches of many kinds, that ends with batches in flight or without.
pub(super) fn piped(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, Site { binding, .. }) = Scene::behind_stream(program, random)?;
    let lanes = u8::try_from(random.below(4)).unwrap_or(0);
    let carries = random.chance(50);
    let pipeline = scene.make(Op::Pipeline { lanes, carries }, &[binding])?;
    for _ in 0..2 + random.below(6) {
        let push = Op::Push {
            middle: Middle::Copy,
            number: 0,
        };
        let run = Op::RunBatches {
            middle: Middle::Copy,
            number: 0,
            batches: 0,
            stops: false,
        };
        let op = *random.pick(&[push, push, push, Op::Pop, run, Op::PushPanics])?;
        let mut op = vary(op, random);
        if let Op::Push { middle, .. } | Op::RunBatches { middle, .. } = &mut op
            && *middle == Middle::Carry
            && !carries
        {
            *middle = Middle::Copy;
        }
        let of = [pipeline, binding];
        let outcome = scene.make(op, of.get(..op.operands().len())?);
        if let Some(outcome) = outcome {
            scene.make(Op::Compare, &[outcome]);
        }
    }
    if random.chance(40) {
        scene.make(*random.pick(&[Op::Drop, Op::Forget])?, &[pipeline]);
    }
    scene.end(program)
}
