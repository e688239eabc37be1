//! The list of offers that compile and are correct.

use super::offer::Change;
use crate::rules::list::{self, Mistake};

/// The path of the list, from the root.
pub(super) const FILE: &str = "ui-tests/suggestions.csv";

/// The first line of the file.
const HEADER: &str = "case,lines,reason";

/// A reviewed offer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reviewed {
    /// The line in the file, counted from 1.
    line: usize,
    case: String,
    /// The lines that the offer makes.
    lines: String,
}

/// The entries that can be read, and the mistakes of the other lines.
pub(super) fn parse(text: &str) -> (Vec<Reviewed>, Vec<String>) {
    let entry = |line, [case, lines, reason]: [String; 3]| {
        if reason.trim().is_empty() {
            return Err(format!("{case}: does not say why the program is right"));
        }
        Ok(Reviewed { line, case, lines })
    };
    let (entries, mistakes) = list::read((FILE, HEADER), text, entry);
    (entries, mistakes.iter().map(Mistake::to_string).collect())
}

/// Results that compile and are not listed, and listed lines that no offer makes any more.
pub(super) fn mistakes(listed: &[Reviewed], found: &[(String, &Change)]) -> Vec<String> {
    let is = |entry: &Reviewed, (case, change): &(String, &Change)| {
        entry.case == *case && entry.lines == change.lines
    };
    let new = found
        .iter()
        .filter(|found| !listed.iter().any(|entry| is(entry, found)));
    let new = new.map(|(case, change)| {
        format!(
            "ui-tests/cases/{case}.rs: compiles after \"{}\": {}\n  If that program is right and does what was \
             meant, list it in {FILE}; else the API must refuse it.",
            change.help, change.lines
        )
    });
    let stale = listed
        .iter()
        .filter(|entry| !found.iter().any(|found| is(entry, found)));
    let stale = stale.map(|entry| {
        let Reviewed { line, case, lines } = entry;
        format!("{FILE}:{line}: {case} has no offer that compiles and makes `{lines}`")
    });
    new.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::super::offer::Change;
    use super::{mistakes, parse};

    #[test]
    fn the_list_and_the_offers_are_compared() {
        let (listed, wrong) = parse("case,lines,reason\nevent/a,\"f(a, b);\",it is right\n");
        assert!(wrong.is_empty(), "{wrong:?}");
        let change = Change {
            help: "borrow".into(),
            lines: "f(a, b);".into(),
            text: String::new(),
        };
        assert_eq!(mistakes(&listed, &[("event/a".into(), &change)]), [""; 0]);
        let found = mistakes(&listed, &[("event/b".into(), &change)]);
        let [new, stale] = found.as_slice() else {
            unreachable!("one is new and one is stale: {found:?}");
        };
        assert!(new.starts_with("ui-tests/cases/event/b.rs: compiles after \"borrow\": f(a, b);"));
        let expected =
            "ui-tests/suggestions.csv:2: event/a has no offer that compiles and makes `f(a, b);`";
        assert_eq!(stale, expected);
    }

    #[test]
    fn an_entry_needs_a_reason() {
        let (listed, wrong) = parse("case,lines,reason\nevent/a,f(a);,\n");
        assert!(listed.is_empty());
        let expected = "ui-tests/suggestions.csv:2: event/a: does not say why the program is right";
        assert_eq!(wrong, [expected]);
    }
}
