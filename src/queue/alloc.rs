//! Allocation of memory that is queued on a stream from the start.
//!
//! Each method makes the same runtime call as the method of [`Current`](crate::Current) with the same name, and then
//! queues the memory as [`Stream::adopt`] does.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::memory::alloc::{counted, malloc_device, malloc_host_from, malloc_host_zeroed};
use crate::memory::elements::Counted;
use crate::memory::{Buf, DeviceBuf, Host, HostBuf, MallocPolicy, Plain, Uninit};
use crate::queue::Queued;
use crate::runtime::HostSide;
use crate::stream::{AnyStream, Stream};

// In all these methods the current context is that of `D`, because a stream borrows the binding of its thread.
impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Allocates device memory for `len` elements and queues it on this stream (`aclrtMalloc`, pyACL
    /// `acl.rt.malloc`). Uses huge pages if there are any.
    ///
    /// The memory is fresh: a copy, a fill or an operator of this stream takes it by value and returns it
    /// initialised.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn main() -> ascendcl::Result<()> {
    ///     use ascendcl::{Acl, Npu, stream::Main};
    ///
    ///     let acl = Acl::from_env()?;
    ///     let host = acl.host()?;
    ///     acl.on::<Npu<0>, _>(0, |current| {
    ///         let mut stream = current.create_stream::<Main>()?;
    ///         let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0, 3.0])?;
    ///         let on_device = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
    ///         let back = stream.memcpy_async(stream.malloc_host(host, 3)?, &on_device)?;
    ///         assert_eq!(stream.synchronize()?.take(back)[..], [1.0, 2.0, 3.0]);
    ///         Ok(())
    ///     })
    /// }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements aligned to more than 64 bytes, and
    /// [`ErrorKind::Refused`] with 207001 when the device's memory is exhausted.
    #[doc(alias = "aclrtMalloc")]
    #[doc(alias = "acl.rt.malloc")]
    #[inline]
    pub fn malloc<T: Plain>(
        &self,
        len: usize,
    ) -> Result<Queued<'dev, (D, S), DeviceBuf<'dev, D, [T], Uninit>>> {
        let buf = malloc_device(len, MallocPolicy::HugeFirst, |first| {
            NonNull::slice_from_raw_parts(first, len)
        })?;
        Ok(self.queue(buf))
    }

    /// Allocates device memory for elements whose number is part of their type, `[T; N]` or
    /// [`Fixed<T, N>`](crate::memory::fixed::Fixed), and queues it on this stream (`aclrtMalloc`, pyACL `acl.rt.malloc`).
    ///
    /// The memory is fresh: a copy, a fill or an operator of this stream takes it by value and returns it
    /// initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc_as::<[f32; 4]>()?, 0)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_as<E: Counted<Element: Plain>>(
        &self,
    ) -> Result<Queued<'dev, (D, S), DeviceBuf<'dev, D, E, Uninit>>> {
        let buf = malloc_device(counted::<E>(), MallocPolicy::HugeFirst, NonNull::cast)?;
        Ok(self.queue(buf))
    }

    /// Allocates page-locked host memory for `len` elements and queues it on this stream, as the destination of a
    /// download (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`).
    ///
    /// The type of the memory is fresh, because the host cannot write queued memory. The call zeroes it nevertheless,
    /// so that a failed download does not leave bytes that were never written.
    ///
    /// For a host buffer with contents use [`Stream::malloc_host_from`], or
    /// [`Current::malloc_host`](crate::Current::malloc_host) and [`Stream::adopt`].
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
    /// As for [`Stream::malloc`].
    #[doc(alias = "aclrtMallocHost")]
    #[doc(alias = "acl.rt.malloc_host")]
    #[inline]
    pub fn malloc_host<T: Plain>(
        &self,
        _host: HostSide<'_>,
        len: usize,
    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Host, [T], Uninit>>> {
        let buf = malloc_host_zeroed(len, |first| NonNull::slice_from_raw_parts(first, len))?;
        Ok(self.queue(buf))
    }

    /// Allocates page-locked host memory for elements whose number is part of their type, and queues it on this stream, as
    /// the destination of a download (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`).
    ///
    /// The type of the memory is fresh, because the host cannot write queued memory. The call zeroes it nevertheless.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc_as::<[f32; 4]>()?, 0)?;
    /// let back = stream.memcpy_async(stream.malloc_host_as::<[f32; 4]>(host)?, &zeros)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [0.0; 4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_host_as<E: Counted<Element: Plain>>(
        &self,
        _host: HostSide<'_>,
    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Host, E, Uninit>>> {
        let buf = malloc_host_zeroed(counted::<E>(), NonNull::cast)?;
        Ok(self.queue(buf))
    }

    /// Allocates page-locked host memory, copies `values` to it and queues it on this stream, as the source of an
    /// upload (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
    /// let on_device = stream.memcpy_async(stream.malloc::<f32>(2)?, &numbers)?;
    /// assert_eq!(stream.synchronize()?.take(on_device).len(), 2);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`]. If `values` is empty, the error is [`Usage::ZeroSize`].
    #[inline]
    pub fn malloc_host_from<T: Plain>(
        &self,
        _host: HostSide<'_>,
        values: &[T],
    ) -> Result<Queued<'dev, (D, S), HostBuf<'dev, [T]>>> {
        Ok(self.queue(malloc_host_from(values)?))
    }
}
