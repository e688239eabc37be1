//! What is known of work that is over: that it succeeded, or not even that.

use std::fmt;
use std::marker::PhantomData;

use crate::state::{Invariant, Sealed};

/// Memory whose work on the queue `Q` is over, successfully or not.
///
/// In CANN's default failure mode an event completes although a task in front of it has failed
/// (observed, CANN runtime 1.17). The memory is safe to own, but what a failed task was to write is
/// not in it. [`Idle::verify`](crate::stream::Idle::verify) turns it into the plain buffer.
///
/// It borrows the device, so that a stream of the same name on a device that was opened again cannot
/// vouch for it.
///
/// `H` names the streams that had the memory before, as for [`Queued`](crate::Queued).
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

    /// The memory as it is: where a task has failed it holds older or arbitrary numbers.
    pub fn accept_unverified(self) -> R {
        self.resource
    }
}

impl<Q, R: fmt::Debug, H> fmt::Debug for Unverified<'_, Q, R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unverified").field(&self.resource).finish()
    }
}

/// What a device does when a task of one of its streams fails.
///
/// [`ContinueOnFailure`] is CANN's default and that of every device here; a device is turned into one that
/// stops by [`Device::stop_on_failure`](crate::Device::stop_on_failure).
pub trait FailureMode: Sealed {
    /// What a fence gives back, and the wait of another stream: memory that may hold what failed work left, or
    /// memory that is proven.
    type Fenced<'dev, Q, R, H>;

    /// Whether streams are told to stop.
    #[doc(hidden)]
    const STOPS: bool;

    #[doc(hidden)]
    fn fenced<'dev, Q, R, H>(unverified: Unverified<'dev, Q, R, H>) -> Self::Fenced<'dev, Q, R, H>;
}

/// Later work goes on with whatever a failed task left (`ACL_CONTINUE_ON_FAILURE`). An event then proves
/// that work is over, not that it succeeded.
#[derive(Debug, Clone, Copy)]
pub enum ContinueOnFailure {}

/// A failed task stops everything behind it (`ACL_STOP_ON_FAILURE`). An event that completes proves that
/// the work in front of it has succeeded; after a failure only a reset of the device helps.
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
        unverified.accept_unverified()
    }
}

/// A failure mode in which a wait that is repeated tells whether the queues are empty, so that borrowed
/// memory can be given back behind it.
#[diagnostic::on_unimplemented(
    message = "a device that may stop on failure takes no borrowed memory",
    label = "after a failure none of its waits succeeds again, so nothing would prove that the device has stopped using the borrow",
    note = "generic code that asks for `D: DeviceTag` takes devices that go on",
    note = "hand memory over by value with `stream.adopt(buffer)`, and run operators with `launch`"
)]
pub trait Borrows: FailureMode {}
#[diagnostic::do_not_recommend]
impl Borrows for ContinueOnFailure {}

/// A failure mode in which a stream goes on behind a host function or callback that has panicked, as it does behind a
/// task that has failed, and its next wait tells.
#[diagnostic::on_unimplemented(
    message = "a device that may stop on failure takes no host functions or callbacks",
    label = "one that panics cannot stop the work behind it, and a fence would vouch for that work",
    note = "generic code that asks for `D: DeviceTag` takes devices that go on",
    note = "wait for the stream and call the function here"
)]
pub trait GoesOn: FailureMode {}
#[diagnostic::do_not_recommend]
impl GoesOn for ContinueOnFailure {}
