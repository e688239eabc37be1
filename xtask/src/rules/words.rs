//! The cases whose first error has only the compiler's words, and the reason for each class of them.
//!
//! A refusal by a bound has the words of this crate. The errors of the borrow checker never have them. The others are
//! in a list: a new one is entered, or gets a bound.

use std::collections::BTreeMap;

use ui_tests::case::Case;

use super::list::{self, names};
use crate::finding::Finding;

/// The path of the list, from the root.
pub(super) const FILE: &str = "ui-tests/words.csv";

/// The first line of the file.
const HEADER: &str = "class,reason,cases";

/// The errors of the type checker that are not about a bound.
const CODES: [&str; 9] = [
    "E0061", "E0107", "E0271", "E0283", "E0284", "E0308", "E0599", "E0608", "E0747",
];

/// Cases with the same reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// The line in the file, counted from 1.
    line: usize,
    name: String,
    cases: Vec<String>,
}

/// The classes that can be read, and the mistakes of the other lines.
pub(super) fn parse(text: &str) -> (Vec<Class>, Vec<Finding>) {
    let entry = |line, [name, reason, cases]: [String; 3]| {
        if reason.trim().is_empty() {
            return Err(format!("{name}: has no reason"));
        }
        let cases = names(&cases);
        Ok(Class { line, name, cases })
    };
    list::read((FILE, HEADER), text, entry)
}

/// The number of cases in all classes.
pub(super) fn count(classes: &[Class]) -> usize {
    classes.iter().map(|class| class.cases.len()).sum()
}

/// The cases that the list lacks, names twice, or names without need.
pub(super) fn mistakes(classes: &[Class], cases: &[Case]) -> Vec<Finding> {
    let is_of_compiler = |case: &&Case| case.code().is_some_and(|code| CODES.contains(&code));
    let of_compiler = cases.iter().filter(is_of_compiler);
    let mut left: BTreeMap<_, _> = of_compiler.map(|case| (case.id(), case.path())).collect();
    let mut mistakes = Vec::new();
    for Class {
        line,
        name: class,
        cases,
    } in classes
    {
        for name in cases {
            if left.remove(name).is_none() {
                let what = format!(
                    "{class}: `{name}` stands here twice, or does not begin with an error of the compiler's own: remove it"
                );
                mistakes.push(Finding::new(FILE, *line, what));
            }
        }
    }
    mistakes.extend(left.into_values().map(|path| {
        let what = format!(
            "has only the compiler's words: refuse it by a bound with a message (src/remedy), or enter it in {FILE}"
        );
        Finding::new(path, 1, what)
    }));
    mistakes
}

#[cfg(test)]
mod tests {
    use super::{HEADER, mistakes, parse};
    use crate::finding::lines;
    use ui_tests::case::Case;

    #[test]
    fn each_case_with_words_of_the_compiler_stands_in_one_class_with_a_reason() {
        let cases = [
            ("own", "error[E0277]: two words\n\nerror[E0308]: more\n"),
            ("plain", "error[E0308]: mismatched types\n"),
        ]
        .map(|(name, message)| Case {
            area: "device".into(),
            name: name.into(),
            text: String::new(),
            message: Some(message.into()),
        });
        for (line, count, words) in [
            ("value,inference,device/plain", 0, ""),
            (
                "value,inference,",
                1,
                "ui-tests/cases/device/plain.rs:1: has only the compiler's words",
            ),
            (
                "value,inference,device/plain;device/plain;device/own;device/gone",
                3,
                "ui-tests/words.csv:2: value: `device/plain` stands here twice",
            ),
            (
                "value,,device/plain",
                2,
                "ui-tests/words.csv:2: value: has no reason",
            ),
        ] {
            let (classes, mut found) = parse(&format!("{HEADER}\n{line}\n"));
            found.extend(mistakes(&classes, &cases));
            assert!(
                found.len() == count && lines(&found).concat().starts_with(words),
                "{found:?}"
            );
        }
    }
}
