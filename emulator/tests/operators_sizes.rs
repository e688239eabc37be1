//! Sizes, windows and factors among the parameters of operators that are far beyond those of the tensors: each operator refuses
//! them or computes at once, and makes nothing of such a size first.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// More than memory has.
const MUCH: i64 = u32::MAX as i64;

#[test]
fn a_window_much_larger_than_its_image_reads_the_image_alone() {
    let _serial = start();
    let image = tensor(ACL_FLOAT, &[1, 1, 2], &[1.0, 3.0]);
    let out = room(ACL_FLOAT, &[1, 1, 2]);
    let half = MUCH / 2;
    let code = run!(
        aclnnAvgPool2d,
        aclnnAvgPool2dGetWorkspaceSize(
            image.handle,
            ints(&[MUCH, MUCH]),
            ints(&[1, 1]),
            ints(&[half, half]),
            false,
            false,
            0,
            0,
            out.handle
        )
    );
    assert_eq!(code, 0, "{}", text());
    assert_eq!(out.values(), [2.0, 2.0]);
    let refused = room(ACL_FLOAT, &[1, 1, 1]);
    refuses!(
        161002,
        "kernelSize is",
        aclnnAvgPool2dGetWorkspaceSize(
            image.handle,
            ints(&[i64::MAX, 1]),
            ints(&[1, 1]),
            ints(&[i64::MAX / 2, 0]),
            false,
            false,
            0,
            0,
            refused.handle
        )
    );
}

#[test]
fn rows_without_elements_are_not_walked() {
    let _serial = start();
    let nothing = room(ACL_FLOAT, &[1 << 40, 3, 0]);
    let out = room(ACL_FLOAT, &[]);
    let code = run!(
        aclnnVar,
        aclnnVarGetWorkspaceSize(nothing.handle, ints(&[]), false, false, out.handle)
    );
    assert_eq!(code, 0, "{}", text());
    assert!(out.values().iter().all(|one| one.is_nan()));
}

#[cfg(feature = "training")]
#[test]
fn gradients_are_compared_with_the_sizes_before_places_are_made() {
    let _serial = start();
    let gradient = tensor(ACL_FLOAT, &[1, 1, 2, 2], &[1.0; 4]);
    let operand = tensor(ACL_FLOAT, &[1, 1, 2, 2], &[1.0; 4]);
    let out = room(ACL_FLOAT, &[1, 1, 2, 2]);
    refuses!(
        161002,
        "gradOutput has the shape",
        aclnnReplicationPad2dBackwardGetWorkspaceSize(
            gradient.handle,
            operand.handle,
            ints(&[0, 0, 0, MUCH]),
            out.handle
        )
    );
    refuses!(
        161002,
        "gradOut has the shape",
        aclnnUpsampleNearest2dBackwardGetWorkspaceSize(
            gradient.handle,
            ints(&[2, MUCH]),
            ints(&[1, 1, 2, 2]),
            0.0,
            0.0,
            out.handle
        )
    );
    // A gradient without elements gives zeros, whatever its other sizes are.
    let nothing = room(ACL_FLOAT, &[1, 1, MUCH, 0]);
    let code = run!(
        aclnnAdaptiveAvgPool2dBackward,
        aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(nothing.handle, operand.handle, out.handle)
    );
    assert_eq!(code, 0, "{}", text());
    assert_eq!(out.values(), [0.0; 4]);
}

#[cfg(feature = "more-operators")]
#[test]
fn results_are_compared_with_the_sizes_before_places_are_made() {
    let _serial = start();
    let image = tensor(ACL_FLOAT, &[1, 1, 2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let (out, indices) = (
        room(ACL_FLOAT, &[1, 1, 2, 2]),
        room(ACL_INT64, &[1, 1, 2, 2]),
    );
    refuses!(
        161002,
        "outputOut has the shape",
        aclnnAdaptiveMaxPool2dGetWorkspaceSize(
            image.handle,
            ints(&[MUCH, 2]),
            out.handle,
            indices.handle
        )
    );
    let (volume, padded) = (
        room(ACL_FLOAT, &[1, 1, 1, 2]),
        room(ACL_FLOAT, &[1, 1, 1, 2]),
    );
    refuses!(
        161002,
        "out has the shape",
        aclnnReplicationPad3dGetWorkspaceSize(
            volume.handle,
            ints(&[0, MUCH, 0, 0, 0, 0]),
            padded.handle
        )
    );
    let (empty, means) = (
        room(ACL_FLOAT, &[1, 0, 1 << 40, 1]),
        room(ACL_FLOAT, &[1, 1, 1, 1]),
    );
    refuses!(
        161002,
        "has no elements",
        aclnnAdaptiveAvgPool3dGetWorkspaceSize(empty.handle, ints(&[1, 1, 1]), means.handle)
    );
    // A result without elements needs no places, whatever its other sizes are.
    let nothing = room(ACL_FLOAT, &[1, 1, MUCH, 0]);
    for code in [
        run!(
            aclnnAdaptiveMaxPool2d,
            aclnnAdaptiveMaxPool2dGetWorkspaceSize(
                image.handle,
                ints(&[MUCH, 0]),
                nothing.handle,
                room(ACL_INT64, &[1, 1, MUCH, 0]).handle
            )
        ),
        run!(
            aclnnUpsampleNearest2dV2,
            aclnnUpsampleNearest2dV2GetWorkspaceSize(
                image.handle,
                ints(&[MUCH, 0]),
                0.0,
                0.0,
                nothing.handle
            )
        ),
    ] {
        assert_eq!(code, 0, "{}", text());
    }
}

#[cfg(feature = "more-operators")]
#[test]
fn a_scale_without_a_next_place_is_computed() {
    let _serial = start();
    let image = tensor(ACL_FLOAT, &[1, 1, 2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let out = room(ACL_FLOAT, &[1, 1, 1, 1]);
    let code = run!(
        aclnnUpsampleBicubic2d,
        aclnnUpsampleBicubic2dGetWorkspaceSize(
            image.handle,
            ints(&[1, 1]),
            false,
            1e-30,
            1e-30,
            out.handle
        )
    );
    assert_eq!(code, 0, "{}", text());
}

#[cfg(feature = "more-operators")]
#[test]
fn elements_are_repeated_as_often_as_the_output_has_room() {
    let _serial = start();
    let numbers = tensor(ACL_FLOAT, &[3], &[1.0, 2.0, 3.0]);
    let out = room(ACL_FLOAT, &[4]);
    let repeats = tensor(ACL_INT64, &[3], &[1.0, 1e18, 1e18]);
    let code = run!(
        aclnnRepeatInterleave,
        aclnnRepeatInterleaveGetWorkspaceSize(numbers.handle, repeats.handle, 4, out.handle)
    );
    assert_eq!(code, 0, "{}", text());
    assert_eq!(out.values(), [1.0, 2.0, 2.0, 2.0]);
}

#[cfg(feature = "more-operators")]
#[test]
fn a_box_has_no_more_places_than_an_image() {
    let _serial = start();
    let image = tensor(ACL_FLOAT, &[1, 1, 2, 2], &[1.0; 4]);
    let boxes = tensor(ACL_FLOAT, &[1, 5], &[0.0; 5]);
    let out = room(ACL_FLOAT, &[1, 1, 1, 1]);
    refuses!(
        161002,
        "samplingRatio is 1025; it is 0 to 1024",
        aclnnRoiAlignV2GetWorkspaceSize(
            image.handle,
            boxes.handle,
            1,
            1,
            1.0,
            1025,
            false,
            out.handle
        )
    );
}

#[cfg(feature = "more-operators")]
#[test]
fn a_result_without_memory_is_found_before_places_are_made() {
    let _serial = start();
    let image = tensor(ACL_FLOAT, &[1, 1, 1, 1], &[1.0]);
    let one = room(ACL_FLOAT, &[1]);
    let wide = again(&one, &[1, 1, 1, MUCH], None, 0);
    let line = tensor(ACL_FLOAT, &[1, 1, 1], &[1.0]);
    let padded = again(&one, &[1, 1, MUCH], None, 0);
    // Each task fails, because the memory ends before the result does.
    macro_rules! lacks {
        ($launch:ident, $prepare:ident($($arg:expr),* $(,)?)) => {{
            let (mut size, mut executor) = (u64::MAX, std::ptr::null_mut());
            let code = call!(op.$prepare($($arg,)* &mut size, &mut executor));
            assert_eq!(code, 0, "{}", text());
            let memory = workspace(size);
            // SAFETY: the executor of the first phase, and a workspace of the size that it has asked for.
            let code = unsafe {
                (ascendcl_emulator::API.op.$launch)(memory, size, executor, std::ptr::null_mut())
            };
            assert_eq!(code, 0, "{}", text());
            let waited = call!(stream.aclrtSynchronizeStream(std::ptr::null_mut()));
            assert_eq!(waited, 507001, "{}", text());
        }};
    }
    lacks!(
        aclnnUpsampleNearest2dV2,
        aclnnUpsampleNearest2dV2GetWorkspaceSize(image.handle, ints(&[1, MUCH]), 0.0, 0.0, wide)
    );
    lacks!(
        aclnnUpsampleBilinear2dAA,
        aclnnUpsampleBilinear2dAAGetWorkspaceSize(
            image.handle,
            ints(&[1, MUCH]),
            false,
            0.0,
            0.0,
            wide
        )
    );
    lacks!(
        aclnnReplicationPad1d,
        aclnnReplicationPad1dGetWorkspaceSize(line.handle, ints(&[0, MUCH - 1]), padded)
    );
}

#[cfg(feature = "training")]
#[test]
fn a_gradient_of_no_window_is_0_and_one_of_halves_is_rounded_once() {
    let _serial = start();
    // Half a step of the last place, and a little more, which single precision does not keep beside 1.
    let (half, little) = (2.0_f64.powi(-11), 2.0_f64.powi(-24));
    let rounded = 1.0 + 2.0 * half;
    for (dtype, sizes, gradient, expected) in [
        (ACL_FLOAT, [1, 1, 0, 0], vec![], [0.0; 3]),
        (
            ACL_FLOAT16,
            [1, 1, 1, 3],
            vec![1.0, half, little],
            [0.0, 0.0, rounded],
        ),
    ] {
        let indices = tensor(ACL_INT64, &sizes, &vec![2.0; gradient.len()]);
        let gradient = tensor(dtype, &sizes, &gradient);
        let image = room(dtype, &[1, 1, 1, 3]);
        let out = tensor(dtype, &[1, 1, 1, 3], &[7.0; 3]);
        let code = run!(
            aclnnAdaptiveMaxPool2dBackward,
            aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize(
                gradient.handle,
                image.handle,
                indices.handle,
                out.handle
            )
        );
        assert_eq!(code, 0, "{}", text());
        assert_eq!(out.values(), expected);
    }
}

#[cfg(feature = "more-operators")]
#[test]
fn a_product_of_three_is_rounded_once_and_layers_have_elements() {
    let _serial = start();
    let little = 2.0_f64.powi(-14);
    let one = tensor(ACL_FLOAT16, &[3], &[0.0, 3.0, little]);
    let other = tensor(ACL_FLOAT16, &[3], &[0.0, -little, 683.0]);
    let out = room(ACL_FLOAT16, &[3]);
    let code = run!(
        aclnnLinalgCross,
        aclnnLinalgCrossGetWorkspaceSize(one.handle, other.handle, 0, out.handle)
    );
    assert_eq!(code, 0, "{}", text());
    assert_eq!(out.values(), [2050.0, 0.0, 0.0]);

    let (tokens, null) = (core::ptr::null(), core::ptr::null());
    let out = room(ACL_FLOAT16, &[2, 8]);
    for (length, inner) in [(0, 4), (4, 0)] {
        let input = room(ACL_FLOAT16, &[2, length]);
        let weights = [[length, inner], [inner, 8]].map(|sizes| room(ACL_FLOAT16, &sizes));
        refuses!(
            161002,
            "does not go with weight1",
            aclnnFFNGetWorkspaceSize(
                input.handle,
                weights[0].handle,
                weights[1].handle,
                tokens,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                c"relu".as_ptr(),
                0,
                out.handle
            )
        );
    }
}
