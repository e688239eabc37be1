//! Edits of programs with communicators that a random edit seldom makes alone.

use super::names;
use crate::program::{Name, Op, Program, Sort, Step};
use crate::random::Random;

/// One of these edits, in some of the programs with communicators of one rank.
pub(super) fn aim(program: &Program, random: &mut Random) -> Option<Program> {
    if !program.has_comms() || program.has_ranks() || !random.chance(40) {
        return None;
    }
    let mut edited = program.clone();
    if random.chance(50) {
        end_device(&mut edited, random)?;
    } else {
        send_host(&mut edited, random)?;
    }
    edited.is_resolved().then_some(edited)
}

/// Nothing but communicators is left when the device ends.
pub(super) fn end_device(program: &mut Program, random: &mut Random) -> Option<()> {
    let devices = names(program).into_iter();
    let devices: Vec<Name> = devices.filter(|name| name.sort == Sort::Device).collect();
    let device = *random.pick(&devices)?;
    let is_kept = |op| {
        let makes = matches!(
            op,
            Op::CommInit { .. } | Op::CommInitAll { .. } | Op::CommAttach
        );
        makes || matches!(op, Op::Claim | Op::SetDevice { .. } | Op::Bind)
    };
    program.steps.retain(|step| is_kept(step.op));
    program.steps.push(Step::new(Op::Reset, &[device], &[]));
    Some(())
}

/// An operation sends host memory of its stream.
fn send_host(program: &mut Program, random: &mut Random) -> Option<()> {
    let mut places = Vec::new();
    for at in program.blocks() {
        let steps = program.block(&at)?.iter().enumerate();
        let work = steps.filter(|(_, step)| matches!(step.op, Op::Collective { .. } | Op::InPlace));
        places.extend(work.map(|(index, _)| (at.clone(), index)));
    }
    let host = Name {
        sort: Sort::Memory,
        number: program.free_number(),
    };
    let (at, index) = random.pick(&places)?.clone();
    let block = program.block(&at)?;
    let step = block.get_mut(index)?;
    let stream = *step.of.get(1)?;
    *step.of.get_mut(2)? = host;
    let malloc = Step::new(Op::MallocHostOn, &[stream], &[host]);
    block.insert(index, malloc);
    Some(())
}
