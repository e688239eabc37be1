//! Checks that the names in the lists exist, and that the lists name every case.

use std::collections::{BTreeMap, BTreeSet};

use ui_tests::case::Case;
use ui_tests::twin;

use super::ledger::{Lists, Rule, Status};
use crate::finding::Finding;
use crate::tests_in;

/// Reads a file, seen from the root.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The mistakes of the lists, and the cases that are in neither.
pub(super) fn mistakes(lists: &Lists, cases: &[Case], read: Read<'_>) -> Vec<Finding> {
    let (mut mistakes, mut first, mut named) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
    let mut find = |id, line, what: Vec<String>, place: &dyn Fn(String) -> Finding| {
        let before = *first.entry(id).or_insert(line);
        let twice = format!("stands in line {before} too: keep one of the two");
        let twice = (before != line).then_some(twice);
        let what = what.into_iter().chain(twice);
        mistakes.extend(what.map(|what| place(format!("{id}: {what}"))));
    };
    for rule in &lists.rules {
        find(&rule.id, rule.line, proof(rule, cases, read), &|what| {
            rule.mistake(what)
        });
        named.extend(
            rule.cases
                .iter()
                .filter(|_| rule.status == Status::Rejected),
        );
    }
    for promise in &lists.promises {
        let problems = case_problems(&promise.cases, cases);
        find(&promise.id, promise.line, problems, &|what| {
            promise.mistake(what)
        });
        named.extend(&promise.cases);
    }
    let unnamed = cases.iter().filter(|case| !named.contains(&case.id()));
    mistakes.extend(unnamed.map(|case| {
        let what = "no rule and no promise names it: enter it in ui-tests/rules.csv or in ui-tests/promises.csv";
        Finding::new(case.path(), 1, what)
    }));
    mistakes
}

/// What the status of a rule requires and the rule lacks.
fn proof(rule: &Rule, cases: &[Case], read: Read<'_>) -> Vec<String> {
    match rule.status {
        Status::Rejected => case_problems(&rule.cases, cases),
        Status::Permitted | Status::Runtime => {
            let problems = rule
                .cases
                .iter()
                .filter_map(|path| tests_in::problem(path, read));
            let none = "names no test: name one in `cases`";
            problems
                .chain(rule.cases.is_empty().then(|| none.to_owned()))
                .collect()
        }
        Status::Unwritable | Status::Contract | Status::Open => {
            let silent = rule.reason.trim().is_empty();
            let silent = silent.then_some("has no reason: say why in `reason`");
            // No check would look them up.
            let unproven = "names cases without a proof: move them to `reason`";
            let unproven = (!rule.cases.is_empty()).then_some(unproven);
            silent
                .into_iter()
                .chain(unproven)
                .map(String::from)
                .collect()
        }
    }
}

/// What is wrong with the cases of a rule or of a promise, which has at least one.
fn case_problems(names: &[String], cases: &[Case]) -> Vec<String> {
    if names.is_empty() {
        return vec!["names no case: name one in `cases`".into()];
    }
    let problem = |name: &String| {
        match cases.iter().find(|case| case.id() == *name) {
        None => Some(format!("there is no ui-tests/cases/{name}.rs: correct the name, or write the case")),
        Some(case) if twin::twin(&case.text).is_err() => {
            Some(format!("`{name}` has no twin: mark its lines, see ui-tests/README.md"))
        }
        Some(case) => case.message.is_none().then(|| {
            format!("`{name}` has no .stderr: write it with `cargo xtask ui --bless {name}`, then read it")
        }),
    }
    };
    names.iter().filter_map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Lists;
    use super::mistakes;
    use crate::finding::lines;
    use ui_tests::case::Case;

    /// The mistakes of two lists with these lines, in this order.
    fn found(rules: &str, promises: &str) -> String {
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
        let rules = format!("id,area,class,stage,expected,rule,status,cases,reason\n{rules}\n");
        let promises = format!("id,area,promise,otherwise,cases\n{promises}\n");
        let (lists, mut found) = Lists::parse(&rules, &promises);
        found.extend(mistakes(&lists, &cases, &read));
        lines(&found).join("\n")
    }

    /// The last three fields of a rule, and what is wrong with it.
    const RULES: &str = "\
rejected,device/reset_twice,with a note |
permitted,it::device::dropping_resets, |
runtime,it::device::dropping_resets, |
unwritable,,nothing says it |
contract,,documented |
open,,not built |
rejected,, | names no case
rejected,device/gone, | there is no ui-tests/cases/device/gone.rs
rejected,device/reset_twice;device/unmarked, | `device/unmarked` has no twin
rejected,device/silent, | `device/silent` has no .stderr
permitted,, | names no test
runtime,, | names no test
permitted,it::device::gone, | tests/it/device.rs has no test `gone`
runtime,it::gone::dropping_resets, | tests/it/gone.rs has no test `dropping_resets`
permitted,dropping_resets, | `dropping_resets` is no path of a test
unwritable,, | has no reason
contract,, | has no reason
open,device/reset_twice,why | names cases without a proof
maybe,, | unknown variant `maybe`";

    /// The last three fields of a promise, and what is wrong with it.
    const PROMISES: &str = "\
Resets once,freed twice,device/reset_twice |
,freed twice,device/reset_twice | says nothing
Resets once, ,device/reset_twice | says nothing
Resets once,freed twice, | names no case
Resets once,freed twice,device/gone | there is no ui-tests/cases/device/gone.rs
Resets once,freed twice,device/reset_twice;device/unmarked | `device/unmarked` has no twin";

    #[test]
    fn each_status_and_each_promise_asks_for_its_fields() {
        let pairs = |list: &'static str| list.lines().filter_map(|line| line.split_once(" |"));
        let of_rules = pairs(RULES)
            .map(|(fields, what)| (found(&format!("D04,Device,T,1,,A rule,{fields}"), ""), what));
        let of_promises = pairs(PROMISES)
            .map(|(fields, what)| (found("", &format!("P-once,Device,{fields}")), what));
        for (found, what) in of_rules.chain(of_promises) {
            let of_entry = found.lines().find(|line| line.contains(".csv:2: "));
            let is_right = match what {
                "" => of_entry.is_none(),
                what => of_entry.is_some_and(|line| line.contains(what.trim())),
            };
            assert!(is_right, "{what}: {found}");
        }
    }

    #[test]
    fn an_id_stands_in_one_line_and_every_case_is_named() {
        let rule = |status: &str| format!("D04,Device,T,1,,A rule,{status},device/reset_twice,");
        let promise = "P-once,Device,Resets once,freed twice,device/reset_twice";
        let twice = "3: D04: stands in line 2 too: keep one of the two";
        assert!(found(&[rule("rejected"), rule("rejected")].join("\n"), "").contains(twice));
        let unnamed = "ui-tests/cases/device/reset_twice.rs:1: no rule and no promise names it";
        for (rules, promises, is_named) in [
            (rule("rejected"), "", true),
            (String::new(), promise, true),
            (String::new(), "", false),
            // Only a rejection is proven by cases.
            (rule("permitted"), "", false),
        ] {
            let found = found(&rules, promises);
            assert_ne!(found.contains(unnamed), is_named, "{found}");
        }
    }
}
