//! The checker on task groups: an update changes an operator in the order of its stream.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::operator::multiply;
use common::*;

/// An instance that waits for an event and then multiplies.
struct Waiting {
    instance: aclmdlRI,
    group: aclrtTaskGrp,
    go: aclrtEvent,
    stream: aclrtStream,
}

impl Waiting {
    fn capture(left: *mut c_void, out: *mut c_void) -> Waiting {
        let (go, stream) = (event_with(ACL_EVENT_EXTERNAL), stream());
        let (mut group, mut instance) = (ptr::null_mut(), ptr::null_mut());
        check!(graph.aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
        check!(event.aclrtStreamWaitEvent(stream, go));
        check!(event.aclrtResetEvent(go, stream));
        check!(graph.aclmdlRICaptureTaskGrpBegin(stream));
        assert_eq!(multiply(left, left, out, stream), 0);
        check!(graph.aclmdlRICaptureTaskGrpEnd(stream, &mut group));
        check!(graph.aclmdlRICaptureEnd(stream, &mut instance));
        Waiting {
            instance,
            group,
            go,
            stream,
        }
    }

    fn run(&self) {
        check!(graph.aclmdlRIExecuteAsync(self.instance, self.stream));
    }

    fn update(&self, left: *mut c_void, out: *mut c_void, on: aclrtStream) {
        check!(graph.aclmdlRICaptureTaskUpdateBegin(on, self.group));
        assert_eq!(multiply(left, left, out, on), 0);
        check!(graph.aclmdlRICaptureTaskUpdateEnd(on));
    }

    /// Lets a run continue after the tasks of a stream.
    fn go(&self, on: aclrtStream) {
        check!(event.aclrtRecordEvent(self.go, on));
    }

    fn end(self) {
        check!(stream.aclrtSynchronizeStream(self.stream));
        check!(graph.aclmdlRIDestroy(self.instance));
        check!(event.aclrtDestroyEvent(self.go));
        check!(stream.aclrtDestroyStream(self.stream));
    }
}

/// Starts a test with three initialised pieces of memory.
fn start() -> (Serial, [*mut c_void; 3]) {
    let serial = start_checked();
    let memory = [(); 3].map(|()| malloc(32));
    for memory in memory {
        upload(memory, &[0; 32]);
    }
    (serial, memory)
}

#[test]
fn a_run_that_waits_uses_what_its_operator_was_exchanged_for() {
    let (_serial, [old, new, out]) = start();
    let (update, waiting) = (stream(), Waiting::capture(old, out));
    waiting.run();
    waiting.update(new, out, update);
    // No task reads it any more.
    check!(memory.aclrtFree(old));
    assert_eq!(take_findings(), []);
    check!(memory.aclrtFree(new));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::FreedInUse);
    waiting.go(update);
    let _ = call!(stream.aclrtSynchronizeStream(waiting.stream));
    waiting.end();
}

#[test]
fn a_run_before_the_turn_of_an_update_is_judged_by_what_was() {
    let (_serial, [old, new, out]) = start();
    let (update, other, waiting) = (stream(), stream(), Waiting::capture(old, out));
    let gate = Gate::close(update);
    waiting.update(new, out, update);
    waiting.run();
    waiting.go(other);
    // The waiting run does not access it.
    check!(memory.aclrtMemsetAsync(new, 32, 1, 32, other));
    assert_eq!(take_findings(), []);
    check!(stream.aclrtSynchronizeStream(waiting.stream));
    check!(stream.aclrtSynchronizeStream(other));
    gate.open();
    check!(stream.aclrtSynchronizeStream(update));
    waiting.run();
    waiting.go(update);
    // This run reads it.
    check!(memory.aclrtMemsetAsync(new, 32, 2, 32, other));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::Unordered);
    check!(stream.aclrtSynchronizeStream(other));
    waiting.end();
}
