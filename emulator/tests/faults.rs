//! Injected faults of every kind: in tasks, by chance, and permanent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{EmulatorConfig, Fault, api, configure};
use ascendcl_sys::*;

/// One test, because the emulator is configured once in a process.
#[test]
fn told_tasks_fail_once_told_calls_by_chance_and_a_lost_device_for_good() {
    let config = EmulatorConfig::default()
        .with_fault(
            Fault::new("aclrtMemsetAsync", ACL_ERROR_RT_TS_ERROR)
                .at(2)
                .in_task(),
        )
        .with_fault(Fault::new("aclrtMalloc", ACL_ERROR_RT_MEMORY_ALLOCATION).per_million(500_000))
        .with_fault(Fault::new("*", ACL_ERROR_RT_LOST_HEARTBEAT).from(60))
        .with_fault_seed(3);
    configure(config).unwrap();
    let api = api();
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);

    let mut answers = Vec::new();
    let mut memory: *mut c_void = ptr::null_mut();
    while answers.len() < 20 {
        let mut pointer = ptr::null_mut();
        // SAFETY: valid for a write.
        let code = unsafe { (api.memory.aclrtMalloc)(&mut pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST) };
        answers.push(code);
        if code == 0 {
            memory = pointer;
        }
    }
    let failed = answers
        .iter()
        .filter(|code| **code == ACL_ERROR_RT_MEMORY_ALLOCATION)
        .count();
    assert!((4..=16).contains(&failed), "{answers:?}");
    assert_eq!(
        failed + answers.iter().filter(|code| **code == 0).count(),
        20,
        "{answers:?}"
    );

    let mut stream = ptr::null_mut();
    // SAFETY: valid for a write.
    assert_eq!(unsafe { (api.stream.aclrtCreateStream)(&mut stream) }, 0);
    let synchronise = || {
        // SAFETY: a live stream.
        unsafe { (api.stream.aclrtSynchronizeStream)(stream) }
    };
    for value in [1, 2, 3] {
        // SAFETY: memory of 64 bytes, and a live stream.
        let code = unsafe {
            (api.memory.aclrtMemsetAsync)(memory, 64, value, 64 / value as usize, stream)
        };
        assert_eq!(code, 0, "the call itself succeeds");
    }
    assert_eq!(synchronise(), ACL_ERROR_RT_TS_ERROR);
    assert_eq!(synchronise(), 0, "a failure is told once");
    let mut bytes = [0u8; 64];
    let to = bytes.as_mut_ptr().cast();
    // SAFETY: 64 bytes on both sides.
    let code = unsafe { (api.memory.aclrtMemcpy)(to, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST) };
    assert_eq!(code, 0);
    assert_eq!(
        (bytes.first(), bytes.get(25)),
        (Some(&3), Some(&1)),
        "the second fill did nothing"
    );

    // SetDevice, 20 allocations, a stream, 3 fills, 2 waits and a copy.
    let mut calls = 28;
    while synchronise() == 0 {
        calls += 1;
    }
    assert_eq!(calls + 1, 60, "the call that was told is the first to fail");
    assert_eq!(synchronise(), ACL_ERROR_RT_LOST_HEARTBEAT);
    // SAFETY: allocated above.
    let code = unsafe { (api.memory.aclrtFree)(memory) };
    assert_eq!(code, ACL_ERROR_RT_LOST_HEARTBEAT);
    // SAFETY: takes no argument.
    let text = unsafe { (api.runtime.aclGetRecentErrMsg)() };
    assert!(!text.is_null(), "the text can still be read");
}
