//! The files of the repository: those that git tracks or would track.

use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::{env, fs, io};

use ui_tests::cases::Cases;

use crate::error::{Context as _, Error};
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
pub(crate) fn read() -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    for path in paths()? {
        match fs::read(root().join(&path)) {
            Ok(bytes) if bytes.contains(&0) => {}
            Ok(bytes) => {
                let text = String::from_utf8(bytes).ok();
                files.extend(text.map(|text| File { path, text }));
            }
            // Deleted, but not yet committed so.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot read {path}: {error}").into()),
        }
    }
    Ok(files)
}

/// The text of a file. A relative path is one below the root.
pub(crate) fn text(path: impl AsRef<Path>) -> Result<String, Error> {
    let path = root().join(path);
    let shown = path.strip_prefix(root()).unwrap_or(&path).display();
    fs::read_to_string(&path).on(format!("cannot read {shown}"))
}

/// Writes a file, and makes its folder.
pub(crate) fn write(path: impl AsRef<Path>, text: &str) -> Result<(), Error> {
    let path = root().join(path);
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(&path, text));
    written.on(format!("cannot write {}", path.display()))
}

/// The files of a folder and of those in it, in the order of their names.
pub(crate) fn below(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
    let folder = root().join(folder);
    walk(&folder).on(format!("cannot read the folder {}", folder.display()))
}

/// The programs that must not compile.
pub(crate) fn cases() -> Result<Cases, Error> {
    Cases::read(&root().join("ui-tests")).on("cannot read the ui cases")
}

/// The words of a text: letters, digits and `_`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    words.filter(|word| !word.is_empty())
}

/// Makes a folder for a use, and removes it behind the use.
pub(crate) fn scratch<T>(name: &str, using: impl FnOnce(&Path) -> T) -> Result<T, Error> {
    let folder = env::temp_dir().join(format!("xtask-{name}-{}", process::id()));
    fs::create_dir_all(&folder).on(format!("cannot make {}", folder.display()))?;
    let made = using(&folder);
    let _ = fs::remove_dir_all(&folder);
    Ok(made)
}

/// The end of a removal, also of what is not there.
pub(crate) fn removed(end: io::Result<()>) -> io::Result<()> {
    match end {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The paths of the files that git tracks or would track.
fn paths() -> Result<Vec<String>, Error> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .current_dir(root());
    let listed = git.output().ok().filter(|output| output.status.success());
    let Some(listed) = listed else {
        // An unpacked archive has no repository.
        let paths = below("")?.into_iter();
        let shown = |path: PathBuf| Some(path.strip_prefix(root()).ok()?.display().to_string());
        return Ok(paths.filter_map(shown).collect());
    };
    let names = String::from_utf8(listed.stdout).on("cannot list the files")?;
    let mut paths: Vec<_> = names.split_terminator('\0').map(String::from).collect();
    // A file in conflict is listed once per side.
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn walk(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if !entry.file_type()?.is_dir() {
            files.push(path);
        } else if !path.ends_with("target") && !path.ends_with(".git") {
            files.extend(walk(&path)?);
        }
    }
    files.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    Ok(files)
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
