//! Reserved address space for device memory, its hidden alias, and pinned host memory.
//!
//! Reservations are never unmapped. A pointer into one stays a pointer into mapped memory for the
//! rest of the process, whoever kept it.

use std::fmt;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::process;
use std::ptr;
use std::sync::atomic::AtomicU32;

use crate::space::pages::Pages;

/// What the program may do with a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing: touching it faults.
    None,
    /// Read: writing faults.
    Read,
    /// Read and write.
    All,
}

impl Access {
    fn protection(self) -> i32 {
        match self {
            Access::None => libc::PROT_NONE,
            Access::Read => libc::PROT_READ,
            Access::All => libc::PROT_READ | libc::PROT_WRITE,
        }
    }
}

/// A range of address space that is resident only where it was touched.
///
/// # Invariants
///
/// `len` bytes from `base` are mapped for the rest of the process, with the access that it was made
/// with unless [`Reservation::protect`] took it away, and belong to this reservation alone, or to it and its
/// [twin](Reservation::twins). Fresh pages read as zero. `len` 0 has no `base`.
pub(crate) struct Reservation {
    base: usize,
    len: usize,
}

impl Reservation {
    /// Reserves `len` bytes; an empty one when the system refuses.
    pub(crate) fn new(len: usize, access: Access) -> Reservation {
        let protection = access.protection();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        if len == 0 {
            return Reservation { base: 0, len: 0 };
        }
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice touches no memory
        // that exists.
        let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Reservation { base: 0, len: 0 };
        }
        if access == Access::All {
            // Huge pages are worth a factor of two to four in bandwidth; a refusal costs nothing else.
            // SAFETY: the range was mapped just now; the advice changes no content.
            unsafe { libc::madvise(base, len, libc::MADV_HUGEPAGE) };
        }
        // INVARIANT: mapped above, and no code unmaps it.
        Reservation {
            base: base.expose_provenance(),
            len,
        }
    }

    /// Reserves `len` bytes that are reached at two places, with all access at both; `None` when the system
    /// refuses.
    pub(crate) fn twins(len: usize) -> Option<(Reservation, Reservation)> {
        if len == 0 {
            return None;
        }
        let pages = Pages::new(c"ascendcl-host", len).ok()?;
        let file = pages.file().as_raw_fd();
        let map = || {
            let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
            let protection = Access::All.protection();
            // SAFETY: a fresh mapping at an address of the kernel's choice touches no memory that
            // exists.
            let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, file, 0) };
            // INVARIANT: mapped here, and no code unmaps it. The file is closed below, so that its two
            // mappings alone reach its pages, which stay (`Pages`) and are zero at first.
            (base != libc::MAP_FAILED).then(|| Reservation {
                base: base.expose_provenance(),
                len,
            })
        };
        map().zip(map())
    }

    /// Changes what the program may do with some pages, or where the system refuses to give that back, with all.
    pub(crate) fn protect(&self, pages: &Range<usize>, access: Access) {
        let is_mine = self.offset(pages.start).is_some() && pages.end <= self.base + self.len;
        if !is_mine || pages.is_empty() {
            return;
        }
        let start = ptr::with_exposed_provenance_mut(pages.start);
        // SAFETY: the pages lie in this reservation (checked), which is mapped (the invariant). No content
        // changes; who touches pages that are protected is stopped by a fault.
        let refused = unsafe { libc::mprotect(start, pages.len(), access.protection()) } != 0;
        // Each change of access on the way costs the system a record, of which it has so many.
        if refused && access == Access::All {
            let base = ptr::with_exposed_provenance_mut(self.base);
            // SAFETY: as above, for all of it.
            unsafe { libc::mprotect(base, self.len, access.protection()) };
        }
    }

    /// The first address.
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Its bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The offset of an address in here.
    #[inline]
    pub(crate) fn offset(&self, address: usize) -> Option<usize> {
        let offset = address.wrapping_sub(self.base);
        (offset < self.len).then_some(offset)
    }

    /// Gives pages back to the system; they read as zero from then on.
    pub(crate) fn discard(&self, offset: usize, len: usize) {
        let len = len.min(self.len.saturating_sub(offset));
        let start = ptr::with_exposed_provenance_mut(self.base + offset);
        // SAFETY: the range lies in the reservation (the invariant), whose pages nobody borrows:
        // it is reached through raw pointers only.
        unsafe { libc::madvise(start, len, libc::MADV_DONTNEED) };
    }

    /// The whole of an `Access::All` reservation as counters, all zero at first.
    pub(crate) fn into_counters(self) -> &'static [AtomicU32] {
        if self.len == 0 {
            return &[];
        }
        let start = ptr::with_exposed_provenance::<AtomicU32>(self.base);
        // SAFETY: page-aligned, mapped for the rest of the process and read as zero, which is a
        // valid counter; `self` is consumed, so that nobody else has the range (the invariant).
        unsafe { std::slice::from_raw_parts(start, self.len / size_of::<AtomicU32>()) }
    }
}

/// Puts the first pages of a file in the place of others; false when it has less, or the system refuses, and
/// all is as it was.
///
/// # Safety
///
/// The range is whole pages of a reservation with all access, in which nobody is at work.
pub(crate) unsafe fn map_pages(start: usize, len: usize, pages: &Pages) -> bool {
    // A page behind the end of a file faults; those of the file stay (the invariant of `Pages`).
    // SAFETY: the caller's contract.
    len <= pages.len()
        && unsafe { exchange(start, len, libc::MAP_SHARED, pages.file().as_raw_fd()) }
}

/// Puts fresh pages in the place of others, which read as zero; false when the system refuses, and all is as
/// it was.
///
/// # Safety
///
/// The range is whole pages of a reservation with all access, in which nobody is at work.
pub(crate) unsafe fn map_fresh(start: usize, len: usize) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the caller's contract.
    if !unsafe { exchange(start, len, flags, -1) } {
        return false;
    }
    // SAFETY: mapped just now; the advice changes no content.
    unsafe {
        libc::madvise(
            ptr::with_exposed_provenance_mut(start),
            len,
            libc::MADV_HUGEPAGE,
        )
    };
    true
}

/// # Safety
///
/// As for [`map_pages`], with the flags and the file of `mmap`.
unsafe fn exchange(start: usize, len: usize, flags: i32, file: i32) -> bool {
    let place = ptr::with_exposed_provenance_mut(start);
    let flags = flags | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: the pages that go are the caller's, with nobody at work in them; the new ones have the same
    // access.
    let mapped = unsafe { libc::mmap(place, len, Access::All.protection(), flags, file, 0) };
    if mapped != libc::MAP_FAILED {
        return true;
    }
    // SAFETY: asks about a range, whatever is there.
    if unsafe { libc::msync(place, len, libc::MS_ASYNC) } != 0 {
        // The system took the old pages and gave no new ones: somebody else's could get there, and be
        // overwritten by who thinks that it is device memory.
        process::abort();
    }
    false
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reservation({:#x}, {} bytes)", self.base, self.len)
    }
}
