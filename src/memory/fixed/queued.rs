//! Allocation of queued memory with a length that the compiler computes.

use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::error::Result;
use crate::memory::alloc::{malloc_device, malloc_host_zeroed};
use crate::memory::fixed::{Fixed, NonEmpty};
use crate::memory::plain::Plain;
use crate::memory::policy::MallocPolicy;
use crate::memory::{Buf, DeviceBuf, Host, Uninit};
use crate::queue::Queued;
use crate::runtime::HostSide;
use crate::stream::{Stream, StreamTag};

impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Allocates device memory for `N` elements, a number of `typenum`, and queues it on this stream (`aclrtMalloc`,
    /// pyACL `acl.rt.malloc`). A length of zero does not compile.
    ///
    /// The memory is fresh: a copy, a fill or an operator of this stream takes it by value and returns it
    /// initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use typenum::U16;
    ///
    /// let fresh = stream.malloc_fixed::<f32, U16>()?;
    /// let zeros = stream.memset_async(fresh, 0)?;
    /// assert_eq!(zeros.len(), 16);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_fixed<T: Plain, N: NonEmpty>(
        &self,
    ) -> Result<Queued<'dev, (D, S), DeviceBuf<'dev, D, Fixed<T, N>, Uninit>>> {
        let buf = malloc_device(N::USIZE, MallocPolicy::HugeFirst, NonNull::cast)?;
        Ok(self.adopt(buf))
    }

    /// Allocates page-locked host memory for `N` elements, a number of `typenum`, and queues it on this stream
    /// (`aclrtMallocHost`, pyACL `acl.rt.malloc_host`). A length of zero does not compile.
    ///
    /// The memory is zeroed, but its type is fresh, because the host cannot write queued memory. A copy of this
    /// stream takes it by value as its destination and returns it initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use typenum::U4;
    ///
    /// let zeros = stream.memset_async(stream.malloc_fixed::<u8, U4>()?, 0)?;
    /// let back = stream.memcpy_async(stream.malloc_host_fixed::<u8, U4>(host)?, &zeros)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [0; 4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`].
    #[inline]
    pub fn malloc_host_fixed<T: Plain, N: NonEmpty>(
        &self,
        _host: HostSide<'_>,
    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Host, Fixed<T, N>, Uninit>>> {
        let buf = malloc_host_zeroed(N::USIZE, NonNull::cast)?;
        Ok(self.adopt(buf))
    }
}
