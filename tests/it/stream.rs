//! Streams.

use std::ffi::c_void;

use ascendcl::error::Usage;
use ascendcl::stream::{Main, StreamStatus};
use ascendcl::{Error, Npu, StreamName, Thread, release_failures, sys};

use crate::common::{acl, assert_says, isolated};

enum Upload {}
impl StreamName for Upload {}

/// Queues, through the C API, a copy whose destination is freed before the copy runs. The stream
/// starts with a wait for an event that is recorded afterwards, so nothing runs too early.
pub(crate) fn queue_a_failing_task(stream: sys::aclrtStream) {
    let (mut from, mut to): (*mut c_void, *mut c_void) =
        (core::ptr::null_mut(), core::ptr::null_mut());
    let (mut gate, mut other) = (core::ptr::null_mut(), core::ptr::null_mut());
    const SIZE: usize = 4096;
    // SAFETY: each pointer is valid for a write, the handles are alive, and the freed memory is used
    // by the runtime alone, which is to report it.
    #[allow(clippy::multiple_unsafe_ops_per_block, reason = "one story of C calls")]
    unsafe {
        assert_eq!(
            sys::aclrtMalloc(&raw mut from, SIZE, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            0
        );
        assert_eq!(
            sys::aclrtMalloc(&raw mut to, SIZE, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            0
        );
        assert_eq!(
            sys::aclrtCreateEventWithFlag(&raw mut gate, sys::ACL_EVENT_SYNC),
            0
        );
        assert_eq!(sys::aclrtCreateStream(&raw mut other), 0);
        assert_eq!(sys::aclrtStreamWaitEvent(stream, gate), 0);
        let kind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
        assert_eq!(sys::aclrtMemcpyAsync(to, SIZE, from, SIZE, kind, stream), 0);
        assert_eq!(sys::aclrtFree(to), 0);
        assert_eq!(sys::aclrtRecordEvent(gate, other), 0);
        assert_eq!(sys::aclrtDestroyStream(other), 0);
    }
}

isolated! {
    fn create_synchronise_query_destroy() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        assert!(!stream.as_raw().is_null());
        stream.synchronize().unwrap();
        assert_eq!(stream.query().unwrap(), StreamStatus::Complete);
        stream.destroy().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn a_name_is_taken_while_its_stream_lives() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let upload = current.create_stream::<Upload>().unwrap();
        let _main = current.create_stream::<Main>().unwrap();
        let Err(Error::Usage(usage)) = current.create_stream::<Upload>() else { panic!("twice") };
        assert!(matches!(*usage, Usage::StreamNameTaken { name } if name.ends_with("Upload")));
        drop(upload);
        current.create_stream::<Upload>().unwrap();
    }

    fn one_name_on_two_devices_is_two_streams() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        thread.set_current(&zero).unwrap().create_stream::<Upload>().unwrap().destroy().unwrap();
        thread.set_current(&one).unwrap().create_stream::<Upload>().unwrap().destroy().unwrap();
    }

    fn the_default_stream_is_null_held_once_and_never_destroyed() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.default_stream().unwrap();
        assert!(stream.as_raw().is_null());
        stream.synchronize().unwrap();
        assert_eq!(stream.query().unwrap(), StreamStatus::Complete);
        assert_says(current.default_stream(), &["the default stream"]);
        drop(stream);
        drop(current.default_stream().unwrap());
        assert_eq!(release_failures(), 0);
    }

    fn a_failed_task_is_reported_once_by_synchronise() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        queue_a_failing_task(stream.as_raw());
        let error = stream.synchronize().unwrap_err();
        assert!(matches!(error, Error::Wait(_)));
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR));
        assert!(error.to_string().contains("on device 0"), "{error}");
        stream.drain().unwrap();
        stream.destroy().unwrap();
    }

    fn destroy_reports_what_the_c_call_swallows() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let stream = current.create_stream::<Upload>().unwrap();
        queue_a_failing_task(stream.as_raw());
        assert_says(stream.destroy(), &["aclrtSynchronizeStream", "507001"]);
        // Work that was queued under the name is unverified for ever, so the name is not given out.
        assert_says(current.create_stream::<Upload>(), &["Upload"]);
        current.create_stream::<Main>().unwrap().destroy().unwrap();
    }

    fn dropping_a_stream_with_a_failed_task_goes_to_the_counter() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        queue_a_failing_task(stream.as_raw());
        drop(stream);
        assert_eq!(release_failures(), 1);
    }

    ["ASCENDCL_EMULATOR_STREAMS" = "8"]
    fn exhausted_streams_are_explained_and_the_name_stays_free() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut raw = Vec::new();
        let code = loop {
            let mut stream = core::ptr::null_mut();
            // SAFETY: `stream` is valid for a write.
            match unsafe { sys::aclrtCreateStream(&raw mut stream) } {
                0 => raw.push(stream),
                code => break code,
            }
        };
        assert_eq!(code, sys::ACL_ERROR_RT_NO_STREAM_RESOURCE);
        assert_says(current.create_stream::<Main>(), &["aclrtCreateStream", "207008", "destroy some"]);
        // SAFETY: created above, used by nothing.
        assert_eq!(unsafe { sys::aclrtDestroyStream(raw.pop().unwrap()) }, 0);
        current.create_stream::<Main>().unwrap().destroy().unwrap();
    }

    fn a_forgotten_stream_ends_with_its_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        core::mem::forget(current.create_stream::<Main>().unwrap());
        assert_says(current.create_stream::<Main>(), &["Main"]);
        device.reset().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        current.create_stream::<Main>().unwrap().destroy().unwrap();
    }
}
