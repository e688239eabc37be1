//! CHANGELOG.md has a section for changes that are not released.

use super::Finding;
use crate::files::File;

const FILE: &str = "CHANGELOG.md";

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let Some(changelog) = files.iter().find(|file| file.path == FILE) else {
        return vec![Finding::new(FILE, 1, "is missing")];
    };
    let is_unreleased = |line: &str| line == "## Unreleased" || line == "## [Unreleased]";
    if changelog.text.lines().any(is_unreleased) {
        Vec::new()
    } else {
        vec![Finding::new(FILE, 1, "has no section `## Unreleased`")]
    }
}

#[cfg(test)]
mod tests {
    use super::{FILE, check};
    use crate::files::File;

    #[test]
    fn a_missing_section_is_found() {
        assert_eq!(check(&[]).len(), 1);
        let found = |text| check(&[File::sample(FILE, text)]).len();
        assert_eq!(found("# Changelog\n## 0.1.0\n"), 1);
        assert_eq!(found("# Changelog\n\n## [Unreleased]\n"), 0);
        assert_eq!(found("## Unreleased\n"), 0);
    }
}
