//! Files from wheels, the packages of Python. Some headers are public only there.
//!
//! pip fetches a wheel once, from its configured index. Only the needed files stay, in the user's cache. They must
//! not be published here, so they never enter the repository.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use crate::error::{Context as _, Error};
use crate::process::Line;

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

impl From<Error> for Missing {
    fn from(error: Error) -> Self {
        Missing::Failed(error)
    }
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
        Err(Error::from(format!("{name} holds no {file}; see {}", kept.display())).into())
    }

    /// Fetches the wheel, and makes a folder of its files. The folder gets its name when all is there, so an interrupted
    /// run leaves nothing that a later run takes for complete, and of two runs at once the second replaces the first.
    fn unpack(&self, kept: &Path) -> Result<(), Missing> {
        let failed = format!("cannot make {}", kept.display());
        let part = kept.with_extension(format!("part-{}", process::id()));
        let files = part.join("files");
        fs::create_dir_all(&files).on(&failed)?;
        let made = self.fetch(&part, &files).and_then(|()| {
            let moved = remove(kept).and_then(|()| fs::rename(&files, kept));
            Ok(moved.on(&failed)?)
        });
        remove(&part).on(&failed)?;
        made
    }

    /// Fetches the wheel into a folder, and takes its files out into another one.
    fn fetch(&self, folder: &Path, files: &Path) -> Result<(), Missing> {
        let download = "python3 -m pip download --quiet --no-deps --retries 1 --timeout 20 --only-binary=:all: \
                        --python-version 3.10";
        let platforms = self.platforms.iter().flat_map(|of| ["--platform", *of]);
        let download = Line::new(download)
            .with_option("--dest", folder)
            .with(platforms);
        let unpack =
            Line::new("python3 -c").with([UNPACK.as_ref(), folder, files, self.files.as_ref()]);
        for line in [
            download.with([format!("{}=={}", self.name, self.version)]),
            unpack,
        ] {
            let (status, said) = line.output()?;
            if is_offline(&said) && !status.success() {
                return Err(Missing::Offline);
            } else if !status.success() {
                return Err(Error::from(format!(
                    "python3, whose pip fetches the files, failed:\n{said}"
                ))
                .into());
            }
        }
        Ok(())
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
    let named = |name| env::var_os(name).filter(|value| !value.is_empty());
    let home = named("HOME").map(|home| Path::new(&home).join(".cache"));
    let named = named("XDG_CACHE_HOME").map(PathBuf::from);
    named.or(home).unwrap_or_else(env::temp_dir)
}

/// Whether the output of pip means that the index was not reached.
fn is_offline(text: &str) -> bool {
    let words = [
        "failed to establish a new connection",
        "name resolution",
        "max retries exceeded",
        "connection broken",
        "connect timeout",
        "connecttimeout",
        "network is unreachable",
    ];
    let text = text.to_lowercase();
    words.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::{Missing, Wheel, is_offline};
    use crate::files::scratch;

    #[test]
    fn a_wheel_that_does_not_exist_leaves_nothing() {
        let (name, version, platforms, files) = ("no/such/wheel", "0", &[], "");
        let wheel = Wheel {
            name,
            version,
            platforms,
            files,
        };
        let left = scratch("wheel", |folder| {
            let unpacked = wheel.unpack(&folder.join("kept"));
            assert!(matches!(unpacked, Err(Missing::Failed(_))));
            std::fs::read_dir(folder).map_or(0, Iterator::count)
        });
        assert!(left.is_ok_and(|left| left == 0));
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
