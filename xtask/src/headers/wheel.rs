//! The headers of AscendCL from where they are public: the wheels of `torch-npu`.
//!
//! A wheel is fetched by pip from the index that it is configured with, once, and only its headers are
//! kept, in the user's cache. They are not ours to publish, so they never enter the repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// Versions of the wheel, and the ACL whose headers they carry. The older one can be read as C++ only.
pub(super) const WHEELS: [(&str, &str); 2] = [("2.14.0", "1.17"), ("2.9.0", "1.15")];

/// Takes the headers out of the one wheel in a folder.
const UNPACK: &str = "\
import glob, sys, zipfile
for path in glob.glob(sys.argv[1] + '/*.whl'):
    with zipfile.ZipFile(path) as wheel:
        names = [n for n in wheel.namelist() if '/acl/' in n and n.endswith('.h')]
        wheel.extractall(sys.argv[2], names)
";

/// Why there are no headers.
#[derive(Debug)]
pub(super) enum Missing {
    /// The index cannot be reached.
    Offline,
    Failed(Error),
}

/// The folder that holds `acl/acl.h` of a wheel; fetches it on first need.
pub(super) fn headers(version: &str) -> Result<PathBuf, Missing> {
    let kept = cache().join(version);
    if let Some(found) = find(&kept) {
        return Ok(found);
    }
    let fetched = kept.join("wheel");
    fs::create_dir_all(&fetched).map_err(|error| {
        let text = format!("cannot create {}: {error}", fetched.display());
        Missing::Failed(Error::Failed(text))
    })?;
    println!("headers: fetching torch-npu {version}");
    let requirement = format!("torch-npu=={version}");
    let folder = fetched.display().to_string();
    // Which platform the wheel is for does not matter to headers.
    python(&[
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
        "--platform",
        "manylinux_2_28_x86_64",
        "--dest",
        &folder,
        &requirement,
    ])?;
    python(&["-c", UNPACK, &folder, &kept.display().to_string()])?;
    // The wheel itself is large, and has served.
    let _ = fs::remove_dir_all(&fetched);
    find(&kept).ok_or_else(|| {
        let text = format!(
            "torch-npu {version} holds no acl/acl.h; see {}",
            kept.display()
        );
        Missing::Failed(Error::Failed(text))
    })
}

/// Where the headers are kept between runs.
fn cache() -> PathBuf {
    let named = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let home = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    home.unwrap_or_else(env::temp_dir).join("ascendcl-headers")
}

/// The shallowest folder below another one that holds `acl/acl.h`.
fn find(folder: &Path) -> Option<PathBuf> {
    let mut level = vec![folder.to_owned()];
    while !level.is_empty() {
        if let Some(found) = level.iter().find(|path| path.join("acl/acl.h").is_file()) {
            return Some(found.clone());
        }
        let below = level.iter().filter_map(|path| fs::read_dir(path).ok());
        level = below
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
            .filter(|path| path.is_dir())
            .collect();
    }
    None
}

fn python(arguments: &[&str]) -> Result<(), Missing> {
    let output = Command::new("python3").args(arguments).output().map_err(|error| {
        let text = format!(
            "cannot start python3, whose pip fetches the headers: {error}; install it, or name headers \
             with --include <folder>"
        );
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
