//! Allocation for a stream: memory that is in its hands from the start.
//!
//! Each method makes one call of the runtime, that of the method of [`Current`](crate::Current) with the same name, and
//! hands the memory over as [`Stream::adopt`] does.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::memory::alloc::{malloc_device, malloc_host_from, malloc_host_zeroed};
use crate::memory::{Buf, DeviceBuf, Host, HostBuf, MallocPolicy, Plain, Uninit};
use crate::queue::Queued;
use crate::runtime::HostSide;
use crate::stream::{Stream, StreamTag};

// The current context is that of `D` in all of these: a stream borrows the binding that made it.
impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Allocates memory for `len` elements on the device (`aclrtMalloc`, pyACL `acl.rt.malloc`), huge pages first, for
    /// work of this stream.
    ///
    /// The memory is fresh: a copy, a fill or an operator of this stream takes it by value and gives it back
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
        Ok(self.adopt(buf))
    }

    /// Allocates `N` elements on the device (`aclrtMalloc`) for work of this stream; the length is part of the type.
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_array<T: Plain, const N: usize>(
        &self,
    ) -> Result<Queued<'dev, (D, S), DeviceBuf<'dev, D, [T; N], Uninit>>> {
        let buf = malloc_device(N, MallocPolicy::HugeFirst, NonNull::cast)?;
        Ok(self.adopt(buf))
    }

    /// Allocates page-locked host memory for `len` elements (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`) for work of
    /// this stream to write: the destination of a download.
    ///
    /// The memory is fresh, as that of [`Stream::malloc`] is: the host cannot write queued memory. It is zeroed all the
    /// same, so that a download that has failed leaves no memory that nobody has written. A host buffer with contents
    /// comes from [`Stream::malloc_host_from`], or from [`Current::malloc_host`](crate::Current::malloc_host) by
    /// [`Stream::adopt`].
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
        Ok(self.adopt(buf))
    }

    /// Allocates `N` elements of page-locked host memory (`aclrtMallocHost`) for work of this stream to write; the length
    /// is part of the type.
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_host_array<T: Plain, const N: usize>(
        &self,
        _host: HostSide<'_>,
    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Host, [T; N], Uninit>>> {
        let buf = malloc_host_zeroed(N, NonNull::cast)?;
        Ok(self.adopt(buf))
    }

    /// Allocates page-locked host memory (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`) and copies `values` to it: the
    /// source of an upload by this stream.
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`]; no values are [`Usage::ZeroSize`].
    #[inline]
    pub fn malloc_host_from<T: Plain>(
        &self,
        _host: HostSide<'_>,
        values: &[T],
    ) -> Result<Queued<'dev, (D, S), HostBuf<'dev, [T]>>> {
        Ok(self.adopt(malloc_host_from(values)?))
    }
}
