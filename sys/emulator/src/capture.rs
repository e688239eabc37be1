//! Asking about the capture of streams (`acl/acl_rt.h`).
//!
//! Nothing is captured here (`refusal.rs`), so the answer is always that no stream is. The mode of a
//! thread can be exchanged, as programs do around calls that a capture would forbid.

use std::cell::Cell;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_RT_PARAM_INVALID, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED, ACL_MODEL_RI_CAPTURE_STATUS_NONE, ACL_SUCCESS, aclError,
    aclmdlRI, aclmdlRICaptureMode, aclmdlRICaptureStatus, aclrtStream,
};

use crate::context::null;
use crate::error::fail;
use crate::submit::{any, find};

thread_local! {
    static MODE: Cell<aclmdlRICaptureMode> = const { Cell::new(ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) };
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureGetInfo(
    stream: aclrtStream,
    status: *mut aclmdlRICaptureStatus,
    modelRI: *mut aclmdlRI,
) -> aclError {
    let call = "aclmdlRICaptureGetInfo";
    if status.is_null() || modelRI.is_null() {
        return null(call, "status or modelRI");
    }
    if let Err(code) = find(call, stream).and_then(|found| any(call, found)) {
        return code;
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(ACL_MODEL_RI_CAPTURE_STATUS_NONE) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { modelRI.write(ptr::null_mut()) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureThreadExchangeMode(
    mode: *mut aclmdlRICaptureMode,
) -> aclError {
    let call = "aclmdlRICaptureThreadExchangeMode";
    if mode.is_null() {
        return null(call, "mode");
    }
    // SAFETY: not null; the caller's contract: valid for a read.
    let new = unsafe { mode.read() };
    if new > ACL_MODEL_RI_CAPTURE_MODE_RELAXED {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: mode is {new:?}, which is no mode of capture"),
        );
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { mode.write(MODE.replace(new)) };
    ACL_SUCCESS
}
