//! No spaces at the end of a line, and a line break at the end of a file. The inputs of fuzzing may have any form.

use super::Finding;
use crate::files::File;

/// Inputs of fuzzing.
const INPUTS: &str = "fuzz/corpus/";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    if file.path.starts_with(INPUTS) {
        return findings;
    }
    for (number, line) in (1..).zip(file.text.split('\n')) {
        if line.ends_with(char::is_whitespace) {
            findings.push(Finding::new(
                &file.path,
                number,
                "has spaces at the end of the line",
            ));
        }
    }
    let lines = file.text.lines().count();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(Finding::new(
            &file.path,
            lines,
            "has no line break at the end",
        ));
    }
    if file.text.ends_with("\n\n") {
        findings.push(Finding::new(
            &file.path,
            lines,
            "has empty lines at the end",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;

    #[test]
    fn spaces_and_missing_line_breaks_are_found() {
        for text in ["a \nb\n", "a\t\n", "a\r\n", "a", "a\n\n"] {
            assert_eq!(check(&File::sample("a.md", text)).len(), 1, "{text:?}");
        }
        for text in ["", "a\n", "a\n\nb\n"] {
            assert_eq!(check(&File::sample("a.md", text)), [], "{text:?}");
        }
    }
}
