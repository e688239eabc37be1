//! Aborts that fail half-way or take longer, because of injected faults.

#[macro_use]
mod common;

use std::ptr;
use std::thread;

use ascendcl_emulator::{Clock, EmulatorConfig, Fault, faults_struck};
use ascendcl_sys::*;
use common::*;

const ABORTED: aclError = ACL_ERROR_RT_STREAM_ABORT;
const FAILED: aclError = ACL_ERROR_RT_DRV_INTERNAL_ERROR;

/// One test, because the aborts are counted.
#[test]
fn an_abort_that_fails_or_lasts_leaves_its_stream_aborted() {
    let config = EmulatorConfig::default()
        .with_clock(Clock::Still)
        .with_fault(Fault::hang("aclrtMemsetAsync"))
        .with_fault(Fault::half_abort(FAILED).at(2))
        .with_fault(Fault::slow_abort(100).at(4));
    let _serial = start_with(config);
    let (s, other, event, memory) = (stream(), stream(), event(), malloc(64));
    check!(stream.aclrtStreamAbort(other));

    // Half-way: waits return at once, submissions fail, and nothing ends.
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    check!(event.aclrtRecordEvent(event, s));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(s, 1));
    check!(FAILED, stream.aclrtStreamAbort(s));
    for _ in 0..2 {
        check!(ABORTED, stream.aclrtSynchronizeStream(s));
        check!(ABORTED, stream.aclrtSynchronizeStreamWithTimeout(s, 1));
        check!(ABORTED, event.aclrtSynchronizeEvent(event));
        check!(ABORTED, device.aclrtSynchronizeDevice());
        assert_eq!(copy_async(memory, memory, 8, s), ABORTED);
        check!(ABORTED, event.aclrtRecordEvent(event, s));
    }
    // The other streams go on.
    assert_eq!(
        copy_async(memory, memory.wrapping_byte_add(32), 8, other),
        0
    );
    check!(stream.aclrtSynchronizeStream(other));
    // An abort that succeeds makes the stream usable.
    check!(stream.aclrtStreamAbort(s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(copy_async(memory, memory.wrapping_byte_add(32), 8, s), 0);
    check!(stream.aclrtSynchronizeStream(s));

    // Slow: what is queued meanwhile does nothing, and waits report the abort.
    upload(memory, &[1; 64]);
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (handle, context) = (s.addr(), context.addr());
    let struck = faults_struck();
    let aborting = thread::spawn(move || {
        check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(context)));
        check!(stream.aclrtStreamAbort(ptr::without_provenance_mut(handle)));
    });
    while faults_struck() == struck {
        thread::yield_now();
    }
    let mut meanwhile = 0;
    while !aborting.is_finished() {
        let code = call!(stream.aclrtSynchronizeStream(s));
        meanwhile += usize::from(code == ABORTED);
        assert!([0, ABORTED].contains(&code), "{code}");
    }
    assert!(aborting.join().is_ok());
    assert!(meanwhile > 0, "no wait ran during the abort");
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(copy_async(memory, memory.wrapping_byte_add(32), 8, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(faults_struck(), 3);
}
