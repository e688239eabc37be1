//! Events: points in the work of a stream that the host and other streams can wait for (`acl/acl_rt.h`; manual
//! chapter 07).
//!
//! The crate creates events with `aclrtCreateEventExWithFlag` only. Such an event can be recorded again, and a wait
//! belongs to the record that was last when the wait was queued. The abilities of an event are part of its type, as a
//! [`Capability`]. The states of an event are values: [`Recorded`], [`Done`], [`Fence`]. So a wait for an event that
//! was never recorded does not compile, and neither does the reading of a time stamp that does not exist.

mod borrowed;
mod branded;
mod cnt_notify;
mod notify;
mod order;
mod recorded;
mod value;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::time::Duration;

use ascendcl_sys as sys;

pub use cnt_notify::{CntNotify, CntNotifyRecord, CntNotifyWait};
pub use notify::{Notify, Signal, WaitsAs};
pub use recorded::{Done, EventStatus};
pub use value::{Value, ValueWait};

use crate::context::Current;
use crate::device::{AnyDevice, SameDevice};
use crate::error::{Error, Result};
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::outcome::{FailureMode, Unverified};
use crate::park::{calls, dropped};
use crate::queue::{After, Queue, Queued, Resource, SameQueue};
use crate::raw::{Handle, check, check_wait};
use crate::release;
use crate::state::{Invariant, Sealed};
use crate::stream::{AnyStream, Stream, StreamTag, millis};

/// The abilities of an event: the flags that it is created with.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::event::{Order, OrderTiming, Progress, Timing};
///
/// let order = current.create_event::<Order>()?; // a stream waits for another one
/// let progress = current.create_event::<Progress>()?; // the host waits for a stream
/// let timing = current.create_event::<Timing>()?; // the time between two points
/// let both = current.create_event::<OrderTiming>()?; // streams wait, and it has a time
/// # });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a capability of an event",
    label = "expected `Order`, `Progress`, `OrderProgress`, `Timing` or `OrderTiming`"
)]
pub trait Capability: Sealed {
    /// The flags of `aclrtCreateEventExWithFlag`.
    const FLAGS: u32;

    /// Whether the event belongs to this program, and is destroyed when it is dropped.
    #[doc(hidden)]
    const OWNED: bool;
}

/// The bound for events that the program has created itself.
#[diagnostic::on_unimplemented(
    message = "this program does not own an event with the capability `{Self}`",
    label = "this program neither creates nor destroys an event of another library",
    note = "create an event with `Order`, `Progress`, `OrderProgress`, `Timing` or `OrderTiming`",
    note = "let a borrowed event go out of scope: its owner destroys it"
)]
pub trait OwnCapability: Capability {}

/// The bound for events that streams can wait for.
#[diagnostic::on_unimplemented(
    message = "a stream cannot wait for this event",
    label = "the capability `{Self}` lacks ACL_EVENT_SYNC",
    note = "create the event with `Order`, `OrderProgress` or `OrderTiming`"
)]
pub trait CanOrder: Capability {}

/// The bound for events with a time stamp.
#[diagnostic::on_unimplemented(
    message = "this event has no time stamp",
    label = "the capability `{Self}` lacks ACL_EVENT_TIME_LINE",
    note = "create the event with `Timing` or `OrderTiming`"
)]
pub trait CanTime: Capability {}

/// Declares the allowed combinations of flags.
macro_rules! capabilities {
    ($( $(#[$doc:meta])* $name:ident = $flags:expr $(, $ability:ident)*; )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}
        impl Sealed for $name {}
        impl Capability for $name {
            const FLAGS: u32 = $flags;
            const OWNED: bool = true;
        }
        #[diagnostic::do_not_recommend]
        impl OwnCapability for $name {}
        $( #[diagnostic::do_not_recommend]
           impl $ability for $name {} )*
    )* };
}

capabilities! {
    /// The capability of an event that streams can wait for (`ACL_EVENT_SYNC`).
    Order = sys::ACL_EVENT_SYNC, CanOrder;
    /// The capability of an event that only the host can wait for (`ACL_EVENT_CAPTURE_STREAM_PROGRESS`).
    Progress = sys::ACL_EVENT_CAPTURE_STREAM_PROGRESS;
    /// The capability of an event that streams and the host can wait for.
    OrderProgress = sys::ACL_EVENT_SYNC | sys::ACL_EVENT_CAPTURE_STREAM_PROGRESS, CanOrder;
    /// The capability of an event with a time stamp (`ACL_EVENT_TIME_LINE`).
    Timing = sys::ACL_EVENT_TIME_LINE, CanTime;
    /// The capability of an event with a time stamp that streams can wait for.
    OrderTiming = sys::ACL_EVENT_SYNC | sys::ACL_EVENT_TIME_LINE, CanOrder, CanTime;
}

/// An event of device `D` with the capability `C`.
///
/// An event borrows the device: on the production runtime, destroying an event after the reset is a use after free
/// (observed, CANN runtime 1.17).
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
/// let recorded = stream.record(&mut event)?;
/// second.wait(recorded)?; // later work of the second stream runs after the fill
/// event.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// `raw` is a live event of the context of `D`. No other code destroys, records or resets it while this value lives.
/// This value destroys it, unless `C` is [`Foreign`](crate::interop::Foreign).
#[repr(transparent)]
pub struct Event<'dev, D: AnyDevice, C: Capability> {
    raw: Handle,
    _device: PhantomData<(&'dev (), Invariant<(D, C)>)>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates an event (`aclrtCreateEventExWithFlag`, pyACL `acl.rt.create_event_ex_with_flag`). It stands for the events of
    /// `aclrtCreateEvent` and `aclrtCreateEventWithFlag` too, and a later record needs no `aclrtResetEvent`.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::event::{Order, Timing};
    ///
    /// let order = current.create_event::<Order>()?; // one stream waits for another one
    /// let time = current.create_event::<Timing>()?; // the time between two points of a stream
    /// order.destroy()?;
    /// time.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207007 when the device has no event left, and [`ErrorKind::Backend`] when an older
    /// CANN lacks the function.
    #[doc(alias = "aclrtCreateEventExWithFlag")]
    #[doc(alias("aclrtCreateEvent", "aclrtCreateEventWithFlag", "aclrtResetEvent"))]
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
    /// The raw event, for calls that this crate does not have. Do not destroy, record or reset it: a [`Fence`] and a
    /// [`Recorded`] refer to the last record.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::{event::Order, sys};
    ///
    /// let event = current.create_event::<Order>()?;
    /// let raw: sys::aclrtEvent = event.as_raw();
    /// assert!(!raw.is_null());
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtEvent {
        self.raw.as_ptr()
    }

    /// Destroys the event (`aclrtDestroyEvent`, pyACL `acl.rt.destroy_event`). The event may be incomplete. Waits for
    /// it that were queued before remain valid.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let event = current.create_event::<ascendcl::event::Order>()?;
    /// event.destroy()?; // a drop destroys it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The event is gone all the same.
    #[doc(alias = "aclrtDestroyEvent")]
    #[doc(alias = "acl.rt.destroy_event")]
    pub fn destroy(self) -> Result<()>
    where
        C: OwnCapability,
    {
        check("aclrtDestroyEvent", close(ManuallyDrop::new(self).as_raw()))
    }
}

/// Destroys an event that is dropped. It takes the handle by value and is out of line, because a path that took its address
/// would force the event into memory on all paths.
#[cold]
#[inline(never)]
extern "C" fn close_in_drop(event: sys::aclrtEvent) {
    release::status_in_drop("aclrtDestroyEvent", close(event));
}

fn close(event: sys::aclrtEvent) -> sys::aclError {
    // A later event may have the same address.
    calls::forget_record(event);
    // SAFETY: a live event that the program has created, destroyed once. Its device is not reset (`'dev`), and destroying needs
    // no current context (observed, CANN runtime 1.17).
    unsafe { sys::aclrtDestroyEvent(event) }
}

impl<D: AnyDevice, C: Capability> Drop for Event<'_, D, C> {
    #[inline(always)]
    fn drop(&mut self) {
        if C::OWNED {
            close_in_drop(self.as_raw());
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

/// The event in a fence: by value, for fences that live longer than one iteration of a loop, or `&mut`.
#[diagnostic::on_unimplemented(
    message = "a fence on a stream of device `{D}` cannot be marked by `{Self}`",
    label = "expected an event of device `{D}`, by value or `&mut`",
    note = "bind the thread to device `{D}` and create the event there: `current.create_event()`"
)]
pub trait EventSlot<D>: Sealed {
    /// The capability of the event.
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

/// A point in the queue `Q` after all work that uses the memory `R`, marked by an event.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::event::Order;
///
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let fence = stream.fence(current.create_event::<Order>()?, zeros)?; // a point after the fill
/// let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?; // later work
/// let (zeros, event) = fence.synchronize()?; // waits for the fill, and not for later work
/// let zeros = stream.synchronize()?.verify(zeros); // the stream has reported no failure
/// # });
/// ```
///
/// # Invariants
///
/// `event` was recorded on `Q` after all work that uses the memory, and was not recorded again.
#[must_use = "wait for it, on the host or on another stream"]
pub struct Fence<'dev, Q: Queue, R: Resource<Q::Device>, E, H = ()> {
    queued: Queued<'dev, Q, R, H>,
    event: E,
}

impl<'dev, D: AnyDevice, S: StreamTag, R: Resource<D>, E: EventSlot<D>, H>
    Fence<'dev, (D, S), R, E, H>
{
    /// Waits on the host until the work before the fence is over (`aclrtSynchronizeEvent`, pyACL
    /// `acl.rt.synchronize_event`). This works on any thread.
    ///
    /// In CANN's default failure mode the event completes even if the work has failed, so the memory comes back as
    /// [`Unverified`]. On a device that [stops on failure](crate::Device::stop_on_failure) the memory comes back
    /// verified.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let fence = stream.fence(current.create_event::<Order>()?, zeros)?;
    /// let (zeros, event) = fence.synchronize()?;
    /// let zeros = stream.synchronize()?.verify(zeros);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when the wait has failed, and [`Usage::RecordDropped`] when it might never end. The memory is parked
    /// then.
    #[doc(alias = "aclrtSynchronizeEvent")]
    #[doc(alias = "acl.rt.synchronize_event")]
    pub fn synchronize(self) -> Result<(Fenced<'dev, D, S, R, H>, E)> {
        // SAFETY: a live event, which was recorded last for this fence (invariant); the call needs no current context
        // (observed, CANN runtime 1.17).
        let code = unsafe { calls::synchronize(self.event.raw()) };
        dropped::synchronized(code)?;
        Ok((self.queued.into_fenced(), self.event))
    }

    /// Waits on the host until the work before the fence is over, for a limited time
    /// (`aclrtSynchronizeEventWithTimeout`, pyACL `acl.rt.synchronize_event_with_timeout`). The limit is rounded up
    /// to milliseconds.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    /// use std::time::Duration;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let fence = stream.fence(current.create_event::<Order>()?, zeros)?;
    /// match fence.synchronize_within(Duration::from_secs(60)) {
    ///     Ok((zeros, _event)) => stream.synchronize()?.verify(zeros).free()?,
    ///     Err(unfinished) => match unfinished.fence {
    ///         Some(fence) => drop(fence.cancel()), // the time was up; wait again, or give up
    ///         None => return Err(unfinished.error),
    ///     },
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Unfinished`] contains the fence when the time limit was exceeded (507047), the limit is invalid, or the runtime
    /// refused to wait ([`ErrorKind::Refused`]). After any other failure the memory is parked.
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
        let event = self.event.raw();
        // SAFETY: a live event; the call needs no current context (observed, CANN runtime 1.17).
        let code = unsafe { sys::aclrtSynchronizeEventWithTimeout(event, millis) };
        match check_wait("aclrtSynchronizeEventWithTimeout", code) {
            Ok(()) => {
                // SAFETY: this was a wait for the event, which was recorded last for this fence (invariant).
                unsafe { calls::reached(event) };
                Ok((self.queued.into_fenced(), self.event))
            }
            Err(error) if code == sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT || !error.is_wait() => {
                Err(Unfinished {
                    error,
                    fence: Some(self),
                })
            }
            Err(error) => Err(Unfinished { error, fence: None }),
        }
    }

    pub(crate) fn queued(&self) -> &Queued<'dev, (D, S), R, H> {
        &self.queued
    }

    /// Gives the memory back to the queue, where later work of the same stream may use it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let fence = stream.fence(current.create_event::<Order>()?, zeros)?;
    /// let (mut zeros, event) = fence.cancel(); // back on the stream, without a wait
    /// stream.memset_async(&mut zeros, 1)?;
    /// # });
    /// ```
    pub fn cancel(self) -> (Queued<'dev, (D, S), R, H>, E) {
        (self.queued, self.event)
    }
}

impl<'dev, D: AnyDevice, S: StreamTag, R: Resource<D>, H> Queued<'dev, (D, S), R, H> {
    /// Turns queued memory into the result of a fence. The caller has waited, so no work uses the memory.
    #[inline(always)]
    fn into_fenced(self) -> Fenced<'dev, D, S, R, H> {
        D::Mode::fenced(Unverified::new(self.into_resource()))
    }
}

/// The memory that a fence gives back: [`Unverified`] memory, or the memory itself on a device that [stops on
/// failure](crate::Device::stop_on_failure).
///
/// ```
/// use ascendcl::bounds::StreamTag;
/// use ascendcl::event::{EventSlot, Fence, Fenced};
/// use ascendcl::{DeviceBuf, Npu, Result};
///
/// type Memory<'dev> = DeviceBuf<'dev, Npu<0>, [f32]>;
///
/// fn wait<'dev, S: StreamTag, E: EventSlot<Npu<0>>>(
///     fence: Fence<'dev, (Npu<0>, S), Memory<'dev>, E>,
/// ) -> Result<Fenced<'dev, Npu<0>, S, Memory<'dev>>> {
///     let (memory, _event) = fence.synchronize()?;
///     Ok(memory)
/// }
/// ```
pub type Fenced<'dev, D, S, R, H = ()> =
    <<D as AnyDevice>::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;

/// The error of a wait for a fence. It contains the fence if a new wait is possible.
///
/// A fence borrows its device. A function that returns errors without a lifetime, for example those of `anyhow`,
/// takes the inner error alone:
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
pub struct Unfinished<F> {
    /// The failure of the wait.
    pub error: Error,
    /// The fence, if the time limit was exceeded or invalid. It can be waited for again.
    pub fence: Option<F>,
}

impl<F> fmt::Debug for Unfinished<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<F> fmt::Display for Unfinished<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)
    }
}

impl<F> std::error::Error for Unfinished<F> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<F> From<Unfinished<F>> for Error {
    fn from(unfinished: Unfinished<F>) -> Error {
        unfinished.error
    }
}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Records an event after all submitted work (`aclrtRecordEvent`, pyACL `acl.rt.record_event`), and moves memory
    /// into the returned [`Fence`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let fence = stream.fence(current.create_event::<Order>()?, zeros)?;
    /// let (zeros, event) = fence.synchronize()?; // waits for this point, and not for later work
    /// let zeros = stream.synchronize()?.verify(zeros); // an event completes after a failure too
    /// zeros.free()?;
    /// event.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The memory is parked then.
    #[doc(alias = "aclrtRecordEvent")]
    #[doc(alias = "acl.rt.record_event")]
    #[inline(always)]
    pub fn fence<P: Queue + SameQueue<(D, S)>, R: Resource<P::Device>, E: EventSlot<D>, H>(
        &mut self,
        event: E,
        queued: Queued<'dev, P, R, H>,
    ) -> Result<Fence<'dev, P, R, E, H>>
    where
        S: StreamTag,
    {
        check("aclrtRecordEvent", self.record_point(event.raw()))?;
        // INVARIANT: the event was recorded just now, and the fence owns or exclusively borrows it.
        Ok(Fence { queued, event })
    }

    /// Makes later work of this stream wait for a fence (`aclrtStreamWaitEvent`, pyACL `acl.rt.stream_wait_event`),
    /// and moves the memory of the fence to this stream. The event can be used again at once.
    ///
    /// If work before the fence fails, this stream runs all the same. The next wait for the stream of the fence
    /// reports the failure. Until then, the type of the memory contains the name of that stream ([`After`]).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    ///
    /// use ascendcl::event::Order;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let fence = stream.fence(current.create_event::<Order>()?, zeros)?;
    /// let (zeros, event) = second.wait_fence(fence)?; // the second stream may use it now
    /// let zeros = second.synchronize()?.take(zeros);
    /// stream.synchronize()?.verify(zeros).free()?; // the first stream has succeeded too
    /// event.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::RecordDropped`] if the stream of the fence was aborted and the wait might never end.
    /// The memory is parked then.
    #[doc(alias = "aclrtStreamWaitEvent")]
    #[doc(alias = "acl.rt.stream_wait_event")]
    #[inline(always)]
    pub fn wait_fence<S0: StreamTag, R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        fence: Fence<'dev, (D, S0), R, E, H>,
    ) -> Result<(Queued<'dev, (D, S), R, After<S0, H>>, E)>
    where
        S: StreamTag,
        E::Capability: CanOrder,
    {
        self.follow(&fence)?;
        // INVARIANT: this queue waits for all work that uses the memory.
        Ok((fence.queued.into_stream(self.ident()), fence.event))
    }

    /// Queues a wait for a fence of this device, after which this stream takes memory over.
    #[inline(always)]
    pub(crate) fn follow<S0: StreamTag, R: Resource<D>, E: EventSlot<D>, H>(
        &mut self,
        fence: &Fence<'dev, (D, S0), R, E, H>,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        self.wait_without_limit(fence.event.raw())
    }

    /// Moves memory to another stream: records the event on this stream and queues a wait for it on the other one.
    /// The event can be used again at once. The type of the memory contains the name of this stream, which must prove
    /// that its work has succeeded ([`After`]).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    ///
    /// use ascendcl::event::Order;
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// let ones = stream.memset_async(stream.malloc::<u8>(2)?, 1)?;
    /// let ones = stream.handoff(&mut second, &mut event, ones)?;
    /// let back = second.memcpy_async(second.malloc_host(host, 2)?, &ones)?;
    /// stream.synchronize()?; // the first stream has succeeded
    /// assert_eq!(second.synchronize()?.take(back)[..], [1, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::fence`] and [`Stream::wait_fence`].
    #[inline(always)]
    pub fn handoff<S1: StreamTag, R: Resource<D>, C: CanOrder, H>(
        &mut self,
        to: &mut Stream<'_, 'dev, impl SameDevice<D>, S1>,
        event: &mut Event<'_, impl SameDevice<D>, C>,
        queued: Queued<'dev, (D, S), R, H>,
    ) -> Result<Queued<'dev, (D, S1), R, After<S, H>>>
    where
        S: StreamTag,
    {
        check("aclrtRecordEvent", self.record_point(event.as_raw()))?;
        to.wait_without_limit(event.as_raw())?;
        // INVARIANT: the stream `to` waits for all work that uses the memory.
        Ok(queued.into_stream(to.ident()))
    }

    /// Records an event after all submitted work, without memory (`aclrtRecordEvent`). This is for ordering and
    /// timing. A wait of the host for such a point frees memory that was dropped in front of it while it was queued, as a wait
    /// for a [fence](Stream::fence) does.
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
    /// let recorded = stream.record(&mut event)?; // after the fill
    /// second.wait(recorded)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[inline(always)]
    pub fn record<'e, C: Capability>(
        &mut self,
        event: &'e mut Event<'_, impl SameDevice<D>, C>,
    ) -> Result<Recorded<'e, (D, S), C>>
    where
        S: StreamTag,
    {
        check("aclrtRecordEvent", self.record_point(event.as_raw()))?;
        Ok(Recorded {
            raw: event.raw,
            _event: PhantomData,
        })
    }

    /// Makes later work of this stream wait for a recorded event of another stream (`aclrtStreamWaitEvent`). A wait for this
    /// stream then also frees memory that was dropped in front of that event, unless
    /// [`Acl::set_op_wait_timeout`](crate::Acl::set_op_wait_timeout) limits such waits, or other code of an
    /// [attached](crate::Acl::attach) process may do so.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// use ascendcl::event::Order;
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// let recorded = stream.record(&mut event)?;
    /// second.wait(recorded)?; // orders the work; memory moves with `handoff` or `wait_fence`
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::RecordDropped`] as for [`Stream::wait_fence`].
    #[inline(always)]
    pub fn wait<W: WaitPoint<D>>(&mut self, recorded: W) -> Result<()>
    where
        S: StreamTag,
    {
        self.wait_for_point(recorded.event())
    }
}

/// An event that was recorded on the queue `Q`. While this value is used, the event cannot be recorded again. Several
/// streams may wait for it.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::event::{EventStatus, Order};
///
/// let mut event = current.create_event::<Order>()?;
/// let recorded = stream.record(&mut event)?;
/// recorded.synchronize()?; // a `Recorded` is a copy: it can be asked again
/// assert_eq!(recorded.query()?, EventStatus::Complete);
/// # });
/// ```
pub struct Recorded<'e, Q, C> {
    raw: Handle,
    _event: PhantomData<(&'e mut (), Invariant<(Q, C)>)>,
}

/// A point that a stream of device `D` can wait for: a [`Recorded`] event of a stream of that device whose capability
/// is [`CanOrder`].
#[diagnostic::on_unimplemented(
    message = "a stream of device `{D}` cannot wait for `{Self}`",
    label = "a stream waits for an event that a stream of the same device has recorded",
    note = "record the event first: `let recorded = other.record(&mut event)?;`, then `stream.wait(recorded)?`",
    note = "to wait for a fence, take its memory too: `let (queued, event) = stream.wait_fence(fence)?;`",
    note = "a shared event of another process has a wait of its own: `event.wait(&mut stream)?`"
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

impl<Q, C> fmt::Debug for Recorded<'_, Q, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queue = std::any::type_name::<Q>();
        write!(f, "Recorded<{queue}>({:?})", self.raw.as_ptr())
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
