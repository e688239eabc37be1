//! Short forms of the calls for captures of streams.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;

/// Begins a capture.
pub(crate) fn begin(stream: aclrtStream, mode: aclmdlRICaptureMode) {
    check!(graph.aclmdlRICaptureBegin(stream, mode));
}

/// Ends a capture, which has to succeed.
pub(crate) fn end(stream: aclrtStream) -> aclmdlRI {
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureEnd(stream, &mut instance));
    assert!(!instance.is_null());
    instance
}

/// Returns the capture status of a stream, and whether it has an instance.
pub(crate) fn info(stream: aclrtStream) -> (aclmdlRICaptureStatus, bool) {
    let (mut status, mut instance) = (aclmdlRICaptureStatus(7), ptr::dangling_mut());
    check!(graph.aclmdlRICaptureGetInfo(stream, &mut status, &mut instance));
    (status, !instance.is_null())
}

/// Fills 64 bytes on a stream.
pub(crate) fn fill(memory: *mut c_void, value: i32, stream: aclrtStream) -> aclError {
    call!(memory.aclrtMemsetAsync(memory, 64, value, 64, stream))
}

/// Makes `other` join a capture after the tasks of `stream`.
pub(crate) fn fork(event: aclrtEvent, stream: aclrtStream, other: aclrtStream) {
    check!(event.aclrtRecordEvent(event, stream));
    check!(event.aclrtStreamWaitEvent(other, event));
}
