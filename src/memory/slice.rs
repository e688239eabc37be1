//! Parts of buffers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::copy::{Destination, Source};
use crate::memory::elements::Elements;
use crate::memory::place::Place;
use crate::state::{Init, Invariant, Sealed};

/// A borrowed part of an initialised buffer.
///
/// # Invariants
///
/// `ptr` is a range within a live buffer of `M` that is borrowed for `'b`.
pub struct Slice<'b, M: Place, E: Elements + ?Sized> {
    ptr: NonNull<E>,
    _buf: PhantomData<(&'b E, Invariant<M>)>,
}

/// A part of a buffer that is borrowed for writing.
///
/// # Invariants
///
/// As for [`Slice`], and the borrow is exclusive.
pub struct SliceMut<'b, M: Place, E: Elements + ?Sized> {
    ptr: NonNull<E>,
    _buf: PhantomData<(&'b mut E, Invariant<M>)>,
}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// The elements of `range`, as the source of a copy.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`].
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [E::Element]>> {
        Ok(Slice {
            ptr: self.at(range)?,
            _buf: PhantomData,
        })
    }

    /// The elements of `range`, as the destination of a copy or a fill.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`].
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [E::Element]>> {
        Ok(SliceMut {
            ptr: self.at(range)?,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// Both sides of `mid`, for copies that read one, by [`SliceMut::into_slice`], and write the other, or to lend
    /// them separately.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at_mut(
        &mut self,
        mid: usize,
    ) -> Result<(SliceMut<'_, M, [E::Element]>, SliceMut<'_, M, [E::Element]>)> {
        let len = self.len();
        self.slice_mut(0..len)?.split_at_mut(mid)
    }
}

impl<'b, M: Place, T> Slice<'b, M, [T]> {
    /// Both sides of `mid`.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at(self, mid: usize) -> Result<(Slice<'b, M, [T]>, Slice<'b, M, [T]>)> {
        let [left, right] = halves(self.ptr, mid)?.map(|ptr| Slice {
            ptr,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

impl<'b, M: Place, T> SliceMut<'b, M, [T]> {
    /// Both sides of `mid`.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` lies behind the end.
    pub fn split_at_mut(self, mid: usize) -> Result<(SliceMut<'b, M, [T]>, SliceMut<'b, M, [T]>)> {
        // INVARIANT: the halves do not overlap, and the whole was borrowed exclusively.
        let [left, right] = halves(self.ptr, mid)?.map(|ptr| SliceMut {
            ptr,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

/// Both sides of `mid`.
fn halves<T>(part: NonNull<[T]>, mid: usize) -> Result<[NonNull<[T]>; 2]> {
    let (first, len) = (part.cast::<T>(), part.len());
    let Some(rest) = len.checked_sub(mid) else {
        return Err(Usage::Range {
            start: 0,
            end: mid,
            len,
        }
        .into());
    };
    let behind = first.as_ptr().wrapping_add(mid);
    // SAFETY: not null, because it is an address within (or one behind) the part.
    let behind = unsafe { NonNull::new_unchecked(behind) };
    Ok([
        NonNull::slice_from_raw_parts(first, mid),
        NonNull::slice_from_raw_parts(behind, rest),
    ])
}

impl<'b, M: Place, T> SliceMut<'b, M, [T]> {
    /// A part of memory that may be fresh.
    ///
    /// # Safety
    ///
    /// Nothing is read through the result before it was written.
    pub(super) unsafe fn of_fresh<E: Elements<Element = T> + ?Sized, I>(
        buf: &'b mut Buf<'_, M, E, I>,
        range: Range<usize>,
    ) -> Result<SliceMut<'b, M, [T]>> {
        Ok(SliceMut {
            ptr: buf.at(range)?,
            _buf: PhantomData,
        })
    }
}

impl<'b, M: Place, E: Elements + ?Sized> Slice<'b, M, E> {
    /// The same part, as another device sees it.
    pub(crate) fn seen_as<N: Place>(self) -> Slice<'b, N, E> {
        Slice {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, E: Elements + ?Sized> SliceMut<'b, M, E> {
    /// # Safety
    ///
    /// The elements lie within a live, initialised buffer of `M` and are borrowed exclusively for `'b`.
    pub(super) unsafe fn new(elements: NonNull<E>) -> Self {
        SliceMut {
            ptr: elements,
            _buf: PhantomData,
        }
    }

    /// The same part, as another device sees it.
    pub(crate) fn seen_as<N: Place>(self) -> SliceMut<'b, N, E> {
        SliceMut {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, E: Elements + ?Sized> Slice<'_, M, E> {
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Whether there are none. Copying none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'b, M: Place, E: Elements + ?Sized> SliceMut<'b, M, E> {
    /// The same part, as the source of a copy.
    #[must_use]
    pub fn into_slice(self) -> Slice<'b, M, E> {
        Slice {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, E: Elements + ?Sized> SliceMut<'_, M, E> {
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Whether there are none. Writing none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<M: Place, E: Elements + ?Sized> Sealed for Slice<'_, M, E> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Source for Slice<'_, M, E> {
    type Place = M;
    type Elements = E;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.ptr
    }
}

impl<M: Place, E: Elements + ?Sized> Sealed for SliceMut<'_, M, E> {}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Destination for SliceMut<'_, M, E> {
    type Place = M;
    type Elements = E;
    type Written = ();

    #[inline(always)]
    fn destination(&mut self) -> NonNull<E> {
        self.ptr
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<M: Place, E: Elements + ?Sized> fmt::Debug for Slice<'_, M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Slice({:p}, {})",
            self.ptr.cast::<E::Element>(),
            self.len()
        )
    }
}

impl<M: Place, E: Elements + ?Sized> fmt::Debug for SliceMut<'_, M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SliceMut({:p}, {})",
            self.ptr.cast::<E::Element>(),
            self.len()
        )
    }
}
