//! Both phases of an operator belong to the context of its tensors: what the checker reports about others.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ptr::null_mut;

use ascendcl_emulator::{Mistake, take_findings, take_violations};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Prepares `numbers = max(numbers, 0)`, and returns the size of the workspace.
fn prepare(numbers: &Tensor) -> (u64, *mut aclOpExecutor) {
    let (mut size, mut executor) = (0, null_mut());
    let numbers = numbers.handle;
    check!(op.aclnnInplaceReluGetWorkspaceSize(numbers, &mut size, &mut executor));
    (size, executor)
}

/// Returns the findings, each with the call at which it was noticed.
fn found() -> Vec<(Mistake, String)> {
    let _ = take_violations();
    let findings = take_findings().into_iter();
    let call = |finding: &ascendcl_emulator::Finding| finding.calls[0].1.call.clone();
    findings.map(|one| (one.mistake, call(&one))).collect()
}

#[test]
fn a_first_phase_on_memory_of_another_device_is_found() {
    let _serial = start_checked();
    let numbers = tensor(ACL_FLOAT, &[4], &[1.0; 4]);
    let (_, executor) = prepare(&numbers);
    check!(op.aclDestroyAclOpExecutor(executor));
    assert_eq!(found(), []);
    check!(device.aclrtSetDevice(1));
    let (_, executor) = prepare(&numbers);
    check!(op.aclDestroyAclOpExecutor(executor));
    let expected = (Mistake::OtherContext, "aclnnInplaceRelu".to_owned());
    assert_eq!(found(), [expected]);
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtSetDevice(0));
}

#[test]
fn a_second_phase_in_another_context_than_the_first_is_found() {
    let _serial = start_checked();
    let numbers = tensor(ACL_FLOAT, &[4], &[1.0; 4]);
    let (mut first, mut second) = (null_mut(), null_mut());
    check!(context.aclrtGetCurrentContext(&mut first));
    let (size, executor) = prepare(&numbers);
    check!(context.aclrtCreateContext(&mut second, 0));
    let other = stream();
    let room = workspace(size);
    check!(op.aclnnInplaceRelu(room, size, executor, other));
    check!(stream.aclrtSynchronizeStream(other));
    let expected = (Mistake::OtherContext, "aclnnInplaceRelu".to_owned());
    assert_eq!(found(), [expected]);
    // Both phases in the second context, on memory of the same device.
    let (size, executor) = prepare(&numbers);
    check!(op.aclnnInplaceRelu(room, size, executor, other));
    check!(stream.aclrtSynchronizeStream(other));
    check!(stream.aclrtDestroyStream(other));
    check!(context.aclrtDestroyContext(second));
    check!(context.aclrtSetCurrentContext(first));
    check!(memory.aclrtFree(room));
    assert_eq!(found(), []);
}
