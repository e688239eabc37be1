//! Where kernels take an operand from: elements side by side, apart, or one value again and again.

use super::{
    element::{CHUNK, Element},
    machine::Machine,
};

/// Where the chunks of an operand come from.
pub(super) trait Source<T: Element>: Copy {
    /// The chunk that starts at element `first`.
    ///
    /// # Safety
    ///
    /// The elements `first .. first + CHUNK` are readable.
    unsafe fn chunk(self, first: usize) -> [T::Wide; CHUNK];

    /// The `len` elements from `first`; the rest of the chunk has no meaning.
    ///
    /// # Safety
    ///
    /// The elements `first .. first + len` are readable, and `len` is at most [`CHUNK`].
    unsafe fn part(self, first: usize, len: usize) -> [T::Wide; CHUNK];
}

/// Elements next to each other.
#[derive(Clone, Copy)]
pub(super) struct Dense<T, M>(pub(super) *const T, pub(super) M);

/// Elements a fixed number of elements apart.
#[derive(Clone, Copy)]
pub(super) struct Strided<T, M>(pub(super) *const T, pub(super) usize, pub(super) M);

/// One value for all positions.
#[derive(Clone, Copy)]
pub(super) struct Repeated<W>(W);

impl<T: Element, M: Machine> Source<T> for Dense<T, M> {
    #[inline(always)]
    unsafe fn chunk(self, first: usize) -> [T::Wide; CHUNK] {
        let chunk = self.0.wrapping_add(first).cast::<[T; CHUNK]>();
        // SAFETY: the caller's contract; any bits are an `Element`.
        T::widen(self.1, &unsafe { chunk.read_unaligned() })
    }

    #[inline(always)]
    unsafe fn part(self, first: usize, len: usize) -> [T::Wide; CHUNK] {
        // SAFETY: the caller's contract; it is the strided case with the step 1.
        unsafe { Strided(self.0, 1, self.1).part(first, len) }
    }
}

impl<T: Element, M: Machine> Source<T> for Strided<T, M> {
    #[inline(always)]
    unsafe fn chunk(self, first: usize) -> [T::Wide; CHUNK] {
        // SAFETY: the caller's contract.
        unsafe { self.part(first, CHUNK) }
    }

    #[inline(always)]
    unsafe fn part(self, first: usize, len: usize) -> [T::Wide; CHUNK] {
        let mut chunk = [T::ZERO; CHUNK];
        for (position, slot) in (first..).zip(chunk.iter_mut().take(len)) {
            let element = self.0.wrapping_add(position.wrapping_mul(self.1));
            // SAFETY: the caller's contract: `position` is below `first + len`.
            *slot = unsafe { element.read_unaligned() };
        }
        T::widen(self.2, &chunk)
    }
}

impl<T: Element> Source<T> for Repeated<T::Wide> {
    #[inline(always)]
    unsafe fn chunk(self, _: usize) -> [T::Wide; CHUNK] {
        [self.0; CHUNK]
    }

    #[inline(always)]
    unsafe fn part(self, _: usize, _: usize) -> [T::Wide; CHUNK] {
        [self.0; CHUNK]
    }
}

impl<W> Repeated<W> {
    /// Reads the value.
    ///
    /// # Safety
    ///
    /// The element is readable.
    #[inline(always)]
    pub(super) unsafe fn load<T: Element<Wide = W>>(
        element: *const T,
        machine: impl Machine,
    ) -> Self {
        // SAFETY: the caller's contract; any bits are an `Element`.
        let value = unsafe { element.read_unaligned() };
        let [wide, ..] = T::widen(machine, &[value; CHUNK]);
        Self(wide)
    }
}
