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
use crate::queue::{Fillable, Queue, Queued};
use crate::raw::{check, check_wait};
use crate::stream::{Stream, StreamTag};

/// What the engine that copies within a device asks of addresses (`acl/acl_rt.h`, CANN 8.1).
const ALIGNMENT: usize = 64;

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a copy (`aclrtMemcpyAsync`, pyACL `acl.rt.memcpy_async`) and returns at once.
    ///
    /// One call of the runtime; the direction follows from the types. Both buffers are queued on this
    /// stream before and afterwards. A fresh destination goes in by value and comes back
    /// initialised, for later work of this stream and, after a wait, for the host.
    ///
    /// # Errors
    ///
    /// [`Usage::Length`] when lengths that are known at run time differ, [`Usage::Misaligned`] for a copy
    /// within the device whose parts do not begin at multiples of 64 bytes, and
    /// [`ErrorKind::Refused`]. A fresh destination is parked then. That the copy itself fails is reported
    /// by the stream's next wait. Memory of Rust, [lent](crate::scope::Scope::lend), makes the copy wait for the stream:
    /// then it is [`ErrorKind::Wait`], also of earlier work, and the stream is poisoned.
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
            // Whole buffers are aligned: `aclrtMalloc` to 64 bytes, `acldvppMalloc` to 128 (api_ref
            // 11-01; `acl/ops/acl_dvpp.h`, CANN 8.1).
            if !A::WHOLE {
                aligned(from.addr().get())?;
            }
            if !T::WHOLE {
                aligned(to.addr().get())?;
            }
        }
        // No overflow: the allocation of either side had this many bytes.
        let bytes = source_len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: a live stream of the current context. Both ranges are live allocations of `bytes`
        // bytes that stay so until the work is over: what is queued is freed only after a proof of
        // that (invariant of `Queued`). Everything else that uses them is ordered by this queue.
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
        if (A::WAITS || T::WAITS) && !is_refusal(code) {
            // The wait is for earlier work, too, whose failures are reported once. That there was one nobody says: a
            // copy of nothing waits for nothing.
            self.told("aclrtMemcpyAsync", code)?;
        } else {
            check("aclrtMemcpyAsync", code)?;
        }
        // SAFETY: the copy covers every element of the destination.
        Ok(unsafe { destination.written() })
    }

    /// Queues a fill with a byte (`aclrtMemsetAsync`, pyACL `acl.rt.memset_async`) of memory that
    /// AscendCL has allocated, and returns at once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. A fresh destination is parked then.
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
        // No overflow: the allocation had this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: as for the copy; any byte is valid for `Pod` elements.
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

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a fill of device memory with a word (`aclrtMemsetD32Async`) and returns at once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] where an older CANN lacks the function. A fresh destination is
    /// parked then.
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
        // No overflow: the allocation had this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: as for the copy; words are aligned as such (invariant of `Buf`).
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

impl<'dev, Q: Queue, E: Elements + ?Sized, I, H>
    Queued<'dev, Q, DeviceBuf<'_, Q::Device, E, I>, H>
{
    /// Waits for the device and frees the memory (`aclrtFreeWithDevSync`), for buffers that nobody needs back.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`], and [`ErrorKind::Refused`]; the memory is parked then.
    #[doc(alias = "aclrtFreeWithDevSync")]
    pub fn free_with_dev_sync(self, current: Current<'_, 'dev, Q::Device>) -> Result<()> {
        let pointer = self.resource().as_raw();
        current.core().wait_with(|| {
            // SAFETY: an allocation of `aclrtMalloc`, used by queues of the current device only, which the call
            // frees after a wait for that device that succeeds, or not at all (`rtFreeWithDevSync`, sources of
            // ACL 1.16).
            let code = unsafe { sys::aclrtFreeWithDevSync(pointer.cast()) };
            check_wait("aclrtFreeWithDevSync", code)
        })?;
        mem::forget(self);
        Ok(())
    }
}

/// Whether the status is one of those for wrong arguments, by which a call has done nothing (`acl_base_rt.h`).
fn is_refusal(code: sys::aclError) -> bool {
    (100_000..200_000).contains(&code)
}

/// Checks an address of a copy within the device.
#[inline(always)]
fn aligned(address: usize) -> Result<(), Error> {
    if address.is_multiple_of(ALIGNMENT) {
        Ok(())
    } else {
        Err(Usage::Misaligned { address }.into())
    }
}
