//! The outcome of work that is over: proven success, or none proven.

use std::fmt;
use std::marker::PhantomData;

use crate::state::{Invariant, Sealed};

/// Memory whose work on the queue `Q` is over, successfully or not.
///
/// In CANN's default failure mode an event completes although a task before it has failed (observed, CANN runtime
/// 1.17). The memory is safe to own, but the results of a failed task are not in it.
/// [`Idle::verify`](crate::stream::Idle::verify) turns it into the plain buffer.
///
/// It borrows the device. So a stream of the same name on a device that was opened again cannot verify it.
///
/// `H` names the streams that had the memory before, as for [`Queued`](crate::Queued).
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let unverified = stream.drain()?.take(zeros); // over, and nobody knows whether it has succeeded
/// let zeros = stream.synchronize()?.verify(unverified);
/// # });
/// ```
#[must_use = "verify it with an `Idle`, or take it with `accept_unverified`"]
pub struct Unverified<'dev, Q, R, H = ()> {
    resource: R,
    _queue: PhantomData<(&'dev (), Invariant<(Q, H)>)>,
}

impl<Q, R, H> Unverified<'_, Q, R, H> {
    pub(crate) fn new(resource: R) -> Self {
        Unverified {
            resource,
            _queue: PhantomData,
        }
    }

    /// Returns the memory. The caller has a proof that the work on it has succeeded, or gives it up.
    #[inline(always)]
    pub(crate) fn into_resource(self) -> R {
        self.resource
    }
}

impl<Q, R: fmt::Debug, H> fmt::Debug for Unverified<'_, Q, R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unverified").field(&self.resource).finish()
    }
}

/// The reaction of a device to a task that fails.
///
/// [`ContinueOnFailure`] is the default of CANN and of every device here.
/// [`Device::stop_on_failure`](crate::Device::stop_on_failure) turns a device into one that stops.
pub trait FailureMode: Sealed {
    /// The memory that a fence or the wait of another stream gives back: [`Unverified`], or the memory itself.
    type Fenced<'dev, Q, R, H>;

    /// Whether streams are set to stop on failure.
    #[doc(hidden)]
    const STOPS: bool;

    #[doc(hidden)]
    fn fenced<'dev, Q, R, H>(unverified: Unverified<'dev, Q, R, H>) -> Self::Fenced<'dev, Q, R, H>;
}

/// Later work runs although a task has failed (`ACL_CONTINUE_ON_FAILURE`). An event then proves that the work before
/// it is over. It does not prove that the work has succeeded.
///
/// ```
/// use ascendcl::bounds::AnyDevice;
/// use ascendcl::{ContinueOnFailure, Current};
///
/// // Any device in CANN's default mode. `DeviceTag` is a shorter name for this bound.
/// fn work<D: AnyDevice<Mode = ContinueOnFailure>>(_current: Current<'_, '_, D>) {}
/// ```
#[derive(Debug, Clone, Copy)]
pub enum ContinueOnFailure {}

/// A failed task stops all later work (`ACL_STOP_ON_FAILURE`). An event that completes proves that the work before it
/// has succeeded. After a failure only a reset of the device helps.
///
/// ```
/// use ascendcl::bounds::AnyDevice;
/// use ascendcl::{Current, StopOnFailure};
///
/// // Devices that stop on a failure, so that each fence proves success.
/// fn work<D: AnyDevice<Mode = StopOnFailure>>(_current: Current<'_, '_, D>) {}
/// ```
#[derive(Debug, Clone, Copy)]
pub enum StopOnFailure {}

impl Sealed for ContinueOnFailure {}
impl FailureMode for ContinueOnFailure {
    type Fenced<'dev, Q, R, H> = Unverified<'dev, Q, R, H>;
    const STOPS: bool = false;

    #[inline(always)]
    fn fenced<'dev, Q, R, H>(unverified: Unverified<'dev, Q, R, H>) -> Unverified<'dev, Q, R, H> {
        unverified
    }
}

impl Sealed for StopOnFailure {}
impl FailureMode for StopOnFailure {
    type Fenced<'dev, Q, R, H> = R;
    const STOPS: bool = true;

    #[inline(always)]
    fn fenced<'dev, Q, R, H>(unverified: Unverified<'dev, Q, R, H>) -> R {
        // Whoever waited in this mode, for the fence or for a stream behind it, has the proof for the whole context.
        unverified.into_resource()
    }
}

/// A failure mode in which later work runs although a task, a host function or a callback has failed, and in which a repeated
/// wait proves that the queues are empty. Work needs it that borrows memory, and so do functions that work calls.
#[diagnostic::on_unimplemented(
    message = "a device that may stop on failure can neither borrow memory nor call functions of the program",
    label = "after a failure every wait for this device fails, so nothing proves that it has stopped using the memory; and a panic stops no later work",
    note = "in generic code, the bound `D: DeviceTag` admits only devices that continue after a failure",
    note = "in place of a loan, move the memory into the stream with `stream.adopt(buffer)`, and run operators with `launch`",
    note = "in place of a function that work calls, wait for the stream, and call the function on this thread"
)]
pub trait ContinuesAfterFailure: FailureMode {}
#[diagnostic::do_not_recommend]
impl ContinuesAfterFailure for ContinueOnFailure {}
