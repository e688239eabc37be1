//! The overflow status that a stream writes to memory (`acl/acl_rt.h`).

use std::ffi::c_void;

use ascendcl_sys::{aclError, aclrtStream};

use super::copy;
use crate::engine::submit;
use crate::engine::task::Task;
use crate::error::null;

/// The number of bytes that `aclrtGetOverflowStatus` writes.
const OVERFLOW_STATUS: usize = 64;

pub(crate) unsafe extern "C" fn aclrtGetOverflowStatus(
    outputAddr: *mut c_void,
    outputSize: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtGetOverflowStatus";
    if outputAddr.is_null() {
        return null(call, "outputAddr");
    }
    // No emulated operator sets the overflow flags of the hardware.
    copy::fill_async(
        call,
        outputAddr.addr(),
        outputSize,
        0,
        OVERFLOW_STATUS,
        stream,
    )
}

pub(crate) unsafe extern "C" fn aclrtResetOverflowStatus(stream: aclrtStream) -> aclError {
    let call = "aclrtResetOverflowStatus";
    match submit::find(call, stream).and_then(|found| submit::own(call, found)) {
        Ok(target) => submit::push(call, target, false, |_| Task::Nothing),
        Err(code) => code,
    }
}
