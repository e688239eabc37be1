//! Operators that move elements: elements of every size, tiles and lines of every length, and outputs in the memory of the
//! operand.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Data types whose elements have 1, 2, 4 and 8 bytes.
const SIZES: [aclDataType; 4] = [ACL_INT8, ACL_FLOAT16, ACL_FLOAT, ACL_INT64];

/// Numbers that every data type has, in an order without a short period.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|index| (index * 31 % 127) as f64).collect()
}

/// Returns the numbers of a row-major tensor, each from the position that `source` returns for its own.
fn moved(
    (from, shape): (&[f64], [usize; 3]),
    out: [usize; 3],
    source: impl Fn([usize; 3]) -> [usize; 3],
) -> Vec<f64> {
    let mut results = Vec::new();
    for first in 0..out[0] {
        for second in 0..out[1] {
            for third in 0..out[2] {
                let [a, b, c] = source([first, second, third]);
                results.push(from[(a * shape[1] + b) * shape[2] + c]);
            }
        }
    }
    results
}

#[test]
fn dimensions_of_every_length_are_exchanged() {
    let _serial = start();
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for shape in [[3, 17, 35], [16, 1, 32], [2, 40, 3], [1, 1, 5]] {
        let values = numbers(shape.iter().product());
        let sizes = shape.map(|size| size as i64);
        for dtype in SIZES {
            let operand = tensor(dtype, &sizes, &values);
            for order in orders {
                let out = order.map(|dim: usize| sizes[dim]);
                let result = room(dtype, &out);
                let dims = ints(&order.map(|dim| dim as i64));
                let code = run!(
                    aclnnPermute,
                    aclnnPermuteGetWorkspaceSize(operand.handle, dims, result.handle)
                );
                assert_eq!(code, 0, "{}", text());
                let expected = moved((&values, shape), order.map(|dim| shape[dim]), |at| {
                    let mut from = [0; 3];
                    order.iter().zip(at).for_each(|(dim, one)| from[*dim] = one);
                    from
                });
                assert_eq!(result.values(), expected, "{shape:?} {order:?} {dtype:?}");
            }
        }
    }
}

#[test]
fn many_elements_are_moved_by_several_threads() {
    let _serial = start();
    let shape = [700, 1, 601];
    let values = numbers(700 * 601);
    let operand = tensor(ACL_FLOAT, &[700, 601], &values);
    let result = room(ACL_FLOAT, &[601, 700]);
    let code = run!(
        aclnnPermute,
        aclnnPermuteGetWorkspaceSize(operand.handle, ints(&[1, 0]), result.handle)
    );
    assert_eq!(code, 0, "{}", text());
    let expected = moved((&values, shape), [601, 1, 700], |[row, _, column]| {
        [column, 0, row]
    });
    assert!(result.values() == expected);
}

#[test]
fn an_output_may_be_the_operand_or_lie_in_its_memory() {
    let _serial = start();
    let shape = [4, 5, 6];
    let values = numbers(120);
    for dtype in SIZES {
        let operand = tensor(dtype, &[4, 5, 6], &values);
        let flip = |from, to| {
            let dims = ints(&[0, 2]);
            run!(aclnnFlip, aclnnFlipGetWorkspaceSize(from, dims, to))
        };
        assert_eq!(flip(operand.handle, operand.handle), 0, "{}", text());
        let flipped = moved((&values, shape), shape, |[a, b, c]| [3 - a, b, 5 - c]);
        assert_eq!(operand.values(), flipped, "{dtype:?}");
        let roll = run!(
            aclnnRoll,
            aclnnRollGetWorkspaceSize(operand.handle, ints(&[7]), ints(&[]), operand.handle)
        );
        assert_eq!(roll, 0, "{}", text());
        let mut rolled = flipped;
        rolled.rotate_right(7);
        assert_eq!(operand.values(), rolled, "{dtype:?}");
        // Rows that are stored one row further.
        let (from, to) = (
            again(&operand, &[19, 6], None, 0),
            again(&operand, &[19, 6], None, 6),
        );
        let code = run!(
            aclnnSlice,
            aclnnSliceGetWorkspaceSize(from, 0, 0, 19, 1, to)
        );
        assert_eq!(code, 0, "{}", text());
        let expected = [&rolled[..6], &rolled[..114]].concat();
        assert_eq!(operand.values(), expected, "{dtype:?}");
    }
}

#[test]
fn rows_and_elements_are_gathered_and_scattered_in_every_size() {
    let _serial = start();
    let values = numbers(7 * 9);
    let chosen = [5.0, 0.0, 5.0, 6.0];
    for dtype in SIZES {
        let table = tensor(dtype, &[7, 9], &values);
        let index = tensor(ACL_INT64, &[4], &chosen);
        for dim in [0, 1] {
            let shape = [[4, 9], [7, 4]][dim];
            let result = room(dtype, &shape.map(|size: usize| size as i64));
            let code = run!(
                aclnnIndexSelect,
                aclnnIndexSelectGetWorkspaceSize(
                    table.handle,
                    dim as i64,
                    index.handle,
                    result.handle
                )
            );
            assert_eq!(code, 0, "{}", text());
            let shape = [1, shape[0], shape[1]];
            let expected = moved((&values, [1, 7, 9]), shape, |[_, row, column]| match dim {
                0 => [0, chosen[row] as usize, column],
                _ => [0, row, chosen[column] as usize],
            });
            assert_eq!(result.values(), expected, "{dtype:?} along {dim}");
        }
    }
}

#[test]
fn sums_of_one_element_are_rounded_once() {
    let _serial = start();
    // One by one, the sum would stay at 2048: half precision has no 2049.
    let count = 4096;
    let zero = tensor(ACL_FLOAT16, &[2], &[0.0, 5.0]);
    let ones = tensor(ACL_FLOAT16, &[count], &vec![1.0; count as usize]);
    let index = tensor(ACL_INT64, &[count], &vec![0.0; count as usize]);
    for adds_rows in [false, true] {
        let result = room(ACL_FLOAT16, &[2]);
        let code = if adds_rows {
            let alpha = scalar(ACL_FLOAT, 1.0);
            run!(
                aclnnIndexAdd,
                aclnnIndexAddGetWorkspaceSize(
                    zero.handle,
                    0,
                    index.handle,
                    ones.handle,
                    alpha,
                    result.handle
                )
            )
        } else {
            run!(
                aclnnScatterAdd,
                aclnnScatterAddGetWorkspaceSize(
                    zero.handle,
                    0,
                    index.handle,
                    ones.handle,
                    result.handle
                )
            )
        };
        assert_eq!(code, 0, "{}", text());
        assert_eq!(result.values(), [4096.0, 5.0]);
    }
}

#[test]
fn an_output_may_be_the_tensor_of_indices() {
    let _serial = start();
    for dtype in [ACL_INT32, ACL_INT64] {
        let operand = tensor(dtype, &[4], &[10.0, 20.0, 30.0, 40.0]);
        let source = tensor(dtype, &[4], &[2.0, 3.0, 4.0, 5.0]);
        let results = [
            [3.0, 2.0, 5.0, 4.0],
            [13.0, 22.0, 35.0, 44.0],
            [30.0, 40.0, 150.0, 160.0],
        ];
        for (reduce, expected) in (0..).zip(results) {
            let index = tensor(dtype, &[4], &[1.0, 0.0, 3.0, 2.0]);
            let code = run!(
                aclnnScatter,
                aclnnScatterGetWorkspaceSize(
                    operand.handle,
                    0,
                    index.handle,
                    source.handle,
                    reduce,
                    index.handle
                )
            );
            assert_eq!((code, index.values()), (0, expected.to_vec()), "{}", text());
        }
    }
}
