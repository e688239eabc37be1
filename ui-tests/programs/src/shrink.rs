//! Smaller programs with the same outcome.

use crate::compile::Workshop;
use crate::judge::{Judgement, judge_all};
use crate::program::{Program, Step};

/// Leaves steps out while the outcome stays the same.
pub(crate) fn shrink(
    workshop: &Workshop,
    program: &Program,
    found: &Judgement,
    seed: u64,
) -> Result<(Program, Judgement), String> {
    let (mut best, mut judgement) = (program.clone(), found.clone());
    // Each round compiles all candidates at once.
    for _ in 0..12 {
        let mut candidates = candidates(&best);
        candidates.sort_by_key(Program::len);
        let judgements = judge_all(workshop, &candidates, seed)?;
        let same = candidates
            .into_iter()
            .zip(judgements)
            .find(|(_, other)| is_same(other, &judgement));
        let Some((smaller, other)) = same else {
            break;
        };
        (best, judgement) = (smaller, other);
    }
    Ok((best, judgement))
}

/// The same outcome for the same reason.
fn is_same(one: &Judgement, other: &Judgement) -> bool {
    let codes = |judgement: &Judgement| {
        judgement
            .refusals
            .iter()
            .map(|refusal| refusal.code.clone())
            .next()
    };
    one.outcome() == other.outcome()
        && one.verdict.broken == other.verdict.broken
        && codes(one) == codes(other)
        && one.wrong.is_empty() == other.wrong.is_empty()
}

/// The programs without one step and the steps that need it, and those without one block around its steps.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found: Vec<Program> = Vec::new();
    for at in program.blocks() {
        let mut copy = program.clone();
        let len = copy.block(&at).map_or(0, |block| block.len());
        for index in 0..len {
            let mut without = program.clone();
            if let Some(block) = without.block(&at) {
                block.remove(index);
                remove_dangling(&mut without);
                found.push(without);
            }
            let mut unwrapped = program.clone();
            if let Some(block) = unwrapped.block(&at) {
                let step = block.remove(index);
                if step.op.is_block() && step.to.is_empty() {
                    block.splice(index..index, step.body);
                    found.push(unwrapped);
                }
            }
            // All behind the step.
            let mut cut = program.clone();
            if let Some(block) = cut.block(&at) {
                block.truncate(index + 1);
                remove_dangling(&mut cut);
                found.push(cut);
            }
        }
    }
    found.retain(|candidate| candidate.len() < program.len() && candidate.is_resolved());
    found.dedup();
    found
}

/// Removes steps whose operands are not given any more.
fn remove_dangling(program: &mut Program) {
    fn visit(steps: &mut Vec<Step>, visible: &mut Vec<crate::program::Name>) {
        let outside = visible.len();
        steps.retain_mut(|step| {
            if !step.of.iter().all(|name| visible.contains(name)) {
                return false;
            }
            let before = visible.len();
            visible.extend(&step.to);
            if step.op.is_block() {
                visit(&mut step.body, visible);
                visible.truncate(before);
            }
            true
        });
        visible.truncate(outside);
    }
    visit(&mut program.steps, &mut vec![crate::program::ACL]);
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use crate::options::{SEED, programs};

    #[test]
    fn candidates_are_smaller_programs() {
        for program in programs(SEED, 0..6) {
            let candidates = candidates(&program);
            assert!(!candidates.is_empty());
            assert!(
                candidates
                    .iter()
                    .all(|other| other.len() < program.len() && other.is_resolved())
            );
        }
    }
}
