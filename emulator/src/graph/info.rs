//! What a program learns about the capture of a stream.

use std::ptr;

use ascendcl_sys::{
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED,
    ACL_MODEL_RI_CAPTURE_STATUS_NONE, ACL_SUCCESS, aclError, aclmdlRI, aclmdlRICaptureStatus,
    aclrtStream,
};

use super::{Role, graphs};
use crate::engine::submit::{self, Target};
use crate::object_calls::{attempt, invalid, not_null};

pub(crate) unsafe extern "C" fn aclmdlRICaptureGetInfo(
    stream: aclrtStream,
    status: *mut aclmdlRICaptureStatus,
    modelRI: *mut aclmdlRI,
) -> aclError {
    let call = "aclmdlRICaptureGetInfo";
    attempt!(not_null(call, "stream", stream));
    if status.is_null() && modelRI.is_null() {
        return invalid(
            call,
            format_args!("status and modelRI are NULL; ask for one of them"),
        );
    }
    let found = submit::find(call, stream).and_then(|found| submit::any(call, found));
    let (state, graph) = match found {
        Ok((target, _)) => info(target),
        Err(code) => return code,
    };
    if !status.is_null() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { status.write(state) };
    }
    if !modelRI.is_null() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { modelRI.write(graph) };
    }
    ACL_SUCCESS
}

/// Returns whether a stream is captured, and the graph of the capture.
fn info(target: Target) -> (aclmdlRICaptureStatus, aclmdlRI) {
    let graphs = graphs();
    let Some(Role::Captured(graph, _)) = graphs.role(target) else {
        return (ACL_MODEL_RI_CAPTURE_STATUS_NONE, ptr::null_mut());
    };
    let mut inner = graph.lock();
    let invalid = inner.capture().is_none_or(|capture| capture.invalid);
    let status = if invalid {
        ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
    } else {
        ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
    };
    (status, graph.handle())
}
