//! Checks whether addresses of ordinary host memory are mapped.
//!
//! The driver returns an error for an address without memory; a copy in the emulator would fault. So the emulator
//! asks the system about the first and the last page of a range. The thread remembers pages that exist. If such a
//! page is unmapped later, a copy faults as with any other dangling pointer.

use std::cell::Cell;
use std::ptr;

/// The smallest unit in which memory is mapped.
const PAGE: usize = 4096;
/// The number of pages that a thread remembers.
const REMEMBERED: usize = 32;
/// The number of no page: it is above all page numbers.
const NONE: usize = usize::MAX;

thread_local! {
    /// Pages that exist, by the low bits of their numbers.
    static THERE: [Cell<usize>; REMEMBERED] = const { [const { Cell::new(NONE) }; REMEMBERED] };
}

/// Returns whether the first and the last page of a range exist.
#[inline]
pub(crate) fn is_there(start: usize, len: usize) -> bool {
    let Some(last) = start.checked_add(len.saturating_sub(1)) else {
        return false;
    };
    let (first, last) = (start / PAGE, last / PAGE);
    is_page(first) && (first == last || is_page(last))
}

#[inline]
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
fn is_page(page: usize) -> bool {
    THERE.with(|there| {
        let known = &there[page % REMEMBERED];
        known.get() == page || ask(page, known)
    })
}

/// Asks the system whether a page exists, and remembers it if it does.
#[cold]
fn ask(page: usize, known: &Cell<usize>) -> bool {
    let mut answer = 0;
    let start = ptr::without_provenance_mut(page * PAGE);
    // SAFETY: the call does not read the memory; it writes its answer, one byte for one page.
    let failed = unsafe { libc::mincore(start, 1, &raw mut answer) } != 0;
    // Other errors do not mean that the page is missing.
    if failed && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
        return false;
    }
    known.set(page);
    true
}

/// Returns whether every page of a range exists. This asks the system about all of them.
pub(crate) fn is_all_there(start: usize, len: usize) -> bool {
    let Some(end) = start.checked_add(len) else {
        return false;
    };
    let mut answers = [0; 4096];
    let step = answers.len() * PAGE;
    let mut page = start / PAGE * PAGE;
    while page < end {
        let bytes = step.min(end - page);
        let start = ptr::without_provenance_mut(page);
        // SAFETY: the call does not read the memory; it writes one byte for each page, of which there are not more
        // than answers.
        let failed = unsafe { libc::mincore(start, bytes, answers.as_mut_ptr()) } != 0;
        if failed && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
            return false;
        }
        let Some(next) = page.checked_add(step) else {
            break;
        };
        page = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{PAGE, is_all_there, is_there};

    #[test]
    fn ranges_begin_and_end_in_memory() {
        let memory = vec![0_u8; 100_000];
        let start = memory.as_ptr().addr();
        for len in [0, 1, 64, 4096, memory.len()] {
            assert!(is_there(start, len), "{len}");
            assert!(is_there(start, len), "{len} once more");
        }
        for nowhere in [0, 8, 4096, usize::MAX - 8, 1 << 62] {
            assert!(!is_there(nowhere, 4), "{nowhere:#x}");
            assert!(!is_there(nowhere, 4), "{nowhere:#x} once more");
        }
        assert!(!is_there(start, usize::MAX - start));
        assert!(!is_there(start, usize::MAX));
    }
    #[test]
    fn a_hole_in_a_range_is_found() {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new addresses, which nothing uses.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), 3 * PAGE, access, flags, -1, 0) };
        assert!(is_all_there(start.addr() + 1, 3 * PAGE - 1));
        assert!(!is_all_there(start.addr(), usize::MAX - start.addr()));
        assert!(!is_all_there(start.addr(), usize::MAX));
        // SAFETY: the page in the middle, which nothing uses.
        let code = unsafe { libc::munmap(start.wrapping_byte_add(PAGE), PAGE) };
        assert_eq!(code, 0);
        assert!(is_there(start.addr(), 3 * PAGE) && !is_all_there(start.addr(), 3 * PAGE));
        for offset in [0, 2 * PAGE] {
            // SAFETY: the pages that are left.
            let code = unsafe { libc::munmap(start.wrapping_byte_add(offset), PAGE) };
            assert_eq!(code, 0);
        }
    }
}
