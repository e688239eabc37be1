//! The compiler's offers for random programs: what it says would make a refused program compile.
//!
//! Each offer is applied alone. What compiles then runs under the checker, and must not have a finding: who follows
//! the compiler's advice must not get from one mistake to another one.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::compile::Workshop;
use crate::model::judge;
use crate::options::{COUNT, Options, SEED, programs};
use crate::print::print;
use crate::program::Program;
use crate::run::{End, LEAK, on_all_processors, run, settings};

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
        changed.extend(offers.filter_map(|edits| apply(text, edits)));
    }
    let changed: Vec<String> = changed.into_iter().collect();
    let all: Vec<usize> = (0..changed.len()).collect();
    let refused = workshop.build(&changed, &all)?;
    let accepted = all.iter().filter(|number| !refused.contains_key(number));
    let tasks: Vec<_> = accepted
        .flat_map(|number| {
            settings(*number as u64, 0)
                .into_iter()
                .map(|setting| (*number, setting))
        })
        .collect();
    let executable = workshop.program();
    let ends = on_all_processors(&tasks, |(number, setting)| {
        run(&executable, *number, setting)
    });
    let mut wrong = BTreeSet::new();
    for ((number, setting), end) in tasks.iter().zip(ends) {
        let text = changed.get(*number).map_or("", String::as_str);
        let has_faults = !setting.faults.is_empty();
        let said = match end {
            End::Done | End::Error(_) => continue,
            End::Known(kinds, said) => {
                let leaks = has_faults || text.contains("mem::forget(");
                let goes_on = text.contains(".drain()") || text.contains(".accept_unverified()");
                let is_allowed = |kind: &&str| {
                    if *kind == LEAK {
                        leaks
                    } else {
                        has_faults && goes_on
                    }
                };
                if kinds.iter().all(is_allowed) {
                    continue;
                }
                said
            }
            End::Wrong(said) => said,
        };
        if wrong.insert(*number) {
            say(&format!(
                "after an offer of the compiler: {setting:?}\n{said}\n{text}\n"
            ));
        }
    }
    say(&format!(
        "{} random programs are refused; {} changes are offered, {} of them compile, {} runs under the checker\n",
        texts.len(),
        changed.len(),
        changed.len() - refused.len(),
        tasks.len()
    ));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} programs are wrong after an offer of the compiler",
        wrong.len()
    ))
}

/// The text after the edits of an offer, which do not overlap.
fn apply(text: &str, edits: &[(Range<usize>, String)]) -> Option<String> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::new();
    let mut at = 0;
    for (range, new) in edits {
        result.push_str(text.get(at..range.start)?);
        result.push_str(&new);
        at = range.end;
    }
    result.push_str(text.get(at..)?);
    (result != text).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn edits_apply_in_any_order() {
        let edits = [(4..5, "d".to_owned()), (0..1, String::new())];
        assert_eq!(apply("a b c", &edits), Some(" b d".into()));
        assert_eq!(apply("a b c", &[(0..1, "a".into())]), None);
        assert_eq!(apply("a", &[(5..6, String::new())]), None);
    }
}
