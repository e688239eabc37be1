//! Parts of buffers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use typenum::Unsigned;

use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::copy::{Destination, Source};
use crate::memory::length::{Dyn, Fixed, Len, SplitsAt, Without};
use crate::memory::place::Place;
use crate::state::{Init, Invariant, Sealed};

/// A borrowed part of an initialised buffer.
///
/// # Invariants
///
/// `ptr` and `len` describe a range within a live buffer of `M` that is borrowed for `'b`.
pub struct Slice<'b, M: Place, T, L: Len = Dyn> {
    ptr: NonNull<T>,
    len: L,
    _buf: PhantomData<(&'b T, Invariant<M>)>,
}

/// A part of a buffer that is borrowed for writing.
///
/// # Invariants
///
/// As for [`Slice`], and the borrow is exclusive.
pub struct SliceMut<'b, M: Place, T, L: Len = Dyn> {
    ptr: NonNull<T>,
    len: L,
    _buf: PhantomData<(&'b mut T, Invariant<M>)>,
}

/// Checks a range and gives its first address and its length.
fn part<M: Place, T, L: Len, I>(
    buf: &Buf<'_, M, T, L, I>,
    range: Range<usize>,
) -> Result<(NonNull<T>, Dyn)> {
    let len = Dyn(range.len());
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
    /// [`Usage::Range`].
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
    /// [`Usage::Range`].
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, T>> {
        let (ptr, len) = part(self, range)?;
        Ok(SliceMut {
            ptr,
            len,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, T, L: Len> Buf<'_, M, T, L, Init> {
    /// Both sides of `mid`, for copies that read one, by [`SliceMut::into_slice`], and write the other, or to lend
    /// them separately.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at_mut(&mut self, mid: usize) -> Result<(SliceMut<'_, M, T>, SliceMut<'_, M, T>)> {
        let len = self.len();
        self.slice_mut(0..len)?.split_at_mut(mid)
    }
}

impl<M: Place, T, N: Unsigned> Buf<'_, M, T, Fixed<N>, Init> {
    /// Both sides of element `K`, with their lengths in their types. A `K` behind the end does not compile.
    pub fn split_fixed_mut<K>(&mut self) -> FixedHalves<'_, M, T, K, N>
    where
        K: SplitsAt<N>,
        N: Without<K>,
    {
        let start = self.as_raw();
        let behind = start.wrapping_add(K::USIZE);
        // SAFETY: not null, because it is the address of the buffer's allocation.
        let start = unsafe { NonNull::new_unchecked(start) };
        // SAFETY: not null, because it is an address within (or one behind) it: `K <= N` (`SplitsAt`).
        let behind = unsafe { NonNull::new_unchecked(behind) };
        // INVARIANT: both parts lie within the buffer, and they do not overlap.
        let left = SliceMut {
            ptr: start,
            len: Fixed::NEW,
            _buf: PhantomData,
        };
        let right = SliceMut {
            ptr: behind,
            len: Fixed::NEW,
            _buf: PhantomData,
        };
        (left, right)
    }
}

/// The two parts that [`Buf::split_fixed_mut`] makes: `K` elements, and the rest of `N`.
pub type FixedHalves<'b, M, T, K, N> = (
    SliceMut<'b, M, T, Fixed<K>>,
    SliceMut<'b, M, T, Fixed<<N as Without<K>>::Rest>>,
);

impl<'b, M: Place, T> Slice<'b, M, T> {
    /// Both sides of `mid`.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at(self, mid: usize) -> Result<(Slice<'b, M, T>, Slice<'b, M, T>)> {
        let [left, right] = halves(self.ptr, self.len, mid)?.map(|(ptr, len)| Slice {
            ptr,
            len,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

impl<'b, M: Place, T> SliceMut<'b, M, T> {
    /// Both sides of `mid`.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at_mut(self, mid: usize) -> Result<(SliceMut<'b, M, T>, SliceMut<'b, M, T>)> {
        // INVARIANT: the halves do not overlap, and the whole was borrowed exclusively.
        let [left, right] = halves(self.ptr, self.len, mid)?.map(|(ptr, len)| SliceMut {
            ptr,
            len,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

/// The addresses and lengths of both sides of `mid`.
fn halves<T>(start: NonNull<T>, Dyn(len): Dyn, mid: usize) -> Result<[(NonNull<T>, Dyn); 2]> {
    let Some(rest) = len.checked_sub(mid) else {
        return Err(Usage::Range {
            start: 0,
            end: mid,
            len,
        }
        .into());
    };
    let behind = start.as_ptr().wrapping_add(mid);
    // SAFETY: not null, because it is an address within (or one behind) the part.
    let behind = unsafe { NonNull::new_unchecked(behind) };
    Ok([(start, Dyn(mid)), (behind, Dyn(rest))])
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

impl<'b, M: Place, T, L: Len> Slice<'b, M, T, L> {
    /// The same part, as another device sees it.
    pub(crate) fn seen_as<N: Place>(self) -> Slice<'b, N, T, L> {
        Slice {
            ptr: self.ptr,
            len: self.len,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, T, L: Len> SliceMut<'b, M, T, L> {
    /// The same part, as another device sees it.
    pub(crate) fn seen_as<N: Place>(self) -> SliceMut<'b, N, T, L> {
        SliceMut {
            ptr: self.ptr,
            len: self.len,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, T, L: Len> Slice<'_, M, T, L> {
    pub(crate) fn raw_parts(&self) -> (*mut T, L) {
        (self.ptr.as_ptr(), self.len)
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether there are none. Copying none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'b, M: Place, T, L: Len> SliceMut<'b, M, T, L> {
    /// The same part, as the source of a copy.
    #[must_use]
    pub fn into_slice(self) -> Slice<'b, M, T, L> {
        Slice {
            ptr: self.ptr,
            len: self.len,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, T, L: Len> SliceMut<'_, M, T, L> {
    pub(crate) fn raw_parts(&self) -> (*mut T, L) {
        (self.ptr.as_ptr(), self.len)
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether there are none. Writing none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<M: Place, T, L: Len> Sealed for Slice<'_, M, T, L> {}
#[diagnostic::do_not_recommend]
impl<M: Place, T, L: Len> Source for Slice<'_, M, T, L> {
    type Place = M;
    type Element = T;
    type Len = L;

    #[inline(always)]
    fn source(&self) -> (*const T, L) {
        (self.ptr.as_ptr(), self.len)
    }
}

impl<M: Place, T, L: Len> Sealed for SliceMut<'_, M, T, L> {}
#[diagnostic::do_not_recommend]
impl<M: Place, T, L: Len> Destination for SliceMut<'_, M, T, L> {
    type Place = M;
    type Element = T;
    type Len = L;
    type Written = ();

    #[inline(always)]
    fn destination(&mut self) -> (*mut T, L) {
        (self.ptr.as_ptr(), self.len)
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<M: Place, T, L: Len> fmt::Debug for Slice<'_, M, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slice({:p}, {})", self.ptr, self.len())
    }
}

impl<M: Place, T, L: Len> fmt::Debug for SliceMut<'_, M, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SliceMut({:p}, {})", self.ptr, self.len())
    }
}
