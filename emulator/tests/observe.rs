//! The journal of calls, and calls that fail by injected faults.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ascendcl_emulator::{Call, EmulatorConfig, Fault, api, configure, journal};
use ascendcl_sys as sys;

/// One test, because the emulator is configured once in a process.
#[test]
fn a_told_call_fails_once_and_the_journal_has_every_call() {
    let config = EmulatorConfig::default()
        .with_fault(Fault::new(
            "aclrtSetDevice",
            sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR,
        ))
        .with_fault(Fault::new("aclrtMalloc", sys::ACL_ERROR_RT_MEMORY_ALLOCATION).at(2))
        .with_journal(true);
    configure(config).unwrap();
    let api = api();
    let (set, malloc, free) = (
        api.device.aclrtSetDevice,
        api.memory.aclrtMalloc,
        api.memory.aclrtFree,
    );
    // SAFETY: takes a number.
    assert_eq!(unsafe { set(0) }, sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    // SAFETY: takes no argument.
    let text = unsafe { (api.runtime.aclGetRecentErrMsg)() };
    // SAFETY: a NUL-terminated string that is valid until the next call.
    let text = unsafe { std::ffi::CStr::from_ptr(text) }.to_str().unwrap();
    assert!(text.contains("aclrtSetDevice: call 1 fails"), "{text}");
    // SAFETY: takes a number.
    assert_eq!(unsafe { set(0) }, 0);
    let mut pointers = [core::ptr::null_mut(); 3];
    let codes = pointers.each_mut().map(|pointer| {
        // SAFETY: valid for a write.
        unsafe { malloc(pointer, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST) }
    });
    assert_eq!(codes, [0, sys::ACL_ERROR_RT_MEMORY_ALLOCATION, 0]);
    assert!(!pointers[0].is_null() && pointers[1].is_null() && !pointers[2].is_null());
    // SAFETY: allocated above.
    assert_eq!(unsafe { free(pointers[0]) }, 0);
    // SAFETY: allocated above.
    assert_eq!(unsafe { free(pointers[2]) }, 0);

    let lines: Vec<String> = journal().iter().map(Call::to_string).collect();
    assert_eq!(
        lines,
        [
            "aclrtSetDevice -> 507899 (ACL_ERROR_RT_DRV_INTERNAL_ERROR)",
            "aclGetRecentErrMsg",
            "aclrtSetDevice",
            "aclrtMalloc",
            "aclrtMalloc -> 207001 (ACL_ERROR_RT_MEMORY_ALLOCATION)",
            "aclrtMalloc",
            "aclrtFree",
            "aclrtFree",
        ]
    );
}
