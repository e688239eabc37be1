//! Captured streams, and the model instances that captures create.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_emulator::{What, live, take_violations};
use ascendcl_sys::*;
use common::capture::*;
use common::*;

passes_while_watched!("captures");

const GLOBAL: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

fn execute(instance: aclmdlRI, stream: aclrtStream) {
    check!(graph.aclmdlRIExecuteAsync(instance, stream));
    check!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn captured_work_runs_when_the_instance_does_and_each_time() {
    let _serial = start();
    let (s, a, b) = (stream(), malloc(64), malloc(64));
    let host = malloc_host(64);
    upload(a, &[0; 64]);
    begin(s, GLOBAL);
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, true));
    check!(memory.aclrtMemcpyAsync(a, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    assert_eq!(copy_async(b, a, 64, s), 0);
    check!(memory.aclrtMemsetAsync(b, 64, 9, 1, s));
    let instance = end(s);
    assert_eq!(info(s), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(a, 2), [0, 0]);
    for round in 1..4 {
        // SAFETY: host memory of 64 bytes, which no queued work uses here.
        unsafe { host.cast::<u8>().write_bytes(round, 64) };
        execute(instance, s);
        assert_eq!(download(a, 2), [round, round]);
        assert_eq!(download(b, 2), [9, round]);
    }
    // It runs on another stream, and on the default stream.
    execute(instance, stream());
    execute(instance, ptr::null_mut());
    check!(graph.aclmdlRIDestroy(instance));
    check!(107017, graph.aclmdlRIExecuteAsync(instance, s));
    assert!(text().contains("was destroyed"));
    check!(107017, graph.aclmdlRIDestroy(instance));
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn a_run_comes_in_the_order_of_its_stream() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    begin(s, GLOBAL);
    assert_eq!(fill(memory, 2, s), 0);
    let instance = end(s);
    let gate = Gate::close(s);
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(memory.aclrtMemsetAsync(memory, 64, 3, 1, s));
    assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 2), [3, 2]);
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn streams_join_by_events_and_are_joined_back() {
    let _serial = start();
    let (s, other, event, back) = (
        stream(),
        stream(),
        event_ex(ACL_EVENT_SYNC),
        event_ex(ACL_EVENT_SYNC),
    );
    let (a, b) = (malloc(64), malloc(64));
    upload(a, &[7; 64]);
    upload(b, &[0; 64]);
    begin(s, GLOBAL);
    assert_eq!(fill(a, 1, s), 0);
    fork(event, s, other);
    assert_eq!(info(other), (ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, true));
    assert_eq!(copy_async(b, a, 64, other), 0);
    fork(back, other, s);
    assert_eq!(fill(a, 2, s), 0);
    let instance = end(s);
    assert_eq!(info(other), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
    // The capture did not change the events.
    check!(event.aclrtSynchronizeEvent(event));
    let mut status = aclrtEventRecordedStatus(7);
    check!(event.aclrtQueryEventStatus(event, &mut status));
    assert_eq!(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_eq!(download(b, 1), [0]);
    execute(instance, s);
    assert_eq!((download(a, 1), download(b, 1)), (vec![2], vec![1]));
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
    check!(event.aclrtDestroyEvent(back));
}

#[test]
fn an_instance_has_a_name_of_512_bytes() {
    let _serial = start();
    let s = stream();
    begin(s, GLOBAL);
    let instance = end(s);
    let name = |room: u32| {
        let mut bytes = [0x7fu8; 600];
        check!(graph.aclmdlRIGetName(instance, room, bytes.as_mut_ptr().cast()));
        let end = bytes.iter().position(|byte| *byte == 0);
        bytes
            .iter()
            .copied()
            .take(end.unwrap_or(600))
            .collect::<Vec<_>>()
    };
    assert_eq!(name(8), b"");
    check!(graph.aclmdlRISetName(instance, c"encoder".as_ptr()));
    assert_eq!(name(8), b"encoder");
    // A buffer that is too small is cleared.
    let mut small = [1; 4];
    check!(
        507000,
        graph.aclmdlRIGetName(instance, 3, small.as_mut_ptr())
    );
    assert_eq!(small, [0, 0, 0, 1]);
    let long = std::ffi::CString::new(vec![b'x'; 550]).unwrap_or_default();
    check!(graph.aclmdlRISetName(instance, long.as_ptr()));
    assert_eq!(name(600).len(), 512);
    check!(100000, graph.aclmdlRISetName(instance, ptr::null()));
    check!(100000, graph.aclmdlRIGetName(instance, 8, ptr::null_mut()));
    check!(107000, graph.aclmdlRIGetName(instance, 0, [0].as_mut_ptr()));
    check!(100000, graph.aclmdlRIGetId(instance, ptr::null_mut()));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn an_instance_lists_its_streams_and_tasks() {
    let _serial = start();
    let (s, other, memory) = (stream(), stream(), malloc(64));
    let (event, back) = (event_ex(ACL_EVENT_SYNC), event_ex(ACL_EVENT_SYNC));
    begin(s, GLOBAL);
    assert_eq!(fill(memory, 1, s), 0);
    fork(event, s, other);
    fork(back, other, s);
    let instance = end(s);
    let mut count = 9;
    let none = ptr::null_mut();
    check!(graph.aclmdlRIGetStreams(instance, none, &mut count));
    assert_eq!(count, 2);
    let mut streams = [ptr::null_mut(); 2];
    let list = streams.as_mut_ptr();
    check!(graph.aclmdlRIGetStreams(instance, list, &mut count));
    let kinds = |stream| {
        let mut count = 0;
        check!(graph.aclmdlRIGetTasksByStream(stream, ptr::null_mut(), &mut count));
        let mut tasks = vec![ptr::null_mut(); count as usize];
        check!(graph.aclmdlRIGetTasksByStream(stream, tasks.as_mut_ptr(), &mut count));
        let kind = |task| {
            let mut kind = aclmdlRITaskType(77);
            check!(graph.aclmdlRITaskGetType(task, &mut kind));
            kind
        };
        tasks.into_iter().map(kind).collect::<Vec<_>>()
    };
    let (record, wait) = (ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_EVENT_WAIT);
    let [first, second] = streams;
    assert_eq!(kinds(first), [ACL_MODEL_RI_TASK_DEFAULT, record, wait]);
    assert_eq!(kinds(second), [wait, record]);

    // The program cannot use the streams of the instance otherwise.
    check!(107017, stream.aclrtSynchronizeStream(first));
    check!(107017, stream.aclrtDestroyStream(first));
    count = 1;
    check!(107039, graph.aclmdlRIGetStreams(instance, list, &mut count));
    check!(
        107000,
        graph.aclmdlRIGetStreams(instance, list, ptr::null_mut())
    );
    check!(
        107000,
        graph.aclmdlRIGetStreams(ptr::null_mut(), list, &mut count)
    );
    check!(
        107000,
        graph.aclmdlRIGetTasksByStream(ptr::null_mut(), ptr::null_mut(), &mut count)
    );
    check!(
        107000,
        graph.aclmdlRIGetTasksByStream(s, ptr::null_mut(), &mut count)
    );
    let mut kind = ACL_MODEL_RI_TASK_DEFAULT;
    check!(
        107000,
        graph.aclmdlRITaskGetType(ptr::null_mut(), &mut kind)
    );
    check!(107017, graph.aclmdlRITaskGetType(memory.cast(), &mut kind));
    let mut tasks = [ptr::null_mut(); 3];
    count = 3;
    check!(graph.aclmdlRIGetTasksByStream(first, tasks.as_mut_ptr(), &mut count));
    check!(graph.aclmdlRIDestroy(instance));
    check!(107017, graph.aclmdlRITaskGetType(tasks[0], &mut kind));
    check!(
        107017,
        graph.aclmdlRIGetTasksByStream(first, ptr::null_mut(), &mut count)
    );
    check!(event.aclrtDestroyEvent(event));
    check!(event.aclrtDestroyEvent(back));
}

#[test]
fn a_task_that_fails_in_a_run_is_told_by_the_stream_of_the_run() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    begin(s, GLOBAL);
    assert_eq!(fill(memory, 1, s), 0);
    let instance = end(s);
    check!(memory.aclrtFree(memory));
    for _ in 0..2 {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(507001, stream.aclrtSynchronizeStream(s));
        check!(stream.aclrtSynchronizeStream(s));
    }
    let found = take_violations();
    assert!(
        found
            .iter()
            .all(|found| found.what == What::MemoryUsedAfterFree)
    );
    assert_eq!(found.len(), 2);
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn functions_of_the_host_and_notifies_are_captured() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn count(by: *mut c_void) {
        CALLS.fetch_add(by.addr() as u32, Ordering::Relaxed);
    }
    let _serial = start();
    let (s, other, memory) = (stream(), stream(), malloc(64));
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, 0));
    CALLS.store(0, Ordering::Relaxed);
    begin(s, GLOBAL);
    check!(callback.aclrtLaunchHostFunc(s, Some(count), ptr::without_provenance_mut(5)));
    check!(event.aclrtWaitAndResetNotify(notify, s, 0));
    assert_eq!(fill(memory, 6, s), 0);
    let instance = end(s);
    assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    for round in 1..=2 {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
        check!(event.aclrtRecordNotify(notify, other));
        check!(stream.aclrtSynchronizeStream(s));
        assert_eq!(CALLS.load(Ordering::Relaxed), 5 * round);
        assert_eq!(download(memory, 1), [6]);
    }
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyNotify(notify));
}

#[test]
fn an_instance_has_streams_of_its_own_which_go_with_it() {
    let _serial = start();
    let available = || {
        let mut number = 0;
        check!(stream.aclrtGetStreamAvailableNum(&mut number));
        number
    };
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let before = available();
    begin(s, GLOBAL);
    fork(event, s, other);
    assert_eq!(available(), before - 2);
    fork(event, other, s);
    let instance = end(s);
    assert_eq!(available(), before - 2);
    check!(graph.aclmdlRIDestroy(instance));
    assert_eq!(available(), before);
    begin(s, GLOBAL);
    fork(event, s, other);
    let mut instance = ptr::null_mut();
    check!(107025, graph.aclmdlRICaptureEnd(s, &mut instance));
    assert_eq!(available(), before);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn the_end_of_a_device_ends_captures_and_instances() {
    let _serial = start();
    let (s, other, memory) = (stream(), stream(), malloc(64));
    begin(s, GLOBAL);
    assert_eq!(fill(memory, 1, s), 0);
    let instance = end(s);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    begin(other, GLOBAL);
    check!(device.aclrtResetDevice(0));
    assert_eq!(live().streams, 0);
    check!(device.aclrtSetDevice(0));
    check!(
        107017,
        graph.aclmdlRIExecuteAsync(instance, ptr::null_mut())
    );
    // The capture has ended: the default stream accepts tasks.
    let memory = malloc(64);
    assert_eq!(fill(memory, 1, ptr::null_mut()), 0);
    check!(device.aclrtSynchronizeDevice());
}

#[test]
fn runs_of_one_instance_do_not_overlap() {
    let _serial = start();
    let (s, one, two, memory) = (stream(), stream(), stream(), malloc(64));
    begin(s, GLOBAL);
    assert_eq!(fill(memory, 1, s), 0);
    let instance = end(s);
    let gate = Gate::close(one);
    check!(graph.aclmdlRIExecuteAsync(instance, one));
    check!(graph.aclmdlRIExecuteAsync(instance, two));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(two, 20));
    gate.open();
    check!(stream.aclrtSynchronizeStream(two));
    assert_eq!(query(one), ACL_STREAM_STATUS_COMPLETE);
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn a_long_capture_runs_although_its_queue_is_shorter() {
    let _serial = start();
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let memory = malloc(64);
    begin(s, GLOBAL);
    for round in 0..3000 {
        fork(event, s, other);
        assert_eq!(fill(memory, round % 100, other), 0);
        fork(event, other, s);
    }
    let instance = end(s);
    let gate = Gate::close(s);
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    gate.open();
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 1), [99]);
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
}
