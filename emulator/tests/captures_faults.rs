//! Captures whose end fails because of an injected fault.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::{Check, EmulatorConfig, Fault, api, faults_struck, take_findings};
use ascendcl_sys::*;
use common::capture::{begin, end, fill, fork, info};
use common::*;

const RELAXED: aclmdlRICaptureMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

/// One test, because the emulator is configured once in a process.
#[test]
fn a_capture_is_lost_when_its_end_fails() {
    let code = ACL_ERROR_RT_STREAM_NO_CB_REG;
    let fault = |nth| Fault::new("aclmdlRICaptureEnd", code).at(nth);
    let config = EmulatorConfig::default().with_check(Check::Collect);
    let _serial = start_with((1..=4).map(fault).fold(config, EmulatorConfig::with_fault));
    let (one, two, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let memory = malloc(64);
    upload(memory, &[7; 64]);
    let end_fails = |stream, is_lost| {
        let mut instance = ptr::dangling_mut();
        // SAFETY: a live stream, and a place for the answer.
        let answer = unsafe { (api().graph.aclmdlRICaptureEnd)(stream, &mut instance) };
        assert_eq!((answer, instance.is_null()), (code, is_lost));
    };

    // A stream that is not captured has nothing to lose.
    end_fails(one, false);
    begin(one, RELAXED);
    fork(event, one, two);
    assert_eq!(fill(memory, 1, two), 0);
    let (mut status, mut lost) = (ACL_MODEL_RI_CAPTURE_STATUS_NONE, ptr::null_mut());
    check!(graph.aclmdlRICaptureGetInfo(one, &mut status, &mut lost));
    // The check of the stream fails before, so the capture goes on.
    end_fails(two, false);
    assert_eq!(info(one), (ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, true));
    end_fails(one, true);
    for stream in [one, two] {
        assert_eq!(info(stream), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, false));
    }
    check!(107017, graph.aclmdlRIExecuteAsync(lost, one));
    let _ = take_findings();

    // Both streams are as before, and a group that was open is gone.
    begin(two, RELAXED);
    check!(graph.aclmdlRICaptureTaskGrpBegin(two));
    end_fails(two, true);
    for stream in [one, two] {
        check!(stream.aclrtSynchronizeStream(stream));
        assert_eq!(download(memory, 1), [7]);
        begin(stream, RELAXED);
        assert_eq!(fill(memory, 8, stream), 0);
        let instance = end(stream);
        check!(graph.aclmdlRIExecuteAsync(instance, stream));
        check!(stream.aclrtSynchronizeStream(stream));
        assert_eq!(download(memory, 1), [8]);
        upload(memory, &[7; 64]);
        check!(graph.aclmdlRIDestroy(instance));
        check!(stream.aclrtDestroyStream(stream));
    }
    check!(event.aclrtDestroyEvent(event));
    check!(memory.aclrtFree(memory));
    assert_eq!((faults_struck(), take_findings()), (4, Vec::new()));
}
