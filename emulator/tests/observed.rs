//! Return codes, limits and values of the production runtime. Its documents do not have them or differ, and no other
//! table of the tests has them.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("observed");

#[test]
fn without_a_context_there_is_always_a_text() {
    let _serial = start();
    let thread = std::thread::spawn(|| {
        let unbound = text();
        assert!(unbound.contains("No valid context is bound"), "{unbound}");
        // The text is not null, and it is not a text of another call.
        assert_eq!(text(), unbound);
        assert_eq!(call!(device.aclrtSetDevice(99)), 107001);
        let refused = text();
        assert!(refused.contains("there is no device 99"), "{refused}");
        assert!(refused.ends_with(&unbound), "{refused}");
        assert_eq!(text(), unbound, "the call's own text was read");
        assert_eq!(
            call!(runtime.aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)),
            107002,
            "the question for texts has failed"
        );
        // A thread with a device gets the texts of its own calls only.
        assert_eq!(call!(device.aclrtSetDevice(99)), 107001);
        check!(device.aclrtSetDevice(0));
        let refused = text();
        assert!(refused.contains("there is no device 99"), "{refused}");
        assert!(!refused.contains("No valid context"), "{refused}");
        assert_eq!(text(), "");
        check!(device.aclrtResetDevice(0));
    });
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// Returns a parameter of the process.
fn of_process(opt: aclSysParamOpt) -> i64 {
    let mut value = -1;
    check!(runtime.aclrtGetSysParamOpt(opt, &mut value));
    value
}

#[test]
fn a_parameter_of_a_context_is_set_for_the_process_too() {
    let _serial = start();
    let opt = ACL_OPT_DETERMINISTIC;
    check!(runtime.aclrtSetSysParamOpt(opt, 1));
    check!(context.aclrtCtxSetSysParamOpt(opt, 0));
    assert_eq!(of_process(opt), 0);
    // Setting the parameter of the process does not change that of the context.
    check!(runtime.aclrtSetSysParamOpt(opt, 2));
    let mut value = -1;
    check!(context.aclrtCtxGetSysParamOpt(opt, &mut value));
    assert_eq!((value, of_process(opt)), (0, 2));
    check!(runtime.aclrtSetSysParamOpt(opt, 0));
}

#[test]
fn parameters_have_limits() {
    let _serial = start();
    let mut other = ptr::null_mut();
    check!(context.aclrtCreateContext(&mut other, 0));
    for (opt, most) in [
        (ACL_OPT_DETERMINISTIC, 3),
        (ACL_OPT_ENABLE_DEBUG_KERNEL, 1),
        (ACL_OPT_STRONG_CONSISTENCY, 1),
    ] {
        for wrong in [-1, most + 1, 99] {
            check!(107000, runtime.aclrtSetSysParamOpt(opt, wrong));
            check!(107000, context.aclrtCtxSetSysParamOpt(opt, wrong));
        }
        let mut value = -1;
        check!(107021, context.aclrtCtxGetSysParamOpt(opt, &mut value));
        assert_eq!(of_process(opt), 0, "a refused value is not kept");
        check!(context.aclrtCtxSetSysParamOpt(opt, most));
        check!(context.aclrtCtxGetSysParamOpt(opt, &mut value));
        assert_eq!((value, of_process(opt)), (most, most));
        check!(runtime.aclrtSetSysParamOpt(opt, 0));
    }
    check!(context.aclrtDestroyContext(other));
}

#[test]
fn one_parameter_exists_for_the_process_only() {
    let _serial = start();
    let (opt, mut value) = (ACL_OPT_ENABLE_KERNEL_EARLY_START, -1);
    assert_eq!(of_process(opt), 0);
    check!(runtime.aclrtSetSysParamOpt(opt, 1));
    assert_eq!(of_process(opt), 1);
    check!(107000, runtime.aclrtSetSysParamOpt(opt, 2));
    check!(100000, context.aclrtCtxSetSysParamOpt(opt, 1));
    check!(100000, context.aclrtCtxGetSysParamOpt(opt, &mut value));
    check!(runtime.aclrtSetSysParamOpt(opt, 0));
}

#[test]
fn flags_of_streams_are_bits_but_one() {
    let _serial = start();
    let mut s = ptr::null_mut();
    for bit in (0..20).filter(|bit| 1 << bit != ACL_STREAM_DEVICE_USE_ONLY) {
        check!(stream.aclrtCreateStreamWithConfig(&mut s, 0, 1 << bit));
        check!(stream.aclrtDestroyStream(s));
    }
    let device_only = ACL_STREAM_DEVICE_USE_ONLY;
    check!(
        207000,
        stream.aclrtCreateStreamWithConfig(&mut s, 0, device_only)
    );
    check!(
        107000,
        stream.aclrtCreateStreamWithConfig(&mut s, 0, 0xffff)
    );
}

#[test]
fn an_unknown_failure_mode_is_that_of_a_fresh_stream() {
    let _serial = start();
    let s = stream();
    check!(stream.aclrtSetStreamFailureMode(s, 2));
    check!(stream.aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE));
    let back = ACL_CONTINUE_ON_FAILURE;
    check!(207000, stream.aclrtSetStreamFailureMode(s, back));
    check!(207000, stream.aclrtSetStreamFailureMode(s, 2));
}

#[test]
fn codes_that_no_document_has() {
    let _serial = start();
    let (s, mut can, mut value, mut out) = (stream(), 0, 0, ptr::null_mut());
    check!(
        107000,
        event.aclrtStreamWaitEventWithTimeout(s, ptr::null_mut(), 5)
    );
    check!(100000, event.aclrtStreamWaitEvent(s, ptr::null_mut()));
    check!(
        107000,
        device.aclrtDeviceCanAccessPeer(ptr::null_mut(), 0, 1)
    );
    check!(107000, device.aclrtDeviceCanAccessPeer(&mut can, -1, 1));
    let attribute = ACL_DEV_ATTR_AICORE_CORE_NUM;
    check!(107000, device.aclrtGetDeviceInfo(9, attribute, &mut value));
    let unknown = aclrtDevAttr(9999);
    check!(107000, device.aclrtGetDeviceInfo(0, unknown, &mut value));
    let mut config = aclrtMallocConfig {
        attrs: ptr::null_mut(),
        numAttrs: 0,
    };
    let policy = ACL_MEM_MALLOC_HUGE_FIRST;
    check!(
        107000,
        memory.aclrtMallocWithCfg(&mut out, 64, policy, &mut config)
    );
}

#[test]
fn rows_between_device_addresses_need_a_stream() {
    let _serial = start();
    let (to, from, s, host) = (malloc(64), malloc(64), stream(), [7u8; 64]);
    check!(memory.aclrtMemset(from, 64, 5, 64));
    let (d2d, h2d) = (ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_HOST_TO_DEVICE);
    check!(207000, memory.aclrtMemcpy2d(to, 16, from, 16, 8, 4, d2d));
    check!(memory.aclrtMemcpy2dAsync(to, 16, from, 16, 8, 4, d2d, s));
    let host = host.as_ptr().cast();
    let behind = to.wrapping_byte_add(8);
    check!(memory.aclrtMemcpy2dAsync(behind, 16, host, 16, 8, 4, h2d, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 64), [[5; 8], [7; 8]].concat().repeat(4));
}

#[test]
fn a_wait_that_expires_is_a_task_that_timed_out() {
    let _serial = start();
    let (s, event) = (stream(), event_with(ACL_EVENT_SYNC));
    check!(event.aclrtStreamWaitEventWithTimeout(s, event, 1));
    let code = call!(stream.aclrtSynchronizeStream(s));
    assert_eq!(code, ACL_ERROR_RT_TASK_TIMEOUT);
    let text = text();
    assert!(text.contains("EventWait"), "{text}");
    assert!(text.contains("task timeout"), "{text}");
    check!(stream.aclrtSynchronizeStream(s));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn an_event_for_order_has_a_number_once_it_was_recorded() {
    let _serial = start();
    let (event, mut id) = (event_ex(ACL_EVENT_SYNC), 0);
    check!(507000, event.aclrtGetEventId(event, &mut id));
    check!(event.aclrtRecordEvent(event, ptr::null_mut()));
    check!(event.aclrtGetEventId(event, &mut id));
    check!(event.aclrtDestroyEvent(event));
    let flag = event_with(ACL_EVENT_SYNC);
    check!(event.aclrtGetEventId(flag, &mut id));
    check!(event.aclrtDestroyEvent(flag));
}

#[test]
fn the_attributes_of_a_batch_begin_in_order() {
    let _serial = start();
    let place = |type_| aclrtMemLocation { id: 0, type_ };
    let up = aclrtMemcpyBatchAttr {
        dstLoc: place(ACL_MEM_LOCATION_TYPE_DEVICE),
        srcLoc: place(ACL_MEM_LOCATION_TYPE_HOST),
        rsv: [0; 16],
    };
    let (device, host) = (malloc(8), malloc_host(8));
    let (mut to, mut from, mut sizes, mut kinds) = ([device; 2], [host; 2], [8; 2], [up; 3]);
    let mut batch = |mut starts: [usize; 3], count| {
        let (to, from, kinds) = (to.as_mut_ptr(), from.as_mut_ptr(), kinds.as_mut_ptr());
        let (sizes, starts) = (sizes.as_mut_ptr(), starts.as_mut_ptr());
        call!(memory.aclrtMemcpyBatchV2(to, sizes, from, sizes, 2, kinds, starts, count))
    };
    for (code, starts, count) in [
        (0, [0, 0, 0], 1),
        (0, [0, 1, 0], 2),
        (107000, [1, 0, 0], 2),
        (107000, [0, 5, 0], 2),
        (107000, [0, 0, 0], 0),
        (107000, [0, 0, 0], 3),
    ] {
        assert_eq!(batch(starts, count), code, "{starts:?} {count}");
    }
    let mut size = 0;
    check!(memory.aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &mut size));
    assert_eq!(size, 32);
    check!(memory.aclrtFreeHost(host));
}
