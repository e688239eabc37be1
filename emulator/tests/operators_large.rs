//! Operators on rows whose results are so many that they bypass the caches. Each row has the results of a small tensor.

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
