//! Executors that run several times: new addresses, the order of the checks, and what runs once only.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr::null_mut;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Makes an executor of `out = left * right`.
fn product(left: &Tensor, right: &Tensor, out: &Tensor) -> (u64, *mut aclOpExecutor) {
    let (mut size, mut executor) = (0, null_mut());
    let [left, right, out] = [left, right, out].map(|one| one.handle);
    check!(op.aclnnMulGetWorkspaceSize(left, right, out, &mut size, &mut executor));
    (size, executor)
}

#[test]
fn a_repeatable_executor_reads_the_addresses_in_each_run() {
    let _serial = start_checked();
    let numbers = |values: &[f64]| tensor(ACL_INT32, &[2], values);
    let (one, two) = (numbers(&[1.0, 2.0]), numbers(&[3.0, 4.0]));
    let (out, other) = (room(ACL_INT32, &[2]), room(ACL_INT32, &[2]));
    let (size, executor) = product(&one, &one, &out);
    check!(op.aclSetAclOpExecutorRepeatable(executor));
    let run = || {
        check!(op.aclnnMul(workspace(size), size, executor, null_mut()));
        check!(stream.aclrtSynchronizeStream(null_mut()));
    };
    run();
    assert_eq!(out.values(), [1.0, 4.0]);
    // The same tensor is both operands, so one call moves both.
    check!(op.aclSetInputTensorAddr(executor, 1, one.handle, two.memory));
    check!(op.aclSetOutputTensorAddr(executor, 0, out.handle, other.memory));
    run();
    assert_eq!(other.values(), [9.0, 16.0]);
    assert_eq!(out.values(), [1.0, 4.0]);
    // The number of the tensor is compared with nothing, as in CANN.
    check!(op.aclSetTensorAddr(executor, 99, out.handle, out.memory));
    run();
    assert_eq!(out.values(), [9.0, 16.0]);
    // The addresses are in the tensors, which live as long as the executor runs.
    check!(op.aclDestroyTensor(one.handle));
    check!(
        161002,
        op.aclnnMul(workspace(size), size, executor, null_mut())
    );
    assert!(
        text().contains("the tensor self was destroyed"),
        "{}",
        text()
    );
    check!(op.aclDestroyAclOpExecutor(executor));
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::UsedAfterDestroy]);
}

#[test]
fn an_executor_that_runs_once_reads_the_addresses_too() {
    let _serial = start_checked();
    let numbers = |values: &[f64]| tensor(ACL_INT32, &[2], values);
    let (one, two) = (numbers(&[1.0, 2.0]), numbers(&[3.0, 4.0]));
    let (out, other) = (room(ACL_INT32, &[2]), room(ACL_INT32, &[2]));
    let run = |executor, size| {
        let code = call!(op.aclnnMul(workspace(size), size, executor, null_mut()));
        check!(stream.aclrtSynchronizeStream(null_mut()));
        code
    };
    let (size, executor) = product(&one, &two, &out);
    check!(op.AclSetInputTensorAddr(executor, 0, one.handle, two.memory));
    check!(op.AclSetOutputTensorAddr(executor, 0, out.handle, other.memory));
    assert_eq!((run(executor, size), other.values()), (0, vec![9.0, 16.0]));
    assert_eq!(out.values(), [7.0, 7.0]);
    // The first phase takes a tensor without an address.
    check!(op.aclSetRawTensorAddr(out.handle, null_mut()));
    let (size, executor) = product(&one, &two, &out);
    check!(op.AclSetTensorAddr(executor, 2, out.handle, out.memory));
    assert_eq!((run(executor, size), out.values()), (0, vec![9.0, 16.0]));
    // The second phase does not.
    check!(op.aclSetRawTensorAddr(one.handle, null_mut()));
    let (size, executor) = product(&one, &two, &out);
    assert_eq!(run(executor, size), 107000);
    assert!(text().contains("aclnnMul"), "{}", text());
    // A tensor that is gone was where it was in the first phase.
    let (size, executor) = product(&two, &two, &out);
    check!(op.aclDestroyTensor(two.handle));
    assert_eq!((run(executor, size), out.values()), (0, vec![9.0, 16.0]));
    assert_eq!(take_findings(), []);
}

#[test]
fn elements_of_lists_have_addresses_too() {
    let _serial = start_checked();
    let numbers = |values: &[f64]| tensor(ACL_INT32, &[2], values);
    let (one, two, three) = (
        numbers(&[1.0, 2.0]),
        numbers(&[3.0, 4.0]),
        numbers(&[5.0, 6.0]),
    );
    let out = room(ACL_INT32, &[4]);
    let handles = [one.handle.cast_const(), two.handle.cast_const()];
    let list = call!(op.aclCreateTensorList(handles.as_ptr(), 2));
    let (mut size, mut executor) = (0, null_mut());
    check!(op.aclnnCatGetWorkspaceSize(list, 0, out.handle, &mut size, &mut executor));
    check!(op.aclSetAclOpExecutorRepeatable(executor));
    check!(op.aclSetDynamicInputTensorAddr(executor, 0, 1, list, three.memory));
    check!(op.aclnnCat(workspace(size), size, executor, null_mut()));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [1.0, 2.0, 5.0, 6.0]);
    check!(op.aclSetDynamicTensorAddr(executor, 0, 0, list, two.memory));
    check!(op.aclnnCat(workspace(size), size, executor, null_mut()));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [3.0, 4.0, 5.0, 6.0]);
    // Null, then the place in the list, then the executor.
    check!(
        561103,
        op.aclSetDynamicInputTensorAddr(null_mut(), 0, 9, null_mut(), null_mut())
    );
    check!(
        161002,
        op.aclSetDynamicOutputTensorAddr(null_mut(), 0, 2, list, null_mut())
    );
    check!(
        561103,
        op.aclSetDynamicTensorAddr(null_mut(), 0, 1, list, one.memory)
    );
    // The address was stored before the executor was looked at.
    check!(op.aclnnCat(workspace(size), size, executor, null_mut()));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(out.values(), [3.0, 4.0, 1.0, 2.0]);
    check!(op.aclDestroyAclOpExecutor(executor));
    assert_eq!(take_findings(), []);
}

#[test]
fn addresses_are_checked_in_the_order_of_cann() {
    let _serial = start_checked();
    let (one, two) = (room(ACL_INT32, &[2]), room(ACL_INT32, &[2]));
    let out = room(ACL_INT32, &[2]);
    check!(
        561103,
        op.aclSetInputTensorAddr(null_mut(), 0, null_mut(), null_mut())
    );
    assert!(text().contains("the tensor is null"));
    let mut address = null_mut();
    check!(
        561103,
        op.aclSetInputTensorAddr(null_mut(), 0, one.handle, two.memory)
    );
    assert!(text().contains("the executor is null"));
    check!(op.aclGetRawTensorAddr(one.handle, &mut address));
    assert_eq!(
        address, two.memory,
        "stored before the executor was looked at"
    );
    check!(161001, op.aclSetRawTensorAddr(null_mut(), two.memory));
    assert!(text().contains("the tensor is null"));
    check!(
        161002,
        op.aclSetRawTensorAddr(two.memory.cast(), two.memory)
    );
    let (size, executor) = product(&one, &two, &out);
    check!(op.aclSetOutputTensorAddr(executor, 0, out.handle, out.memory));
    check!(op.aclnnMul(workspace(size), size, executor, null_mut()));
    check!(
        561000,
        op.aclSetTensorAddr(executor, 0, out.handle, out.memory)
    );
    check!(
        161002,
        op.aclnnMul(workspace(size), size, executor, null_mut())
    );
    check!(stream.aclrtSynchronizeStream(null_mut()));
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::UsedAfterDestroy; 2]);
}

#[test]
fn operators_that_run_once_cannot_be_made_repeatable() {
    let _serial = start_checked();
    let input = tensor(ACL_FLOAT, &[2, 2], &[1.0, 0.0, 0.0, 2.0]);
    let refuse = |executor, why: &str| {
        check!(561000, op.aclSetAclOpExecutorRepeatable(executor));
        assert!(text().contains(why), "{}", text());
    };
    let (mut size, mut executor) = (0, null_mut());
    // The data decide the size of the output.
    let places = room(ACL_INT64, &[4, 2]);
    check!(op.aclnnNonzeroGetWorkspaceSize(input.handle, places.handle, &mut size, &mut executor));
    refuse(executor, "the data decide the size");
    // It can still run once.
    check!(op.aclnnNonzero(workspace(size), size, executor, null_mut()));
    check!(stream.aclrtSynchronizeStream(null_mut()));
    let mask = room(ACL_BOOL, &[2, 2]);
    let chosen = room(ACL_FLOAT, &[4]);
    check!(op.aclnnMaskedSelectGetWorkspaceSize(
        input.handle,
        mask.handle,
        chosen.handle,
        &mut size,
        &mut executor
    ));
    refuse(executor, "the data decide the size");
    check!(op.aclDestroyAclOpExecutor(executor));
    let (inverse, counts) = (room(ACL_INT64, &[2, 2]), room(ACL_INT64, &[4]));
    check!(op.aclnnUnique2GetWorkspaceSize(
        input.handle,
        true,
        true,
        true,
        chosen.handle,
        inverse.handle,
        counts.handle,
        &mut size,
        &mut executor
    ));
    refuse(executor, "the data decide the size");
    check!(op.aclDestroyAclOpExecutor(executor));
    // A copy between host and device.
    let index = tensor(ACL_INT64, &[2], &[0.0, 1.0]);
    let handles = [index.handle.cast_const()];
    let list = call!(op.aclCreateTensorList(handles.as_ptr(), 1));
    let rows = room(ACL_FLOAT, &[2, 2]);
    check!(op.aclnnIndexGetWorkspaceSize(
        input.handle,
        list,
        rows.handle,
        &mut size,
        &mut executor
    ));
    refuse(executor, "it copies numbers of the host");
    check!(op.aclDestroyAclOpExecutor(executor));
    // Random numbers.
    check!(op.aclnnInplaceUniformGetWorkspaceSize(
        rows.handle,
        0.0,
        1.0,
        1,
        0,
        &mut size,
        &mut executor
    ));
    refuse(executor, "random numbers");
    check!(op.aclDestroyAclOpExecutor(executor));
    // A view that is copied back to its own address.
    let turned = again(&input, &[2, 2], Some(&[1, 2]), 0);
    let alpha = scalar(ACL_FLOAT, 1.0);
    check!(op.aclnnInplaceAddGetWorkspaceSize(
        turned,
        rows.handle,
        alpha,
        &mut size,
        &mut executor
    ));
    refuse(executor, "back to the same address");
    check!(op.aclDestroyAclOpExecutor(executor));
    // Another first phase in between, which CANN would complete instead.
    let (_, first) = product(&input, &input, &rows);
    let (_, second) = product(&input, &input, &rows);
    refuse(first, "another first phase");
    check!(op.aclSetAclOpExecutorRepeatable(second));
    check!(op.aclSetAclOpExecutorRepeatable(second));
    check!(op.aclDestroyAclOpExecutor(first));
    check!(op.aclDestroyAclOpExecutor(second));
    assert_eq!(take_findings(), []);
}
