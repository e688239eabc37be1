//! Streams.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::stream::{Main, Priority, StreamConfig, StreamFlags, StreamStatus};
use ascendcl::{ErrorKind, Npu, StreamName, Thread, release_failures, sys};

use crate::common::{acl, assert_clean, assert_says, bound, isolated, usage};

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
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn what_fails_while_a_stream_is_drained_is_told_by_its_destruction() {
        bound!(acl, device: Npu<0>, current, stream);
        queue_a_failing_task(stream.as_raw());
        stream.drain().unwrap();
        assert_says(stream.destroy(), &["aclrtSynchronizeStream", "507001"]);
        device.reset().unwrap();
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "aclrtDestroyStream#2=507899"]
    fn a_refused_destruction_does_not_hide_that_work_has_failed() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        queue_a_failing_task(stream.as_raw());
        assert_says(stream.destroy(), &["aclrtSynchronizeStream", "507001"]);
        // The refusal goes to the hook.
        assert_eq!(release_failures(), 1);
    }

    // A wait does not report a function that the backend lacks and that no call has used.
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_missing_function_asked_for_before_does_not_hide_a_failure() {
        static FAILS: AtomicBool = AtomicBool::new(true);
        unsafe extern "C" fn fails_once(_: sys::aclrtStream) -> sys::aclError {
            if FAILS.swap(false, Ordering::Relaxed) { sys::ACL_ERROR_RT_TS_ERROR } else { 0 }
        }
        let mut api = ascendcl::emulator::api();
        api.stream.aclrtSynchronizeStream = fails_once;
        // SAFETY: the emulator, with a failure that it does not know of.
        unsafe { api.install() }.unwrap();
        bound!(acl, device: Npu<0>, current, stream);
        // SAFETY: takes a number.
        let code = unsafe { sys::aclRecoverAllHcclTasks(0) };
        assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
        assert_says(stream.synchronize().map(drop), &["aclrtSynchronizeStream", "507001"]);
        assert_says(stream.synchronize().map(drop), &["drain"]);
    }

    fn create_synchronise_query_destroy() {
        bound!(acl, device: Npu<0>, current, stream);
        assert!(!stream.as_raw().is_null());
        stream.synchronize().unwrap();
        assert_eq!(stream.query().unwrap(), StreamStatus::Complete);
        stream.destroy().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn a_name_is_taken_while_its_stream_lives() {
        bound!(acl, device: Npu<0>, current);
        let upload = current.create_stream::<Upload>().unwrap();
        let _main = current.create_stream::<Main>().unwrap();
        let mistake = usage(current.create_stream::<Upload>());
        assert!(matches!(mistake, Usage::StreamNameTaken { name } if name.ends_with("Upload")));
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
        bound!(acl, device: Npu<0>, current);
        let mut stream = current.default_stream().unwrap();
        assert!(stream.as_raw().is_null());
        stream.synchronize().unwrap();
        assert_eq!(stream.query().unwrap(), StreamStatus::Complete);
        assert_says(current.default_stream(), &["the default stream"]);
        drop(stream);
        drop(current.default_stream().unwrap());
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_task_is_reported_once_by_synchronise() {
        bound!(acl, device: Npu<0>, current, stream);
        queue_a_failing_task(stream.as_raw());
        let error = stream.synchronize().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Wait(_)));
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR));
        assert!(error.to_string().contains("on device 0"), "{error}");
        stream.drain().unwrap();
        stream.destroy().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn destroy_reports_what_the_c_call_swallows() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Upload>().unwrap();
        queue_a_failing_task(stream.as_raw());
        assert_says(stream.destroy(), &["aclrtSynchronizeStream", "507001"]);
        // Work that was queued under the name stays unverified for ever, so the name is not given out.
        assert_says(current.create_stream::<Upload>(), &["Upload"]);
        current.create_stream::<Main>().unwrap().destroy().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn dropping_a_stream_with_a_failed_task_goes_to_the_counter() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        queue_a_failing_task(stream.as_raw());
        drop(stream);
        assert_eq!(release_failures(), 1);
    }

    ["ASCENDCL_EMULATOR_STREAMS" = "8"]
    fn exhausted_streams_are_explained_and_the_name_stays_free() {
        bound!(acl, device: Npu<0>, current);
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

    fn a_parked_stream_goes_on_on_another_thread() {
        let acl = acl();
        let side = crate::common::host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Upload>().unwrap();
        let filled = stream.adopt(current.malloc::<u32>(100).unwrap());
        let filled = stream.memset_async(filled, 2).unwrap();
        let parked = current.park(stream);
        assert_says(current.create_stream::<Upload>(), &["Upload"]);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(&device).unwrap();
                let mut stream = current.attach(parked);
                let mut back = stream.adopt(current.malloc_host::<u32>(side, 100).unwrap());
                stream.memcpy_async(&mut back, &filled).unwrap();
                let idle = stream.synchronize().unwrap();
                assert!(idle.take(back).iter().all(|value| *value == 0x0202_0202));
                drop(idle.take(filled));
            });
        });
        current.create_stream::<Upload>().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn a_parked_stream_is_destroyed_from_any_thread() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let parked = current.park(current.create_stream::<Upload>().unwrap());
        let current = thread.set_current(&one).unwrap();
        drop(parked);
        // The other device is current again, and the name is free.
        current.malloc::<u8>(10).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let parked = current.park(current.create_stream::<Upload>().unwrap());
        std::thread::scope(|scope| {
            scope.spawn(move || drop(parked));
        });
        current.create_stream::<Upload>().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn a_limited_wait_that_ends_in_time_is_a_proof() {
        bound!(acl, device: Npu<0>, current, stream);
        let buf = stream.adopt(current.malloc::<u32>(100).unwrap());
        let buf = stream.memset_async(buf, 2).unwrap();
        let idle = stream.synchronize_within(Duration::from_secs(100)).unwrap();
        idle.take(buf).free().unwrap();
        for limit in [Duration::ZERO, Duration::MAX] {
            assert_says(stream.synchronize_within(limit).map(drop), &["1 to 2147483647 milliseconds"]);
        }
    }

    fn when_the_time_is_up_the_work_goes_on() {
        bound!(acl, device: Npu<0>, current, stream);
        let (mut gate, raw) = (core::ptr::null_mut(), stream.as_raw());
        // SAFETY: `gate` is valid for a write; the stream waits for an event nobody has recorded yet.
        let code = unsafe { sys::aclrtCreateEventWithFlag(&raw mut gate, sys::ACL_EVENT_SYNC) };
        assert_eq!(code, 0);
        // SAFETY: live handles.
        assert_eq!(unsafe { sys::aclrtStreamWaitEvent(raw, gate) }, 0);
        let buf = stream.adopt(current.malloc::<u32>(100).unwrap());
        let buf = stream.memset_async(buf, 2).unwrap();
        let error = stream.synchronize_within(Duration::from_millis(1)).unwrap_err();
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
        assert!(error.to_string().contains("can be waited for again"), "{error}");
        let event = current.create_event::<Order>().unwrap();
        let fence = stream.fence(event, buf).unwrap();
        let unfinished = fence.synchronize_within(Duration::from_millis(1)).unwrap_err();
        let mut event = current.create_event::<Order>().unwrap();
        let point = stream.record(&mut event).unwrap();
        let late = point.synchronize_within(Duration::from_millis(1)).map(drop);
        assert_eq!(late.unwrap_err().code(), Some(sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT));
        assert_says(point.synchronize_within(Duration::ZERO).map(drop), &["1 to 2147483647 milliseconds"]);
        assert_eq!(format!("{unfinished:?}"), unfinished.error.to_string());
        assert_eq!(unfinished.error.code(), Some(sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT));
        let opener = current.create_stream::<Upload>().unwrap();
        // SAFETY: live handles.
        assert_eq!(unsafe { sys::aclrtRecordEvent(gate, opener.as_raw()) }, 0);
        let (unverified, _event) = unfinished.fence.unwrap().synchronize().unwrap();
        point.synchronize_within(Duration::from_secs(60)).unwrap();
        // The stream was not poisoned by the expired wait.
        stream.synchronize().unwrap().verify(unverified).free().unwrap();
        // SAFETY: live, and no stream waits for it any more.
        assert_eq!(unsafe { sys::aclrtDestroyEvent(gate) }, 0);
    }
}

isolated! {
    fn a_stream_has_the_priority_and_flags_that_it_was_given() {
        bound!(acl, device: Npu<0>, current);
        assert_eq!(current.stream_priorities().unwrap(), 0..=7);
        let seen = |config: StreamConfig| {
            let stream = current.create_stream_with::<Main>(config).unwrap();
            let (mut priority, mut flags) = (99, 99);
            // SAFETY: a live stream, and valid for a write.
            assert_eq!(unsafe { sys::aclrtStreamGetPriority(stream.as_raw(), &raw mut priority) }, 0);
            // SAFETY: as above.
            assert_eq!(unsafe { sys::aclrtStreamGetFlags(stream.as_raw(), &raw mut flags) }, 0);
            (priority, flags)
        };
        assert_eq!(seen(StreamConfig::new()), (0, 0));
        assert_eq!(seen(StreamConfig::new().priority(Priority::of::<5>())), (5, 0));
        assert_eq!(seen(StreamConfig::new().priority(Priority::LEAST)), (7, 0));
        for (flags, raw) in [
            (StreamFlags::FastLaunch, 1),
            (StreamFlags::FastSync, 2),
            (StreamFlags::FastLaunchAndSync, 3),
            (StreamFlags::Huge, 8),
        ] {
            assert_eq!(seen(StreamConfig::new().flags(flags)), (0, raw), "{flags:?}");
        }
        assert_clean(&acl);
    }

    fn a_priority_beyond_the_range_is_a_mistake() {
        assert_eq!(Priority::try_from(7).unwrap(), Priority::LEAST);
        let error = Priority::try_from(8).unwrap_err();
        assert_eq!(
            error.to_string(),
            "8 is no priority of a stream: priorities are 0 (most urgent) to 7, and the runtime would silently take 7"
        );
    }
}
