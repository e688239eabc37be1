//! Parts of queued buffers: operands on the same stream that cannot travel to another.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use crate::error::Result;
use crate::memory::fixed::{AlignedIn, Fixed, SplitsAt, Without, halves};
use crate::memory::{Buf, Elements, Init, OnDevice, Place};
use crate::queue::{Queue, Queued};
use crate::state::Invariant;

/// A part of an initialised queued buffer, for reading.
///
/// # Invariants
///
/// A range within a buffer that is queued on `Q` and borrowed for `'b`.
pub struct Part<'b, Q, M: Place, E: Elements + ?Sized> {
    start: NonNull<E>,
    _buf: PhantomData<(&'b E, Invariant<(Q, M)>)>,
}

/// A part of an initialised queued buffer, for writing.
///
/// # Invariants
///
/// As for [`Part`], and the borrow is exclusive to this range.
pub struct PartMut<'b, Q, M: Place, E: Elements + ?Sized> {
    start: NonNull<E>,
    _buf: PhantomData<(&'b mut E, Invariant<(Q, M)>)>,
}

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.resource().len()
    }

    /// Whether there are no elements; never true, since empty allocations are refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of `range`, as the source of work on the same stream.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice(&self, range: Range<usize>) -> Result<Part<'_, Q, M, [E::Element]>> {
        Ok(Part {
            start: self.resource().at(range)?,
            _buf: PhantomData,
        })
    }

    /// The elements of `range`, as the destination of work on the same stream.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<PartMut<'_, Q, M, [E::Element]>> {
        Ok(PartMut {
            start: self.resource().at(range)?,
            _buf: PhantomData,
        })
    }

    /// Both sides of `mid`, for work on the same stream that reads one and writes the other.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when `mid` lies behind the end.
    pub fn split_at_mut(
        &mut self,
        mid: usize,
    ) -> Result<(
        PartMut<'_, Q, M, [E::Element]>,
        PartMut<'_, Q, M, [E::Element]>,
    )> {
        let len = self.len();
        let left = self.resource().at(0..mid)?;
        let right = self.resource().at(mid..len)?;
        // INVARIANT: the two ranges do not overlap, and both borrow the whole buffer.
        Ok((
            PartMut {
                start: left,
                _buf: PhantomData,
            },
            PartMut {
                start: right,
                _buf: PhantomData,
            },
        ))
    }
}

impl<'dev, Q: Queue, M, T, N, H> Queued<'_, Q, Buf<'dev, M, Fixed<T, N>, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
    Fixed<T, N>: Elements,
{
    /// Both sides of element `K`, with their lengths in their types, for work on the same stream. A `K`
    /// behind the end does not compile, and neither does one that is not aligned to the 64 bytes that queued
    /// copies want.
    pub fn split_fixed_mut<K>(&mut self) -> FixedParts<'_, Q, M, T, K, N>
    where
        K: SplitsAt<N> + AlignedIn<T>,
        N: Without<K>,
    {
        let (left, right) = halves::<T, K, N>(self.resource().raw());
        // INVARIANT: the two ranges lie within the buffer and do not overlap, and both borrow the whole of it.
        let left = PartMut {
            start: left,
            _buf: PhantomData,
        };
        let right = PartMut {
            start: right,
            _buf: PhantomData,
        };
        (left, right)
    }
}

/// The two parts that [`Queued::split_fixed_mut`] makes: `K` elements, and the rest of `N`.
pub type FixedParts<'b, Q, M, T, K, N> = (
    PartMut<'b, Q, M, Fixed<T, K>>,
    PartMut<'b, Q, M, Fixed<T, <N as Without<K>>::Rest>>,
);

impl<Q, M: Place, E: Elements + ?Sized> Part<'_, Q, M, E> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.start)
    }

    /// Whether there are none. Copying none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn raw(&self) -> NonNull<E> {
        self.start
    }
}

impl<'b, Q, M: Place, E: Elements + ?Sized> PartMut<'b, Q, M, E> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        E::count(self.start)
    }

    /// Whether there are none. Writing none is legal and does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same part, for reading.
    #[must_use]
    pub fn into_part(self) -> Part<'b, Q, M, E> {
        Part {
            start: self.start,
            _buf: PhantomData,
        }
    }

    pub(super) fn raw(&self) -> NonNull<E> {
        self.start
    }
}

impl<Q, M: Place, E: Elements + ?Sized> fmt::Debug for Part<'_, Q, M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Part({:p}, {})",
            self.start.cast::<E::Element>(),
            self.len()
        )
    }
}

impl<Q, M: Place, E: Elements + ?Sized> fmt::Debug for PartMut<'_, Q, M, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "PartMut({:p}, {})",
            self.start.cast::<E::Element>(),
            self.len()
        )
    }
}
