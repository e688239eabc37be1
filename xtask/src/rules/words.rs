//! The cases whose first error has only the compiler's words, and the reason for each class of them.
//!
//! A refusal by a bound has the words of this crate. The errors of the borrow checker never have them. The others are
//! in a list: a new one is entered, or gets a bound.

use std::collections::BTreeMap;

use ui_tests::case::Case;

use super::list::{self, Mistake, names};

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
pub(super) fn parse(text: &str) -> (Vec<Class>, Vec<Mistake>) {
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
pub(super) fn mistakes(classes: &[Class], cases: &[Case]) -> Vec<Mistake> {
    let mut of_compiler: BTreeMap<String, &Case> = cases
        .iter()
        .filter(|case| has_only_words_of_compiler(case))
        .map(|case| (case.id(), case))
        .collect();
    let mut mistakes = Vec::new();
    for class in classes {
        for name in &class.cases {
            if of_compiler.remove(name).is_none() {
                let what = format!(
                    "{}: `{name}` stands here twice, or does not begin with an error of the compiler's own: remove it",
                    class.name
                );
                mistakes.push(Mistake::new(FILE, class.line, what));
            }
        }
    }
    let unnamed = of_compiler.values().map(|case| {
        let what = format!(
            "has only the compiler's words: refuse it by a bound with a message (src/remedy), or enter it in {FILE}"
        );
        Mistake::new(case.path(), 1, what)
    });
    mistakes.extend(unnamed);
    mistakes
}

/// Whether the first error of a case is one of [`CODES`].
fn has_only_words_of_compiler(case: &Case) -> bool {
    case.code().is_some_and(|code| CODES.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::{count, mistakes, parse};
    use ui_tests::case::Case;

    fn cases() -> Vec<Case> {
        let case = |name: &str, message: &str| Case {
            area: "device".into(),
            name: name.into(),
            text: String::new(),
            message: Some(message.into()),
        };
        vec![
            case("own", "error[E0277]: two words\n\nerror[E0308]: more\n"),
            case("plain", "error[E0308]: mismatched types\n"),
        ]
    }

    fn found(lines: &str) -> Vec<String> {
        let (classes, damaged) = parse(&format!("class,reason,cases\n{lines}"));
        let found = damaged.into_iter().chain(mistakes(&classes, &cases()));
        found.map(|mistake| mistake.to_string()).collect()
    }

    #[test]
    fn each_case_with_words_of_the_compiler_stands_in_one_class() {
        assert_eq!(found("value,inference,device/plain\n"), [""; 0]);
        let new = found("value,inference,\n").concat();
        assert!(new.starts_with("ui-tests/cases/device/plain.rs:1: has only the compiler's words"));
        let more = found("value,inference,device/plain;device/plain;device/own;device/gone\n");
        assert_eq!(more.len(), 3, "{more:?}");
        let twice = "ui-tests/words.csv:2: value: `device/plain` stands here twice";
        assert!(more.concat().starts_with(twice), "{more:?}");
    }

    #[test]
    fn a_class_has_a_reason() {
        let found = found("value,,device/plain\n").concat();
        assert!(found.starts_with("ui-tests/words.csv:2: value: has no reason"));
        let (classes, _) = parse("class,reason,cases\nvalue,why,a/b;c/d\n");
        assert_eq!(count(&classes), 2);
    }
}
