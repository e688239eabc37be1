//! The history of queued memory: the streams on which it was queued before.
//!
//! In CANN's default failure mode an event completes even if a task before it has failed. A stream that has waited
//! for another stream knows that the other's work is over, but not that it has succeeded. So memory that moves to
//! another stream has the type [`After`] with the name of its former stream, until that stream verifies it.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::device::AnyDevice;
use crate::memory::{Buf, Elements, OnBoard, OnDevice, Peer, Place, Uninit};
use crate::outcome::{FailureMode, Unverified};
use crate::queue::{Queue, Queued, Resource};
use crate::state::{Invariant, Sealed};
use crate::stream::StreamTag;

/// The streams on which memory was queued before: none (`()`), or [`After`] the last of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a history of queued memory",
    label = "expected `()`, or `After<S, H>` with the name of a stream `S` and its history `H`"
)]
pub trait History: Sealed {
    /// The type of memory `R` that a stream returns when all its own work has succeeded: the memory itself, or the
    /// result of a fence of the former stream ([`Fenced`](crate::event::Fenced)).
    type Verified<'dev, D: AnyDevice, R>;

    /// Whether the memory came from another stream.
    #[doc(hidden)]
    const MOVED: bool;

    #[doc(hidden)]
    fn verified<'dev, Q: Queue, R>(
        unverified: Unverified<'dev, Q, R, Self>,
    ) -> Self::Verified<'dev, Q::Device, R>
    where
        Self: Sized;
}

impl Sealed for () {}
#[diagnostic::do_not_recommend]
impl History for () {
    type Verified<'dev, D: AnyDevice, R> = R;
    const MOVED: bool = false;

    #[inline(always)]
    fn verified<'dev, Q: Queue, R>(unverified: Unverified<'dev, Q, R>) -> R {
        unverified.into_resource()
    }
}

/// Marks memory that came from the stream `S` by [`handoff`](crate::Stream::handoff),
/// [`wait_fence`](crate::Stream::wait_fence) or [`wait_shared`](crate::Stream::wait_shared). `H` lists the streams
/// before `S`.
///
/// The current stream of the memory has waited for the work of `S`. When the current stream is idle, the work of `S`
/// is therefore over, but only `S` knows whether it has succeeded. So [`Idle::take`](crate::stream::Idle::take)
/// returns [`Unverified`] memory, which an `Idle` of `S` verifies. On a device that [stops on
/// failure](crate::Device::stop_on_failure) it returns the memory itself.
///
/// ```
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
/// # ascendcl::example!(|acl| { two_streams(&acl)?; });
/// ```
///
/// A function for memory of any history has a type parameter for the history:
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
    type Verified<'dev, D: AnyDevice, R> = <D::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;
    const MOVED: bool = true;

    #[inline(always)]
    fn verified<'dev, Q: Queue, R>(
        unverified: Unverified<'dev, Q, R, Self>,
    ) -> Self::Verified<'dev, Q::Device, R> {
        <Q::Device as AnyDevice>::Mode::fenced(Unverified::new(unverified.into_resource()))
    }
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, S, H> Queued<'dev, Q, R, After<S, H>> {
    /// Accepts the memory without the proofs of its former streams: removes their names from the type. The memory
    /// comes back from this stream as if it had never been queued on another one.
    ///
    /// The caller gives up the proof that the work of the former streams has succeeded. If that work has failed, the
    /// memory holds older or arbitrary bytes, and only a [`synchronize`](crate::Stream::synchronize) of the stream
    /// with the failed work returns an error.
    ///
    /// Use this for memory that moves repeatedly between streams: its type would grow in each iteration of a loop.
    /// For memory that is written again completely, use [`Queued::forget_contents`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// use ascendcl::event::Order;
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let zeros = stream.handoff(&mut second, &mut event, zeros)?.accept_unverified();
    /// let zeros = second.synchronize()?.take(zeros); // no proof of the first stream is asked for
    /// # });
    /// ```
    #[inline(always)]
    pub fn accept_unverified(self) -> Queued<'dev, Q, R> {
        self.resource().accepted();
        self.with_history()
    }
}

impl<'q, 'm, Q: Queue, M, E: Elements + ?Sized, I, H> Queued<'q, Q, Buf<'m, M, E, I>, H>
where
    M: OnBoard + OnDevice<Q::Device>,
{
    /// Marks queued device memory as fresh again, so that later work of this stream can write it completely. Makes no
    /// runtime call.
    ///
    /// The call also removes the names of the former streams. So a buffer that moves between streams in a loop has
    /// the same type in each iteration:
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { circle(&acl)?; });
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
    /// Marks lent memory of a peer as fresh again, so that later work of this stream can write it completely. Makes
    /// no runtime call.
    ///
    /// The call also removes the names of the former streams.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// # let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// # let current = thread.set_current(&second)?;
    /// # let mut there = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// # let current = thread.set_current(&device)?;
    /// # let here = current.memset(current.malloc::<u8>(4)?, 1)?;
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// if let Some(route) = current.can_access_peer(&second)? {
    ///     let access = route.enable(current)?;
    ///     let lent = stream.adopt(access.outbound().lend(there)).forget_contents();
    ///     let here = stream.adopt(here);
    ///     let written = stream.memcpy_async(lent, &here)?; // writes all of it
    ///     let there = access.outbound().give_back(stream.synchronize()?.take(written));
    /// }
    /// # });
    /// ```
    #[inline(always)]
    pub fn forget_contents(self) -> Queued<'q, Q, Buf<'m, Peer<Q::Device, P, A>, E, Uninit>> {
        self.with_history().map(|buf| buf.forget_contents())
    }
}
