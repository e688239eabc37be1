//! Checks that the names in the lists exist, and that the lists name every case.

use std::collections::{BTreeMap, BTreeSet};

use ui_tests::case::Case;
use ui_tests::twin;

use super::ledger::{self, Row, Status};
use super::list::Mistake;
use super::promises::{self, Promise};
use crate::tests_in::{has_test, place};

/// Reads a file, seen from the root.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The entries of both lists.
pub(super) struct Lists<'a> {
    pub(super) rules: &'a [Row],
    pub(super) promises: &'a [Promise],
}

/// The mistakes of the lists, and the cases that are in neither.
pub(super) fn mistakes(lists: &Lists<'_>, cases: &[Case], read: Read<'_>) -> Vec<Mistake> {
    let mut mistakes = duplicates(lists.rules, |row| (&row.id, row.line), Row::mistake);
    let of_promises = duplicates(lists.promises, |p| (&p.id, p.line), Promise::mistake);
    mistakes.extend(of_promises);
    for row in lists.rules {
        mistakes.extend(proof(row, cases, read));
    }
    for promise in lists.promises {
        mistakes.extend(kept(promise, cases));
    }
    mistakes.extend(unnamed(lists, cases));
    mistakes
}

/// Finds cases without a reason in either list.
fn unnamed(lists: &Lists<'_>, cases: &[Case]) -> Vec<Mistake> {
    let (of_rules, of_promises) = (of_rules(lists.rules), of_promises(lists.promises));
    let names = cases.iter().map(Case::id);
    let missing = names.filter(|n| !of_rules.contains(n) && !of_promises.contains(n));
    let mistake = |name| {
        let what = format!(
            "no rule and no promise names `{name}`: enter it in {} or in {}",
            ledger::FILE,
            promises::FILE
        );
        Mistake::new(format!("ui-tests/cases/{name}.rs"), 1, what)
    };
    missing.map(mistake).collect()
}

/// The cases that rules name.
pub(super) fn of_rules(rules: &[Row]) -> BTreeSet<String> {
    let rejected = rules.iter().filter(|row| row.status == Status::Rejected);
    rejected.flat_map(|row| row.cases.clone()).collect()
}

/// The cases that promises name.
pub(super) fn of_promises(promises: &[Promise]) -> BTreeSet<String> {
    promises.iter().flat_map(|p| p.cases.clone()).collect()
}

fn duplicates<T>(
    entries: &[T],
    place: fn(&T) -> (&str, usize),
    mistake: fn(&T, &str) -> Mistake,
) -> Vec<Mistake> {
    let mut first = BTreeMap::new();
    let mut mistakes = Vec::new();
    for entry in entries {
        let (id, line) = place(entry);
        let before = *first.entry(id).or_insert(line);
        if before != line {
            let what = format!("stands in line {before} too: keep one of the two");
            mistakes.push(mistake(entry, &what));
        }
    }
    mistakes
}

/// The fields that the status of a row requires and the row lacks.
fn proof(row: &Row, cases: &[Case], read: Read<'_>) -> Vec<Mistake> {
    match row.status {
        Status::Rejected => named(row, "case", |name| case_problem(name, cases)),
        Status::Permitted | Status::Runtime => named(row, "test", |path| test_problem(path, read)),
        Status::Unwritable | Status::Contract | Status::Open => reasoned(row),
    }
}

/// The fields that a promise requires and lacks.
fn kept(promise: &Promise, cases: &[Case]) -> Vec<Mistake> {
    let mut missing = Vec::new();
    for (field, text) in [
        ("promise", &promise.promise),
        ("otherwise", &promise.otherwise),
    ] {
        if text.trim().is_empty() {
            missing.push(format!("has no text: write it in `{field}`"));
        }
    }
    if promise.cases.is_empty() {
        missing.push("names no case: name one in `cases`".into());
    }
    let problems = promise.cases.iter();
    missing.extend(problems.filter_map(|name| case_problem(name, cases)));
    missing.iter().map(|what| promise.mistake(what)).collect()
}

/// Looks up each name in `cases`. At least one is necessary.
fn named(row: &Row, kind: &str, problem: impl Fn(&str) -> Option<String>) -> Vec<Mistake> {
    if row.cases.is_empty() {
        let status = row.status.name();
        let what = format!("is `{status}` and names no {kind}: name one in `cases`");
        return vec![row.mistake(&what)];
    }
    let problems = row.cases.iter().filter_map(|name| problem(name));
    problems.map(|what| row.mistake(&what)).collect()
}

fn reasoned(row: &Row) -> Vec<Mistake> {
    let status = row.status.name();
    let mut mistakes = Vec::new();
    if row.reason.trim().is_empty() {
        let what = format!("is `{status}` without a reason: say why in `reason`");
        mistakes.push(row.mistake(&what));
    }
    // No check would look them up.
    if !row.cases.is_empty() {
        let what = format!("is `{status}` and names cases: move them to `reason`");
        mistakes.push(row.mistake(&what));
    }
    mistakes
}

fn case_problem(wanted: &str, cases: &[Case]) -> Option<String> {
    let Some(case) = cases.iter().find(|case| case.id() == wanted) else {
        return Some(format!(
            "there is no ui-tests/cases/{wanted}.rs: correct the name, or write the case"
        ));
    };
    if twin::twin(&case.text).is_err() {
        return Some(format!(
            "`{wanted}` has no twin: mark its lines, see ui-tests/README.md"
        ));
    }
    case.message.is_none().then(|| {
        format!(
            "`{wanted}` has no .stderr: write it with `cargo xtask ui --bless {wanted}`, then read it"
        )
    })
}

fn test_problem(path: &str, read: Read<'_>) -> Option<String> {
    let Some((file, function)) = place(path) else {
        return Some(format!(
            "`{path}` is no path of a test: write `it::<file>::<function>`, or `sys` or `emulator` \
             instead of `it`"
        ));
    };
    if read(&file).is_some_and(|text| has_test(&text, function)) {
        return None;
    }
    Some(format!(
        "{file} has no test `{function}`: correct the name, or write the test"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Lists, mistakes};
    use crate::rules::{ledger, promises};
    use ui_tests::case::Case;

    const TEXT: &str = "//! Resets twice.\nfn main() {\n    reset(); //~ mistake\n}\n";

    fn case(name: &str, text: &str, message: Option<&str>) -> Case {
        Case {
            area: "device".into(),
            name: name.into(),
            text: text.into(),
            message: message.map(String::from),
        }
    }

    fn cases() -> Vec<Case> {
        vec![
            case("reset_twice", TEXT, Some("error\n")),
            case("unmarked", "//! Resets.\nfn main() {}\n", Some("error\n")),
            case("silent", TEXT, None),
        ]
    }

    fn read(path: &str) -> Option<String> {
        let text = "isolated! {\n    fn dropping_resets() {\n    }\n}\n";
        (path == "tests/it/device.rs").then(|| text.into())
    }

    /// The mistakes in a file, with these lines in the two lists.
    fn found(file: &str, of_rules: &str, of_promises: &str) -> Vec<String> {
        let (rules, damaged) = ledger::sample(of_rules);
        assert_eq!(damaged, Vec::<String>::new(), "{of_rules}");
        let lists = Lists {
            rules: &rules,
            promises: &promises::sample(of_promises),
        };
        let found = mistakes(&lists, &cases(), &read);
        let lines = found.iter().map(ToString::to_string);
        lines.filter(|line| line.starts_with(file)).collect()
    }

    const GOOD_RULE: &str = "D04,Device,T,1,,A rule,rejected,device/reset_twice,\n";
    const GOOD_PROMISE: &str = "P-once,Device,Resets once,freed twice,device/reset_twice\n";

    /// What is wrong with a row of rules that has these last three fields.
    const RULES: &str = "\
rejected,device/reset_twice, |
rejected,device/reset_twice,with a note |
permitted,it::device::dropping_resets, |
runtime,it::device::dropping_resets, |
unwritable,,nothing says it |
contract,,documented |
open,,not built |
rejected,, | is `rejected` and names no case: name one in `cases`
rejected,device/gone, | there is no ui-tests/cases/device/gone.rs: correct the name, or write the case
rejected,device/reset_twice;device/unmarked, | `device/unmarked` has no twin: mark its lines, see ui-tests/README.md
rejected,device/silent, | `device/silent` has no .stderr: write it with `cargo xtask ui --bless device/silent`, then read it
permitted,, | is `permitted` and names no test: name one in `cases`
runtime,, | is `runtime` and names no test: name one in `cases`
permitted,it::device::gone, | tests/it/device.rs has no test `gone`: correct the name, or write the test
runtime,it::gone::dropping_resets, | tests/it/gone.rs has no test `dropping_resets`: correct the name, or write the test
permitted,dropping_resets, | `dropping_resets` is no path of a test: write `it::<file>::<function>`, or `sys` or `emulator` instead of `it`
unwritable,, | is `unwritable` without a reason: say why in `reason`
contract,, | is `contract` without a reason: say why in `reason`
open,device/reset_twice,why | is `open` and names cases: move them to `reason`";

    /// What is wrong with a promise that has these last three fields.
    const PROMISES: &str = "\
Resets once,freed twice,device/reset_twice |
,freed twice,device/reset_twice | has no text: write it in `promise`
Resets once, ,device/reset_twice | has no text: write it in `otherwise`
Resets once,freed twice, | names no case: name one in `cases`
Resets once,freed twice,device/gone | there is no ui-tests/cases/device/gone.rs: correct the name, or write the case
Resets once,freed twice,device/reset_twice;device/unmarked | `device/unmarked` has no twin: mark its lines, see ui-tests/README.md";

    /// The fields and the mistakes in a list of these.
    fn pairs(list: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
        list.lines().filter_map(|line| {
            let (fields, mistake) = line.split_once(" |")?;
            let mistakes = Some(mistake.trim_start()).filter(|mistake| !mistake.is_empty());
            Some((fields, mistakes.into_iter().collect()))
        })
    }

    #[test]
    fn each_status_and_each_promise_asks_for_its_fields() {
        for (fields, expected) in pairs(RULES) {
            let found = found(
                "ui-tests/rules.csv",
                &format!("D04,Device,T,1,,A rule,{fields}\n"),
                "",
            );
            let place = |what| format!("ui-tests/rules.csv:2: D04: {what}");
            let expected: Vec<String> = expected.into_iter().map(place).collect();
            assert_eq!(found, expected, "{fields}");
        }
        for (fields, expected) in pairs(PROMISES) {
            let found = found(
                "ui-tests/promises.csv",
                "",
                &format!("P-once,Device,{fields}\n"),
            );
            let place = |what| format!("ui-tests/promises.csv:2: P-once: {what}");
            let expected: Vec<String> = expected.into_iter().map(place).collect();
            assert_eq!(found, expected, "{fields}");
        }
    }

    #[test]
    fn an_id_stands_once() {
        assert_eq!(
            found("ui-tests/rules.csv", &GOOD_RULE.repeat(2), ""),
            ["ui-tests/rules.csv:3: D04: stands in line 2 too: keep one of the two"]
        );
        assert_eq!(
            found("ui-tests/promises.csv", "", &GOOD_PROMISE.repeat(2)),
            ["ui-tests/promises.csv:3: P-once: stands in line 2 too: keep one of the two"]
        );
    }

    #[test]
    fn every_case_is_named() {
        let without_reset = |rules: &str, promises: &str| {
            let file = "ui-tests/cases/device/reset_twice.rs";
            found(file, rules, promises)
        };
        assert_eq!(without_reset(GOOD_RULE, ""), [""; 0]);
        assert_eq!(without_reset("", GOOD_PROMISE), [""; 0]);
        let expected = "ui-tests/cases/device/reset_twice.rs:1: no rule and no promise names \
                        `device/reset_twice`: enter it in ui-tests/rules.csv or in \
                        ui-tests/promises.csv";
        assert_eq!(without_reset("", ""), [expected]);
        // Only a rejection is proven by cases.
        let permitted = GOOD_RULE.replace("rejected", "permitted");
        assert_eq!(without_reset(&permitted, ""), [expected]);
    }
}
