//! Parts of queued buffers: operands on the same stream that cannot travel to another.

use std::ops::Range;

use crate::error::Result;
use crate::memory::fixed::{AlignedIn, Fixed, FixedHalves, SplitsAt, Without, halves};
use crate::memory::{Buf, Elements, Init, OnDevice, Place, Slice, SliceMut};
use crate::queue::{Queue, Queued};

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
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [E::Element], Q>> {
        let elements = self.resource().at(range)?;
        // SAFETY: a range within the buffer, which is queued on `Q` and borrowed.
        Ok(unsafe { Slice::new(elements) })
    }

    /// The elements of `range`, as the destination of work on the same stream.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range).
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [E::Element], Q>> {
        let elements = self.resource().at(range)?;
        // SAFETY: a range within the buffer, which is queued on `Q` and borrowed exclusively.
        Ok(unsafe { SliceMut::new(elements) })
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
        SliceMut<'_, M, [E::Element], Q>,
        SliceMut<'_, M, [E::Element], Q>,
    )> {
        let len = self.len();
        self.slice_mut(0..len)?.split_at_mut(mid)
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
    pub fn split_fixed_mut<K>(&mut self) -> FixedHalves<'_, M, T, K, N, Q>
    where
        K: SplitsAt<N> + AlignedIn<T>,
        N: Without<K>,
    {
        let (left, right) = halves::<T, K, N>(self.resource().raw());
        // SAFETY: within the buffer, which is queued on `Q` and borrowed exclusively.
        let left = unsafe { SliceMut::new(left) };
        // SAFETY: within the buffer, and none of the elements on the left.
        let right = unsafe { SliceMut::new(right) };
        (left, right)
    }
}
