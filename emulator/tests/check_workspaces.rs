//! Workspaces: what the checker reports about those that are no memory of their own.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::null_mut;

use ascendcl_emulator::{Mistake, take_findings, take_violations};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Prepares `out = left * right`, and returns the size of the workspace.
fn prepare(
    left: *const aclTensor,
    right: *const aclTensor,
    out: *mut aclTensor,
) -> (u64, *mut aclOpExecutor) {
    let (mut size, mut executor) = (u64::MAX, null_mut());
    check!(op.aclnnMulGetWorkspaceSize(left, right, out, &mut size, &mut executor));
    (size, executor)
}

fn launch(workspace: *mut c_void, size: u64, executor: *mut aclOpExecutor, stream: aclrtStream) {
    check!(op.aclnnMul(workspace, size, executor, stream));
}

/// Returns the findings, each with the call at which it was noticed.
fn found() -> Vec<(Mistake, String)> {
    let findings = take_findings().into_iter();
    let call = |finding: &ascendcl_emulator::Finding| finding.calls[0].1.call.clone();
    findings.map(|one| (one.mistake, call(&one))).collect()
}

fn one(mistake: Mistake, call: &str) -> Vec<(Mistake, String)> {
    vec![(mistake, call.to_owned())]
}

fn floats(shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    tensor(ACL_FLOAT, shape, &vec![2.0; count as usize])
}

#[test]
fn a_workspace_that_is_memory_of_an_operand_is_found_and_destroys_it() {
    let _serial = start_checked();
    for (operand, name) in ["self", "other", "out"].into_iter().enumerate() {
        let (left, row, out) = (floats(&[2, 8]), floats(&[1, 8]), floats(&[2, 8]));
        let (size, executor) = prepare(left.handle, row.handle, out.handle);
        assert_eq!(size, 32);
        launch(
            [&left, &row, &out][operand].memory,
            size,
            executor,
            null_mut(),
        );
        check!(stream.aclrtSynchronizeStream(null_mut()));
        // The operator writes its result after it has used the workspace.
        assert_eq!(out.values() == vec![4.0; 16], name == "out");
        assert_eq!(found(), one(Mistake::WrongWorkspace, "aclnnMul"));
        let violations = take_violations();
        let [violation] = &violations[..] else {
            unreachable!("one violation is expected: {violations:?}")
        };
        let words = format!("which are memory of {name},");
        assert!(violation.text.contains(&words), "{violation}");
    }
}

#[test]
fn only_the_elements_of_a_view_are_memory_of_the_operand() {
    let _serial = start_checked();
    let storage = floats(&[64]);
    // Two rows of four elements, sixteen elements apart: the workspace fits into the gap.
    let rows = again(&storage, &[2, 4], Some(&[16, 1]), 0);
    let (other, out) = (floats(&[2, 4]), floats(&[2, 4]));
    let (size, executor) = prepare(rows, other.handle, out.handle);
    assert_eq!(size, 32);
    launch(
        storage.memory.wrapping_byte_add(32),
        size,
        executor,
        null_mut(),
    );
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!((found(), out.values()), (vec![], vec![4.0; 8]));
    let (size, executor) = prepare(rows, other.handle, out.handle);
    launch(
        storage.memory.wrapping_byte_add(36),
        size,
        executor,
        null_mut(),
    );
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(found(), one(Mistake::WrongWorkspace, "aclnnMul"));
}

#[test]
fn under_the_checker_each_operator_asks_for_a_workspace_and_misses_it() {
    let _serial = start_checked();
    let (left, right, out) = (floats(&[4]), floats(&[4]), floats(&[4]));
    let (none, other) = (floats(&[0]), floats(&[0]));
    for [left, right, out] in [[&left, &right, &out], [&none, &other, &other]] {
        let (size, executor) = prepare(left.handle, right.handle, out.handle);
        assert_eq!(size, 32);
        launch(null_mut(), 0, executor, null_mut());
        check!(stream.aclrtSynchronizeStream(null_mut()));
        assert_eq!(found(), one(Mistake::WrongWorkspace, "aclnnMul"));
    }
    assert_eq!(out.values(), vec![4.0; 4]);
    let (size, executor) = prepare(left.handle, right.handle, left.handle);
    let room = malloc(32);
    launch(room, size - 1, executor, null_mut());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!(found(), one(Mistake::WrongWorkspace, "aclnnMul"));
    let (size, executor) = prepare(left.handle, right.handle, left.handle);
    launch(room, size, executor, null_mut());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    assert_eq!((found(), left.values()), (vec![], vec![8.0; 4]));
    assert_eq!(download(room, 32), [0xa5; 32]);
}

#[test]
fn a_workspace_has_no_content_afterwards() {
    let _serial = start_checked();
    let (left, right, out) = (floats(&[8]), floats(&[8]), floats(&[8]));
    let pool = floats(&[8]);
    for _ in 0..2 {
        let (size, executor) = prepare(left.handle, right.handle, out.handle);
        launch(pool.memory, size, executor, null_mut());
    }
    // One stream uses one workspace for two operators, which is legal. Then a third operator reads it.
    assert_eq!(found(), vec![]);
    let (size, executor) = prepare(pool.handle, right.handle, out.handle);
    let room = malloc(32);
    launch(room, size, executor, null_mut());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    let findings = take_findings();
    let [finding] = &findings[..] else {
        unreachable!("one finding is expected: {findings:#?}")
    };
    assert_eq!(finding.mistake, Mistake::Uninitialised);
    assert!(
        finding
            .text
            .ends_with("were the workspace of an operator and not written since")
    );
    let parts: Vec<_> = finding.calls.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, ["read", "workspace of", "allocated"]);
}

#[test]
fn two_streams_cannot_use_one_workspace_at_the_same_time() {
    let _serial = start_checked();
    let streams = [0; 2].map(|_| {
        let mut stream = null_mut();
        check!(stream.aclrtCreateStream(&mut stream));
        stream
    });
    let (left, right, room) = (floats(&[4]), floats(&[4]), malloc(32));
    for stream in streams {
        let out = floats(&[4]);
        let (size, executor) = prepare(left.handle, right.handle, out.handle);
        launch(room, size, executor, stream);
    }
    assert_eq!(found(), one(Mistake::Unordered, "aclnnMul"));
    check!(stream.aclrtSynchronizeStream(streams[0]));
    check!(stream.aclrtSynchronizeStream(streams[1]));
    // After the waits the second stream may have it.
    for stream in streams {
        let out = floats(&[4]);
        let (size, executor) = prepare(left.handle, right.handle, out.handle);
        launch(room, size, executor, stream);
        check!(stream.aclrtSynchronizeStream(stream));
        check!(stream.aclrtDestroyStream(stream));
    }
    assert_eq!(found(), vec![]);
}

#[test]
fn freed_memory_is_no_workspace() {
    let _serial = start_checked();
    let (left, right, out) = (floats(&[4]), floats(&[4]), floats(&[4]));
    let (size, executor) = prepare(left.handle, right.handle, out.handle);
    let room = malloc(32);
    check!(memory.aclrtFree(room));
    let code = call!(op.aclnnMul(room, size, executor, null_mut()));
    assert_eq!(
        (code, found()),
        (161_002, one(Mistake::UsedAfterFree, "aclnnMul"))
    );
    let room = malloc(32);
    let (size, executor) = prepare(right.handle, right.handle, out.handle);
    launch(room, size, executor, null_mut());
    check!(memory.aclrtFree(room));
    assert_eq!(found(), one(Mistake::FreedInUse, "aclrtFree"));
    let _ = call!(stream.aclrtSynchronizeStream(null_mut()));
}

#[test]
fn repeatable_executors_and_operators_in_place_are_legal() {
    let _serial = start_checked();
    let (left, right) = (floats(&[4]), floats(&[4]));
    let (size, executor) = prepare(left.handle, right.handle, left.handle);
    check!(op.aclSetAclOpExecutorRepeatable(executor));
    let room = malloc(size as usize);
    for _ in 0..3 {
        launch(room, size, executor, null_mut());
    }
    check!(stream.aclrtSynchronizeStream(null_mut()));
    check!(op.aclDestroyAclOpExecutor(executor));
    assert_eq!((found(), left.values()), (vec![], vec![16.0; 4]));
}
