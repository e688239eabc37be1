//! A Rust file states its subject at its head, and is short enough to read at once.

use super::Finding;
use crate::files::File;

/// More lines than this are refused: the file has more than one subject.
const MOST: usize = 600;
/// A file with more lines than this gets a warning.
const MANY: usize = 400;

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !file.text.starts_with("//! ") {
        findings.push(Finding::new(
            &file.path,
            1,
            "has no head comment (`//! ...`)",
        ));
    }
    let lines = file.text.lines().count();
    if lines > MOST {
        let what = format!("has {lines} lines, more than {MOST}; divide it by subject");
        findings.push(Finding::new(&file.path, lines, what));
    }
    findings
}

/// Files that are nearly too long, for a warning.
pub(super) fn long_files(files: &[File]) -> Vec<String> {
    let long = files
        .iter()
        .filter(|file| file.is_rust())
        .filter_map(|file| {
            let lines = file.text.lines().count();
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
        assert_eq!(long_files(&[of(MANY), of(MANY + 1), of(MOST + 1)]).len(), 1);
    }
}
