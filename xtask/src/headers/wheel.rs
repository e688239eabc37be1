//! The headers of AscendCL and HCCL from the place where they are public: the wheels of `torch-npu`.
//!
//! pip fetches a wheel once, from its configured index. Only the headers stay, in the user's cache. They must not be
//! published here, so they never enter the repository.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use crate::error::{Context as _, Error};
use crate::files::removed;
use crate::process::Line;

/// Versions of the wheel, the ACL version of their headers, and the folder of `acl/acl.h`.
pub(super) const WHEELS: [(&str, &str, &str); 2] = [
    ("2.14.0", "1.17", "torch_npu/include"),
    ("2.9.0", "1.15", "torch_npu/include/third_party/acl/inc"),
];

/// Takes the headers out of the one wheel in a folder.
const UNPACK: &str = "\
import glob, re, sys, zipfile
for path in glob.glob(sys.argv[1] + '/*.whl'):
    with zipfile.ZipFile(path) as wheel:
        names = [n for n in wheel.namelist() if re.search(r'/(acl|hccl)/.*\\.h$', n)]
        wheel.extractall(sys.argv[2], names)
";

/// A folder of headers; fetches its wheel on first use. There is none if the package index cannot be reached.
pub(super) fn headers(version: &str, folder: &str) -> Result<Option<PathBuf>, Error> {
    let kept = cache().join(format!("ascendcl-headers/{version}-hccl"));
    let is_there = || kept.join(folder).join("acl/acl.h").is_file();
    if !is_there() {
        println!("headers: fetching torch-npu {version}");
        if !unpack(version, &kept).on("name headers of your own with --include <folder>")? {
            return Ok(None);
        }
    }
    let missing = || {
        format!(
            "the wheel holds no {folder}/acl/acl.h; see {}",
            kept.display()
        )
        .into()
    };
    is_there()
        .then(|| Some(kept.join(folder)))
        .ok_or_else(missing)
}

/// Fetches a wheel, and makes a folder of its headers. The folder gets its name when all is there, so an interrupted run
/// leaves nothing that a later run takes for complete, and of two runs at once the second replaces the first. `false` means
/// that the index cannot be reached.
fn unpack(version: &str, kept: &Path) -> Result<bool, Error> {
    let failed = format!("cannot make {}", kept.display());
    let part = kept.with_extension(format!("part-{}", process::id()));
    let files = part.join("files");
    fs::create_dir_all(&files).on(&failed)?;
    let fetched = fetch(version, &part, &files);
    if matches!(fetched, Ok(true)) {
        let moved = removed(fs::remove_dir_all(kept)).and_then(|()| fs::rename(&files, kept));
        moved.on(&failed)?;
    }
    removed(fs::remove_dir_all(&part)).on(&failed)?;
    fetched
}

/// Fetches a wheel into a folder, and takes its headers out into another one.
fn fetch(version: &str, folder: &Path, files: &Path) -> Result<bool, Error> {
    // The platform of the wheel does not matter for headers.
    let download = "python3 -m pip download --quiet --no-deps --retries 1 --timeout 20 --only-binary=:all: \
                    --python-version 3.10 --platform manylinux_2_28_x86_64";
    let download = Line::new(download).with_option("--dest", folder);
    let unpack = Line::new("python3 -c").with([UNPACK.as_ref(), folder, files]);
    for line in [download.with([format!("torch-npu=={version}")]), unpack] {
        let (status, said) = line.output()?;
        if is_offline(&said) && !status.success() {
            return Ok(false);
        } else if !status.success() {
            return Err(format!("python3, whose pip fetches the files, failed:\n{said}").into());
        }
    }
    Ok(true)
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
    const WORDS: &str = "failed to establish a new connection|name resolution|max retries exceeded|connection broken|connect timeout|\
                         connecttimeout|network is unreachable";
    let text = text.to_lowercase();
    WORDS.split('|').any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::{is_offline, unpack};
    use crate::files::scratch;

    #[test]
    fn a_wheel_that_does_not_exist_leaves_nothing() {
        let left = scratch("wheel", |folder| {
            assert!(unpack("no/such/version", &folder.join("kept")).is_err());
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
