//! Tests that need both the functions of C and the internals of the engine.

#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::ptr;

use ascendcl_sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

use super::API;

#[cfg(not(feature = "graphs"))]
#[test]
fn without_graphs_no_stream_stores_its_tasks() {
    use ascendcl_sys::{
        ACL_ERROR_API_NOT_SUPPORT, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_STREAM_PERSISTENT,
    };

    let mut stream = ptr::null_mut();
    // SAFETY: takes a number.
    assert_eq!(unsafe { (API.device.aclrtSetDevice)(0) }, 0);
    let create = API.stream.aclrtCreateStreamWithConfig;
    // SAFETY: valid for a write.
    let persistent = unsafe { create(&mut stream, 0, ACL_STREAM_PERSISTENT) };
    assert_eq!(persistent, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert!(stream.is_null());
    // SAFETY: valid for a write.
    assert_eq!(unsafe { create(&mut stream, 0, 0) }, 0);
    let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    // SAFETY: a live stream.
    let begin = unsafe { (API.graph.aclmdlRICaptureBegin)(stream, mode) };
    assert_eq!(begin, ACL_ERROR_API_NOT_SUPPORT);
    // SAFETY: a live stream, which is not used again.
    assert_eq!(unsafe { (API.stream.aclrtDestroyStream)(stream) }, 0);
}

#[cfg(not(feature = "kernels"))]
#[test]
fn without_kernels_each_call_names_the_feature() {
    use ascendcl_sys::{ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_FEATURE_NOT_SUPPORT};

    let (mut binary, data) = (ptr::null_mut(), b"code".as_ptr().cast());
    let load = API.model.aclrtBinaryLoadFromData;
    // SAFETY: four bytes, and valid for a write.
    let code = unsafe { load(data, 4, ptr::null(), &mut binary) };
    assert_eq!(code, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert!(crate::error::unread_text().is_some_and(|text| text.contains("feature `kernels`")));
    // SAFETY: null is refused.
    let code = unsafe { load(data, 4, ptr::null(), ptr::null_mut()) };
    assert_eq!(code, ACL_ERROR_INVALID_PARAM);
    assert!(binary.is_null());
}

#[cfg(feature = "graphs")]
#[test]
fn a_task_that_is_refused_leaves_its_event_to_the_submitter() {
    use ascendcl_sys::ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT;

    use crate::engine::slow_path::Recorder;
    use crate::engine::task::Task;
    use crate::engine::{engine, submit};
    use crate::graph::Hook;
    use crate::handles::slots::Found;

    let (mut stream, mut handle, mut graph) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: takes a number.
    assert_eq!(unsafe { (API.device.aclrtSetDevice)(0) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (API.stream.aclrtCreateStream)(&mut stream) }, 0);
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (API.event.aclrtCreateEvent)(&mut handle) }, 0);
    let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    // SAFETY: a live stream.
    assert_eq!(unsafe { (API.graph.aclmdlRICaptureBegin)(stream, mode) }, 0);
    // SAFETY: a live stream.
    let group = unsafe { (API.graph.aclmdlRICaptureTaskGrpBegin)(stream) };
    assert_eq!(group, 0);

    let target = submit::find("", stream).unwrap().unwrap();
    let Found::Live { slot: event, .. } = engine().events.find(handle) else {
        unreachable!("it was made just now");
    };
    // The first refusal breaks the group, and a broken group refuses too.
    for _ in 0..2 {
        // Only the handle refers to the event.
        assert!(event.refer_as(handle));
        let code = Hook.keep("", target, Task::Record(event), false, None);
        assert_eq!(code, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
        event.release();
    }

    // SAFETY: a live stream; valid for a write.
    let end = unsafe { (API.graph.aclmdlRICaptureEnd)(stream, &mut graph) };
    assert_ne!(end, 0, "a group is open");
    // SAFETY: a live event, which is not used again.
    assert_eq!(unsafe { (API.event.aclrtDestroyEvent)(handle) }, 0);
    // SAFETY: a live stream, which is not used again.
    assert_eq!(unsafe { (API.stream.aclrtDestroyStream)(stream) }, 0);
}
