//! The types, dimensions and formats that the first phases of single operators refuse.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ptr::{null, null_mut};

use ascendcl_sys::*;
use common::tensor::*;
use common::*;

#[test]
fn operators_that_move_elements_take_the_types_of_the_manual() {
    let _serial = start_checked();
    let (mut size, mut executor) = (0, null_mut());
    let one = ints(&[4]);
    for dtype in [ACL_DOUBLE, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64] {
        let t = room(dtype, &[4]).handle;
        refuses!(
            161002,
            "self has the data type",
            aclnnSliceGetWorkspaceSize(t, 0, 0, 4, 1, t)
        );
        refuses!(
            161002,
            "self has the data type",
            aclnnExpandGetWorkspaceSize(t, one, t)
        );
        if dtype != ACL_INT16 {
            refuses!(
                161002,
                "self has the data type",
                aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(t, 1, 0, 4, t)
            );
        }
    }
    for dtype in [
        ACL_FLOAT,
        ACL_FLOAT16,
        ACL_INT8,
        ACL_INT32,
        ACL_INT64,
        ACL_UINT8,
        ACL_BOOL,
    ] {
        let (t, out) = (room(dtype, &[4]).handle, room(dtype, &[4]).handle);
        check!(op.aclnnSliceGetWorkspaceSize(t, 0, 0, 4, 1, out, &mut size, &mut executor));
        check!(op.aclnnExpandGetWorkspaceSize(t, one, out, &mut size, &mut executor));
    }
    let (t, out) = (room(ACL_INT16, &[4]).handle, room(ACL_INT16, &[4]).handle);
    check!(op.aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(
        t,
        1,
        0,
        4,
        out,
        &mut size,
        &mut executor
    ));
}

#[test]
fn figures_of_groups_have_the_type_of_the_elements() {
    let _serial = start_checked();
    let (t, out) = (
        room(ACL_FLOAT, &[1, 2]).handle,
        room(ACL_FLOAT, &[1, 2]).handle,
    );
    let (same, other) = (
        room(ACL_FLOAT, &[1, 1]).handle,
        room(ACL_FLOAT16, &[1, 1]).handle,
    );
    let (mut size, mut executor) = (0, null_mut());
    for (mean, deviation) in [(same, other), (other, same)] {
        refuses!(
            161002,
            "ACL_FLOAT16",
            aclnnGroupNormGetWorkspaceSize(
                t,
                null(),
                null(),
                1,
                2,
                1,
                1,
                1e-5,
                out,
                mean,
                deviation
            )
        );
    }
    let room = room(ACL_FLOAT, &[1, 1]).handle;
    check!(op.aclnnGroupNormGetWorkspaceSize(
        t,
        null(),
        null(),
        1,
        2,
        1,
        1,
        1e-5,
        out,
        same,
        room,
        &mut size,
        &mut executor
    ));
}

#[test]
fn indexed_elements_of_nine_dimensions_are_refused() {
    let _serial = start_checked();
    let mut shape = [1i64; 8];
    let t = room(ACL_FLOAT, &shape).handle;
    shape[7] = 2;
    let index = tensor(ACL_INT64, &shape[6..], &[0.0, 0.0]);
    let indices = list(&[&index]);
    let value = room(ACL_FLOAT, &[]).handle;
    refuses!(
        161002,
        "9 dimensions",
        aclnnIndexPutImplGetWorkspaceSize(t, indices, value, false, false)
    );
    refuses!(
        161002,
        "9 dimensions",
        aclnnIndexGetWorkspaceSize(t, indices, value)
    );
}

/// Makes an image with a format.
fn image(format: aclFormat, shape: &[i64]) -> *mut aclTensor {
    let memory = room(ACL_FLOAT, shape).memory;
    let rank = shape.len() as u64;
    call!(op.aclCreateTensor(
        shape.as_ptr(),
        rank,
        ACL_FLOAT,
        null(),
        0,
        format,
        shape.as_ptr(),
        rank,
        memory
    ))
}

#[test]
fn convolutions_take_images_with_named_dimensions_and_lists_of_their_length() {
    let _serial = start_checked();
    let named = |shape: &[i64]| {
        let formats = [ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW];
        image(formats[shape.len() - 3], shape)
    };
    let (row, flat, deep) = ([1, 1, 4], [1, 1, 4, 4], [1, 1, 4, 4, 4]);
    let (one, zero, none) = (ints(&[1]), ints(&[0]), null());
    macro_rules! row {
        ($text:literal, $input:expr, $output:expr, $stride:expr, $padding:expr, $dilation:expr, $transposed:expr, $more:expr) => {
            refuses!(
                161002,
                $text,
                aclnnConvolutionGetWorkspaceSize(
                    $input,
                    named(&[1, 1, 1]),
                    none,
                    $stride,
                    $padding,
                    $dilation,
                    $transposed,
                    $more,
                    1,
                    $output,
                    0
                )
            )
        };
    }
    let plain = image(ACL_FORMAT_ND, &row);
    row!(
        "input has the format ACL_FORMAT_ND",
        plain,
        named(&row),
        one,
        zero,
        one,
        false,
        zero
    );
    row!(
        "output has the format ACL_FORMAT_ND",
        named(&row),
        plain,
        one,
        zero,
        one,
        false,
        zero
    );
    row!(
        "stride",
        named(&row),
        named(&row),
        zero,
        zero,
        one,
        true,
        zero
    );
    row!(
        "dilation",
        named(&row),
        named(&row),
        one,
        zero,
        zero,
        true,
        zero
    );
    // A transposed convolution of rows has one padding for both ends.
    row!(
        "padding [0, 0]",
        named(&row),
        named(&row),
        one,
        ints(&[0, 0]),
        one,
        true,
        zero
    );
    row!(
        "outputPadding [0, 0]",
        named(&row),
        named(&row),
        one,
        zero,
        one,
        true,
        ints(&[0, 0])
    );
    row!(
        "outputPadding [1]",
        named(&row),
        named(&[1, 1, 5]),
        one,
        zero,
        one,
        true,
        one
    );
    let ones = |count: usize| ints(&vec![1; count]);
    let zeros = |count: usize| ints(&vec![0; count]);
    refuses!(
        161002,
        "padding [0, 0, 0, 0, 0, 0]",
        aclnnConvolutionGetWorkspaceSize(
            named(&deep),
            named(&[1, 1, 1, 1, 1]),
            none,
            ones(3),
            zeros(6),
            ones(3),
            false,
            zeros(3),
            1,
            named(&deep),
            0
        )
    );
    let plain = image(ACL_FORMAT_ND, &flat);
    refuses!(
        161002,
        "self has the format ACL_FORMAT_ND",
        aclnnConvDepthwise2dGetWorkspaceSize(
            plain,
            named(&[1, 1, 1, 1]),
            ones(2),
            none,
            ones(2),
            zeros(2),
            ones(2),
            named(&flat),
            0
        )
    );
    let code = run!(
        aclnnConvolution,
        aclnnConvolutionGetWorkspaceSize(
            named(&row),
            named(&[1, 1, 1]),
            none,
            one,
            zeros(2),
            one,
            false,
            zero,
            1,
            named(&row),
            0
        )
    );
    assert_eq!(code, 0);
}

#[test]
fn an_output_has_one_element_for_each_result() {
    let _serial = start_checked();
    let (mut size, mut executor) = (0, null_mut());
    let storage = [0.0; 16];
    let input = room(ACL_FLOAT, &[2, 2]).handle;
    let many = room(ACL_FLOAT, &[3, 2]).handle;
    for strides in [[0, 1], [1, 0], [1, 1], [2, 2]] {
        let shared = view(ACL_FLOAT, &[2, 2], Some(&strides), 0, &storage).handle;
        refuses!(
            161002,
            "one element for several results",
            aclnnInplaceCopyGetWorkspaceSize(shared, input)
        );
        refuses!(
            161002,
            "one element for several results",
            aclnnMulGetWorkspaceSize(input, input, shared)
        );
        refuses!(
            161002,
            "one element for several results",
            aclnnInplaceReluGetWorkspaceSize(shared)
        );
        refuses!(
            161002,
            "one element for several results",
            aclnnCastGetWorkspaceSize(input, ACL_FLOAT, shared)
        );
        refuses!(
            161002,
            "one element for several results",
            aclnnInplaceZeroGetWorkspaceSize(shared)
        );
        // An operand may be read several times.
        check!(op.aclnnReluGetWorkspaceSize(shared, input, &mut size, &mut executor));
    }
    // The rows are 3 elements apart and have every second element, so they interleave and share nothing.
    let apart = view(ACL_FLOAT, &[2, 3], Some(&[3, 2]), 0, &storage).handle;
    let rows = room(ACL_FLOAT, &[2, 3]).handle;
    check!(op.aclnnInplaceCopyGetWorkspaceSize(apart, rows, &mut size, &mut executor));
    let shared = view(ACL_FLOAT, &[3, 2], Some(&[2, 4]), 0, &storage).handle;
    refuses!(
        161002,
        "selfRef [3, 2] with strides [2, 4]",
        aclnnInplaceCopyGetWorkspaceSize(shared, many)
    );
}
