//! The judgement of a batch of programs: model, compiler, and runs under the checker.

use crate::compile::Workshop;
use crate::faults;
use crate::model::{Rule, Verdict, judge};
use crate::print::print;
use crate::program::{Op, Program, Step};
use crate::run::{
    COUNTS, End, FAILED, LEAK, RANK_TIMEOUT, Setting, of_processes, on_all_processors, run,
    settings,
};
use crate::said::Refusal;

/// What was found about a program.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    /// The errors of the compiler; empty if it accepts the program.
    pub(crate) refusals: Vec<Refusal>,
    /// The runs that went wrong, or that returned an error without a reason.
    pub(crate) wrong: Vec<(Setting, String)>,
    /// The number of runs, and of those on devices that hang or are lost.
    pub(crate) runs: usize,
    pub(crate) failing: usize,
}

/// The four outcomes, and a run that contradicts the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Accepted,
    Refused,
    /// Illegal, accepted, and refused by a check at run time.
    RefusedAtRunTime,
    /// Illegal and accepted, or a finding of the checker.
    Hole,
    /// Legal and refused, for a reason that is known.
    Loss,
    /// Legal and refused, without a reason.
    UnexplainedLoss,
}

impl Judgement {
    pub(crate) fn outcome(&self) -> Outcome {
        if !self.wrong.is_empty() {
            return Outcome::Hole;
        }
        match (self.verdict.broken, self.refusals.is_empty()) {
            (None, true) => Outcome::Accepted,
            (None, false) if self.verdict.strict.is_empty() => Outcome::UnexplainedLoss,
            (None, false) => Outcome::Loss,
            (Some(_), false) => Outcome::Refused,
            (Some(rule), true) if rule.is_found_at_run_time() => Outcome::RefusedAtRunTime,
            (Some(_), true) => Outcome::Hole,
        }
    }
}

/// Judges programs.
pub(crate) fn judge_all(
    workshop: &Workshop,
    programs: &[Program],
    seed: u64,
) -> Result<Vec<Judgement>, String> {
    let texts: Vec<String> = programs.iter().map(print).collect();
    let verdicts: Vec<Verdict> = programs.iter().map(judge).collect();
    let doubtful = verdicts.iter().enumerate();
    let doubtful: Vec<usize> = doubtful
        .filter(|(_, verdict)| !verdict.is_clean())
        .map(|(number, _)| number)
        .collect();
    let mut refused = workshop.build(&texts, &doubtful)?;
    let mut tasks = Vec::new();
    let mut judgements = Vec::new();
    for ((number, program), verdict) in programs.iter().enumerate().zip(verdicts) {
        let refusals = refused.remove(&number).unwrap_or_default();
        if refusals.is_empty() && !verdict.broken.is_some_and(Rule::hangs) {
            let seed = seed.wrapping_add(number as u64);
            let mut all = settings(seed, stops(&program.steps));
            let is_of_ranks = verdict.broken.is_none_or(|rule| {
                matches!(rule, Rule::RanksDiffer | Rule::RankMissing | Rule::Length)
            });
            if is_of_ranks && program.ranks_are_processes() {
                all.push(of_processes(seed));
            }
            if verdict.broken.is_none() && verdict.bounded && program.has_kind("Limit") {
                all.extend(faults::settings(seed));
            }
            for setting in &mut all {
                setting.has_counters = program.has_kind("CreateCounter");
                let is_whole = setting.faults.is_empty() && setting.stops.is_none();
                // A rank that ends early lets the others wait.
                if program.has_ranks() && (!is_whole || verdict.broken.is_some()) {
                    setting.rank_timeout = Some(RANK_TIMEOUT);
                }
            }
            tasks.extend(all.into_iter().map(|setting| (number, setting)));
        }
        judgements.push(Judgement {
            verdict,
            refusals,
            wrong: Vec::new(),
            runs: 0,
            failing: 0,
        });
    }
    let ends = on_all_processors(&tasks, |(number, setting)| {
        run(&workshop.executable(*number), *number, setting)
    });
    for ((number, setting), end) in tasks.into_iter().zip(ends) {
        let Some(judgement) = judgements.get_mut(number) else {
            continue;
        };
        judgement.runs += 1;
        judgement.failing += usize::from(setting.limit.is_some());
        let broken = judgement.verdict.broken;
        let strict = &judgement.verdict.strict;
        let refused = broken.is_some_and(|rule| rule.is_found_at_run_time())
            || strict.iter().any(|strict| strict.is_found_at_run_time());
        let has_ranks = programs.get(number).is_some_and(Program::has_ranks);
        let is_whole = setting.faults.is_empty() && setting.stops.is_none();
        match end {
            End::Done
                if is_whole
                    && broken.is_some_and(|rule| rule.has_to_show())
                    && !programs.get(number).is_some_and(hides) =>
            {
                let said = String::from("neither a call nor the checker tells of the mistake");
                judgement.wrong.push((setting, said));
            }
            // An early stop is before the mistake, perhaps.
            End::Done => {}
            // The other ranks miss the one that stops.
            End::Error(_) if has_ranks && setting.stops.is_some() => {}
            End::Error(said) if setting.faults.is_empty() && !refused => {
                judgement.wrong.push((setting, said));
            }
            End::Error(_) => {}
            End::GaveUp(_)
                if setting.limit.is_some() && programs.get(number).is_some_and(borrows) => {}
            End::Known(kinds, said) => {
                // A rank fails too if another one does not do its part.
                let can_fail = !setting.faults.is_empty() || has_ranks && (refused || !is_whole);
                let is_allowed = |kind: &&str| match *kind {
                    // A refused release and `mem::forget` leak. Nothing else does.
                    LEAK if setting.limit.is_some() => {
                        said.contains(COUNTS) || programs.get(number).is_some_and(forgets)
                    }
                    LEAK => can_fail || programs.get(number).is_some_and(forgets),
                    // The program goes on after a failure, which the types say, or which no call has returned yet.
                    FAILED => can_fail && programs.get(number).is_some_and(goes_on),
                    // Ranks.
                    _ => has_ranks && can_fail,
                };
                if !kinds.iter().all(is_allowed) {
                    judgement.wrong.push((setting, said));
                }
            }
            End::Wrong(said) | End::GaveUp(said) => judgement.wrong.push((setting, said)),
        }
    }
    Ok(judgements)
}

/// Whether a step of the program is of a kind.
fn has(steps: &[Step], kind: fn(Op) -> bool) -> bool {
    steps
        .iter()
        .any(|step| kind(step.op) || has(&step.body, kind))
}

fn forgets(program: &Program) -> bool {
    has(&program.steps, |op| op == Op::Forget)
}

/// Whether a program lends memory, which has to come back, or the process ends.
fn borrows(program: &Program) -> bool {
    has(&program.steps, |op| {
        matches!(op, Op::Scope | Op::Run | Op::RunAgain { .. })
    })
}

/// Whether a program may keep a failure of a rank to itself: it waits for nothing, or catches errors.
fn hides(program: &Program) -> bool {
    has(&program.steps, |op| matches!(op, Op::Forget | Op::Catch))
}

/// Whether a program can learn that work is over without its failure, or ignores it. An event completes behind a task that has failed,
/// and the stream runs later work with the memory in its queue. No wait verifies the results of that work.
fn goes_on(program: &Program) -> bool {
    let learns = |op| {
        matches!(
            op,
            Op::Drain
                | Op::TryWithin
                | Op::Abort
                | Op::Accept
                | Op::AwaitCompleted
                | Op::TryCompleted
                | Op::SynchronizeFence
                | Op::SynchronizeFenceWithin
                | Op::SynchronizePoint
                | Op::SynchronizeShared
        )
    };
    has(&program.steps, learns)
}

/// The number of places where a program may stop.
fn stops(steps: &[Step]) -> usize {
    let own = steps
        .iter()
        .filter(|step| matches!(step.op, Op::Return | Op::Fail))
        .count();
    own + steps.iter().map(|step| stops(&step.body)).sum::<usize>()
}
