//! The documents on misuse, peers and soundness name cases, tests and errors that exist, and count their rows.

use ui_tests::area;

use super::find;
use crate::files::File;
use crate::finding::Finding;
use crate::tests_in;

/// The document that counts its rows.
const BUGS: &str = "docs/real-bugs.md";

const FILES: [&str; 4] = ["docs/misuse.md", "docs/peers.md", BUGS, "docs/soundness.md"];

/// The file with the errors that a caller's mistake has.
const ERRORS: &str = "src/error/usage.rs";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let of_document = |path: &&str| of_document(path, files);
    let mut findings: Vec<Finding> = FILES.iter().flat_map(of_document).collect();
    findings.extend(find(files, BUGS).and_then(|document| miscounted(&document.text)));
    findings
}

/// The sum below the table of real mistakes, if it is not that of the rows.
fn miscounted(text: &str) -> Option<Finding> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let results = rows.filter_map(|row| row.split(" | ").nth(2)?.split('`').nth(1));
    let results: Vec<&str> = results.collect();
    let count = |result| results.iter().filter(|other| **other == result).count();
    let sum = format!(
        "Of the {} mistakes {} are rejected, {} unwritable, {} are errors when the program runs, and {} are open.",
        results.len(),
        count("rejected"),
        count("unwritable"),
        count("runtime"),
        count("open"),
    );
    let problem = format!("does not say: {sum}");
    (!text.contains(&sum)).then(|| Finding::new(BUGS, text.lines().count(), problem))
}

fn of_document(path: &str, files: &[File]) -> Vec<Finding> {
    let Some(document) = find(files, path) else {
        return vec![Finding::new(path, 1, "is missing")];
    };
    let has = |path: &str, is_it: &dyn Fn(&str) -> bool| {
        find(files, path).is_some_and(|file| is_it(&file.text))
    };
    let mut findings = Vec::new();
    for (number, line) in document.lines() {
        for word in line.split('`').skip(1).step_by(2) {
            let (exists, kind) = if is_case(word) {
                (has(&format!("ui-tests/cases/{word}.rs"), &|_| true), "case")
            } else if tests_in::is_path(word) {
                let read = |path: &str| find(files, path).map(|file| file.text.clone());
                (tests_in::problem(word, read).is_none(), "test")
            } else if let Some(error) = word.strip_prefix("Usage::") {
                (has(ERRORS, &|text| has_variant(text, error)), "error")
            } else {
                continue;
            };
            if !exists {
                let what = format!("names `{word}`, which is no {kind}");
                findings.push(Finding::new(path, number, what));
            }
        }
    }
    findings
}

/// Whether a word has the form `<area>/<mistake>`.
fn is_case(word: &str) -> bool {
    let folder = word.split_once('/').map(|(folder, _)| folder);
    folder.is_some_and(|folder| area::folders().any(|known| known == folder))
}

/// Whether the enumeration in a file has this variant.
fn has_variant(text: &str, name: &str) -> bool {
    let mut names = text.lines().filter_map(|line| line.strip_prefix("    "));
    names.any(|line| line.split([',', ' ', '(']).next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::{FILES, check, miscounted, of_document};
    use crate::files::File;
    use crate::finding::lines;

    #[test]
    fn names_of_nothing_are_found() {
        assert_eq!(check(&[]).len(), FILES.len());
        let files = [
            ("ui-tests/cases/memory/free_twice.rs", "//! Frees.\n"),
            ("tests/it/memory.rs", "#[test]\nfn frees() {}\n"),
            (
                "src/error/usage.rs",
                "enum Usage {\n    Length {\n    Alignment,\n    Model(M),\n",
            ),
            (
                "docs/x.md",
                "`memory/free_twice`, `it::memory::frees`, `Usage::Length`, `Usage::Alignment`, `Usage::Model`\n\
                 `memory/no`, `it::memory::reads`, `Usage::Len`\n",
            ),
        ];
        let files = files.map(|(path, text)| File::sample(path, text));
        let expected = [
            "`memory/no`, which is no case",
            "`it::memory::reads`, which is no test",
            "`Usage::Len`, which is no error",
        ];
        let expected = expected.map(|what| format!("docs/x.md:2: names {what}"));
        assert_eq!(lines(&of_document("docs/x.md", &files)), expected);
    }

    #[test]
    fn the_sum_below_the_table_is_that_of_its_rows() {
        let rows = "| 1 | a | `rejected`: `a/b` |\n| 2 | b | `open`: c |\n\nOf the 2 mistakes ";
        let right =
            "1 are rejected, 0 unwritable, 0 are errors when the program runs, and 1 are open.";
        assert!(miscounted(&format!("{rows}{right}\n")).is_none());
        let wrong = right.replace("and 1", "and 2");
        assert!(miscounted(&format!("{rows}{wrong}\n")).is_some());
    }
}
