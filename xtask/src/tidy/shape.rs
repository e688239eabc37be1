//! A Rust file states its subject at its head, and is short enough to read at once.

use super::Finding;
use crate::files::File;

/// More lines than this are refused: the file has more than one subject. Examples in the documentation do not count:
/// they are read in the documentation, and a file is not divided because its items have them.
const MOST: usize = 600;
/// A file with more lines than this gets a warning.
const MANY: usize = 400;

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A test includes the last version of a flow into a module, where no such comment may stand.
    let is_included = file.path.starts_with("ui-tests/flows/");
    if !file.text.starts_with("//! ") && !is_included {
        findings.push(Finding::new(
            &file.path,
            1,
            "has no head comment (`//! ...`)",
        ));
    }
    let lines = lines(&file.text);
    if lines > MOST {
        let what = format!("has {lines} lines, more than {MOST}; divide it by subject");
        findings.push(Finding::new(&file.path, lines, what));
    }
    findings
}

/// The number of lines without the examples in the documentation.
fn lines(text: &str) -> usize {
    let mut is_example = false;
    let counts = |line: &&str| {
        let line = line.trim_start();
        let doc = line.strip_prefix("/// ").or(line.strip_prefix("//! "));
        let is_fence = doc.is_some_and(|doc| doc.starts_with("```"));
        let was_example = is_example;
        is_example ^= is_fence;
        !was_example && !is_fence
    };
    text.lines().filter(counts).count()
}

/// Files that are nearly too long, for a warning.
pub(super) fn long_files(files: &[File]) -> Vec<String> {
    let long = files
        .iter()
        .filter(|file| file.is_rust())
        .filter_map(|file| {
            let lines = lines(&file.text);
            let is_long = lines > MANY && lines <= MOST;
            is_long.then(|| format!("{} has {lines} lines, {MOST} are the limit", file.path))
        });
    long.collect()
}

#[cfg(test)]
mod tests {
    use super::{MANY, MOST, check, long_files};
    use crate::files::File;

    #[test]
    fn a_missing_head_is_found() {
        assert_eq!(check(&File::sample("a.rs", "//! Head.\n")), []);
        assert_eq!(check(&File::sample("a.rs", "// Head.\n")).len(), 1);
        assert_eq!(check(&File::sample("a.rs", "\n//! Head.\n")).len(), 1);
        assert_eq!(check(&File::sample("a.rs", "")).len(), 1);
    }

    #[test]
    fn long_files_are_found() {
        let of = |lines| File::sample("a.rs", &"//! Head.\n".repeat(lines));
        assert_eq!(check(&of(MOST)), []);
        assert_eq!(check(&of(MOST + 1)).len(), 1);
        let example = "/// An item.\n/// ```\n/// let a = 1;\n///\n/// ```\npub struct A;\n";
        let with_examples = format!("//! Head.\n{}", example.repeat(MOST / 2));
        assert_eq!(check(&File::sample("a.rs", &with_examples)).len(), 1);
        let with_examples = format!("//! Head.\n{}", example.repeat(MOST / 2 - 1));
        assert_eq!(check(&File::sample("a.rs", &with_examples)), []);
        assert_eq!(long_files(&[of(MANY), of(MANY + 1), of(MOST + 1)]).len(), 1);
    }
}
