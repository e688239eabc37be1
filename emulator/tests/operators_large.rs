//! Operators on rows in every place: results so many that they bypass the caches, rows that share elements, rows with gaps,
//! and rows that are replaced. Each row has the results that it has alone.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// The elements of a row. The rows of any data type begin at addresses of every alignment.
const COLUMNS: i64 = 1001;

/// The bytes of all results, which are more than 16 MiB.
const BYTES: i64 = 17 << 20;

/// Makes a tensor of `rows` rows in fresh memory.
fn rows_of(dtype: aclDataType, rows: i64, size: i64) -> (*mut aclTensor, *mut std::ffi::c_void) {
    let memory = malloc(usize::try_from(rows * COLUMNS * size).unwrap());
    let shape = [rows, COLUMNS];
    let handle = call!(op.aclCreateTensor(
        shape.as_ptr(),
        2,
        dtype,
        ptr::null(),
        0,
        ACL_FORMAT_ND,
        shape.as_ptr(),
        2,
        memory
    ));
    assert!(!handle.is_null());
    (handle, memory)
}

#[test]
fn rows_that_bypass_the_caches_are_those_of_a_small_tensor() {
    let _serial = serial(EmulatorConfig::default());
    check!(device.aclrtSetDevice(0));
    let values: Vec<f64> = (0..COLUMNS)
        .map(|index| (index * 37 % 101) as f64 / 16.0 - 3.0)
        .collect();
    for (dtype, size) in [(ACL_FLOAT, 4), (ACL_FLOAT16, 2)] {
        let rows = BYTES / (COLUMNS * size);
        // All rows are the same elements of memory.
        let operand = view(dtype, &[rows, COLUMNS], Some(&[0, 1]), 0, &values);
        let one = view(dtype, &[1, COLUMNS], None, 0, &values);
        let (out, memory) = rows_of(dtype, rows, size);
        let (small, expected) = rows_of(dtype, 1, size);
        for (operand, out) in [(operand.handle, out), (one.handle, small)] {
            let code = run!(aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize(operand, 1, out));
            assert_eq!(code, 0, "{}", text());
        }
        let row = usize::try_from(COLUMNS * size).unwrap();
        let expected = download(expected, row);
        let got = download(memory, row * usize::try_from(rows).unwrap());
        assert!(expected.iter().any(|byte| *byte != 0));
        for (index, got) in got.chunks(row).enumerate() {
            assert_eq!(got, expected, "row {index} of {dtype:?}");
        }
        check!(memory.aclrtFree(memory));
    }
}

/// Rows of results that share elements are stored in their order, on one thread.
#[test]
fn rows_of_results_that_share_elements_are_stored_in_their_order() {
    const ROWS: i64 = 4096;
    const COLUMNS: i64 = 64;
    let _serial = serial(EmulatorConfig::default());
    check!(device.aclrtSetDevice(0));
    let values: Vec<f64> = (0..ROWS * COLUMNS)
        .map(|index| (index * 37 % 1009) as f64 / 128.0)
        .collect();
    let operand = tensor(ACL_FLOAT, &[ROWS, COLUMNS], &values);
    let apart = room(ACL_FLOAT, &[ROWS, COLUMNS]);
    let len = usize::try_from(ROWS + COLUMNS - 1).unwrap();
    let shared = view(
        ACL_FLOAT,
        &[ROWS, COLUMNS],
        Some(&[1, 1]),
        0,
        &vec![7.0; len],
    );
    for out in [&apart, &shared] {
        let (operand, out) = (operand.handle, out.handle);
        let code = run!(aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize(operand, 1, out));
        assert_eq!(code, 0, "{}", text());
    }
    let apart = apart.values();
    let rows = apart.chunks(usize::try_from(COLUMNS).unwrap());
    let mut expected = vec![7.0; len];
    for (first, row) in rows.enumerate() {
        expected[first..first + row.len()].copy_from_slice(row);
    }
    assert_same(&shared.values(), &expected);
}
