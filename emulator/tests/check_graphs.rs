//! The checker on captured tasks: a run counts as if its calls were made again.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Finding, Mistake, take_findings};
use ascendcl_sys::*;
use common::capture::end;
use common::condition::{captured, condition, conditional, fork};
use common::*;

fn begin(stream: aclrtStream) {
    check!(graph.aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
}

fn fill(memory: *mut c_void, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, stream));
}

/// Makes `other` wait for the tasks of `stream`.
fn after(event: aclrtEvent, stream: aclrtStream, other: aclrtStream) {
    check!(event.aclrtRecordEvent(event, stream));
    check!(event.aclrtStreamWaitEvent(other, event));
}

/// Returns the only finding: its kind, and its calls.
fn only(found: &[Finding]) -> (Mistake, Vec<&str>) {
    assert_eq!(found.len(), 1, "{found:#?}");
    let calls = found[0].calls.iter();
    (
        found[0].mistake,
        calls.map(|(_, issued)| issued.call.as_str()).collect(),
    )
}

/// Captures two streams that both fill some memory, in order or not.
fn both_fill(memory: *mut c_void, in_order: bool) -> (aclmdlRI, aclrtStream) {
    let (one, two, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    begin(one);
    after(event, one, two);
    if in_order {
        fill(memory, one);
        after(event, one, two);
    }
    fill(memory, two);
    check!(event.aclrtRecordEvent(event, two));
    if !in_order {
        fill(memory, one);
    }
    check!(event.aclrtStreamWaitEvent(one, event));
    let instance = end(one);
    check!(event.aclrtDestroyEvent(event));
    (instance, one)
}

#[test]
fn two_captured_streams_without_an_event_between_are_found_when_they_run() {
    let _serial = start_checked();
    let memory = malloc(64);
    let (instance, s) = both_fill(memory, false);
    assert_eq!(take_findings(), []);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    let found = take_findings();
    let (mistake, calls) = only(&found);
    assert_eq!(mistake, Mistake::Unordered);
    assert_eq!(calls[..2], ["aclrtMemsetAsync"; 2]);
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn runs_in_order_are_right() {
    let _serial = start_checked();
    let (memory, host) = (malloc(64), malloc_host(64));
    let (instance, s) = both_fill(memory, true);
    for _ in 0..3 {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(memory.aclrtMemcpyAsync(host, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
        check!(graph.aclmdlRIExecuteAsync(instance, s));
    }
    let (other, event) = (stream(), event_ex(ACL_EVENT_SYNC));
    after(event, s, other);
    fill(memory, other);
    check!(stream.aclrtSynchronizeStream(other));
    check!(graph.aclmdlRIDestroy(instance));
    check!(memory.aclrtFree(memory));
    check!(memory.aclrtFreeHost(host));
    check!(event.aclrtDestroyEvent(event));
    check!(device.aclrtResetDevice(0));
    assert_eq!(take_findings(), []);
}

#[test]
fn memory_of_a_run_that_is_not_over_is_in_use() {
    let _serial = start_checked();
    let memory = malloc(64);
    let (instance, s) = both_fill(memory, true);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(memory.aclrtFree(memory));
    let found = take_findings();
    let (mistake, calls) = only(&found);
    assert_eq!(mistake, Mistake::FreedInUse);
    assert_eq!(calls, ["aclrtFree", "aclrtMemsetAsync", "aclrtMalloc"]);
    let _ = call!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn a_run_with_memory_that_was_freed_is_found() {
    let _serial = start_checked();
    let (memory, s) = (malloc(64), stream());
    begin(s);
    fill(memory, s);
    let instance = end(s);
    check!(memory.aclrtFree(memory));
    let found = take_findings();
    assert_eq!(only(&found).0, Mistake::FreedInGraph);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    let found = take_findings();
    let (mistake, calls) = only(&found);
    assert_eq!(
        (mistake, calls[0]),
        (Mistake::UsedAfterFree, "aclrtMemsetAsync")
    );
    check!(507001, stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn an_instance_that_is_gone_is_told_with_where_it_went() {
    let _serial = start_checked();
    let s = stream();
    begin(s);
    let instance = end(s);
    check!(graph.aclmdlRIDestroy(instance));
    check!(107017, graph.aclmdlRIExecuteAsync(instance, s));
    let found = take_findings();
    let (mistake, calls) = only(&found);
    assert_eq!(mistake, Mistake::UsedAfterDestroy);
    assert_eq!(
        calls,
        [
            "aclmdlRIExecuteAsync",
            "aclmdlRIDestroy",
            "aclmdlRICaptureBegin"
        ]
    );
    check!(107017, graph.aclmdlRIDestroy(instance));
    let found = take_findings();
    assert_eq!(only(&found).0, Mistake::DestroyedTwice);
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn memory_of_a_branch_is_in_use_until_the_run_is_over() {
    let _serial = start_checked();
    let (s, inner, memory) = (stream(), stream(), malloc(64));
    begin(s);
    let root = captured(s);
    let condition = condition(root, 0, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT);
    let [branch] = conditional(condition, ACL_MODEL_RI_COND_TYPE_IF, s);
    fork(branch, inner, || fill(memory, inner));
    end(s);
    let gate = Gate::close(s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(memory.aclrtFree(memory));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::FreedInUse);
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(root));
    check!(stream.aclrtDestroyStream(s));
    check!(stream.aclrtDestroyStream(inner));
    assert_eq!(take_findings(), []);
}

#[test]
fn what_a_branch_may_do_is_no_mistake() {
    let _serial = start_checked();
    let (s, inner, host) = (stream(), stream(), malloc_host(4096));
    let (fresh, other) = (malloc(64), malloc(64));
    begin(s);
    let root = captured(s);
    let condition = condition(root, 0, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT);
    let [branch] = conditional(condition, ACL_MODEL_RI_COND_TYPE_IF, s);
    fork(branch, inner, || {
        check!(memory.aclrtMemcpyAsync(fresh, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, inner));
        check!(memory.aclrtMemcpyAsync(other, 64, fresh, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, inner));
    });
    end(s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    // SAFETY: page-locked memory of 4096 bytes, which no task accesses: the branch does not run.
    unsafe { host.cast::<u8>().write(1) };
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(root));
    check!(memory.aclrtFree(fresh));
    check!(memory.aclrtFree(other));
    check!(memory.aclrtFreeHost(host));
    check!(stream.aclrtDestroyStream(s));
    check!(stream.aclrtDestroyStream(inner));
    assert_eq!(take_findings(), []);
}

/// Makes an instance with a condition, and a branch that fills some memory.
fn guarded_fill(memory: *mut c_void) -> (aclmdlRI, aclmdlRICondHandle, aclrtStream) {
    let (s, inner) = (stream(), stream());
    begin(s);
    let root = captured(s);
    let condition = condition(root, 0, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT);
    let [branch] = conditional(condition, ACL_MODEL_RI_COND_TYPE_IF, s);
    fork(branch, inner, || fill(memory, inner));
    assert_eq!(end(s), root);
    (root, condition, s)
}

#[test]
fn memory_that_is_gone_is_no_mistake_of_a_branch_that_does_not_run() {
    let _serial = start_checked();
    let memory = malloc(64);
    let (root, _, s) = guarded_fill(memory);
    check!(memory.aclrtFree(memory));
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(root));
    assert_eq!(take_findings(), []);
}

#[test]
fn a_condition_that_is_gone_is_told_with_where_it_went() {
    let _serial = start_checked();
    let (root, condition, _) = guarded_fill(malloc(64));
    check!(graph.aclmdlRIDestroy(root));
    let mut value = ptr::null_mut();
    check!(
        107017,
        graph.aclmdlRICondHandleGetCondPtr(condition, &mut value)
    );
    let found = take_findings();
    let (mistake, calls) = only(&found);
    assert_eq!(mistake, Mistake::UsedAfterDestroy);
    let expected = [
        "aclmdlRICondHandleGetCondPtr",
        "aclmdlRIDestroy",
        "aclmdlRICondHandleCreate",
    ];
    assert_eq!(calls, expected);
}
