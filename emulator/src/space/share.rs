//! Files in memory, through which a process opens the memory of another process, or the signal of one. It finds them in
//! the list of open files that the system has for each process.
//!
//! A share has two files. One is the memory. The other has one page, which describes the memory and names the
//! processes that may open it. The number of a share contains the process, its open file with the page, and a count
//! that differs from those of earlier shares. A key is the text of the number, which a program sends to the other process.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::process;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use ascendcl_sys::{ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID, aclError};

use crate::error::fail;
use crate::results::list_of;
use crate::space::pages::Pages;

/// The name of the files in the system's list.
pub(crate) const NAME: &CStr = c"ascendcl-share";
/// The first word of a page.
const MAGIC: u64 = u64::from_le_bytes(*b"ascendcl");
/// The largest number of processes that may open a share.
pub(crate) const PROCESSES: usize = 256;
/// The number of words of a page: magic, number, file and inode of the memory, its length, whether all processes may
/// open it, the number of allowed processes, and these processes.
const WORDS: usize = 7 + PROCESSES;

/// The reason why a process cannot open a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// No process offers the share any more.
    Gone,
    /// This process itself offers the share.
    Own,
    /// This process is not among the allowed processes.
    NotAllowed,
}

impl Why {
    /// Returns the sentence for a call that was given a key or a handle of `what`.
    pub(crate) fn text(self, what: &str) -> String {
        match self {
            Why::Gone => format!(
                "no process has {what} (any more); keep it open in the process that exported it, and run \
                 both where they see each other's process ids"
            ),
            Why::Own => format!("{what} is of this process; import it in another one"),
            Why::NotAllowed => format!(
                "{what} is not for process {}; name it where it was exported, or export it without \
                 validation of processes",
                process::id()
            ),
        }
    }
}

/// The content of a share's page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    number: u64,
    /// The owner's open file with the memory, and its inode, which identifies it.
    file: u64,
    inode: u64,
    /// The bytes of the memory.
    pub(crate) len: usize,
    is_open: bool,
    processes: Vec<u32>,
}

impl Page {
    fn words(&self) -> Vec<u64> {
        let mut words = vec![
            MAGIC,
            self.number,
            self.file,
            self.inode,
            self.len as u64,
            self.is_open.into(),
            self.processes.len() as u64,
        ];
        words.extend(self.processes.iter().map(|process| u64::from(*process)));
        words
    }

    fn from_words(words: &[u64]) -> Option<Page> {
        let [
            MAGIC,
            number,
            file,
            inode,
            len,
            is_open,
            count,
            processes @ ..,
        ] = words
        else {
            return None;
        };
        let mut known = Vec::new();
        for process in processes.iter().take(usize::try_from(*count).ok()?) {
            known.push(u32::try_from(*process).ok()?);
        }
        Some(Page {
            number: *number,
            file: *file,
            inode: *inode,
            len: usize::try_from(*len).ok()?,
            is_open: *is_open != 0,
            processes: known,
        })
    }

    fn write(&self, to: &File) -> io::Result<()> {
        let mut bytes = Vec::new();
        for word in self.words() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        to.write_all_at(&bytes, 0)
    }

    fn read(from: &File) -> Option<Page> {
        let mut bytes = [0; 8 * WORDS];
        from.read_exact_at(&mut bytes, 0).ok()?;
        let (words, _) = bytes.as_chunks();
        let words: Vec<u64> = list_of(words.iter().copied().map(u64::from_le_bytes));
        Page::from_words(&words)
    }
}

/// Opens a file of another process if it is a file of a share.
fn open(owner: u32, file: u64) -> Option<File> {
    let path = PathBuf::from(format!("/proc/{owner}/fd/{file}"));
    let name = std::fs::read_link(&path).ok()?;
    let is_ours = name
        .to_str()?
        .strip_prefix("/memfd:")?
        .starts_with(NAME.to_str().ok()?);
    let opened = is_ours.then(|| File::options().read(true).write(true).open(path));
    opened?.ok()
}

/// Memory of this process that other processes may open.
#[derive(Debug)]
pub(crate) struct Share {
    page: Page,
    says: Pages,
    pub(crate) memory: Arc<Pages>,
}

impl Share {
    /// Offers a file of memory to other processes; to all processes if `is_open` is true.
    pub(crate) fn new(memory: Arc<Pages>, len: usize, is_open: bool) -> io::Result<Share> {
        static COUNT: AtomicU16 = AtomicU16::new(1);
        let says = Pages::new(NAME, 8 * WORDS)?;
        let file = u16::try_from(says.file().as_raw_fd()).map_err(io::Error::other)?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let page = Page {
            number: u64::from(process::id()) << 32 | u64::from(file) << 16 | u64::from(count),
            file: u64::try_from(memory.file().as_raw_fd()).map_err(io::Error::other)?,
            inode: memory.file().metadata()?.ino(),
            len,
            is_open,
            processes: Vec::new(),
        };
        page.write(says.file())?;
        Ok(Share { page, says, memory })
    }

    /// Returns the number by which other processes find the share.
    pub(crate) fn number(&self) -> u64 {
        self.page.number
    }

    /// Allows processes to open the share. Returns false if there are too many.
    pub(crate) fn allow(&mut self, processes: &[i32]) -> bool {
        let before = self.page.processes.len();
        let processes = processes.iter().map(|process| process.cast_unsigned());
        self.page.processes.extend(processes);
        if self.page.processes.len() <= PROCESSES && self.page.write(self.says.file()).is_ok() {
            return true;
        }
        self.page.processes.truncate(before);
        false
    }
}

/// Reports a call that the driver refuses.
#[cold]
pub(crate) fn refused(call: &str, what: fmt::Arguments<'_>) -> aclError {
    fail(
        ACL_ERROR_RT_DRV_INTERNAL_ERROR,
        format_args!("{call} failed: {what}"),
    )
}

/// The length of a key with the final zero.
pub(crate) const KEY: usize = 65;

/// Writes the key of a share: a prefix, which names what is shared, and the number.
///
/// # Safety
///
/// - `to` is valid for writes of [`KEY`] bytes.
pub(crate) unsafe fn write_key(prefix: &str, number: u64, to: *mut c_char) {
    let text = format!("{prefix}{number:016x}\0");
    debug_assert!(text.len() <= KEY, "{text}");
    // SAFETY: the caller's contract. Prefixes are shorter than a key by more than the 17 bytes behind them.
    unsafe { to.copy_from_nonoverlapping(text.as_ptr().cast(), text.len()) };
}

/// Returns the number of the share that a key names.
pub(crate) fn number_of(prefix: &str, key: &CStr) -> Option<u64> {
    let digits = key.to_str().ok()?.strip_prefix(prefix)?;
    u64::from_str_radix(digits, 16).ok()
}

/// Returns the processes in an array. `remedy` follows the text about a number that is no process.
///
/// # Safety
///
/// - `num` numbers at `pid` are valid for reads while the result is used.
pub(crate) unsafe fn processes<'a>(
    call: &str,
    pid: *const i32,
    num: usize,
    remedy: &str,
) -> Result<&'a [i32], aclError> {
    if num == 0 || num > PROCESSES {
        return Err(fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: it was given {num} processes; pass 1 to {PROCESSES}"),
        ));
    }
    // SAFETY: the caller's contract.
    let processes = unsafe { slice::from_raw_parts(pid, num) };
    match processes.iter().find(|process| **process <= 0) {
        Some(process) => Err(fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: {process} is no process{remedy}"),
        )),
        None => Ok(processes),
    }
}

/// Opens memory that another process offers.
pub(crate) fn find(number: u64) -> Result<(Page, Pages), Why> {
    // CAST: splits the number into its parts.
    let (owner, says) = ((number >> 32) as u32, number >> 16 & 0xffff);
    if owner == process::id() {
        return Err(Why::Own);
    }
    let says = open(owner, says).ok_or(Why::Gone)?;
    let page = Page::read(&says).filter(|page| page.number == number);
    let page = page.ok_or(Why::Gone)?;
    if !page.is_open && !page.processes.contains(&process::id()) {
        return Err(Why::NotAllowed);
    }
    let memory = open(owner, page.file).ok_or(Why::Gone)?;
    let about = memory.metadata().map_err(|_| Why::Gone)?;
    // The owner may have closed the file meanwhile and opened another one with the same descriptor.
    let memory = Pages::of(memory).filter(|memory| memory.len() >= page.len);
    let memory = memory.filter(|_| about.ino() == page.inode);
    Ok((page, memory.ok_or(Why::Gone)?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    fn share(is_open: bool) -> Share {
        Share::new(Arc::new(Pages::new(NAME, 4096).unwrap()), 4096, is_open).unwrap()
    }

    #[test]
    fn a_page_says_what_it_was_told() {
        let mut share = share(false);
        assert!(share.allow(&[7, 8]));
        assert!(share.allow(&[9]));
        let page = Page::read(share.says.file()).unwrap();
        assert_eq!(page.words(), share.page.words());
        assert_eq!(page.processes, [7, 8, 9]);
        assert!(!share.allow(&[1; PROCESSES]), "too many");
        assert_eq!(Page::read(share.says.file()).unwrap().processes, [7, 8, 9]);
    }

    #[test]
    fn garbage_is_no_page() {
        assert!(Page::from_words(&[]).is_none());
        assert!(Page::from_words(&[0; WORDS]).is_none());
        let mut words = share(true).page.words();
        words.resize(WORDS, u64::MAX);
        assert!(Page::from_words(&words).is_some());
        *words.get_mut(6).unwrap() = 1;
        assert!(Page::from_words(&words).is_none(), "a process beyond 2^32");
    }

    #[test]
    fn numbers_of_nothing_lead_nowhere() {
        let own = share(true).number();
        assert_eq!(find(own).unwrap_err(), Why::Own);
        for number in [
            0,
            u64::MAX,
            1 << 32 | 1 << 16,
            u64::from(process::id() + 1) << 32,
        ] {
            assert_eq!(find(number).unwrap_err(), Why::Gone, "{number:#x}");
        }
    }
}
