//! Outputs whose shapes are not those of the manual, and that a card takes all the same.

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

passes_while_watched!("operators_outputs");

#[test]
fn an_only_result_goes_to_any_shape_with_one_element() {
    let _serial = start_checked();
    let input = tensor(ACL_FLOAT, &[4], &[1.0, 5.0, 2.0, 4.0]);
    let truths = tensor(ACL_BOOL, &[4], &[0.0, 0.0, 1.0, 0.0]);
    let single = tensor(ACL_FLOAT, &[1, 1], &[7.0]);
    let (dims, order) = (ints(&[0]), ints(&[1, 0]));
    for shape in [&[][..], &[1], &[1, 1, 1]] {
        let (out, truth, place) = (
            room(ACL_FLOAT, shape),
            room(ACL_BOOL, shape),
            room(ACL_INT64, shape),
        );
        let code = run!(
            aclnnReduceSum,
            aclnnReduceSumGetWorkspaceSize(input.handle, dims, false, ACL_FLOAT, out.handle)
        );
        assert_eq!((code, out.values()), (0, vec![12.0]), "{}", text());
        let code = run!(
            aclnnMean,
            aclnnMeanGetWorkspaceSize(input.handle, dims, true, ACL_FLOAT, out.handle)
        );
        assert_eq!((code, out.values()), (0, vec![3.0]), "{}", text());
        let code = run!(
            aclnnPermute,
            aclnnPermuteGetWorkspaceSize(single.handle, order, out.handle)
        );
        assert_eq!((code, out.values()), (0, vec![7.0]), "{}", text());
        let code = run!(
            aclnnAny,
            aclnnAnyGetWorkspaceSize(truths.handle, dims, false, truth.handle)
        );
        assert_eq!((code, truth.values()), (0, vec![1.0]), "{}", text());
        let code = run!(
            aclnnArgMax,
            aclnnArgMaxGetWorkspaceSize(input.handle, 0, false, place.handle)
        );
        assert_eq!((code, place.values()), (0, vec![1.0]), "{}", text());
    }
    // Others compare the shapes, and several results need theirs.
    let (one, two) = (room(ACL_FLOAT, &[1]), room(ACL_FLOAT, &[2, 1]));
    let code = run!(
        aclnnAmax,
        aclnnAmaxGetWorkspaceSize(input.handle, dims, false, one.handle)
    );
    assert_eq!(code, 161002);
    let rows = tensor(ACL_FLOAT, &[3, 2], &[1.0; 6]);
    let code = run!(
        aclnnReduceSum,
        aclnnReduceSumGetWorkspaceSize(rows.handle, dims, false, ACL_FLOAT, two.handle)
    );
    assert_eq!(code, 161002);
    assert!(
        text().contains("out has the shape [2, 1]; it has to be [2]"),
        "{}",
        text()
    );
    check!(op.aclDestroyIntArray(dims));
    check!(op.aclDestroyIntArray(order));
}

#[test]
fn factors_of_rows_may_lack_the_last_dimensions() {
    let _serial = start_checked();
    let input = tensor(
        ACL_FLOAT,
        &[2, 2, 2],
        &[1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 0.5, 0.5],
    );
    let (gamma, out) = (
        tensor(ACL_FLOAT, &[2], &[1.0, 3.0]),
        room(ACL_FLOAT, &[2, 2, 2]),
    );
    for (shape, fits) in [
        (&[2, 2, 1][..], true),
        (&[2, 2], true),
        (&[2], false),
        (&[4], false),
        (&[2, 2, 2], false),
        (&[2, 2, 1, 1], false),
    ] {
        let factors = room(ACL_FLOAT, shape);
        let code = run!(
            aclnnRmsNorm,
            aclnnRmsNormGetWorkspaceSize(
                input.handle,
                gamma.handle,
                0.0,
                out.handle,
                factors.handle
            )
        );
        assert_eq!(code, if fits { 0 } else { 161002 }, "{shape:?}: {}", text());
        if fits {
            assert_same(&factors.values(), &[1.0, 0.5, 0.25, 2.0]);
            assert_same(&out.values(), &[1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0]);
        }
    }
}

#[test]
fn a_sum_may_be_stored_in_the_memory_of_the_weights() {
    let _serial = start();
    let (one, other) = (
        tensor(ACL_FLOAT, &[4], &[1.0, -1.0, 1.0, -1.0]),
        tensor(ACL_FLOAT, &[4], &[1.0, -1.0, 1.0, -1.0]),
    );
    let sum = vec![2.0, -2.0, 2.0, -2.0];
    let result = vec![5.0, -6.0, 7.0, -8.0];
    let weights = || tensor(ACL_FLOAT, &[4], &[5.0, 6.0, 7.0, 8.0]);
    let out = room(ACL_FLOAT, &[4]);
    let (mean, factor) = (room(ACL_FLOAT, &[1]), room(ACL_FLOAT, &[1]));
    let gamma = weights();
    let code = run!(
        aclnnAddRmsNorm,
        aclnnAddRmsNormGetWorkspaceSize(
            one.handle,
            other.handle,
            gamma.handle,
            0.0,
            out.handle,
            factor.handle,
            gamma.handle
        )
    );
    assert_eq!((code, gamma.values()), (0, sum.clone()), "{}", text());
    assert_eq!(out.values(), result);
    let (gamma, beta) = (weights(), tensor(ACL_FLOAT, &[4], &[0.0; 4]));
    let code = run!(
        aclnnAddLayerNorm,
        aclnnAddLayerNormGetWorkspaceSize(
            one.handle,
            other.handle,
            gamma.handle,
            beta.handle,
            core::ptr::null(),
            0.0,
            true,
            out.handle,
            mean.handle,
            factor.handle,
            gamma.handle
        )
    );
    assert_eq!((code, gamma.values()), (0, sum), "{}", text());
    assert_eq!(out.values(), result);
}
