//! No file names a place that exists on one machine only.

use super::Finding;
use crate::files::File;

/// Top-level folders whose contents differ from machine to machine.
const FOLDERS: [&str; 4] = ["work", "tmp", "root", "home"];

/// The user that the Ascend installer itself creates, so a real place on every machine with CANN.
const INSTALLER_USER: &str = "HwHiAiUser";

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in file.lines() {
        for folder in FOLDERS {
            if names_folder(line, folder) {
                let what = format!("names a path of one machine, under `/{folder}`");
                findings.push(Finding::new(&file.path, number, what));
            }
        }
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
    use super::{FOLDERS, INSTALLER_USER, check};
    use crate::files::File;

    #[test]
    fn absolute_paths_are_found() {
        for folder in FOLDERS {
            for text in [
                format!("cd /{folder}/me\n"),
                format!("\"/{folder}/me/a.so\"\n"),
            ] {
                assert_eq!(check(&File::sample("a.md", &text)).len(), 1, "{text}");
            }
        }
    }

    #[test]
    fn relative_paths_and_web_pages_are_fine() {
        for folder in FOLDERS {
            for before in ["target", "$OUT", "https://example.org"] {
                let text = format!("{before}/{folder}/a\n");
                assert_eq!(check(&File::sample("a.md", &text)), [], "{text}");
            }
        }
        let text = format!("/{}/{INSTALLER_USER}/Ascend\n", "home");
        assert_eq!(check(&File::sample("a.rs", &text)), []);
    }
}
