//! The table beside the peers counts the lines and the `unsafe` blocks of its programs, and has all of them.

use super::find;
use crate::files::File;
use crate::finding::Finding;

/// The document with the table.
const DOCUMENT: &str = "docs/peers.md";

/// The folder with the programs of the peers.
const PEERS: &str = "benches/peers/flows/src/bin/";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let Some(document) = find(files, DOCUMENT) else {
        return vec![Finding::new(DOCUMENT, 1, "is missing")];
    };
    let mut findings = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in document.lines() {
        let Some((path, counts)) = row(line) else {
            continue;
        };
        rows.push(path);
        let problem = match find(files, path).map(count) {
            None => format!("links to `{path}`, which does not exist"),
            Some(counted) if counts == counted.map(|count| count.to_string()) => continue,
            Some([lines, blocks]) => {
                format!("`{path}` has {lines} lines and {blocks} `unsafe` blocks")
            }
        };
        findings.push(Finding::new(DOCUMENT, number, problem));
    }
    let programs = files.iter().map(|file| file.path.as_str());
    let programs = programs.filter(|path| path.starts_with(PEERS) && !rows.contains(path));
    findings.extend(programs.map(|path| Finding::new(path, 1, "has no row in docs/peers.md")));
    findings
}

/// The file of a row of the table, its lines, and its `unsafe` blocks.
fn row(line: &str) -> Option<(&str, [&str; 2])> {
    let mut cells = line.split('|').map(str::trim).skip(2);
    let (_, rest) = cells.next()?.split_once("](../")?;
    Some((rest.strip_suffix(')')?, [cells.next()?, cells.next()?]))
}

/// The lines without blank ones, comments and settings of lints, and the `unsafe` blocks.
fn count(file: &File) -> [usize; 2] {
    let code = file.code().map(|(_, line)| line.trim());
    let code = code.filter(|line| !line.is_empty() && !line.starts_with("#!["));
    code.fold([0, 0], |[lines, blocks], line| {
        [lines + 1, blocks + line.matches("unsafe {").count()]
    })
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
        let found = |path_of_row: &str, counts: &str| {
            let row = format!("| work | [`a`](../{path_of_row}) | {counts} | 7 | words |\n");
            let files = [(DOCUMENT, row.as_str()), (&path, program)];
            check(&files.map(|(path, text)| File::sample(path, text))).len()
        };
        assert_eq!(found(&path, "3 | 1"), 0);
        assert_eq!(found(&path, "4 | 1"), 1);
        assert_eq!(found(&path, "3 | 0"), 1);
        assert_eq!(found("none.rs", "3 | 1"), 2);
        assert_eq!(check(&[]).len(), 1);
    }
}
