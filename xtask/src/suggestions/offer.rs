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
    let mut changes: Vec<Change> = Vec::new();
    let mut add = |help: &str, edits: &[Edit]| {
        let change = change(text, help, edits);
        let is_new = |change: &Change| changes.iter().all(|known| known.text != change.text);
        if let Some(change) = change.filter(is_new) {
            changes.push(change);
        }
    };
    let (mut helps, mut together): (Vec<&str>, Vec<Edit>) = Default::default();
    for offer in offers {
        let alternatives = alternatives(&offer.edits);
        for edits in &alternatives {
            add(&offer.help, edits);
        }
        let fits = |edits: &&Vec<Edit>| !edits.iter().any(|edit| overlaps(&together, edit));
        if let Some(first) = alternatives.first().filter(fits) {
            together.extend_from_slice(first);
            helps.push(&offer.help);
        }
    }
    add(&helps.join("; "), &together);
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
fn change(text: &str, help: &str, edits: &[Edit]) -> Option<Change> {
    let changed = apply(text, edits)?;
    let lines = match only_in(&changed, text) {
        nothing if nothing.is_empty() => format!("without {}", only_in(text, &changed)),
        lines => lines,
    };
    let help = help.to_owned();
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

    /// The lines of the changes of a text. Each list of edits is of one message.
    fn lines(text: &str, messages: &[&[(usize, usize, &str)]]) -> Vec<String> {
        let message = |edits: &&[(usize, usize, &str)]| {
            let edit = |&(start, end, text): &_| Edit {
                range: start..end,
                text: String::from(text),
            };
            let (help, edits) = ("do it".into(), edits.iter().map(edit).collect());
            Refusal {
                offers: vec![Offer { help, edits }],
                ..Refusal::default()
            }
        };
        let messages: Vec<Refusal> = messages.iter().map(message).collect();
        changes(text, &messages)
            .into_iter()
            .map(|change| change.lines)
            .collect()
    }

    #[test]
    fn offers_are_taken_alone_and_together() {
        let both = lines("copy(a, b);\n", &[&[(5, 5, "mut ")], &[(8, 9, "&b")]]);
        assert_eq!(
            both,
            ["copy(mut a, b);", "copy(a, &b);", "copy(mut a, &b);"]
        );
        let removed = lines("a\nb; // c\n", &[&[(2, 10, "")]]);
        assert_eq!(removed, ["without b;"]);
    }

    #[test]
    fn alternatives_are_taken_one_by_one() {
        let edits: &[_] = &[(0, 1, "x"), (2, 3, "y"), (0, 1, "p"), (2, 3, "q")];
        assert_eq!(lines("a b\n", &[edits]), ["x y", "p q"]);
        assert_eq!(lines("a\n", &[&[(0, 0, "x"), (0, 0, "y")]]), ["xa", "ya"]);
    }

    #[test]
    fn no_program_comes_twice() {
        assert_eq!(lines("a\nb\n", &[&[(0, 1, "x")], &[(0, 1, "x")]]), ["x"]);
        assert_eq!(lines("a\n", &[&[(0, 1, "a")]]), [""; 0]);
        assert_eq!(lines("a\n", &[&[(7, 9, "a")]]), [""; 0]);
    }
}
