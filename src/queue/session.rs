//! What queues its work by calls of its own: communicators and channels, each with the stream that has it.

use std::fmt;

use crate::device::AnyDevice;
use crate::queue::Queue;
use crate::stream::{AnyStream, Stream};

/// A communicator ([`Comm`](crate::collective::Comm)) or a media channel ([`Channel`](crate::media::Channel)) with the stream
/// that has it, from [`Stream::with`]. Its methods queue work on the stream.
///
/// ```
/// # ascendcl::example!(ranks |comm, host, stream| {
/// let own = stream.memset_async(stream.malloc::<u8>(4)?, 7)?;
/// let session = stream.with(&comm); // for several calls
/// let all = session.all_gather(&own, stream.malloc(8)?)?;
/// session.barrier()?;
/// let back = stream.memcpy_async(stream.malloc_host(host, 8)?, &all)?;
/// assert_eq!(stream.synchronize()?.take(back)[..], [7; 8]); // of two ranks
/// # stream.synchronize()?;
/// # });
/// ```
///
/// It borrows both shared. Copies, fills and waits need the stream alone: call `with` again behind them.
#[must_use = "a session queues nothing until one of its methods is called"]
pub struct Session<'s, 'dev, D: AnyDevice, S: AnyStream, R> {
    resource: &'s R,
    /// The stream that has `resource`.
    stream: &'s Stream<'s, 'dev, D, S>,
}

/// What queues work by calls of its own on the stream of the queue `Q`, which has it.
#[diagnostic::on_unimplemented(
    message = "the stream of `{Q}` does not have this `{Self}`",
    label = "expected a communicator or a channel of this stream",
    note = "one that is idle: give it to the stream first, `let comm = stream.adopt(comm);`; in a recording: give it to the graph, `stream.capture((comm, memory), |recording, (comm, memory)| ..)`",
    note = "one that another stream has: wait and take it, `let comm = other.synchronize()?.take(comm);`, then adopt it",
    note = "one that is `Numbered`: `let comm = stream.rebrand(comm)?;` inside the closure"
)]
pub trait SessionOn<Q: Queue>: seal::Sealed {
    /// What the calls are about.
    #[doc(hidden)]
    type Resource;
    /// A stream may have the result, so it has no `&self` method that takes it for idle.
    #[doc(hidden)]
    fn resource(&self) -> &Self::Resource;
}

#[diagnostic::do_not_recommend]
impl<Q: Queue, U: SessionOn<Q>> SessionOn<Q> for &U {
    type Resource = U::Resource;
    #[inline(always)]
    fn resource(&self) -> &U::Resource {
        U::resource(self)
    }
}

#[diagnostic::do_not_recommend]
impl<Q: Queue, U: SessionOn<Q>> SessionOn<Q> for &mut U {
    type Resource = U::Resource;
    #[inline(always)]
    fn resource(&self) -> &U::Resource {
        U::resource(self)
    }
}

pub(crate) mod seal {
    use crate::queue::{Queue, Queued, Resource};

    crate::state::sealed! {
        "only what a stream has queues work";
        /// Seals [`SessionOn`](super::SessionOn).
        pub trait Sealed {}
    }
    impl<Q: Queue, R: Resource<Q::Device>, H> Sealed for Queued<'_, Q, R, H> {}
    impl<U: Sealed> Sealed for &U {}
    impl<U: Sealed> Sealed for &mut U {}
}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Returns the calls of a communicator or of a media channel that this stream has.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// use ascendcl::collective::Sum;
    ///
    /// let own = stream.memset_async(stream.malloc::<i8>(4)?, 3)?;
    /// let sums = stream.with(&comm).all_reduce(Sum, &own, stream.malloc(4)?)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &sums)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [6; 4]); // of two ranks
    /// # stream.synchronize()?;
    /// # });
    /// ```
    #[inline(always)]
    pub fn with<'s, U: SessionOn<(D, S)>>(
        &'s self,
        queued: &'s U,
    ) -> Session<'s, 'dev, D, S, U::Resource> {
        Session {
            resource: queued.resource(),
            stream: self,
        }
    }
}

impl<'s, 'dev, D: AnyDevice, S: AnyStream, R> Session<'s, 'dev, D, S, R> {
    /// Returns what queues the work, and the stream that has it.
    #[inline(always)]
    pub(crate) fn parts(self) -> (&'s R, &'s Stream<'s, 'dev, D, S>) {
        (self.resource, self.stream)
    }
}

impl<D: AnyDevice, S: AnyStream, R> Clone for Session<'_, '_, D, S, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: AnyDevice, S: AnyStream, R> Copy for Session<'_, '_, D, S, R> {}

impl<D: AnyDevice, S: AnyStream, R> fmt::Debug for Session<'_, '_, D, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}
