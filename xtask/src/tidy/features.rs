//! Each feature of the typed API has a row in the documents that list them.

use super::find;
use crate::files::File;
use crate::finding::Finding;

const MANIFEST: &str = "Cargo.toml";

/// The documents with a table of features.
const DOCUMENTS: [&str; 3] = [
    "src/lib.rs",
    "docs/guide/en/src/install.md",
    "docs/guide/zh/src/install.md",
];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let manifest = find(files, MANIFEST).map_or("", |file| &file.text);
    let names: Vec<&str> = features(manifest).collect();
    let mut findings = Vec::new();
    if names.is_empty() {
        findings.push(Finding::new(MANIFEST, 1, "has no features"));
    }
    for path in DOCUMENTS {
        let text = find(files, path).map_or("", |file| &file.text);
        for name in &names {
            if !text.contains(&format!("| `{name}`")) {
                let what = format!("the table of features lacks a row for `{name}`");
                findings.push(Finding::new(path, 1, what));
            }
        }
    }
    findings
}

/// The names of the section `[features]` but `default`.
fn features(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest.lines().skip_while(|line| *line != "[features]");
    let rows = section.skip(1).take_while(|line| !line.starts_with('['));
    let names = rows.filter_map(|line| Some(line.split_once(" = ")?.0));
    names.filter(|name| *name != "default" && !name.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENTS, MANIFEST, check};
    use crate::files::File;
    use crate::finding::lines;

    #[test]
    fn features_that_a_table_lacks_are_found() {
        assert_eq!(lines(&check(&[])), ["Cargo.toml:1: has no features"]);
        let manifest = "[package]\nname = \"a\"\n[features]\ndefault = [\"one\"]\n# A = b.\none = []\ntwo = []\n\
                        [dependencies]\nthree = \"1\"\n";
        let table = "| `one` (default) | first |\n//! | `two` | second |\n";
        let files = |last| {
            let [first, second, third] = DOCUMENTS;
            [
                (MANIFEST, manifest),
                (first, table),
                (second, table),
                (third, last),
            ]
            .map(|(path, text)| File::sample(path, text))
        };
        assert_eq!(lines(&check(&files(table))), [""; 0]);
        let missing = "docs/guide/zh/src/install.md:1: the table of features lacks a row for `two`";
        assert_eq!(lines(&check(&files("| `one` |"))), [missing]);
    }
}
