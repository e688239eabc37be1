//! The table beside the peers counts the lines and the `unsafe` blocks of its programs, and has all of them.

use super::Finding;
use crate::files::File;

/// The document with the table.
const DOCUMENT: &str = "docs/peers.md";

/// The folder with the programs of the peers.
const PEERS: &str = "benches/peers/flows/src/bin/";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some(document) = find(DOCUMENT) else {
        return vec![Finding::new(DOCUMENT, 1, "is missing")];
    };
    let mut findings = Vec::new();
    for (number, line) in document.lines() {
        let Some((path, lines, blocks)) = row(line) else {
            continue;
        };
        let problem = match find(path).map(count) {
            None => format!("links to `{path}`, which does not exist"),
            Some(counted) if [lines, blocks] == counted.map(|count| count.to_string()) => continue,
            Some([lines, blocks]) => {
                format!("`{path}` has {lines} lines and {blocks} `unsafe` blocks")
            }
        };
        findings.push(Finding::new(DOCUMENT, number, problem));
    }
    let rows: Vec<_> = document.text.lines().filter_map(row).collect();
    let programs = files.iter().filter(|file| file.path.starts_with(PEERS));
    let missing = programs.filter(|file| !rows.iter().any(|(path, ..)| *path == file.path));
    findings.extend(missing.map(|file| Finding::new(&file.path, 1, "has no row in docs/peers.md")));
    findings
}

/// The file of a row of the table, its lines, and its `unsafe` blocks.
fn row(line: &str) -> Option<(&str, &str, &str)> {
    let mut cells = line.split('|').map(str::trim).skip(2);
    let (_, rest) = cells.next()?.split_once("](../")?;
    Some((rest.strip_suffix(')')?, cells.next()?, cells.next()?))
}

/// The lines without blank ones, comments and settings of lints, and the `unsafe` blocks.
fn count(file: &File) -> [usize; 2] {
    let code = file.code().map(|(_, line)| line.trim());
    let code: Vec<&str> = code
        .filter(|line| !line.is_empty() && !line.starts_with("#!["))
        .collect();
    let blocks = code.iter().map(|line| line.matches("unsafe {").count());
    [code.len(), blocks.sum()]
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENT, PEERS, check};
    use crate::files::File;

    #[test]
    fn wrong_counts_and_missing_rows_are_found() {
        let program =
            "//! A.\n#![expect(a)]\n\nfn main() {\n    // SAFETY: b.\n    unsafe { b() }\n}\n";
        let path = format!("{PEERS}a.rs");
        let found = |row: &str| {
            let files = [(DOCUMENT, row), (&path, program)];
            check(&files.map(|(path, text)| File::sample(path, text))).len()
        };
        let row = |path: &str, counts: &str| {
            format!("| work | [`a`](../{path}) | {counts} | 7 | words |\n")
        };
        assert_eq!(found(&row(&path, "3 | 1")), 0);
        assert_eq!(found(&row(&path, "3 | 1").replace("work ", "")), 0);
        for counts in ["4 | 1", "3 | 0"] {
            assert_eq!(found(&row(&path, counts)), 1, "{counts}");
        }
        assert_eq!(found("| work | program | lines |\n"), 1);
        assert_eq!(found(&row("none.rs", "3 | 1")), 2);
        assert_eq!(check(&[]).len(), 1);
    }
}
