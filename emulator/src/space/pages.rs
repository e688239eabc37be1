//! Files that are nowhere but in memory: pages that can stand in several places, and in several processes.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};

/// What keeps a file's length.
const SEALS: i32 = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW;

/// A file in memory.
///
/// # Invariants
///
/// It has `len` bytes for good: seals that nobody can break keep its length, so that a page of it that is
/// mapped never goes.
#[derive(Debug)]
pub(crate) struct Pages {
    file: File,
    len: usize,
}

impl Pages {
    /// Some that are full of zeros. The system shows the name to whoever asks about open files.
    pub(crate) fn new(name: &CStr, len: usize) -> io::Result<Pages> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string; a new file touches nothing that exists.
        let file = unsafe { libc::memfd_create(name.as_ptr(), flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: open, and nobody else has it.
        let file = unsafe { File::from_raw_fd(file) };
        file.set_len(len as u64)?;
        // SAFETY: takes numbers.
        if unsafe {
            libc::fcntl(
                file.as_raw_fd(),
                libc::F_ADD_SEALS,
                SEALS | libc::F_SEAL_SEAL,
            )
        } < 0
        {
            return Err(io::Error::last_os_error());
        }
        // INVARIANT: of this length, and sealed.
        Ok(Pages { file, len })
    }

    /// Those of another process; `None` if it can still change their number.
    pub(crate) fn of(file: File) -> Option<Pages> {
        // SAFETY: takes numbers.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        // An error has all bits set.
        if seals < 0 || seals & SEALS != SEALS {
            return None;
        }
        // After the look at the seals: from then on the length stays.
        let len = usize::try_from(file.metadata().ok()?.len()).ok()?;
        // INVARIANT: sealed (checked), so of this length for good; no call takes a seal away.
        Some(Pages { file, len })
    }

    /// The file, to read and write.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Its bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn their_number_stays() {
        let pages = Pages::new(c"test", 8192).unwrap();
        assert!(pages.file().set_len(4096).is_err());
        assert!(pages.file().set_len(16384).is_err());
        assert_eq!(
            (pages.len(), pages.file().metadata().unwrap().len()),
            (8192, 8192)
        );
        let again = Pages::of(pages.file().try_clone().unwrap()).unwrap();
        assert_eq!(again.len(), 8192);
    }

    #[test]
    fn what_can_be_cut_off_is_refused() {
        let file = File::open("/proc/self/exe").unwrap();
        assert!(Pages::of(file).is_none());
        // SAFETY: the name is a C string; a new file touches nothing that exists.
        let open = unsafe { libc::memfd_create(c"test".as_ptr(), libc::MFD_ALLOW_SEALING) };
        // SAFETY: open, and nobody else has it.
        let open = unsafe { File::from_raw_fd(open) };
        assert!(Pages::of(open).is_none());
    }
}
