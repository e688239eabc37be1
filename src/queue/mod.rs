//! Memory in the hands of a stream.
//!
//! Asynchronous work reads and writes memory long after the call that queued it has returned. A borrow
//! cannot express that: `mem::forget` of a guard ends it early. So memory is handed over by value:
//! [`Stream::adopt`] makes a buffer [`Queued`], which nothing but work on that stream can touch, and a
//! proof that the work is over gives it back:
//!
//! - [`Idle`], from [`Stream::synchronize`]: all work of the stream has succeeded,
//! - a [`Fence`](crate::event::Fence), an event behind some of the work: that work is over,
//! - or the buffer moves on to another stream by [`Stream::handoff`] or a fence. It is [`After`] the first stream then,
//!   and each of the two says whether its own work has succeeded.
//!
//! Forgetting a queued buffer leaks it. Dropping it parks its memory with its device until its stream was waited for, or
//! the whole device. Neither frees early, and neither makes a service grow that waits for its streams.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! fn round_trip(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::{Npu, Thread, stream::Main};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
//!     let mut stream = current.create_stream::<Main>()?;
//!
//!     let mut host = current.malloc_host::<u32>(side, 3)?;
//!     host.copy_from_slice(&[1, 2, 3]);
//!     let host = stream.adopt(host);
//!     let on_device = stream.adopt(current.malloc::<u32>(3)?);
//!     let on_device = stream.memcpy_async(on_device, &host)?; // now initialised, and still queued
//!     let back = stream.adopt(current.malloc_host::<u32>(side, 3)?);
//!     let mut back = back;
//!     stream.memcpy_async(&mut back, &on_device)?;
//!
//!     let idle = stream.synchronize()?;
//!     assert_eq!(idle.take(back)[..], [1, 2, 3]);
//!     idle.take(host).free()?;
//!     idle.take(on_device).free()
//! }
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> { round_trip(&ascendcl::Acl::from_env()?) }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```

mod alloc;
mod branded;
pub(crate) mod moved;
mod operand;
mod part;
mod raw;
mod shared;
mod transfer;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

pub use branded::OfOtherStream;
pub use moved::After;
pub(crate) use moved::History;
pub(crate) use operand::Fillable;
pub use shared::Shared;

use crate::context::with_bound;
use crate::device::{AnyDevice, Ident, ident_of, key_of};
use crate::memory::{Buf, Elements, OnDevice, Place};
pub use crate::outcome::Unverified;
use crate::park::{self, Parking, User};
use crate::state::Invariant;
use crate::stream::{Drained, Idle, Stream, StreamIdent, StreamTag};

/// A queue of work in types: the pair of a device and a stream name.
pub trait Queue: pair::Pair {
    /// The device.
    type Device: AnyDevice;
}
impl<D: AnyDevice, S: StreamTag> Queue for (D, S) {
    type Device = D;
}

mod pair {
    use super::{AnyDevice, StreamIdent, StreamTag};
    use crate::park::StreamKey;
    use crate::stream::stream_key;

    /// Seals [`Queue`](super::Queue).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "expected `(D, S)`: a device and a stream name"
    )]
    pub trait Pair {
        /// Which stream of the device it is, where types do not say that.
        type Stream: Copy + Send + Sync;
        /// Its key.
        fn key(stream: Self::Stream) -> StreamKey;
    }
    impl<D: AnyDevice, S: StreamTag> Pair for (D, S) {
        type Stream = StreamIdent<S>;
        fn key(stream: StreamIdent<S>) -> StreamKey {
            stream_key::<S>(stream)
        }
    }
}

/// Which queue `Q` it is, where types do not say that: its device and its stream. Nothing for a slot and a name.
type Home<Q> = (Ident<<Q as Queue>::Device>, <Q as pair::Pair>::Stream);

/// What can be handed to a stream of device `D`: buffers by value, and pairs of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be handed to a stream of device `{D}`",
    label = "a stream takes buffers by value: host memory, or memory of its own device",
    note = "asynchronous work outlives any borrow that the compiler can see: move the buffer in, it comes back from `synchronize`",
    note = "a `Vec` or an array of Rust: allocate with `malloc_host`, or lend it in a scope: `stream.adopt(scope.lend(&vec[..]))`",
    note = "memory of another device: adopt it on a stream of that device; queued memory moves on by `handoff` or a fence"
)]
pub trait Resource<D>: owned::Owned<D> {}
#[diagnostic::do_not_recommend]
impl<D, R: owned::Owned<D>> Resource<D> for R {}

pub(crate) mod owned {
    use std::sync::Arc;

    use crate::park::{Parking, User};

    /// Seals [`Resource`](super::Resource): who owns memory says how it is given up.
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "a wrong implementation would make safe calls unsound"
    )]
    pub trait Owned<D> {
        /// Gives the memory up to the parking of the device that may use it.
        ///
        /// # Safety
        ///
        /// Of the queues of `D`, the device with that parking, only these use the memory, and the device is not reset
        /// before the memory's own one. Bounds make this method callable outside of this crate.
        unsafe fn park(self, parking: &Arc<Parking>, users: &[User]);
    }
}

impl<D, M: Place + OnDevice<D>, E: Elements + ?Sized, I> owned::Owned<D> for Buf<'_, M, E, I> {
    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.into_parking(parking, users);
    }
}

impl<D, A: owned::Owned<D>, B: owned::Owned<D>> owned::Owned<D> for (A, B) {
    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        // SAFETY: the caller's contract.
        unsafe { self.0.park(parking, users) };
        // SAFETY: the caller's contract.
        unsafe { self.1.park(parking, users) };
    }
}

/// Memory in the hands of the queue `Q`: work on that stream may use it, and nothing else.
///
/// `H` names the streams that had it before, if any: [`After`].
///
/// # Invariants
///
/// - All work that uses the memory is on `Q`, or was waited for by `Q`.
/// - The device of `Q` is not reset during `'dev`.
#[must_use = "a queued buffer comes back from `Idle::take` or from a fence"]
pub struct Queued<'dev, Q: Queue, R: Resource<Q::Device>, H = ()> {
    resource: ManuallyDrop<R>,
    home: Home<Q>,
    _queue: PhantomData<(&'dev (), Invariant<(Q, H)>)>,
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Queued<'dev, Q, R, H> {
    /// Establishes the invariant: the caller has idle memory, or memory whose work `Q` has waited for.
    #[inline(always)]
    fn new(resource: R, home: Home<Q>) -> Self {
        Queued {
            resource: ManuallyDrop::new(resource),
            home,
            _queue: PhantomData,
        }
    }

    /// Takes the memory out. The caller has a proof that the work is over, or queues it elsewhere.
    #[inline(always)]
    pub(crate) fn into_resource(self) -> R {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used again and not dropped, so the resource is taken once.
        unsafe { ManuallyDrop::take(&mut this.resource) }
    }

    /// The memory with another history.
    #[inline(always)]
    pub(crate) fn with_history<G>(self) -> Queued<'dev, Q, R, G> {
        let home = self.home;
        Queued::new(self.into_resource(), home)
    }

    /// Turns the memory into another resource of the same queue.
    #[inline(always)]
    pub(crate) fn map<A: Resource<Q::Device>>(
        self,
        f: impl FnOnce(R) -> A,
    ) -> Queued<'dev, Q, A, H> {
        let home = self.home;
        Queued::new(f(self.into_resource()), home)
    }

    #[inline(always)]
    pub(crate) fn resource(&self) -> &R {
        &self.resource
    }

    /// Both buffers as one, to go through one fence together.
    pub fn and<B: Resource<Q::Device>>(
        self,
        other: Queued<'dev, Q, B, H>,
    ) -> Queued<'dev, Q, (R, B), H> {
        self.map(|resource| (resource, other.into_resource()))
    }
}

impl<'dev, D: AnyDevice, S: StreamTag, R: Resource<D>, H> Queued<'dev, (D, S), R, H> {
    /// Passes the memory on to the stream `P` of the same device. The caller keeps the invariant: it is the same stream,
    /// or has waited for all work that uses the memory.
    #[inline(always)]
    pub(crate) fn into_stream<P: StreamTag, G>(
        self,
        stream: StreamIdent<P>,
    ) -> Queued<'dev, (D, P), R, G> {
        let (device, _) = self.home;
        Queued::new(self.into_resource(), (device, stream))
    }
}

impl<'dev, Q: Queue, A, B, H> Queued<'dev, Q, (A, B), H>
where
    A: Resource<Q::Device>,
    B: Resource<Q::Device>,
{
    /// The other way of [`Queued::and`].
    pub fn split(self) -> (Queued<'dev, Q, A, H>, Queued<'dev, Q, B, H>) {
        let home = self.home;
        let (a, b) = self.into_resource();
        (Queued::new(a, home), Queued::new(b, home))
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Drop for Queued<'_, Q, R, H> {
    /// An error path: out of line, and by value, because a path that took the buffer's address would
    /// keep it in memory for all paths.
    #[inline(always)]
    fn drop(&mut self) {
        #[cold]
        #[inline(never)]
        fn park<Q: Queue, R: Resource<Q::Device>>(resource: R, (device, stream): Home<Q>) {
            let user = Some(<Q as pair::Pair>::key(stream));
            let parking = park::find(key_of::<Q::Device>(device));
            // SAFETY: all work that uses the memory is on the queue, or was waited for by it (invariant).
            unsafe { resource.park(&parking, &[user]) };
        }
        // SAFETY: dropped once, and the field is not used afterwards.
        park::<Q, R>(unsafe { ManuallyDrop::take(&mut self.resource) }, self.home);
    }
}

impl<Q: Queue, R: Resource<Q::Device> + fmt::Debug, H> fmt::Debug for Queued<'_, Q, R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Queued").field(&*self.resource).finish()
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Hands a buffer to this stream. No call of the runtime.
    #[inline(always)]
    pub fn adopt<R: Resource<D>>(&self, resource: R) -> Queued<'dev, (D, S), R> {
        // SAFETY: this value borrows the binding that made it.
        let device = ident_of::<D>(|| unsafe { with_bound(|core| core.parking().key()) });
        // INVARIANT: what is owned is idle.
        Queued::new(resource, (device, self.ident()))
    }
}

impl<Q: Queue> Idle<'_, Q> {
    /// Gives a buffer back: the work of this stream that used it is over and has succeeded.
    ///
    /// A buffer that came from another stream, by `handoff` or a fence, comes back as [`Unverified`]: this stream has
    /// waited for the other's work, and [`Idle::verify`] of the other one tells whether that has succeeded. See [`After`].
    #[inline(always)]
    pub fn take<'dev, R: Resource<Q::Device>, H: History>(
        &self,
        queued: Queued<'dev, Q, R, H>,
    ) -> H::Vouched<'dev, Q::Device, R> {
        H::vouched(Unverified::<Q, R, H>::new(queued.into_resource()))
    }

    /// Accepts a buffer that a fence or another stream gave back: the work of this stream that used it has succeeded
    /// too. If yet another stream had it before, it is still [`Unverified`], for that one to verify.
    ///
    /// A stream is known by its name. One that was created later under the same name can vouch too: the
    /// name of a stream with a failure is not free again before the device is reset.
    #[inline(always)]
    pub fn verify<'dev, R, H: History>(
        &self,
        unverified: Unverified<'dev, Q, R, H>,
    ) -> H::Vouched<'dev, Q::Device, R> {
        H::vouched(unverified)
    }
}

impl<Q: Queue> Drained<'_, Q> {
    /// Gives a buffer back: the work that used it is over.
    pub fn take<'dev, R: Resource<Q::Device>, H>(
        &self,
        queued: Queued<'dev, Q, R, H>,
    ) -> Unverified<'dev, Q, R, H> {
        Unverified::new(queued.into_resource())
    }
}
