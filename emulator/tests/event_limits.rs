//! The largest number of events. The test makes as many calls, which are slow under the checker, so the checker stays
//! off.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_sys::*;
use common::*;

/// The number of hardware events of a device.
const HARDWARE_EVENTS: usize = 65_535;

#[test]
fn events_for_order_do_not_run_out() {
    let _serial = start();
    let s = stream();
    let events: Vec<_> = (0..70_000)
        .map(|_| {
            let event = event_ex(ACL_EVENT_SYNC);
            check!(event.aclrtRecordEvent(event, s));
            event
        })
        .collect();
    check!(stream.aclrtSynchronizeStream(s));
    for event in events {
        check!(event.aclrtDestroyEvent(event));
    }
}

#[test]
fn plain_events_run_out_when_they_are_recorded() {
    let _serial = start();
    let s = stream();
    let mut events: Vec<_> = (0..HARDWARE_EVENTS + 2).map(|_| event()).collect();
    let last = [
        events.pop().unwrap_or(ptr::null_mut()),
        events.pop().unwrap_or_default(),
    ];
    for event in &events {
        check!(event.aclrtRecordEvent(*event, s));
    }
    // A second record of an event takes no second hardware event.
    check!(event.aclrtRecordEvent(events.pop().unwrap_or(ptr::null_mut()), s));
    let [one, other] = last;
    check!(207007, event.aclrtRecordEvent(one, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(207007, event.aclrtRecordEvent(one, s));
    let freed = events.pop().unwrap_or(ptr::null_mut());
    check!(event.aclrtDestroyEvent(freed));
    check!(event.aclrtRecordEvent(one, s));
    check!(207007, event.aclrtRecordEvent(other, s));
    // Another device has its own hardware events, and a reset frees them.
    check!(device.aclrtSetDevice(1));
    let event = event();
    check!(event.aclrtRecordEvent(event, ptr::null_mut()));
    check!(event.aclrtDestroyEvent(event));
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtResetDeviceForce(0));
    check!(device.aclrtSetDevice(0));
    check!(event.aclrtRecordEvent(self::event(), ptr::null_mut()));
}

#[test]
fn events_that_streams_wait_for_run_out_when_they_are_created() {
    let _serial = start();
    let mut events: Vec<_> = (0..HARDWARE_EVENTS)
        .map(|_| event_with(ACL_EVENT_SYNC))
        .collect();
    let mut out = ptr::null_mut();
    check!(
        207007,
        event.aclrtCreateEventWithFlag(&mut out, ACL_EVENT_SYNC)
    );
    check!(event.aclrtDestroyEvent(events.pop().unwrap_or(ptr::null_mut())));
    events.push(event_with(ACL_EVENT_SYNC));
    for event in events {
        check!(event.aclrtDestroyEvent(event));
    }
}
