//! Notifies that count, which only the product 950 has.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("counters");

fn counter() -> aclrtCntNotify {
    let mut counter = ptr::null_mut();
    check!(event.aclrtCntNotifyCreate(&mut counter, 0));
    counter
}

fn record(counter: aclrtCntNotify, mode: u32, value: u32, stream: aclrtStream) -> aclError {
    let mode = aclrtCntNotifyRecordMode(mode);
    let mut info = aclrtCntNotifyRecordInfo { mode, value };
    call!(event.aclrtCntNotifyRecord(counter, stream, &mut info))
}

/// Waits without a limit.
fn wait(
    counter: aclrtCntNotify,
    (mode, value, clears): (u32, u32, bool),
    stream: aclrtStream,
) -> aclError {
    let mut info = aclrtCntNotifyWaitInfo {
        mode: aclrtCntNotifyWaitMode(mode),
        value,
        timeout: 0,
        isClear: clears.into(),
        rsv: [0; 3],
    };
    call!(event.aclrtCntNotifyWaitWithTimeout(counter, stream, &mut info))
}

#[test]
fn a_wait_ends_when_its_comparison_is_met() {
    let _serial = start();
    let (a, b, counter) = (stream(), stream(), counter());
    // The number that the counter becomes from 6, and the comparison that 6 does not meet.
    for (change, until) in [
        ((0, 2), (0, 6)),
        ((0, 7), (1, 7)),
        ((1, 1), (2, 6)),
        ((1, 2), (3, 8)),
        ((2, 9), (4, 9)),
        ((4, 4), (1, 4)),
    ] {
        assert_eq!(record(counter, 0, 6, a), 0);
        check!(stream.aclrtSynchronizeStream(a));
        assert_eq!(wait(counter, (until.0, until.1, false), b), 0);
        assert_eq!(query(b), ACL_STREAM_STATUS_NOT_READY, "{until:?}");
        assert_eq!(record(counter, change.0, change.1, a), 0);
        check!(stream.aclrtSynchronizeStream(b));
    }
    // A wait can make the counter 0, and so does a reset.
    assert_eq!(wait(counter, (1, 4, true), b), 0);
    assert_eq!(wait(counter, (0, 1, false), b), 0);
    assert_eq!(record(counter, 0, 6, b), 0);
    check!(event.aclrtCntNotifyReset(counter, b));
    assert_eq!(wait(counter, (1, 0, false), b), 0);
    check!(stream.aclrtSynchronizeStream(b));
    check!(event.aclrtCntNotifyDestroy(counter));
}

#[test]
fn arguments_are_checked() {
    let _serial = start();
    let (s, mut counter) = (stream(), counter());
    let (none, mut id) = (ptr::null_mut(), 0);
    check!(107000, event.aclrtCntNotifyCreate(ptr::null_mut(), 0));
    check!(107000, event.aclrtCntNotifyCreate(&mut counter, 1));
    check!(107000, event.aclrtCntNotifyDestroy(none));
    check!(107000, event.aclrtCntNotifyReset(none, s));
    check!(107000, event.aclrtCntNotifyGetId(none, &mut id));
    check!(107000, event.aclrtCntNotifyGetId(counter, ptr::null_mut()));
    check!(
        100000,
        event.aclrtCntNotifyRecord(counter, s, ptr::null_mut())
    );
    check!(
        100000,
        event.aclrtCntNotifyWaitWithTimeout(counter, s, ptr::null_mut())
    );
    assert_eq!(record(none, 0, 1, s), 107000);
    assert_eq!(record(counter, 3, 1, s), 107000);
    assert_eq!(wait(counter, (5, 1, false), s), 107000);
    check!(event.aclrtCntNotifyGetId(counter, &mut id));
    check!(event.aclrtCntNotifyDestroy(counter));
    assert_eq!(record(counter, 0, 1, s), 100000);
}
