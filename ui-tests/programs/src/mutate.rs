//! One edit of a program: the mistake of a moment, or no mistake at all.

use crate::kinds::{operands, random_kind, results, vary};
use crate::model::{Machine, Rule, judge};
use crate::program::{ACL, Name, Op, Program, Sort, Step};
use crate::random::Random;
use crate::smaller::candidates;

/// The program after one edit. Of several edits, those are preferred that make the program illegal, and of these
/// those that break a rule that edits seldom break.
///
/// Most illegal programs lose all steps that the mistake does not need. Otherwise the compiler may refuse a program
/// for one mistake, and accept another one in it.
pub(crate) fn mutate_towards_illegal(program: &Program, random: &mut Random) -> Program {
    let mut edited: Vec<(usize, Option<Rule>, Program)> = Vec::new();
    for _ in 0..=random.below(40) {
        let program = mutate(program, random);
        let rule = judge(&program).broken;
        let weight = rule.map_or(1, |rule| 4_usize.pow(u32::from(rule.rarity())));
        edited.push((weight, rule, program));
    }
    let all = edited.iter().map(|(weight, ..)| weight).sum();
    let mut at = random.below(all);
    let chosen = edited.into_iter().find(|(weight, ..)| {
        let is_here = at < *weight;
        at = at.saturating_sub(*weight);
        is_here
    });
    match chosen {
        Some((_, Some(rule), program)) if random.chance(70) => least(program, rule),
        Some((_, _, program)) => program,
        None => program.clone(),
    }
}

/// The program without the steps that its mistake does not need.
fn least(mut program: Program, rule: Rule) -> Program {
    loop {
        let is_same = |smaller: &Program| {
            let verdict = judge(smaller);
            verdict.broken == Some(rule) && verdict.strict.is_empty()
        };
        match candidates(&program).into_iter().find(is_same) {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

/// The program after one edit.
pub(crate) fn mutate(program: &Program, random: &mut Random) -> Program {
    for _ in 0..40 {
        let mut edited = program.clone();
        let edit = random.below(13);
        let done = match edit {
            0 | 1 => reorder(&mut edited, random),
            2 | 3 => skip(&mut edited, random),
            4 | 5 => replace(&mut edited, random),
            6 => repeat(&mut edited, random),
            7 => end(&mut edited, random),
            8 => exchange(&mut edited, random),
            9..12 => insert(&mut edited, random),
            _ => vary_step(&mut edited, random),
        };
        if done.is_some() && edited != *program && edited.is_resolved() {
            return edited;
        }
    }
    program.clone()
}

/// The block and the index of a random step.
fn place(program: &mut Program, random: &mut Random) -> Option<(Vec<usize>, usize)> {
    let blocks = program.blocks();
    let at = random.pick(&blocks)?.clone();
    let len = program.block(&at)?.len();
    (len > 0).then(|| (at, random.below(len)))
}

/// Moves a step to another place, perhaps into another block.
fn reorder(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let step = program.block(&at)?.remove(index);
    let target = if random.chance(60) {
        at
    } else {
        random.pick(&program.blocks())?.clone()
    };
    let block = program.block(&target)?;
    let to = if random.chance(50) && block.len() > 1 {
        // Near to its old place.
        (index + random.below(4)).saturating_sub(2).min(block.len())
    } else {
        random.below(block.len() + 1)
    };
    block.insert(to, step);
    Some(())
}

/// Leaves a step out. Where its result was used, its last operand of the same sort is used.
fn skip(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let step = program.block(&at)?.remove(index);
    for result in &step.to {
        let before = step.of.iter().rev().find(|name| name.sort == result.sort);
        match before {
            Some(before) => rename(&mut program.steps, *result, *before),
            None => {
                // Another value of the sort takes its place.
                let other = names(program)
                    .into_iter()
                    .filter(|name| name.sort == result.sort && name != result);
                let other: Vec<Name> = other.collect();
                if let Some(other) = random.pick(&other) {
                    rename(&mut program.steps, *result, *other);
                }
            }
        }
    }
    Some(())
}

fn rename(steps: &mut [Step], from: Name, to: Name) {
    for step in steps {
        for name in &mut step.of {
            if *name == from {
                *name = to;
            }
        }
        rename(&mut step.body, from, to);
    }
}

/// All names that steps give.
fn names(program: &Program) -> Vec<Name> {
    fn walk(steps: &[Step], found: &mut Vec<Name>) {
        for step in steps {
            found.extend(&step.to);
            walk(&step.body, found);
        }
    }
    let mut found = Vec::new();
    walk(&program.steps, &mut found);
    found
}

/// Another operand of the same sort.
fn replace(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let all = names(program);
    let step = program.block(&at)?.get_mut(index)?;
    let operand = random.below(step.of.len());
    let sort = step.of.get(operand)?.sort;
    let others: Vec<Name> = all.into_iter().filter(|name| name.sort == sort).collect();
    *step.of.get_mut(operand)? = *random.pick(&others)?;
    Some(())
}

/// The same step once more.
fn repeat(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let free = program.free_number();
    let block = program.block(&at)?;
    let mut step = block.get(index)?.clone();
    if step.op.is_block() {
        return None;
    }
    for (number, name) in (free..).zip(&mut step.to) {
        name.number = number;
    }
    let to = index + 1 + random.below(block.len() - index);
    block.insert(to, step);
    Some(())
}

/// A step with any operands.
fn insert(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let all = names(program);
    let op = if random.chance(40) {
        *random.pick(&[
            Op::Read,
            Op::Write,
            Op::Free,
            Op::Adopt,
            Op::Run,
            Op::Launch,
            Op::Elapsed,
        ])?
    } else {
        random_kind(random)
    };
    let mut of = Vec::new();
    for sort in operands(op) {
        let fitting: Vec<Name> = all
            .iter()
            .filter(|name| name.sort == *sort)
            .copied()
            .collect();
        of.push(*random.pick(&fitting)?);
    }
    if op.is_block() || of.is_empty() {
        return None;
    }
    let free = program.free_number();
    let to = (free..).zip(results(op));
    let to = to.map(|(number, sort)| Name {
        sort: *sort,
        number,
    });
    let step = Step {
        op,
        of,
        to: to.collect(),
        body: Vec::new(),
    };
    program.block(&at)?.insert(index + 1, step);
    Some(())
}

/// Ends a value early, or gives it away.
fn end(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    if random.chance(5) {
        let step = Step {
            op: Op::Finalize,
            of: vec![ACL],
            to: Vec::new(),
            body: Vec::new(),
        };
        program.block(&at)?.insert(index, step);
        return Some(());
    }
    let all = names(program);
    let values: Vec<Name> = all
        .into_iter()
        .filter(|name| Machine::sorts_of_values().contains(&name.sort))
        .collect();
    let name = *random.pick(&values)?;
    let op = match (random.below(4), name.sort) {
        (0, _) => Op::Forget,
        (1, _) => Op::Drop,
        (_, Sort::Memory) => Op::Free,
        (_, Sort::Stream) => Op::DestroyStream,
        (_, Sort::Event) => Op::DestroyEvent,
        (_, Sort::Device) => Op::Reset,
        (_, Sort::Context) => Op::DestroyContext,
        _ => Op::Drop,
    };
    let step = Step {
        op,
        of: vec![name],
        to: Vec::new(),
        body: Vec::new(),
    };
    program.block(&at)?.insert(index, step);
    Some(())
}

/// Two operands of one step change places.
fn exchange(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let step = program.block(&at)?.get_mut(index)?;
    let sorts = operands(step.op);
    let mut pairs = Vec::new();
    for first in 0..sorts.len() {
        for second in first + 1..sorts.len() {
            if sorts.get(first) == sorts.get(second) {
                pairs.push((first, second));
            }
        }
    }
    let (first, second) = *random.pick(&pairs)?;
    if first < step.of.len() && second < step.of.len() {
        step.of.swap(first, second);
    }
    Some(())
}

/// The step with other parameters.
fn vary_step(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let step = program.block(&at)?.get_mut(index)?;
    step.op = vary(step.op, random);
    Some(())
}
