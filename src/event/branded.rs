//! Fences of a stream without a name, inside and outside the closure in which the stream has its brand.

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::Usage;
use crate::event::Fence;
#[cfg(doc)]
use crate::queue::Queued;
use crate::queue::{OfOtherStream, Resource};
use crate::stream::{Numbered, Stream, StreamBrand};

impl<'dev, D: AnyDevice, R: Resource<D>, E, H> Fence<'dev, (D, StreamBrand<'_>), R, E, H> {
    /// Removes the brand, so that the fence can leave the closure in which its stream has the brand. Makes no runtime
    /// call.
    ///
    /// The memory stays queued on the stream and stores the number of the stream. [`Stream::rebrand_fence`] adds the
    /// brand again. Without the brand, a wait for the fence returns memory that no stream can verify: only
    /// [`accept_unverified`](crate::queue::Unverified::accept_unverified) turns it into a plain buffer.
    ///
    /// The stream may be destroyed while the fence exists. The destruction waits for the work of the stream, so the
    /// event has completed then.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::event::Order;
    ///
    /// let mut lane = current.create_parked_stream()?;
    /// let event = current.create_event::<Order>()?;
    /// let fence = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     Ok(stream.fence(event, zeros)?.unbrand())
    /// })?;
    /// println!("recorded on stream {}", fence.stream_number());
    /// # });
    /// ```
    #[inline]
    pub fn unbrand(self) -> Fence<'dev, (D, Numbered), R, E, H> {
        // INVARIANT: the event and the stream stay the same.
        Fence {
            queued: self.queued.unbrand(),
            event: self.event,
        }
    }
}

impl<D: AnyDevice, R: Resource<D>, E, H> Fence<'_, (D, Numbered), R, E, H> {
    /// Returns the number of the stream on which the fence was recorded, as [`Queued::stream_number`] does for queued
    /// memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::event::Order;
    ///
    /// let mut lane = current.create_parked_stream()?;
    /// let event = current.create_event::<Order>()?;
    /// let fence = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     Ok(stream.fence(event, zeros)?.unbrand())
    /// })?;
    /// assert_eq!(fence.stream_number(), lane.number());
    /// # });
    /// ```
    #[must_use]
    pub fn stream_number(&self) -> u64 {
        self.queued.stream_number()
    }
}

impl<'dev, 'id, D: AnyDevice> Stream<'_, 'dev, D, StreamBrand<'id>> {
    /// Adds the brand of this stream to a fence that was recorded on it, after a comparison of the stream numbers.
    /// Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::event::Order;
    ///
    /// let mut lane = current.create_parked_stream()?;
    /// let event = current.create_event::<Order>()?;
    /// let fence = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     Ok(stream.fence(event, zeros)?.unbrand())
    /// })?;
    /// lane.with(current, |stream| -> ascendcl::Result<()> {
    ///     let fence = stream.rebrand_fence(fence)?; // compares the numbers of the streams
    ///     let (zeros, _event) = fence.synchronize()?;
    ///     stream.synchronize()?.verify(zeros).free()
    /// })?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`OfOtherStream`] returns the fence if it was recorded on another stream ([`Usage::OtherStream`]). The error
    /// borrows the device. In a function that returns `Box<dyn std::error::Error>` or an error of `anyhow`, write
    /// `stream.rebrand_fence(fence).map_err(Error::from)?`.
    #[inline]
    pub fn rebrand_fence<R: Resource<D>, E, H>(
        &self,
        fence: Fence<'dev, (D, Numbered), R, E, H>,
    ) -> Result<
        Fence<'dev, (D, StreamBrand<'id>), R, E, H>,
        OfOtherStream<Fence<'dev, (D, Numbered), R, E, H>>,
    > {
        let Fence { queued, event } = fence;
        match self.rebrand(queued) {
            // INVARIANT: the event and the stream stay the same.
            Ok(queued) => Ok(Fence { queued, event }),
            Err(OfOtherStream { error, queued }) => Err(OfOtherStream {
                error,
                queued: Fence { queued, event },
            }),
        }
    }
}
