//! Reserved address space for device memory, its hidden alias, and pinned host memory.
//!
//! Reservations are never unmapped. So a pointer into a reservation points to mapped memory for the rest of the
//! process.

use std::fmt;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::process;
use std::ptr;
use std::sync::atomic::AtomicU32;

use crate::space::pages::Pages;

/// The access of the program to a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// No access: reading and writing fault.
    None,
    /// Only reading: writing faults.
    Read,
    /// Reading and writing.
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

/// A range of address space. Only pages that were used take memory.
///
/// # Invariants
///
/// - `len` bytes from `base` are mapped for the rest of the process. They have the access of their creation unless
///   [`Reservation::protect`] changed it.
/// - They belong to this reservation alone, or to it and its [twin](Reservation::twins).
/// - Fresh pages read as zero.
/// - `base` has no meaning if `len` is 0.
pub(crate) struct Reservation {
    base: usize,
    len: usize,
}

impl Reservation {
    /// Reserves `len` bytes. The reservation is empty if the system refuses.
    pub(crate) fn new(len: usize, access: Access) -> Reservation {
        let protection = access.protection();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        if len == 0 {
            return Reservation { base: 0, len: 0 };
        }
        // SAFETY: a new anonymous mapping at an address that the kernel chooses does not affect existing memory.
        let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Reservation { base: 0, len: 0 };
        }
        if access == Access::All {
            // Huge pages make the bandwidth two to four times as high; if the system refuses them, nothing else
            // changes.
            // SAFETY: the range was mapped just now; the advice changes no content.
            unsafe { libc::madvise(base, len, libc::MADV_HUGEPAGE) };
        }
        // INVARIANT: the range was mapped above, and no code unmaps it.
        Reservation {
            base: base.expose_provenance(),
            len,
        }
    }

    /// Reserves `len` bytes that are mapped at two addresses, with all access at both; `None` if the system refuses.
    pub(crate) fn twins(len: usize) -> Option<(Reservation, Reservation)> {
        if len == 0 {
            return None;
        }
        let pages = Pages::new(c"ascendcl-host", len).ok()?;
        let file = pages.file().as_raw_fd();
        let map = || {
            let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
            let protection = Access::All.protection();
            // SAFETY: a new mapping at an address that the kernel chooses does not affect existing memory.
            let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, file, 0) };
            // INVARIANT: the range is mapped here, and no code unmaps it. The file is closed below, so only its two
            // mappings access its pages. The pages never disappear (`Pages`) and are zero at first.
            (base != libc::MAP_FAILED).then(|| Reservation {
                base: base.expose_provenance(),
                len,
            })
        };
        map().zip(map())
    }

    /// Changes the access of the program to some pages. If the system refuses to restore the access of these pages,
    /// the access of all pages is restored.
    pub(crate) fn protect(&self, pages: &Range<usize>, access: Access) {
        let is_mine = self.offset(pages.start).is_some() && pages.end <= self.base + self.len;
        if !is_mine || pages.is_empty() {
            return;
        }
        let start = ptr::with_exposed_provenance_mut(pages.start);
        // SAFETY: the pages lie in this reservation (checked), which is mapped (the invariant). The content does not
        // change; an access to protected pages faults.
        let refused = unsafe { libc::mprotect(start, pages.len(), access.protection()) } != 0;
        // The system has a record for each range with its own access, and the number of records is limited.
        if refused && access == Access::All {
            let base = ptr::with_exposed_provenance_mut(self.base);
            // SAFETY: the reservation is mapped (the invariant), and its content does not change.
            unsafe { libc::mprotect(base, self.len, access.protection()) };
        }
    }

    /// Returns the first address.
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the offset of an address in the reservation; `None` for an address outside of it.
    #[inline]
    pub(crate) fn offset(&self, address: usize) -> Option<usize> {
        let offset = address.wrapping_sub(self.base);
        (offset < self.len).then_some(offset)
    }

    /// Returns pages to the system; they read as zero from then on.
    pub(crate) fn discard(&self, offset: usize, len: usize) {
        let len = len.min(self.len.saturating_sub(offset));
        let start = ptr::with_exposed_provenance_mut(self.base + offset);
        // SAFETY: the range lies in the reservation (the invariant). There are no references to its pages, only raw
        // pointers.
        unsafe { libc::madvise(start, len, libc::MADV_DONTNEED) };
    }

    /// Returns the whole of an `Access::All` reservation as counters, which are zero at first.
    pub(crate) fn into_counters(self) -> &'static [AtomicU32] {
        if self.len == 0 {
            return &[];
        }
        let start = ptr::with_exposed_provenance::<AtomicU32>(self.base);
        // SAFETY: the range is page-aligned, mapped for the rest of the process, and reads as zero, which is a valid
        // counter. `self` is consumed, so the range has no other user (the invariant).
        unsafe { std::slice::from_raw_parts(start, self.len / size_of::<AtomicU32>()) }
    }
}

/// Replaces pages by the first pages of a file. Returns false, and changes nothing, if the file is too short or the
/// system refuses.
///
/// # Safety
///
/// - The range consists of whole pages of a reservation with all access, and no thread accesses them meanwhile.
pub(crate) unsafe fn map_pages(start: usize, len: usize, pages: &Pages) -> bool {
    // A page behind the end of a file faults; the pages of the file never disappear (the invariant of `Pages`).
    // SAFETY: the caller's contract.
    len <= pages.len()
        && unsafe { exchange(start, len, libc::MAP_SHARED, pages.file().as_raw_fd()) }
}

/// Replaces pages by fresh pages, which read as zero. Returns false, and changes nothing, if the system refuses.
///
/// # Safety
///
/// - The range consists of whole pages of a reservation with all access, and no thread accesses them meanwhile.
pub(crate) unsafe fn map_fresh(start: usize, len: usize) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the caller's contract.
    if !unsafe { exchange(start, len, flags, -1) } {
        return false;
    }
    // SAFETY: the range was mapped above; the advice changes no content.
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
/// - The range consists of whole pages of a reservation with all access, and no thread accesses them meanwhile.
/// - `flags` and `file` are valid arguments of `mmap`.
unsafe fn exchange(start: usize, len: usize, flags: i32, file: i32) -> bool {
    let place = ptr::with_exposed_provenance_mut(start);
    let flags = flags | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: the caller's contract: no thread accesses the old pages; the new pages have the same access.
    let mapped = unsafe { libc::mmap(place, len, Access::All.protection(), flags, file, 0) };
    if mapped != libc::MAP_FAILED {
        return true;
    }
    // SAFETY: the call only checks whether the range is mapped.
    if unsafe { libc::msync(place, len, libc::MS_ASYNC) } != 0 {
        // The system removed the old pages and mapped no new ones. Another mapping could get these addresses, and
        // code that takes it for device memory would overwrite it.
        process::abort();
    }
    false
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reservation({:#x}, {} bytes)", self.base, self.len)
    }
}
