//! The cases whose first error has only the compiler's words, and the reason for each class of them.
//!
//! A refusal by a bound has the words of this crate. The errors of the borrow checker never have them. The others are
//! in a list: a new one is entered, or gets a bound.

use std::collections::BTreeMap;

use serde::Deserialize;
use ui_tests::case::Case;

use super::list::{self, Entry, names, text};
use crate::finding::Finding;

/// The path of the list, from the root.
pub(super) const FILE: &str = "ui-tests/words.csv";

/// The errors of the type checker that are not about a bound.
const CODES: [&str; 9] = [
    "E0061", "E0107", "E0271", "E0283", "E0284", "E0308", "E0599", "E0608", "E0747",
];

/// Cases with the same reason.
#[derive(Debug, Deserialize)]
pub(super) struct Class {
    class: String,
    #[expect(dead_code, reason = "each class has one, for its readers")]
    #[serde(deserialize_with = "text")]
    reason: String,
    #[serde(deserialize_with = "names")]
    cases: Vec<String>,
}

pub(super) fn parse(text: &str) -> (Vec<Entry<Class>>, Vec<Finding>) {
    list::read(FILE, text)
}

/// The cases that the list lacks, names twice, or names without need.
pub(super) fn mistakes(classes: &[Entry<Class>], cases: &[Case]) -> Vec<Finding> {
    let is_of_compiler = |case: &&Case| case.code().is_some_and(|code| CODES.contains(&code));
    let of_compiler = cases.iter().filter(is_of_compiler);
    let mut left: BTreeMap<_, _> = of_compiler.map(|case| (case.id(), case.path())).collect();
    let mut mistakes = Vec::new();
    for class in classes {
        let needless = class
            .cases
            .iter()
            .filter(|name| left.remove(*name).is_none());
        mistakes.extend(needless.map(|name| {
            let what = "stands here twice, or does not begin with an error of the compiler's own: remove it";
            class.mistake(format!("{}: `{name}` {what}", class.class))
        }));
    }
    mistakes.extend(left.into_values().map(|path| {
        let what = "has only the compiler's words: refuse it by a bound with a message (src/remedy), or enter it in";
        Finding::new(path, 1, format!("{what} {FILE}"))
    }));
    mistakes
}

#[cfg(test)]
mod tests {
    use super::{mistakes, parse};
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
        let plain = "ui-tests/cases/device/plain.rs:1: has only the compiler's words";
        let twice = "ui-tests/words.csv:2: value: `device/plain` stands here twice";
        for (fields, count, words) in [
            ("inference,device/plain", 0, ""),
            ("inference,", 1, plain),
            (
                "inference,device/plain;device/plain;device/own;device/gone",
                3,
                twice,
            ),
            (",device/plain", 2, "says nothing"),
        ] {
            let (classes, mut found) = parse(&format!("class,reason,cases\nvalue,{fields}\n"));
            found.extend(mistakes(&classes, &cases));
            let text = lines(&found).concat();
            assert!(found.len() == count && text.contains(words), "{text}");
        }
    }
}
