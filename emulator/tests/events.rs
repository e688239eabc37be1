//! The matrix of event kinds, waits and timeouts.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("events");

/// One row of the matrix, in the order of its columns.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    unrecorded: [i32; 5],
    synchronised_after_wait: i32,
    recorded: [i32; 7],
}

/// Runs the calls of the matrix on an event.
fn row(event: aclrtEvent) -> Row {
    let (stream, other) = (stream(), stream());
    let mut unrecorded_status = aclrtEventRecordedStatus(7);
    let mut status = aclrtEventRecordedStatus(7);
    let (mut ms, mut time) = (0.0, 0);
    let query = call!(event.aclrtQueryEventStatus(event, &mut unrecorded_status));
    let unrecorded = [
        query,
        unrecorded_status.0 as i32,
        call!(event.aclrtSynchronizeEvent(event)),
        call!(event.aclrtStreamWaitEvent(other, event)),
        call!(event.aclrtEventElapsedTime(&mut ms, event, event)),
    ];
    let synchronised_after_wait = call!(stream.aclrtSynchronizeStreamWithTimeout(other, 20));
    let record = call!(event.aclrtRecordEvent(event, stream));
    assert_eq!(call!(stream.aclrtSynchronizeStream(stream)), 0);
    let wait = call!(event.aclrtStreamWaitEvent(other, event));
    assert_eq!(call!(stream.aclrtSynchronizeStream(other)), 0);
    let synchronise = call!(event.aclrtSynchronizeEvent(event));
    let query = call!(event.aclrtQueryEventStatus(event, &mut status));
    assert!(query != 0 || status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    let recorded = [
        record,
        wait,
        synchronise,
        query,
        call!(event.aclrtEventElapsedTime(&mut ms, event, event)),
        call!(event.aclrtEventGetTimestamp(event, &mut time)),
        call!(event.aclrtResetEvent(event, stream)),
    ];
    check!(stream.aclrtDestroyStream(stream));
    check!(stream.aclrtDestroyStream(other));
    check!(event.aclrtDestroyEvent(event));
    Row {
        unrecorded,
        synchronised_after_wait,
        recorded,
    }
}

#[test]
fn no_event_has_the_time_zero() {
    let _serial = start();
    let (event, mut time) = (event_with(ACL_EVENT_TIME_LINE), 0);
    check!(event.aclrtRecordEvent(event, ptr::null_mut()));
    check!(event.aclrtSynchronizeEvent(event));
    check!(event.aclrtEventGetTimestamp(event, &mut time));
    // A device is started before the program.
    assert!(time > 0);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn the_matrix_of_kinds() {
    let _serial = start();
    let (sync, capture, time) = (
        ACL_EVENT_SYNC,
        ACL_EVENT_CAPTURE_STREAM_PROGRESS,
        ACL_EVENT_TIME_LINE,
    );
    let (no, untimed) = (207000, 107006);
    let expect = |unrecorded, synchronised_after_wait, recorded| Row {
        unrecorded,
        synchronised_after_wait,
        recorded,
    };
    let plain = expect([0, 0, 0, 107000, 507000], 0, [0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(row(event()), plain);
    let waits = |elapsed| expect([0, 0, 0, 0, 507000], 507046, [0, 0, 0, 0, elapsed, 0, 0]);
    let refuses = |elapsed| expect([0, 0, 0, no, 507000], 0, [0, no, 0, 0, elapsed, 0, no]);
    assert_eq!(row(event_with(sync)), waits(0));
    assert_eq!(row(event_with(capture)), refuses(untimed));
    assert_eq!(row(event_with(time)), refuses(0));
    assert_eq!(row(event_with(sync | time)), waits(0));
    assert_eq!(row(event_with(sync | capture)), waits(untimed));
    assert_eq!(row(event_with(sync | time | capture)), waits(0));
    let external = row(event_with(ACL_EVENT_EXTERNAL));
    assert_eq!(
        external,
        expect([no, 7, no, 0, no], 507046, [0, 0, no, no, no, no, 0])
    );
    let snapshot = |elapsed| expect([0, 1, 0, 0, 507000], 0, [0, 0, 0, 0, elapsed, 0, no]);
    let mark = |elapsed| expect([0, 1, 0, no, 507000], 0, [0, no, 0, 0, elapsed, 0, no]);
    assert_eq!(row(event_ex(sync)), snapshot(untimed));
    assert_eq!(row(event_ex(capture)), mark(untimed));
    assert_eq!(row(event_ex(time)), mark(0));
    assert_eq!(row(event_ex(sync | time)), snapshot(0));
    let mut out = ptr::null_mut();
    for wrong in [0, 0x80, sync | ACL_EVENT_EXTERNAL, ACL_EVENT_IPC] {
        check!(107000, event.aclrtCreateEventWithFlag(&mut out, wrong));
    }
    for wrong in [0, ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL] {
        check!(107000, event.aclrtCreateEventExWithFlag(&mut out, wrong));
    }
}

#[test]
fn events_do_not_run_out() {
    let _serial = start();
    // These are more events than a device has hardware events: an event of this kind takes hardware only when it is
    // recorded.
    let events: Vec<_> = (0..70_000).map(|_| event()).collect();
    for event in events {
        check!(event.aclrtDestroyEvent(event));
    }
}

#[test]
fn the_old_query_and_the_query_of_waits() {
    let _serial = start();
    let (event, ex, stream) = (
        event_with(ACL_EVENT_SYNC),
        event_ex(ACL_EVENT_SYNC),
        stream(),
    );
    let (mut status, mut waits) = (ACL_EVENT_STATUS_RESERVED, ACL_EVENT_WAIT_STATUS_RESERVED);
    check!(event.aclrtQueryEvent(event, &mut status));
    assert_eq!(status, ACL_EVENT_STATUS_COMPLETE, "before any record");
    check!(207000, event.aclrtQueryEvent(ex, &mut status));
    check!(207000, event.aclrtQueryEventWaitStatus(ex, &mut waits));
    check!(event.aclrtStreamWaitEvent(stream, event));
    check!(event.aclrtQueryEventWaitStatus(event, &mut waits));
    assert_eq!(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
    check!(event.aclrtRecordEvent(event, ptr::null_mut()));
    check!(stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtQueryEventWaitStatus(event, &mut waits));
    assert_eq!(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
    check!(event.aclrtDestroyEvent(event));
    check!(event.aclrtDestroyEvent(ex));
}

#[test]
fn a_record_is_outstanding_until_its_turn() {
    let _serial = start();
    let (stream, event) = (stream(), event());
    let gate = Gate::close(stream);
    check!(event.aclrtRecordEvent(event, stream));
    let mut status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    for _ in 0..5 {
        check!(event.aclrtQueryEventStatus(event, &mut status));
        assert_eq!(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
        assert_eq!(query(stream), ACL_STREAM_STATUS_NOT_READY);
    }
    check!(107006, event.aclrtEventElapsedTime(&mut 0.0, event, event));
    check!(507047, event.aclrtSynchronizeEventWithTimeout(event, 5));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(stream, 5));
    check!(507046, device.aclrtSynchronizeDeviceWithTimeout(5));
    for wrong in [0, -2] {
        check!(107000, event.aclrtSynchronizeEventWithTimeout(event, wrong));
        check!(
            107000,
            stream.aclrtSynchronizeStreamWithTimeout(stream, wrong)
        );
    }
    gate.open();
    check!(stream.aclrtSynchronizeStreamWithTimeout(stream, -1));
    check!(event.aclrtSynchronizeEventWithTimeout(event, -1));
    check!(event.aclrtEventElapsedTime(&mut 0.0, event, event));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_wait_follows_the_record_that_it_saw() {
    let _serial = start();
    let (a, b, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let (first, second) = (Gate::close(a), event_with(ACL_EVENT_SYNC));
    check!(event.aclrtRecordEvent(event, a));
    check!(event.aclrtStreamWaitEvent(b, event));
    // The event is recorded again behind a wait that does not end for now.
    check!(event.aclrtStreamWaitEvent(a, second));
    check!(event.aclrtRecordEvent(event, a));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(b, 5));
    first.open();
    check!(stream.aclrtSynchronizeStream(b));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(a, 5));
    check!(event.aclrtRecordEvent(second, b));
    check!(stream.aclrtSynchronizeStream(a));
    check!(event.aclrtDestroyEvent(event));
    check!(event.aclrtDestroyEvent(second));
}

#[test]
fn destroying_an_event_leaves_waits_in_order() {
    let _serial = start();
    for flags in [None, Some(ACL_EVENT_SYNC)] {
        let (a, b) = (stream(), stream());
        let event = flags.map_or_else(|| event_ex(ACL_EVENT_SYNC), event_with);
        let gate = Gate::close(a);
        check!(event.aclrtRecordEvent(event, a));
        check!(event.aclrtStreamWaitEvent(b, event));
        check!(event.aclrtDestroyEvent(event));
        check!(507046, stream.aclrtSynchronizeStreamWithTimeout(b, 5));
        gate.open();
        check!(stream.aclrtSynchronizeStream(b));
        check!(stream.aclrtDestroyStream(a));
        check!(stream.aclrtDestroyStream(b));
    }
    assert_eq!(take_violations(), []);
}

#[test]
fn a_wait_whose_event_is_gone_ends_with_a_report() {
    let _serial = start();
    let (stream, event) = (stream(), event_with(ACL_EVENT_SYNC));
    check!(event.aclrtStreamWaitEvent(stream, event));
    check!(event.aclrtDestroyEvent(event));
    check!(stream.aclrtSynchronizeStream(stream));
    let kinds: Vec<_> = take_violations()
        .into_iter()
        .map(|violation| violation.what)
        .collect();
    assert_eq!(kinds, [What::EventDestroyedWhileAwaited]);
}

#[test]
fn a_wait_with_a_timeout_gives_up_and_says_so() {
    let _serial = start();
    let (stream, event) = (stream(), event_with(ACL_EVENT_SYNC));
    check!(
        107000,
        event.aclrtStreamWaitEventWithTimeout(stream, event, -1)
    );
    check!(event.aclrtStreamWaitEventWithTimeout(stream, event, 1));
    check!(107020, stream.aclrtSynchronizeStream(stream));
    check!(stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn waits_without_a_timeout_take_that_of_the_process() {
    let _serial = start();
    let (stream, event) = (stream(), event_with(ACL_EVENT_SYNC));
    check!(event.aclrtSetOpWaitTimeout(1));
    check!(event.aclrtStreamWaitEvent(stream, event));
    check!(107020, stream.aclrtSynchronizeStream(stream));
    // A change affects only later waits, and an external event has no timeout.
    check!(event.aclrtStreamWaitEvent(stream, event));
    check!(event.aclrtSetOpWaitTimeout(0));
    check!(107020, stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtSetOpWaitTimeout(1));
    let external = event_with(ACL_EVENT_EXTERNAL);
    check!(event.aclrtStreamWaitEvent(stream, external));
    check!(event.aclrtSetOpWaitTimeout(0));
    check!(event.aclrtRecordEvent(external, ptr::null_mut()));
    check!(stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtDestroyEvent(external));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_flag_is_set_until_it_is_reset() {
    let _serial = start();
    let (stream, other, event) = (stream(), stream(), event_with(ACL_EVENT_SYNC));
    check!(event.aclrtRecordEvent(event, stream));
    check!(event.aclrtResetEvent(event, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtStreamWaitEvent(other, event));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(other, 5));
    check!(event.aclrtRecordEvent(event, stream));
    check!(stream.aclrtSynchronizeStream(other));
    check!(event.aclrtDestroyEvent(event));
}
