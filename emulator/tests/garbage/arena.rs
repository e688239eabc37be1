//! Host memory for results, structures, texts and arrays, in front of addresses that do not exist.

use std::ptr;

/// The size of a place.
pub(crate) const PLACE: usize = 8 << 10;

/// The number of places.
const PLACES: usize = 128;

/// The address of the first arena, and the distance of the next one. Neither the system nor the address sanitizer puts
/// anything there by itself, so a copy that is too long ends at an address that does not exist, and is refused.
const FIRST: usize = 0x2000_0000_0000;
const DISTANCE: usize = 1 << 44;

/// Host memory of one thread. It is never returned, because queued work may use it.
pub(crate) struct Arena {
    start: *mut u8,
    next: usize,
}

// SAFETY: the addresses belong to the arena, on whatever thread it is.
unsafe impl Send for Arena {}

impl Arena {
    /// Makes the arena of the thread with this number.
    pub(crate) fn new(thread: usize) -> Arena {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        let address = ptr::without_provenance_mut(FIRST + thread * DISTANCE);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new addresses; with `MAP_FIXED_NOREPLACE` the call fails if something uses them.
        let start = unsafe { libc::mmap(address, PLACE * PLACES, access, flags, -1, 0) };
        assert_eq!(start, address);
        Arena {
            start: start.cast(),
            next: 0,
        }
    }

    /// Returns the next place, with this content and zeros behind it.
    pub(crate) fn place(&mut self, content: &[u8]) -> *mut u8 {
        assert!(content.len() <= PLACE);
        self.next = (self.next + 1) % PLACES;
        let place = self.start.wrapping_add(self.next * PLACE);
        // SAFETY: a place of the arena.
        unsafe { place.write_bytes(0, PLACE) };
        // SAFETY: a place of the arena, and the content fits.
        unsafe { place.copy_from_nonoverlapping(content.as_ptr(), content.len()) };
        place
    }

    /// Returns the first bytes of a place.
    pub(crate) fn read<const N: usize>(place: u64) -> [u8; N] {
        let place: *const [u8; N] = ptr::with_exposed_provenance(place as usize);
        // SAFETY: `place` is the start of a place, which has more bytes.
        unsafe { place.read_volatile() }
    }
}
