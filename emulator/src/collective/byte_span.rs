//! Bytes in the memory of a rank.

use std::ops::Range;
use std::ptr;

use crate::space::bulk;
use crate::space::place::Entered;

/// Bytes in the memory of a rank.
///
/// # Invariants
///
/// - `range` lies in the place that `memory` pins.
#[derive(Debug)]
pub(super) struct ByteSpan<'a> {
    memory: &'a Entered,
    range: Range<usize>,
}

impl<'a> ByteSpan<'a> {
    /// Returns the bytes of a range.
    ///
    /// # Safety
    ///
    /// - `range` lies in the place that `memory` pins.
    pub(super) unsafe fn new(memory: &'a Entered, range: Range<usize>) -> ByteSpan<'a> {
        // INVARIANT: the caller's contract.
        ByteSpan { memory, range }
    }

    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// Returns the address of a byte, which is in the place or directly behind it.
    fn pointer(&self, start: usize) -> *mut u8 {
        let start = self.range.start + start.min(self.len());
        self.memory.pointer().wrapping_add(start)
    }

    pub(super) fn addresses(&self) -> Range<usize> {
        self.pointer(0).addr()..self.pointer(self.len()).addr()
    }

    /// Returns how many of `wanted` bytes there are from `start` on.
    fn there(&self, start: usize, wanted: usize) -> usize {
        wanted.min(self.len().saturating_sub(start))
    }

    /// Copies the bytes from `start` on, at most as many as `into` has.
    pub(super) fn read(&self, start: usize, into: &mut [u8]) {
        let len = self.there(start, into.len());
        // SAFETY: the span has `len` bytes from `start` on, and its memory is pinned. `into` has as many, and is memory
        // of its own.
        unsafe {
            self.pointer(start)
                .copy_to_nonoverlapping(into.as_mut_ptr(), len);
        }
    }

    /// Writes the bytes from `start` on, at most as many as `from` has.
    pub(super) fn write(&self, start: usize, from: &[u8]) {
        let len = self.there(start, from.len());
        // SAFETY: the span has `len` bytes from `start` on, and its memory is pinned. `from` has as many, and is memory
        // of its own.
        unsafe {
            self.pointer(start)
                .copy_from_nonoverlapping(from.as_ptr(), len);
        }
    }

    /// Writes the bytes of another span in the same range of both.
    pub(super) fn copy(&self, from: &ByteSpan<'_>, range: Range<usize>) {
        let (to, start) = (self.pointer(range.start), from.pointer(range.start));
        let len = from.there(range.start, self.there(range.start, range.len()));
        if !ptr::eq(to, start) {
            // SAFETY: both spans have `len` bytes from there on, and their memory is pinned.
            unsafe { bulk::copy(to, start, len) };
        }
    }
}
