//! Functions that few public programs call.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("seldom");

fn start() -> Serial {
    let serial = serial(EmulatorConfig::default());
    check!(device.aclrtSetDevice(0));
    serial
}

/// Returns the code of a call on a thread without a context.
fn unbound(call: impl FnOnce() -> aclError + Send) -> aclError {
    std::thread::scope(|scope| scope.spawn(call).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[test]
fn the_time_of_operators_is_counted_in_steps() {
    let _serial = start();
    let (mut step, mut actual, mut ms) = (0, 0, 0);
    check!(runtime.aclrtGetOpTimeOutInterval(&mut step));
    assert!(step > 0);
    check!(runtime.aclrtSetOpExecuteTimeOut(1));
    check!(runtime.aclrtGetOpExecuteTimeout(&mut ms));
    assert_eq!(u64::from(ms), 1_000_000_u64.next_multiple_of(step) / 1000);
    for (asked, steps) in [(1, 1), (step, 1), (step + 1, 2), (u64::MAX, 254), (0, 254)] {
        check!(runtime.aclrtSetOpExecuteTimeOutV2(asked, &mut actual));
        assert_eq!(actual, steps * step, "{asked}");
    }
    check!(runtime.aclrtSetOpExecuteTimeOutWithMs(u32::MAX));
    check!(runtime.aclrtGetOpExecuteTimeout(&mut ms));
    assert_eq!(u64::from(ms), 254 * step / 1000);
    check!(100000, runtime.aclrtGetOpTimeOutInterval(ptr::null_mut()));
    check!(
        100000,
        runtime.aclrtSetOpExecuteTimeOutV2(1, ptr::null_mut())
    );
    check!(100000, runtime.aclrtGetOpExecuteTimeout(ptr::null_mut()));
    let code = unbound(|| call!(runtime.aclrtGetOpTimeOutInterval(&mut 0)));
    assert_eq!(code, 107002);
}
