//! Checks that the names in the lists exist, and that the lists name every case.

use std::collections::{BTreeMap, BTreeSet};

use ui_tests::case::Case;
use ui_tests::twin;

use super::ledger::{self, ALL, Row, Status};
use super::promises::{self, Promise};
use crate::finding::Finding;
use crate::tests_in::{has_test, place};

/// Reads a file, seen from the root.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The entries of both lists.
pub(super) struct Lists {
    pub(super) rules: Vec<Row>,
    pub(super) promises: Vec<Promise>,
}

impl Lists {
    /// The cases that rules name.
    pub(super) fn of_rules(&self) -> BTreeSet<&String> {
        let rejected = self.rules.iter();
        let rejected = rejected.filter(|row| row.status == Status::Rejected);
        rejected.flat_map(|row| &row.cases).collect()
    }

    /// The cases that promises name.
    pub(super) fn of_promises(&self) -> BTreeSet<&String> {
        self.promises
            .iter()
            .flat_map(|promise| &promise.cases)
            .collect()
    }
}

/// The mistakes of the lists, and the cases that are in neither.
pub(super) fn mistakes(lists: &Lists, cases: &[Case], read: Read<'_>) -> Vec<Finding> {
    let rules = lists.rules.iter();
    let rules = rules.map(|row| (ledger::FILE, &row.id, row.line, proof(row, cases, read)));
    let promises = lists.promises.iter();
    let promises = promises.map(|one| (promises::FILE, &one.id, one.line, kept(one, cases)));
    let mut mistakes = Vec::new();
    let mut first = BTreeMap::new();
    for (file, id, line, mut wrong) in rules.chain(promises) {
        let before = *first.entry((file, id)).or_insert(line);
        if before != line {
            wrong.push(format!("stands in line {before} too: keep one of the two"));
        }
        let mistake = |what| Finding::new(file, line, format!("{id}: {what}"));
        mistakes.extend(wrong.into_iter().map(mistake));
    }
    let (of_rules, of_promises) = (lists.of_rules(), lists.of_promises());
    let names = cases.iter().map(Case::id);
    let missing = names.filter(|name| !of_rules.contains(name) && !of_promises.contains(name));
    mistakes.extend(missing.map(|name| {
        let what = format!(
            "no rule and no promise names `{name}`: enter it in {} or in {}",
            ledger::FILE,
            promises::FILE
        );
        Finding::new(format!("ui-tests/cases/{name}.rs"), 1, what)
    }));
    mistakes
}

/// What the status of a row requires and the row lacks.
fn proof(row: &Row, cases: &[Case], read: Read<'_>) -> Vec<String> {
    let status = ALL.into_iter().find(|(status, _)| *status == row.status);
    let status = status.map_or("", |(_, name)| name);
    let names = row.cases.iter();
    let (kind, wrong): (_, Vec<_>) = match row.status {
        Status::Rejected => (
            "case",
            names.filter_map(|name| case_problem(name, cases)).collect(),
        ),
        Status::Permitted | Status::Runtime => (
            "test",
            names.filter_map(|path| test_problem(path, read)).collect(),
        ),
        Status::Unwritable | Status::Contract | Status::Open => {
            let reason = format!("is `{status}` without a reason: say why in `reason`");
            // No check would look them up.
            let named = format!("is `{status}` and names cases: move them to `reason`");
            let lacks = row.reason.trim().is_empty().then_some(reason);
            return lacks
                .into_iter()
                .chain((!row.cases.is_empty()).then_some(named))
                .collect();
        }
    };
    if row.cases.is_empty() {
        return vec![format!(
            "is `{status}` and names no {kind}: name one in `cases`"
        )];
    }
    wrong
}

/// What a promise requires and lacks.
fn kept(promise: &Promise, cases: &[Case]) -> Vec<String> {
    let mut missing = Vec::new();
    let texts = [
        ("promise", &promise.promise),
        ("otherwise", &promise.otherwise),
    ];
    for (field, _) in texts.iter().filter(|(_, text)| text.trim().is_empty()) {
        missing.push(format!("has no text: write it in `{field}`"));
    }
    if promise.cases.is_empty() {
        missing.push("names no case: name one in `cases`".into());
    }
    missing.extend(
        promise
            .cases
            .iter()
            .filter_map(|name| case_problem(name, cases)),
    );
    missing
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
        format!("`{wanted}` has no .stderr: write it with `cargo xtask ui --bless {wanted}`, then read it")
    })
}

fn test_problem(path: &str, read: Read<'_>) -> Option<String> {
    let Some((file, function)) = place(path) else {
        return Some(format!(
            "`{path}` is no path of a test: write `it::<file>::<function>`, or `sys` or `emulator` instead of `it`"
        ));
    };
    let is_there = read(&file).is_some_and(|text| has_test(&text, function));
    (!is_there)
        .then(|| format!("{file} has no test `{function}`: correct the name, or write the test"))
}

#[cfg(test)]
mod tests {
    use super::{Lists, mistakes};
    use crate::finding::lines;
    use crate::rules::{ledger, promises};
    use ui_tests::case::Case;

    /// The mistakes in a file, with these lines in the two lists.
    fn found(file: &str, of_rules: &str, of_promises: &str) -> Vec<String> {
        let text = "//! Resets twice.\nfn main() {\n    reset(); //~ mistake\n}\n";
        let cases = [
            ("reset_twice", text, Some("error\n")),
            ("unmarked", "//! Resets.\nfn main() {}\n", Some("error\n")),
            ("silent", text, None),
        ]
        .map(|(name, text, message)| Case {
            area: "device".into(),
            name: name.into(),
            text: text.into(),
            message: message.map(String::from),
        });
        let read = |path: &str| {
            let text = "isolated! {\n    fn dropping_resets() {\n    }\n}\n";
            (path == "tests/it/device.rs").then(|| text.into())
        };
        let (rules, damaged) = ledger::parse(&format!("{}\n{of_rules}", ledger::HEADER));
        let (promises, more) = promises::parse(&format!("{}\n{of_promises}", promises::HEADER));
        assert_eq!(
            (damaged, more),
            Default::default(),
            "{of_rules} {of_promises}"
        );
        let found = lines(&mistakes(&Lists { rules, promises }, &cases, &read));
        found
            .into_iter()
            .filter(|line| line.starts_with(file))
            .collect()
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

    #[test]
    fn each_status_and_each_promise_asks_for_its_fields() {
        let pairs = |list: &'static str| list.lines().filter_map(|line| line.split_once(" |"));
        let placed = |place: &str, what: &str| match what.trim_start() {
            "" => String::new(),
            what => format!("{place}: {what}"),
        };
        for (fields, what) in pairs(RULES) {
            let row = format!("D04,Device,T,1,,A rule,{fields}\n");
            let found = found("ui-tests/rules.csv", &row, "");
            assert_eq!(
                found.join("\n"),
                placed("ui-tests/rules.csv:2: D04", what),
                "{fields}"
            );
        }
        for (fields, what) in pairs(PROMISES) {
            let row = format!("P-once,Device,{fields}\n");
            let found = found("ui-tests/promises.csv", "", &row);
            assert_eq!(
                found.join("\n"),
                placed("ui-tests/promises.csv:2: P-once", what),
                "{fields}"
            );
        }
        let twice = ": stands in line 2 too: keep one of the two";
        let rules = found("ui-tests/rules.csv", &GOOD_RULE.repeat(2), "");
        assert_eq!(rules, [format!("ui-tests/rules.csv:3: D04{twice}")]);
        let promises = found("ui-tests/promises.csv", "", &GOOD_PROMISE.repeat(2));
        assert_eq!(
            promises,
            [format!("ui-tests/promises.csv:3: P-once{twice}")]
        );
    }

    #[test]
    fn every_case_is_named() {
        let file = "ui-tests/cases/device/reset_twice.rs";
        let expected = "ui-tests/cases/device/reset_twice.rs:1: no rule and no promise names `device/reset_twice`: enter it \
                        in ui-tests/rules.csv or in ui-tests/promises.csv";
        // Only a rejection is proven by cases.
        let permitted = GOOD_RULE.replace("rejected", "permitted");
        for (rules, promises, is_named) in [
            (GOOD_RULE, "", true),
            ("", GOOD_PROMISE, true),
            ("", "", false),
            (&permitted, "", false),
        ] {
            let found = found(file, rules, promises).concat();
            assert_eq!(found, if is_named { "" } else { expected });
        }
    }
}
