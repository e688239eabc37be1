//! Work on memory around its way from one stream to another by a fence.
//!
//! Random work seldom uses the memory on both streams without a wait of the host between them. Without such work no run
//! shows that the second stream does not wait for the first one.

use super::{graphs, kernels, later, pools, reserved, signals};
use crate::model::judge;
use crate::program::{Flags, Layout, Name, Op, Operator, Program, Sort, Step};
use crate::random::Random;
use crate::scene::Scene;

/// The program with work on the memory of each fence, where such work is legal. Some programs get a fence before.
pub(crate) fn use_fenced(mut program: Program, random: &mut Random) -> Program {
    if !program.has_ranks() && random.chance(15) {
        keep(&mut program, |with| hand_over(with, random));
    }
    if program.has_kind("Limit") && random.chance(50) {
        keep(&mut program, |with| abort(with, random));
    }
    let is_limited = program.has_kind("Limit");
    if !program.has_ranks() && random.chance(if is_limited { 60 } else { 15 }) {
        keep(&mut program, |with| later::awaited(with, random));
    }
    if !program.has_ranks() && random.chance(25) {
        keep(&mut program, |with| later::piped(with, random));
    }
    if program.has_kind("Channel") && random.chance(60) {
        keep(&mut program, |with| check(with, random));
    }
    if !program.has_ranks() && random.chance(8) {
        keep(&mut program, |with| move_plan(with, random));
    }
    if !program.has_ranks() {
        let percent = if program.has_kind("LoadBinary") {
            70
        } else {
            6
        };
        if random.chance(percent) {
            keep(&mut program, |with| kernels::computed(with, random));
        }
    }
    if program.has_kind("CreatePool") && random.chance(90) {
        // Names of other scenes may be taken at the first place.
        let _ = (0..3).any(|_| keep(&mut program, |with| pools::in_turns(with, random)));
    }
    if program.has_kind("ReserveMem") && random.chance(90) {
        let _ = (0..3).any(|_| keep(&mut program, |with| reserved::grown(with, random)));
    }
    if program.has_kind("CreateCounter") && random.chance(90) {
        let _ = (0..3).any(|_| keep(&mut program, |with| signals::counted(with, random)));
    }
    if program.has_kind("CreateShared") && random.chance(90) {
        let _ = (0..3).any(|_| keep(&mut program, |with| signals::shared(with, random)));
    }
    if program.has_settings() && random.chance(90) {
        let _ = (0..3).any(|_| keep(&mut program, |with| signals::limited(with, random)));
    }
    if program.has_graphs() && random.chance(70) {
        keep(&mut program, |with| graphs::ran(with, random));
    }
    if program.has_kind("Limit") && random.chance(40) {
        keep(&mut program, |with| fence_within(with, random));
    }
    for at in program.blocks() {
        let mut index = program.block(&at).map_or(0, |block| block.len());
        // Backwards, so that the places of the steps in front stay what they are.
        while index > 0 {
            index -= 1;
            for stream in streams(&program.steps) {
                keep(&mut program, |with| cross(with, &at, index, stream));
            }
            keep(&mut program, |with| add(with, &at, index));
        }
    }
    program
}

/// Makes an edit of a program, if the program stays one that the API has to accept. Returns whether it does.
fn keep(program: &mut Program, edit: impl FnOnce(&mut Program) -> Option<()>) -> bool {
    let mut with = program.clone();
    let is_kept = edit(&mut with).is_some() && with.is_resolved() && judge(&with).is_clean();
    if is_kept {
        *program = with;
    }
    is_kept
}

/// Adds memory that goes from one stream to another one, with work on both.
fn hand_over(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let (stream, moved) = scene.moved(site, random)?;
    scene.make(Op::MemsetAsync, &[stream, moved]);
    scene.end(program)
}

/// Adds a wait within a limit for memory that a stream uses: where it hangs, the memory is not given back.
fn fence_within(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let host = scene.copied(site.stream)?;
    let event = scene.make(Op::CreateEvent(Flags::Order), &[site.binding])?;
    let fence = scene.make(Op::Fence, &[site.stream, event, host])?;
    let back = scene.make(Op::SynchronizeFenceWithin, &[fence])?;
    let proof = scene.make(Op::SynchronizeWithin, &[site.stream])?;
    let verified = scene.make(Op::Verify, &[proof, back])?;
    scene.make(Op::Read, &[verified]);
    scene.end(program)
}

/// Adds a stream that is aborted and used again, beside one whose work is proven.
fn abort(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let mut stream = scene.other_stream(site.binding)?;
    for _ in 0..2 {
        let host = scene.copied(stream)?;
        if random.chance(60) {
            scene.make(Op::TryWithin, &[stream]);
        }
        stream = scene.make(Op::Abort, &[stream])?;
        let proof = scene.make(Op::Drain, &[stream])?;
        let taken = scene.make(Op::Take, &[proof, host])?;
        let accepted = scene.make(Op::Accept, &[taken])?;
        scene.make(Op::Read, &[accepted]);
    }
    let host = scene.copied(site.stream)?;
    let proof = scene.make(Op::SynchronizeWithin, &[site.stream])?;
    let taken = scene.make(Op::Take, &[proof, host])?;
    scene.make(Op::Read, &[taken]);
    scene.end(program)
}

/// Adds a picture whose status is read behind a proof, and then its pixels.
fn check(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site, names) = Scene::behind_channel(program, random)?;
    let picture = scene.checked(site, names, true, random)?;
    scene.make(Op::Pixels, &[site.binding, picture]);
    scene.end(program)
}

/// Adds a plan at the end of the program that runs after the thread was bound to another device and back.
fn move_plan(program: &mut Program, random: &mut Random) -> Option<()> {
    let bind = program.steps.iter().find(|step| step.op == Op::Bind)?;
    let (thread, device) = (*bind.of.first()?, *bind.of.get(1)?);
    let mut scene = Scene::new(program, Vec::new(), program.steps.len());
    let binding = scene.make(Op::Bind, &[thread, device])?;
    let layout = *random.pick(&[Layout::Whole, Layout::Turned, Layout::Part])?;
    let [plan, first, second, out] = scene.planned(binding, layout)?;
    let repeats = random.chance(50);
    let mut repeat = None;
    if repeats && random.chance(50) {
        repeat = scene.make(Op::Repeatable, &[binding, plan]);
    }
    scene.other_device(thread)?;
    let binding = scene.make(Op::Bind, &[thread, device])?;
    if repeats && repeat.is_none() {
        repeat = scene.make(Op::Repeatable, &[binding, plan]);
    }
    let stream = scene.other_stream(binding)?;
    match repeat {
        Some(repeat) => {
            let again = Op::RunAgain {
                operator: Operator::Add,
                layout,
            };
            scene.make(again, &[repeat, stream, first, second, out]);
            scene.make(again, &[repeat, stream, out, second, first]);
        }
        None => {
            scene.make(Op::Run, &[plan, stream]);
        }
    }
    scene.end(program)
}

/// The streams of a program.
fn streams(steps: &[Step]) -> Vec<Name> {
    let mut found = Vec::new();
    for step in steps {
        let own = step.to.iter().filter(|name| name.sort == Sort::Stream);
        found.extend(own);
        found.extend(streams(&step.body));
    }
    found
}

/// Lets another stream wait for a fence.
fn cross(program: &mut Program, at: &[usize], index: usize, stream: Name) -> Option<()> {
    let step = program.block(at)?.get_mut(index)?;
    let is_wait = step.op == Op::WaitFence;
    *step.of.first_mut().filter(|_| is_wait)? = stream;
    Some(())
}

/// Adds work in front of a fence, or behind the wait for one.
fn add(program: &mut Program, at: &[usize], index: usize) -> Option<()> {
    let block = program.block(at)?;
    let step = block.get(index)?;
    let is_memory = |name: &&Name| name.sort == Sort::Memory;
    let (memory, place) = match step.op {
        Op::Fence => (step.of.iter().find(is_memory)?, index),
        Op::WaitFence => (step.to.iter().find(is_memory)?, index + 1),
        _ => return None,
    };
    let work = Step::new(Op::MemsetAsync, &[*step.of.first()?, *memory], &[]);
    block.insert(place, work);
    Some(())
}
