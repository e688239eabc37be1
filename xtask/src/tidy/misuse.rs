//! The tables of misuse name cases that exist.

use ui_tests::area;

use super::Finding;
use crate::files::File;

const FILES: [&str; 2] = ["docs/misuse.md", "docs/real-bugs.md"];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    FILES
        .iter()
        .flat_map(|table| of_table(table, files))
        .collect()
}

fn of_table(path: &str, files: &[File]) -> Vec<Finding> {
    let Some(table) = files.iter().find(|file| file.path == path) else {
        return vec![Finding::new(path, 1, "is missing")];
    };
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(table.text.lines()) {
        let quoted = line.split('`').skip(1).step_by(2);
        for case in quoted.filter(|word| is_case(word)) {
            let program = format!("ui-tests/cases/{case}.rs");
            if !files.iter().any(|file| file.path == program) {
                findings.push(Finding::new(
                    path,
                    number,
                    format!("names `{case}`, which is no case"),
                ));
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
    use super::{FILES, check, of_table};
    use crate::files::File;

    #[test]
    fn a_case_that_does_not_exist_is_found() {
        assert_eq!(check(&[]).len(), FILES.len());
        let table = || {
            File::sample(
                "docs/x.md",
                "| x | `memory/free_twice`, `Usage::Length` |\n",
            )
        };
        let found = of_table("docs/x.md", &[table()]);
        assert_eq!(found.len(), 1);
        assert!(
            found
                .iter()
                .all(|finding| finding.to_string().contains("memory/free_twice"))
        );
        let case = File::sample("ui-tests/cases/memory/free_twice.rs", "//! Frees.\n");
        assert_eq!(of_table("docs/x.md", &[table(), case]), []);
    }
}
