//! Parts of buffers, idle or queued.

mod operand;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::elements::Elements;
use crate::memory::place::Place;
use crate::state::{Init, Invariant};

/// A part of an initialised buffer that is borrowed for reading. With `Q` = `()` the buffer is idle, otherwise it is
/// queued on the queue `Q`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let numbers = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
/// let tail = numbers.slice(2..4)?; // borrows `numbers`, and copies nothing
/// assert_eq!(tail.len(), 2);
/// let on_device = current.memcpy(current.malloc::<u8>(2)?, tail)?;
/// # });
/// ```
///
/// # Invariants
///
/// - `ptr` is a range within a live buffer of `M` that is borrowed for `'b`.
/// - With `Q` = `()` the buffer is idle, otherwise it is queued on `Q`.
pub struct Slice<'b, M: Place, E: Elements + ?Sized, Q = ()> {
    ptr: NonNull<E>,
    _buf: PhantomData<(&'b E, Invariant<(M, Q)>)>,
}

/// A part of an initialised buffer that is borrowed for writing. With `Q` = `()` the buffer is idle, otherwise it is
/// queued on the queue `Q`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let mut numbers = current.memset(current.malloc::<u8>(4)?, 0)?;
/// let tail = numbers.slice_mut(2..4)?;
/// current.memset(tail, 1)?;
/// # });
/// ```
///
/// # Invariants
///
/// - The invariants of [`Slice`].
/// - The borrow is exclusive.
pub struct SliceMut<'b, M: Place, E: Elements + ?Sized, Q = ()> {
    ptr: NonNull<E>,
    _buf: PhantomData<(&'b mut E, Invariant<(M, Q)>)>,
}

// SAFETY: a slice is equivalent to `&[E::Element]` within a buffer. Any thread may use its address: work that needs a
// context takes it from the thread (observed, CANN runtime 1.17). Only submissions to the queue use a queued part.
unsafe impl<M: Place, E: Elements<Element: Sync> + ?Sized, Q> Send for Slice<'_, M, E, Q> {}
// SAFETY: `&Slice` allows only reads, as the slice itself does.
unsafe impl<M: Place, E: Elements<Element: Sync> + ?Sized, Q> Sync for Slice<'_, M, E, Q> {}
// SAFETY: a mutable slice is equivalent to `&mut [E::Element]` within a buffer. No other part has these elements.
unsafe impl<M: Place, E: Elements<Element: Send> + ?Sized, Q> Send for SliceMut<'_, M, E, Q> {}
// SAFETY: `&SliceMut` allows no writes.
unsafe impl<M: Place, E: Elements<Element: Sync> + ?Sized, Q> Sync for SliceMut<'_, M, E, Q> {}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// Returns the elements of `range` as a part that copies read.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
    /// let middle = current.memcpy(current.malloc::<u8>(2)?, numbers.slice(1..3)?)?;
    /// let mut back = current.malloc_host::<u8>(host, 2)?;
    /// current.memcpy(&mut back, &middle)?;
    /// assert_eq!(back[..], [2, 3]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the buffer.
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [E::Element]>> {
        Ok(Slice {
            ptr: self.at(range)?,
            _buf: PhantomData,
        })
    }

    /// Returns the elements of `range` as a part that copies and fills write.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// current.memset(numbers.slice_mut(1..3)?, 7)?;
    /// let mut back = current.malloc_host::<u8>(host, 4)?;
    /// current.memcpy(&mut back, &numbers)?;
    /// assert_eq!(back[..], [0, 7, 7, 0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the buffer.
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [E::Element]>> {
        Ok(SliceMut {
            ptr: self.at(range)?,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, E: Elements + ?Sized> Buf<'_, M, E, Init> {
    /// Splits the buffer at element `mid` and returns both sides.
    ///
    /// A copy can read one side ([`SliceMut::into_slice`]) and write the other. A scope can lend the sides
    /// separately.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let (left, right) = numbers.split_at_mut(3)?;
    /// current.memset(left, 1)?;
    /// current.memset(right, 2)?;
    /// let mut back = current.malloc_host::<u8>(host, 4)?;
    /// current.memcpy(&mut back, &numbers)?;
    /// assert_eq!(back[..], [1, 1, 1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` is larger than the number of elements.
    pub fn split_at_mut(
        &mut self,
        mid: usize,
    ) -> Result<(SliceMut<'_, M, [E::Element]>, SliceMut<'_, M, [E::Element]>)> {
        let len = self.len();
        self.slice_mut(0..len)?.split_at_mut(mid)
    }
}

impl<'b, M: Place, T, Q> Slice<'b, M, [T], Q> {
    /// Splits the part at element `mid` and returns both sides.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
    /// let (left, right) = numbers.slice(0..4)?.split_at(1)?;
    /// assert_eq!((left.len(), right.len()), (1, 3));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` is larger than the number of elements.
    pub fn split_at(self, mid: usize) -> Result<(Self, Self)> {
        let [left, right] = halves(self.ptr, mid)?.map(|ptr| Slice {
            ptr,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

impl<'b, M: Place, T, Q> SliceMut<'b, M, [T], Q> {
    /// Splits the part at element `mid` and returns both sides.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let (left, right) = numbers.slice_mut(0..4)?.split_at_mut(1)?;
    /// current.memset(left, 1)?;
    /// current.memset(right, 2)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when `mid` is larger than the number of elements.
    pub fn split_at_mut(self, mid: usize) -> Result<(Self, Self)> {
        // INVARIANT: the sides do not overlap, and the whole part was borrowed exclusively.
        let [left, right] = halves(self.ptr, mid)?.map(|ptr| SliceMut {
            ptr,
            _buf: PhantomData,
        });
        Ok((left, right))
    }
}

impl<'b, M: Place, T, Q> Slice<'b, M, [T], Q> {
    /// The elements `range` of this part.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
    /// let rear = numbers.slice(1..4)?;
    /// assert_eq!(rear.slice(1..3)?[..], [3, 4]);
    /// assert!(rear.slice(1..4).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the part.
    pub fn slice(&self, range: Range<usize>) -> Result<Self> {
        Ok(Slice {
            ptr: within(self.ptr, range)?,
            _buf: PhantomData,
        })
    }
}

impl<M: Place, T, Q> SliceMut<'_, M, [T], Q> {
    /// The elements `range` of this part for reading: the part is borrowed meanwhile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
    /// let rear = numbers.slice_mut(1..4)?;
    /// assert_eq!(rear.slice(1..3)?[..], [3, 4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the part.
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [T], Q>> {
        self.read().slice(range)
    }

    /// The elements `range` of this part: the part is borrowed exclusively meanwhile. So work can write one piece after the
    /// other, and then read the whole.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let mut rear = numbers.slice_mut(1..4)?;
    /// current.memset(rear.slice_mut(0..2)?, 1)?;
    /// current.memset(rear.slice_mut(2..3)?, 2)?;
    /// let mut back = current.malloc_host::<u8>(host, 3)?;
    /// current.memcpy(&mut back, &rear)?;
    /// assert_eq!(back[..], [1, 1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the part.
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [T], Q>> {
        // INVARIANT: elements of this part, which cannot be used as long as the result exists.
        Ok(SliceMut {
            ptr: within(self.ptr, range)?,
            _buf: PhantomData,
        })
    }
}

/// The elements `range` of a part.
pub(crate) fn within<T>(part: NonNull<[T]>, range: Range<usize>) -> Result<NonNull<[T]>> {
    let Range { start, end } = range;
    let len = part.len();
    if start > end || end > len {
        return Err(Usage::Range { start, end, len }.into());
    }
    let first = part.cast::<T>().as_ptr().wrapping_add(start);
    // SAFETY: not null, because the address lies within the part or at its end.
    let first = unsafe { NonNull::new_unchecked(first) };
    Ok(NonNull::slice_from_raw_parts(first, end - start))
}

/// Splits the pointer to a part at element `mid` and returns both sides.
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
    // SAFETY: not null, because the address lies within the part or at its end.
    let behind = unsafe { NonNull::new_unchecked(behind) };
    Ok([
        NonNull::slice_from_raw_parts(first, mid),
        NonNull::slice_from_raw_parts(behind, rest),
    ])
}

impl<'b, M: Place, T> SliceMut<'b, M, [T]> {
    /// Returns a part of a buffer that may be fresh.
    ///
    /// # Safety
    ///
    /// - Nothing reads an element through the result before it was written.
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
    /// Converts the part to the domain `N`, which is the view of another device on the same memory.
    pub(crate) fn seen_as<N: Place>(self) -> Slice<'b, N, E> {
        Slice {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, E: Elements + ?Sized, Q> Slice<'b, M, E, Q> {
    /// # Safety
    ///
    /// - The elements lie within a live, initialised buffer of `M` that is borrowed for `'b`.
    /// - With `Q` = `()` the buffer is idle, otherwise it is queued on `Q`.
    #[inline(always)]
    pub(crate) unsafe fn new(elements: NonNull<E>) -> Self {
        Slice {
            ptr: elements,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, E: Elements + ?Sized, Q> SliceMut<'b, M, E, Q> {
    /// # Safety
    ///
    /// - The elements lie within a live buffer of `M` that is borrowed exclusively for `'b`. They are initialised, or nothing
    ///   reads one through the result before it was written.
    /// - With `Q` = `()` the buffer is idle, otherwise it is queued on `Q`.
    /// - No other part has these elements.
    #[inline(always)]
    pub(crate) unsafe fn new(elements: NonNull<E>) -> Self {
        SliceMut {
            ptr: elements,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, E: Elements + ?Sized> SliceMut<'b, M, E> {
    /// Converts the part to the domain `N`, which is the view of another device on the same memory.
    pub(crate) fn seen_as<N: Place>(self) -> SliceMut<'b, N, E> {
        SliceMut {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, E: Elements + ?Sized, Q> Slice<'_, M, E, Q> {
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.memset(current.malloc::<f32>(8)?, 0)?;
    /// assert_eq!(numbers.slice(2..6)?.len(), 4);
    /// # });
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Returns whether the part has no elements. A copy of an empty part is legal and does nothing.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.memset(current.malloc::<f32>(8)?, 0)?;
    /// assert!(numbers.slice(3..3)?.is_empty());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<M: Place, E: Elements + ?Sized, Q> SliceMut<'_, M, E, Q> {
    /// The part for reading: it is borrowed meanwhile.
    #[inline(always)]
    pub(crate) fn read(&self) -> Slice<'_, M, E, Q> {
        // INVARIANT: the same elements, and `self` cannot be written as long as the result exists.
        Slice {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }

    /// The part for a shorter time: it is borrowed meanwhile.
    #[inline(always)]
    pub(crate) fn lent(&mut self) -> SliceMut<'_, M, E, Q> {
        // INVARIANT: the same elements, and `self` cannot be used as long as the result exists.
        SliceMut {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<'b, M: Place, E: Elements + ?Sized, Q> SliceMut<'b, M, E, Q> {
    /// Converts the part to one that copies read.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<u8>(4)?, 1)?;
    /// let (left, right) = numbers.split_at_mut(2)?;
    /// current.memcpy(left, right.into_slice())?; // within one buffer
    /// # });
    /// ```
    #[must_use]
    pub fn into_slice(self) -> Slice<'b, M, E, Q> {
        Slice {
            ptr: self.ptr,
            _buf: PhantomData,
        }
    }
}

impl<M: Place, E: Elements + ?Sized, Q> SliceMut<'_, M, E, Q> {
    pub(crate) fn raw(&self) -> NonNull<E> {
        self.ptr
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<f32>(8)?, 0)?;
    /// assert_eq!(numbers.slice_mut(2..6)?.len(), 4);
    /// # });
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.ptr)
    }

    /// Returns whether the part has no elements. A write to an empty part is legal and does nothing.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.memset(current.malloc::<f32>(8)?, 0)?;
    /// assert!(numbers.slice_mut(3..3)?.is_empty());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<M: Place, E: Elements + ?Sized, Q> fmt::Debug for Slice<'_, M, E, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Slice({:p}, {})",
            self.ptr.cast::<E::Element>(),
            self.len()
        )
    }
}

impl<M: Place, E: Elements + ?Sized, Q> fmt::Debug for SliceMut<'_, M, E, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SliceMut({:p}, {})",
            self.ptr.cast::<E::Element>(),
            self.len()
        )
    }
}
