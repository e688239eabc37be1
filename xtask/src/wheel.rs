//! Files from wheels, the packages of Python. Some headers are public only there.
//!
//! pip fetches a wheel once, from its configured index. Only the needed files stay, in the user's cache. They must
//! not be published here, so they never enter the repository.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use crate::error::Error;

/// Takes some files out of the one wheel in a folder.
const UNPACK: &str = "\
import glob, re, sys, zipfile
for path in glob.glob(sys.argv[1] + '/*.whl'):
    with zipfile.ZipFile(path) as wheel:
        names = [n for n in wheel.namelist() if re.search(sys.argv[3], n)]
        wheel.extractall(sys.argv[2], names)
";

/// A wheel, and the files of it that are used.
#[derive(Debug)]
pub(crate) struct Wheel<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    /// The platforms with suitable wheels.
    pub(crate) platforms: &'a [&'a str],
    /// Matches the names of the files to store.
    pub(crate) files: &'a str,
}

/// Why there are no files.
#[derive(Debug)]
pub(crate) enum Missing {
    /// The index cannot be reached.
    Offline,
    Failed(Error),
}

impl Wheel<'_> {
    /// A folder of the user's cache with the wheel's files, one of which is given. Fetches them on first use, for a command.
    pub(crate) fn kept(&self, command: &str, folder: &str, file: &str) -> Result<PathBuf, Missing> {
        let kept = cache().join(folder);
        let name = format!("{}-{}", self.name, self.version);
        if !kept.join(file).is_file() {
            println!("{command}: fetching {name}");
            self.unpack(&kept)?;
        }
        if kept.join(file).is_file() {
            return Ok(kept);
        }
        let text = format!("{name} holds no {file}; see {}", kept.display());
        Err(Missing::Failed(Error::Failed(text)))
    }

    /// Fetches the wheel, and makes a folder of its files. The folder gets its name when all is there, so an interrupted
    /// run leaves nothing that a later run takes for complete, and of two runs at once the second replaces the first.
    fn unpack(&self, kept: &Path) -> Result<(), Missing> {
        let failed = |error: io::Error| {
            let text = format!("cannot make {}: {error}", kept.display());
            Missing::Failed(Error::Failed(text))
        };
        let part = kept.with_extension(format!("part-{}", process::id()));
        let files = part.join("files");
        fs::create_dir_all(&files).map_err(failed)?;
        let made = self.fetch(&part, &files).and_then(|()| {
            remove(kept)
                .and_then(|()| fs::rename(&files, kept))
                .map_err(failed)
        });
        remove(&part).map_err(failed)?;
        made
    }

    /// Fetches the wheel into a folder, and takes its files out into another one.
    fn fetch(&self, folder: &Path, files: &Path) -> Result<(), Missing> {
        let folder = folder.display().to_string();
        let requirement = format!("{}=={}", self.name, self.version);
        let download = "-m pip download --quiet --no-deps --retries 1 --timeout 20 --only-binary=:all: \
                        --python-version 3.10";
        let mut download: Vec<&str> = download.split(' ').collect();
        download.extend(["--dest", &folder, &requirement]);
        for platform in self.platforms {
            download.extend(["--platform", platform]);
        }
        python(&download)?;
        let files = files.display().to_string();
        python(&["-c", UNPACK, &folder, &files, self.files])
    }
}

/// Removes a folder, if there is one.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The folder for files that later runs use.
fn cache() -> PathBuf {
    let named = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    home.unwrap_or_else(env::temp_dir)
}

fn python(arguments: &[&str]) -> Result<(), Missing> {
    let output = Command::new("python3")
        .args(arguments)
        .output()
        .map_err(|error| {
            let text = format!("cannot start python3, whose pip fetches the headers: {error}");
            Missing::Failed(Error::Failed(text))
        })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if is_offline(&text) {
        return Err(Missing::Offline);
    }
    let text = format!(
        "python3 {} failed:\n{text}",
        arguments.first().unwrap_or(&"")
    );
    Err(Missing::Failed(Error::Failed(text)))
}

/// Whether the output of pip means that the index was not reached.
fn is_offline(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "failed to establish a new connection",
        "name resolution",
        "max retries exceeded",
        "connection broken",
        "connect timeout",
        "connecttimeout",
        "network is unreachable",
    ]
    .iter()
    .any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::{Missing, Wheel, is_offline};

    #[test]
    fn a_wheel_that_does_not_exist_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("ascendcl-wheel-{}", std::process::id()));
        let wheel = Wheel {
            name: "no/such/wheel",
            version: "0",
            platforms: &[],
            files: "",
        };
        assert!(matches!(
            wheel.unpack(&folder.join("kept")),
            Err(Missing::Failed(_))
        ));
        let left = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        assert_eq!(left, 0);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_missing_network_is_told_from_a_missing_version() {
        let words = "WARNING: Retrying (Retry(total=0)) after connection broken by \
                     'NewConnectionError: Failed to establish a new connection'";
        assert!(is_offline(words));
        assert!(!is_offline(
            "ERROR: No matching distribution found for torch-npu==0"
        ));
    }
}
