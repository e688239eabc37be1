//! The documents on misuse and soundness name cases and tests that exist.

use ui_tests::area;

use super::Finding;
use crate::files::File;
use crate::tests_in;

const FILES: [&str; 3] = ["docs/misuse.md", "docs/real-bugs.md", "docs/soundness.md"];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    FILES
        .iter()
        .flat_map(|document| of_document(document, files))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::{FILES, check, of_document};
    use crate::files::File;

    /// The findings in a document that names a case and a test, beside other files.
    fn found(others: [Option<File>; 2]) -> Vec<String> {
        let text = "| x | `memory/free_twice`, `Usage::Length`, `it::memory::frees` |\n";
        let mut files = vec![File::sample("docs/x.md", text)];
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
}
