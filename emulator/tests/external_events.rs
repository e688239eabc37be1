//! Records and waits with a flag: inside of a capture, and external to it.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::capture::{begin, end};
use common::condition::fill;
use common::*;

passes_while_watched!("external_events");

const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

fn event() -> aclrtEvent {
    let mut event = ptr::null_mut();
    check!(event.aclrtCreateEventExWithFlag(&mut event, ACL_EVENT_SYNC));
    event
}

/// Copies 64 bytes on the device.
fn copy(to: *mut c_void, from: *mut c_void, stream: aclrtStream) {
    let kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
    check!(memory.aclrtMemcpyAsync(to, 64, from, 64, kind, stream));
}

#[test]
fn a_run_waits_for_the_record_that_is_the_latest_when_it_starts() {
    let _serial = start();
    let (graph, outside, event) = (stream(), stream(), event());
    let (from, to) = (malloc(64), malloc(64));
    begin(graph, RELAXED);
    check!(event.aclrtStreamWaitEventWithFlag(graph, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    copy(to, from, graph);
    let instance = end(graph);
    for value in [3, 7] {
        fill(from, value, outside);
        check!(event.aclrtRecordEventWithFlag(event, outside, ACL_EVENT_RECORD_DEFAULT));
        check!(graph.aclmdlRIExecuteAsync(instance, graph));
        check!(stream.aclrtSynchronizeStream(graph));
        assert_eq!(download(to, 1), [value as u8]);
    }
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_run_without_any_record_waits_for_nothing() {
    let _serial = start();
    let (graph, event, to) = (stream(), event(), malloc(64));
    begin(graph, RELAXED);
    check!(event.aclrtStreamWaitEventWithFlag(graph, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    fill(to, 5, graph);
    let instance = end(graph);
    check!(graph.aclmdlRIExecuteAsync(instance, graph));
    check!(stream.aclrtSynchronizeStream(graph));
    assert_eq!(download(to, 1), [5]);
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_stream_outside_waits_for_what_a_run_records() {
    let _serial = start();
    let (graph, outside, event) = (stream(), stream(), event());
    let (from, to, last) = (malloc(64), malloc(64), malloc(64));
    begin(graph, RELAXED);
    copy(to, from, graph);
    check!(event.aclrtRecordEventWithFlag(event, graph, ACL_EVENT_RECORD_EXTERNAL));
    let first = end(graph);
    // Another capture waits for it too.
    let other = stream();
    begin(other, RELAXED);
    check!(event.aclrtStreamWaitEventWithFlag(other, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    copy(last, to, other);
    let second = end(other);
    for value in [3, 7] {
        upload(from, &[value; 64]);
        check!(graph.aclmdlRIExecuteAsync(first, graph));
        check!(event.aclrtStreamWaitEvent(outside, event));
        check!(graph.aclmdlRIExecuteAsync(second, other));
        check!(stream.aclrtSynchronizeStream(other));
        assert_eq!(download(last, 1), [value]);
        check!(stream.aclrtSynchronizeStream(outside));
        assert_eq!(download(to, 1), [value]);
    }
    // The event is recorded before the run that has the record is over.
    check!(stream.aclrtSynchronizeStream(graph));
    check!(graph.aclmdlRIDestroy(first));
    check!(graph.aclmdlRIDestroy(second));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn flags_are_checked_before_anything_happens() {
    let _serial = start();
    let (s, good, mut flag) = (stream(), event(), ptr::null_mut());
    check!(event.aclrtCreateEventWithFlag(&mut flag, ACL_EVENT_SYNC));
    let none = ptr::null_mut();
    check!(100000, event.aclrtRecordEventWithFlag(none, s, 0));
    check!(100000, event.aclrtRecordEventWithFlag(good, s, 2));
    check!(100000, event.aclrtStreamWaitEventWithFlag(s, none, 0, 0));
    check!(100000, event.aclrtStreamWaitEventWithFlag(s, good, 0, 2));
    check!(100000, event.aclrtStreamWaitEventWithFlag(s, good, 1, 1));
    check!(107000, event.aclrtRecordEventWithFlag(good, s, 1));
    check!(107000, event.aclrtStreamWaitEventWithFlag(s, good, 0, 1));
    check!(207000, event.aclrtRecordEventWithFlag(flag, s, 1));
    check!(207000, event.aclrtStreamWaitEventWithFlag(s, flag, 0, 1));
    // With flag 0 they do the same as the calls without a flag.
    check!(event.aclrtRecordEventWithFlag(good, s, 0));
    check!(event.aclrtStreamWaitEventWithFlag(s, good, 1, 0));
    check!(stream.aclrtSynchronizeStream(s));
    for event in [good, flag] {
        check!(event.aclrtDestroyEvent(event));
    }
    check!(stream.aclrtDestroyStream(s));
    check!(107017, event.aclrtRecordEventWithFlag(good, s, 1));
}
