//! Mistakes with graphs: with recordings, with their memory, with runs.

use super::names;
use super::scenes::Mistake;
use crate::generate::{THROUGH, capture, graph_memory};
use crate::model::Rule;
use crate::program::{Beside, Family, Flags, Halt, Name, Op, Program, Record, Shape, Sort, With};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 24] = [
    (&[Rule::Records], waits),
    (&[Rule::Records], waits),
    (&[Rule::Records], runs_inside),
    (&[Rule::Records], side_waits),
    (&[Rule::DeviceRecords], device_waits),
    (&[Rule::DefaultRecords], on_default_stream),
    (&[Rule::RecordedEscapes], escapes),
    (&[Rule::RecordedEscapes], escapes),
    (&[Rule::RecordedEscapes], leaves_fork),
    (&[Rule::Race], both_sides),
    (&[Rule::Race], both_sides),
    (&[Rule::MemoryGone, Rule::FreedInUse], freed_early),
    (&[Rule::MemoryGone, Rule::FreedInUse], freed_early),
    (&[Rule::MemoryGone, Rule::FreedInUse], other_memory),
    (&[Rule::MemoryGone, Rule::FreedInUse], other_memory),
    (&[Rule::Race], on_two_streams),
    (&[Rule::Race], on_two_streams),
    (&[Rule::Race], changed_elsewhere),
    (&[Rule::Race], used_elsewhere),
    (&[Rule::TouchedInUse], seen_while_queued),
    (&[Rule::TouchedInUse], seen_while_queued),
    (&[Rule::FreedInUse, Rule::TouchedInUse], ended_while_queued),
    (&[Rule::Unverified], not_verified),
    (&[Rule::NoRecording, Rule::OtherGraph], of_other_graph),
];

/// A recording gets a mistake, or a step gets another stream or another graph.
pub(super) fn strike(program: &mut Program, random: &mut Random) -> Option<()> {
    let all = names(program);
    let mut places = Vec::new();
    for at in program.blocks() {
        let steps = program.block(&at)?.iter().enumerate();
        let of_graphs = steps.filter(|(_, step)| step.op.family() == Family::Graph);
        places.extend(of_graphs.map(|(index, _)| (at.clone(), index)));
    }
    let (at, index) = random.pick(&places)?.clone();
    let block = program.block(&at)?;
    let step = block.get_mut(index)?;
    match &mut step.op {
        op if op.records().is_some() && random.chance(50) => {
            let mistake = mistake(random)?;
            *op.records_mut()?.get_mut(random.below(4))? = mistake;
        }
        Op::LaunchGraph { number } if random.chance(20) => *number += 1,
        _ => {
            let sort = *random.pick(&[Sort::Stream, Sort::Stream, Sort::Memory])?;
            let others: Vec<Name> = all.into_iter().filter(|name| name.sort == sort).collect();
            let mut operands = step.of.iter_mut().filter(|name| name.sort == sort);
            *operands.next()? = *random.pick(&others)?;
        }
    }
    Some(())
}

fn mistake(random: &mut Random) -> Option<Record> {
    let halt = *random.pick(&HALTS)?;
    let part = u8::try_from(random.below(3)).ok()?;
    let all = [
        Record::Halts(halt),
        Record::DeviceWaits,
        Record::Keeps(part),
        Record::KeepsTemporary,
    ];
    random.pick(&all).copied()
}

const HALTS: [Halt; 4] = [Halt::Synchronize, Halt::Drain, Halt::Query, Halt::HostFunc];

/// A capture with this record behind the others, on memory of its own.
fn captured(
    scene: &mut Scene,
    site: Site,
    record: Record,
    random: &mut Random,
) -> Option<(Name, [Name; 3])> {
    captured_with(scene, site, (record, None), random)
}

fn captured_with(
    scene: &mut Scene,
    site: Site,
    (record, other): (Record, Option<Name>),
    random: &mut Random,
) -> Option<(Name, [Name; 3])> {
    let memory = graph_memory(scene, site.binding)?;
    let mut records = [record, Record::Nothing, Record::Nothing, Record::Nothing];
    if random.chance(50) {
        records = [Record::Copy(0, 2), record, Record::Nothing, Record::Nothing];
    }
    let with = match other {
        None => With::Nothing,
        Some(name) if name.sort == Sort::Stream => With::Side,
        Some(_) => With::Other,
    };
    let op = Op::Capture {
        shape: Shape::Tuple,
        with,
        records,
    };
    let [a, b, c] = memory;
    let mut of = vec![site.binding, site.stream, a, b, c];
    of.extend(other);
    Some((scene.make(op, &of)?, memory))
}

/// A graph that runs.
fn running(scene: &mut Scene, site: Site) -> Option<Name> {
    let memory = graph_memory(scene, site.binding)?;
    let graph = capture(scene, site, memory, THROUGH)?;
    launch(scene, graph, site.stream);
    Some(graph)
}

fn launch(scene: &mut Scene, graph: Name, stream: Name) {
    scene.make(Op::LaunchGraph { number: 0 }, &[graph, stream]);
}

/// The stream waits while it records.
fn waits(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let halt = *random.pick(&HALTS)?;
    captured(scene, site, Record::Halts(halt), random).map(drop)
}

/// A graph runs in a recording.
fn runs_inside(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let memory = graph_memory(scene, site.binding)?;
    let inner = capture(scene, site, memory, THROUGH)?;
    captured_with(scene, site, (Record::Runs, Some(inner)), random).map(drop)
}

fn forked(scene: &mut Scene, site: Site, beside: Beside, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
    let record = Record::Fork(1, 0, beside);
    captured_with(scene, site, (record, Some(other)), random).map(drop)
}

/// The second stream of a fork waits.
fn side_waits(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    forked(scene, site, Beside::Waits, random)
}

/// A part of the second stream leaves the fork.
fn leaves_fork(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    forked(scene, site, Beside::Keeps, random)
}

/// Both streams of a fork use a part, and one of them writes it.
fn both_sides(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let all = [Beside::ReadsLent, Beside::WritesRead, Beside::SideWrites];
    forked(scene, site, *random.pick(&all)?, random)
}

fn device_waits(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    captured(scene, site, Record::DeviceWaits, random).map(drop)
}

fn on_default_stream(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let stream = scene.make(Op::DefaultStream, &[site.binding])?;
    captured(scene, Site { stream, ..site }, Record::Fill(0), random).map(drop)
}

/// Recorded memory leaves the closure.
fn escapes(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let part = u8::try_from(random.below(3)).ok()?;
    let record = match random.chance(60) {
        true => Record::Keeps(part),
        false => Record::KeepsTemporary,
    };
    captured(scene, site, record, random).map(drop)
}

/// A buffer that a graph has only borrowed is freed before the graph runs, or while it runs.
fn freed_early(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [a, b, c] = graph_memory(scene, site.binding)?;
    let op = Op::Capture {
        shape: Shape::Borrowed,
        with: With::Nothing,
        records: [
            Record::Copy(0, 2),
            Record::Copy(1, 0),
            Record::Nothing,
            Record::Nothing,
        ],
    };
    let graph = scene.make(op, &[site.binding, site.stream, a, b, c])?;
    if random.chance(60) {
        launch(scene, graph, site.stream);
    }
    if random.chance(60) {
        scene.make(*random.pick(&[Op::Drop, Op::Forget])?, &[graph]);
        scene.make(Op::Free, &[a]);
        return Some(());
    }
    scene.make(*random.pick(&[Op::Free, Op::Drop])?, &[a]);
    launch(scene, graph, site.stream);
    Some(())
}

/// A graph reads memory that it does not have, and that is freed before it runs.
fn other_memory(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let written = scene.written_on(site.stream)?;
    let of = (Record::Outside(0), Some(written));
    let (graph, _) = captured_with(scene, site, of, random)?;
    if random.chance(50) {
        launch(scene, graph, site.stream);
        scene.make(Op::Free, &[written]);
    } else {
        scene.make(Op::Drop, &[written]);
    }
    launch(scene, graph, site.stream);
    Some(())
}

/// Two streams run a graph, and nothing orders the runs.
fn on_two_streams(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    launch(scene, graph, other);
    Some(())
}

/// An operator of a graph changes on another stream than the one that runs it.
fn changed_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    let op = Op::UpdateGraph {
        number: 3,
        to: 1,
        from: 0,
    };
    scene.make(op, &[site.binding, graph, graph, other]);
    Some(())
}

/// Another stream uses the memory of a graph that runs.
fn used_elsewhere(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    if random.chance(50) {
        scene.make(Op::FillPart(0), &[graph, other]);
        return Some(());
    }
    let host = scene.make(Op::MallocHostOn, &[other])?;
    scene.make(Op::ReadPart(1), &[graph, other, host]);
    Some(())
}

/// The host uses memory of a graph that runs.
fn seen_while_queued(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    let op = *random.pick(&[Op::SeePart(2), Op::SetPart(2)])?;
    scene.make(op, &[graph]);
    Some(())
}

/// A graph is destroyed while it runs, perhaps behind a wait for another stream.
fn ended_while_queued(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let mut graph = running(scene, site)?;
    if random.chance(50) {
        let other = scene.other_stream(site.binding)?;
        let proof = scene.make(Op::Synchronize, &[other])?;
        graph = scene.make(Op::Take, &[proof, graph])?;
    }
    scene.make_all(Op::DestroyGraph, &[graph]);
    Some(())
}

/// The host reads what a graph has computed on another stream, behind a wait for the last stream only.
fn not_verified(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    let other = scene.other_stream(site.binding)?;
    let event = scene.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
    let moved = scene.make(Op::Handoff, &[site.stream, other, event, graph])?;
    let proof = scene.make(Op::Synchronize, &[other])?;
    let taken = scene.make(Op::Take, &[proof, moved])?;
    scene.make(Op::SeePart(2), &[taken]);
    Some(())
}

/// A recording or an operator is of another graph.
fn of_other_graph(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let graph = running(scene, site)?;
    if random.chance(40) {
        scene.make(Op::LaunchGraph { number: 1 }, &[graph, site.stream]);
        return Some(());
    }
    let other = running(scene, site)?;
    let op = Op::UpdateGraph {
        number: 3,
        to: 1,
        from: 0,
    };
    scene.make(op, &[site.binding, graph, other, site.stream]);
    Some(())
}
