//! Mistakes that need several steps in their order, as scenes.

use crate::model::{Rule, judge};
use crate::program::{Collective, Flags, Lengths, Name, Op, Program};
use crate::random::Random;
use crate::scene::{Scene, Site};

/// A mistake, and the rules that it may break.
type Mistake = (
    &'static [Rule],
    fn(&mut Scene, Site, &mut Random) -> Option<()>,
);

const MISTAKES: [Mistake; 5] = [
    (&[Rule::FreedInUse, Rule::TouchedInUse], proof_of_other),
    (&[Rule::Unverified], not_verified),
    (&[Rule::Race], source_of_other),
    (&[Rule::HostToHost], from_host_to_host),
    (&[Rule::NoOrder], wait_without_order),
];

/// One of the mistakes, in some of the programs.
pub(super) fn play(program: &Program, random: &mut Random) -> Option<Program> {
    if program.has_ranks() {
        return None;
    }
    if program.has_comms() && random.chance(50) {
        return short_list(program, random);
    }
    if !random.chance(10) {
        return None;
    }
    let mut edited = program.clone();
    let (mut scene, site) = Scene::behind_stream(&mut edited, random)?;
    let (rules, mistake) = random.pick(&MISTAKES)?;
    mistake(&mut scene, site, random)?;
    scene.end(&mut edited)?;
    breaks(edited, rules)
}

/// The program, if it breaks one of the rules, and the API refuses it for nothing else.
fn breaks(program: Program, rules: &[Rule]) -> Option<Program> {
    let verdict = judge(&program);
    let is_broken = rules.contains(&verdict.broken?);
    (program.is_resolved() && is_broken && verdict.strict.is_empty()).then_some(program)
}

/// Memory comes back from its stream with the proof of another one.
fn proof_of_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site)?;
    let written = scene.written_on(site.stream)?;
    let proof = scene.make(Op::Synchronize, &[other])?;
    let taken = scene.make(Op::Take, &[proof, written])?;
    if random.chance(50) {
        scene.make(Op::Free, &[taken]);
    } else {
        scene.make(Op::Memset, &[site.binding, taken]);
    }
    Some(())
}

/// Memory is read that another stream has written, after a wait for the last stream only.
fn not_verified(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let (last, moved) = scene.moved(site, random)?;
    let proof = scene.make(Op::Synchronize, &[last])?;
    let taken = scene.make(Op::Take, &[proof, moved])?;
    let host = scene.make(Op::MallocHost, &[site.binding])?;
    scene.make(Op::Memcpy, &[site.binding, host, taken]);
    Some(())
}

/// Queued work reads memory of another stream.
fn source_of_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site)?;
    let written = scene.written_on(other)?;
    if random.chance(50) {
        let fresh = scene.make(Op::MallocOn, &[site.stream])?;
        scene.write(Op::MemcpyAsync, &[site.stream, fresh, written])?;
    } else {
        let host = scene.make(Op::MallocHostOn, &[site.stream])?;
        scene.make(Op::MemcpyAsync, &[site.stream, host, written]);
    }
    Some(())
}

fn from_host_to_host(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let (place, malloc, copy) = if random.chance(50) {
        (site.stream, Op::MallocHostOn, Op::MemcpyAsync)
    } else {
        (site.binding, Op::MallocHost, Op::Memcpy)
    };
    let from = scene.make(malloc, &[place])?;
    let to = scene.make(malloc, &[place])?;
    scene.make(copy, &[place, to, from]);
    Some(())
}

/// A stream waits for an event that is there for its time, or for a wait of the host.
fn wait_without_order(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let flags = *random.pick(&[Flags::Timing, Flags::Progress])?;
    let other = scene.other_stream(site)?;
    let event = scene.make(Op::CreateEvent(flags), &[site.binding])?;
    let point = scene.make(Op::Record, &[site.stream, event])?;
    scene.make(Op::Wait, &[other, point]);
    Some(())
}

/// An operation gets a list that is shorter than its buffer.
fn short_list(program: &Program, random: &mut Random) -> Option<Program> {
    let mut edited = program.clone();
    let mut places = Vec::new();
    for at in edited.blocks() {
        for (index, step) in edited.block(&at)?.iter().enumerate() {
            if step.op == Op::CommAdopt {
                let (stream, comm) = (*step.of.first()?, *step.to.first()?);
                places.push((at.clone(), index + 1, comm, stream));
            }
        }
    }
    let (at, index, comm, stream) = random.pick(&places)?.clone();
    let mut scene = Scene::new(&edited, at, index);
    let memory: Vec<Name> = (0..2).filter_map(|_| scene.written_on(stream)).collect();
    let kind = *random.pick(&[
        Collective::AllGatherV(Lengths::Short),
        Collective::ReduceScatterV(Lengths::Short),
        Collective::AllToAllV(Lengths::Short),
        Collective::AllToAllVC(Lengths::Short),
    ])?;
    scene.make(
        Op::Collective { kind },
        &[&[comm, stream], memory.as_slice()].concat(),
    );
    scene.end(&mut edited)?;
    breaks(edited, &[Rule::Length])
}
