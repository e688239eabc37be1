//! Smaller programs with the same outcome.

use crate::compile::Workshop;
use crate::judge::{Judgement, judge_all};
use crate::program::Program;
use crate::smaller::candidates;

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
