//! The figures of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::judge::{Judgement, Outcome};
use crate::model::{Rule, Strictness};
use crate::program::{Program, Step};

/// Counts of outcomes, of rules and of kinds of steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    outcomes: BTreeMap<Outcome, usize>,
    /// For each rule: refused by the compiler, by a check at run time.
    rules: BTreeMap<Rule, (usize, usize)>,
    losses: BTreeMap<Strictness, usize>,
    kinds: BTreeMap<String, usize>,
    runs: usize,
    failing: usize,
}

impl Table {
    /// Counts a program.
    pub(crate) fn add(&mut self, program: &Program, judgement: &Judgement) {
        *self.outcomes.entry(judgement.outcome()).or_default() += 1;
        self.runs += judgement.runs;
        self.failing += judgement.failing;
        if let Some(rule) = judgement.verdict.broken {
            let (refused, late) = self.rules.entry(rule).or_default();
            match judgement.outcome() {
                Outcome::Refused => *refused += 1,
                _ => *late += 1,
            }
        }
        if judgement.outcome() == Outcome::Loss {
            for strictness in &judgement.verdict.strict {
                *self.losses.entry(*strictness).or_default() += 1;
            }
        }
        self.count_kinds(&program.steps);
    }

    fn count_kinds(&mut self, steps: &[Step]) {
        for step in steps {
            *self.kinds.entry(step.op.kind()).or_default() += 1;
            self.count_kinds(&step.body);
        }
    }

    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(&outcome).copied().unwrap_or(0)
    }

    /// The table in words.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a String cannot fail.
        let mut line = |count: usize, words: &str| {
            let _ = writeln!(text, "{count:>7}  {words}");
        };
        line(self.outcomes.values().sum(), "programs");
        line(self.runs, "runs under the checker");
        line(
            self.failing,
            "of them on devices that hang, are lost or abort late",
        );
        line(self.kinds.len(), "kinds of steps");
        line(self.count(Outcome::Accepted), "legal and accepted");
        line(
            self.count(Outcome::Refused),
            "illegal and refused by the compiler",
        );
        line(
            self.count(Outcome::RefusedAtRunTime),
            "illegal in a way that only the run shows, and refused there",
        );
        line(
            self.count(Outcome::Hole),
            "holes: illegal and accepted, or wrong under the checker",
        );
        line(self.count(Outcome::Loss), "losses: legal and refused");
        line(
            self.count(Outcome::UnexplainedLoss),
            "losses without an explanation",
        );
        line(
            self.losses.len(),
            "classes of losses (a program can be in several)",
        );
        let mut losses: Vec<_> = self.losses.iter().collect();
        losses.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (strictness, count) in losses {
            line(*count, &format!("  {strictness:?}"));
        }
        line(
            self.rules.len(),
            "rules that were broken (refused by the compiler, at run time)",
        );
        for (rule, (refused, late)) in &self.rules {
            line(
                refused + late,
                &format!("  {refused}, {late}: {}", rule.text()),
            );
        }
        text
    }
}
