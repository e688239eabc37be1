//! Data types of operands that the manual of an operator combines, and those below a byte.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use ascendcl_sys::*;
use common::tensor::*;
use common::*;

#[test]
fn types_that_the_vendor_combines_are_combined() {
    let _serial = start();
    let (one, other) = (
        tensor(ACL_FLOAT, &[1, 2], &[1.5, 2.0]),
        tensor(ACL_BF16, &[2, 1], &[4.0, 0.25]),
    );
    for mode in 0..4 {
        let out = room(ACL_FLOAT, &[1, 1]);
        let code = run!(
            aclnnMm,
            aclnnMmGetWorkspaceSize(one.handle, other.handle, out.handle, mode)
        );
        assert_eq!((code, out.values()), (0, vec![6.5]), "{}", text());
    }
    // A truth is a byte of the value 0 or 1, whichever type the output has.
    let input = tensor(ACL_INT32, &[2, 2], &[0.0, 0.0, 0.0, 3.0]);
    for dtype in [ACL_BOOL, ACL_UINT8] {
        let out = room(dtype, &[2]);
        let code = run!(
            aclnnAny,
            aclnnAnyGetWorkspaceSize(input.handle, ints(&[1]), false, out.handle)
        );
        assert_eq!((code, out.values()), (0, vec![0.0, 1.0]), "{}", text());
    }
}

#[test]
fn weights_of_four_bits_are_multiplied() {
    let _serial = start();
    let x = tensor(ACL_FLOAT16, &[1, 4], &[1.0, 2.0, 4.0, 8.0]);
    let scale = tensor(ACL_FLOAT16, &[1, 2], &[0.5, 2.0]);
    let no = std::ptr::null();
    // Rows of two numbers, in the order of the bytes: 1 -1, 2 7, -8 0, 3 -2. The lower bits are the first number.
    let plain = [0xf1, 0x72, 0x08, 0xe3];
    // The columns one after the other: 1 2 -8 3, -1 7 0 -2.
    let turned = [0x21, 0x38, 0x7f, 0xe0];
    for (bytes, strides) in [(plain, [2i64, 1]), (turned, [1, 4])] {
        let memory = malloc(4);
        upload(memory, &bytes);
        let (shape, storage) = ([4i64, 2], [8i64]);
        let weight = call!(op.aclCreateTensor(
            shape.as_ptr(),
            2,
            ACL_INT4,
            strides.as_ptr(),
            0,
            ACL_FORMAT_ND,
            storage.as_ptr(),
            1,
            memory
        ));
        let out = room(ACL_FLOAT16, &[1, 2]);
        let code = run!(
            aclnnWeightQuantBatchMatmulV2,
            aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
                x.handle,
                weight,
                scale.handle,
                no,
                no,
                no,
                no,
                0,
                out.handle
            )
        );
        let [first, second] = [1.0 + 4.0 - 32.0 + 24.0, -1.0 + 14.0 - 16.0];
        assert_eq!(
            (code, out.values()),
            (0, vec![first * 0.5, second * 2.0]),
            "{}",
            text()
        );
        // No other operator takes such a tensor.
        refuses!(
            161002,
            "ACL_INT4",
            aclnnReluGetWorkspaceSize(weight, out.handle)
        );
        let odd = call!(op.aclCreateTensor(
            shape.as_ptr(),
            2,
            ACL_INT4,
            strides.as_ptr(),
            1,
            ACL_FORMAT_ND,
            storage.as_ptr(),
            1,
            memory
        ));
        refuses!(
            161002,
            "begins inside of a byte",
            aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
                x.handle,
                odd,
                scale.handle,
                no,
                no,
                no,
                no,
                0,
                out.handle
            )
        );
    }
}

#[cfg(feature = "training")]
#[test]
fn nothing_is_dropped_with_the_probability_0() {
    let _serial = start();
    let input = tensor(ACL_FLOAT, &[4], &[1.0, 2.0, 3.0, 4.0]);
    let mask = tensor(ACL_UINT8, &[16], &[0.0; 16]);
    for (prob, expected) in [(0.0, [1.0, 2.0, 3.0, 4.0]), (0.5, [0.0; 4])] {
        let out = room(ACL_FLOAT, &[4]);
        let code = run!(
            aclnnDropoutDoMask,
            aclnnDropoutDoMaskGetWorkspaceSize(input.handle, mask.handle, prob, out.handle)
        );
        assert_eq!((code, out.values()), (0, expected.to_vec()), "{}", text());
    }
}
