//! Operators on rows in every place: results so many that they bypass the caches, rows with gaps, and rows that are
//! replaced. Each row has the results that it has alone.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr;

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
    let _serial = start();
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

/// Rows have the same results where they lie, in the place of the operands, and with gaps.
#[test]
fn rows_have_the_same_results_wherever_they_lie() {
    let _serial = start();
    // Groups with and without a last row of their own, rows with and without a whole line, and rows that are alone.
    for (rows, columns) in [(1, 1), (3, 17), (5, 64), (2, 1001), (3, 4100)] {
        let [shape, size] = [vec![rows, columns], vec![columns]];
        let count = usize::try_from(rows * columns).unwrap();
        let number = |index: usize| (index * 37 % 1009) as f64 / 128.0 - 3.0;
        let values: Vec<f64> = (0..count).map(number).collect();
        let scales = ints(&size);
        let weight = tensor(ACL_FLOAT, &size, &values[..size[0] as usize]);
        // The mean and the deviation, or the factor, of each row.
        let [mean, deviation] = [(); 2].map(|()| room(ACL_FLOAT, &[rows, 1]));
        let apply = |operator: usize, from: *mut aclTensor, to: *mut aclTensor| {
            let (weight, mean, deviation) = (weight.handle, mean.handle, deviation.handle);
            let code = match operator {
                0 => run!(aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize(from, 1, to)),
                1 => run!(
                    aclnnLogSoftmax,
                    aclnnLogSoftmaxGetWorkspaceSize(from, 1, to)
                ),
                2 => run!(
                    aclnnLayerNorm,
                    aclnnLayerNormGetWorkspaceSize(
                        from, scales, weight, weight, 1e-5, to, mean, deviation
                    )
                ),
                _ => run!(
                    aclnnRmsNorm,
                    aclnnRmsNormGetWorkspaceSize(from, weight, 1e-5, to, deviation)
                ),
            };
            assert_eq!(code, 0, "{}", text());
        };
        // Every second element of rows that are further apart.
        let strides = [2 * columns + 3, 2];
        let place = |index: usize| {
            let (row, column) = (index / columns as usize, index % columns as usize);
            row * strides[0] as usize + column * 2
        };
        let mut spread = vec![0.5; place(count - 1) + 1];
        for (index, value) in values.iter().enumerate() {
            spread[place(index)] = *value;
        }
        for operator in 0..4 {
            let operand = tensor(ACL_FLOAT, &shape, &values);
            let expected = room(ACL_FLOAT, &shape);
            apply(operator, operand.handle, expected.handle);
            let of_rows = [mean.values(), deviation.values()];
            let expected = expected.values();
            assert_same(&operand.values(), &values);
            // In place.
            apply(operator, operand.handle, operand.handle);
            assert_same(&operand.values(), &expected);
            let gaps = view(ACL_FLOAT, &shape, Some(&strides), 0, &spread);
            let out = room(ACL_FLOAT, &shape);
            apply(operator, gaps.handle, out.handle);
            assert_same(&out.values(), &expected);
            let operand = tensor(ACL_FLOAT, &shape, &values);
            let gaps = view(
                ACL_FLOAT,
                &shape,
                Some(&strides),
                0,
                &vec![0.5; spread.len()],
            );
            apply(operator, operand.handle, gaps.handle);
            let stored = gaps.values();
            let got: Vec<f64> = (0..count).map(|index| stored[place(index)]).collect();
            assert_same(&got, &expected);
            let untouched = stored.iter().filter(|one| **one == 0.5).count();
            assert!(untouched >= spread.len() - count);
            // Rows one element behind the place where vectors are whole.
            let shifted: Vec<f64> = [0.5].iter().chain(&values).copied().collect();
            let shifted = view(ACL_FLOAT, &shape, None, 1, &shifted);
            let out = view(ACL_FLOAT, &shape, None, 1, &vec![0.5; count + 1]);
            apply(operator, shifted.handle, out.handle);
            assert_same(&out.values()[1..], &expected);
            assert_same(&mean.values(), &of_rows[0]);
            assert_same(&deviation.values(), &of_rows[1]);
        }
    }
}

/// Sums of products of bytes that single precision does not have exactly.
#[test]
fn long_products_of_bytes_are_exact() {
    let _serial = start();
    for length in [1, 1023, 1024, 1025, 3000] {
        let count = usize::try_from(length).unwrap();
        // The largest sums there are, and an odd one.
        let left: Vec<f64> = (0..count).map(|_| -128.0).collect();
        let right: Vec<f64> = (0..2 * count)
            .map(|index| [-128.0, (index % 255) as f64 - 127.0][index % 2])
            .collect();
        let expected = [0, 1].map(|column| {
            let terms = right.iter().skip(column).step_by(2);
            terms.map(|one| -128.0 * one).sum::<f64>()
        });
        let ones = tensor(ACL_INT8, &[1, length], &left);
        let others = tensor(ACL_INT8, &[length, 2], &right);
        let scale = tensor(ACL_FLOAT, &[1], &[1.0]);
        let out = room(ACL_INT32, &[1, 2]);
        let code = run!(
            aclnnQuantMatmulV4,
            aclnnQuantMatmulV4GetWorkspaceSize(
                ones.handle,
                others.handle,
                scale.handle,
                ptr::null(),
                ptr::null(),
                ptr::null(),
                false,
                false,
                out.handle
            )
        );
        assert_eq!(code, 0, "{}", text());
        assert_eq!(out.values(), expected, "{length}");
    }
}
