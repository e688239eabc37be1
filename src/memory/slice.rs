//! Parts of buffers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::error::Result;
use crate::memory::Buf;
use crate::memory::copy::{Destination, Source};
use crate::memory::length::{Dyn, Len};
use crate::memory::place::Place;
use crate::state::{Init, Invariant, Sealed};

/// A borrowed part of an initialised buffer.
///
/// # Invariants
///
/// `ptr` and `len` describe a range within a live buffer of `M` that is borrowed for `'b`.
pub struct Slice<'b, M: Place, T> {
    ptr: NonNull<T>,
    len: usize,
    _buf: PhantomData<(&'b T, Invariant<M>)>,
}

/// A part of a buffer that is borrowed for writing.
///
/// # Invariants
///
/// As for [`Slice`], and the borrow is exclusive.
pub struct SliceMut<'b, M: Place, T> {
    ptr: NonNull<T>,
    len: usize,
    _buf: PhantomData<(&'b mut T, Invariant<M>)>,
}

/// Checks a range and gives its first address and its length.
fn part<M: Place, T, L: Len, I>(
    buf: &Buf<'_, M, T, L, I>,
    range: Range<usize>,
) -> Result<(NonNull<T>, usize)> {
    let len = range.len();
    let start = buf.at(range)?;
    // SAFETY: not null, because it is an address within (or one behind) the buffer's allocation.
    let ptr = unsafe { NonNull::new_unchecked(start) };
    Ok((ptr, len))
}

impl<M: Place, T, L: Len> Buf<'_, M, T, L, Init> {
    /// The elements of `range`, as the source of a copy.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, T>> {
        let (ptr, len) = part(self, range)?;
        Ok(Slice {
            ptr,
            len,
            _buf: PhantomData,
        })
    }

    /// The elements of `range`, as the destination of a copy or a fill.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, T>> {
        let (ptr, len) = part(self, range)?;
        Ok(SliceMut {
            ptr,
            len,
            _buf: PhantomData,
        })
    }
}

impl<'b, M: Place, T> SliceMut<'b, M, T> {
    /// A part of memory that may be fresh.
    ///
    /// # Safety
    ///
    /// Nothing is read through the result before it was written.
    pub(super) unsafe fn of_fresh<L: Len, I>(
        buf: &'b mut Buf<'_, M, T, L, I>,
        range: Range<usize>,
    ) -> Result<SliceMut<'b, M, T>> {
        let (ptr, len) = part(buf, range)?;
        Ok(SliceMut {
            ptr,
            len,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, T> Slice<'_, M, T> {
    pub(crate) fn raw_parts(&self) -> (*mut T, Dyn) {
        (self.ptr.as_ptr(), Dyn(self.len))
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none. Copying none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<M: Place, T> SliceMut<'_, M, T> {
    pub(crate) fn raw_parts(&self) -> (*mut T, Dyn) {
        (self.ptr.as_ptr(), Dyn(self.len))
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none. Writing none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<M: Place, T> Sealed for Slice<'_, M, T> {}
#[diagnostic::do_not_recommend]
impl<M: Place, T> Source for Slice<'_, M, T> {
    type Place = M;
    type Element = T;
    type Len = Dyn;

    #[inline(always)]
    fn source(&self) -> (*const T, Dyn) {
        (self.ptr.as_ptr(), Dyn(self.len))
    }
}

impl<M: Place, T> Sealed for SliceMut<'_, M, T> {}
#[diagnostic::do_not_recommend]
impl<M: Place, T> Destination for SliceMut<'_, M, T> {
    type Place = M;
    type Element = T;
    type Len = Dyn;
    type Written = ();

    #[inline(always)]
    fn destination(&mut self) -> (*mut T, Dyn) {
        (self.ptr.as_ptr(), Dyn(self.len))
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<M: Place, T> fmt::Debug for Slice<'_, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slice({:p}, {})", self.ptr, self.len)
    }
}

impl<M: Place, T> fmt::Debug for SliceMut<'_, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SliceMut({:p}, {})", self.ptr, self.len)
    }
}
