//! Queued copies and fills.

use std::ffi::c_void;
use std::mem;

use ascendcl_sys as sys;
use bytemuck::Pod;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::elements::ElementOf;
use crate::memory::{
    CopyTo, Destination, DeviceBuf, Elements, FillPlace, OnBoard, SameElements, Source, Word,
    WordPlace,
};
use crate::queue::{Fillable, Queued};
use crate::raw::check;
use crate::stream::{AnyStream, Stream, StreamTag};

/// The alignment that the copy engine of a device needs for addresses (`acl/acl_rt.h`, CANN 8.1).
const ALIGNMENT: usize = 64;

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a copy and returns at once (`aclrtMemcpyAsync`, pyACL `acl.rt.memcpy_async`).
    ///
    /// The direction follows from the types. Both buffers are queued on this stream, before and after the call. A
    /// fresh destination is passed by value and returned initialised, for later work of this stream and, after a
    /// wait, for the host.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = stream.malloc_host_from(host, &[1_u32, 2])?;
    /// let on_device = stream.memcpy_async(stream.malloc(2)?, &numbers)?; // upload
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &on_device)?; // download
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::Length`] when lengths that are known at run time differ.
    /// - [`Usage::Misaligned`] for a copy within the device whose parts do not begin at multiples of 64 bytes.
    /// - [`ErrorKind::Refused`] when AscendCL does not queue the copy.
    /// - [`ErrorKind::Wait`] for memory of Rust, [lent](crate::scope::Scope::lend) in a scope: this copy waits for
    ///   the stream, so the error may come from earlier work. The stream is poisoned then.
    ///
    /// On an error a fresh destination is parked: it is freed after a later successful wait for the stream. If a
    /// queued copy fails later, the next wait of the stream returns the error.
    #[doc(alias = "aclrtMemcpyAsync")]
    #[doc(alias = "acl.rt.memcpy_async")]
    #[inline(always)]
    pub fn memcpy_async<T, A>(&mut self, destination: T, source: A) -> Result<T::Written>
    where
        T: Destination<(D, S)>,
        A: Source<(D, S), Elements: SameElements<T::Elements>>,
        A::Place: CopyTo<T::Place, D>,
    {
        let (from, to) = (source.source(), destination.destination());
        let (source_len, destination_len) = (A::Elements::count(from), T::Elements::count(to));
        if !<A::Elements as SameElements<T::Elements>>::KNOWN && source_len != destination_len {
            return Err(Usage::lengths(source_len, destination_len));
        }
        let kind = <A::Place as CopyTo<T::Place, D>>::KIND;
        if kind == sys::ACL_MEMCPY_DEVICE_TO_DEVICE {
            // Whole buffers are aligned: `aclrtMalloc` aligns to 64 bytes, `acldvppMalloc` to 128 (manual chapter 11-01;
            // `acl/ops/acl_dvpp.h`, CANN 8.1).
            if !A::WHOLE {
                aligned(from.addr().get())?;
            }
            if !T::WHOLE {
                aligned(to.addr().get())?;
            }
        }
        // No overflow: the allocations of both sides have this many bytes.
        let bytes = source_len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: a live stream of the current context. Both ranges are live memory of `bytes` bytes and stay so
        // until the work is over: queued memory is freed only after a proof of that (invariant of `Queued`). This
        // queue orders all other work that uses the ranges.
        let code = unsafe {
            sys::aclrtMemcpyAsync(
                to.as_ptr().cast::<c_void>(),
                bytes,
                from.as_ptr().cast::<c_void>(),
                bytes,
                kind,
                self.as_raw(),
            )
        };
        if A::WAITS || T::WAITS {
            // The call also waits for earlier work, and its failures are reported only once. Whether the call really
            // waited is not reported: a copy of zero bytes does not wait.
            self.told("aclrtMemcpyAsync", code)?;
        } else {
            check("aclrtMemcpyAsync", code)?;
        }
        // SAFETY: the copy covers every element of the destination.
        Ok(unsafe { destination.written() })
    }

    /// Queues a fill with a byte and returns at once (`aclrtMemsetAsync`, pyACL `acl.rt.memset_async`). The memory is
    /// memory that AscendCL has allocated.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let ones = stream.memset_async(stream.malloc::<u8>(2)?, 1)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &ones)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when AscendCL does not queue the fill. On an error a fresh destination is parked: it is
    /// freed after a later successful wait for the stream.
    #[doc(alias = "aclrtMemsetAsync")]
    #[doc(alias = "acl.rt.memset_async")]
    #[inline(always)]
    pub fn memset_async<T>(&mut self, destination: T, value: u8) -> Result<T::Written>
    where
        T: Destination<
                (D, S),
                Elements: Elements<Element: Pod>,
                Place: FillPlace,
                Origin: Fillable,
            >,
    {
        let to = destination.destination();
        let len = T::Elements::count(to);
        // No overflow: the allocation has this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: a live stream of the current context. The range is live memory of `bytes` bytes and stays so until
        // the work is over (invariant of `Queued`). Any byte is valid for `Pod` elements.
        let code = unsafe {
            sys::aclrtMemsetAsync(
                to.as_ptr().cast::<c_void>(),
                bytes,
                value.into(),
                bytes,
                self.as_raw(),
            )
        };
        check("aclrtMemsetAsync", code)?;
        // SAFETY: the fill covers every element.
        Ok(unsafe { destination.written() })
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a fill of device memory with a word of 32 bits and returns at once (`aclrtMemsetD32Async`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let ones = stream.memset_d32_async(stream.malloc::<f32>(2)?, 1.0)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &ones)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1.0, 1.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when AscendCL does not queue the fill, and [`ErrorKind::Backend`] if an older CANN
    /// lacks the function. On an error a fresh destination is parked: it is freed after a later successful wait for
    /// the stream.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtMemsetD32Async")]
    pub fn memset_d32_async<T>(
        &mut self,
        destination: T,
        value: ElementOf<T::Elements>,
    ) -> Result<T::Written>
    where
        T: Destination<(D, S), Place: OnBoard + WordPlace, Elements: Elements<Element: Word>>,
    {
        let to = destination.destination();
        let len = T::Elements::count(to);
        // No overflow: the allocation has this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: a live stream of the current context. The range is live memory of `len` words and stays so until
        // the work is over (invariant of `Queued`). It is aligned for words (invariant of `Buf`).
        let code = unsafe {
            sys::aclrtMemsetD32Async(
                to.as_ptr().cast::<c_void>(),
                bytes,
                value.bits(),
                len,
                self.as_raw(),
            )
        };
        check("aclrtMemsetD32Async", code)?;
        // SAFETY: the fill covers every element.
        Ok(unsafe { destination.written() })
    }
}

impl<'dev, D: AnyDevice, S: AnyStream, E: Elements + ?Sized, I, H>
    Queued<'dev, (D, S), DeviceBuf<'_, D, E, I>, H>
{
    /// Waits for the device and frees the memory (`aclrtFreeWithDevSync`), for buffers that are not needed any more.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// zeros.free_with_dev_sync(current)?; // waits for the whole device
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`], and [`ErrorKind::Refused`]. On an error the memory
    /// is parked: it is freed after a later successful wait.
    #[doc(alias = "aclrtFreeWithDevSync")]
    pub fn free_with_dev_sync(self, current: Current<'_, 'dev, D>) -> Result<()>
    where
        S: StreamTag,
    {
        let pointer = self.resource().as_raw();
        // SAFETY: an allocation of `aclrtMalloc` that only queues of the current device use; it is forgotten behind a success.
        unsafe { current.core().free_with_dev_sync(pointer.cast()) }?;
        mem::forget(self);
        Ok(())
    }
}

/// Returns an error if an address of a copy within the device is not aligned.
#[inline(always)]
fn aligned(address: usize) -> Result<(), Error> {
    if address.is_multiple_of(ALIGNMENT) {
        Ok(())
    } else {
        Err(Usage::Misaligned { address }.into())
    }
}
