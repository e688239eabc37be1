//! Work on memory around its way from one stream to another by a fence.
//!
//! Random work seldom uses the memory on both streams without a wait of the host between them. Without such work no run
//! shows that the second stream does not wait for the first one.

use crate::model::judge;
use crate::program::{Name, Op, Program, Sort, Step};
use crate::random::Random;
use crate::scene::Scene;

/// The program with work on the memory of each fence, where such work is legal. Some programs get a fence before.
pub(crate) fn use_fenced(mut program: Program, random: &mut Random) -> Program {
    if !program.has_ranks() && random.chance(15) {
        keep(&mut program, |with| hand_over(with, random));
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

/// Makes an edit of a program, if the program stays one that the API has to accept.
fn keep(program: &mut Program, edit: impl FnOnce(&mut Program) -> Option<()>) {
    let mut with = program.clone();
    if edit(&mut with).is_some() && with.is_resolved() && judge(&with).is_clean() {
        *program = with;
    }
}

/// Adds memory that goes from one stream to another one, with work on both.
fn hand_over(program: &mut Program, random: &mut Random) -> Option<()> {
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let (stream, moved) = scene.moved(site, random)?;
    scene.make(Op::MemsetAsync, &[stream, moved]);
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
    let work = Step {
        op: Op::MemsetAsync,
        of: vec![*step.of.first()?, *memory],
        to: Vec::new(),
        body: Vec::new(),
    };
    block.insert(place, work);
    Some(())
}
