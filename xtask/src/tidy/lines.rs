//! Facts about single lines: nothing unfinished, no place that exists on one machine only, and no spaces at the end.

use crate::files::{File, words};
use crate::finding::Finding;

/// Words that mark unfinished work. They are split here, or this file would be a finding.
const WORDS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// Macros for debugging only.
const MACROS: [&str; 2] = [concat!("to", "do!("), concat!("db", "g!(")];

/// Top-level folders whose contents differ from machine to machine.
const FOLDERS: [&str; 4] = ["work", "tmp", "root", "home"];

/// The user that the Ascend installer itself creates, so a real place on every machine with CANN.
const INSTALLER_USER: &str = "HwHiAiUser";

/// Inputs of fuzzing, which may have any form.
const INPUTS: &str = "fuzz/corpus/";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |line, what: String| findings.push(Finding::new(&file.path, line, what));
    for (number, line) in file.lines() {
        for word in words(line).filter(|word| WORDS.contains(word)) {
            find(number, format!("`{word}` is left"));
        }
        for folder in FOLDERS.iter().filter(|folder| names_folder(line, folder)) {
            let what = format!("names a path of one machine, under `/{folder}`");
            find(number, what);
        }
    }
    for (number, line) in file.code().filter(|_| file.is_rust()) {
        for name in MACROS.iter().filter(|name| line.contains(**name)) {
            find(number, format!("`{name})` is left"));
        }
    }
    if file.path.starts_with(INPUTS) {
        return findings;
    }
    for (number, line) in (1..).zip(file.text.split('\n')) {
        if line.ends_with(char::is_whitespace) {
            find(number, "has spaces at the end of the line".into());
        }
    }
    let lines = file.text.lines().count();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        find(lines, "has no line break at the end".into());
    }
    if file.text.ends_with("\n\n") {
        find(lines, "has empty lines at the end".into());
    }
    findings
}

fn names_folder(line: &str, folder: &str) -> bool {
    let start = format!("/{folder}/");
    line.match_indices(&start).any(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.strip_prefix(start.as_str()).unwrap_or_default();
        // `$OUT/tmp/`, `target/tmp/` and a page of a web site are no absolute paths.
        let relative = |c: char| c.is_alphanumeric() || "._-~}>)*".contains(c);
        let named = after.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_');
        let installer = folder == "home" && after.starts_with(INSTALLER_USER);
        !before.ends_with(relative) && !installer && (folder != "home" || named)
    })
}

#[cfg(test)]
mod tests {
    use super::{FOLDERS, INSTALLER_USER, MACROS, WORDS, check};
    use crate::files::File;

    #[test]
    fn each_fact_about_a_line_can_be_found() {
        let found = |path: &str, text: &str, count| {
            assert_eq!(check(&File::sample(path, text)).len(), count, "{text:?}");
        };
        for word in WORDS {
            found("a.md", &format!("fine\n- {word}: the rest\n"), 1);
            found("a.md", &format!("MAS{word}S\n"), 0);
        }
        for name in MACROS {
            found("a.rs", &format!("fn f() {{ {name}1) }}\n"), 1);
            found("a.rs", &format!("// never {name}1)\n"), 0);
        }
        for folder in FOLDERS {
            found("a.md", &format!("cd /{folder}/me, \"/{folder}/me\"\n"), 1);
            for before in ["target", "$OUT", "https://example.org"] {
                found("a.md", &format!("{before}/{folder}/a\n"), 0);
            }
        }
        found("a.rs", &format!("/{}/{INSTALLER_USER}/A\n", "home"), 0);
        for text in ["a \nb\n", "a\t\n", "a\r\n", "a", "a\n\n"] {
            found("a.md", text, 1);
            found("fuzz/corpus/a", text, 0);
        }
        for text in ["", "a\n", "a\n\nb\n"] {
            found("a.md", text, 0);
        }
    }
}
