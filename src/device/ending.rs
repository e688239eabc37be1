//! The end of a device: its reset, in time, on a thread that goes on with it, or at the next attempt to open it.

use std::sync::Arc;

use ascendcl_sys as sys;

use super::claims::Claim;
use super::later::{Later, Running};
use super::limit::duration;
use crate::device::{Core, Ending};
use crate::error::{Error, ErrorKind, Result, Usage};
use crate::raw::{bound_device, check_device, note_device};

/// The call that resets a device.
pub(super) type Reset = fn(i32) -> sys::aclError;

/// `aclrtResetDevice` for a device that this crate has set.
pub(super) fn reset(id: i32) -> sys::aclError {
    // SAFETY: takes a number; pairs with the `aclrtSetDevice` behind the claim, and nothing borrows the device.
    unsafe { sys::aclrtResetDevice(id) }
}

/// Waits for a device, resets it, and gives its slot and card back. A later attempt to reset it has this limit.
pub(super) fn end(
    core: &Core,
    claim: Claim,
    call: &'static str,
    reset: Reset,
    limit: Option<i32>,
) -> Result<()> {
    let closed = close(core, claim, call, reset);
    enter(core, claim, limit, &closed);
    closed
}

/// Waits for a device and resets it.
fn close(core: &Core, claim: Claim, call: &'static str, reset: Reset) -> Result<()> {
    // The id came from an i32, so the conversion is exact.
    core.close(Ending::Reset, call, || reset(claim.id.cast_signed()))
}

/// Gives the slot and the card of a closed device back, or enters why not. A later attempt to reset it has this limit.
fn enter(core: &Core, claim: Claim, limit: Option<i32>, closed: &Result<()>) {
    match closed {
        Ok(()) => claim.release(),
        // Other code has reset the device, and may open it: a later reset could be for that.
        Err(error) if error.code() == Some(sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR) => {
            claim.is_held();
        }
        // Its life has ended, and the reset was refused. It may not be when the device is opened for the next time.
        Err(_) if core.is_lost() || core.is_over() => claim.is_unreset(limit),
        Err(_) => claim.is_held(),
    }
}

/// Ends a device whose limit has passed, or that does not answer, on a thread that takes as long as it takes. Waits for
/// that if the device has failed, because such waits end soon. `error` is that of the waits within the limit.
pub(super) fn end_later(
    core: &Arc<Core>,
    claim: Claim,
    call: &'static str,
    reset: Reset,
    error: Error,
) -> Result<()> {
    let limit = core.limit();
    if bound_device() == Some(claim.id) {
        note_device(None);
    }
    claim.is_ending();
    // Before the thread runs: from now on, no wait of another device for this one may wait behind it.
    core.note_ends_later();
    let closing = Arc::clone(core);
    let work = move |running| {
        let closed = close(&closing, claim, call, reset);
        drop(running);
        enter(&closing, claim, limit, &closed);
        closed
    };
    match Later::start("ascendcl reset", Box::new(work)) {
        Ok(ending) if !error.is_late() => {
            let ended = ending.within(duration(limit.unwrap_or_default()));
            ended.unwrap_or(Err(error))
        }
        Ok(_) => Err(error),
        Err(no_thread) => {
            core.give_up(&no_thread);
            claim.is_held();
            Err(no_thread)
        }
    }
}

/// Resets a device that was given up and whose reset has failed, within the limit that it had.
pub(super) fn reset_again(claim: Claim, limit: Option<i32>) -> Result<()> {
    let work = move |running| {
        let code = reset(claim.id.cast_signed());
        // Behind an earlier reset there is nothing to reset any more.
        let is_gone = code == sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR;
        let ended = match is_gone {
            true => Ok(()),
            false => check_device("aclrtResetDevice", claim.id, code),
        };
        drop(running);
        match ended {
            Ok(()) => claim.release(),
            Err(_) => claim.is_unreset(limit),
        }
        ended
    };
    let Some(millis) = limit else {
        return work(Running::begin());
    };
    let ending =
        Later::start("ascendcl reset", Box::new(work)).inspect_err(|_| claim.is_unreset(limit))?;
    let id = claim.id;
    let ended = ending.within(duration(millis));
    ended.unwrap_or_else(|| Err(Usage::DeviceEnding { id }.into()))
}

impl Core {
    /// Whether the error of a wait says that the device does not answer any more. A context that has stopped on a failure fails
    /// each wait, too.
    pub(super) fn is_lost_by(&self, error: &Error) -> bool {
        (self.stops() && error.is_wait()) || error.is_of_lost_device()
    }

    /// Whether the device ends on a thread of its own behind this error, because the end may take longer than its limit.
    pub(crate) fn goes_on_behind(&self, error: &Error) -> bool {
        let is_peer = matches!(error.kind(), ErrorKind::Usage(Usage::PeerLost { .. }));
        self.limit().is_some() && (error.is_late() || is_peer || self.is_lost_by(error))
    }
}
