//! Applying the changes that the compiler offers.

use random_programs::said::{Edit, Refusal, apply};

/// A program changed as offered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The text of the offer, or of all offers that were applied together.
    pub(super) help: String,
    /// The lines of the change, with single spaces, for readers and for the list.
    pub(super) lines: String,
    pub(super) text: String,
}

/// The programs that result from a case and its messages: each offer alone, each alternative of an offer alone, and
/// the first alternatives of all offers that can be applied together. No program occurs twice.
pub(super) fn changes(text: &str, messages: &[Refusal]) -> Vec<Change> {
    let offers = messages.iter().flat_map(|message| &message.offers);
    let offers: Vec<_> = offers
        .map(|offer| (offer.help.as_str(), alternatives(&offer.edits)))
        .collect();
    let mut changes: Vec<Change> = Vec::new();
    let mut add = |help: String, edits: &[Edit]| {
        let Some(change) = change(text, help, edits) else {
            return;
        };
        if changes.iter().all(|known| known.text != change.text) {
            changes.push(change);
        }
    };
    for (help, alternatives) in &offers {
        for edits in alternatives {
            add((*help).into(), edits);
        }
    }
    let (mut helps, mut together): (Vec<&str>, Vec<Edit>) = Default::default();
    for (help, alternatives) in &offers {
        let Some(first) = alternatives.first() else {
            continue;
        };
        if first.iter().any(|edit| overlaps(&together, edit)) {
            continue;
        }
        together.extend_from_slice(first);
        helps.push(help);
    }
    add(helps.join("; "), &together);
    changes
}

/// The alternatives of an offer. The edits of one alternative do not overlap, and the compiler lists the alternatives
/// one after the other.
fn alternatives(edits: &[Edit]) -> Vec<Vec<Edit>> {
    let mut alternatives: Vec<Vec<Edit>> = Vec::new();
    for edit in edits {
        match alternatives.last_mut() {
            Some(last) if !overlaps(last, edit) => last.push(edit.clone()),
            _ => alternatives.push(vec![edit.clone()]),
        }
    }
    alternatives
}

/// Whether an edit overlaps one of the others. Two insertions at one place do.
fn overlaps(others: &[Edit], edit: &Edit) -> bool {
    let (start, end) = (edit.range.start, edit.range.end);
    others.iter().any(|other| {
        other.range.start == start || other.range.start < end && start < other.range.end
    })
}

/// The text after edits that do not overlap. `None` if the edits change nothing or do not fit the text.
fn change(text: &str, help: String, edits: &[Edit]) -> Option<Change> {
    let changed = apply(text, edits)?;
    let lines = match only_in(&changed, text) {
        nothing if nothing.is_empty() => format!("without {}", only_in(text, &changed)),
        lines => lines,
    };
    Some(Change {
        help,
        lines,
        text: changed,
    })
}

/// The lines of one text that the other text lacks, without comments and with single spaces.
fn only_in(one: &str, other: &str) -> String {
    let others: Vec<&str> = other.lines().collect();
    let lines = one.lines().filter(|line| !others.contains(line));
    // A comment is for readers of the case.
    let code = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Edit, Refusal, changes};
    use random_programs::said::Offer;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit {
            range: start..end,
            text: text.into(),
        }
    }

    fn message(edits: Vec<Edit>) -> Refusal {
        Refusal {
            offers: vec![Offer {
                help: "do it".into(),
                edits,
            }],
            ..Refusal::default()
        }
    }

    fn lines(text: &str, messages: &[Refusal]) -> Vec<String> {
        let changes = changes(text, messages).into_iter();
        changes.map(|change| change.lines).collect()
    }

    #[test]
    fn offers_are_taken_alone_and_together() {
        let messages = [
            message(vec![edit(5, 5, "mut ")]),
            message(vec![edit(9, 10, "&b")]),
        ];
        let expected = ["copy(mut &a, b);", "copy(&a, &b);", "copy(mut &a, &b);"];
        assert_eq!(lines("copy(&a, b);\n", &messages), expected);
    }

    #[test]
    fn a_change_that_only_removes_names_what_is_gone() {
        let messages = [message(vec![edit(2, 10, "")])];
        assert_eq!(lines("a\nb; // c\n", &messages), ["without b;"]);
    }

    #[test]
    fn alternatives_are_taken_one_by_one() {
        let both = [edit(0, 1, "x"), edit(2, 3, "y")];
        let other = [edit(0, 1, "p"), edit(2, 3, "q")];
        let edits = both.into_iter().chain(other).collect();
        assert_eq!(lines("a b\n", &[message(edits)]), ["x y", "p q"]);
        let insertions = vec![edit(0, 0, "x"), edit(0, 0, "y")];
        assert_eq!(lines("a\n", &[message(insertions)]), ["xa", "ya"]);
    }

    #[test]
    fn no_program_comes_twice() {
        let messages = [
            message(vec![edit(0, 1, "x")]),
            message(vec![edit(0, 1, "x")]),
        ];
        assert_eq!(lines("a\nb\n", &messages), ["x"]);
        assert_eq!(lines("a\n", &[message(vec![edit(0, 1, "a")])]), [""; 0]);
        assert_eq!(lines("a\n", &[message(vec![edit(7, 9, "a")])]), [""; 0]);
    }
}
