//! Collective communication: parts of ranks that fail because the configuration says so.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::sync::Mutex;

use ascendcl_emulator::{Check, EmulatorConfig, Fault, take_findings};
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

const FAILED: aclError = ACL_ERROR_RT_AICORE_EXCEPTION;

/// The first part of a rank in a sum fails.
fn config() -> Serial {
    let fault = Fault::new("HcclAllReduce", FAILED).in_task();
    let config = EmulatorConfig::default()
        .with_devices(2)
        .with_check(Check::Collect)
        .with_fault(fault);
    let serial = serial(config);
    let _ = take_findings();
    serial
}

fn sum(rank: Rank, memory: *mut c_void) {
    let Rank { comm, stream, .. } = rank;
    let code = hccl!(HcclAllReduce(
        memory,
        memory,
        2,
        F32,
        HCCL_REDUCE_SUM,
        comm,
        stream
    ));
    assert_eq!(code, HCCL_SUCCESS, "{}", text());
}

#[test]
fn a_part_that_fails_ends_the_operation_on_each_rank() {
    let _serial = config();
    let codes = Mutex::new(Vec::new());
    on_ranks(2, |rank| {
        let memory = rank.upload(&[1.0, 2.0]);
        sum(rank, memory);
        let code = rank.wait();
        let mut error = HCCL_SUCCESS;
        let asked = hccl!(HcclGetCommAsyncError(rank.comm, &raw mut error));
        assert_eq!(asked, HCCL_SUCCESS);
        codes.lock().expect("no panic").push((code, error.0));
        rank.end(&[memory]);
    });
    let mut codes = codes.into_inner().expect("no panic");
    codes.sort_unstable();
    // The rank whose part fails, and the one that waits for it; or one that fails when the sum is there, and the other one has it.
    let gone = HCCL_E_REMOTE.0;
    let waits = [(FAILED, gone), (ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, gone)];
    let is_late = codes == [(ACL_SUCCESS, HCCL_SUCCESS.0), (FAILED, HCCL_SUCCESS.0)];
    assert!(codes == waits || is_late, "{codes:?}");
    assert_eq!(take_findings(), []);
}
