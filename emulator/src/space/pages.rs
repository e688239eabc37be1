//! Files in memory, whose pages can be mapped at several addresses and in several processes.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};

/// The seals that fix the length of a file.
const SEALS: i32 = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW;

/// A file in memory.
///
/// # Invariants
///
/// - The file always has `len` bytes: seals that cannot be removed fix its length. So a mapped page of the file never
///   disappears.
#[derive(Debug)]
pub(crate) struct Pages {
    file: File,
    len: usize,
}

impl Pages {
    /// Creates a file of zeros. The system shows the name in the list of open files.
    pub(crate) fn new(name: &CStr, len: usize) -> io::Result<Pages> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string; a new file does not affect existing memory.
        let file = unsafe { libc::memfd_create(name.as_ptr(), flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is open and has no other owner.
        let file = unsafe { File::from_raw_fd(file) };
        file.set_len(len as u64)?;
        // SAFETY: the call has only numbers as arguments.
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
        // INVARIANT: the file has this length and is sealed.
        Ok(Pages { file, len })
    }

    /// Takes a file of another process; `None` if that process can still change its length.
    pub(crate) fn of(file: File) -> Option<Pages> {
        // SAFETY: the call has only numbers as arguments.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        // The result -1 of an error has all bits set.
        if seals < 0 || seals & SEALS != SEALS {
            return None;
        }
        // The length is read after the seals were checked: it cannot change from then on.
        let len = usize::try_from(file.metadata().ok()?.len()).ok()?;
        // INVARIANT: the file is sealed (checked), so it always has this length; no call removes a seal.
        Some(Pages { file, len })
    }

    /// Returns the file for reading and writing.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Returns the length in bytes.
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
        // SAFETY: the name is a C string; a new file does not affect existing memory.
        let open = unsafe { libc::memfd_create(c"test".as_ptr(), libc::MFD_ALLOW_SEALING) };
        // SAFETY: the descriptor is open and has no other owner.
        let open = unsafe { File::from_raw_fd(open) };
        assert!(Pages::of(open).is_none());
    }
}
