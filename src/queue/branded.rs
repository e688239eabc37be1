//! Memory in the hands of a stream without a name, inside and outside of the closure that the stream is branded in.

use std::fmt;

use crate::device::AnyDevice;
use crate::error::{Error, Usage};
use crate::queue::{Queued, Resource};
use crate::stream::{Numbered, Stream, StreamBrand};

impl<'dev, D: AnyDevice, R: Resource<D>, H> Queued<'dev, (D, StreamBrand<'_>), R, H> {
    /// Takes the brand off, so that the memory can leave the closure that the stream is branded in. No call of the
    /// runtime.
    ///
    /// The memory stays in the hands of the stream, and knows it by its number. [`Stream::rebrand`] brings it back.
    #[inline]
    pub fn unbrand(self) -> Queued<'dev, (D, Numbered), R, H> {
        let (_, number) = self.home;
        // INVARIANT: the same stream.
        self.into_stream(number)
    }
}

impl<D: AnyDevice, R: Resource<D>, H> Queued<'_, (D, Numbered), R, H> {
    /// The number of the stream that has the memory: that of its
    /// [`ParkedStream`](crate::stream::ParkedStream::number).
    #[must_use]
    pub fn stream_number(&self) -> u64 {
        let (_, number) = self.home;
        number
    }
}

impl<'dev, 'id, D: AnyDevice> Stream<'_, 'dev, D, StreamBrand<'id>> {
    /// The number that no other stream of the process has. Errors and [`Debug`](fmt::Debug) name the stream by it.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.ident()
    }

    /// Gives memory in the hands of this stream the stream's brand, after a look whether it is this stream. No call of
    /// the runtime.
    ///
    /// # Errors
    ///
    /// [`OfOtherStream`] gives the memory back when another stream has it ([`Usage::OtherStream`]).
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
        // INVARIANT: no other stream has the number, so it is the same one.
        Ok(queued.into_stream(stream))
    }
}

/// Memory that was given to a stream while it is in the hands of another one.
///
/// The memory is part of it, and borrows its device. `?` in a function that returns [`Error`] takes the error alone; the
/// memory is dropped then, and freed when its own stream is idle.
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct OfOtherStream<Q> {
    /// Why.
    #[source]
    pub error: Error,
    /// The memory, unchanged.
    pub queued: Q,
}

impl<Q> fmt::Debug for OfOtherStream<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<Q> From<OfOtherStream<Q>> for Error {
    fn from(refused: OfOtherStream<Q>) -> Error {
        refused.error
    }
}
