//! The files of the repository, and why something failed.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The text of an error is for the user.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file. A relative path is one below the root.
pub(crate) fn text(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    let failed = |error| format!("cannot read {}: {error}", path.display());
    Ok(fs::read_to_string(root().join(path)).map_err(failed)?)
}

/// Writes a file, and makes its folder.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let path = root().join(path);
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(&path, text));
    Ok(written.map_err(|error| format!("cannot write {}: {error}", path.display()))?)
}
