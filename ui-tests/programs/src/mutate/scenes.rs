//! Mistakes that need several steps in their order, as scenes.

use super::{graphs, kernels, later, limits, pools, reserved, signals};
use crate::model::{Rule, Strictness, judge};
use crate::program::{Collective, Flags, Layout, Lengths, Name, Op, Operator, Program};
use crate::random::Random;
use crate::scene::{Scene, Site};

/// A mistake, and the rules that it may break.
pub(super) type Mistake = (
    &'static [Rule],
    fn(&mut Scene, Site, &mut Random) -> Option<()>,
);

const MISTAKES: [Mistake; 9] = [
    (&[Rule::FreedInUse, Rule::TouchedInUse], proof_of_other),
    (&[Rule::Unverified], not_verified),
    (&[Rule::Race], source_of_other),
    (&[Rule::HostToHost], from_host_to_host),
    (&[Rule::NoOrder], wait_without_order),
    (&[Rule::OtherContext], elsewhere),
    (&[Rule::MemoryGone], view_of_freed),
    (&[Rule::Unwritten], part_of_fresh),
    (&[Rule::Race], model_of_two),
];

/// A mistake with pictures: behind a channel that a stream has.
type MediaMistake = (
    Rule,
    fn(&mut Scene, Site, [Name; 2], &mut Random) -> Option<()>,
);

const MEDIA_MISTAKES: [MediaMistake; 5] = [
    (Rule::Unproven, unproven),
    (Rule::Unproven, unproven),
    (Rule::Unproven, unproven_of_other),
    (Rule::StatusUnread, unread),
    (Rule::Unwritten, crop_of_fresh),
];

/// One of the mistakes, in some of the programs.
pub(super) fn play(program: &Program, random: &mut Random) -> Option<Program> {
    if program.has_ranks() {
        return None;
    }
    if program.has_comms() && random.chance(60) {
        return short_list(program, random);
    }
    if program.has_kind("Channel") && random.chance(75) {
        let mut edited = program.clone();
        let (mut scene, site, names) = Scene::behind_channel(&mut edited, random)?;
        let (rule, mistake) = random.pick(&MEDIA_MISTAKES)?;
        mistake(&mut scene, site, names, random)?;
        scene.end_block(&mut edited)?;
        return breaks(edited, &[*rule], &[]);
    }
    if program.has_kind("LoadBinary") && random.chance(80) {
        // Some of them need more than a stream.
        return (0..4).find_map(|_| mistaken(program, &kernels::MISTAKES, random));
    }
    if program.has_kind("CreatePool") && random.chance(85) {
        return (0..4).find_map(|_| mistaken(program, &pools::MISTAKES, random));
    }
    if program.has_kind("ReserveMem") && random.chance(85) {
        return (0..4).find_map(|_| mistaken(program, &reserved::MISTAKES, random));
    }
    let signals: &[(&str, &[Mistake])] = &[
        ("CreateCounter", &signals::COUNTERS),
        ("CreateShared", &signals::SHARES),
        ("SeeCores", &signals::SETTINGS),
    ];
    for (kind, mistakes) in signals {
        if program.has_kind(kind) && random.chance(75) {
            return (0..4).find_map(|_| mistaken(program, mistakes, random));
        }
    }
    if program.has_graphs() && random.chance(70) {
        return (0..4).find_map(|_| mistaken(program, &graphs::MISTAKES, random));
    }
    let all: &[Mistake] = match program.has_kind("Limit") {
        true if random.chance(40) => &limits::MISTAKES,
        _ if random.chance(25) => &MISTAKES,
        _ if random.chance(12) => &later::MISTAKES,
        _ => return None,
    };
    mistaken(program, all, random)
}

/// One of these mistakes behind a stream of the program.
fn mistaken(program: &Program, all: &[Mistake], random: &mut Random) -> Option<Program> {
    let mut edited = program.clone();
    let (mut scene, site) = Scene::behind_stream(&mut edited, random)?;
    let (rules, mistake) = random.pick(all)?;
    mistake(&mut scene, site, random)?;
    scene.end_block(&mut edited)?;
    // What is used too early is borrowed still, or was not taken from its stream.
    let mut with = vec![Strictness::Borrowed, Strictness::NotTaken];
    if edited.has_graphs() {
        // A recording that reads memory of the program.
        with.push(Strictness::NotAdopted);
    }
    breaks(edited, rules, &with)
}

/// The program, if it breaks one of the rules, and the API refuses it for nothing else.
fn breaks(program: Program, rules: &[Rule], with: &[Strictness]) -> Option<Program> {
    let verdict = judge(&program);
    let is_broken = rules.contains(&verdict.broken?);
    // The form of an output of which a part is written is this mistake.
    let mut strict = verdict.strict.iter();
    let is_aimed = strict.all(|strict| *strict == Strictness::Form || with.contains(strict));
    (program.is_resolved() && is_broken && is_aimed).then_some(program)
}

/// Memory comes back from its stream with the proof of another one.
fn proof_of_other(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
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
    let other = scene.other_stream(site.binding)?;
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
    let other = scene.other_stream(site.binding)?;
    let event = scene.make(Op::CreateEvent(flags), &[site.binding])?;
    let point = scene.make(Op::Record, &[site.stream, event])?;
    scene.make(Op::Wait, &[other, point]);
    Some(())
}

/// The first phase of an operator runs once more while the context of another device is current.
fn elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let [plan, ..] = scene.planned(site.binding, Layout::Whole)?;
    let other = scene.other_device(site.thread?)?;
    scene.make(Op::Repeatable, &[other, plan]);
    Some(())
}

/// A plan runs on a view of memory that was freed.
fn view_of_freed(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [plan, first, second, _] = scene.planned(site.binding, Layout::Turned)?;
    scene.make(Op::Free, &[*random.pick(&[first, second])?]);
    scene.make(Op::Run, &[plan, site.stream]);
    Some(())
}

/// Memory is read of which an operator has written the front only.
fn part_of_fresh(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    let input = scene.write(Op::Memset, &[site.binding, fresh])?;
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    let op = Op::Plan {
        operator: Operator::Relu,
        fresh: true,
        layout: Layout::Part,
    };
    let plan = scene.make(op, &[site.binding, input, input, fresh])?;
    let output = scene.write(Op::Run, &[plan, site.stream])?;
    let host = scene.make(Op::MallocHost, &[site.binding])?;
    scene.make(Op::Memcpy, &[site.binding, host, output]);
    Some(())
}

/// Two streams run a model, and nothing orders the runs.
fn model_of_two(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let loaded = scene.make(Op::Load, &[site.binding])?;
    let model = scene.make(Op::Adopt, &[site.stream, loaded])?;
    let other = scene.other_stream(site.binding)?;
    for stream in [site.stream, other] {
        let from = scene.written_on(stream)?;
        let fresh = scene.make(Op::MallocOn, &[stream])?;
        scene.write(Op::Infer, &[model, stream, from, fresh]);
    }
    Some(())
}

/// The status of a task is read, and no wait has proven that the task has run.
fn unproven(scene: &mut Scene, site: Site, names: [Name; 2], random: &mut Random) -> Option<()> {
    scene.checked(site, names, false, random).map(drop)
}

/// The status of a task is read that has used a picture of another stream, whose task nothing has proven.
fn unproven_of_other(
    scene: &mut Scene,
    site: Site,
    [media, channel]: [Name; 2],
    _: &mut Random,
) -> Option<()> {
    let picture = scene.cropped(site, [media, channel])?;
    let other = scene.other_stream(site.binding)?;
    let mut moved = Vec::new();
    for name in [channel, picture] {
        let event = scene.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
        moved.push(scene.make(Op::Handoff, &[site.stream, other, event, name])?);
    }
    let fresh = scene.make(Op::Picture, &[media, site.binding])?;
    let to = scene.make(Op::Adopt, &[other, fresh])?;
    let made = scene.write(Op::Crop, &[*moved.first()?, other, *moved.get(1)?, to])?;
    let proof = scene.make(Op::Synchronize, &[other])?;
    let taken = scene.make(Op::Take, &[proof, made])?;
    scene.make(Op::Check, &[taken]);
    Some(())
}

/// The host reads a picture, and not the status of its task.
fn unread(scene: &mut Scene, site: Site, names: [Name; 2], _: &mut Random) -> Option<()> {
    let picture = scene.cropped(site, names)?;
    let proof = scene.make(Op::Synchronize, &[site.stream])?;
    let taken = scene.make(Op::Take, &[proof, picture])?;
    scene.make(Op::Pixels, &[site.binding, taken]);
    Some(())
}

/// A task reads a picture that nothing has written.
fn crop_of_fresh(
    scene: &mut Scene,
    site: Site,
    [media, channel]: [Name; 2],
    _: &mut Random,
) -> Option<()> {
    let mut picture = || {
        let fresh = scene.make(Op::Picture, &[media, site.binding])?;
        scene.make(Op::Adopt, &[site.stream, fresh])
    };
    let (from, to) = (picture()?, picture()?);
    scene.write(Op::Crop, &[channel, site.stream, from, to]);
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
    breaks(edited, &[Rule::Length], &[])
}
