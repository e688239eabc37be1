//! Events: marks in a stream that hosts and other streams can wait for (`acl/acl_rt.h`; manual
//! chapter 07).
//!
//! Only events of `aclrtCreateEventExWithFlag` are used: they can be recorded again, and a wait follows
//! the record that it was issued for. What an event can do is part of its type, as a capability; what
//! it has done is a value: [`Recorded`], [`Done`], [`Fence`]. So nobody waits for an event that nobody
//! recorded, and nobody reads a time that is not there.

mod borrowed;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::time::Duration;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::outcome::{FailureMode, Unverified};
use crate::queue::{After, Queue, Queued, Resource};
use crate::raw::{Handle, check, check_wait};
use crate::release;
use crate::runtime::wait_without_limit;
use crate::state::{Invariant, Sealed};
use crate::stream::{Stream, StreamTag, millis};

/// What an event can do: the flags that it is created with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no capability of an event",
    label = "expected `Order`, `Progress`, `OrderProgress`, `Timing` or `OrderTiming`"
)]
pub trait Capability: Sealed {
    /// The flags.
    const FLAGS: u32;

    /// Whether the event belongs to this program, and is destroyed when it is dropped.
    #[doc(hidden)]
    const OWNED: bool = true;
}

/// The capability of an event that the program has created itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no capability of an event that belongs to this program",
    label = "an event of another library is neither created nor destroyed here",
    note = "events of one's own have `Order`, `Progress`, `OrderProgress`, `Timing` or `OrderTiming`",
    note = "let a borrowed event go out of scope: its owner destroys it"
)]
pub trait OwnCapability: Capability {}

/// An event that streams can wait for.
#[diagnostic::on_unimplemented(
    message = "a stream cannot wait for this event",
    label = "the capability `{Self}` lacks ACL_EVENT_SYNC",
    note = "create the event with `Order`, `OrderProgress` or `OrderTiming`"
)]
pub trait CanOrder: Capability {}

/// An event that carries a time stamp.
#[diagnostic::on_unimplemented(
    message = "this event has no time stamp",
    label = "the capability `{Self}` lacks ACL_EVENT_TIME_LINE",
    note = "create the event with `Timing` or `OrderTiming`"
)]
pub trait CanTime: Capability {}

/// Declares the legal unions of flags.
macro_rules! capabilities {
    ($( $(#[$doc:meta])* $name:ident = $flags:expr $(, $ability:ident)*; )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}
        impl Sealed for $name {}
        impl Capability for $name {
            const FLAGS: u32 = $flags;
        }
        #[diagnostic::do_not_recommend]
        impl OwnCapability for $name {}
        $( #[diagnostic::do_not_recommend]
           impl $ability for $name {} )*
    )* };
}

capabilities! {
    /// Streams can wait for it (`ACL_EVENT_SYNC`).
    Order = sys::ACL_EVENT_SYNC, CanOrder;
    /// Only the host waits for it (`ACL_EVENT_CAPTURE_STREAM_PROGRESS`).
    Progress = sys::ACL_EVENT_CAPTURE_STREAM_PROGRESS;
    /// Streams and the host wait for it.
    OrderProgress = sys::ACL_EVENT_SYNC | sys::ACL_EVENT_CAPTURE_STREAM_PROGRESS, CanOrder;
    /// It carries a time stamp (`ACL_EVENT_TIME_LINE`).
    Timing = sys::ACL_EVENT_TIME_LINE, CanTime;
    /// It carries a time stamp, and streams can wait for it.
    OrderTiming = sys::ACL_EVENT_SYNC | sys::ACL_EVENT_TIME_LINE, CanOrder, CanTime;
}

/// An event of device `D` with the capability `C`.
///
/// It borrows the device: on the production runtime, destroying an event after the reset is a use after
/// free (observed, CANN runtime 1.17).
///
/// # Invariants
///
/// `raw` is a live event of `D`'s context that nothing else destroys, records or resets while this value lives. It is
/// destroyed by this value, unless `C` is [`Foreign`](crate::interop::Foreign).
#[repr(transparent)]
pub struct Event<'dev, D: AnyDevice, C: Capability> {
    raw: Handle,
    _device: PhantomData<(&'dev (), Invariant<(D, C)>)>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates an event (`aclrtCreateEventExWithFlag`, pyACL `acl.rt.create_event_ex_with_flag`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207007 when the device has no event left, and
    /// [`ErrorKind::Backend`] where an older CANN lacks the function.
    #[doc(alias = "aclrtCreateEventExWithFlag")]
    #[doc(alias = "acl.rt.create_event_ex_with_flag")]
    pub fn create_event<C: OwnCapability>(self) -> Result<Event<'dev, D, C>> {
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write of a pointer.
        let code = unsafe { sys::aclrtCreateEventExWithFlag(&raw mut raw, C::FLAGS) };
        check("aclrtCreateEventExWithFlag", code)?;
        let raw = Handle::new("aclrtCreateEventExWithFlag", raw)?;
        Ok(Event {
            raw,
            _device: PhantomData,
        })
    }
}

impl<D: AnyDevice, C: Capability> Event<'_, D, C> {
    /// The raw event, for calls that this crate does not have. Do not destroy it, nor record or reset it: a [`Fence`]
    /// and a [`Recorded`] speak of what was recorded last.
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtEvent {
        self.raw.as_ptr()
    }

    /// Destroys the event (`aclrtDestroyEvent`, pyACL `acl.rt.destroy_event`). Allowed before it
    /// completes; waits that were issued stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]; the event is gone all the same.
    #[doc(alias = "aclrtDestroyEvent")]
    #[doc(alias = "acl.rt.destroy_event")]
    pub fn destroy(self) -> Result<()>
    where
        C: OwnCapability,
    {
        check("aclrtDestroyEvent", ManuallyDrop::new(self).close())
    }

    #[inline]
    fn close(&self) -> sys::aclError {
        // SAFETY: a live event of the program's own, destroyed once; its device is not reset (`'dev`), and destroying needs
        // no current context (observed, CANN runtime 1.17).
        unsafe { sys::aclrtDestroyEvent(self.raw.as_ptr()) }
    }
}

impl<D: AnyDevice, C: Capability> Drop for Event<'_, D, C> {
    fn drop(&mut self) {
        if C::OWNED {
            release::status_in_drop("aclrtDestroyEvent", self.close());
        }
    }
}

impl<D: AnyDevice, C: Capability> fmt::Debug for Event<'_, D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Event<{}>({:?})",
            std::any::type_name::<C>(),
            self.raw.as_ptr()
        )
    }
}

/// Where a fence keeps its event: by value, for fences that outlive a turn of a loop, or `&mut`.
#[diagnostic::on_unimplemented(
    message = "a fence on a stream of device `{D}` cannot be marked by `{Self}`",
    label = "expected an event of device `{D}`, by value or `&mut`",
    note = "create it with `Current::create_event` where the thread is bound to device `{D}`"
)]
pub trait EventSlot<D>: Sealed {
    /// The event's capability.
    type Capability: Capability;

    #[doc(hidden)]
    fn raw(&self) -> sys::aclrtEvent;
}

impl<D: AnyDevice, C: Capability> Sealed for Event<'_, D, C> {}
impl<D: AnyDevice, C: Capability> EventSlot<D> for Event<'_, D, C> {
    type Capability = C;

    #[inline(always)]
    fn raw(&self) -> sys::aclrtEvent {
        self.as_raw()
    }
}

impl<D: AnyDevice, C: Capability> Sealed for &mut Event<'_, D, C> {}
impl<D: AnyDevice, C: Capability> EventSlot<D> for &mut Event<'_, D, C> {
    type Capability = C;

    #[inline(always)]
    fn raw(&self) -> sys::aclrtEvent {
        self.as_raw()
    }
}

/// A point in the queue `Q` behind the work that uses `R`, marked by an event.
///
/// # Invariants
///
/// `event` was recorded on `Q` behind all work that uses the memory, and was not recorded since.
#[must_use = "wait for it, on the host or on another stream"]
pub struct Fence<'dev, Q: Queue, R: Resource<Q::Device>, E, H = ()> {
    queued: Queued<'dev, Q, R, H>,
    event: E,
}

impl<'dev, D: AnyDevice, S: StreamTag, R: Resource<D>, E: EventSlot<D>, H>
    Fence<'dev, (D, S), R, E, H>
{
    /// Waits on the host until the work is over (`aclrtSynchronizeEvent`, pyACL
    /// `acl.rt.synchronize_event`). Works on any thread.
    ///
    /// In CANN's default failure mode the event completes even if the work failed, so the memory comes back
    /// as [`Unverified`]. On a device that
    /// [stops](crate::Device::stop_on_failure) it comes back as it is, proven.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`]; the memory is parked then.
    #[doc(alias = "aclrtSynchronizeEvent")]
    #[doc(alias = "acl.rt.synchronize_event")]
    pub fn synchronize(self) -> Result<(Fenced<'dev, D, S, R, H>, E)> {
        // SAFETY: a live event; the call needs no current context (observed, CANN runtime 1.17).
        let code = unsafe { sys::aclrtSynchronizeEvent(self.event.raw()) };
        check_wait("aclrtSynchronizeEvent", code)?;
        Ok((self.queued.into_fenced(), self.event))
    }

    /// [`Fence::synchronize`] with a limit (`aclrtSynchronizeEventWithTimeout`, pyACL
    /// `acl.rt.synchronize_event_with_timeout`), rounded up to milliseconds.
    ///
    /// # Errors
    ///
    /// [`Unfinished`] hands the fence back when the time was up (507047) or the limit is none; after any
    /// other failure the memory is parked.
    #[doc(alias = "aclrtSynchronizeEventWithTimeout")]
    pub fn synchronize_within(
        self,
        limit: Duration,
    ) -> Result<(Fenced<'dev, D, S, R, H>, E), Unfinished<Self>> {
        let millis = match millis(limit) {
            Ok(millis) => millis,
            Err(error) => {
                return Err(Unfinished {
                    error,
                    fence: Some(self),
                });
            }
        };
        // SAFETY: a live event; the call needs no current context (observed, CANN runtime 1.17).
        let code = unsafe { sys::aclrtSynchronizeEventWithTimeout(self.event.raw(), millis) };
        match check_wait("aclrtSynchronizeEventWithTimeout", code) {
            Ok(()) => Ok((self.queued.into_fenced(), self.event)),
            Err(error) if code == sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT => Err(Unfinished {
                error,
                fence: Some(self),
            }),
            Err(error) => Err(Unfinished { error, fence: None }),
        }
    }

    /// The memory, and the event behind its work.
    pub(crate) fn parts(&self) -> (&Queued<'dev, (D, S), R, H>, sys::aclrtEvent) {
        (&self.queued, self.event.raw())
    }

    /// Back to the queue, where later work of the same stream may use the memory.
    pub fn cancel(self) -> (Queued<'dev, (D, S), R, H>, E) {
        (self.queued, self.event)
    }
}

impl<'dev, D: AnyDevice, S: StreamTag, R: Resource<D>, H> Queued<'dev, (D, S), R, H> {
    /// What a fence gives back behind which nothing uses the memory.
    #[inline(always)]
    fn into_fenced(self) -> Fenced<'dev, D, S, R, H> {
        D::Mode::fenced(Unverified::new(self.into_resource()))
    }
}

/// What a fence gives back: [`Unverified`] memory, or the memory itself on a device
/// that [stops on failure](crate::Device::stop_on_failure).
pub type Fenced<'dev, D, S, R, H = ()> =
    <<D as AnyDevice>::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;

/// A wait for a fence that did not end well.
///
/// The fence is part of it, and borrows its device. A function that hands on errors which borrow nothing, as those of
/// `anyhow`, takes the error alone:
///
/// ```
/// # use std::time::Duration;
/// # use ascendcl::event::{EventSlot, Fence};
/// # use ascendcl::bounds::StreamTag;
/// # use ascendcl::{DeviceBuf, Error, Npu};
/// # fn wait<'dev, S: StreamTag, E: EventSlot<Npu<0>>>(
/// #     fence: Fence<'dev, (Npu<0>, S), DeviceBuf<'dev, Npu<0>, [f32]>, E>,
/// # ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let done = fence.synchronize_within(Duration::from_secs(1)).map_err(Error::from)?;
/// # Ok(()) }
/// ```
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct Unfinished<F> {
    /// Why.
    #[source]
    pub error: Error,
    /// The fence, to wait for again, if only the time was up.
    pub fence: Option<F>,
}

impl<F> fmt::Debug for Unfinished<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<F> From<Unfinished<F>> for Error {
    fn from(unfinished: Unfinished<F>) -> Error {
        unfinished.error
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Marks the point behind everything that was submitted (`aclrtRecordEvent`, pyACL
    /// `acl.rt.record_event`) and ties the memory that is to move on to it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]; the memory is parked then.
    #[doc(alias = "aclrtRecordEvent")]
    #[doc(alias = "acl.rt.record_event")]
    #[inline(always)]
    pub fn fence<R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        event: E,
        queued: Queued<'dev, (D, S), R, H>,
    ) -> Result<Fence<'dev, (D, S), R, E, H>> {
        // SAFETY: a live event and a live stream of the current context.
        let code = unsafe { sys::aclrtRecordEvent(event.raw(), self.as_raw()) };
        check("aclrtRecordEvent", code)?;
        // INVARIANT: recorded now, and the event is owned or exclusively borrowed by the fence.
        Ok(Fence { queued, event })
    }

    /// Makes later work of this stream wait for a fence (`aclrtStreamWaitEvent`, pyACL
    /// `acl.rt.stream_wait_event`) and takes its memory over. The event is free again at once.
    ///
    /// If work in front of the fence fails, this stream runs all the same: the failure is reported by
    /// the next wait of the fence's own stream, whose name stays with the memory until then ([`After`]).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]; the memory is parked then.
    #[doc(alias = "aclrtStreamWaitEvent")]
    #[doc(alias = "acl.rt.stream_wait_event")]
    #[inline(always)]
    pub fn wait_fence<S0: StreamTag, R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        fence: Fence<'dev, (D, S0), R, E, H>,
    ) -> Result<(Queued<'dev, (D, S), R, After<S0, H>>, E)>
    where
        E::Capability: CanOrder,
    {
        self.wait_without_limit(fence.event.raw())?;
        // INVARIANT: this queue has waited for all work that uses the memory.
        Ok((fence.queued.into_stream(self.ident()), fence.event))
    }

    /// Queues a wait for an event of this device behind which this stream takes memory over: one that does not end
    /// before the event completes.
    #[inline]
    pub(crate) fn wait_without_limit(&mut self, event: sys::aclrtEvent) -> Result<()> {
        // SAFETY: a live stream of the current context and a live event.
        unsafe { wait_without_limit(self.as_raw(), event) }
    }

    /// Moves memory to another stream: record and wait in one step. The event is free again at once. The memory keeps
    /// the name of this stream, which is asked whether its work has succeeded ([`After`]).
    ///
    /// # Errors
    ///
    /// As for [`Stream::fence`] and [`Stream::wait_fence`].
    #[inline(always)]
    pub fn handoff<S1: StreamTag, R: Resource<D>, C: CanOrder, H>(
        &mut self,
        to: &mut Stream<'_, 'dev, D, S1>,
        event: &mut Event<'_, D, C>,
        queued: Queued<'dev, (D, S), R, H>,
    ) -> Result<Queued<'dev, (D, S1), R, After<S, H>>> {
        let fence = self.fence(event, queued)?;
        let (queued, _) = to.wait_fence(fence)?;
        Ok(queued)
    }

    /// Marks the point behind everything that was submitted, without memory: for ordering and timing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[inline(always)]
    pub fn record<'e, C: Capability>(
        &mut self,
        event: &'e mut Event<'_, D, C>,
    ) -> Result<Recorded<'e, (D, S), C>> {
        // SAFETY: a live event and a live stream of the current context.
        let code = unsafe { sys::aclrtRecordEvent(event.as_raw(), self.as_raw()) };
        check("aclrtRecordEvent", code)?;
        Ok(Recorded {
            raw: event.raw,
            _event: PhantomData,
        })
    }

    /// Makes later work of this stream wait for a recorded point of another.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[inline(always)]
    pub fn wait<W: WaitPoint<D>>(&mut self, recorded: W) -> Result<()> {
        // SAFETY: a live stream of the current context, and a live event (`Recorded` borrows it).
        let code = unsafe { sys::aclrtStreamWaitEvent(self.as_raw(), recorded.event()) };
        check("aclrtStreamWaitEvent", code)
    }
}

/// An event that was recorded on the queue `Q`. While it is used the event cannot be recorded again.
/// Several streams may wait for it.
pub struct Recorded<'e, Q, C> {
    raw: Handle,
    _event: PhantomData<(&'e mut (), Invariant<(Q, C)>)>,
}

/// What a stream of device `D` can wait for: a point that was [`Recorded`] on a stream of that device, by an event that
/// [can order](CanOrder).
#[diagnostic::on_unimplemented(
    message = "a stream of device `{D}` cannot wait for `{Self}`",
    label = "a stream waits for a point that was recorded on a stream of its own device",
    note = "record the event first: `let recorded = other.record(&mut event)?;`, then `stream.wait(recorded)?`",
    note = "a fence is waited for together with its memory: `let (queued, event) = stream.wait_fence(fence)?;`"
)]
pub trait WaitPoint<D>: Sealed {
    #[doc(hidden)]
    fn event(self) -> sys::aclrtEvent;
}

impl<Q, C> Sealed for Recorded<'_, Q, C> {}
impl<D: AnyDevice, S: StreamTag, C: CanOrder> WaitPoint<D> for Recorded<'_, (D, S), C> {
    #[inline(always)]
    fn event(self) -> sys::aclrtEvent {
        self.raw.as_ptr()
    }
}

impl<Q, C> Clone for Recorded<'_, Q, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<Q, C> Copy for Recorded<'_, Q, C> {}

/// Whether the work in front of an event is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    /// It is over, successfully or not.
    Complete,
    /// It is not.
    NotReady,
}

impl<'e, Q, C> Recorded<'e, Q, C> {
    /// Waits on the host until the work in front of the event is over (`aclrtSynchronizeEvent`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`].
    pub fn synchronize(self) -> Result<Done<'e, Q, C>> {
        // SAFETY: a live event, borrowed by this value.
        let code = unsafe { sys::aclrtSynchronizeEvent(self.raw.as_ptr()) };
        check_wait("aclrtSynchronizeEvent", code)?;
        Ok(Done { recorded: self })
    }

    /// Whether the work is over (`aclrtQueryEventStatus`, pyACL `acl.rt.query_event_status`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtQueryEventStatus")]
    pub fn query(self) -> Result<EventStatus> {
        let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
        // SAFETY: a live event, borrowed by this value, and `status` is valid for a write.
        let code = unsafe { sys::aclrtQueryEventStatus(self.raw.as_ptr(), &raw mut status) };
        check("aclrtQueryEventStatus", code)?;
        Ok(if status == sys::ACL_EVENT_RECORDED_STATUS_COMPLETE {
            EventStatus::Complete
        } else {
            EventStatus::NotReady
        })
    }
}

/// A recorded event whose work is over.
pub struct Done<'e, Q, C> {
    recorded: Recorded<'e, Q, C>,
}

impl<Q, C> Done<'_, Q, C> {
    /// Milliseconds from `start` to this event (`aclrtEventElapsedTime`, pyACL
    /// `acl.rt.event_elapsed_time`). Both lie on streams of one name on one device, by their types.
    ///
    /// Negative where `start` came later. Events of a stream that was destroyed and of its successor of
    /// the same name can be compared too; how long that was on a clock of the device is what it says.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtEventElapsedTime")]
    #[doc(alias = "acl.rt.event_elapsed_time")]
    pub fn millis_since<C0: CanTime>(&self, start: &Done<'_, Q, C0>) -> Result<f32>
    where
        C: CanTime,
    {
        let mut millis = 0.0;
        let (from, to) = (start.recorded.raw.as_ptr(), self.recorded.raw.as_ptr());
        // SAFETY: live events, borrowed by the two values, and `millis` is valid for a write.
        let code = unsafe { sys::aclrtEventElapsedTime(&raw mut millis, from, to) };
        check("aclrtEventElapsedTime", code)?;
        Ok(millis)
    }
}

impl<Q, C> fmt::Debug for Recorded<'_, Q, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queue = std::any::type_name::<Q>();
        write!(f, "Recorded<{queue}>({:?})", self.raw.as_ptr())
    }
}

impl<Q, C> fmt::Debug for Done<'_, Q, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Done").field(&self.recorded).finish()
    }
}

impl<Q: Queue, R: Resource<Q::Device> + fmt::Debug, E: fmt::Debug, H> fmt::Debug
    for Fence<'_, Q, R, E, H>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (queued, event) = (&self.queued, &self.event);
        f.debug_struct("Fence")
            .field("queued", queued)
            .field("event", event)
            .finish()
    }
}
