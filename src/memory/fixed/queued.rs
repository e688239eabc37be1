//! Memory of a computed length that is in the hands of a stream from the start.

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
    /// Allocates a number of elements that the compiler computed, with `typenum`, on the device (`aclrtMalloc`) for work of
    /// this stream.
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

    /// Allocates a number of elements that the compiler computed, with `typenum`, in page-locked host memory
    /// (`aclrtMallocHost`) for work of this stream to write.
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
