//! Memory that has changed streams keeps the names of those that had it.
//!
//! In CANN's default failure mode an event completes although a task in front of it has failed, so a stream that
//! has waited for another one knows that its work is over, not that it has succeeded. What moves on is therefore
//! known to come [`After`] the stream that it came from, until that stream vouches for it.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::device::AnyDevice;
use crate::memory::{Buf, Elements, OnBoard, OnDevice, Peer, Place, Uninit};
use crate::outcome::{FailureMode, Unverified};
use crate::queue::{Queue, Queued, Resource};
use crate::state::{Invariant, Sealed};
use crate::stream::StreamTag;

/// The streams that had memory before: none (`()`), or [`After`] the last of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no history of queued memory",
    label = "expected `()`, or `After<S, H>` with the name of a stream and what was before it"
)]
pub trait History: Sealed {
    /// What a stream that has the memory `R` gives when all its own work has succeeded: the memory, or what a fence of
    /// the stream before would give ([`Fenced`](crate::event::Fenced)).
    type Vouched<'dev, D: AnyDevice, R>;

    #[doc(hidden)]
    fn vouched<'dev, Q: Queue, R>(
        unverified: Unverified<'dev, Q, R, Self>,
    ) -> Self::Vouched<'dev, Q::Device, R>
    where
        Self: Sized;
}

impl Sealed for () {}
#[diagnostic::do_not_recommend]
impl History for () {
    type Vouched<'dev, D: AnyDevice, R> = R;

    #[inline(always)]
    fn vouched<'dev, Q: Queue, R>(unverified: Unverified<'dev, Q, R>) -> R {
        unverified.accept_unverified()
    }
}

/// Marks memory that came from the stream `S` by [`handoff`](crate::Stream::handoff),
/// [`wait_fence`](crate::Stream::wait_fence) or [`wait_shared`](crate::Stream::wait_shared). `H` tells of the streams before
/// that one.
///
/// Who has the memory now has waited for the work of `S`, which is therefore over when it is idle itself; whether it
/// has succeeded, only `S` knows. So [`Idle::take`](crate::stream::Idle::take) gives [`Unverified`] memory, which an
/// `Idle` of `S` verifies. On a device that [stops on failure](crate::Device::stop_on_failure) it gives the memory itself.
///
/// ```
/// # #[cfg(feature = "emulator")]
/// fn two_streams(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use ascendcl::{Npu, StreamName, Thread, event::Order, stream::Main};
///     enum Upload {}
///     impl StreamName for Upload {}
///     let mut thread = Thread::claim()?;
///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     let current = thread.set_current(&device)?;
///     let (mut up, mut main) = (current.create_stream::<Upload>()?, current.create_stream::<Main>()?);
///     let mut event = current.create_event::<Order>()?;
///
///     let memory = up.memset_async(up.adopt(current.malloc::<u32>(16)?), 1)?;
///     let memory = up.handoff(&mut main, &mut event, memory)?; // on `main`, after `up`
///     let copy = main.memcpy_async(main.adopt(current.malloc(16)?), &memory)?;
///
///     let idle = main.synchronize()?;
///     let (copy, unverified) = (idle.take(copy), idle.take(memory));
///     let memory = up.synchronize()?.verify(unverified); // the fill has succeeded, too
///     copy.free()?;
///     memory.free()
/// }
/// # #[cfg(feature = "emulator")]
/// # fn main() -> ascendcl::Result<()> { two_streams(&ascendcl::Acl::from_env()?) }
/// # #[cfg(not(feature = "emulator"))]
/// # fn main() {}
/// ```
///
/// A function that takes memory of any history has a parameter for it:
///
/// ```
/// use ascendcl::bounds::{AnyDevice, StreamTag};
/// use ascendcl::{DeviceBuf, Queued, Result, Stream};
///
/// fn clear<D: AnyDevice, S: StreamTag, H>(
///     stream: &mut Stream<'_, '_, D, S>,
///     memory: &mut Queued<'_, (D, S), DeviceBuf<'_, D, [f32]>, H>,
/// ) -> Result<()> {
///     stream.memset_async(memory, 0)
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct After<S, H = ()> {
    _never: Infallible,
    _streams: PhantomData<Invariant<(S, H)>>,
}

impl<S, H> Sealed for After<S, H> {}
#[diagnostic::do_not_recommend]
impl<S: StreamTag, H> History for After<S, H> {
    type Vouched<'dev, D: AnyDevice, R> = <D::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;

    #[inline(always)]
    fn vouched<'dev, Q: Queue, R>(
        unverified: Unverified<'dev, Q, R, Self>,
    ) -> Self::Vouched<'dev, Q::Device, R> {
        <Q::Device as AnyDevice>::Mode::fenced(Unverified::new(unverified.accept_unverified()))
    }
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, S, H> Queued<'dev, Q, R, After<S, H>> {
    /// The memory as it is, without the names of the streams that had it: it comes back from this stream as if no
    /// other had ever had it.
    ///
    /// What is given up is the proof that the others' work has succeeded. Where it has not, the memory holds older or
    /// arbitrary numbers, and only a [`synchronize`](crate::Stream::synchronize) of the stream whose work it was tells.
    /// This is for memory that goes to and fro between streams, whose type would grow in each turn of a loop. Memory
    /// that is written again as a whole needs no such trust: [`Queued::forget_contents`].
    #[inline(always)]
    pub fn accept_unverified(self) -> Queued<'dev, Q, R> {
        self.with_history()
    }
}

impl<'q, 'm, Q: Queue, M, E: Elements + ?Sized, I, H> Queued<'q, Q, Buf<'m, M, E, I>, H>
where
    M: OnBoard + OnDevice<Q::Device>,
{
    /// Makes device memory fresh again, for later work of this stream to write as a whole. No call of the runtime.
    ///
    /// With the contents goes what the streams before have done to them, so that a buffer which circles between
    /// streams has the same type in each turn:
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn circle(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    /// # use ascendcl::{Npu, StreamName, Thread, event::Order, stream::Main};
    /// # enum Upload {}
    /// # impl StreamName for Upload {}
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// # let current = thread.set_current(&device)?;
    /// # let (mut up, mut main) = (current.create_stream::<Upload>()?, current.create_stream::<Main>()?);
    /// # let mut event = current.create_event::<Order>()?;
    /// let mut fresh = up.adopt(current.malloc::<u32>(16)?);
    /// for turn in 0..3 {
    ///     let written = up.memset_async(fresh, turn)?;
    ///     let on_main = up.handoff(&mut main, &mut event, written)?;
    ///     // ... work of `main` that reads it ...
    ///     fresh = main.handoff(&mut up, &mut event, on_main)?.forget_contents();
    /// }
    /// up.synchronize()?.take(fresh).free()
    /// # }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { circle(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    #[inline(always)]
    pub fn forget_contents(self) -> Queued<'q, Q, Buf<'m, M, E, Uninit>> {
        self.with_history().map(|buf| buf.forget_contents())
    }
}

impl<'q, 'm, Q: Queue, P, A, E: Elements + ?Sized, I, H>
    Queued<'q, Q, Buf<'m, Peer<Q::Device, P, A>, E, I>, H>
where
    Peer<Q::Device, P, A>: Place + OnDevice<Q::Device>,
{
    /// Makes lent memory of a peer fresh again, for later work of this stream to write as a whole. No call of the
    /// runtime. With the contents goes what the streams before have done to them.
    #[inline(always)]
    pub fn forget_contents(self) -> Queued<'q, Q, Buf<'m, Peer<Q::Device, P, A>, E, Uninit>> {
        self.with_history().map(|buf| buf.forget_contents())
    }
}
