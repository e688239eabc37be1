//! Whether what the ledger names is there.

use std::collections::{BTreeMap, BTreeSet};

use ui_tests::case::Case;
use ui_tests::twin;

use super::ledger::{Mistake, Row, Status};
use super::tests_in::{has_test, place};

/// Reads a file, seen from the root.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

pub(super) fn mistakes(rows: &[Row], cases: &[Case], read: Read<'_>) -> Vec<Mistake> {
    let mut mistakes = duplicates(rows);
    for row in rows {
        mistakes.extend(proof(row, cases, read));
    }
    mistakes
}

/// How many cases no rule names. That is no mistake: a case may show more than the rules say.
pub(super) fn unnamed(rows: &[Row], cases: &[Case]) -> usize {
    let rejected = rows.iter().filter(|row| row.status == Status::Rejected);
    let named: BTreeSet<&str> = rejected
        .flat_map(|r| &r.cases)
        .map(String::as_str)
        .collect();
    let is_unnamed = |case: &&Case| !named.contains(name(case).as_str());
    cases.iter().filter(is_unnamed).count()
}

fn duplicates(rows: &[Row]) -> Vec<Mistake> {
    let mut first = BTreeMap::new();
    let mut mistakes = Vec::new();
    for row in rows {
        let line = *first.entry(row.id.as_str()).or_insert(row.line);
        if line != row.line {
            let what = format!("stands in line {line} too: keep one of the two rows");
            mistakes.push(row.mistake(what));
        }
    }
    mistakes
}

/// What is missing of that which the row's status needs.
fn proof(row: &Row, cases: &[Case], read: Read<'_>) -> Vec<Mistake> {
    match row.status {
        Status::Rejected => named(row, "case", |name| case_problem(name, cases)),
        Status::Permitted | Status::Runtime => named(row, "test", |path| test_problem(path, read)),
        Status::Unwritable | Status::Contract | Status::Open => reasoned(row),
    }
}

/// Each name in `cases` is looked up; one at least is needed.
fn named(row: &Row, kind: &str, problem: impl Fn(&str) -> Option<String>) -> Vec<Mistake> {
    if row.cases.is_empty() {
        let status = row.status.name();
        let what = format!("is `{status}` and names no {kind}: name one in `cases`");
        return vec![row.mistake(what)];
    }
    let problems = row.cases.iter().filter_map(|name| problem(name));
    problems.map(|what| row.mistake(what)).collect()
}

fn reasoned(row: &Row) -> Vec<Mistake> {
    let status = row.status.name();
    let mut mistakes = Vec::new();
    if row.reason.trim().is_empty() {
        let what = format!("is `{status}` without a reason: say why in `reason`");
        mistakes.push(row.mistake(what));
    }
    // Nothing would look whether they exist.
    if !row.cases.is_empty() {
        let what = format!("is `{status}` and names cases: move them to `reason`");
        mistakes.push(row.mistake(what));
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
    use super::{mistakes, unnamed};
    use crate::rules::ledger::sample;
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

    fn found(lines: &str) -> Vec<String> {
        let (rows, damaged) = sample(lines);
        assert_eq!(damaged, Vec::<String>::new(), "{lines}");
        let found = mistakes(&rows, &cases(), &read);
        found.iter().map(ToString::to_string).collect()
    }

    /// The one mistake in a row with these last three fields.
    fn assert_one(fields: &str, expected: &str) {
        let lines = format!("D04,Device,T,1,,A rule,{fields}\n");
        let expected = format!("ui-tests/rules.csv:2: D04: {expected}");
        assert_eq!(found(&lines), [expected], "{fields}");
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
            assert_eq!(found(&lines), Vec::<String>::new(), "{fields}");
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
    fn an_id_stands_once() {
        let row = "D04,Device,T,1,,A rule,open,,not built\n";
        assert_eq!(
            found(&row.repeat(2)),
            ["ui-tests/rules.csv:3: D04: stands in line 2 too: keep one of the two rows"]
        );
    }

    #[test]
    fn cases_without_a_rule_are_counted() {
        let (rows, _) = sample("D04,Device,T,1,,A rule,rejected,device/reset_twice,\n");
        assert_eq!(unnamed(&rows, &cases()), 2);
        assert_eq!(unnamed(&[], &cases()), 3);
    }
}
