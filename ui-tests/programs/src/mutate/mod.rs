//! One edit of a program: the mistake of a moment, or no mistake at all.

mod comms;
mod graphs;
mod kernels;
mod later;
mod limits;
mod pools;
mod ranks;
mod reserved;
mod scenes;
mod signals;

use crate::kinds::{random_kind, vary};
use crate::model::{Machine, Rule, Verdict, judge};
use crate::program::{ACL, Name, Op, Program, Sort, Step, with_inner};
use crate::random::Random;
use crate::smaller::candidates;

/// The program after one edit. Of several edits, those are preferred that make the program illegal, and of these
/// those that break a rule that edits seldom break.
///
/// Most illegal programs lose all steps that the mistake does not need. Otherwise the compiler may refuse a program
/// for one mistake, and accept another one in it.
pub(crate) fn mutate_towards_illegal(program: &Program, random: &mut Random) -> Program {
    // An edit of any kind seldom meets the memory of a batch, or a list.
    let edited = ranks::drop_in_batch(program, random);
    let edited = edited.or_else(|| ranks::shorten(program, random));
    let edited = edited.or_else(|| comms::aim(program, random));
    let edited = edited.or_else(|| scenes::play(program, random));
    if let Some(edited) = edited {
        let verdict = judge(&edited);
        return least(edited, &verdict);
    }
    let mut edited: Vec<(usize, Verdict, Program)> = Vec::new();
    for _ in 0..=random.below(40) {
        let program = mutate(program, random);
        let verdict = judge(&program);
        // It may hang in each run.
        if verdict.broken.is_some_and(Rule::hangs) {
            continue;
        }
        let weight = |rule: Rule| 4_usize.pow(u32::from(rule.rarity()));
        let weight = verdict.broken.map_or(1, weight);
        // A program with one mistake says more than a program with two.
        let weight = if verdict.strict.is_empty() {
            weight * 8
        } else {
            weight
        };
        edited.push((weight, verdict, program));
    }
    let all = edited.iter().map(|(weight, ..)| weight).sum();
    let mut at = random.below(all);
    let chosen = edited.into_iter().find(|(weight, ..)| {
        let is_here = at < *weight;
        at = at.saturating_sub(*weight);
        is_here
    });
    match chosen {
        Some((_, verdict, program)) if verdict.broken.is_some() && random.chance(70) => {
            least(program, &verdict)
        }
        Some((_, _, program)) => program,
        None => program.clone(),
    }
}

/// The program without the steps that its mistake does not need.
fn least(mut program: Program, found: &Verdict) -> Program {
    loop {
        let is_same = |smaller: &Program| {
            let verdict = judge(smaller);
            verdict.broken == found.broken && verdict.strict.is_subset(&found.strict)
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
        let aimed = edited.has_comms() && random.chance(40);
        let at_rank = edited.has_ranks() && random.chance(50);
        let at_launch = edited.has_kind("LaunchKernel") && random.chance(40);
        let at_graph = edited.has_graphs() && random.chance(40);
        let edit = random.below(19);
        let done = match edit {
            _ if at_rank => ranks::strike(&mut edited, random),
            _ if aimed => strike_comm(&mut edited, random),
            _ if at_launch => kernels::strike(&mut edited, random),
            _ if at_graph => graphs::strike(&mut edited, random),
            0 | 1 => reorder(&mut edited, random),
            2 | 3 => skip(&mut edited, random),
            4 | 5 => replace(&mut edited, random),
            6 => repeat(&mut edited, random),
            7 => end(&mut edited, random),
            8 => exchange(&mut edited, random),
            9 | 10 => insert(&mut edited, random),
            11 | 12 => wrap(&mut edited, random),
            13..17 => strike(&mut edited, random),
            _ => vary_step(&mut edited, random),
        };
        let is_program = edited.is_resolved() && !names_twice(&edited.steps);
        if done.is_some() && edited != *program && is_program {
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

/// The index of a random step that fits.
fn any_of(block: &[Step], random: &mut Random, fits: impl Fn(&Step) -> bool) -> Option<usize> {
    let fitting = block.iter().enumerate().filter(|(_, step)| fits(step));
    let fitting: Vec<usize> = fitting.map(|(index, _)| index).collect();
    random.pick(&fitting).copied()
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
    let steps = with_inner(&program.steps).into_iter();
    steps.flat_map(|step| step.to.iter().copied()).collect()
}

/// Another operand of the same sort.
fn replace(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, mut index) = place(program, random)?;
    let all = names(program);
    let block = program.block(&at)?;
    // The proof of a wait has to be the right one.
    let takes = random.chance(35);
    if takes {
        let is_take = |step: &Step| {
            matches!(
                step.op,
                Op::Take | Op::Verify | Op::CommTake | Op::CommVerify
            )
        };
        index = any_of(block, random, is_take)?;
    }
    let step = block.get_mut(index)?;
    let operand = if takes {
        0
    } else {
        random.below(step.of.len())
    };
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
    let reach = program.reach();
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
        random_kind(random, reach)
    };
    let mut of = Vec::new();
    for sort in op.operands() {
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
    let step = Step::giving(op, &of, program.free_number());
    program.block(&at)?.insert(index + 1, step);
    Some(())
}

/// Ends a value early, or gives it away.
fn end(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    if random.chance(5) {
        let step = Step::new(Op::Finalize, &[ACL], &[]);
        program.block(&at)?.insert(index, step);
        return Some(());
    }
    let all = names(program);
    let sorts = Machine::sorts_of_values(program.reach());
    let values: Vec<Name> = all
        .into_iter()
        .filter(|name| sorts.contains(&name.sort))
        .collect();
    // There are few devices, and their end is a mistake for nearly all other values.
    let devices = values
        .iter()
        .copied()
        .filter(|name| name.sort == Sort::Device);
    let devices: Vec<Name> = devices.collect();
    let name = if random.chance(40) {
        *random.pick(&devices)?
    } else {
        *random.pick(&values)?
    };
    let op = match (random.below(4), name.sort) {
        (0, _) => Op::Forget,
        (1, _) => Op::Drop,
        (_, Sort::Memory) => Op::Free,
        (_, Sort::Stream) => Op::DestroyStream,
        (_, Sort::Event) => Op::DestroyEvent,
        (_, Sort::Device) => Op::Reset,
        (_, Sort::Context) => Op::DestroyContext,
        (_, Sort::Comm) => Op::CommDestroy,
        (_, Sort::Binary) => Op::Unload,
        (_, Sort::Pool) if random.chance(50) => return destroy_pool(program, &at, index, name),
        _ => Op::Drop,
    };
    let step = Step::new(op, &[name], &[]);
    if name.sort == Sort::Device && random.chance(70) {
        program.steps.push(step);
    } else {
        program.block(&at)?.insert(index, step);
    }
    Some(())
}

/// Destroys a pool with a binding of the program.
fn destroy_pool(program: &mut Program, at: &[usize], index: usize, pool: Name) -> Option<()> {
    let binding = names(program)
        .into_iter()
        .find(|name| name.sort == Sort::Binding)?;
    let step = Step::new(Op::DestroyPool, &[binding, pool], &[]);
    program.block(at)?.insert(index, step);
    Some(())
}

/// Two operands of one step change places.
fn exchange(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let step = program.block(&at)?.get_mut(index)?;
    let sorts = step.op.operands();
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
    // A copy in the wrong direction that has the form of a right one: the destination is written memory, by `&mut`.
    if matches!(step.op, Op::Memcpy | Op::MemcpyAsync) && random.chance(70) {
        let fresh = *step.of.get(second)?;
        if let Some(written) = step.to.pop() {
            rename(&mut program.steps, written, fresh);
        }
    }
    Some(())
}

/// Whether a step has one value twice, which the compiler refuses for this reason alone.
fn names_twice(steps: &[Step]) -> bool {
    steps.iter().any(|step| {
        let is_pair = matches!(
            step.op,
            Op::Memcpy | Op::MemcpyAsync | Op::Handoff | Op::Swap | Op::And
        );
        let twice = step.of.iter().enumerate().any(|(index, name)| {
            let before = step.of.get(..index).unwrap_or_default();
            before.contains(name)
        });
        (is_pair && twice) || names_twice(&step.body)
    })
}

/// A step moves into a thread, a closure or a loop of its own.
fn wrap(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, index) = place(program, random)?;
    let op = *random.pick(&[Op::Spawn, Op::Spawn, Op::Closure, Op::Repeat, Op::Catch])?;
    let block = program.block(&at)?;
    let step = block.remove(index);
    let around = Step {
        op,
        of: Vec::new(),
        to: Vec::new(),
        body: vec![step],
    };
    block.insert(index, around);
    Some(())
}

/// Before a step, something happens to a value that the step needs.
fn strike(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, mut index) = place(program, random)?;
    if random.chance(50) {
        let is_late = |step: &Step| {
            matches!(
                step.op,
                Op::Run | Op::Launch | Op::Verify | Op::Accept | Op::Wait
            )
        };
        index = any_of(program.block(&at)?, random, is_late)?;
    }
    let given = givers(&program.steps);
    let mut needed = program.block(&at)?.get(index)?.of.clone();
    let mut next = 0;
    while let Some(name) = needed.get(next).copied() {
        let of = given.iter().find(|(result, ..)| *result == name);
        for name in of.map(|(.., of)| of.clone()).unwrap_or_default() {
            if !needed.contains(&name) {
                needed.push(name);
            }
        }
        next += 1;
    }
    // What a plan or a result that nothing has verified needs most.
    let aimed: (Vec<Name>, &[Op]) = match program.block(&at)?.get(index)? {
        step if matches!(step.op, Op::Verify | Op::Accept) => {
            (step.of.last().copied().into_iter().collect(), &[Op::Read])
        }
        step if matches!(step.op, Op::Run | Op::Launch) => {
            let plan = step.of.first().copied()?;
            let of = given.iter().find(|(result, ..)| *result == plan);
            let of = of.map(|(.., of)| of.clone()).unwrap_or_default();
            let memory = of.into_iter().filter(|name| name.sort == Sort::Memory);
            (memory.collect(), &[Op::Free, Op::Drop])
        }
        _ => (Vec::new(), &[]),
    };
    let is_aimed = !aimed.0.is_empty() && random.chance(70);
    let name = *random.pick(if is_aimed { &aimed.0 } else { &needed })?;
    let ops: &[Op] = match name.sort {
        _ if is_aimed => aimed.1,
        Sort::Memory => &[Op::Free, Op::Drop, Op::Read, Op::Write, Op::Forget],
        Sort::Stream => &[
            Op::DestroyStream,
            Op::Drop,
            Op::HostFunc,
            Op::Synchronize,
            Op::Abort,
        ],
        Sort::Event => &[Op::DestroyEvent, Op::Drop],
        Sort::Device => &[Op::Reset, Op::Drop],
        Sort::Context => &[Op::DestroyContext],
        Sort::Comm => &[Op::CommDestroy, Op::Drop],
        Sort::Binary => &[Op::Unload, Op::Drop, Op::Forget],
        Sort::Pool | Sort::Counter | Sort::Shared => &[Op::Drop, Op::Drop, Op::Forget],
        Sort::Rank | Sort::Root => return None,
        Sort::Acl if random.chance(10) => &[Op::Finalize],
        Sort::Acl | Sort::Hole => return None,
        _ => &[Op::Drop, Op::Forget],
    };
    let op = *random.pick(ops)?;
    let free = program.free_number();
    let make = |op: Op, of: &[Name]| Step::giving(op, of, free);
    let binding = needed.iter().find(|name| name.sort == Sort::Binding);
    let block = program.block(&at)?;
    match (op, binding) {
        // The host reads device memory by a copy.
        (Op::Read, Some(binding)) if is_on_device(&given, name) => {
            let host = make(Op::MallocHost, &[*binding]);
            let of = [&[*binding][..], &host.to, &[name]].concat();
            let copy = Step::new(Op::Memcpy, &of, &[]);
            block.splice(index..index, [host, copy]);
        }
        _ => block.insert(index, make(op, &[name])),
    }
    Some(())
}

/// An operation of a communicator gets another operand, or something happens to what it needs.
fn strike_comm(program: &mut Program, random: &mut Random) -> Option<()> {
    let all = names(program);
    let of_sort = |sort: Sort| all.iter().copied().filter(move |name| name.sort == sort);
    let free = program.free_number();
    let blocks = program.blocks();
    let mut places = Vec::new();
    for at in blocks {
        let steps = program.block(&at)?.iter().enumerate();
        let is_work = |op| {
            matches!(
                op,
                Op::Collective { .. } | Op::InPlace | Op::Broadcast | Op::Barrier
            )
        };
        places.extend(
            steps
                .filter(|(_, step)| is_work(step.op))
                .map(|(index, _)| (at.clone(), index)),
        );
    }
    if random.chance(20) {
        return comms::end_device(program, random);
    }
    let (at, index) = random.pick(&places)?.clone();
    let block = program.block(&at)?;
    let step = block.get_mut(index)?;
    let (comm, stream) = (*step.of.first()?, *step.of.get(1)?);
    let memory = step.of.iter_mut().filter(|name| name.sort == Sort::Memory);
    let mut memory: Vec<&mut Name> = memory.collect();
    match random.below(6) {
        0 | 1 => {
            let others: Vec<Name> = of_sort(Sort::Memory).collect();
            let chosen = random.below(memory.len());
            **memory.get_mut(chosen)? = *random.pick(&others)?;
        }
        2 => {
            let default = Name {
                sort: Sort::Stream,
                number: free,
            };
            let binding: Vec<Name> = of_sort(Sort::Binding).collect();
            let binding = *random.pick(&binding)?;
            rename(std::slice::from_mut(step), stream, default);
            block.insert(index, Step::new(Op::DefaultStream, &[binding], &[default]));
        }
        3 => {
            let ops = [Op::CommDestroy, Op::Drop, Op::Forget];
            let behind = index + random.below(2);
            block.insert(behind, Step::new(*random.pick(&ops)?, &[comm], &[]));
        }
        4 => {
            let name = **memory.first()?;
            let ops = [Op::Free, Op::Drop, Op::Read];
            let behind = index + random.below(2);
            block.insert(behind, Step::new(*random.pick(&ops)?, &[name], &[]));
        }
        _ => {
            let devices: Vec<Name> = of_sort(Sort::Device).collect();
            let device = *random.pick(&devices)?;
            program.steps.push(Step::new(Op::Reset, &[device], &[]));
        }
    }
    Some(())
}

/// For each name, the step that gives it.
fn givers(steps: &[Step]) -> Vec<Given> {
    let steps = with_inner(steps).into_iter();
    let given = |step: &Step| {
        let given = |name: &Name| (*name, step.op, step.of.clone());
        step.to.iter().map(given).collect::<Vec<_>>()
    };
    steps.flat_map(given).collect()
}

/// A name, with the kind and the operands of the step that gives it.
type Given = (Name, Op, Vec<Name>);

/// Whether memory was allocated on a device.
fn is_on_device(given: &[Given], mut name: Name) -> bool {
    for _ in 0..given.len() {
        let Some((_, op, of)) = given.iter().find(|(result, ..)| *result == name) else {
            return false;
        };
        if matches!(
            op,
            Op::Malloc | Op::MallocOn | Op::MallocFrom | Op::Run | Op::Launch
        ) {
            return true;
        }
        // The destination of a copy comes before its source.
        match of
            .iter()
            .find(|name| matches!(name.sort, Sort::Memory | Sort::Fence))
        {
            Some(before) => name = *before,
            None => return false,
        }
    }
    false
}

/// The step with other parameters.
fn vary_step(program: &mut Program, random: &mut Random) -> Option<()> {
    let (at, mut index) = place(program, random)?;
    let block = program.block(&at)?;
    if random.chance(60) {
        let is_event = |step: &Step| matches!(step.op, Op::CreateEvent(_));
        index = any_of(block, random, is_event)?;
    }
    let step = block.get_mut(index)?;
    step.op = vary(step.op, random);
    Some(())
}
