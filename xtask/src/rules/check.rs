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
    let names = cases.iter().map(name);
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
    let Some(case) = cases.iter().find(|case| name(case) == wanted) else {
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

/// As the ledger names a case.
fn name(case: &Case) -> String {
    format!("{}/{}", case.area, case.name)
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

    fn in_rules(lines: &str) -> Vec<String> {
        found("ui-tests/rules.csv", lines, "")
    }

    fn in_promises(lines: &str) -> Vec<String> {
        found("ui-tests/promises.csv", "", lines)
    }

    /// The one mistake in a row with these last three fields.
    fn assert_one(fields: &str, expected: &str) {
        let lines = format!("D04,Device,T,1,,A rule,{fields}\n");
        let expected = format!("ui-tests/rules.csv:2: D04: {expected}");
        assert_eq!(in_rules(&lines), [expected], "{fields}");
    }

    /// The one mistake in a promise with these last three fields.
    fn assert_one_of_promise(fields: &str, expected: &str) {
        let lines = format!("P-once,Device,{fields}\n");
        let expected = format!("ui-tests/promises.csv:2: P-once: {expected}");
        assert_eq!(in_promises(&lines), [expected], "{fields}");
    }

    #[test]
    fn a_good_row_has_no_mistake() {
        for fields in [
            "rejected,device/reset_twice,",
            "rejected,device/reset_twice,with a note",
            "permitted,it::device::dropping_resets,",
            "runtime,it::device::dropping_resets,",
            "unwritable,,nothing says it",
            "contract,,documented",
            "open,,not built",
        ] {
            let lines = format!("D04,Device,T,1,,A rule,{fields}\n");
            assert_eq!(in_rules(&lines), Vec::<String>::new(), "{fields}");
        }
    }

    #[test]
    fn a_rejection_needs_whole_cases() {
        assert_one(
            "rejected,,",
            "is `rejected` and names no case: name one in `cases`",
        );
        assert_one(
            "rejected,device/gone,",
            "there is no ui-tests/cases/device/gone.rs: correct the name, or write the case",
        );
        assert_one(
            "rejected,device/reset_twice;device/unmarked,",
            "`device/unmarked` has no twin: mark its lines, see ui-tests/README.md",
        );
        assert_one(
            "rejected,device/silent,",
            "`device/silent` has no .stderr: write it with `cargo xtask ui --bless device/silent`, \
             then read it",
        );
    }

    #[test]
    fn permitted_and_runtime_need_tests() {
        for status in ["permitted", "runtime"] {
            let expected = format!("is `{status}` and names no test: name one in `cases`");
            assert_one(&format!("{status},,"), &expected);
            assert_one(
                &format!("{status},it::device::gone,"),
                "tests/it/device.rs has no test `gone`: correct the name, or write the test",
            );
            assert_one(
                &format!("{status},it::gone::dropping_resets,"),
                "tests/it/gone.rs has no test `dropping_resets`: correct the name, or write the test",
            );
            assert_one(
                &format!("{status},dropping_resets,"),
                "`dropping_resets` is no path of a test: write `it::<file>::<function>`, or `sys` or \
                 `emulator` instead of `it`",
            );
        }
    }

    #[test]
    fn the_others_need_a_reason_and_name_no_cases() {
        for status in ["unwritable", "contract", "open"] {
            let expected = format!("is `{status}` without a reason: say why in `reason`");
            assert_one(&format!("{status},,"), &expected);
            let expected = format!("is `{status}` and names cases: move them to `reason`");
            assert_one(&format!("{status},device/reset_twice,why"), &expected);
        }
    }

    #[test]
    fn a_promise_needs_its_sentences_and_whole_cases() {
        let good = "P-once,Device,Resets once,freed twice,device/reset_twice\n";
        assert_eq!(in_promises(good), Vec::<String>::new());
        assert_one_of_promise(
            ",freed twice,device/reset_twice",
            "has no text: write it in `promise`",
        );
        assert_one_of_promise(
            "Resets once, ,device/reset_twice",
            "has no text: write it in `otherwise`",
        );
        assert_one_of_promise(
            "Resets once,freed twice,",
            "names no case: name one in `cases`",
        );
        assert_one_of_promise(
            "Resets once,freed twice,device/gone",
            "there is no ui-tests/cases/device/gone.rs: correct the name, or write the case",
        );
        assert_one_of_promise(
            "Resets once,freed twice,device/reset_twice;device/unmarked",
            "`device/unmarked` has no twin: mark its lines, see ui-tests/README.md",
        );
        assert_one_of_promise(
            "Resets once,freed twice,device/silent",
            "`device/silent` has no .stderr: write it with `cargo xtask ui --bless device/silent`, \
             then read it",
        );
    }

    #[test]
    fn an_id_stands_once() {
        let row = "D04,Device,T,1,,A rule,open,,not built\n";
        assert_eq!(
            in_rules(&row.repeat(2)),
            ["ui-tests/rules.csv:3: D04: stands in line 2 too: keep one of the two"]
        );
        let promise = "P-once,Device,Resets once,freed twice,device/reset_twice\n";
        assert_eq!(
            in_promises(&promise.repeat(2)),
            ["ui-tests/promises.csv:3: P-once: stands in line 2 too: keep one of the two"]
        );
    }

    #[test]
    fn every_case_is_named() {
        let without_reset = |rules: &str, promises: &str| {
            let file = "ui-tests/cases/device/reset_twice.rs";
            found(file, rules, promises)
        };
        let rule = "D04,Device,T,1,,A rule,rejected,device/reset_twice,\n";
        let promise = "P-once,Device,Resets once,freed twice,device/reset_twice\n";
        assert_eq!(without_reset(rule, ""), Vec::<String>::new());
        assert_eq!(without_reset("", promise), Vec::<String>::new());
        let expected = "ui-tests/cases/device/reset_twice.rs:1: no rule and no promise names \
                        `device/reset_twice`: enter it in ui-tests/rules.csv or in \
                        ui-tests/promises.csv";
        assert_eq!(without_reset("", ""), [expected]);
        // Only a rejection is proven by cases.
        let permitted = "D04,Device,T,1,,A rule,permitted,device/reset_twice,\n";
        assert_eq!(without_reset(permitted, ""), [expected]);
    }
}
