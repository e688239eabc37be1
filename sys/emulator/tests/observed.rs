//! What the production runtime was seen to answer where its documents say something else, or nothing: codes,
//! limits and values that stand in no other table.

#[macro_use]
mod common;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("observed");

fn start() -> Serial {
    let serial = serial(EmulatorConfig::default());
    check!(device.aclrtSetDevice(0));
    serial
}

#[test]
fn without_a_context_there_is_always_a_text() {
    let _serial = start();
    let thread = std::thread::spawn(|| {
        let unbound = text();
        assert!(unbound.contains("No valid context is bound"), "{unbound}");
        // Not null, and no text of a call that nobody made.
        assert_eq!(text(), unbound);
        assert_eq!(call!(device.aclrtSetDevice(99)), 107001);
        let refused = text();
        assert!(refused.contains("there is no device 99"), "{refused}");
        assert!(refused.ends_with(&unbound), "{refused}");
        assert_eq!(text(), unbound, "the call's own text was read");
        assert_eq!(
            call!(runtime.aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)),
            107001
        );
        // A thread with a device is told what its calls left, and nothing else.
        assert_eq!(call!(device.aclrtSetDevice(99)), 107001);
        check!(device.aclrtSetDevice(0));
        let refused = text();
        assert!(refused.contains("there is no device 99"), "{refused}");
        assert!(!refused.contains("No valid context"), "{refused}");
        assert_eq!(text(), "");
        check!(device.aclrtResetDevice(0));
    });
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
