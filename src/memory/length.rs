//! Lengths of buffers: in the type, or known at run time.

use crate::state::Sealed;

/// A length that is known at run time; it is compared in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dyn(pub(crate) usize);

impl Dyn {
    /// A length of `len` elements, for [`Buf::from_raw`](crate::memory::Buf::from_raw).
    #[must_use]
    pub const fn new(len: usize) -> Dyn {
        Dyn(len)
    }
}

/// A length of `N` elements, known to the compiler: no run-time check, and a buffer is one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arr<const N: usize>;

/// The length of a buffer: [`Dyn`] or [`Arr`].
pub trait Len: Sealed + Copy + Send + Sync {
    /// The number of elements.
    fn get(self) -> usize;
}

impl Sealed for Dyn {}
impl Len for Dyn {
    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }
}

impl<const N: usize> Sealed for Arr<N> {}
impl<const N: usize> Len for Arr<N> {
    #[inline(always)]
    fn get(self) -> usize {
        N
    }
}
