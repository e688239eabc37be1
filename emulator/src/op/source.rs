//! Where kernels take an operand from: elements a fixed number of elements apart, or one value again and
//! again.

use super::{
    element::{CHUNK, Element},
    machine::Machine,
};

/// Where the chunks of an operand come from.
#[derive(Clone, Copy)]
pub(super) enum Source<T: Element> {
    /// Elements this many elements apart.
    Apart(*const T, usize),
    /// One value for all positions.
    Repeated([T::Wide; CHUNK]),
}

impl<T: Element> Source<T> {
    /// The operand whose first element is at `first`. With the step 0 it is read now, and never again.
    ///
    /// # Safety
    ///
    /// The element is readable.
    #[inline(always)]
    pub(super) unsafe fn new(first: *const T, step: usize, machine: impl Machine) -> Self {
        if step != 0 {
            return Source::Apart(first, step);
        }
        // SAFETY: the caller's contract; any bits are an `Element`.
        let value = unsafe { first.read_unaligned() };
        Source::Repeated(T::widen(machine, &[value; CHUNK]))
    }

    /// The `len` elements from `first`; the rest of the chunk has no meaning.
    ///
    /// # Safety
    ///
    /// The elements `first .. first + len` are readable, and `len` is at most [`CHUNK`].
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

/// A chunk of elements next to each other.
///
/// # Safety
///
/// The elements are readable.
#[inline(always)]
pub(super) unsafe fn chunk_at<T: Element>(first: *const T) -> [T; CHUNK] {
    // SAFETY: the caller's contract; any bits are an `Element`.
    unsafe { first.cast::<[T; CHUNK]>().read_unaligned() }
}
