//! Parts of queued buffers: operands of the same stream, which cannot move to another one.

use std::ops::Range;

use crate::error::Result;
use crate::memory::fixed::{AlignedIn, Fixed, FixedHalves, SplitsAt, Without, halves};
use crate::memory::{Buf, Elements, Init, OnDevice, Place, Slice, SliceMut};
use crate::queue::{Queue, Queued};

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where
    M: Place + OnDevice<Q::Device>,
{
    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<f32>(16)?, 0)?;
    /// assert_eq!(zeros.len(), 16);
    /// # });
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.resource().len()
    }

    /// Returns whether the buffer has no elements. This is always `false`, because empty allocations are errors.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<f32>(16)?, 0)?;
    /// assert!(!zeros.is_empty());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements of `range` as a part that work on the same stream reads.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = stream.malloc_host_from(host, &[1_u8, 2, 3, 4])?;
    /// let middle = stream.memcpy_async(stream.malloc::<u8>(2)?, numbers.slice(1..3)?)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when the range is not within the buffer.
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [E::Element], Q>> {
        let elements = self.resource().at(range)?;
        // SAFETY: a range within the buffer, which is queued on `Q` and borrowed.
        Ok(unsafe { Slice::new(elements) })
    }

    /// Returns the elements of `range` as a part that work on the same stream writes.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = stream.memset_async(stream.malloc::<u8>(128)?, 0)?;
    /// stream.memset_async(numbers.slice_mut(64..128)?, 1)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when the range is not within the buffer.
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [E::Element], Q>> {
        let elements = self.resource().at(range)?;
        // SAFETY: a range within the buffer, which is queued on `Q` and borrowed exclusively.
        Ok(unsafe { SliceMut::new(elements) })
    }

    /// Splits the buffer at element `mid` and returns both sides, so that work on the same stream can read one side
    /// and write the other.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = stream.memset_async(stream.malloc::<u8>(128)?, 0)?;
    /// let (left, right) = numbers.split_at_mut(64)?;
    /// stream.memcpy_async(left, right.into_slice())?; // within one buffer
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`](crate::error::Usage::Range) when `mid` is larger than the number of elements.
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
    /// Splits the buffer at element `K` and returns both sides, for work on the same stream. The lengths are part of
    /// the types.
    ///
    /// A `K` larger than the length does not compile. A `K` that is not aligned to 64 bytes does not compile either,
    /// because queued copies need this alignment.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::fixed::Fixed;
    /// use typenum::{U16, U64};
    ///
    /// let mut numbers = stream.memset_async(stream.malloc_as::<Fixed<f32, U64>>()?, 0)?;
    /// let (head, tail) = numbers.split_fixed_mut::<U16>(); // 16 and 48 elements
    /// stream.memset_async(head, 1)?;
    /// # });
    /// ```
    pub fn split_fixed_mut<K>(&mut self) -> FixedHalves<'_, M, T, K, N, Q>
    where
        K: SplitsAt<N> + AlignedIn<T>,
        N: Without<K>,
    {
        let (left, right) = halves::<T, K, N>(self.resource().raw());
        // SAFETY: within the buffer, which is queued on `Q` and borrowed exclusively.
        let left = unsafe { SliceMut::new(left) };
        // SAFETY: within the buffer, which is queued on `Q` and borrowed exclusively, and without the elements of
        // `left`.
        let right = unsafe { SliceMut::new(right) };
        (left, right)
    }
}
