//! Memory that several streams read at once.

#[cfg(feature = "graphs")]
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

#[cfg(feature = "graphs")]
use ascendcl_sys as sys;

use crate::device::{AnyDevice, Site};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::event::{CanOrder, EventSlot, Fence};
use crate::memory::{Buf, Elements, Init, OnDevice, Place, Source};
#[cfg(feature = "graphs")]
use crate::park::Parked;
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{After, Queue, Queued, Resource};
use crate::state::{Invariant, Sealed};
use crate::stream::{AnyStream, Stream, StreamTag};
use crate::sync::{Mutex, MutexGuard, lock};

/// The share of one reader of memory on device `D`. Nothing writes the memory while shares exist.
///
/// [`Queued::share`] makes the first share of a buffer: `stream.adopt(buffer).share()` for an idle one. Each stream
/// that reads the memory gets its own share, by [`Clone`] or by [`Stream::wait_shared`]. When all shares except one
/// have come back and are dropped, [`Shared::try_unwrap`] returns the buffer.
///
/// A share that is not queued dereferences to the buffer, so it can be read like the buffer.
///
/// ```
/// fn two_readers(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use ascendcl::{Npu, StreamName, Thread, event::Order, stream::Main};
///     enum Second {}
///     impl StreamName for Second {}
///     let mut thread = Thread::claim()?;
///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     let current = thread.set_current(&device)?;
///     let (mut a, mut b) = (current.create_stream::<Main>()?, current.create_stream::<Second>()?);
///
///     let weights = a.memset_async(a.adopt(current.malloc::<u32>(16)?), 1)?;
///     let fence = a.fence(current.create_event::<Order>()?, weights.share())?;
///     let weights_b = b.wait_shared(&fence)?; // a reader on the second stream
///     let (weights_a, _event) = fence.cancel(); // and one on the first
///     let copy_a = a.memcpy_async(a.adopt(current.malloc(16)?), &weights_a)?;
///     let copy_b = b.memcpy_async(b.adopt(current.malloc(16)?), &weights_b)?;
///
///     let idle = a.synchronize()?;
///     let (last, _) = (idle.take(weights_a), idle.take(copy_a));
///     let idle = b.synchronize()?;
///     drop((idle.take(weights_b), idle.take(copy_b)));
///     let weights = last.try_unwrap().map_err(|_| ()).expect("all other readers are done");
///     weights.free()
/// }
/// # ascendcl::example!(|acl| { two_readers(&acl)?; });
/// ```
pub struct Shared<D: AnyDevice, R: Resource<D>> {
    inner: Arc<Inner<D, R>>,
}

struct Inner<D: AnyDevice, R: Resource<D>> {
    resource: ManuallyDrop<R>,
    /// The streams on which queued shares were dropped: work that reads the memory may still run there, and no owner
    /// waits for it.
    dropped: Mutex<Vec<(Arc<Parking>, User)>>,
    _device: PhantomData<Invariant<D>>,
}

impl<D: AnyDevice, R: Resource<D>> Shared<D, R> {
    /// Makes a first share.
    pub(super) fn new(resource: R) -> Shared<D, R> {
        let inner = Inner {
            resource: ManuallyDrop::new(resource),
            dropped: Mutex::new(Vec::new()),
            _device: PhantomData,
        };
        Shared {
            inner: Arc::new(inner),
        }
    }

    /// Returns the memory if this is the last share and every other share came back from its stream. A share that was
    /// dropped while it was queued prevents this until its stream is destroyed, and a forgotten one prevents it
    /// permanently.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let weights = stream.memset_async(stream.malloc::<f32>(4)?, 0)?.share();
    /// let last = stream.synchronize()?.take(weights);
    /// match last.try_unwrap() {
    ///     Ok(weights) => weights.free()?, // the buffer itself
    ///     Err(_shared) => println!("another stream still reads it"),
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error is the share, unchanged.
    pub fn try_unwrap(self) -> Result<R, Self> {
        let inner = Arc::try_unwrap(self.inner).map_err(|inner| Shared { inner })?;
        inner
            .dropped()
            .retain(|(home, user)| home.may_have_work(*user));
        if !inner.dropped().is_empty() {
            return Err(Shared {
                inner: Arc::new(inner),
            });
        }
        let mut inner = ManuallyDrop::new(inner);
        // SAFETY: `inner` is never used again and not dropped, so the resource is taken once.
        Ok(unsafe { ManuallyDrop::take(&mut inner.resource) })
    }
}

#[cfg(feature = "graphs")]
impl<D: AnyDevice, R: Resource<D>> Shared<D, R> {
    /// Makes a parked object of the share, which is dropped in place of being freed.
    pub(crate) fn into_parked(self) -> Parked {
        /// # Safety
        ///
        /// - `share` comes from [`Arc::into_raw`] of a share of this type, and nothing else drops it.
        unsafe fn drop_share<D: AnyDevice, R: Resource<D>>(
            share: NonNull<c_void>,
        ) -> sys::aclError {
            // SAFETY: the caller's contract.
            drop(unsafe { Arc::from_raw(share.as_ptr().cast::<Inner<D, R>>()) });
            sys::ACL_SUCCESS
        }
        let pointer = Arc::into_raw(self.inner).cast_mut().cast::<c_void>();
        Parked {
            // SAFETY: the address of a value.
            pointer: unsafe { NonNull::new_unchecked(pointer) },
            bytes: 0,
            free: drop_share::<D, R>,
            call: "aclrtFree",
        }
    }
}

impl<D: AnyDevice, R: Resource<D>> Clone for Shared<D, R> {
    fn clone(&self) -> Self {
        Shared {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<D: AnyDevice, R: Resource<D>> Deref for Shared<D, R> {
    type Target = R;

    /// Returns the buffer. All writes were over before the owner got a share that is not queued.
    fn deref(&self) -> &R {
        &self.inner.resource
    }
}

impl<D: AnyDevice, R: Resource<D>> Drop for Inner<D, R> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let resource = unsafe { ManuallyDrop::take(&mut self.resource) };
        let dropped = std::mem::take(&mut *self.dropped());
        // A device that was reset after a proof uses nothing. If one of the other devices was given up, the memory is
        // parked with it for ever. Otherwise the memory is parked with the one device that is open.
        let mut open = dropped.iter().filter(|(parking, _)| !parking.is_over());
        let lost = open.clone().find(|(parking, _)| parking.is_lost());
        if let Some((parking, _)) = lost.or_else(|| open.next()) {
            let of_device = dropped
                .iter()
                .filter(|(home, _)| Arc::ptr_eq(home, parking));
            let users: Vec<_> = of_device.map(|(_, user)| *user).collect();
            // SAFETY: only these streams of the device still read the memory, because every other share came back
            // from its stream.
            unsafe { resource.park(parking, &users) };
        }
    }
}

impl<D: AnyDevice, R: Resource<D>> Inner<D, R> {
    /// Locks the list of dropped shares.
    fn dropped(&self) -> MutexGuard<'_, Vec<(Arc<Parking>, User)>> {
        lock(&self.dropped)
    }
}

impl<D: AnyDevice, R: Resource<D> + fmt::Debug> fmt::Debug for Shared<D, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shared")
            .field(&*self.inner.resource)
            .finish()
    }
}

impl<D: AnyDevice, R: Resource<D>> Owned<D> for Shared<D, R> {
    const SWAPS: bool = R::SWAPS;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        // The last share that is dropped parks the memory (`Inner::drop`).
        let mut dropped = self.inner.dropped();
        for user in users {
            let is_known =
                |(home, known): &(Arc<Parking>, User)| Arc::ptr_eq(home, parking) && known == user;
            if dropped.iter().any(is_known) {
                continue;
            }
            // From time to time, so that the streams of a long service do not pile up.
            if dropped.len() >= 8 && dropped.len().is_power_of_two() {
                dropped.retain(|(home, user)| home.may_have_work(*user));
            }
            dropped.push((Arc::clone(parking), *user));
        }
    }

    #[inline(always)]
    fn enters(&self, stream: StreamKey) {
        self.inner.resource.enters(stream);
    }

    /// All shares have the same contents, so what one reader has not proven is unproven for each.
    #[inline(always)]
    fn accepted(&self) {
        self.inner.resource.accepted();
    }
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Queued<'dev, Q, R, H> {
    /// Turns the memory into a first share, so that several streams can read it and none can write it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let weights = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    /// let weights = stream.synchronize()?.take(weights);
    /// let shared = stream.adopt(weights).share(); // read by any number of streams, written by none
    /// # });
    /// ```
    pub fn share(self) -> Queued<'dev, Q, Shared<Q::Device, R>, H> {
        self.map(Shared::new)
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Clone for Queued<'_, Q, Shared<Q::Device, R>, H> {
    /// Returns a share for another reader on the same stream.
    fn clone(&self) -> Self {
        Queued::new(self.resource().clone(), self.home)
    }
}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Makes later work of this stream wait for a fence (`aclrtStreamWaitEvent`), and returns a share of the memory
    /// that is queued on this stream, [after](After) the stream of the fence. The fence is only borrowed, so several
    /// streams can wait for it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// use ascendcl::event::Order;
    ///
    /// let weights = stream.memset_async(stream.malloc::<f32>(4)?, 0)?.share();
    /// let fence = stream.fence(current.create_event::<Order>()?, weights)?;
    /// let for_second = second.wait_shared(&fence)?; // a third stream could wait for the fence too
    /// let copy = second.memcpy_async(second.malloc::<f32>(4)?, &for_second)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when AscendCL does not queue the wait.
    pub fn wait_shared<S0: StreamTag, R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        fence: &Fence<'dev, (D, S0), Shared<D, R>, E, H>,
    ) -> Result<Queued<'dev, (D, S), Shared<D, R>, After<S0, H>>>
    where
        S: StreamTag,
        E::Capability: CanOrder,
    {
        self.follow(fence)?;
        // INVARIANT: this queue has waited for all work that wrote the memory.
        Ok(fence.queued().clone().into_stream(self.ident()))
    }
}

/// A queued share of a buffer.
type QueuedShare<'q, 'dev, Q, M, E, H> =
    Queued<'q, Q, Shared<<Q as Site>::Device, Buf<'dev, M, E, Init>>, H>;

impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed for &QueuedShare<'_, 'dev, Q, M, E, H> where
    M: Place + OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q> for &QueuedShare<'_, 'dev, Q, M, E, H>
where
    M: Place + OnDevice<Q::Device>,
{
    type Place = M;
    type Elements = E;
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.resource().raw()
    }
}
