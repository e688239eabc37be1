//! Files out of wheels, the packages of Python: the only place where some headers are public.
//!
//! A wheel is fetched by pip from the index that it is configured with, once, and only what is asked for
//! is kept, in the user's cache. It is not ours to publish, so it never enters the repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// Takes some files out of the one wheel in a folder.
const UNPACK: &str = "\
import glob, re, sys, zipfile
for path in glob.glob(sys.argv[1] + '/*.whl'):
    with zipfile.ZipFile(path) as wheel:
        names = [n for n in wheel.namelist() if re.search(sys.argv[3], n)]
        wheel.extractall(sys.argv[2], names)
";

/// A wheel, and what of it is of use.
#[derive(Debug)]
pub(crate) struct Wheel<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    /// The platforms whose wheels will do.
    pub(crate) platforms: &'a [&'a str],
    /// Matches the names of the files that are kept.
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
    /// Fetches the wheel, and puts its files below a folder.
    pub(crate) fn unpack(&self, kept: &Path) -> Result<(), Missing> {
        let fetched = kept.join("wheel");
        fs::create_dir_all(&fetched).map_err(|error| {
            let text = format!("cannot create {}: {error}", fetched.display());
            Missing::Failed(Error::Failed(text))
        })?;
        let folder = fetched.display().to_string();
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
        let kept = kept.display().to_string();
        python(&["-c", UNPACK, &folder, &kept, self.files])?;
        // The wheel itself is large, and has served.
        let _ = fs::remove_dir_all(&fetched);
        Ok(())
    }
}

/// A folder of this name for what is kept between runs.
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

/// Whether pip's words mean that the index was not reached.
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
    use super::is_offline;

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
