//! The overflow status that a stream writes to memory (`acl/acl_rt.h`).

use std::ffi::c_void;

use ascendcl_sys::{aclError, aclrtStream};

use super::copy;
use crate::engine::submit;
use crate::engine::task::Task;
use crate::error::null_below;
use crate::object_calls::{attempt, not_null};

/// The number of bytes that `aclrtGetOverflowStatus` writes.
const OVERFLOW_STATUS: usize = 64;

pub(crate) unsafe extern "C" fn aclrtGetOverflowStatus(
    outputAddr: *mut c_void,
    outputSize: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtGetOverflowStatus";
    attempt!(not_null(call, "outputAddr", outputAddr));
    none(call, outputAddr, outputSize, stream)
}

/// Writes the status of a product that saturates. An assumption: it is as long as that of the others.
pub(crate) unsafe extern "C" fn aclrtGetFloatOverflowStatus(
    outputAddr: *mut c_void,
    outputSize: u64,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtGetFloatOverflowStatus";
    if outputAddr.is_null() {
        return null_below(call, "outputAddr");
    }
    none(call, outputAddr, outputSize as usize, stream)
}

pub(crate) unsafe extern "C" fn aclrtNpuGetFloatOverFlowStatus(
    outputAddr: *mut c_void,
    outputSize: u64,
    _checkMode: u32,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtNpuGetFloatOverFlowStatus";
    if outputAddr.is_null() {
        return null_below(call, "outputAddr");
    }
    none(call, outputAddr, outputSize as usize, stream)
}

/// Writes that nothing has overflown: no emulated operator sets the overflow flags of the hardware.
fn none(call: &'static str, output: *mut c_void, size: usize, stream: aclrtStream) -> aclError {
    copy::fill_async(call, output.addr(), size, 0, OVERFLOW_STATUS, stream)
}

pub(crate) unsafe extern "C" fn aclrtResetOverflowStatus(stream: aclrtStream) -> aclError {
    clear("aclrtResetOverflowStatus", stream)
}

pub(crate) unsafe extern "C" fn aclrtResetFloatOverflowStatus(stream: aclrtStream) -> aclError {
    clear("aclrtResetFloatOverflowStatus", stream)
}

pub(crate) unsafe extern "C" fn aclrtNpuClearFloatOverFlowStatus(
    _checkMode: u32,
    stream: aclrtStream,
) -> aclError {
    clear("aclrtNpuClearFloatOverFlowStatus", stream)
}

fn clear(call: &str, stream: aclrtStream) -> aclError {
    let target = attempt!(submit::find(call, stream).and_then(|found| submit::own(call, found)));
    submit::push(call, target, false, |_| Task::Nothing)
}
