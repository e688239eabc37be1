//! The modes of captures: they decide which threads may copy and fill at once while a stream is captured.

use std::cell::Cell;
use std::thread;

use ascendcl_sys::{
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, ACL_MODEL_RI_CAPTURE_MODE_RELAXED,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL, ACL_SUCCESS, aclError, aclmdlRICaptureMode,
};

use super::{Key, graphs};
use crate::engine::current::current;
use crate::object_calls::{attempt, invalid_below, not_null};

thread_local! {
    /// The mode that the thread chose with `aclmdlRICaptureThreadExchangeMode`.
    static CHOSEN: Cell<aclmdlRICaptureMode> = const { Cell::new(ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) };
}

/// Returns whether the captures of a context forbid copies and fills at once on the calling thread.
pub(super) fn forbids(context: Key) -> bool {
    let (mut all, mut own) = (Vec::new(), Vec::new());
    for graph in graphs().captures() {
        if graph.context == context
            && let Some(capture) = graph.lock().capture()
        {
            all.push(capture.mode);
            if capture.thread == thread::current().id() {
                own.push(capture.mode);
            }
        }
    }
    let (strictest, own) = (all.into_iter().min(), own.into_iter().min());
    // The header orders the modes from the strictest to the least strict one.
    let (Some(strictest), chosen) = (strictest, CHOSEN.get()) else {
        return false;
    };
    match chosen {
        ACL_MODEL_RI_CAPTURE_MODE_GLOBAL => {
            strictest == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL
                || own == Some(ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL)
        }
        ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL => {
            own.is_some_and(|own| own != ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        }
        _ => false,
    }
}

/// Checks that the mode exists.
pub(super) fn is_mode(call: &str, mode: aclmdlRICaptureMode) -> Result<(), aclError> {
    if mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED {
        return Err(invalid_below(
            call,
            format_args!("mode is {mode:?}, which is no mode of capture"),
        ));
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureThreadExchangeMode(
    mode: *mut aclmdlRICaptureMode,
) -> aclError {
    let call = "aclmdlRICaptureThreadExchangeMode";
    attempt!(not_null(call, "mode", mode));
    attempt!(current(call));
    // SAFETY: not null; the caller's contract: valid for a read.
    let new = unsafe { mode.read() };
    attempt!(is_mode(call, new));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { mode.write(CHOSEN.replace(new)) };
    ACL_SUCCESS
}
