//! The checker on the memory of graphs: it has to live as long as the graph, and a run uses it like a queued task.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Finding, Mistake, take_findings};
use ascendcl_sys::*;
use common::capture::{begin, end, fill, fork};
use common::operator::{multiply, tensor};
use common::*;

const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// Returns the kind of each finding, with the names and roles of its calls.
fn found() -> Vec<(Mistake, Vec<(&'static str, String)>)> {
    let part = |finding: Finding| {
        let calls = finding.calls.into_iter();
        let calls = calls.map(|(part, issued)| (part, issued.call)).collect();
        (finding.mistake, calls)
    };
    take_findings().into_iter().map(part).collect()
}

/// Returns such a finding.
fn finding(
    mistake: Mistake,
    calls: [(&'static str, &str); 3],
) -> (Mistake, Vec<(&'static str, String)>) {
    let calls = calls.map(|(part, call)| (part, call.to_owned()));
    (mistake, calls.into())
}

/// Returns the finding for memory that is freed under a graph with a task of this call.
fn freed(free: &str, task: &str, allocate: &str) -> (Mistake, Vec<(&'static str, String)>) {
    let calls = [("freed", free), ("recorded", task), ("allocated", allocate)];
    finding(Mistake::FreedInGraph, calls)
}

/// Captures a fill of some memory.
fn captured_fill(memory: *mut c_void, stream: aclrtStream) -> aclmdlRI {
    begin(stream, RELAXED);
    assert_eq!(fill(memory, 1, stream), 0);
    end(stream)
}

#[test]
fn memory_is_freed_after_its_graph() {
    let _serial = start_checked();
    let (s, device, host) = (stream(), malloc(64), malloc_host(64));
    begin(s, RELAXED);
    assert_eq!(fill(device, 1, s), 0);
    check!(memory.aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    let instance = end(s);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
    check!(memory.aclrtFree(device));
    check!(memory.aclrtFreeHost(host));
    assert_eq!(found(), []);
}

#[test]
fn memory_that_is_freed_under_its_graph_is_found_at_the_free() {
    let _serial = start_checked();
    let (s, device, host, other) = (stream(), malloc(64), malloc_host(64), malloc(64));
    begin(s, RELAXED);
    assert_eq!(fill(device, 1, s), 0);
    check!(memory.aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    let instance = end(s);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(memory.aclrtFree(other));
    assert_eq!(found(), []);
    check!(memory.aclrtFreeHost(host));
    assert_eq!(
        found(),
        [freed(
            "aclrtFreeHost",
            "aclrtMemcpyAsync",
            "aclrtMallocHost"
        )]
    );
    check!(memory.aclrtFree(device));
    assert_eq!(
        found(),
        [freed("aclrtFree", "aclrtMemsetAsync", "aclrtMalloc")]
    );
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn a_graph_that_was_built_by_hand_keeps_its_memory_too() {
    let _serial = start_checked();
    let (mut bound, mut instance) = (ptr::null_mut(), ptr::null_mut());
    let memory = [malloc(64), malloc(64)];
    check!(stream.aclrtCreateStreamWithConfig(&mut bound, 0, ACL_STREAM_PERSISTENT));
    check!(graph.aclmdlRIBuildBegin(&mut instance, 0));
    check!(graph.aclmdlRIBindStream(instance, bound, 0));
    for memory in memory {
        assert_eq!(fill(memory, 1, bound), 0);
    }
    check!(graph.aclmdlRIEndTask(instance, bound));
    check!(graph.aclmdlRIBuildEnd(instance, ptr::null_mut()));
    check!(memory.aclrtFree(memory[0]));
    assert_eq!(
        found(),
        [freed("aclrtFree", "aclrtMemsetAsync", "aclrtMalloc")]
    );
    // The stream takes its tasks along.
    check!(graph.aclmdlRIUnbindStream(instance, bound));
    check!(memory.aclrtFree(memory[1]));
    assert_eq!(found(), []);
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn memory_that_is_freed_before_the_end_of_the_capture_is_found_there() {
    let _serial = start_checked();
    let (s, memory) = (stream(), malloc(64));
    begin(s, RELAXED);
    assert_eq!(fill(memory, 1, s), 0);
    check!(memory.aclrtFree(memory));
    assert_eq!(found(), []);
    let instance = end(s);
    let calls = [
        ("used", "aclrtMemsetAsync"),
        ("freed", "aclrtFree"),
        ("allocated", "aclrtMalloc"),
    ];
    assert_eq!(found(), [finding(Mistake::UsedAfterFree, calls)]);
    check!(graph.aclmdlRIDestroy(instance));
    // A capture that is lost uses nothing.
    let (other, memory, event) = (stream(), malloc(64), event_ex(ACL_EVENT_SYNC));
    begin(s, RELAXED);
    fork(event, s, other);
    assert_eq!(fill(memory, 1, other), 0);
    check!(memory.aclrtFree(memory));
    let mut lost = ptr::null_mut();
    check!(107025, graph.aclmdlRICaptureEnd(s, &mut lost));
    check!(event.aclrtDestroyEvent(event));
    assert_eq!(found(), []);
}

#[test]
fn the_workspace_and_the_operands_of_an_operator_live_as_long_as_its_graph() {
    let _serial = start_checked();
    let (s, operand, out, workspace) = (stream(), malloc(32), malloc(32), malloc(64));
    upload(operand, &[0; 32]);
    let tensors = [operand, operand, out].map(tensor);
    let (mut size, mut executor) = (0, ptr::null_mut());
    let [left, right, result] = tensors;
    assert_eq!(
        call!(op.aclnnMulGetWorkspaceSize(left, right, result, &mut size, &mut executor)),
        0
    );
    assert_eq!(call!(op.aclSetAclOpExecutorRepeatable(executor)), 0);
    begin(s, RELAXED);
    assert_eq!(call!(op.aclnnMul(workspace, size, executor, s)), 0);
    let instance = end(s);
    // The launch has copied the arguments.
    assert_eq!(call!(op.aclDestroyAclOpExecutor(executor)), 0);
    for tensor in tensors {
        assert_eq!(call!(op.aclDestroyTensor(tensor)), 0);
    }
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(found(), []);
    for memory in [workspace, operand, out] {
        check!(memory.aclrtFree(memory));
        assert_eq!(found(), [freed("aclrtFree", "aclnnMul", "aclrtMalloc")]);
    }
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn an_update_gives_memory_back_and_takes_other_memory() {
    let _serial = start_checked();
    let (s, update) = (stream(), stream());
    let [old, new, out] = [(); 3].map(|()| malloc(32));
    for memory in [old, new] {
        upload(memory, &[0; 32]);
    }
    let mut group = ptr::null_mut();
    begin(s, RELAXED);
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    assert_eq!(multiply(old, old, out, s), 0);
    check!(graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    let instance = end(s);
    let exchange = |memory, on| {
        check!(graph.aclmdlRICaptureTaskUpdateBegin(on, group));
        assert_eq!(multiply(memory, memory, out, on), 0);
        check!(graph.aclmdlRICaptureTaskUpdateEnd(on));
    };
    exchange(new, update);
    check!(stream.aclrtSynchronizeStream(update));
    check!(memory.aclrtFree(old));
    assert_eq!(found(), []);
    check!(memory.aclrtFree(new));
    assert_eq!(found(), [freed("aclrtFree", "aclnnMul", "aclrtMalloc")]);

    // An update that waits for its turn uses its memory already.
    let (late, flag) = (malloc(32), event_with(ACL_EVENT_SYNC));
    upload(late, &[0; 32]);
    check!(event.aclrtStreamWaitEvent(update, flag));
    exchange(late, update);
    check!(memory.aclrtFree(late));
    let calls = [
        ("freed", "aclrtFree"),
        ("in use", "aclnnMul"),
        ("allocated", "aclrtMalloc"),
    ];
    assert_eq!(found(), [finding(Mistake::FreedInUse, calls)]);
    check!(event.aclrtRecordEvent(flag, s));
    check!(stream.aclrtSynchronizeStream(update));
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(flag));
}

#[test]
fn unordered_work_beside_a_queued_run_is_found() {
    let _serial = start_checked();
    let (s, other, memory, host) = (stream(), stream(), malloc(64), malloc_host(64));
    let instance = captured_fill(memory, s);
    for write in [true, false] {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        let (does, call) = if write {
            assert_eq!(fill(memory, 2, other), 0);
            ("write", "aclrtMemsetAsync")
        } else {
            check!(memory.aclrtMemcpyAsync(host, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, other));
            ("read", "aclrtMemcpyAsync")
        };
        let calls = [
            (does, call),
            ("other", "aclrtMemsetAsync"),
            ("allocated", "aclrtMalloc"),
        ];
        assert_eq!(found(), [finding(Mistake::Unordered, calls)]);
        for stream in [s, other] {
            check!(stream.aclrtSynchronizeStream(stream));
        }
    }
    // The host itself.
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(memory.aclrtMemset(memory, 64, 3, 64));
    assert_eq!(found()[0].0, Mistake::NotSynchronised);
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
}

#[test]
fn a_copy_in_a_task_group_is_named() {
    let _serial = start_checked();
    let (s, memory) = (stream(), malloc(64));
    begin(s, RELAXED);
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    assert_eq!(fill(memory, 1, s), 507009);
    let found = found();
    let calls = vec![("used", "aclrtMemsetAsync".to_owned())];
    assert_eq!(found, [(Mistake::RuntimeCrash, calls)]);
    let mut lost = ptr::null_mut();
    check!(507903, graph.aclmdlRICaptureEnd(s, &mut lost));
}

#[test]
fn memory_that_is_gone_is_found_when_an_update_brings_it() {
    let _serial = start_checked();
    let (s, update, workspace) = (stream(), stream(), malloc(64));
    let [operand, gone, out] = [(); 3].map(|()| malloc(32));
    upload(operand, &[0; 32]);
    let mut group = ptr::null_mut();
    begin(s, RELAXED);
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    assert_eq!(multiply(operand, operand, out, s), 0);
    check!(graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    let instance = end(s);
    let tensors = [operand, gone, out].map(tensor);
    let (mut size, mut executor) = (0, ptr::null_mut());
    let [left, right, result] = tensors;
    assert_eq!(
        call!(op.aclnnMulGetWorkspaceSize(left, right, result, &mut size, &mut executor)),
        0
    );
    check!(memory.aclrtFree(gone));
    check!(graph.aclmdlRICaptureTaskUpdateBegin(update, group));
    assert_eq!(call!(op.aclnnMul(workspace, size, executor, update)), 0);
    let calls = [
        ("used", "aclnnMul"),
        ("freed", "aclrtFree"),
        ("allocated", "aclrtMalloc"),
    ];
    assert_eq!(found(), [finding(Mistake::UsedAfterFree, calls)]);
    check!(graph.aclmdlRICaptureTaskUpdateEnd(update));
    check!(stream.aclrtSynchronizeStream(update));
    check!(graph.aclmdlRIDestroy(instance));
    for tensor in tensors {
        assert_eq!(call!(op.aclDestroyTensor(tensor)), 0);
    }
}
