//! Model instances that are built from persistent streams, and task groups.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::condition::fill;
use common::operator::multiply;
use common::*;

passes_while_watched!("models");

const HEAD: u32 = ACL_MODEL_STREAM_FLAG_HEAD;

fn persistent() -> aclrtStream {
    let mut stream = ptr::null_mut();
    check!(stream.aclrtCreateStreamWithConfig(&mut stream, 0, ACL_STREAM_PERSISTENT));
    stream
}

fn begin() -> aclmdlRI {
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRIBuildBegin(&mut instance, 0));
    instance
}

/// Ends the build of an instance; `stream` is its last stream.
fn complete(instance: aclmdlRI, stream: aclrtStream) {
    check!(graph.aclmdlRIEndTask(instance, stream));
    check!(graph.aclmdlRIBuildEnd(instance, ptr::null_mut()));
}

#[test]
fn a_built_instance_runs_what_its_streams_were_given() {
    let _serial = start();
    let (s, memory, instance) = (persistent(), malloc(64), begin());
    upload(memory, &[0; 64]);
    // Tasks are submitted before and after the stream is bound.
    fill(memory, 1, s);
    check!(graph.aclmdlRIBindStream(instance, s, HEAD));
    check!(memory.aclrtMemsetAsync(memory, 64, 2, 1, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(device.aclrtSynchronizeDevice());
    assert_eq!(download(memory, 2), [0, 0]);
    complete(instance, s);
    for _ in 0..2 {
        upload(memory, &[0; 64]);
        check!(graph.aclmdlRIExecute(instance, -1));
        assert_eq!(download(memory, 2), [2, 1]);
    }
    let other = stream();
    upload(memory, &[0; 64]);
    check!(graph.aclmdlRIExecuteAsync(instance, other));
    check!(stream.aclrtSynchronizeStream(other));
    assert_eq!(download(memory, 2), [2, 1]);
    check!(graph.aclmdlRIUnbindStream(instance, s));
    check!(stream.aclrtDestroyStream(s));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn what_a_stream_was_given_stays_with_it() {
    let _serial = start();
    let (s, memory) = (persistent(), malloc(64));
    let (first, second) = (begin(), begin());
    check!(graph.aclmdlRIBindStream(first, s, HEAD));
    fill(memory, 3, s);
    complete(first, s);
    check!(graph.aclmdlRIUnbindStream(first, s));
    // An instance without streams has no tasks.
    upload(memory, &[0; 64]);
    check!(graph.aclmdlRIExecute(first, -1));
    assert_eq!(download(memory, 1), [0]);
    check!(graph.aclmdlRIBindStream(second, s, HEAD));
    complete(second, s);
    check!(graph.aclmdlRIExecute(second, -1));
    assert_eq!(download(memory, 1), [3]);
    check!(graph.aclmdlRIDestroy(first));
    // The end of the instance unbinds the stream, which can then be bound again.
    check!(graph.aclmdlRIDestroy(second));
    let third = begin();
    check!(graph.aclmdlRIBindStream(third, s, HEAD));
    complete(third, s);
    upload(memory, &[0; 64]);
    check!(graph.aclmdlRIExecute(third, -1));
    assert_eq!(download(memory, 1), [3]);
    check!(graph.aclmdlRIDestroy(third));
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn building_out_of_order_says_why() {
    let _serial = start();
    let (s, free, usual) = (persistent(), persistent(), stream());
    let null = ptr::null_mut();
    let mut instance = null;
    check!(100000, graph.aclmdlRIBuildBegin(ptr::null_mut(), 0));
    check!(107000, graph.aclmdlRIBuildBegin(&mut instance, 1));
    let instance = begin();
    check!(100000, graph.aclmdlRIBindStream(null, s, HEAD));
    check!(
        107017,
        graph.aclmdlRIBindStream(ptr::without_provenance_mut(0x10), s, HEAD)
    );
    check!(107000, graph.aclmdlRIBindStream(instance, s, 1));
    check!(207000, graph.aclmdlRIBindStream(instance, null, HEAD));
    check!(107000, graph.aclmdlRIBindStream(instance, usual, HEAD));
    assert!(text().contains("ACL_STREAM_PERSISTENT"));
    check!(107005, graph.aclmdlRIBuildEnd(instance, null));
    check!(graph.aclmdlRIBindStream(instance, s, HEAD));
    check!(107005, graph.aclmdlRIBindStream(instance, s, HEAD));
    check!(507000, graph.aclmdlRIEndTask(instance, free));
    check!(107005, graph.aclmdlRIUnbindStream(instance, free));
    check!(507011, graph.aclmdlRIBuildEnd(instance, null));
    assert!(text().contains("aclmdlRIEndTask"));
    check!(507011, graph.aclmdlRIExecute(instance, -1));
    check!(graph.aclmdlRIEndTask(instance, s));
    check!(
        100000,
        graph.aclmdlRIBuildEnd(instance, ptr::dangling_mut())
    );
    check!(graph.aclmdlRIBuildEnd(instance, null));
    // A complete instance accepts no further streams and no further tasks.
    check!(107005, graph.aclmdlRIBindStream(instance, free, HEAD));
    check!(107005, graph.aclmdlRIBuildEnd(instance, null));
    let memory = malloc(64);
    check!(107005, memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    check!(107005, graph.aclmdlRIExecuteAsync(instance, s));
    check!(107000, graph.aclmdlRIExecute(instance, 0));
    check!(107005, stream.aclrtDestroyStream(s));
    assert!(text().contains("aclmdlRIUnbindStream"));
    check!(107000, graph.aclmdlRIAbort(null));
    check!(graph.aclmdlRIDestroy(instance));
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn a_stream_that_is_no_head_runs_when_another_one_starts_it() {
    let _serial = start();
    let (head, slave, idle, memory) = (persistent(), persistent(), persistent(), malloc(64));
    let usual = stream();
    upload(memory, &[0; 64]);
    let instance = begin();
    check!(graph.aclmdlRIBindStream(instance, slave, ACL_MODEL_STREAM_FLAG_DEFAULT));
    check!(graph.aclmdlRIBindStream(instance, idle, ACL_MODEL_STREAM_FLAG_DEFAULT));
    check!(graph.aclmdlRIBindStream(instance, head, HEAD));
    fill(memory, 5, idle);
    check!(memory.aclrtMemsetAsync(memory, 64, 6, 8, slave));
    fill(memory, 7, head);
    check!(100000, stream.aclrtActiveStream(ptr::null_mut(), head));
    check!(107005, stream.aclrtActiveStream(slave, usual));
    check!(107005, stream.aclrtActiveStream(usual, head));
    check!(stream.aclrtActiveStream(slave, head));
    complete(instance, head);
    for _ in 0..2 {
        check!(graph.aclmdlRIExecute(instance, -1));
        assert_eq!(download(memory, 9), [6, 6, 6, 6, 6, 6, 6, 6, 7]);
        upload(memory, &[0; 64]);
    }
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn bound_streams_are_ordered_by_flags() {
    let _serial = start();
    let (one, two, memory, instance) = (persistent(), persistent(), malloc(64), begin());
    let (flag, ex) = (event_with(ACL_EVENT_SYNC), event_ex(ACL_EVENT_SYNC));
    check!(graph.aclmdlRIBindStream(instance, one, HEAD));
    check!(graph.aclmdlRIBindStream(instance, two, HEAD));
    for refused in [ex, event()] {
        check!(207000, event.aclrtRecordEvent(refused, one));
        check!(207000, event.aclrtStreamWaitEvent(one, refused));
        check!(event.aclrtDestroyEvent(refused));
    }
    // The wait is submitted first.
    check!(event.aclrtStreamWaitEvent(two, flag));
    check!(event.aclrtResetEvent(flag, two));
    check!(memory.aclrtMemsetAsync(memory, 64, 2, 1, two));
    fill(memory, 1, one);
    check!(event.aclrtRecordEvent(flag, one));
    complete(instance, one);
    for _ in 0..3 {
        check!(graph.aclmdlRIExecute(instance, -1));
        assert_eq!(download(memory, 2), [2, 1]);
        upload(memory, &[0; 64]);
    }
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(flag));
}

#[test]
fn a_run_is_limited_in_time_and_can_be_aborted() {
    let _serial = start();
    let (s, usual, memory, instance) = (persistent(), stream(), malloc(64), begin());
    check!(graph.aclmdlRIBindStream(instance, s, HEAD));
    fill(memory, 4, s);
    complete(instance, s);
    upload(memory, &[0; 64]);
    let gate = Gate::close(ptr::null_mut());
    check!(507046, graph.aclmdlRIExecute(instance, 20));
    gate.open();
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    assert_eq!(download(memory, 1), [4]);
    // Without a run nothing is aborted.
    check!(graph.aclmdlRIAbort(instance));
    upload(memory, &[0; 64]);
    let gate = Gate::close(usual);
    check!(graph.aclmdlRIExecuteAsync(instance, usual));
    check!(graph.aclmdlRIAbort(instance));
    gate.open();
    check!(507023, stream.aclrtSynchronizeStream(usual));
    assert_eq!(download(memory, 1), [0]);
    check!(graph.aclmdlRIExecuteAsync(instance, usual));
    check!(stream.aclrtSynchronizeStream(usual));
    assert_eq!(download(memory, 1), [4]);
    check!(graph.aclmdlRIDestroy(instance));
}

fn numbers(value: f32) -> *mut c_void {
    let memory = malloc(32);
    upload(memory, &[value.to_ne_bytes(); 8].concat());
    memory
}

fn first(memory: *mut c_void) -> f32 {
    let bytes = download(memory, 4);
    f32::from_ne_bytes(bytes.try_into().unwrap_or([0; 4]))
}

#[test]
fn operators_of_a_group_are_exchanged() {
    let _serial = start();
    let (s, update) = (stream(), stream());
    let (two, three, five, out) = (numbers(2.0), numbers(3.0), numbers(5.0), numbers(0.0));
    let (mut group, mut other, mut instance) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    check!(107029, graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(graph.aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    check!(107033, graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(107033, graph.aclmdlRICaptureTaskGrpBegin(s));
    assert_eq!(multiply(two, three, out, s), 0);
    check!(graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    assert_eq!(multiply(out, two, out, s), 0);
    check!(107027, graph.aclmdlRICaptureTaskUpdateBegin(s, group));
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    let run = || {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(stream.aclrtSynchronizeStream(s));
        first(out)
    };
    assert_eq!(run(), 12.0);
    check!(
        107017,
        graph.aclmdlRICaptureTaskUpdateBegin(update, ptr::without_provenance_mut(0x10))
    );
    check!(107033, graph.aclmdlRICaptureTaskUpdateEnd(update));
    check!(graph.aclmdlRICaptureTaskUpdateBegin(update, group));
    check!(107033, graph.aclmdlRICaptureTaskUpdateBegin(update, group));
    check!(107033, graph.aclmdlRICaptureTaskUpdateBegin(s, group));
    check!(507009, memory.aclrtMemsetAsync(out, 32, 1, 32, update));
    assert_eq!(multiply(two, five, out, update), 0);
    assert_eq!(multiply(two, five, out, update), 507000);
    check!(graph.aclmdlRICaptureTaskUpdateEnd(update));
    // An update is a task of its stream.
    check!(stream.aclrtSynchronizeStream(update));
    assert_eq!(run(), 20.0);
    // The stream is an ordinary stream again.
    check!(memory.aclrtMemsetAsync(out, 32, 0, 32, update));
    check!(stream.aclrtSynchronizeStream(update));
    assert_eq!(first(out), 0.0);
    // This update does not exchange all operators.
    check!(graph.aclmdlRICaptureTaskUpdateBegin(update, group));
    check!(507000, graph.aclmdlRICaptureTaskUpdateEnd(update));
    // A group that is not ended makes the capture invalid.
    check!(graph.aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(107033, graph.aclmdlRICaptureEnd(s, &mut other));
    check!(graph.aclmdlRIDestroy(instance));
    check!(107017, graph.aclmdlRICaptureTaskUpdateBegin(update, group));
}

#[test]
fn an_instance_is_written_for_a_viewer() {
    let _serial = start();
    let (s, memory, instance) = (persistent(), malloc(64), begin());
    check!(graph.aclmdlRIBindStream(instance, s, HEAD));
    fill(memory, 1, s);
    check!(memory.aclrtValueWrite(memory, 1, 0, s));
    complete(instance, s);
    let path = format!("{}/instance.json", env!("CARGO_TARGET_TMPDIR"));
    let name = std::ffi::CString::new(path.as_str()).unwrap_or_default();
    check!(graph.aclmdlRIDebugJsonPrint(
        instance,
        name.as_ptr(),
        ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE
    ));
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let parsed: Result<tinyjson::JsonValue, _> = text.parse();
    let Ok(tinyjson::JsonValue::Array(tasks)) = parsed else {
        unreachable!("no list: {text}")
    };
    let kinds = tasks
        .iter()
        .map(|task| task["args"]["task_type"].get::<String>().cloned());
    let wanted = ["aclrtMemsetAsync", "aclrtValueWrite"].map(|kind| Some(kind.to_owned()));
    assert_eq!(kinds.collect::<Vec<_>>(), wanted, "{text}");
    let _ = std::fs::remove_file(path);
    let (null, nowhere) = (ptr::null_mut(), c"/no/such/folder/instance.json");
    check!(graph.aclmdlRIDebugJsonPrint(instance, nowhere.as_ptr(), 0));
    check!(
        100000,
        graph.aclmdlRIDebugJsonPrint(instance, ptr::null(), 0)
    );
    check!(100000, graph.aclmdlRIDebugJsonPrint(null, name.as_ptr(), 0));
    check!(graph.aclmdlRIDestroy(instance));
    check!(
        107017,
        graph.aclmdlRIDebugJsonPrint(instance, name.as_ptr(), 0)
    );
}
