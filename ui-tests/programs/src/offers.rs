//! The compiler's offers for random programs: what it says would make a refused program compile.
//!
//! Each offer is applied alone. What compiles then runs under the checker, and must not have a finding: who follows
//! the compiler's advice must not get from one mistake to another one.

use std::collections::BTreeSet;

use crate::compile::Workshop;
use crate::model::judge;
use crate::options::{COUNT, Options, SEED, programs};
use crate::print::{self, print};
use crate::program::Program;
use crate::run::{End, LEAK, RANK_TIMEOUT, RANKS, Setting, on_all_processors, run, settings};
use crate::said::apply;

/// Tries the offers for the programs of continuous integration that are refused.
pub(crate) fn try_all(options: &Options, say: &dyn Fn(&str)) -> Result<(), String> {
    let workshop = Workshop {
        folder: options.target.join("offers"),
        ..options.workshop()
    };
    let made = programs(SEED, 0..COUNT);
    let is_doubtful = |program: &&Program| !judge(program).is_clean();
    let texts: Vec<String> = made.iter().filter(is_doubtful).map(print).collect();
    let all: Vec<usize> = (0..texts.len()).collect();
    let mut changed = BTreeSet::new();
    for (number, refusals) in workshop.check(&texts, &all)? {
        let text = texts.get(number).map_or("", String::as_str);
        let offers = refusals.iter().flat_map(|refusal| &refusal.offers);
        changed.extend(offers.filter_map(|offer| apply(text, &offer.edits)));
    }
    let changed: Vec<String> = changed.into_iter().collect();
    let all: Vec<usize> = (0..changed.len()).collect();
    let refused = workshop.build(&changed, &all)?;
    let accepted: Vec<usize> = all
        .into_iter()
        .filter(|number| !refused.contains_key(number))
        .collect();
    let (runs, wrong) = wrong_runs(&workshop, &changed, &accepted, false);
    for run in &wrong {
        let text = changed.get(run.number).map_or("", String::as_str);
        say(&format!(
            "after an offer of the compiler: {}\n{text}\n",
            run.said
        ));
    }
    say(&format!(
        "{} random programs are refused; {} changes are offered, {} of them compile, {} runs under the checker\n",
        texts.len(),
        changed.len(),
        accepted.len(),
        runs
    ));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} programs are wrong after an offer of the compiler",
        wrong.len()
    ))
}

/// A program that is wrong, with what its first wrong run has said.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongRun {
    /// The number of the program.
    pub number: usize,
    /// How it ran, and what it said.
    pub said: String,
}

/// Builds programs, and runs each of them under the checker, in several orders and with faults. Each text has a
/// function `program`, which gets an `Acl`. Returns the number of runs, and the programs with a run that is wrong: a
/// finding, a crash, a hang, or an error without a fault.
pub(crate) fn run_all(
    options: &Options,
    texts: &[String],
) -> Result<(usize, Vec<WrongRun>), String> {
    let workshop = Workshop {
        folder: options.target.join("suggested"),
        ..options.workshop()
    };
    if let Some((number, refusals)) = workshop.build(texts, &[])?.pop_first() {
        let messages: Vec<_> = refusals
            .iter()
            .map(|refusal| format!("{} in line {}", refusal.message, refusal.line))
            .collect();
        let text = texts.get(number).map_or("", String::as_str);
        return Err(format!(
            "this program does not compile: {}\n{text}",
            messages.join("; ")
        ));
    }
    let all: Vec<usize> = (0..texts.len()).collect();
    Ok(wrong_runs(&workshop, texts, &all, true))
}

/// Runs the programs with these numbers. Returns the number of runs, and the programs that are wrong. `must_succeed` is
/// for programs that return no error without a fault.
fn wrong_runs(
    workshop: &Workshop,
    texts: &[String],
    numbers: &[usize],
    must_succeed: bool,
) -> (usize, Vec<WrongRun>) {
    let tasks: Vec<(usize, Setting)> = numbers
        .iter()
        .flat_map(|number| {
            let settings = settings(*number as u64, 0).into_iter();
            settings.map(|mut setting| {
                let can_fail = !setting.faults.is_empty() || !must_succeed;
                setting.rank_timeout = can_fail.then_some(RANK_TIMEOUT);
                let text = texts.get(*number);
                setting.has_counters =
                    text.is_some_and(|text| text.contains(".create_cnt_notify("));
                (*number, setting)
            })
        })
        .collect();
    let ends = on_all_processors(&tasks, |(number, setting)| {
        run(&workshop.executable(*number), *number, setting)
    });
    let mut wrong: Vec<WrongRun> = Vec::new();
    for ((number, setting), end) in tasks.iter().zip(ends) {
        let text = texts.get(*number).map_or("", String::as_str);
        let said = what_is_wrong(text, setting, end, must_succeed);
        if let Some(said) = said
            && wrong.iter().all(|run| run.number != *number)
        {
            wrong.push(WrongRun {
                number: *number,
                said: format!("{setting:?}\n{said}"),
            });
        }
    }
    (tasks.len(), wrong)
}

/// What a run has said, if it is wrong.
fn what_is_wrong(text: &str, setting: &Setting, end: End, must_succeed: bool) -> Option<String> {
    let has_faults = !setting.faults.is_empty();
    match end {
        End::Done => None,
        End::Error(said) => (must_succeed && !has_faults).then_some(said),
        End::Known(kinds, said) => {
            let forgets = ["mem::forget(", "ManuallyDrop::new("];
            let leaks = has_faults || forgets.iter().any(|word| text.contains(word));
            let learns = [
                ".drain()",
                ".abort()",
                ".accept_unverified()",
                "let _ = ",
                "block_on(",
            ];
            let goes_on = learns.iter().any(|word| text.contains(word));
            // One that fails, or that is refused for another mistake, leaves the others alone.
            let has_ranks = text.contains(print::RANKS);
            let is_allowed = |kind: &&str| {
                if RANKS.contains(kind) {
                    has_ranks && (has_faults || !must_succeed)
                } else if *kind == LEAK {
                    leaks
                } else {
                    has_faults && goes_on
                }
            };
            (!kinds.iter().all(is_allowed)).then_some(said)
        }
        End::Wrong(said) | End::GaveUp(said) => Some(said),
    }
}

#[cfg(test)]
mod tests {
    use super::what_is_wrong;
    use crate::print;
    use crate::run::{End, FAILED, LEAK, RANKS, settings};

    #[test]
    fn findings_errors_and_leaks_are_wrong_where_nothing_explains_them() {
        let all = settings(0, 0);
        let with = |faults: bool| all.iter().find(|run| run.faults.is_empty() != faults);
        let (Some(plain), Some(faulty)) = (with(false), with(true)) else {
            unreachable!("there are runs with faults and without");
        };
        let error = || End::Error("no memory".into());
        let leak = || End::Known(vec![LEAK], "leak".into());
        let failed = || End::Known(vec![FAILED], "failed".into());
        assert_eq!(what_is_wrong("", plain, End::Done, true), None);
        assert_eq!(what_is_wrong("", plain, error(), false), None);
        assert_eq!(what_is_wrong("", faulty, error(), true), None);
        assert!(what_is_wrong("", plain, error(), true).is_some());
        assert!(what_is_wrong("", plain, leak(), false).is_some());
        assert_eq!(what_is_wrong("", faulty, leak(), true), None);
        assert_eq!(what_is_wrong("mem::forget(a)", plain, leak(), true), None);
        assert!(what_is_wrong("", faulty, failed(), false).is_some());
        assert_eq!(what_is_wrong("a.drain()", faulty, failed(), false), None);
        assert!(what_is_wrong("", faulty, End::Wrong("crash".into()), false).is_some());
        let alone = || End::Known(vec![RANKS[0]], "rank".into());
        assert!(what_is_wrong("", faulty, alone(), true).is_some());
        assert_eq!(what_is_wrong(print::RANKS, faulty, alone(), true), None);
        assert!(what_is_wrong(print::RANKS, plain, alone(), true).is_some());
    }
}
