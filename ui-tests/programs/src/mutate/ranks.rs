//! Edits of one rank: it makes another operation than the others, in another order, or none.

use super::rename;
use crate::kinds::vary;
use crate::program::{Collective, Lengths, Name, Op, Program, Sort, Step, Which};
use crate::random::Random;

/// Whether another rank notices the step.
fn is_work(op: Op) -> bool {
    matches!(
        op,
        Op::Collective { .. }
            | Op::InPlace
            | Op::Broadcast
            | Op::Barrier
            | Op::Send
            | Op::Recv
            | Op::Exchange
            | Op::BatchRun
            | Op::SubComm { .. }
            | Op::CommJoin { .. }
    )
}

/// Changes what one rank does.
pub(super) fn strike(program: &mut Program, random: &mut Random) -> Option<()> {
    let free = program.free_number();
    if random.chance(25) {
        return strike_batch(program, random);
    }
    if random.chance(30) {
        return strike_terms(program, random);
    }
    let mut places = Vec::new();
    for at in program.blocks() {
        let steps = program.block(&at)?.iter().enumerate();
        let work = steps.filter(|(_, step)| is_work(step.op));
        places.extend(work.map(|(index, _)| (at.clone(), index)));
    }
    let (at, index) = random.pick(&places)?.clone();
    let same: Vec<usize> = places
        .iter()
        .filter(|(block, other)| *block == at && *other != index)
        .map(|(_, other)| *other)
        .collect();
    let block = program.block(&at)?;
    let step = block.get(index)?.clone();
    match random.below(6) {
        // It leaves an operation out.
        0 => {
            block.remove(index);
            let before = step.of.iter().rfind(|name| name.sort == Sort::Memory);
            if let (Some(result), Some(before)) = (step.to.first(), before) {
                rename(&mut program.steps, *result, *before);
            }
        }
        // It makes two in the other order.
        1 => block.swap(index, *random.pick(&same)?),
        2 => block.get_mut(index)?.op = vary(step.op, random),
        // It makes one twice.
        3 => {
            let mut again = step;
            for (number, name) in (free..).zip(&mut again.to) {
                name.number = number;
            }
            block.insert(index + 1, again);
        }
        4 => {
            let of = step.of.get(..2)?.to_vec();
            let op = Op::Barrier;
            let behind = index + random.below(2);
            block.insert(behind, plain(op, of, None));
        }
        // Another root, or another side of a message.
        _ => {
            let place = step.of.iter().position(|name| name.sort == Sort::Rank)?;
            let comm = *step.of.first()?;
            let which = *random.pick(&[
                Which::Own,
                Which::Next,
                Which::Previous,
                Which::At(0),
                Which::At(1),
                Which::At(2),
            ])?;
            let rank = Name {
                sort: Sort::Rank,
                number: free,
            };
            *block.get_mut(index)?.of.get_mut(place)? = rank;
            block.insert(index, plain(Op::RankOf(which), vec![comm], Some(rank)));
        }
    }
    Some(())
}

/// One rank makes the same operation as the others with another operator, another root or another list, so that the parts
/// meet.
fn strike_terms(program: &mut Program, random: &mut Random) -> Option<()> {
    let free = program.free_number();
    let other = |op| {
        let Op::Collective { mut kind } = op else {
            return None;
        };
        match kind {
            Collective::AllReduce => return Some(Collective::AllMax),
            Collective::AllMax => return Some(Collective::AllReduce),
            _ => {}
        }
        let lengths = kind.lengths_mut()?;
        *lengths = match lengths {
            Lengths::Equal => Lengths::More,
            Lengths::More => Lengths::Gap,
            Lengths::Gap | Lengths::Short => Lengths::Equal,
        };
        Some(kind)
    };
    let mut places = Vec::new();
    for at in program.blocks() {
        let steps = program.block(&at)?.iter().enumerate();
        let fits = |step: &Step| step.op == Op::Broadcast || other(step.op).is_some();
        let fitting = steps.filter(|(_, step)| fits(step));
        places.extend(fitting.map(|(index, _)| (at.clone(), index)));
    }
    let (at, index) = random.pick(&places)?.clone();
    let block = program.block(&at)?;
    let step = block.get_mut(index)?;
    if let Some(kind) = other(step.op) {
        step.op = Op::Collective { kind };
        return Some(());
    }
    let comm = *step.of.first()?;
    let rank = Name {
        sort: Sort::Rank,
        number: free,
    };
    *step.of.get_mut(2)? = rank;
    let which = *random.pick(&[Which::Own, Which::At(0), Which::At(1)])?;
    block.insert(index, plain(Op::RankOf(which), vec![comm], Some(rank)));
    Some(())
}

/// A list of lengths becomes shorter than its buffer, in some of the programs with a list.
pub(super) fn shorten(program: &Program, random: &mut Random) -> Option<Program> {
    let mut edited = program.clone();
    let mut places = Vec::new();
    for at in edited.blocks() {
        let steps = edited.block(&at)?.iter().enumerate();
        let lists = steps.filter(
            |(_, step)| matches!(step.op, Op::Collective { kind } if kind.lengths().is_some()),
        );
        places.extend(lists.map(|(index, _)| (at.clone(), index)));
    }
    // Programs with several ranks have mistakes that no other program can have.
    let often = if program.has_ranks() { 20 } else { 80 };
    if places.is_empty() || !random.chance(often) {
        return None;
    }
    let (at, index) = random.pick(&places)?.clone();
    if let Op::Collective { kind } = &mut edited.block(&at)?.get_mut(index)?.op {
        *kind.lengths_mut()? = Lengths::Short;
    }
    Some(edited)
}

fn plain(op: Op, of: Vec<Name>, to: Option<Name>) -> Step {
    Step::new(op, &of, to.as_slice())
}

/// Before a batch is queued, something happens to its memory.
fn strike_batch(program: &mut Program, random: &mut Random) -> Option<()> {
    let op = *random.pick(&[Op::Free, Op::Drop, Op::Forget, Op::Read, Op::Accept])?;
    before_batch(program, random, op)
}

/// The program with a drop of memory that a batch uses, in most cases where it has a batch.
pub(super) fn drop_in_batch(program: &Program, random: &mut Random) -> Option<Program> {
    if !program.has_ranks() || !random.chance(90) {
        return None;
    }
    let mut edited = program.clone();
    before_batch(&mut edited, random, Op::Drop)?;
    edited.is_resolved().then_some(edited)
}

/// Does a step with memory of a batch, before the batch is queued.
fn before_batch(program: &mut Program, random: &mut Random, op: Op) -> Option<()> {
    let mut places = Vec::new();
    for at in program.blocks() {
        let block = program.block(&at)?;
        for (index, step) in block.iter().enumerate() {
            let batch = step.of.get(2).filter(|_| step.op == Op::BatchRun);
            let Some(batch) = batch.copied() else {
                continue;
            };
            let messages = block.iter().take(index);
            let messages = messages.filter(|step| step.of.first() == Some(&batch));
            places.extend(messages.filter_map(|step| Some((at.clone(), index, *step.of.get(2)?))));
        }
    }
    let (at, index, memory) = random.pick(&places)?.clone();
    let free = program.free_number();
    let to = (op == Op::Accept).then_some(Name {
        sort: Sort::Memory,
        number: free,
    });
    program
        .block(&at)?
        .insert(index, plain(op, vec![memory], to));
    Some(())
}
