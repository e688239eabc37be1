//! Notifies: signals of one stream to another, each for one wait (`acl/acl_rt.h`; manual chapter 08).
//!
//! A notify is one flag. A record sets it, and a wait resets it. Two records without a wait between them are one signal, and of
//! two waits that run at the same time either one may take it. So the type of a notify names the stream that waits for it:
//! waits of one stream run in order. And a stream records a notify only if it owns it as it owns memory, so its record runs
//! behind the last wait.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, in_context};
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::park::{Parked, Parking, StreamKey, User, calls};
use crate::queue::owned::Owned;
use crate::queue::{After, Queue, Queued, Resource, SameQueue};
use crate::raw::{Handle, check};
use crate::release;
use crate::state::{Exactly, Invariant};
use crate::stream::{AnyStream, Distinct, Stream, StreamTag};

/// A signal of device `D` that the stream `W` waits for, and no other one. Any stream of the device can give it.
///
/// A stream takes a notify as it takes memory: [`Stream::adopt`]. Then [`Stream::record_notify`] gives the signal, together with
/// memory, and [`Stream::wait_notify`] of `W` takes it. Behind the wait the notify is queued on `W`. It comes back to the first
/// stream as memory does: by [`Idle::take`](crate::stream::Idle::take), by a fence, or in a signal of `W`. So two streams that
/// hand memory back and forth have two notifies, and do not wait for the host.
///
/// Both streams are of one device, because memory does not change devices. A notify has neither a time nor a status, and the
/// host cannot wait for it. An [`Event`](crate::event::Event) has those.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// # enum Second {}
/// # impl ascendcl::StreamName for Second {}
/// # let mut second = current.create_stream::<Second>()?;
/// let mut there = stream.adopt(current.create_notify(&second)?);
/// let mut back = stream.adopt(current.create_notify(&stream)?);
/// let mut memory = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// for round in 1..=3 {
///     let signal = stream.record_notify(there, memory.and(back))?;
///     let (both, used) = second.wait_notify(signal)?;
///     let (mut on_second, back_there) = both.accept_unverified().split();
///     second.memset_async(&mut on_second, round)?;
///     let signal = second.record_notify(back_there, on_second.and(used))?;
///     let (both, used) = stream.wait_notify(signal)?;
///     (memory, there) = both.accept_unverified().split();
///     back = used;
/// }
/// let numbers = stream.memcpy_async(stream.malloc_host(host, 4)?, &memory)?;
/// assert_eq!(stream.synchronize()?.take(numbers)[..], [3; 4]);
/// # });
/// ```
///
/// # Invariants
///
/// - `raw` is a live notify of the context of `core`, which is that of `D`. This value destroys it.
/// - Only `W` waits for it. Where no stream has the notify, its flag is not set, or `W` waits for no notify any more.
#[doc(alias = "aclrtNotify")]
pub struct Notify<'dev, D: AnyDevice, W> {
    raw: Handle,
    core: &'dev Arc<Core>,
    _waits: PhantomData<Invariant<(D, W)>>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates a notify that `waits` waits for (`aclrtCreateNotify`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// let second = current.create_stream::<Second>()?;
    /// let notify = current.create_notify(&second)?; // the second stream waits for it
    /// notify.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the device has no notify left, and [`ErrorKind::Backend`] when an older CANN lacks the
    /// function.
    #[doc(alias = "aclrtCreateNotify")]
    pub fn create_notify<W: Distinct>(
        self,
        waits: &Stream<'_, 'dev, D, W>,
    ) -> Result<Notify<'dev, D, W>> {
        let _ = waits;
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write of a pointer, and the context of the device is current.
        let code = unsafe { sys::aclrtCreateNotify(&raw mut raw, sys::ACL_NOTIFY_DEFAULT) };
        check("aclrtCreateNotify", code)?;
        // INVARIANT: a new notify, whose flag is not set.
        Ok(Notify {
            raw: Handle::new("aclrtCreateNotify", raw)?,
            core: self.core(),
            _waits: PhantomData,
        })
    }
}

impl<D: AnyDevice, W> Notify<'_, D, W> {
    /// Returns the number that the device has for the notify (`aclrtGetNotifyId`), as it stands in logs and profiles.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// println!("notify {}", current.create_notify(&stream)?.id()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetNotifyId")]
    pub fn id(&self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: a live notify, and `id` is valid for a write.
        let code = unsafe { sys::aclrtGetNotifyId(self.raw.as_ptr(), &raw mut id) };
        check("aclrtGetNotifyId", code)?;
        Ok(id)
    }

    /// Destroys the notify (`aclrtDestroyNotify`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let notify = current.create_notify(&stream)?;
    /// notify.destroy()?; // a drop destroys it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The notify is gone all the same.
    #[doc(alias = "aclrtDestroyNotify")]
    pub fn destroy(self) -> Result<()> {
        check("aclrtDestroyNotify", ManuallyDrop::new(self).close())
    }

    fn close(&self) -> sys::aclError {
        let parked = self.parked();
        // SAFETY: no stream has the notify, so no work uses it (invariant). The caller gives up its ownership.
        unsafe { (parked.free)(parked.pointer) }
    }

    /// Returns the notify as a parked object, which the caller does not use again.
    fn parked(&self) -> Parked {
        // SAFETY: a live notify of the context of `core` (invariant), which is destroyed once.
        unsafe {
            in_context(
                self.core,
                "aclrtDestroyNotify",
                self.raw,
                destroy,
                |_, _| (),
            )
        }
    }
}

/// # Safety
///
/// - A live notify of the current context, which no work uses and nobody uses again.
unsafe fn destroy(notify: Handle) -> sys::aclError {
    calls::forget_record(notify.as_ptr());
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtDestroyNotify(notify.as_ptr()) }
}

impl<D: AnyDevice, W> Drop for Notify<'_, D, W> {
    fn drop(&mut self) {
        release::status_in_drop("aclrtDestroyNotify", self.close());
    }
}

impl<D: AnyDevice, W> Owned<D> for Notify<'_, D, W> {
    /// Another notify of the same stream does as well: the flags of both are not set where an idle one can be exchanged.
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        parking.park(users, ManuallyDrop::new(self).parked());
    }

    fn enters(&self, _: StreamKey) {}

    /// A wait that has failed or was dropped has poisoned its stream, which waits for no notify again.
    fn accepted(&self) {}
}

impl<D: AnyDevice, W> fmt::Debug for Notify<'_, D, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waits = std::any::type_name::<W>();
        write!(f, "Notify<{waits}>({:?})", self.raw.as_ptr())
    }
}

/// A signal that was given on the queue `Q` behind all work that uses the memory `R`, and that the stream `W` takes. A signal that
/// is dropped is parked with its memory: the notify is destroyed, and the memory freed, behind a wait for its first stream.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// # enum Second {}
/// # impl ascendcl::StreamName for Second {}
/// # let mut second = current.create_stream::<Second>()?;
/// let notify = stream.adopt(current.create_notify(&second)?);
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let signal = stream.record_notify(notify, zeros)?;
/// let (zeros, notify) = second.wait_notify(signal)?; // both belong to the second stream now
/// # });
/// ```
///
/// # Invariants
///
/// The notify was recorded on `Q` behind all work that uses the memory and behind the last wait for it, and was not recorded
/// again.
#[must_use = "let the stream of the notify wait for it: `stream.wait_notify(signal)?`"]
pub struct Signal<'dev, Q: Queue, W, R: Resource<Q::Device>, H = ()> {
    queued: Queued<'dev, Q, R, H>,
    notify: Queued<'dev, Q, Notify<'dev, Q::Device, W>>,
}

impl<Q: Queue, W, R: Resource<Q::Device> + fmt::Debug, H> fmt::Debug for Signal<'_, Q, W, R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (queued, notify) = (&self.queued, &self.notify);
        f.debug_struct("Signal")
            .field("queued", queued)
            .field("notify", notify)
            .finish()
    }
}

/// A notify that a stream has. `T` is only itself, so that the compiler names the missing step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no notify that a stream has",
    label = "expected a notify that is queued on the stream of this call",
    note = "give an idle notify to the stream first: `let notify = stream.adopt(notify);`"
)]
pub trait QueuedNotify<T>: Exactly<T> {}
#[diagnostic::do_not_recommend]
impl<T> QueuedNotify<T> for T {}

/// The stream `S`, where a call is about signals that it waits for. Each stream is only itself.
#[diagnostic::on_unimplemented(
    message = "the stream `{S}` does not wait for this signal",
    label = "the notify of this signal was created for the stream `{Self}`",
    note = "let that stream wait: `let (memory, notify) = other.wait_notify(signal)?;`",
    note = "or create a notify for this stream, and record that: `current.create_notify(&stream)?`"
)]
pub trait WaitsAs<S>: Exactly<S> {}
#[diagnostic::do_not_recommend]
impl<S> WaitsAs<S> for S {}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Gives a signal after all submitted work (`aclrtRecordNotify`), and moves memory into the returned [`Signal`]. The notify
    /// is queued on this stream: idle notifies by [`Stream::adopt`], others by a fence or in a signal.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// let notify = stream.adopt(current.create_notify(&second)?);
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let (zeros, notify) = second.wait_notify(stream.record_notify(notify, zeros)?)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The memory and the notify are parked then.
    #[doc(alias = "aclrtRecordNotify")]
    pub fn record_notify<N, P, W, R, H, G>(
        &mut self,
        notify: impl QueuedNotify<Queued<'dev, N, Notify<'dev, P::Device, W>, G>>,
        queued: Queued<'dev, P, R, H>,
    ) -> Result<Signal<'dev, P, W, R, H>>
    where
        S: StreamTag,
        N: Queue<Device = P::Device> + SameQueue<(D, S)>,
        P: Queue + SameQueue<(D, S)>,
        R: Resource<P::Device>,
    {
        let notify = notify.into_inner();
        self.give_signal(notify.resource().raw)?;
        // INVARIANT: the notify belongs to this stream, so its last wait is in front of the record, as is the work on the
        // memory.
        Ok(Signal {
            notify: queued.beside(notify.into_resource()),
            queued,
        })
    }

    /// Makes later work of this stream wait for a signal, which this wait consumes (`aclrtWaitAndResetNotify`), and moves the
    /// memory and the notify to this stream. The wait has no time limit.
    ///
    /// If work before the signal fails, this stream runs all the same, as it does behind a [fence](Stream::wait_fence). The type
    /// of the memory names the stream that has to report that ([`After`]).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// let notify = stream.adopt(current.create_notify(&second)?);
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let signal = stream.record_notify(notify, zeros)?;
    /// let (zeros, notify) = second.wait_notify(signal)?; // the second stream may use it now
    /// let idle = second.synchronize()?;
    /// let (zeros, notify) = (idle.take(zeros), idle.take(notify));
    /// stream.synchronize()?.verify(zeros).free()?; // the first stream has succeeded too
    /// let notify = stream.adopt(notify); // it can be recorded again
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::StreamPoisoned`] if a wait for this stream has failed, or it was aborted: an earlier
    /// signal may be left. [`Usage::RecordDropped`] if the stream that has given the signal was aborted before it was proven that the
    /// signal is set. The memory and the notify are parked then.
    #[doc(alias = "aclrtWaitAndResetNotify")]
    pub fn wait_notify<S0: StreamTag, W: WaitsAs<S>, R: Resource<D>, H>(
        &mut self,
        signal: Signal<'dev, (D, S0), W, R, H>,
    ) -> Result<(
        Queued<'dev, (D, S), R, After<S0, H>>,
        Queued<'dev, (D, S), Notify<'dev, D, W>>,
    )>
    where
        S: StreamTag,
    {
        let Signal { queued, notify } = signal;
        self.wait_for_signal(notify.resource().raw.as_ptr(), notify.stream())?;
        // INVARIANT: this queue waits for all work that uses the memory and the notify, and no other stream waits for the notify.
        Ok((
            queued.into_stream(self.ident()),
            notify.into_stream(self.ident()),
        ))
    }
}
