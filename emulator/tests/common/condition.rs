//! Short forms of the calls for conditional tasks of captures.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;

use super::*;

pub(crate) const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
pub(crate) const DEFAULT: aclmdlRICondHandleFlag = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
pub(crate) const OWN: aclmdlRICondHandleFlag = aclmdlRICondHandleFlag(0);
pub(crate) const IF: aclmdlRICondTaskType = ACL_MODEL_RI_COND_TYPE_IF;
pub(crate) const WHILE: aclmdlRICondTaskType = ACL_MODEL_RI_COND_TYPE_WHILE;
pub(crate) const SWITCH: aclmdlRICondTaskType = ACL_MODEL_RI_COND_TYPE_SWITCH;

/// Fills 64 bytes on a stream.
pub(crate) fn fill(memory: *mut c_void, value: i32, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(memory, 64, value, 64, stream));
}

/// Begins a capture and returns its instance.
pub(crate) fn begin(stream: aclrtStream) -> aclmdlRI {
    check!(graph.aclmdlRICaptureBegin(stream, RELAXED));
    captured(stream)
}

/// Runs an instance to its end.
pub(crate) fn run(instance: aclmdlRI, stream: aclrtStream) {
    check!(graph.aclmdlRIExecuteAsync(instance, stream));
    check!(stream.aclrtSynchronizeStream(stream));
}

/// Makes device memory of zeros.
pub(crate) fn zeroed() -> *mut c_void {
    let memory = malloc(64);
    upload(memory, &[0; 64]);
    memory
}

/// Returns the instance into which a stream is captured.
pub(crate) fn captured(stream: aclrtStream) -> aclmdlRI {
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureGetInfo(stream, ptr::null_mut(), &mut instance));
    instance
}

/// Creates a condition of an instance.
pub(crate) fn condition(
    instance: aclmdlRI,
    default: u32,
    flag: aclmdlRICondHandleFlag,
) -> aclmdlRICondHandle {
    let mut handle = ptr::null_mut();
    check!(graph.aclmdlRICondHandleCreate(instance, default, flag, &mut handle));
    assert!(!handle.is_null());
    handle
}

/// Returns the address of a condition's value.
pub(crate) fn value_of(condition: aclmdlRICondHandle) -> *mut c_void {
    let mut value = ptr::null_mut();
    check!(graph.aclmdlRICondHandleGetCondPtr(condition, &mut value));
    assert!(!value.is_null());
    value.cast()
}

/// Adds a conditional task with as many branches as the array has elements.
pub(crate) fn add_task(
    handle: aclmdlRICondHandle,
    type_: aclmdlRICondTaskType,
    branches: &mut [aclmdlRI],
    stream: aclrtStream,
) -> aclError {
    let params = aclmdlRICondTaskParams {
        handle,
        type_,
        size: branches.len() as u32,
        modelRIArray: branches.as_mut_ptr(),
    };
    call!(graph.aclmdlRIAddCondTask(params, stream, 0))
}

/// Adds a conditional task and returns its branches.
pub(crate) fn conditional<const N: usize>(
    handle: aclmdlRICondHandle,
    type_: aclmdlRICondTaskType,
    stream: aclrtStream,
) -> [aclmdlRI; N] {
    let mut branches = [ptr::null_mut(); N];
    assert_eq!(
        add_task(handle, type_, &mut branches, stream),
        0,
        "{}",
        text()
    );
    branches
}

/// Captures into a branch.
pub(crate) fn fork(branch: aclmdlRI, stream: aclrtStream, work: impl FnOnce()) {
    let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    check!(graph.aclmdlRICaptureToModelRIBegin(stream, branch, mode));
    assert_eq!(captured(stream), branch);
    work();
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureEnd(stream, &mut instance));
    assert_eq!(instance, branch);
}
