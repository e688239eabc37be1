//! A device that is lost with its queued work, and usable again after a reset.

#[macro_use]
mod common;

use std::ptr;
use std::thread;

use ascendcl_emulator::{Check, EmulatorConfig, Fault, api, faults_struck, take_findings};
use ascendcl_sys::*;
use common::*;

const LOST: aclError = ACL_ERROR_RT_LOST_HEARTBEAT;

/// Asserts the status of a call that is counted. The other calls of this file use a table without faults.
macro_rules! counted {
    ($code:expr, $area:ident.$name:ident($($arg:expr),*)) => {{
        let function = api().$area.$name;
        // SAFETY: the test passes live objects.
        let code = unsafe { function($($arg),*) };
        assert_eq!(code, $code, stringify!($name));
    }};
}

/// One test, because the calls are counted.
#[test]
fn a_lost_device_is_usable_after_some_calls_or_a_reset() {
    let config = EmulatorConfig::default()
        .with_check(Check::Collect)
        .with_fault(Fault::new("*", LOST).from(2).heals_after(3))
        .with_fault(Fault::new("*", LOST).from(9).heals_by_reset());
    let _serial = start_with(config);
    let (s, idle, event, memory) = (stream(), stream(), event(), malloc(64));
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, ACL_NOTIFY_DEFAULT));
    let never = || check!(event.aclrtWaitAndResetNotify(notify, s, 0));
    never();
    counted!(0, memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    for _ in 0..3 {
        counted!(LOST, event.aclrtRecordEvent(event, s));
    }
    assert_eq!(faults_struck(), 3);
    // The work is lost, and that is told once. A stream without work has lost none.
    counted!(LOST, stream.aclrtSynchronizeStream(s));
    counted!(0, stream.aclrtSynchronizeStream(s));
    counted!(0, stream.aclrtSynchronizeStream(idle));
    assert_eq!(copy_async(memory, memory.wrapping_byte_add(32), 8, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    counted!(0, stream.aclrtSynchronizeStream(s));

    // A wait on another thread runs when the device is lost.
    never();
    assert_eq!(copy_async(memory, memory.wrapping_byte_add(32), 8, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (context, handle, awaited) = (context.addr(), s.addr(), event.addr());
    let waits: [fn(usize, usize) -> aclError; 2] = [
        |stream, _| call!(stream.aclrtSynchronizeStream(ptr::without_provenance_mut(stream))),
        |_, event| call!(event.aclrtSynchronizeEvent(ptr::without_provenance_mut(event))),
    ];
    let waiting = waits.map(|wait| {
        thread::spawn(move || {
            check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(context)));
            wait(handle, awaited)
        })
    });
    counted!(LOST, stream.aclrtSynchronizeStream(s));
    let told = waiting.map(|one| one.join().ok());
    // One that begins later meets the failure, and the event is over.
    assert!(told.contains(&Some(LOST)), "{told:?}");
    for _ in 0..3 {
        counted!(LOST, device.aclrtSetDevice(0));
    }
    counted!(0, device.aclrtResetDevice(0));
    counted!(0, device.aclrtSetDevice(0));
    check!(stream.aclrtSynchronizeStream(stream()));
    // The reset has met no work, as far as the checker knows: no wait could have told the program.
    let found: Vec<String> = take_findings().iter().map(ToString::to_string).collect();
    assert!(
        !found.iter().any(|one| one.contains("aclrtMemcpyAsync")),
        "{found:?}"
    );
}
