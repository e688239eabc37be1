//! Objects that are destroyed while queued work uses them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr::null_mut;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::capture::end;
use common::*;

/// Asserts that there is one finding, with these calls.
fn found(destroyed: &str, used: &str, created: &str) {
    let findings = take_findings();
    let [finding] = &findings[..] else {
        unreachable!("one finding is expected: {findings:#?}")
    };
    assert_eq!(finding.mistake, Mistake::DestroyedInUse, "{finding}");
    let calls = finding.calls.iter();
    let calls: Vec<_> = calls
        .map(|(part, issued)| (*part, issued.call.as_str()))
        .collect();
    let expected = [
        ("destroyed", destroyed),
        ("in use", used),
        ("created", created),
    ];
    assert_eq!(calls, expected);
}

fn graph(s: aclrtStream) -> aclmdlRI {
    let memory = malloc(64);
    check!(graph.aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    end(s)
}

#[test]
fn a_graph_is_not_destroyed_while_it_runs() {
    let _serial = start_checked();
    let s = stream();
    let instance = graph(s);
    let gate = Gate::close(s);
    check!(graph.aclmdlRIExecuteAsync(instance, s));
    check!(107037, graph.aclmdlRIDestroy(instance));
    let said = text();
    assert!(said.contains("a run of model instance"), "{said}");
    assert!(
        said.contains("is not over; synchronise its stream first"),
        "{said}"
    );
    found(
        "aclmdlRIDestroy",
        "aclmdlRIExecuteAsync",
        "aclmdlRICaptureBegin",
    );
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
    assert_eq!(take_findings(), []);
}

#[test]
fn a_graph_whose_end_nobody_waited_for_is_found_also_when_it_is_over() {
    let _serial = start_checked();
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let instance = graph(s);
    // The stream is asked, and the host knows that the run is over.
    let execute = || check!(graph.aclmdlRIExecuteAsync(instance, s));
    let is_over = || {
        let mut status = ACL_STREAM_STATUS_RESERVED;
        while status != ACL_STREAM_STATUS_COMPLETE {
            check!(stream.aclrtStreamQuery(other, &mut status));
        }
    };
    execute();
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(other, event));
    is_over();
    let second = graph(other);
    check!(graph.aclmdlRIDestroy(instance));
    assert_eq!(take_findings(), []);
    // Nobody asks.
    check!(graph.aclmdlRIExecuteAsync(second, other));
    let code = loop {
        let code = call!(graph.aclmdlRIDestroy(second));
        if code != 107037 {
            break code;
        }
    };
    assert_eq!(code, 0);
    let findings = take_findings();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].mistake, Mistake::DestroyedInUse);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_pool_outlives_the_tasks_that_free_to_it() {
    let _serial = start_checked();
    let s = stream();
    let properties = aclrtMemPoolProps {
        allocType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        location: aclrtMemLocation {
            id: 0,
            type_: ACL_MEM_LOCATION_TYPE_DEVICE,
        },
        maxSize: 0,
        reserved: [0; 32],
    };
    let pool_with_a_queued_free = || {
        let (mut pool, mut memory) = (null_mut(), null_mut());
        check!(memory.aclrtMemPoolCreate(&mut pool, &properties));
        check!(memory.aclrtMemPoolMallocAsync(&mut memory, 64, pool, s));
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
        check!(memory.aclrtMemPoolFreeAsync(memory, s));
        pool
    };
    let pool = pool_with_a_queued_free();
    check!(stream.aclrtSynchronizeStream(s));
    check!(memory.aclrtMemPoolDestroy(pool));
    assert_eq!(take_findings(), []);
    let gate = Gate::close(s);
    let pool = pool_with_a_queued_free();
    check!(memory.aclrtMemPoolDestroy(pool));
    found(
        "aclrtMemPoolDestroy",
        "aclrtMemPoolFreeAsync",
        "aclrtMemPoolCreate",
    );
    gate.open();
    assert_ne!(call!(stream.aclrtSynchronizeStream(s)), 0);
    drop(take_findings());
}

#[test]
fn a_communicator_outlives_its_operations() {
    let _serial = start_checked();
    let (mut id, mut comm, s) = (0, null_mut(), stream());
    let made = call!(collective.HcclCommInitAll(1, &mut id, &mut comm));
    assert_eq!(made, HCCL_SUCCESS, "{}", text());
    let (send, recv) = (malloc(64), malloc(64));
    upload(send, &[1; 64]);
    let reduce = || {
        let sum = HCCL_REDUCE_SUM;
        let kind = HCCL_DATA_TYPE_INT8;
        let code = call!(collective.HcclAllReduce(send, recv, 64, kind, sum, comm, s));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
    };
    reduce();
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(take_findings(), []);
    reduce();
    assert_eq!(call!(collective.HcclCommDestroy(comm)), HCCL_SUCCESS);
    found("HcclCommDestroy", "HcclAllReduce", "HcclCommInitAll");
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(take_findings(), []);
}

#[test]
fn a_counter_that_a_stream_waits_for_stays() {
    let _serial = start_checked();
    let (s, mut counter) = (stream(), null_mut());
    let mut wait = aclrtCntNotifyWaitInfo {
        mode: ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE,
        value: 1,
        timeout: 0,
        isClear: 0,
        rsv: [0; 3],
    };
    let mut record = aclrtCntNotifyRecordInfo {
        mode: ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE,
        value: 1,
    };
    check!(event.aclrtCntNotifyCreate(&mut counter, 0));
    check!(event.aclrtCntNotifyReset(counter, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(event.aclrtCntNotifyDestroy(counter));
    assert_eq!(take_findings(), []);
    check!(event.aclrtCntNotifyCreate(&mut counter, 0));
    check!(event.aclrtCntNotifyRecord(counter, s, &mut record));
    check!(event.aclrtCntNotifyWaitWithTimeout(counter, s, &mut wait));
    check!(event.aclrtCntNotifyDestroy(counter));
    found(
        "aclrtCntNotifyDestroy",
        "aclrtCntNotifyWaitWithTimeout",
        "aclrtCntNotifyCreate",
    );
    check!(stream.aclrtSynchronizeStream(s));
}
