//! Collective communication of captured streams: each run of the graph makes it anew.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;
use common::capture;
use common::processes::*;
use common::ranks::*;
use common::*;

const PROGRAMS: [(&str, fn(Joining)); 1] = [("captured", captured_in_a_process)];

#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

/// Captures a sum over two ranks, and messages in both directions at once. Runs the graph beside the same calls.
fn runs(rank: Rank) {
    let Rank { comm, stream, .. } = rank;
    let own = rank.upload(&[1.0 + rank.rank as f32]);
    let (sums, other) = (rank.upload(&[0.0]), rank.upload(&[0.0]));
    let add = || {
        let sum = HCCL_REDUCE_SUM;
        let code = hccl!(HcclAllReduce(own, sums, 1, F32, sum, comm, stream));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
    };
    let item = |kind, buf| HcclSendRecvItem {
        sendRecvType: kind,
        buf,
        count: 1,
        dataType: F32,
        remoteRank: 1 - rank.rank,
    };
    let exchange = || {
        let mut items = [item(HCCL_SEND, own), item(HCCL_RECV, other)];
        let code = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
    };
    capture::begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    add();
    exchange();
    let graph = capture::end(stream);
    assert_eq!(rank.download(sums, 1), [0.0], "nothing has run");
    let execute = || {
        check!(graph.aclmdlRIExecuteAsync(graph, stream));
    };
    execute();
    assert_eq!(rank.wait(), 0, "{}", text());
    let [mine, theirs] = [1.0 + rank.rank as f32, 2.0 - rank.rank as f32];
    assert_eq!(rank.download(sums, 1), [3.0]);
    assert_eq!(rank.download(other, 1), [theirs]);
    // Runs and calls take their turns.
    let ten: Vec<u8> = (10.0 * mine).to_ne_bytes().into();
    upload(own, &ten);
    for turn in 0..4 {
        execute();
        if turn % 2 == 0 {
            add();
            exchange();
        }
    }
    assert_eq!(rank.wait(), 0, "{}", text());
    assert_eq!(rank.download(sums, 1), [30.0]);
    assert_eq!(rank.download(other, 1), [10.0 * theirs]);
    check!(graph.aclmdlRIDestroy(graph));
    rank.end(&[own, sums, other]);
}

#[test]
fn a_captured_operation_is_made_by_each_run() {
    let _serial = alone();
    on_ranks(2, runs);
    let found = take_findings();
    assert!(found.is_empty(), "{found:#?}");
}

fn captured_in_a_process(joining: Joining) {
    runs(joining.join());
    reset();
    expect_findings(&[]);
    nothing_is_left();
}

#[test]
fn ranks_of_several_processes_run_their_graphs() {
    let _serial = alone();
    run("captured", 2, &[]);
}

/// A graph does not keep its communicator.
#[test]
fn a_run_behind_the_end_of_the_communicator_fails() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let own = rank.upload(&[1.0]);
        capture::begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
        let sum = HCCL_REDUCE_SUM;
        let code = hccl!(HcclAllReduce(own, own, 1, F32, sum, comm, stream));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
        let graph = capture::end(stream);
        assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS);
        check!(graph.aclmdlRIExecuteAsync(graph, stream));
        assert_eq!(rank.wait(), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
        assert_eq!(rank.download(own, 1), [1.0]);
        check!(graph.aclmdlRIDestroy(graph));
        check!(memory.aclrtFree(own));
        check!(stream.aclrtDestroyStream(stream));
    });
    let found = take_findings();
    let texts: Vec<_> = found.iter().map(|found| found.text.as_str()).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("was destroyed before the run; call aclmdlRIDestroy first")),
        "{texts:#?}"
    );
}

/// The calls of a graph that is built by hand may be skipped, on this rank only.
#[test]
fn a_stream_whose_tasks_are_stored_by_hand_is_refused() {
    let _serial = alone();
    on_ranks(1, |rank| {
        let own = rank.upload(&[1.0]);
        let mut stored = ptr::null_mut();
        check!(stream.aclrtCreateStreamWithConfig(&mut stored, 0, ACL_STREAM_PERSISTENT));
        let code = hccl!(HcclBroadcast(own, 1, F32, 0, rank.comm, stored));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        assert_eq!(
            text(),
            "HcclBroadcast failed: the tasks of the stream are stored for an instance that is built by hand; \
             capture the stream of the communication instead"
        );
        check!(stream.aclrtDestroyStream(stored));
        rank.end(&[own]);
    });
}
