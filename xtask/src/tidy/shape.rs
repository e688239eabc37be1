//! A Rust file states its subject at its head, and is short enough to read at once. A message of this crate has at most three
//! notes: a reader tries the first one, and seldom reads a fourth. CHANGELOG.md has a section for changes that are not released.

use crate::files::File;
use crate::finding::Finding;

/// More lines than this are refused: the file has more than one subject. Examples in the documentation do not count:
/// they are read in the documentation, and a file is not divided because its items have them.
const MOST: usize = 600;

/// The most notes of one message, and the beginning of a message.
const NOTES: usize = 3;
const MESSAGE: &str = "#[diagnostic::on_unimplemented(";

const CHANGELOG: &str = "CHANGELOG.md";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A test includes the last version of a flow into a module, where no such comment may stand.
    let is_flow = ["ui-tests/flows/", "tests/it/flows/"];
    let is_flow = is_flow.iter().any(|folder| file.path.starts_with(folder));
    if !file.text.starts_with("//! ") && !is_flow {
        let what = "has no head comment (`//! ...`)";
        findings.push(Finding::new(&file.path, 1, what));
    }
    let lines = lines(&file.text);
    if lines > MOST {
        let what = format!("has {lines} lines, more than {MOST}; divide it by subject");
        findings.push(Finding::new(&file.path, lines, what));
    }
    findings
}

/// The number of lines without the examples in the documentation.
fn lines(text: &str) -> usize {
    let mut is_example = false;
    let counts = |line: &&str| {
        let line = line.trim_start();
        let is_fence = line.starts_with("/// ```") || line.starts_with("//! ```");
        let was_example = is_example;
        is_example ^= is_fence;
        !was_example && !is_fence
    };
    text.lines().filter(counts).count()
}

/// Finds messages with more notes than [`NOTES`].
pub(super) fn notes(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (mut start, mut notes) = (None, 0);
    for (number, line) in file.lines() {
        match line.trim() {
            MESSAGE => (start, notes) = (Some(number), 0),
            ")]" => {
                if let Some(start) = start.take().filter(|_| notes > NOTES) {
                    let what = format!(
                        "the message has {notes} notes, {NOTES} are the limit: put the likeliest remedy first, and join others"
                    );
                    findings.push(Finding::new(&file.path, start, what));
                }
            }
            line => notes += usize::from(line.starts_with("note = ")),
        }
    }
    findings
}

pub(super) fn changelog(files: &[File]) -> Vec<Finding> {
    let is_unreleased = |line: &str| line == "## Unreleased" || line == "## [Unreleased]";
    match super::find(files, CHANGELOG) {
        None => vec![Finding::new(CHANGELOG, 1, "is missing")],
        Some(file) if file.text.lines().any(is_unreleased) => Vec::new(),
        Some(_) => vec![Finding::new(CHANGELOG, 1, "has no section `## Unreleased`")],
    }
}

#[cfg(test)]
mod tests {
    use super::{CHANGELOG, MOST, changelog, check, notes};
    use crate::files::File;
    use crate::finding::lines;

    #[test]
    fn missing_heads_and_long_files_are_found() {
        let example = "/// An item.\n/// ```\n/// let a = 1;\n///\n/// ```\npub struct A;\n";
        let with_examples = |items| format!("//! Head.\n{}", example.repeat(items));
        for (text, count) in [
            ("//! Head.\n", 0),
            ("// Head.\n", 1),
            ("\n//! Head.\n", 1),
            ("", 1),
            (&"//! Head.\n".repeat(MOST), 0),
            (&"//! Head.\n".repeat(MOST + 1), 1),
            (&with_examples(MOST / 2), 1),
            (&with_examples(MOST / 2 - 1), 0),
        ] {
            assert_eq!(check(&File::sample("a.rs", text)).len(), count, "{text}");
        }
    }

    #[test]
    fn a_fourth_note_is_found() {
        let found = |count: usize| {
            let of_message = "    note = \"one\",\n".repeat(count);
            let head = "use a;\n#[diagnostic::on_unimplemented(\n    message = \"no\",\n";
            let text = format!("{head}{of_message})]\ntrait A {{}}\n");
            lines(&notes(&File::sample("src/a.rs", &text))).concat()
        };
        assert_eq!(found(3), "");
        assert!(found(4).starts_with("src/a.rs:2: the message has 4 notes"));
    }

    #[test]
    fn a_missing_section_is_found() {
        assert_eq!(changelog(&[]).len(), 1);
        let found = |text| changelog(&[File::sample(CHANGELOG, text)]).len();
        assert_eq!(found("# Changelog\n## 0.1.0\n"), 1);
        assert_eq!(found("# Changelog\n\n## [Unreleased]\n"), 0);
    }
}
