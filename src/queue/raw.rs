//! The address of queued memory.

use crate::memory::{Buf, Elements, OnDevice, Place};
use crate::queue::{Queue, Queued};

impl<Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, I, H>
    Queued<'_, Q, Buf<'_, M, E, I>, H>
{
    /// Returns the address, for C functions that this crate does not wrap and for other libraries in the process.
    ///
    /// Queue work that uses the address on the [same stream](crate::Stream::as_raw), after the work that was queued
    /// until then. If other work uses the address, wait for it before the buffer comes back from the stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    /// let address: *mut f32 = zeros.as_raw(); // for work that is queued on `stream.as_raw()`
    /// assert!(!address.is_null());
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> *mut E::Element {
        self.resource().as_raw()
    }
}
