//! The refusals of a capture, and the calls that invalidate it.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::thread;

use ascendcl_sys::*;
use common::capture::*;
use common::*;

passes_while_watched!("capture_refusals");

const GLOBAL: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
const THREAD_LOCAL: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// Ends a capture with a mistake: checks the code, and that there is no instance.
fn end_fails(code: aclError, stream: aclrtStream) {
    let mut instance = ptr::dangling_mut();
    check!(code, graph.aclmdlRICaptureEnd(stream, &mut instance));
    assert_eq!(instance, ptr::null_mut());
    assert_eq!(info(stream), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
    check!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn a_stream_that_was_not_joined_back_ends_the_capture_without_an_instance() {
    let _serial = start();
    let (s, other, event, memory) = (stream(), stream(), event_ex(ACL_EVENT_SYNC), malloc(64));
    begin(s, GLOBAL);
    fork(event, s, other);
    end_fails(107025, s);
    // The stream is joined back, but it has a task behind the record.
    begin(s, GLOBAL);
    fork(event, s, other);
    fork(event, other, s);
    assert_eq!(fill(memory, 1, other), 0);
    let mut instance = ptr::null_mut();
    check!(107025, graph.aclmdlRICaptureEnd(s, &mut instance));
    assert!(text().contains("was not joined back"));
    // A stream may also be joined back through a third stream.
    let third = stream();
    begin(s, GLOBAL);
    fork(event, s, other);
    fork(event, other, third);
    fork(event, third, s);
    let instance = end(s);
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_capture_that_cannot_begin_or_end_says_why() {
    let _serial = start();
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let (null, mut default, mut persistent) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtCtxGetCurrentDefaultStream(&mut default));
    check!(stream.aclrtCreateStreamWithConfig(&mut persistent, 0, ACL_STREAM_PERSISTENT));
    check!(100000, graph.aclmdlRICaptureBegin(null, GLOBAL));
    check!(
        107017,
        graph.aclmdlRICaptureBegin(ptr::without_provenance_mut(0x10), GLOBAL)
    );
    check!(
        107000,
        graph.aclmdlRICaptureBegin(s, aclmdlRICaptureMode(3))
    );
    check!(107031, graph.aclmdlRICaptureBegin(default, GLOBAL));
    check!(507000, graph.aclmdlRICaptureBegin(persistent, GLOBAL));
    let mut instance = null;
    check!(100000, graph.aclmdlRICaptureEnd(null, &mut instance));
    check!(107029, graph.aclmdlRICaptureEnd(s, &mut instance));
    begin(s, GLOBAL);
    check!(107027, graph.aclmdlRICaptureBegin(s, GLOBAL));
    check!(107029, graph.aclmdlRICaptureEnd(other, ptr::null_mut()));
    check!(107000, graph.aclmdlRICaptureEnd(s, ptr::null_mut()));
    fork(event, s, other);
    check!(107036, graph.aclmdlRICaptureEnd(other, &mut instance));
    fork(event, other, s);
    check!(graph.aclmdlRIDestroy(end(s)));
    // The queries of captures.
    check!(
        100000,
        graph.aclmdlRICaptureGetInfo(null, ptr::null_mut(), &mut instance)
    );
    check!(
        100000,
        graph.aclmdlRICaptureGetInfo(s, ptr::null_mut(), ptr::null_mut())
    );
    check!(graph.aclmdlRICaptureGetInfo(s, ptr::null_mut(), &mut instance));
    let stale = ptr::without_provenance_mut(0x10);
    check!(
        107017,
        graph.aclmdlRICaptureGetInfo(stale, ptr::null_mut(), &mut instance)
    );
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn the_thread_that_began_ends_a_capture_unless_it_is_relaxed() {
    let _serial = start();
    let s = stream();
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (stream_bits, context_bits) = (s.addr(), context.addr());
    let elsewhere = |work: fn(aclrtStream)| {
        thread::scope(|scope| {
            scope.spawn(move || {
                check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(context_bits)));
                work(ptr::without_provenance_mut(stream_bits));
            });
        });
    };
    for mode in [GLOBAL, THREAD_LOCAL] {
        begin(s, mode);
        elsewhere(|s| end_fails(107038, s));
    }
    begin(s, RELAXED);
    elsewhere(|s| check!(graph.aclmdlRIDestroy(end(s))));
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
}

#[test]
fn nobody_waits_for_what_is_captured() {
    let _serial = start();
    let (s, event, memory) = (stream(), event_ex(ACL_EVENT_SYNC), malloc(64));
    begin(s, RELAXED);
    check!(event.aclrtRecordEvent(event, s));
    let mut status = ACL_STREAM_STATUS_RESERVED;
    check!(107027, stream.aclrtSynchronizeStream(s));
    check!(107027, stream.aclrtSynchronizeStreamWithTimeout(s, 10));
    check!(107027, stream.aclrtStreamQuery(s, &mut status));
    check!(107027, stream.aclrtStreamAbort(s));
    check!(107027, stream.aclrtDestroyStream(s));
    check!(107027, device.aclrtSynchronizeDevice());
    let mut recorded = aclrtEventRecordedStatus(7);
    check!(107028, event.aclrtSynchronizeEvent(event));
    check!(107028, event.aclrtQueryEventStatus(event, &mut recorded));
    // The default stream and all other streams accept tasks.
    assert_eq!(fill(memory, 1, ptr::null_mut()), 0);
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    assert_eq!(download(memory, 1), [1]);
    let other = stream();
    assert_eq!(fill(memory, 4, other), 0);
    check!(stream.aclrtSynchronizeStream(other));
    assert_eq!(download(memory, 1), [4]);
    let instance = end(s);
    check!(device.aclrtSynchronizeDevice());
    assert_eq!(fill(memory, 1, ptr::null_mut()), 0);
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_forbidden_wait_makes_the_capture_useless() {
    let _serial = start();
    let (s, event, memory) = (stream(), event_ex(ACL_EVENT_SYNC), malloc(64));
    begin(s, GLOBAL);
    check!(event.aclrtRecordEvent(event, s));
    check!(107031, event.aclrtStreamWaitEvent(ptr::null_mut(), event));
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, true));
    end_fails(507903, s);
    assert_eq!(fill(memory, 1, s), 0);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_useless_capture_takes_tasks_and_loses_them() {
    let _serial = start();
    let (s, event, memory) = (stream(), event_ex(ACL_EVENT_SYNC), malloc(64));
    upload(memory, &[7; 64]);
    begin(s, RELAXED);
    check!(event.aclrtRecordEvent(event, s));
    check!(107031, event.aclrtStreamWaitEvent(ptr::null_mut(), event));
    // Nothing runs before the end of the capture, although no call says that it is useless.
    assert_eq!(fill(memory, 1, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(s, event));
    let mut group = ptr::dangling_mut();
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(507903, graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    check!(107027, stream.aclrtSynchronizeStream(s));
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, true));
    end_fails(507903, s);
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [7; 64]);
    assert_eq!(fill(memory, 1, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 1), [1]);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn captures_share_no_events() {
    let _serial = start();
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    for wait in [true, false] {
        begin(s, GLOBAL);
        begin(other, GLOBAL);
        check!(event.aclrtRecordEvent(event, s));
        if wait {
            check!(107032, event.aclrtStreamWaitEvent(other, event));
        } else {
            check!(107032, event.aclrtRecordEvent(event, other));
        }
        end_fails(507903, s);
        end_fails(507903, other);
    }
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_capture_takes_ex_events_that_were_recorded_in_it() {
    let _serial = start();
    let (s, outside) = (stream(), stream());
    let (plain, flag, ex) = (
        event(),
        event_with(ACL_EVENT_SYNC),
        event_ex(ACL_EVENT_SYNC),
    );
    let timed = event_ex(ACL_EVENT_TIME_LINE);
    check!(event.aclrtRecordEvent(plain, outside));
    begin(s, GLOBAL);
    for refused in [plain, flag] {
        check!(207000, event.aclrtRecordEvent(refused, s));
        check!(207000, event.aclrtStreamWaitEvent(s, refused));
    }
    check!(207000, event.aclrtResetEvent(flag, s));
    // An event that was not recorded needs no wait, and an event without waits needs no record.
    check!(event.aclrtStreamWaitEvent(s, ex));
    check!(event.aclrtRecordEvent(timed, s));
    check!(event.aclrtRecordEvent(ex, outside));
    check!(107024, event.aclrtStreamWaitEvent(s, ex));
    assert!(text().contains("outside of the capture"));
    check!(graph.aclmdlRIDestroy(end(s)));
    for event in [plain, flag, ex, timed] {
        check!(event.aclrtDestroyEvent(event));
    }
}

#[test]
fn the_mode_says_who_may_copy_at_once() {
    let _serial = start();
    let (s, other, memory) = (stream(), stream(), malloc(64));
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let bits = [context.addr(), memory.addr()];
    let set = |memory| call!(memory.aclrtMemset(memory, 64, 1, 64));
    let set_elsewhere = || {
        let work = move || {
            check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(bits[0])));
            call!(memory.aclrtMemset(ptr::without_provenance_mut(bits[1]), 64, 1, 64))
        };
        thread::scope(|scope| scope.spawn(work).join().unwrap_or(-1))
    };
    let exchange = |mut mode| {
        check!(graph.aclmdlRICaptureThreadExchangeMode(&mut mode));
        mode
    };
    let expected = [
        (GLOBAL, 107030, 107030),
        (THREAD_LOCAL, 107030, 0),
        (RELAXED, 0, 0),
    ];
    for (mode, own, others) in expected {
        begin(s, mode);
        assert_eq!((set(memory), set_elsewhere()), (own, others), "{mode:?}");
        assert_eq!(exchange(RELAXED), GLOBAL);
        assert_eq!(set(memory), 0);
        assert_eq!(exchange(THREAD_LOCAL), RELAXED);
        assert_eq!(set(memory), own);
        assert_eq!(exchange(GLOBAL), THREAD_LOCAL);
        check!(graph.aclmdlRIDestroy(end(s)));
    }
    begin(s, GLOBAL);
    let mut bytes = [0u8; 64];
    let pageable: *mut c_void = bytes.as_mut_ptr().cast();
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    check!(107030, memory.aclrtMemcpy(memory, 64, pageable, 64, kind));
    check!(
        107030,
        memory.aclrtMemcpy2d(memory, 8, pageable, 8, 8, 8, kind)
    );
    check!(107030, memory.aclrtMemsetD32(memory, 64, 1, 4));
    check!(
        107000,
        memory.aclrtMemcpyAsync(memory, 64, pageable, 64, kind, s)
    );
    check!(
        107041,
        memory.aclrtMemcpyAsync(memory, 64, pageable, 64, kind, other)
    );
    check!(
        107000,
        memory.aclrtMemcpy2dAsync(memory, 8, pageable, 8, 8, 8, kind, s)
    );
    check!(
        107041,
        memory.aclrtMemcpy2dAsync(memory, 8, pageable, 8, 8, 8, kind, other)
    );
    check!(graph.aclmdlRIDestroy(end(s)));
    check!(memory.aclrtMemcpy(memory, 64, pageable, 64, kind));
}

#[test]
fn a_thread_exchanges_its_mode() {
    let _serial = start();
    let mut mode = RELAXED;
    check!(graph.aclmdlRICaptureThreadExchangeMode(&mut mode));
    assert_eq!(mode, GLOBAL);
    check!(graph.aclmdlRICaptureThreadExchangeMode(&mut mode));
    assert_eq!(mode, RELAXED);
    let mut unknown = aclmdlRICaptureMode(3);
    check!(
        107000,
        graph.aclmdlRICaptureThreadExchangeMode(&mut unknown)
    );
    check!(
        100000,
        graph.aclmdlRICaptureThreadExchangeMode(ptr::null_mut())
    );
}

#[test]
fn an_instance_is_used_when_it_is_complete_and_in_its_context() {
    let _serial = start();
    let (s, other) = (stream(), stream());
    check!(100000, graph.aclmdlRIExecuteAsync(ptr::null_mut(), s));
    check!(100000, graph.aclmdlRIDestroy(ptr::null_mut()));
    begin(s, GLOBAL);
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureGetInfo(s, ptr::null_mut(), &mut instance));
    check!(107026, graph.aclmdlRIExecuteAsync(instance, other));
    check!(107026, graph.aclmdlRIDestroy(instance));
    check!(
        107000,
        graph.aclmdlRICaptureToModelRIBegin(other, instance, GLOBAL)
    );
    assert_eq!(end(s), instance);
    begin(s, GLOBAL);
    check!(107027, graph.aclmdlRIExecuteAsync(instance, s));
    check!(graph.aclmdlRIDestroy(end(s)));
    check!(graph.aclmdlRIAbort(instance));
    let (mut first, mut second) = (ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtGetCurrentContext(&mut first));
    check!(context.aclrtCreateContext(&mut second, 0));
    check!(
        107004,
        graph.aclmdlRIExecuteAsync(instance, ptr::null_mut())
    );
    check!(107004, graph.aclmdlRIDestroy(instance));
    check!(context.aclrtSetCurrentContext(first));
    check!(context.aclrtDestroyContext(second));
    let mut ids = [0; 2];
    begin(s, GLOBAL);
    let later = end(s);
    check!(graph.aclmdlRIGetId(instance, &mut ids[0]));
    check!(graph.aclmdlRIGetId(later, &mut ids[1]));
    assert!(ids[0] < ids[1], "{ids:?}");
    check!(graph.aclmdlRIDestroy(later));
    check!(graph.aclmdlRIDestroy(instance));
}
