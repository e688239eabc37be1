//! Ordinary host memory: whether there is any.
//!
//! The driver tells an address without memory by an error, where a copy here would fault. The system is
//! asked for the first and the last page of a range, and what it said is remembered by the thread: a page that
//! is given back after that faults like any other dangling pointer.

use std::cell::Cell;
use std::ptr;

/// The smallest unit in which memory comes and goes.
const PAGE: usize = 4096;
/// Pages that a thread remembers.
const REMEMBERED: usize = 32;
/// No page: addresses end before it.
const NONE: usize = usize::MAX;

thread_local! {
    /// Pages that are there, by the low bits of their numbers.
    static THERE: [Cell<usize>; REMEMBERED] = const { [const { Cell::new(NONE) }; REMEMBERED] };
}

/// Whether a range begins and ends in memory.
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

/// Asks the system, and remembers that a page is there.
#[cold]
fn ask(page: usize, known: &Cell<usize>) -> bool {
    let mut answer = 0;
    let start = ptr::without_provenance_mut(page * PAGE);
    // SAFETY: the call looks at no memory but writes its answer, a byte for one page.
    let failed = unsafe { libc::mincore(start, 1, &raw mut answer) } != 0;
    // Other errors say nothing about the page.
    if failed && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
        return false;
    }
    known.set(page);
    true
}

#[cfg(test)]
mod tests {
    use super::is_there;

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
}
