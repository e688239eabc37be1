//! Memory that one task reads and writes, or writes twice: what the checker reports, and what it accepts.

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

/// Asserts that the call had one finding, about an overlap, and returns its text.
fn found(call: &str) -> String {
    let findings = take_findings();
    let [finding] = &findings[..] else {
        unreachable!("one finding is expected: {findings:#?}")
    };
    assert_eq!(finding.mistake, Mistake::Overlap, "{finding}");
    assert_eq!(finding.calls[0].1.call, call);
    finding.text.clone()
}

fn floats(shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    tensor(ACL_FLOAT, shape, &vec![2.0; count as usize])
}

/// Runs `out = left * right`.
fn multiply(left: *const aclTensor, right: *const aclTensor, out: *mut aclTensor) {
    assert_eq!(
        run!(aclnnMul, aclnnMulGetWorkspaceSize(left, right, out)),
        0
    );
}

#[test]
fn an_output_that_overlaps_an_input_is_found() {
    let _serial = start_checked();
    let (storage, other) = (floats(&[64]), floats(&[4, 4]));
    let input = again(&storage, &[4, 4], None, 0);
    // A row further, and the same memory in another order.
    for (strides, offset) in [(None, 4), (Some([1, 4]), 0)] {
        let strides = strides.as_ref().map(|strides| &strides[..]);
        let out = again(&storage, &[4, 4], strides, offset);
        multiply(other.handle, input, out);
        let text = found("aclnnMul");
        assert!(
            text.contains("was given out (64 bytes at ") && text.contains("the memory of other ("),
            "{text}"
        );
    }
    // A row that every row of the output reads.
    let row = again(&storage, &[1, 4], None, 0);
    multiply(row, other.handle, again(&storage, &[4, 4], None, 0));
    assert!(found("aclnnMul").contains("memory of self (16 bytes"));
    // Numbers of another size.
    let half = call!(op.aclCreateTensor(
        [16].as_ptr(),
        1,
        ACL_FLOAT16,
        [1].as_ptr(),
        0,
        ACL_FORMAT_ND,
        [16].as_ptr(),
        1,
        storage.memory,
    ));
    let input = again(&storage, &[16], None, 0);
    let code = run!(
        aclnnCast,
        aclnnCastGetWorkspaceSize(input, ACL_FLOAT16, half)
    );
    assert_eq!(code, 0);
    assert!(found("aclnnCast").contains("out (32 bytes"));
}

#[test]
fn operators_in_place_and_views_beside_each_other_are_legal() {
    let _serial = start_checked();
    let (storage, other) = (floats(&[64]), floats(&[4, 4]));
    let shapes: [(&[i64], &[i64]); 3] = [
        (&[4, 4], &[4, 1]),
        (&[4, 1, 4], &[4, 9, 1]),
        (&[4, 4], &[8, 1]),
    ];
    for (shape, strides) in shapes {
        let input = again(&storage, shape, Some(strides), 0);
        let out = again(&storage, &[4, 4], Some(&[strides[0], 1]), 0);
        let is_flat = shape.len() == 2;
        if is_flat {
            multiply(input, other.handle, out);
            multiply(input, input, out);
        } else {
            let code = run!(
                aclnnCast,
                aclnnCastGetWorkspaceSize(input, ACL_FLOAT, again(&storage, shape, None, 0))
            );
            assert_eq!(code, 0);
        }
    }
    let code = run!(
        aclnnInplaceMul,
        aclnnInplaceMulGetWorkspaceSize(other.handle, other.handle)
    );
    assert_eq!((code, take_findings()), (0, vec![]));
    // The left and the right half of the rows of a matrix.
    let halves = [0, 4].map(|offset| again(&storage, &[4, 4], Some(&[8, 1]), offset));
    multiply(halves[0], other.handle, halves[1]);
    assert_eq!(take_findings(), []);
    let late = again(&storage, &[4, 4], Some(&[8, 1]), 3);
    multiply(late, other.handle, halves[1]);
    let _ = found("aclnnMul");
}

/// Squares numbers in views of one tensor: the shape, and the strides and the offset of the input and the output.
fn square_within(storage: &Tensor, shape: &[i64], input: (&[i64], i64), out: (&[i64], i64)) {
    let [input, out] =
        [input, out].map(|(strides, offset)| again(storage, shape, Some(strides), offset));
    multiply(input, input, out);
}

#[test]
fn repeated_and_interleaved_elements_have_gaps_too() {
    let _serial = start_checked();
    let storage = floats(&[64]);
    // The first column of a matrix, expanded to the others; windows of that column; elements in an order of their own.
    square_within(&storage, &[8, 7], (&[8, 0], 0), (&[8, 1], 1));
    square_within(&storage, &[7, 2], (&[8, 8], 0), (&[8, 1], 1));
    square_within(&storage, &[3, 3], (&[2, 3], 0), (&[18, 6], 11));
    square_within(&storage, &[1, 1], (&[2, 3], 9), (&[1, 1], 1));
    assert_eq!(take_findings(), []);
    // The same, with one element in common.
    square_within(&storage, &[8, 7], (&[8, 0], 1), (&[8, 1], 1));
    let _ = found("aclnnMul");
    square_within(&storage, &[7, 2], (&[8, 8], 2), (&[8, 1], 1));
    let _ = found("aclnnMul");
    square_within(&storage, &[3, 3], (&[2, 3], 0), (&[18, 6], 10));
    let _ = found("aclnnMul");
    // Many rows: halves of a matrix, and halves with a column in common.
    let large = floats(&[512, 1024]);
    square_within(&large, &[512, 512], (&[1024, 1], 0), (&[1024, 1], 512));
    assert_eq!(take_findings(), []);
    square_within(&large, &[512, 512], (&[1024, 1], 0), (&[1024, 1], 511));
    let _ = found("aclnnMul");
}

#[test]
fn two_outputs_in_the_same_memory_are_found() {
    let _serial = start_checked();
    let (input, values) = (floats(&[2, 4]), room(ACL_INT64, &[2, 2]));
    let small = call!(op.aclCreateTensor(
        [2, 2].as_ptr(),
        2,
        ACL_FLOAT,
        [2, 1].as_ptr(),
        0,
        ACL_FORMAT_ND,
        [2, 2].as_ptr(),
        2,
        values.memory,
    ));
    let code = run!(
        aclnnTopk,
        aclnnTopkGetWorkspaceSize(input.handle, 2, 1, true, true, small, values.handle)
    );
    assert_eq!(code, 0, "{}", text());
    let text = found("aclnnTopk");
    assert!(text.contains("was given indicesOut (32 bytes"), "{text}");
    assert!(text.contains("the memory of valuesOut (16 bytes"), "{text}");
}

#[test]
fn a_copy_to_a_part_of_its_source_is_found() {
    let _serial = start_checked();
    let (memory, kind) = (malloc(4096), ACL_MEMCPY_DEVICE_TO_DEVICE);
    upload(memory, &[1; 4096]);
    let host = malloc_host(4096);
    for offset in [0, 1, 1023, 1024] {
        let to = memory.wrapping_byte_add(offset);
        check!(memory.aclrtMemcpy(to, 1024, memory, 1024, kind));
        let overlaps = (1..1024).contains(&offset);
        if overlaps {
            let text = found("aclrtMemcpy");
            assert!(text.contains("writes 1024 bytes at "), "{text}");
        }
        check!(memory.aclrtMemcpyAsync(memory, 1024, to, 1024, kind, null_mut()));
        if overlaps {
            let _ = found("aclrtMemcpyAsync");
        }
        check!(stream.aclrtSynchronizeStream(null_mut()));
        // On the host as well.
        let to = host.wrapping_byte_add(offset);
        check!(memory.aclrtMemcpy(to, 1024, host, 1024, ACL_MEMCPY_HOST_TO_HOST));
        if overlaps {
            let _ = found("aclrtMemcpy");
        }
    }
    assert_eq!(take_findings(), []);
    // Rows that lie between those of the source, and rows that are the next ones of the source.
    for (offset, overlaps) in [(64, false), (128, true), (32, true)] {
        let to = memory.wrapping_byte_add(offset);
        check!(memory.aclrtMemcpy2dAsync(to, 128, memory, 128, 64, 8, kind, null_mut()));
        if overlaps {
            let _ = found("aclrtMemcpy2dAsync");
        }
        assert_eq!(take_findings(), []);
    }
    check!(stream.aclrtSynchronizeStream(null_mut()));
    let reduce = |to| {
        check!(memory.aclrtReduceAsync(
            to,
            memory,
            16,
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
            ACL_FLOAT,
            null_mut(),
            null_mut()
        ));
    };
    reduce(memory);
    assert_eq!(take_findings(), []);
    reduce(memory.wrapping_byte_add(4));
    let _ = found("aclrtReduceAsync");
    check!(stream.aclrtSynchronizeStream(null_mut()));
    check!(memory.aclrtFreeHost(host));
}
