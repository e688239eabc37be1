//! The address of queued memory.

use crate::memory::{Buf, Elements, OnDevice, Place};
use crate::queue::{Queue, Queued};

impl<Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, I, H>
    Queued<'_, Q, Buf<'_, M, E, I>, H>
{
    /// The address, for calls that this crate does not have and for other libraries in the process.
    ///
    /// What uses it belongs on the [same stream](crate::Stream::as_raw), behind the work that was queued until then. Work
    /// elsewhere that uses it is waited for before the buffer comes back.
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> *mut E::Element {
        self.resource().as_raw()
    }
}
