//! Memory that several streams read at once.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::event::{CanOrder, EventSlot, Fence};
use crate::memory::{Buf, Elements, Init, OnDevice, Place, Source};
use crate::park::{Parking, User};
use crate::queue::owned::Owned;
use crate::queue::{After, Queue, Queued, Resource};
use crate::state::{Invariant, Sealed};
use crate::stream::{Stream, StreamTag};

/// One reader's share of memory on device `D`. While shares exist nothing writes the memory.
///
/// [`Queued::share`] makes the first share of a buffer, also of an idle one: `stream.adopt(buffer).share()`. Each
/// stream that is to read it gets one of its own, by [`Clone`] or by [`Stream::wait_shared`]. When all but one
/// have come back and are dropped, [`Shared::try_unwrap`] makes the last one the buffer again.
///
/// A share that nothing has queued can be read where the buffer could (it dereferences to it).
///
/// ```
/// # #[cfg(feature = "emulator")]
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
/// # #[cfg(feature = "emulator")]
/// # fn main() -> ascendcl::Result<()> { two_readers(&ascendcl::Acl::from_env()?) }
/// # #[cfg(not(feature = "emulator"))]
/// # fn main() {}
/// ```
pub struct Shared<D: AnyDevice, R: Resource<D>> {
    inner: Arc<Inner<D, R>>,
}

struct Inner<D: AnyDevice, R: Resource<D>> {
    resource: ManuallyDrop<R>,
    /// In whose hands shares were dropped: work that reads the memory may be under way there, for which nobody waits
    /// any more.
    dropped: Mutex<Vec<(Arc<Parking>, User)>>,
    _device: PhantomData<Invariant<D>>,
}

impl<D: AnyDevice, R: Resource<D>> Shared<D, R> {
    /// The memory itself, if this is the last share and each other one came back from its stream. A share
    /// that was dropped or forgotten while it was queued keeps the memory shared for good.
    ///
    /// # Errors
    ///
    /// The share, unchanged.
    pub fn try_unwrap(self) -> Result<R, Self> {
        let inner = Arc::try_unwrap(self.inner).map_err(|inner| Shared { inner })?;
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

impl<D: AnyDevice, R: Resource<D>> Clone for Shared<D, R> {
    fn clone(&self) -> Self {
        Shared {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<D: AnyDevice, R: Resource<D>> Deref for Shared<D, R> {
    type Target = R;

    /// Whoever owns a share that is not queued knows that all writing was over before it was shared.
    fn deref(&self) -> &R {
        &self.inner.resource
    }
}

impl<D: AnyDevice, R: Resource<D>> Drop for Inner<D, R> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let resource = unsafe { ManuallyDrop::take(&mut self.resource) };
        let dropped = std::mem::take(&mut *self.dropped());
        // A device that has ended behind a proof uses nothing. Of the others one may have been given up, and keeps the
        // memory for ever; else it is the one that is open now.
        let mut open = dropped.iter().filter(|(parking, _)| !parking.is_over());
        let lost = open.clone().find(|(parking, _)| parking.is_lost());
        if let Some((parking, _)) = lost.or_else(|| open.next()) {
            let of_device = dropped
                .iter()
                .filter(|(home, _)| Arc::ptr_eq(home, parking));
            let users: Vec<_> = of_device.map(|(_, user)| *user).collect();
            // SAFETY: those streams of the device read the memory, and each other share was given back by its stream.
            unsafe { resource.park(parking, &users) };
        }
    }
}

impl<D: AnyDevice, R: Resource<D>> Inner<D, R> {
    /// No code panics while it holds this lock, and the list is valid after every statement.
    fn dropped(&self) -> MutexGuard<'_, Vec<(Arc<Parking>, User)>> {
        self.dropped.lock().unwrap_or_else(PoisonError::into_inner)
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
    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        // The last share parks the memory, whichever that is.
        let mut dropped = self.inner.dropped();
        for user in users {
            let is_known =
                |(home, known): &(Arc<Parking>, User)| Arc::ptr_eq(home, parking) && known == user;
            if !dropped.iter().any(is_known) {
                dropped.push((Arc::clone(parking), *user));
            }
        }
    }
}

impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Queued<'dev, Q, R, H> {
    /// Makes the memory one that streams read and none writes.
    pub fn share(self) -> Queued<'dev, Q, Shared<Q::Device, R>, H> {
        self.map(|resource| {
            let inner = Inner {
                resource: ManuallyDrop::new(resource),
                dropped: Mutex::default(),
                _device: PhantomData,
            };
            Shared {
                inner: Arc::new(inner),
            }
        })
    }
}

impl<Q: Queue, R: Resource<Q::Device>, H> Clone for Queued<'_, Q, Shared<Q::Device, R>, H> {
    /// Another reader on the same stream.
    fn clone(&self) -> Self {
        Queued::new(self.resource().clone(), self.home)
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Makes later work of this stream wait for a fence (`aclrtStreamWaitEvent`), and gives it a share of the
    /// memory of its own, which comes [after](After) the fence's stream. The fence stays: several streams can wait
    /// for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    pub fn wait_shared<S0: StreamTag, R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        fence: &Fence<'dev, (D, S0), Shared<D, R>, E, H>,
    ) -> Result<Queued<'dev, (D, S), Shared<D, R>, After<S0, H>>>
    where
        E::Capability: CanOrder,
    {
        let (queued, event) = fence.parts();
        self.wait_without_limit(event)?;
        // INVARIANT: this queue has waited for all work that wrote the memory.
        Ok(queued.clone().into_stream(self.ident()))
    }
}

/// A queued share of a buffer.
type QueuedShare<'q, 'dev, Q, M, E, H> =
    Queued<'q, Q, Shared<<Q as Queue>::Device, Buf<'dev, M, E, Init>>, H>;

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
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<E> {
        self.resource().raw()
    }
}
