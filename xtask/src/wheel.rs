//! Files from wheels, the packages of Python. Some headers are public only there.
//!
//! pip fetches a wheel once, from its configured index. Only the needed files stay, in the user's cache. They must
//! not be published here, so they never enter the repository.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// Fetches the wheel, and makes a folder of its files.
    pub(crate) fn unpack(&self, kept: &Path) -> Result<(), Missing> {
        as_a_whole(kept, |scratch, files| self.fetch(scratch, files))
    }

    /// Fetches the wheel into a folder, and takes its files out into another one.
    fn fetch(&self, folder: &Path, files: &Path) -> Result<(), Missing> {
        let folder = folder.display().to_string();
        let requirement = format!("{}=={}", self.name, self.version);
        let mut download = vec![
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--retries",
            "1",
            "--timeout",
            "20",
            "--only-binary=:all:",
            "--python-version",
            "3.10",
            "--dest",
            &folder,
            &requirement,
        ];
        for platform in self.platforms {
            download.extend(["--platform", platform]);
        }
        python(&download)?;
        let files = files.display().to_string();
        python(&["-c", UNPACK, &folder, &files, self.files])
    }
}

/// Replaces a folder by the result of work in two temporary folders beside it. The first is deleted, and the second
/// gets the name of the folder when all is done. So an interrupted run leaves nothing that a later run takes for
/// complete.
fn as_a_whole(
    kept: &Path,
    make: impl FnOnce(&Path, &Path) -> Result<(), Missing>,
) -> Result<(), Missing> {
    let named = |end: &str| {
        let mut name = kept.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let part = named(".part");
    let (scratch, files) = (part.join("scratch"), part.join("files"));
    let failed = |error: io::Error| {
        let text = format!("cannot make {}: {error}", kept.display());
        Missing::Failed(Error::Failed(text))
    };
    if let Some(folder) = kept.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // The lock is held until the end, because two runs at once would work in the same folder. The file stays, since
    // another run may wait for it.
    let missing = !kept.exists();
    let lock = File::create(named(".lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    if missing && kept.exists() {
        // Another run, for which this one waited, has made it.
        return Ok(());
    }
    // Left by an interrupted run.
    remove(&part).map_err(failed)?;
    fs::create_dir_all(&scratch).map_err(failed)?;
    fs::create_dir_all(&files).map_err(failed)?;
    let made = make(&scratch, &files).and_then(|()| {
        remove(kept).map_err(failed)?;
        fs::rename(&files, kept).map_err(failed)
    });
    // The fetched wheel is large and no longer needed. A later run can remove it as well.
    let _ = remove(&part);
    made
}

/// Removes a folder, if there is one.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A folder of this name for files that later runs use.
pub(crate) fn cache(name: &str) -> PathBuf {
    let named = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    home.unwrap_or_else(env::temp_dir).join(name)
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
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Missing, as_a_whole, is_offline};

    /// An empty folder for one test.
    fn folder(name: &str) -> PathBuf {
        let id = std::process::id();
        let folder = std::env::temp_dir().join(format!("ascendcl-wheel-{name}-{id}"));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn write(folder: &Path, name: &str) {
        assert!(fs::create_dir_all(folder).is_ok());
        assert!(fs::write(folder.join(name), name).is_ok());
    }

    #[test]
    fn a_folder_is_there_once_it_is_whole() {
        let folder = folder("whole");
        let kept = folder.join("headers-1.2");
        let made = as_a_whole(&kept, |scratch, files| {
            write(scratch, "headers.whl");
            write(files, "first.h");
            assert!(!kept.exists());
            write(files, "second.h");
            Ok(())
        });
        assert!(made.is_ok());
        assert!(kept.join("first.h").is_file() && kept.join("second.h").is_file());
        assert!(!kept.join("headers.whl").exists());
        assert!(!folder.join("headers-1.2.part").exists());
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn what_fails_half_way_leaves_nothing() {
        let folder = folder("half");
        let kept = folder.join("headers-1.2");
        let made = as_a_whole(&kept, |_, files| {
            write(files, "first.h");
            Err(Missing::Offline)
        });
        assert!(matches!(made, Err(Missing::Offline)));
        assert!(!kept.exists() && !folder.join("headers-1.2.part").exists());
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn what_an_interrupted_run_left_is_made_anew() {
        let folder = folder("interrupted");
        let kept = folder.join("headers-1.2");
        // Half of the files, in the folder or beside it.
        write(&kept, "old.h");
        write(&folder.join("headers-1.2.part/files"), "beside.h");
        let made = as_a_whole(&kept, |_, files| {
            write(files, "first.h");
            Ok(())
        });
        assert!(made.is_ok());
        assert!(kept.join("first.h").is_file());
        assert!(!kept.join("old.h").exists() && !kept.join("beside.h").exists());
        let _ = fs::remove_dir_all(folder);
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
