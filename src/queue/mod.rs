//! Queued memory: memory that only the work of one stream can use.
//!
//! Asynchronous work reads and writes memory long after the call that queued it has returned. A borrow cannot express
//! this, because `mem::forget` of a guard ends the borrow early. So a stream takes memory by value: [`Stream::adopt`]
//! turns a buffer into a [`Queued`] one, which only work on that stream can use. One of these proofs returns the
//! buffer:
//!
//! - [`Idle`], from [`Stream::synchronize`], proves that all work of the stream has succeeded.
//! - A [`Fence`](crate::event::Fence), an event after some of the work, proves that this work is over.
//! - [`Stream::handoff`] or a fence can also move the buffer to another stream. Then it is [`After`] the first
//!   stream. Each of the two streams proves whether its own work has succeeded.
//!
//! A queued buffer that is forgotten is leaked. A queued buffer that is dropped is parked: its device stores it until
//! a wait for its stream, for a fence behind its work, or for the whole device, and then frees it. Neither case frees memory
//! too early. The memory use of a service does not grow if the service waits for its streams or for fences on them.
//! [`parked_bytes`](crate::parked_bytes) is what waits, and the hook for failed releases learns when that is much
//! ([`set_parked_threshold`](crate::set_parked_threshold)). Memory of a [`Pool`](crate::memory::Pool) is freed in the order of its
//! stream instead.
//!
//! ```
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
//! # ascendcl::example!(|acl| { round_trip(&acl)?; });
//! ```

mod alloc;
mod branded;
#[cfg(all(test, loom))]
mod interleavings;
pub(crate) mod moved;
pub(crate) mod operand;
mod part;
mod random;
mod raw;
pub(crate) mod reduce;
mod same;
pub(crate) mod session;
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
pub use random::RandomNum;
pub use reduce::ReduceKind;
pub use same::SameQueue;
pub use session::{Session, SessionOn};
pub use shared::Shared;

use crate::context::with_bound;
use crate::device::{AnyDevice, Ident, Site, ident_of, key_of};
use crate::memory::{Buf, Elements, OnDevice, Place};
pub use crate::outcome::Unverified;
use crate::park::{self, Parking, StreamKey, User};
use crate::state::Invariant;
use crate::stream::{
    AnyStream, Distinct, Drained, Idle, Stream, StreamIdent, StreamTag, stream_key,
};

/// A queue of work as a type: the pair of a device and a stream name.
pub trait Queue: Site + pair::Pair {}
impl<D: AnyDevice, S: AnyStream> Queue for (D, S) {}

mod pair {
    use super::{AnyDevice, AnyStream, StreamIdent};
    use crate::park::StreamKey;
    use crate::stream::stream_key;

    crate::state::sealed! {
        "expected `(D, S)`: a device and a stream name";
        /// Seals [`Queue`](super::Queue).
        pub trait Pair {
            /// The identity of the stream if its type does not determine it.
            type Stream: Copy + Send + Sync;
            /// Returns the key of the stream.
            fn key(stream: Self::Stream) -> StreamKey;
        }
    }
    impl<D: AnyDevice, S: AnyStream> Pair for (D, S) {
        type Stream = StreamIdent<S>;
        fn key(stream: StreamIdent<S>) -> StreamKey {
            stream_key::<S>(stream)
        }
    }
}

/// The identity of the queue `Q` if its type does not determine it: its device and its stream. It is empty for a
/// device slot and a stream name.
type Home<Q> = (Ident<<Q as Site>::Device>, <Q as pair::Pair>::Stream);

/// Memory that a stream of device `D` can take: buffers by value, and pairs of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be handed to a stream of device `{D}`",
    label = "a stream takes host memory and memory of its own device, by value",
    note = "queued work may use the memory after a borrow has ended: move the buffer in, and take it back after `synchronize`",
    note = "for numbers in a `Vec` or an array of Rust, allocate memory with `malloc_host`, or lend the slice in a scope: `stream.adopt(scope.lend(&vec[..]))`; of a `Vec` of buffers or notifies, adopt each one",
    note = "adopt memory of another device on a stream of that device; move queued memory by `handoff` or a fence"
)]
pub trait Resource<D>: owned::Owned<D> {}
#[diagnostic::do_not_recommend]
impl<D, R: owned::Owned<D>> Resource<D> for R {}

pub(crate) mod owned {
    use std::sync::Arc;

    use crate::park::{Parking, StreamKey, User};

    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`Resource`](super::Resource), and says how memory is parked.
        ///
        /// No method has a default: a wrapper that forgets one would lose what its contents have to learn.
        pub trait Owned<D> {
            /// Whether the resource stays the same for its stream if the program puts another one into its place, which it can
            /// behind [`Idle::get_mut`](crate::stream::Idle::get_mut): nothing outside of it knows that it has entered the queue.
            const SWAPS: bool;

            /// Parks the memory with the device that may use it.
            ///
            /// # Safety
            ///
            /// - `parking` belongs to the device `D`, and of its queues only `users` use the memory.
            /// - `D` is not reset before the device of the memory.
            ///
            /// Bounds make this method callable outside of this crate.
            unsafe fn park(self, parking: &Arc<Parking>, users: &[User]);

            /// Enters that work of the stream may use the resource from now on. Each queue that gets the resource calls it
            /// first.
            fn enters(&self, stream: StreamKey);

            /// Notes that the program has taken the memory without a proof that the work on it has succeeded.
            fn accepted(&self);
        }
    }
}

impl<D, M: Place + OnDevice<D>, E: Elements + ?Sized, I> owned::Owned<D> for Buf<'_, M, E, I> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        self.into_parking(parking, users);
    }

    #[inline(always)]
    fn enters(&self, _: StreamKey) {}

    /// Memory claims nothing of its contents.
    #[inline(always)]
    fn accepted(&self) {}
}

impl<D, A: owned::Owned<D>, B: owned::Owned<D>> owned::Owned<D> for (A, B) {
    const SWAPS: bool = A::SWAPS && B::SWAPS;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        // SAFETY: the caller's contract.
        unsafe { self.0.park(parking, users) };
        // SAFETY: the caller's contract.
        unsafe { self.1.park(parking, users) };
    }

    #[inline(always)]
    fn enters(&self, stream: StreamKey) {
        self.0.enters(stream);
        self.1.enters(stream);
    }

    #[inline(always)]
    fn accepted(&self) {
        self.0.accepted();
        self.1.accepted();
    }
}

/// Memory that is queued on the stream of the queue `Q`. Only work on that stream can use it.
///
/// `H` lists the streams on which the memory was queued before, if any: [`After`].
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let numbers = stream.malloc_host_from(host, &[1_u32, 2])?;
/// let on_device = stream.memcpy_async(stream.malloc(2)?, &numbers)?;
/// // Both are `Queued`: the copy may still run, so the host cannot access them.
/// let idle = stream.synchronize()?;
/// assert_eq!(idle.take(numbers)[..], [1, 2]);
/// idle.take(on_device).free()?;
/// # });
/// ```
///
/// # Invariants
///
/// - All work that uses the memory is on `Q`, or `Q` has waited for it.
/// - The device of `Q` is not reset during `'dev`.
#[must_use = "a queued buffer comes back from `Idle::take` or from a fence"]
pub struct Queued<'dev, Q: Queue, R: Resource<Q::Device>, H = ()> {
    resource: ManuallyDrop<R>,
    home: Home<Q>,
    _queue: PhantomData<(&'dev (), Invariant<(Q, H)>)>,
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Queued<'dev, Q, R, H> {
    /// Makes queued memory. The caller ensures the invariant: the memory is idle, or `Q` has waited for the work that
    /// uses it.
    #[inline(always)]
    fn new(resource: R, home: Home<Q>) -> Self {
        Queued {
            resource: ManuallyDrop::new(resource),
            home,
            _queue: PhantomData,
        }
    }

    /// Returns the memory. The caller has a proof that the work is over, or queues the memory on another stream.
    #[inline(always)]
    pub(crate) fn into_resource(self) -> R {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used again and not dropped, so the resource is taken once.
        unsafe { ManuallyDrop::take(&mut this.resource) }
    }

    /// The key of the stream.
    pub(crate) fn stream(&self) -> StreamKey {
        let (_, stream) = self.home;
        <Q as pair::Pair>::key(stream)
    }

    /// The text that identifies the stream in messages.
    #[cfg(feature = "async")]
    pub(crate) fn label(&self) -> std::borrow::Cow<'static, str> {
        self.stream().label()
    }

    /// Converts the memory to another history.
    #[inline(always)]
    pub(crate) fn with_history<G>(self) -> Queued<'dev, Q, R, G> {
        let home = self.home;
        Queued::new(self.into_resource(), home)
    }

    /// Converts the memory to another resource of the same queue.
    #[inline(always)]
    pub(crate) fn map<A: Resource<Q::Device>>(
        self,
        f: impl FnOnce(R) -> A,
    ) -> Queued<'dev, Q, A, H> {
        let home = self.home;
        Queued::new(f(self.into_resource()), home)
    }

    /// Queues another resource on the stream of this one. The caller ensures the invariant for it.
    pub(crate) fn beside<A: Resource<Q::Device>>(&self, resource: A) -> Queued<'dev, Q, A> {
        Queued::new(resource, self.home)
    }

    #[inline(always)]
    pub(crate) fn resource(&self) -> &R {
        &self.resource
    }

    /// Returns the resource, to queue work that uses it. Work that was queued before may still use it.
    #[inline(always)]
    pub(crate) fn resource_mut(&mut self) -> &mut R {
        &mut self.resource
    }
}

impl<'dev, D: AnyDevice, S: AnyStream, R: Resource<D>, H> Queued<'dev, (D, S), R, H> {
    /// Combines two buffers to one pair, so that one fence can take both.
    ///
    /// Both are queued on one stream: the tag `S` belongs to one stream only. Memory of a stream without a name is
    /// combined inside the closure in which the stream has a brand.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// use ascendcl::event::Order;
    ///
    /// let a = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let b = stream.memset_async(stream.malloc::<u8>(4)?, 2)?;
    /// let mut event = current.create_event::<Order>()?;
    /// let both = stream.handoff(&mut second, &mut event, a.and(b))?; // one event for two buffers
    /// let (a, b) = both.split();
    /// # });
    /// ```
    pub fn and<B: Resource<D>>(
        self,
        other: Queued<'dev, (D, S), B, H>,
    ) -> Queued<'dev, (D, S), (R, B), H>
    where
        S: Distinct,
    {
        self.map(|resource| (resource, other.into_resource()))
    }

    /// Moves the memory to the stream `P` of the same device. The caller ensures the invariant: it is the same
    /// stream, or it has waited for all work that uses the memory.
    #[inline(always)]
    pub(crate) fn into_stream<P: AnyStream, G>(
        self,
        stream: StreamIdent<P>,
    ) -> Queued<'dev, (D, P), R, G> {
        let (device, _) = self.home;
        self.resource.enters(stream_key::<P>(stream));
        Queued::new(self.into_resource(), (device, stream))
    }
}

impl<'dev, Q: Queue, A, B, H> Queued<'dev, Q, (A, B), H>
where
    A: Resource<Q::Device>,
    B: Resource<Q::Device>,
{
    /// Splits a pair of buffers that [`Queued::and`] combined.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let a = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let b = stream.memset_async(stream.malloc::<u8>(4)?, 2)?;
    /// let (a, b) = a.and(b).split();
    /// # });
    /// ```
    pub fn split(self) -> (Queued<'dev, Q, A, H>, Queued<'dev, Q, B, H>) {
        let home = self.home;
        let (a, b) = self.into_resource();
        (Queued::new(a, home), Queued::new(b, home))
    }
}

impl<'dev, 'm, Q: Queue, M, E, I, H> Queued<'dev, Q, Buf<'m, M, E, I>, H>
where
    M: Place + OnDevice<Q::Device>,
    E: Elements + ?Sized,
{
    /// Converts the buffer to one whose length is known at run time, as [`Buf::forget_length`] does for idle memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let small = stream.malloc_as::<[f32; 4]>()?.forget_length();
    /// let large = stream.malloc_as::<[f32; 8]>()?.forget_length();
    /// let buffers = vec![small, large]; // one type
    /// # });
    /// ```
    pub fn forget_length(self) -> Queued<'dev, Q, Buf<'m, M, [E::Element], I>, H> {
        self.map(Buf::forget_length)
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Drop for Queued<'_, Q, R, H> {
    /// Parks the memory. This happens on error paths, so the code is out of line. It takes the resource by value,
    /// because a path that took its address would force the buffer into memory on all paths.
    #[inline(always)]
    fn drop(&mut self) {
        #[cold]
        #[inline(never)]
        fn park<Q: Queue, R: Resource<Q::Device>>(resource: R, (device, stream): Home<Q>) {
            let user = Some(<Q as pair::Pair>::key(stream));
            let parking = park::find(key_of::<Q::Device>(device));
            // SAFETY: all work that uses the memory is on the queue, or the queue has waited for it (invariant).
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

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Queues a buffer on this stream, so that its work can use it. Makes no runtime call.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = current.malloc_host_from(host, &[1_u32, 2])?;
    /// numbers[0] = 5; // the host has access
    /// let numbers = stream.adopt(numbers); // now only the work of the stream has
    /// let on_device = stream.memcpy_async(stream.malloc::<u32>(2)?, &numbers)?;
    /// let idle = stream.synchronize()?;
    /// assert_eq!(idle.take(numbers)[..], [5, 2]);
    /// idle.take(on_device).free()?;
    /// # });
    /// ```
    #[inline(always)]
    pub fn adopt<R: Resource<D>>(&self, resource: R) -> Queued<'dev, (D, S), R>
    where
        S: StreamTag,
    {
        self.queue(resource)
    }
}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Queues a resource on this stream, as [`Stream::adopt`] does. A recording gets only memory that was allocated for it.
    #[inline(always)]
    pub(crate) fn queue<R: Resource<D>>(&self, resource: R) -> Queued<'dev, (D, S), R> {
        // SAFETY: the stream borrows the binding of the thread to the device.
        let device = ident_of::<D>(|| unsafe { with_bound(|core| core.parking().key()) });
        resource.enters(self.key());
        // INVARIANT: memory that the caller owns is idle.
        Queued::new(resource, (device, self.ident()))
    }
}

impl<Q: Queue> Idle<'_, Q> {
    /// Returns a buffer that was queued on this stream. The work of the stream that used it is over and has
    /// succeeded.
    ///
    /// A buffer that came from another stream, by `handoff` or a fence, is returned as [`Unverified`]: this stream
    /// has waited for the work of the other one, but [`Idle::verify`] of the other one must prove that this work has
    /// succeeded. See [`After`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let zeros = stream.synchronize()?.take(zeros); // an idle buffer
    /// zeros.free()?;
    /// # });
    /// ```
    #[inline(always)]
    pub fn take<'dev, P: Queue + SameQueue<Q>, R: Resource<P::Device>, H: History>(
        &self,
        queued: Queued<'dev, P, R, H>,
    ) -> H::Verified<'dev, P::Device, R> {
        H::verified(Unverified::<P, R, H>::new(queued.into_resource()))
    }

    /// Returns a mutable reference to a buffer that stays queued on this stream. The work of the stream that used it
    /// is over and has succeeded.
    ///
    /// The reference borrows this proof, so the stream gets no work while the reference is used. A program can read
    /// and change host memory between two uses of the stream without [`take`](Idle::take) and
    /// [`adopt`](Stream::adopt). Memory that came from another stream has no such
    /// reference, and neither has a graph: `take` it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = stream.malloc_host_from(host, &[1_u32, 2])?;
    /// for round in 0..3 {
    ///     let on_device = stream.memcpy_async(stream.malloc::<u32>(2)?, &numbers)?;
    ///     let idle = stream.synchronize()?;
    ///     idle.get_mut(&mut numbers)[0] = round; // the stream has no work now
    ///     idle.take(on_device).free()?;
    /// }
    /// # });
    /// ```
    #[inline(always)]
    pub fn get_mut<'i, P: Queue + SameQueue<Q>, R: Resource<P::Device>>(
        &'i self,
        queued: &'i mut Queued<'_, P, R>,
    ) -> &'i mut R {
        const {
            assert!(
                R::SWAPS,
                "`get_mut` could exchange two graphs, and their host functions would be taken for those of another stream: \
                 `take` the graph, and give it to the stream again by `adopt`"
            );
        }
        &mut queued.resource
    }

    /// Verifies a buffer that a fence or another stream returned: the work of this stream that used it has succeeded.
    /// If the buffer was queued on a third stream before, it is still [`Unverified`] until the `Idle` of that stream
    /// verifies it.
    ///
    /// The type identifies a stream by its name. A later stream with the same name can verify the buffer too, because
    /// after a failure the name of a stream is not available until the device is reset.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let unverified = stream.drain()?.take(zeros);
    /// let zeros = stream.synchronize()?.verify(unverified); // an error here keeps it unverified
    /// # });
    /// ```
    #[inline(always)]
    pub fn verify<'dev, P: Queue + SameQueue<Q>, R, H: History>(
        &self,
        unverified: Unverified<'dev, P, R, H>,
    ) -> H::Verified<'dev, P::Device, R> {
        H::verified(unverified)
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Unverified<'_, Q, R, H> {
    /// Takes the memory without a proof that the work on it has succeeded. Where a task has failed, the memory holds
    /// older or arbitrary numbers.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let memory = stream.drain()?.take(zeros).accept_unverified();
    /// let ones = current.memset(memory.forget_contents(), 1)?; // written again, so the old bytes do not matter
    /// # });
    /// ```
    #[inline(always)]
    pub fn accept_unverified(self) -> R {
        let resource = self.into_resource();
        resource.accepted();
        resource
    }
}

impl<Q: Queue> Drained<'_, Q> {
    /// Returns a buffer that was queued on this stream. The work that used it is over; whether it has succeeded is
    /// not known.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let unverified = stream.drain()?.take(zeros);
    /// unverified.accept_unverified().free()?; // to free memory, no proof of success is needed
    /// # });
    /// ```
    pub fn take<'dev, P: Queue + SameQueue<Q>, R: Resource<P::Device>, H>(
        &self,
        queued: Queued<'dev, P, R, H>,
    ) -> Unverified<'dev, P, R, H> {
        Unverified::new(queued.into_resource())
    }
}
