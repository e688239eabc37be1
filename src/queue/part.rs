//! Parts of queued buffers: operands on the same stream that cannot travel to another.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use crate::error::Result;
use crate::memory::{Buf, Dyn, Init, Len, OnDevice, Place};
use crate::queue::{Queue, Queued};
use crate::state::Invariant;

/// A part of an initialised queued buffer, for reading.
///
/// # Invariants
///
/// A range within a buffer that is queued on `Q` and borrowed for `'b`.
pub struct Part<'b, Q, M: Place, T> {
    start: *const T,
    len: usize,
    _buf: PhantomData<(&'b T, Invariant<(Q, M)>)>,
}

/// A part of an initialised queued buffer, for writing.
///
/// # Invariants
///
/// As for [`Part`], and the borrow is exclusive to this range.
pub struct PartMut<'b, Q, M: Place, T> {
    start: *mut T,
    len: usize,
    _buf: PhantomData<(&'b mut T, Invariant<(Q, M)>)>,
}

impl<'dev, Q: Queue, M, T, L: Len> Queued<'_, Q, Buf<'dev, M, T, L, Init>>
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
    pub fn slice(&self, range: Range<usize>) -> Result<Part<'_, Q, M, T>> {
        let len = range.len();
        let start = self.resource().at(range)?;
        Ok(Part {
            start,
            len,
            _buf: PhantomData,
        })
    }

    /// The elements of `range`, as the destination of work on the same stream.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<PartMut<'_, Q, M, T>> {
        let len = range.len();
        let start = self.resource().at(range)?;
        Ok(PartMut {
            start,
            len,
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
    ) -> Result<(PartMut<'_, Q, M, T>, PartMut<'_, Q, M, T>)> {
        let len = self.len();
        let left = self.resource().at(0..mid)?;
        let right = self.resource().at(mid..len)?;
        // INVARIANT: the two ranges do not overlap, and both borrow the whole buffer.
        Ok((
            PartMut {
                start: left,
                len: mid,
                _buf: PhantomData,
            },
            PartMut {
                start: right,
                len: len - mid,
                _buf: PhantomData,
            },
        ))
    }
}

impl<Q, M: Place, T> Part<'_, Q, M, T> {
    pub(super) fn parts(&self) -> (*const T, Dyn) {
        (self.start, Dyn::new(self.len))
    }
}

impl<'b, Q, M: Place, T> PartMut<'b, Q, M, T> {
    /// The same part, for reading.
    #[must_use]
    pub fn into_part(self) -> Part<'b, Q, M, T> {
        Part {
            start: self.start,
            len: self.len,
            _buf: PhantomData,
        }
    }

    pub(super) fn parts(&self) -> (*mut T, Dyn) {
        (self.start, Dyn::new(self.len))
    }
}

impl<Q, M: Place, T> fmt::Debug for Part<'_, Q, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part({:p}, {})", self.start, self.len)
    }
}

impl<Q, M: Place, T> fmt::Debug for PartMut<'_, Q, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartMut({:p}, {})", self.start, self.len)
    }
}
