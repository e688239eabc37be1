//! The documents on misuse, peers and soundness name cases, tests and errors that exist, and count their rows.

use ui_tests::area;

use super::Finding;
use crate::files::File;
use crate::tests_in;

const FILES: [&str; 4] = [
    "docs/misuse.md",
    "docs/peers.md",
    "docs/real-bugs.md",
    "docs/soundness.md",
];

/// The file with the errors that a caller's mistake has.
const ERRORS: &str = "src/error/usage.rs";

/// The document that counts its rows.
const BUGS: &str = "docs/real-bugs.md";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = FILES
        .iter()
        .flat_map(|document| of_document(document, files))
        .collect();
    if let Some(document) = files.iter().find(|file| file.path == BUGS) {
        findings.extend(miscounted(&document.text));
    }
    findings
}

/// The sum below the table of real mistakes, if it is not that of the rows.
fn miscounted(text: &str) -> Option<Finding> {
    let results = text.lines().filter(|line| line.starts_with("| "));
    let results: Vec<&str> = results
        .filter_map(|line| line.split(" | ").nth(2)?.split('`').nth(1))
        .collect();
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
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some(document) = find(path) else {
        return vec![Finding::new(path, 1, "is missing")];
    };
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(document.text.lines()) {
        for word in line.split('`').skip(1).step_by(2) {
            let problem = if is_case(word) {
                let program = format!("ui-tests/cases/{word}.rs");
                find(&program).is_none().then_some("which is no case")
            } else if let Some((file, function)) = tests_in::place(word) {
                let exists = find(&file).is_some_and(|f| tests_in::has_test(&f.text, function));
                (!exists).then_some("which is no test")
            } else if let Some(error) = word.strip_prefix("Usage::") {
                let exists = find(ERRORS).is_some_and(|file| has_variant(&file.text, error));
                (!exists).then_some("which is no error")
            } else {
                None
            };
            if let Some(problem) = problem {
                let text = format!("names `{word}`, {problem}");
                findings.push(Finding::new(path, number, text));
            }
        }
    }
    findings
}

/// Whether a word has the form `<area>/<mistake>`.
fn is_case(word: &str) -> bool {
    word.split_once('/')
        .is_some_and(|(folder, _)| area::folders().any(|known| known == folder))
}

/// Whether the enumeration in a file has this variant.
fn has_variant(text: &str, name: &str) -> bool {
    let ends = [",", " {", "("];
    let mut rests = text
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.strip_prefix(name));
    rests.any(|rest| ends.iter().any(|end| rest.starts_with(end)))
}

#[cfg(test)]
mod tests {
    use super::{FILES, check, miscounted, of_document};
    use crate::files::File;

    /// The findings in a document that names a case and a test, beside other files.
    fn found(others: [Option<File>; 2]) -> Vec<String> {
        let text = "| x | `memory/free_twice`, `Usage::Length`, `it::memory::frees` |\n";
        let errors = File::sample("src/error/usage.rs", "enum Usage {\n    Length {\n");
        let mut files = vec![File::sample("docs/x.md", text), errors];
        files.extend(others.into_iter().flatten());
        let findings = of_document("docs/x.md", &files);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_of_nothing_are_found() {
        assert_eq!(check(&[]).len(), FILES.len());
        let case = || File::sample("ui-tests/cases/memory/free_twice.rs", "//! Frees.\n");
        let test = || File::sample("tests/it/memory.rs", "#[test]\nfn frees() {}\n");
        let other = || File::sample("tests/it/memory.rs", "#[test]\nfn reads() {}\n");

        assert_eq!(found([Some(case()), Some(test())]), [""; 0]);
        assert_eq!(
            found([None, Some(test())]),
            ["docs/x.md:1: names `memory/free_twice`, which is no case"]
        );
        assert_eq!(
            found([Some(case()), Some(other())]),
            ["docs/x.md:1: names `it::memory::frees`, which is no test"]
        );
    }

    #[test]
    fn errors_that_do_not_exist_are_found() {
        let errors = "enum Usage {\n    Length {\n    Alignment,\n    Model(ModelMismatch),\n";
        let names = "`Usage::Length`, `Usage::Alignment`, `Usage::Model`, `Usage::Len`\n";
        let files = [
            File::sample("docs/x.md", names),
            File::sample("src/error/usage.rs", errors),
        ];
        let findings = of_document("docs/x.md", &files);
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            ["docs/x.md:1: names `Usage::Len`, which is no error"]
        );
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
