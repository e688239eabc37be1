//! The table of misuse names cases that exist.

use super::Finding;
use super::files::File;

const FILE: &str = "docs/misuse.md";

/// The areas whose words begin the name of a case.
const AREAS: [&str; 7] = [
    "runtime/", "device/", "context/", "stream/", "event/", "memory/", "op/",
];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let Some(table) = files.iter().find(|file| file.path == FILE) else {
        return vec![Finding::new(FILE, 1, "is missing")];
    };
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(table.text.lines()) {
        let quoted = line.split('`').skip(1).step_by(2);
        for case in quoted.filter(|word| AREAS.iter().any(|area| word.starts_with(area))) {
            let path = format!("ui-tests/cases/{case}.rs");
            if !files.iter().any(|file| file.path == path) {
                findings.push(Finding::new(
                    FILE,
                    number,
                    format!("names `{case}`, which is no case"),
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{FILE, check};
    use crate::tidy::files::File;

    #[test]
    fn a_case_that_does_not_exist_is_found() {
        assert_eq!(check(&[]).len(), 1);
        let table = || File::sample(FILE, "| x | `memory/free_twice`, `Usage::Length` |\n");
        let found = check(&[table()]);
        assert_eq!(found.len(), 1);
        assert!(
            found
                .iter()
                .all(|finding| finding.to_string().contains("memory/free_twice"))
        );
        let case = File::sample("ui-tests/cases/memory/free_twice.rs", "//! Frees.\n");
        assert_eq!(check(&[table(), case]), []);
    }
}
