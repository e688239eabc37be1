//! Files for parsers that read files.

use std::path::{Path, PathBuf};

/// The folder of this process, in memory where the system has such a place.
fn folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    parent.join(format!("ascendcl-parsers-{}", std::process::id()))
}

/// Writes a file, and returns its path and that of the folder.
pub(crate) fn write(name: &str, bytes: &[u8]) -> (PathBuf, PathBuf) {
    let folder = folder();
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).unwrap();
    }
    std::fs::write(&path, bytes).unwrap();
    (path, folder)
}

/// Removes the folder.
pub(crate) fn remove() {
    std::fs::remove_dir_all(folder()).unwrap();
}
