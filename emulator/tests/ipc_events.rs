//! Events that processes share, in one process: their codes, and what a wait for them is for. `tests/c/event_shared.c` has two
//! processes.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_sys::*;
use common::capture::begin;
use common::*;

passes_while_watched!("ipc_events");

fn ipc_event() -> aclrtEvent {
    event_ex(ACL_EVENT_IPC)
}

fn is_complete(event: aclrtEvent) -> bool {
    let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    check!(event.aclrtQueryEventStatus(event, &mut status));
    status == ACL_EVENT_RECORDED_STATUS_COMPLETE
}

#[test]
fn a_wait_is_for_the_record_that_is_the_latest_at_the_call() {
    let _serial = start();
    let (records, waits, event) = (stream(), stream(), ipc_event());
    assert!(is_complete(event), "without any record");
    check!(event.aclrtSynchronizeEvent(event));
    let gate = Gate::close(records);
    check!(event.aclrtRecordEvent(event, records));
    check!(event.aclrtStreamWaitEvent(waits, event));
    assert!(!is_complete(event));
    assert_eq!(query(waits), ACL_STREAM_STATUS_NOT_READY);
    check!(507047, event.aclrtSynchronizeEventWithTimeout(event, 1));
    check!(107000, event.aclrtSynchronizeEventWithTimeout(event, 0));
    // A second record does not change what the wait is for.
    let later = stream();
    let second = Gate::close(later);
    check!(event.aclrtRecordEvent(event, later));
    gate.open();
    check!(stream.aclrtSynchronizeStream(waits));
    assert!(!is_complete(event));
    check!(event.aclrtStreamWaitEvent(waits, event));
    assert_eq!(query(waits), ACL_STREAM_STATUS_NOT_READY);
    second.open();
    check!(event.aclrtSynchronizeEvent(event));
    check!(stream.aclrtSynchronizeStream(waits));
    assert!(is_complete(event));
    check!(event.aclrtStreamWaitEvent(waits, event)); // it is over already
    check!(event.aclrtDestroyEvent(event));
    check!(107017, event.aclrtRecordEvent(event, records));
}

#[test]
fn an_event_that_is_destroyed_ends_behind_its_work() {
    let _serial = start();
    let (records, waits, event) = (stream(), stream(), ipc_event());
    let gate = Gate::close(records);
    check!(event.aclrtRecordEvent(event, records));
    check!(event.aclrtStreamWaitEvent(waits, event));
    check!(event.aclrtDestroyEvent(event));
    assert_eq!(query(waits), ACL_STREAM_STATUS_NOT_READY);
    gate.open();
    check!(stream.aclrtSynchronizeStream(waits));
}

#[test]
fn a_record_that_is_aborted_never_happens() {
    let _serial = start();
    let (records, waits, event) = (stream(), stream(), ipc_event());
    let gate = Gate::close(records);
    check!(event.aclrtRecordEvent(event, records));
    check!(event.aclrtStreamWaitEvent(waits, event));
    check!(stream.aclrtStreamAbort(records));
    assert_eq!(query(waits), ACL_STREAM_STATUS_NOT_READY);
    check!(507047, event.aclrtSynchronizeEventWithTimeout(event, 1));
    // The next one ends the waits.
    gate.open();
    check!(event.aclrtRecordEvent(event, records));
    check!(stream.aclrtSynchronizeStream(waits));
    check!(event.aclrtSynchronizeEventWithTimeout(event, 1));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn other_calls_refuse_it() {
    let _serial = start();
    let (s, event) = (stream(), ipc_event());
    let (mut number, mut time, mut ms) = (0, 0, 0.0);
    let (mut status, mut waited) = (ACL_EVENT_STATUS_COMPLETE, ACL_EVENT_WAIT_STATUS_COMPLETE);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtSynchronizeEvent(event));
    check!(207000, event.aclrtResetEvent(event, s));
    check!(207000, event.aclrtQueryEvent(event, &mut status));
    check!(207000, event.aclrtQueryEventWaitStatus(event, &mut waited));
    check!(207000, event.aclrtEventElapsedTime(&mut ms, event, event));
    check!(207000, event.aclrtEventGetTimestamp(event, &mut time));
    check!(207000, event.aclrtGetEventId(event, &mut number));
    check!(107000, event.aclrtStreamWaitEventWithTimeout(s, event, -1));
    begin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    check!(207000, event.aclrtRecordEvent(event, s));
    check!(207000, event.aclrtStreamWaitEvent(s, event));
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    check!(graph.aclmdlRIDestroy(instance));
    let mut out = ptr::null_mut();
    for flags in [
        ACL_EVENT_IPC | ACL_EVENT_SYNC,
        ACL_EVENT_IPC | ACL_EVENT_TIME_LINE,
    ] {
        check!(107000, event.aclrtCreateEventExWithFlag(&mut out, flags));
    }
    check!(
        107000,
        event.aclrtCreateEventWithFlag(&mut out, ACL_EVENT_IPC)
    );
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_handle_is_for_other_processes() {
    let _serial = start();
    let (event, usual) = (ipc_event(), event_ex(ACL_EVENT_SYNC));
    let mut handle = aclrtIpcEventHandle { reserved: [1; 64] };
    let mut out = ptr::null_mut();
    check!(100000, event.aclrtIpcGetEventHandle(event, ptr::null_mut()));
    check!(
        100000,
        event.aclrtIpcGetEventHandle(ptr::null_mut(), &mut handle)
    );
    check!(107000, event.aclrtIpcGetEventHandle(usual, &mut handle));
    check!(507899, event.aclrtIpcOpenEventHandle(handle, &mut out));
    check!(event.aclrtIpcGetEventHandle(event, &mut handle));
    let first = handle;
    for _ in 0..3000 {
        check!(event.aclrtIpcGetEventHandle(event, &mut handle));
    }
    assert_eq!(handle, first);
    check!(
        100000,
        event.aclrtIpcOpenEventHandle(handle, ptr::null_mut())
    );
    check!(507899, event.aclrtIpcOpenEventHandle(handle, &mut out));
    assert!(out.is_null());
    for event in [event, usual] {
        check!(event.aclrtDestroyEvent(event));
    }
    check!(107017, event.aclrtIpcGetEventHandle(event, &mut handle));
}
