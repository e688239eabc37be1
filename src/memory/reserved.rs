//! Reserved addresses: device memory that grows and does not move (`acl/acl_rt.h`; manual chapter 11-04).
//!
//! C has five steps: reserve addresses, allocate physical memory, map it, unmap it, free it. A [`ReservedBuf`] owns its
//! addresses and all physical memory behind them, so no step can come too early, twice, or not at all. It maps at its own
//! end only: the mapped addresses are one range, and so are the written elements in it.
//!
//! Mapping does not touch memory that is mapped already. So a buffer grows while a stream has it, and while queued work
//! uses the elements that it had before. Unmapping takes memory away, and needs the idle buffer.

mod operand;
mod range;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::place::Reserved;
pub(crate) use crate::memory::reserved::range::Range;
use crate::memory::reserved::range::room;
use crate::memory::{OnDevice, Plain, Slice, SliceMut, alloc};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued};
use crate::release;
use crate::runtime::HostSide;
use crate::state::Invariant;

/// The alignment of the first element: that of `aclrtMalloc`. A range begins at a multiple of the granularity.
const ALIGNMENT: usize = 64;

/// Device memory with elements `T` that grows at its end and does not move, made by [`Current::reserve_mem_address`].
///
/// It has reserved the addresses for all elements that it may ever have, and has memory for the first of them
/// ([`capacity`](ReservedBuf::capacity)). The first [`len`](ReservedBuf::len) elements were written, and only they are read.
/// [`grow`](ReservedBuf::grow) lends the next ones to a copy, a fill, an operator or a kernel.
///
/// A stream takes it as it takes other memory ([`Stream::adopt`](crate::Stream::adopt)). It grows there too, while queued work
/// uses its elements: nothing is copied, and no address changes.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let token = stream.malloc_host_from(host, &[1.0_f32; 16])?;
/// let mut cache = stream.adopt(current.reserve_mem_address::<f32>(host, 1 << 20)?); // 4 MiB of addresses
/// for _ in 0..10 {
///     stream.memcpy_async(cache.grow(current, 16)?, &token)?; // behind the elements that are written
/// }
/// let all = stream.memcpy_async(stream.malloc_host(host, 160)?, &cache)?;
/// assert_eq!(stream.synchronize()?.take(all)[..], [1.0; 160]);
/// # });
/// ```
///
/// # Invariants
///
/// - The first `len` elements have memory. Work writes every byte of them. This work is over, or it is ordered before all
///   work that reads them.
/// - The device that `'dev` borrows was not reset.
pub struct ReservedBuf<'dev, D, T> {
    range: ManuallyDrop<Box<Range>>,
    len: usize,
    _place: PhantomData<(&'dev (), Invariant<D>, T)>,
}

/// The next elements of a [`ReservedBuf`]: a destination. The work that writes them makes them elements of the buffer, and
/// returns them as a part of it. If it is not queued, the buffer stays as it was.
///
/// With `Q` = `()` the buffer is idle, otherwise it is queued on the queue `Q`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let mut numbers = current.reserve_mem_address::<u32>(host, 1000)?;
/// let tail = numbers.grow(current, 10)?; // not written yet
/// current.memset(tail, 0)?;
/// assert_eq!(numbers.len(), 10);
/// # });
/// ```
///
/// # Invariants
///
/// - `part` has the elements of a live buffer that begin behind the first `len` ones. They have memory.
/// - Nothing reads an element through `part` before it was written.
#[must_use = "the buffer grows when a copy, a fill, an operator or a kernel has written this"]
pub struct Tail<'b, D, T, Q = ()> {
    part: SliceMut<'b, Reserved<D>, [T], Q>,
    len: &'b mut usize,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Reserves addresses for `len` elements of device memory, and no memory yet (`aclrtReserveMemAddress`, pyACL
    /// `acl.rt.reserve_mem_address`). First it asks for the unit of memory, once for the buffer
    /// (`aclrtMemGetAllocationGranularity`).
    ///
    /// Addresses cost next to nothing: reserve them for the most elements that there may ever be. The program runs on a host,
    /// as `host` proves.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.reserve_mem_address::<f32>(host, 1 << 30)?; // 4 GiB of addresses
    /// assert_eq!((numbers.len(), numbers.capacity()), (0, 0));
    /// current.memset(numbers.grow(current, 1000)?, 0)?; // the first memory, usually 2 MiB
    /// assert!(numbers.len() == 1000 && numbers.capacity() >= 1000);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements aligned to more than 64 bytes, and
    /// [`ErrorKind::Refused`] with 207001 when no such range of addresses is left.
    #[doc(alias = "aclrtReserveMemAddress")]
    #[doc(alias = "aclrtMemGetAllocationGranularity")]
    #[doc(alias = "acl.rt.reserve_mem_address")]
    #[doc(alias = "acl.rt.mem_get_allocation_granularity")]
    pub fn reserve_mem_address<T: Plain>(
        self,
        _host: HostSide<'_>,
        len: usize,
    ) -> Result<ReservedBuf<'dev, D, T>> {
        let bytes = alloc::size::<T>(len, ALIGNMENT)?;
        let range = Range::reserve(self.core().id(), len, size_of::<T>(), bytes)?;
        // INVARIANT: there are no elements. The device is borrowed for `'dev`.
        Ok(ReservedBuf {
            range: ManuallyDrop::new(Box::new(range)),
            len: 0,
            _place: PhantomData,
        })
    }
}

impl<D, T: Plain> ReservedBuf<'_, D, T> {
    /// Maps memory for at least `additional` elements more, where it lacks (`aclrtMallocPhysical` and `aclrtMapMem`, pyACL
    /// `acl.rt.malloc_physical` and `acl.rt.map_mem`). Memory comes in units of the granularity.
    ///
    /// [`grow`](ReservedBuf::grow) does this too. Mapping takes long beside a copy, so a program can do it beforehand, and for
    /// many elements at once.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.reserve_mem_address::<f32>(host, 1 << 20)?;
    /// numbers.map_mem(current, 1 << 19)?; // memory for half of them
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ReservationFull`], and [`ErrorKind::Refused`] with 207001 when the device's memory is exhausted. The buffer stays as
    /// it was.
    #[doc(alias = "aclrtMallocPhysical")]
    #[doc(alias = "aclrtMapMem")]
    #[doc(alias = "acl.rt.malloc_physical")]
    #[doc(alias = "acl.rt.map_mem")]
    pub fn map_mem<C: AnyDevice>(
        &mut self,
        current: Current<'_, '_, C>,
        additional: usize,
    ) -> Result<()>
    where
        Reserved<D>: OnDevice<C>,
    {
        self.map_more(current.core().id(), additional)
    }

    /// Lends the `additional` elements behind those that were written, as a destination. Maps memory for them, where it lacks, as
    /// [`map_mem`](ReservedBuf::map_mem) does.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let token = current.malloc_host_from(host, &[1.0_f32, 2.0])?;
    /// let mut cache = current.reserve_mem_address::<f32>(host, 1 << 20)?;
    /// for step in 1..=3 {
    ///     current.memcpy(cache.grow(current, 2)?, &token)?;
    ///     assert_eq!(cache.len(), 2 * step);
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`map_mem`](ReservedBuf::map_mem), and [`Usage::ZeroSize`] for no elements.
    pub fn grow<C: AnyDevice>(
        &mut self,
        current: Current<'_, '_, C>,
        additional: usize,
    ) -> Result<Tail<'_, D, T>>
    where
        Reserved<D>: OnDevice<C>,
    {
        // SAFETY: an idle buffer.
        unsafe { self.tail(current.core().id(), additional) }
    }
}

impl<D, T: Plain, Q: Queue, H> Queued<'_, Q, ReservedBuf<'_, D, T>, H>
where
    Reserved<D>: OnDevice<Q::Device>,
{
    /// Maps memory for more elements, as [`ReservedBuf::map_mem`] does, while queued work uses those that there are.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = stream.adopt(current.reserve_mem_address::<f32>(host, 1 << 20)?);
    /// numbers.map_mem(current, 1 << 19)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ReservedBuf::map_mem`].
    pub fn map_mem<C: AnyDevice>(
        &mut self,
        current: Current<'_, '_, C>,
        additional: usize,
    ) -> Result<()>
    where
        Reserved<D>: OnDevice<C>,
    {
        self.resource_mut().map_mem(current, additional)
    }

    /// Lends the next elements to work of the same stream, as [`ReservedBuf::grow`] does, while queued work uses those that there
    /// are.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let token = stream.malloc_host_from(host, &[1.0_f32; 16])?;
    /// let mut cache = stream.adopt(current.reserve_mem_address::<f32>(host, 1 << 20)?);
    /// stream.memcpy_async(cache.grow(current, 16)?, &token)?;
    /// stream.memcpy_async(cache.grow(current, 16)?, &token)?; // the first copy may still run
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ReservedBuf::grow`].
    pub fn grow<C: AnyDevice>(
        &mut self,
        current: Current<'_, '_, C>,
        additional: usize,
    ) -> Result<Tail<'_, D, T, Q>>
    where
        Reserved<D>: OnDevice<C>,
    {
        // SAFETY: a buffer that is queued on `Q`.
        unsafe { self.resource_mut().tail(current.core().id(), additional) }
    }
}

/// Declares what an idle and a queued buffer say, and their parts.
macro_rules! methods {
    ($([$($generics:tt)*] $buffer:ty, $queue:ty, [$($where:tt)*], $this:ident => $read:expr, $write:expr;)*) => { $(
        impl<$($generics)*> $buffer
        where
            T: Plain,
            $($where)*
        {
            /// Returns the number of elements that were written: the others cannot be read.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let mut numbers = current.reserve_mem_address::<f32>(host, 1000)?;
            /// current.memset(numbers.grow(current, 16)?, 0)?;
            /// assert_eq!(numbers.len(), 16);
            /// # });
            /// ```
            #[must_use]
            pub fn len(&self) -> usize {
                let $this = self;
                $read.len
            }

            /// Returns whether no element was written.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// assert!(current.reserve_mem_address::<f32>(host, 1000)?.is_empty());
            /// # });
            /// ```
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the number of elements that the memory has room for which is mapped now.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let mut numbers = current.reserve_mem_address::<f32>(host, 1 << 20)?;
            /// numbers.map_mem(current, 16)?;
            /// assert!(numbers.capacity() >= 16); // a whole unit of memory was mapped
            /// # });
            /// ```
            #[must_use]
            pub fn capacity(&self) -> usize {
                let $this = self;
                let range = &$read.range;
                room(range.mapped, size_of::<T>())
            }

            /// Returns the number of elements that the reserved addresses have room for.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let numbers = current.reserve_mem_address::<f32>(host, 1000)?;
            /// assert!(numbers.reserved() >= 1000); // in whole units of memory
            /// # });
            /// ```
            #[must_use]
            pub fn reserved(&self) -> usize {
                let $this = self;
                room($read.range.bytes, size_of::<T>())
            }

            /// Returns the elements of `range` as a part that is read.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let mut numbers = current.reserve_mem_address::<u8>(host, 1000)?;
            /// current.memset(numbers.grow(current, 16)?, 0)?;
            /// assert_eq!(numbers.slice(4..16)?.len(), 12);
            /// assert!(numbers.slice(4..17).is_err()); // it has no more than 16 elements yet
            /// # });
            /// ```
            ///
            /// # Errors
            ///
            /// [`Usage::Range`] when the range is not within the elements that were written.
            pub fn slice(&self, range: std::ops::Range<usize>) -> Result<Slice<'_, Reserved<D>, [T], $queue>> {
                let $this = self;
                let part = $read.at(range)?;
                // SAFETY: written elements of a buffer that is borrowed, and idle or queued on this queue.
                Ok(unsafe { Slice::new(part) })
            }

            /// Returns the elements of `range` as a part that is written.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let mut numbers = current.reserve_mem_address::<u8>(host, 1000)?;
            /// current.memset(numbers.grow(current, 16)?, 0)?;
            /// current.memset(numbers.slice_mut(4..8)?, 1)?;
            /// # });
            /// ```
            ///
            /// # Errors
            ///
            /// As for [`slice`](ReservedBuf::slice).
            pub fn slice_mut(
                &mut self,
                range: std::ops::Range<usize>,
            ) -> Result<SliceMut<'_, Reserved<D>, [T], $queue>> {
                let $this = self;
                let part = $read.at(range)?;
                // SAFETY: written elements of a buffer that is borrowed exclusively, and idle or queued on this queue.
                Ok(unsafe { SliceMut::new(part) })
            }

            /// Shortens the buffer to `len` elements, if it has more. The memory stays mapped. Makes no runtime call.
            ///
            /// ```
            /// # ascendcl::example!(|acl, host, current| {
            /// let mut numbers = current.reserve_mem_address::<u8>(host, 1000)?;
            /// current.memset(numbers.grow(current, 16)?, 0)?;
            /// numbers.truncate(0); // grows from the start again
            /// assert!(numbers.is_empty() && numbers.capacity() >= 16);
            /// # });
            /// ```
            pub fn truncate(&mut self, len: usize) {
                let $this = self;
                let buffer = $write;
                buffer.len = buffer.len.min(len);
            }
        }
    )* };
}

methods! {
    [D, T] ReservedBuf<'_, D, T>, (), [], this => this, this;
    [D, T, Q: Queue, H] Queued<'_, Q, ReservedBuf<'_, D, T>, H>, Q, [Reserved<D>: OnDevice<Q::Device>],
        this => this.resource(), this.resource_mut();
}

impl<D, T: Plain> ReservedBuf<'_, D, T> {
    /// Unmaps and frees the memory behind the last element (`aclrtUnmapMem` and `aclrtFreePhysical`, pyACL
    /// `acl.rt.unmap_mem` and `acl.rt.free_physical`), in the pieces in which it was mapped: a piece with an element stays. The
    /// addresses stay reserved.
    ///
    /// This needs the idle buffer: work of a stream could use the memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut numbers = current.reserve_mem_address::<u8>(host, 1 << 30)?;
    /// numbers.map_mem(current, 1000)?; // 2 MiB
    /// numbers.map_mem(current, 1 << 24)?; // and 16 MiB
    /// current.memset(numbers.grow(current, 1 << 24)?, 0)?;
    /// numbers.truncate(1000);
    /// numbers.unmap_mem()?; // 16 MiB less
    /// assert!(numbers.capacity() < 1 << 24);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The memory that is unmapped by then is freed.
    #[doc(alias = "aclrtUnmapMem")]
    #[doc(alias = "aclrtFreePhysical")]
    #[doc(alias = "acl.rt.unmap_mem")]
    #[doc(alias = "acl.rt.free_physical")]
    pub fn unmap_mem(&mut self) -> Result<()> {
        let kept = self.range.needed(self.len, size_of::<T>())?;
        while self.range.pop_above(kept)? {}
        Ok(())
    }

    /// Unmaps and frees the memory and releases the addresses (`aclrtReleaseMemAddress`, pyACL
    /// `acl.rt.release_mem_address`), as a drop does.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let numbers = current.reserve_mem_address::<u8>(host, 1000)?;
    /// numbers.free()?; // a drop frees it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. What could not be unmapped or released is leaked then.
    #[doc(alias = "aclrtReleaseMemAddress")]
    #[doc(alias = "acl.rt.release_mem_address")]
    pub fn free(self) -> Result<()> {
        self.into_range().release()
    }

    fn map_more(&mut self, device: u32, additional: usize) -> Result<()> {
        let (len, size) = (self.len.saturating_add(additional), size_of::<T>());
        let needed = self.range.needed(len, size)?;
        self.range.map(device, needed)
    }

    /// # Safety
    ///
    /// - The buffer is idle with `Q` = `()`, and otherwise queued on `Q`.
    unsafe fn tail<Q>(&mut self, device: u32, additional: usize) -> Result<Tail<'_, D, T, Q>> {
        if additional == 0 {
            let size = size_of::<T>();
            return Err(Usage::ZeroSize { len: 0, size }.into());
        }
        self.map_more(device, additional)?;
        let first = self.range.first::<T>(self.len);
        let part = NonNull::slice_from_raw_parts(first, additional);
        // SAFETY: mapped elements of this buffer, which is borrowed exclusively; the caller's contract. A `Tail` is written
        // before it is a part for reading.
        let part = unsafe { SliceMut::new(part) };
        // INVARIANT: `map_more` has mapped memory for the elements behind `len`.
        let len = &mut self.len;
        Ok(Tail { part, len })
    }

    /// Returns the elements of a range.
    fn at(&self, range: std::ops::Range<usize>) -> Result<NonNull<[T]>> {
        let (start, end, len) = (range.start, range.end, self.len);
        if start > end || end > len {
            return Err(Usage::Range { start, end, len }.into());
        }
        let first = self.range.first::<T>(start);
        Ok(NonNull::slice_from_raw_parts(first, end - start))
    }

    /// All elements that were written.
    pub(crate) fn written(&self) -> NonNull<[T]> {
        NonNull::slice_from_raw_parts(self.range.first::<T>(0), self.len)
    }
}

impl<'b, D, T, Q> Tail<'b, D, T, Q> {
    /// Returns the elements that were written, beside these: one operator reads the former and writes the latter.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let mut sums = stream.adopt(current.reserve_mem_address::<f32>(host, 1000)?);
    /// stream.memset_d32_async(sums.grow(current, 4)?, 1.0)?;
    /// let (written, tail) = sums.grow(current, 4)?.split_written();
    /// let (last, next) = (written.tensor(&[4])?, tail.into_tensor(&[4])?);
    /// op::add(current, &last, &last, 1.0, next)?.launch(&mut stream)?.into_output();
    /// assert_eq!(sums.len(), 8);
    /// # });
    /// ```
    pub fn split_written(self) -> (Slice<'b, Reserved<D>, [T], Q>, Self) {
        let len = *self.len;
        // SAFETY: the elements of `part` follow the first `len` ones within one range of addresses (invariant).
        let first = unsafe { self.part.raw().cast::<T>().sub(len) };
        let written = NonNull::slice_from_raw_parts(first, len);
        // SAFETY: written elements (invariant of the buffer), which is borrowed exclusively for `'b` and is in the state that `Q`
        // says. The tail has the other elements, so nobody writes these.
        (unsafe { Slice::new(written) }, self)
    }
}

impl<D, T> ReservedBuf<'_, D, T> {
    pub(crate) fn range(&mut self) -> &mut Range {
        &mut self.range
    }

    pub(crate) fn into_range(self) -> Box<Range> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again and not dropped.
        unsafe { ManuallyDrop::take(&mut this.range) }
    }
}

impl<D, T> Drop for ReservedBuf<'_, D, T> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let range = unsafe { ManuallyDrop::take(&mut self.range) };
        release::in_drop(range.release());
    }
}

impl<D, C, T> Owned<C> for ReservedBuf<'_, D, T>
where
    Reserved<D>: OnDevice<C>,
{
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let parked = self.into_range().into_parked();
        parking.park(users, parked);
    }

    #[inline(always)]
    fn enters(&self, _: StreamKey) {}

    /// Memory claims nothing of its contents.
    #[inline(always)]
    fn accepted(&self) {}
}

impl<D, T> fmt::Debug for ReservedBuf<'_, D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (
            name,
            Range {
                base,
                mapped,
                bytes,
                ..
            },
        ) = (std::any::type_name::<T>(), &**self.range);
        let len = self.len;
        write!(
            f,
            "ReservedBuf[{name}; {len}]({base:p}, {mapped} of {bytes} bytes)"
        )
    }
}
