//! The source of an operand of a kernel: elements at a fixed distance, or one repeated value.

use super::{
    element::{CHUNK, Element},
    machine::Machine,
};

/// The source of an operand's chunks.
#[derive(Clone, Copy)]
pub(super) enum Source<T: Element> {
    /// Elements at this distance, in elements.
    Apart(*const T, usize),
    /// One value for all positions.
    Repeated([T::Wide; CHUNK]),
}

impl<T: Element> Source<T> {
    /// Makes the source of the operand whose first element is at `first`. With the step 0 the element is read here
    /// and never again.
    ///
    /// # Safety
    ///
    /// - The element at `first` is readable.
    #[inline(always)]
    pub(super) unsafe fn new(first: *const T, step: usize, machine: impl Machine) -> Self {
        if step != 0 {
            return Source::Apart(first, step);
        }
        // SAFETY: the caller's contract; any bits are an `Element`.
        let value = unsafe { first.read_unaligned() };
        Source::Repeated(T::widen(machine, &[value; CHUNK]))
    }

    /// Returns the `len` elements from position `first`; the rest of the chunk has no meaning.
    ///
    /// # Safety
    ///
    /// - The elements `first .. first + len` are readable.
    /// - `len` is at most [`CHUNK`].
    #[inline(always)]
    pub(super) unsafe fn part(
        &self,
        first: usize,
        len: usize,
        machine: impl Machine,
    ) -> [T::Wide; CHUNK] {
        let (start, step) = match *self {
            Source::Repeated(chunk) => return chunk,
            Source::Apart(start, step) => (start, step),
        };
        let mut chunk = [T::ZERO; CHUNK];
        if step == 1 && len == CHUNK {
            // SAFETY: the caller's contract; any bits are an `Element`.
            chunk = unsafe { chunk_at(start.wrapping_add(first)) };
        } else {
            for (position, slot) in (first..).zip(chunk.iter_mut().take(len)) {
                let element = start.wrapping_add(position.wrapping_mul(step));
                // SAFETY: the caller's contract: `position` is below `first + len`.
                *slot = unsafe { element.read_unaligned() };
            }
        }
        T::widen(machine, &chunk)
    }
}

/// Reads a chunk of contiguous elements.
///
/// # Safety
///
/// - [`CHUNK`] elements from `first` are readable.
#[inline(always)]
pub(super) unsafe fn chunk_at<T: Element>(first: *const T) -> [T; CHUNK] {
    // SAFETY: the caller's contract; any bits are an `Element`.
    unsafe { first.cast::<[T; CHUNK]>().read_unaligned() }
}
