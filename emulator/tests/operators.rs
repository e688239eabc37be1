//! The workspace of operators: its size, its memory, and its end.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

const COLUMNS: i64 = 3;
const ROWS: i64 = 2;
/// The bytes of a matrix and of one of its rows.
const MATRIX: usize = 24;
const ROW: usize = 12;

/// Makes a tensor of numbers with these strides; its storage has the size of `memory`.
fn tensor(memory: *mut c_void, shape: &[i64], strides: Option<[i64; 2]>) -> *mut aclTensor {
    let storage = [2 * ROWS * COLUMNS];
    let tensor = call!(
        op.aclCreateTensor(
            shape.as_ptr(),
            shape.len() as u64,
            ACL_INT32,
            strides
                .as_ref()
                .map_or(ptr::null(), |strides| strides.as_ptr()),
            0,
            ACL_FORMAT_ND,
            storage.as_ptr(),
            1,
            memory,
        )
    );
    assert!(!tensor.is_null(), "{}", text());
    tensor
}

/// Makes device memory full of one 32-bit number.
fn numbers(number: i32) -> *mut c_void {
    let memory = malloc(2 * MATRIX);
    let bytes = number.to_le_bytes().repeat(2 * MATRIX / 4);
    upload(memory, &bytes);
    memory
}

/// Runs the first phase of a product.
fn prepare(
    left: *mut aclTensor,
    right: *mut aclTensor,
    out: *mut aclTensor,
) -> (u64, *mut aclOpExecutor) {
    let (mut size, mut executor) = (u64::MAX, ptr::null_mut());
    check!(op.aclnnMulGetWorkspaceSize(left, right, out, &mut size, &mut executor));
    (size, executor)
}

/// Makes a matrix, a row that is broadcast, and a tensor for their product.
fn matrix_row_out() -> [*mut aclTensor; 3] {
    [
        tensor(numbers(5), &[ROWS, COLUMNS], None),
        tensor(numbers(3), &[COLUMNS], None),
        tensor(numbers(0), &[ROWS, COLUMNS], None),
    ]
}

/// Runs the first phase of a product that needs a workspace.
fn product() -> (u64, *mut aclOpExecutor) {
    let [matrix, row, out] = matrix_row_out();
    prepare(matrix, row, out)
}

#[test]
fn what_is_repeated_or_has_gaps_needs_a_workspace() {
    let _serial = start_checked();
    let [matrix, row, out] = matrix_row_out();
    let (least, executor) = prepare(matrix, matrix, out);
    assert_eq!(least, 32);
    // An operator that needs no workspace runs without one; only the checker asks for it.
    check!(op.aclnnMul(ptr::null_mut(), 0, executor, ptr::null_mut()));
    let (_, executor) = prepare(matrix, matrix, out);
    let nowhere = ptr::without_provenance_mut(0x10);
    check!(op.aclnnMul(nowhere, 0, executor, ptr::null_mut()));
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    let findings = take_findings();
    assert_eq!(findings.iter().map(|one| one.times).sum::<u64>(), 2);
    assert!(
        findings
            .iter()
            .all(|one| one.mistake == Mistake::WrongWorkspace)
    );
    let gaps = tensor(numbers(7), &[ROWS, COLUMNS], Some([2 * COLUMNS, 1]));
    let (of_row, of_gaps) = (prepare(matrix, row, out).0, prepare(gaps, matrix, out).0);
    assert!(
        of_row >= ROW as u64 && of_row.is_multiple_of(32),
        "{of_row}"
    );
    assert!(
        of_gaps >= MATRIX as u64 && of_gaps.is_multiple_of(32),
        "{of_gaps}"
    );
    let both = prepare(gaps, row, out).0;
    assert_eq!(both, of_row + of_gaps);
    assert_eq!(take_findings(), []);
}

#[test]
fn a_workspace_is_device_memory_of_the_stream_and_large_enough() {
    let _serial = start_checked();
    let launch = |workspace: *mut c_void, size: u64| {
        let (asked, executor) = product();
        assert_eq!(asked, 32);
        call!(op.aclnnMul(workspace, size, executor, ptr::null_mut()))
    };
    let (whole, short) = (malloc(32), malloc(32));
    let mut host = [0u8; 64];
    // A null workspace is refused with every size.
    for size in [1, 31, 32, 64] {
        assert_eq!(launch(ptr::null_mut(), size), 161001);
    }
    for size in [0, 1, 31] {
        assert_eq!(launch(whole, size), 161002);
        assert!(text().contains("asked for 32"));
    }
    assert_eq!(launch(ptr::null_mut(), 0), 161002);
    // The padding of an allocation is memory too; behind it there is none.
    assert_eq!(launch(short.wrapping_byte_add(48), 32), 161002);
    assert!(text().contains("is not 32 bytes of device memory"));
    assert_eq!(launch(host.as_mut_ptr().cast(), 64), 161002);
    let pinned = malloc_host(32);
    assert_eq!(launch(pinned, 32), 161002);
    check!(memory.aclrtFreeHost(pinned));
    check!(device.aclrtSetDevice(1));
    let far = malloc(32);
    check!(device.aclrtSetDevice(0));
    assert_eq!(launch(far, 32), 161002);
    let said = text();
    assert!(
        said.contains("of device 1") && said.contains("of device 0"),
        "{said}"
    );
    assert_eq!(launch(whole, 32), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    // Behind an allocation, in the memory of the host, and page-locked.
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::WrongWorkspace; 3]);
}

#[test]
fn a_workspace_is_written() {
    let _serial = start_checked();
    let [matrix, row, out] = matrix_row_out();
    let result = numbers(0);
    let again = tensor(result, &[ROWS, COLUMNS], None);
    let (size, executor) = prepare(matrix, row, again);
    let workspace = malloc(64);
    upload(workspace, &[0x11; 64]);
    check!(op.aclnnMul(workspace, size, executor, ptr::null_mut()));
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    let left = download(workspace, 64);
    assert!(!left.iter().take(32).any(|byte| *byte == 0x11), "{left:?}");
    assert!(left.iter().skip(32).all(|byte| *byte == 0x11), "{left:?}");
    let read: Vec<_> = take_findings().iter().map(|one| one.mistake).collect();
    assert_eq!(read, [Mistake::Uninitialised]);
    let product = 15i32.to_le_bytes().repeat(6);
    assert_eq!(download(result, MATRIX), product);
    // The content of the workspace is not needed, and another operator of the stream may use it.
    for _ in 0..2 {
        let (size, executor) = prepare(matrix, row, out);
        check!(op.aclnnMul(workspace, size, executor, ptr::null_mut()));
    }
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    assert_eq!(take_findings(), []);
}

/// Returns the kinds of findings about the workspace of a product that waits behind a gate.
fn found_with(mistake: impl FnOnce(*mut c_void, aclrtStream)) -> Vec<Mistake> {
    let (size, executor) = product();
    let (workspace, s) = (malloc(size as usize), stream());
    let gate = Gate::close(s);
    check!(op.aclnnMul(workspace, size, executor, s));
    mistake(workspace, s);
    gate.open();
    let _ = call!(stream.aclrtSynchronizeStream(s));
    let findings = take_findings();
    findings.iter().map(|finding| finding.mistake).collect()
}

#[test]
fn a_workspace_is_in_use_until_the_operator_has_run() {
    let _serial = start_checked();
    let freed = found_with(|workspace, _| check!(memory.aclrtFree(workspace)));
    assert_eq!(freed, [Mistake::FreedInUse]);
    let shared = found_with(|workspace, _| {
        let (other, (size, executor)) = (stream(), product());
        check!(op.aclnnMul(workspace, size, executor, other));
    });
    assert_eq!(shared, [Mistake::Unordered]);
    let fine = found_with(|workspace, s| {
        let (size, executor) = product();
        check!(op.aclnnMul(workspace, size, executor, s));
    });
    assert_eq!(fine, []);
}
