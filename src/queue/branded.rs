//! Memory that is queued on a stream without a name, inside and outside the closure in which the stream has its
//! brand.

use std::fmt;

use crate::device::AnyDevice;
use crate::error::{Error, Usage};
use crate::queue::{Queued, Resource};
use crate::stream::{Numbered, Stream, StreamBrand};

impl<'dev, D: AnyDevice, R: Resource<D>, H> Queued<'dev, (D, StreamBrand<'_>), R, H> {
    /// Removes the brand, so that the memory can leave the closure in which the stream has it. Makes no runtime call.
    ///
    /// The memory stays queued on the stream and stores the number of the stream. [`Stream::rebrand`] adds the brand
    /// again.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut lane = current.create_parked_stream()?;
    /// let zeros = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     Ok(stream.memset_async(stream.malloc::<u8>(4)?, 0)?.unbrand()) // leaves the closure
    /// })?;
    /// assert_eq!(zeros.stream_number(), lane.number());
    /// # });
    /// ```
    #[inline]
    pub fn unbrand(self) -> Queued<'dev, (D, Numbered), R, H> {
        let (_, number) = self.home;
        // INVARIANT: the stream stays the same.
        self.into_stream(number)
    }
}

impl<D: AnyDevice, R: Resource<D>, H> Queued<'_, (D, Numbered), R, H> {
    /// Returns the number of the stream on which the memory is queued, as
    /// [`ParkedStream::number`](crate::stream::ParkedStream::number) does.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut lane = current.create_parked_stream()?;
    /// let zeros = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     Ok(stream.memset_async(stream.malloc::<u8>(4)?, 0)?.unbrand())
    /// })?;
    /// assert_eq!(zeros.stream_number(), lane.number());
    /// # });
    /// ```
    #[must_use]
    pub fn stream_number(&self) -> u64 {
        let (_, number) = self.home;
        number
    }
}

impl<'dev, 'id, D: AnyDevice> Stream<'_, 'dev, D, StreamBrand<'id>> {
    /// Returns the number of the stream, which is unique in the process. Errors and [`Debug`](fmt::Debug) output
    /// contain it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut lane = current.create_parked_stream()?;
    /// let number = lane.with(current, |stream| stream.number());
    /// assert_eq!(number, lane.number());
    /// # });
    /// ```
    #[must_use]
    pub fn number(&self) -> u64 {
        self.ident()
    }

    /// Adds the brand of this stream to memory that is queued on it, after a comparison of the stream numbers. Makes
    /// no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut lane = current.create_parked_stream()?;
    /// let zeros = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     Ok(stream.memset_async(stream.malloc::<u8>(4)?, 0)?.unbrand())
    /// })?;
    /// lane.with(current, |stream| -> ascendcl::Result<()> {
    ///     let zeros = stream.rebrand(zeros)?; // compares the numbers of the streams
    ///     stream.synchronize()?.take(zeros).free()
    /// })?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`OfOtherStream`] returns the memory if it is queued on another stream ([`Usage::OtherStream`]). The error
    /// borrows the device. In a function that returns `Box<dyn std::error::Error>` or an error of `anyhow`, write
    /// `stream.rebrand(queued).map_err(Error::from)?`.
    #[inline]
    pub fn rebrand<R: Resource<D>, H>(
        &self,
        queued: Queued<'dev, (D, Numbered), R, H>,
    ) -> Result<
        Queued<'dev, (D, StreamBrand<'id>), R, H>,
        OfOtherStream<Queued<'dev, (D, Numbered), R, H>>,
    > {
        let (memory, stream) = (queued.stream_number(), self.number());
        if memory != stream {
            let error = Usage::OtherStream { memory, stream }.into();
            return Err(OfOtherStream { error, queued });
        }
        // INVARIANT: no other stream has the number, so it is the same stream.
        Ok(queued.into_stream(stream))
    }
}

/// The error of [`Stream::rebrand`], [`Stream::rebrand_fence`] and [`Stream::rebrand_subscribed`] for memory, a fence or
/// a subscription of another stream.
///
/// The error contains the value. Memory borrows its device. In a function that returns [`Error`], `?` takes only the
/// inner error. The value is dropped then. Memory is freed when its own stream is idle, and a subscription lasts until
/// its stream ends.
///
/// A function that returns errors without a lifetime, for example `Box<dyn Error>` or those of `anyhow`, takes the
/// inner error by `map_err`:
///
/// ```
/// # use ascendcl::stream::{Numbered, StreamBrand};
/// # use ascendcl::{DeviceBuf, Error, Npu, Queued, Stream};
/// # fn rebrand<'dev>(
/// #     stream: &mut Stream<'_, 'dev, Npu<0>, StreamBrand<'_>>,
/// #     queued: Queued<'dev, (Npu<0>, Numbered), DeviceBuf<'dev, Npu<0>, [f32]>>,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// let queued = stream.rebrand(queued).map_err(Error::from)?;
/// # drop(queued); Ok(()) }
/// ```
pub struct OfOtherStream<Q> {
    /// The reason, with the numbers of both streams.
    pub error: Error,
    /// The memory, the fence or the subscription, unchanged.
    pub queued: Q,
}

impl<Q> fmt::Debug for OfOtherStream<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<Q> fmt::Display for OfOtherStream<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)
    }
}

impl<Q> std::error::Error for OfOtherStream<Q> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<Q> From<OfOtherStream<Q>> for Error {
    fn from(refused: OfOtherStream<Q>) -> Error {
        refused.error
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::{Error, OfOtherStream, Usage};

    #[test]
    fn the_reason_is_the_text_and_the_source() {
        let reason = Usage::OtherStream {
            memory: 1,
            stream: 2,
        };
        let text = reason.to_string();
        let refused = OfOtherStream {
            error: Error::from(reason),
            queued: (),
        };
        assert!(text.contains("stream number 1"), "{text}");
        assert_eq!(refused.to_string(), text);
        assert_eq!(refused.source().map(ToString::to_string), Some(text));
    }
}
