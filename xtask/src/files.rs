//! The files of the repository: those that git tracks or would track.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use ui_tests::cases::Cases;

use crate::error::Error;
use crate::process::root;

/// A text file.
#[derive(Debug)]
pub(crate) struct File {
    /// The path from the root, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The lines with their numbers, counted from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The lines of a Rust file without comments. Block comments are not in use here.
    ///
    /// A string that holds two slashes is cut there, which only makes the checks more lenient.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines()
            .map(|(n, line)| (n, line.split_once("//").map_or(line, |(code, _)| code)))
    }
}

/// Reads all text files; pictures and other data are left out.
pub(crate) fn read(root: &Path) -> Result<Vec<File>, String> {
    let paths = match git_files(root) {
        Some(paths) => paths,
        // An unpacked archive has no repository.
        None => walk(root).map_err(|error| format!("cannot list the files: {error}"))?,
    };
    let mut files = Vec::new();
    for path in paths {
        match fs::read(root.join(&path)) {
            Ok(bytes) if bytes.contains(&0) => {}
            Ok(bytes) => files.extend(
                String::from_utf8(bytes)
                    .ok()
                    .map(|text| File { path, text }),
            ),
            // Deleted, but not yet committed so.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot read {path}: {error}")),
        }
    }
    Ok(files)
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Error> {
    let shown = path.strip_prefix(root()).unwrap_or(path).display();
    fs::read_to_string(path).map_err(|error| Error::Failed(format!("cannot read {shown}: {error}")))
}

/// Writes a file, and makes its folder.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Error::Failed(format!("cannot write {}: {error}", path.display())))
}

/// The files of a folder and of those in it, in the order of their names.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let paths = walk(folder).map_err(|error| {
        Error::Failed(format!(
            "cannot read the folder {}: {error}",
            folder.display()
        ))
    })?;
    Ok(paths.iter().map(|path| folder.join(path)).collect())
}

/// The programs that must not compile.
pub(crate) fn cases() -> Result<Cases, Error> {
    Cases::read(&root().join("ui-tests"))
        .map_err(|error| Error::Failed(format!("cannot read the ui cases: {error}")))
}

fn git_files(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8(output.stdout).ok()?;
    let mut paths: Vec<_> = names.split_terminator('\0').map(String::from).collect();
    // A file in conflict is listed once per side.
    paths.sort();
    paths.dedup();
    Some(paths)
}

fn walk(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() {
                name.clone()
            } else {
                format!("{folder}/{name}")
            };
            if !entry.file_type()?.is_dir() {
                paths.push(path);
            } else if name != "target" && name != ".git" {
                folders.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
impl File {
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{File, read};
    use crate::process::root;

    #[test]
    fn this_file_is_among_the_files() {
        let files = read(&root()).unwrap_or_default();
        assert!(files.iter().any(|file| file.path == "xtask/src/files.rs"));
        assert!(!files.iter().any(|file| file.path.starts_with("target/")));
    }

    #[test]
    fn a_walk_finds_what_git_lists() {
        let paths = super::walk(&root()).unwrap_or_default();
        assert!(paths.contains(&"xtask/src/files.rs".to_string()));
        assert!(!paths.iter().any(|path| path.starts_with(".git/")));
    }

    #[test]
    fn code_has_no_comments() {
        let file = File::sample("a.rs", "//! Head.\nlet a = 1; // why\n");
        let code: Vec<_> = file.code().collect();
        assert_eq!(code, [(1, ""), (2, "let a = 1; ")]);
    }
}
