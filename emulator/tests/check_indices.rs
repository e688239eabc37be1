//! Indices outside of the tensor that they point into: what the checker reports, and what the operators do then.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

#[cfg(feature = "more-operators")]
use std::ptr::null_mut;

use ascendcl_emulator::{Mistake, What, take_findings, take_violations};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Asserts that an operator has read one index outside of a dimension, and that the finding names its second phase.
#[track_caller]
fn expect(operator: &str, index: i64, size: usize) {
    expect_text(operator, &format!("the index {index} for {size} elements"));
}

/// Asserts that an operator has read one number that is out of range, with this text.
#[track_caller]
fn expect_text(operator: &str, words: &str) {
    let text = format!("{operator} was given {words}");
    let found = take_findings();
    let [finding] = &found[..] else {
        unreachable!("one finding is expected, there are {found:#?}")
    };
    assert_eq!(
        (finding.mistake, &finding.text),
        (Mistake::IndexOutOfRange, &text)
    );
    let calls: Vec<_> = finding
        .calls
        .iter()
        .map(|(part, issued)| (*part, issued.call.as_str()))
        .collect();
    assert_eq!(calls, [("used", operator)]);
    let violations = take_violations();
    let [violation] = &violations[..] else {
        unreachable!("one violation is expected, there are {violations:#?}")
    };
    assert_eq!(
        (violation.call, violation.what, &violation.text),
        (operator, What::IndexOutOfRange, &text)
    );
}

#[test]
fn indices_within_the_tensor_have_no_finding() {
    let _serial = start_checked();
    let table = tensor(ACL_FLOAT, &[3, 1], &[1.0, 2.0, 3.0]);
    let index = tensor(ACL_INT64, &[3], &[2.0, 0.0, -3.0]);
    let out = room(ACL_FLOAT, &[3, 1]);
    let code = run!(
        aclnnGatherV2,
        aclnnGatherV2GetWorkspaceSize(table.handle, 0, index.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![3.0, 1.0, 1.0]));
    assert_eq!((take_findings(), take_violations()), (vec![], vec![]));
}

#[test]
fn an_operator_that_counts_from_the_start_reports_negative_indices() {
    let _serial = start_checked();
    let table = tensor(ACL_FLOAT, &[3, 1], &[1.0, 2.0, 3.0]);
    let index = tensor(ACL_INT64, &[2], &[1.0, -1.0]);
    let out = room(ACL_FLOAT, &[2, 1]);
    let code = run!(
        aclnnIndexSelect,
        aclnnIndexSelectGetWorkspaceSize(table.handle, 0, index.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![2.0, 0.0]));
    expect("aclnnIndexSelect", -1, 3);
    let code = run!(
        aclnnEmbedding,
        aclnnEmbeddingGetWorkspaceSize(table.handle, index.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![2.0, 0.0]));
    expect("aclnnEmbedding", -1, 3);
    let rows = tensor(ACL_INT64, &[2, 1], &[1.0, -1.0]);
    let changed = tensor(ACL_FLOAT, &[3, 1], &[1.0, 2.0, 3.0]);
    let updates = tensor(ACL_FLOAT, &[2, 1], &[7.0, 8.0]);
    let code = run!(
        aclnnScatterNdUpdate,
        aclnnScatterNdUpdateGetWorkspaceSize(changed.handle, rows.handle, updates.handle)
    );
    assert_eq!((code, changed.values()), (0, vec![1.0, 7.0, 3.0]));
    expect("aclnnScatterNdUpdate", -1, 3);
}

#[test]
fn an_operator_that_takes_elements_reports_the_first_index() {
    let _serial = start_checked();
    let table = tensor(ACL_FLOAT, &[3, 1], &[1.0, 2.0, 3.0]);
    let (out, row) = (room(ACL_FLOAT, &[3, 1]), room(ACL_FLOAT, &[3]));
    let index = tensor(ACL_INT64, &[3], &[0.0, 3.0, -4.0]);
    let run = || {
        run!(
            aclnnIndexSelect,
            aclnnIndexSelectGetWorkspaceSize(table.handle, 0, index.handle, out.handle)
        )
    };
    assert_eq!((run(), out.values()), (0, vec![1.0, 0.0, 0.0]));
    expect("aclnnIndexSelect", 3, 3);
    let code = run!(
        aclnnEmbedding,
        aclnnEmbeddingGetWorkspaceSize(table.handle, index.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![1.0, 0.0, 0.0]));
    expect("aclnnEmbedding", 3, 3);
    let places = tensor(ACL_INT32, &[3, 1], &[-4.0, 2.0, 9.0]);
    let code = run!(
        aclnnGather,
        aclnnGatherGetWorkspaceSize(table.handle, 0, places.handle, out.handle)
    );
    assert_eq!((code, out.values()), (0, vec![0.0, 3.0, 0.0]));
    expect("aclnnGather", -4, 3);
    let zeros = tensor(ACL_INT64, &[3], &[0.0, 0.0, 1.0]);
    let code = run!(
        aclnnIndex,
        aclnnIndexGetWorkspaceSize(
            table.handle,
            list(&[&places_of(&index), &zeros]),
            row.handle
        )
    );
    assert_eq!((code, row.values()), (0, vec![1.0, 0.0, 0.0]));
    expect("aclnnIndex", 3, 3);
}

/// Another tensor with the same numbers, which a list may own.
fn places_of(one: &Tensor) -> Tensor {
    let numbers = one.values();
    tensor(ACL_INT64, &[numbers.len() as i64], &numbers)
}

#[test]
fn an_operator_that_puts_elements_leaves_the_others_alone() {
    let _serial = start_checked();
    let data = tensor(ACL_FLOAT, &[1, 3], &[1.0, 2.0, 3.0]);
    let updates = tensor(ACL_FLOAT, &[1, 2], &[8.0, 9.0]);
    let index = tensor(ACL_INT32, &[1, 2], &[3.0, 0.0]);
    let code = run!(
        aclnnInplaceScatter,
        aclnnInplaceScatterGetWorkspaceSize(data.handle, 1, index.handle, updates.handle, 0)
    );
    assert_eq!((code, data.values()), (0, vec![9.0, 2.0, 3.0]));
    expect("aclnnInplaceScatter", 3, 3);
    // The second update of the batch has no place behind the last element.
    let start = tensor(ACL_INT32, &[1], &[2.0]);
    let code = run!(
        aclnnInplaceScatterUpdate,
        aclnnInplaceScatterUpdateGetWorkspaceSize(data.handle, start.handle, updates.handle, 1)
    );
    assert_eq!((code, data.values()), (0, vec![9.0, 2.0, 8.0]));
    expect("aclnnInplaceScatterUpdate", 3, 3);
}

#[test]
#[cfg(feature = "more-operators")]
fn places_of_tokens_are_compared_with_their_number() {
    let _serial = start_checked();
    let rows = tensor(ACL_FLOAT, &[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let out = room(ACL_FLOAT, &[2, 2]);
    let unpermute = |places: [f64; 2]| {
        let places = tensor(ACL_INT32, &[2], &places);
        let code = run!(
            aclnnMoeTokenUnpermute,
            aclnnMoeTokenUnpermuteGetWorkspaceSize(
                rows.handle,
                places.handle,
                null_mut(),
                false,
                null_mut(),
                out.handle
            )
        );
        assert_eq!(code, 0, "{}", text());
        out.values()
    };
    assert_eq!(unpermute([1.0, 0.0]), [3.0, 4.0, 1.0, 2.0]);
    assert_eq!(take_findings(), []);
    assert_eq!(unpermute([1.0, 7.0]), [3.0, 4.0, 0.0, 0.0]);
    let expect = |words| expect_text("aclnnMoeTokenUnpermute", words);
    expect("7 in sortedIndices, which takes 0 to 1");
    assert_eq!(unpermute([-1.0, 0.0]), [0.0, 0.0, 1.0, 2.0]);
    expect("-1 in sortedIndices, which takes 0 to 1");
}

#[test]
#[cfg(feature = "more-operators")]
fn an_expert_that_does_not_exist_is_named_with_its_operand() {
    let _serial = start_checked();
    let rows = tensor(ACL_FLOAT, &[2, 1], &[1.0, 2.0]);
    let (out, places) = (room(ACL_FLOAT, &[2, 1]), room(ACL_INT32, &[2]));
    let route = |experts: [f64; 2], number| {
        let experts = tensor(ACL_INT32, &[2, 1], &experts);
        let code = run!(
            aclnnMoeInitRoutingV2,
            aclnnMoeInitRoutingV2GetWorkspaceSize(
                rows.handle,
                experts.handle,
                0,
                0,
                number,
                0,
                0,
                false,
                out.handle,
                places.handle,
                null_mut(),
                null_mut()
            )
        );
        assert_eq!(code, 0, "{}", text());
    };
    // A finished row has the number behind the last expert.
    route([3.0, 0.0], 3);
    assert_eq!(take_findings(), []);
    route([7.0, 0.0], 3);
    let expect = |words| expect_text("aclnnMoeInitRoutingV2", words);
    expect("7 in expertIdx, which takes 0 to 3");
    route([-1.0, 0.0], 0);
    expect("-1 in expertIdx, which takes no negative number");
}

#[test]
#[cfg(feature = "training")]
fn a_nearest_point_that_does_not_exist_is_reported_and_adds_nothing() {
    let _serial = start_checked();
    let points = tensor(ACL_FLOAT, &[2, 1, 2], &[1.0, 2.0, 3.0, 4.0]);
    let others = tensor(ACL_FLOAT, &[2, 1, 2], &[0.0, 0.0, 1.0, 1.0]);
    let slope = tensor(ACL_FLOAT, &[2, 1], &[1.0, 1.0]);
    let outs = [0; 2].map(|_| room(ACL_FLOAT, &[2, 1, 2]));
    let gradients = |nearest: [f64; 2]| {
        let nearest = tensor(ACL_INT32, &[2, 1], &nearest);
        let none = tensor(ACL_FLOAT, &[2, 1], &[0.0, 0.0]);
        let first = tensor(ACL_INT32, &[2, 1], &[0.0, 0.0]);
        let code = run!(
            aclnnChamferDistanceBackward,
            aclnnChamferDistanceBackwardGetWorkspaceSize(
                points.handle,
                others.handle,
                nearest.handle,
                first.handle,
                slope.handle,
                none.handle,
                outs[0].handle,
                outs[1].handle
            )
        );
        assert_eq!(code, 0, "{}", text());
        outs[0].values()
    };
    assert_eq!(gradients([0.0, 0.0]), [2.0, 4.0, 4.0, 6.0]);
    assert_eq!(take_findings(), []);
    let expect = |words| expect_text("aclnnChamferDistanceBackward", words);
    // The first batch must not see the point of the second one.
    assert_eq!(gradients([1.0, 0.0]), [0.0, 0.0, 4.0, 6.0]);
    expect("1 in idx1, which takes 0 to 0");
    assert_eq!(gradients([0.0, -1.0]), [2.0, 4.0, 0.0, 0.0]);
    expect("-1 in idx1, which takes 0 to 0");
}
