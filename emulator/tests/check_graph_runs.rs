//! The checker on two runs of one graph: the runtime promises nothing for two at once.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::capture::{begin, end, fill, fork};
use common::*;

/// Captures a fill of some memory.
fn captured_fill(memory: *mut c_void, stream: aclrtStream) -> aclmdlRI {
    begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    assert_eq!(fill(memory, 1, stream), 0);
    end(stream)
}

fn run(instance: aclmdlRI, stream: aclrtStream) {
    check!(graph.aclmdlRIExecuteAsync(instance, stream));
}

/// Takes the only finding, which is for two runs. Returns its text.
fn unordered() -> String {
    let findings = take_findings();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let finding = &findings[0];
    assert_eq!(finding.mistake, Mistake::UnorderedRuns, "{finding}");
    let calls = finding.calls.iter();
    let calls: Vec<_> = calls
        .map(|(part, issued)| (*part, issued.call.as_str()))
        .collect();
    let expected = [
        ("run", "aclmdlRIExecuteAsync"),
        ("other", "aclmdlRIExecuteAsync"),
        ("created", "aclmdlRICaptureBegin"),
    ];
    assert_eq!(calls, expected);
    finding.text.clone()
}

#[test]
fn runs_on_one_stream_are_in_order() {
    let _serial = start_checked();
    let (s, memory) = (stream(), malloc(64));
    let instance = captured_fill(memory, s);
    for _ in 0..3 {
        run(instance, s);
    }
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(instance));
    assert_eq!(take_findings(), []);
}

#[test]
fn runs_on_two_streams_need_an_order() {
    let _serial = start_checked();
    let (one, two, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let memory = malloc(64);
    let instance = captured_fill(memory, one);
    run(instance, one);
    // A wait of the host, or of the second stream, is an order.
    check!(stream.aclrtSynchronizeStream(one));
    run(instance, two);
    fork(event, two, one);
    run(instance, one);
    assert_eq!(take_findings(), []);
    // An event in front of the run is none.
    check!(stream.aclrtSynchronizeStream(one));
    check!(event.aclrtRecordEvent(event, one));
    run(instance, one);
    check!(event.aclrtStreamWaitEvent(two, event));
    run(instance, two);
    let text = unordered();
    assert!(text.contains("may not be over"), "{text}");
    // The default stream is a stream like any other one.
    check!(stream.aclrtSynchronizeStream(two));
    check!(stream.aclrtSynchronizeStream(one));
    run(instance, one);
    run(instance, ptr::null_mut());
    unordered();
    for stream in [one, two, ptr::null_mut()] {
        check!(stream.aclrtSynchronizeStream(stream));
    }
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(event));
    assert_eq!(take_findings(), []);
}

#[test]
fn runs_of_two_graphs_are_independent() {
    let _serial = start_checked();
    let (one, two) = (stream(), stream());
    let instances = [one, two].map(|stream| captured_fill(malloc(64), stream));
    for (instance, stream) in instances.into_iter().zip([one, two]) {
        run(instance, stream);
    }
    for (instance, stream) in instances.into_iter().zip([one, two]) {
        check!(stream.aclrtSynchronizeStream(stream));
        check!(graph.aclmdlRIDestroy(instance));
    }
    assert_eq!(take_findings(), []);
}

#[test]
fn a_run_that_waits_for_a_later_record_is_judged_when_it_can_begin() {
    let _serial = start_checked();
    let (one, two) = (stream(), stream());
    let (flag, memory) = (event_with(ACL_EVENT_SYNC), malloc(64));
    let instance = captured_fill(memory, one);
    check!(event.aclrtStreamWaitEvent(one, flag));
    run(instance, one);
    assert_eq!(take_findings(), []);
    // Both runs follow the record, and nothing else orders them.
    check!(event.aclrtRecordEvent(flag, two));
    run(instance, two);
    unordered();
    for stream in [one, two] {
        check!(stream.aclrtSynchronizeStream(stream));
    }
    check!(graph.aclmdlRIDestroy(instance));
    check!(event.aclrtDestroyEvent(flag));
}
