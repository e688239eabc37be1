//! Data sets and tensor descriptions.

use std::ptr::{null, null_mut};

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;

use crate::common::*;
use crate::start;

#[test]
fn a_data_set_owns_neither_buffers_nor_memory() {
    let _serial = start();
    check!(100000, model.aclmdlDestroyDataset(null()));
    let set = call!(model.aclmdlCreateDataset());
    let buffer = call!(runtime.aclCreateDataBuffer(null_mut(), 0));
    check!(100000, model.aclmdlAddDatasetBuffer(null_mut(), buffer));
    check!(100000, model.aclmdlAddDatasetBuffer(set, null_mut()));
    check!(model.aclmdlAddDatasetBuffer(set, buffer));
    check!(model.aclmdlAddDatasetBuffer(set, buffer));
    assert_eq!(call!(model.aclmdlGetDatasetNumBuffers(set)), 2);
    assert_eq!(call!(model.aclmdlGetDatasetNumBuffers(null())), 0);
    assert_eq!(call!(model.aclmdlGetDatasetBuffer(set, 1)), buffer);
    assert!(call!(model.aclmdlGetDatasetBuffer(set, 2)).is_null());
    assert!(call!(model.aclmdlGetDatasetBuffer(null(), 0)).is_null());
    check!(model.aclmdlDestroyDataset(set));
    check!(runtime.aclDestroyDataBuffer(buffer));
    let _ = take_findings();
    check!(100000, model.aclmdlDestroyDataset(set));
    assert!(text().contains("is no aclmdlDataset, or was destroyed already"));
    assert!(
        take_findings()
            .iter()
            .any(|found| found.mistake == Mistake::DestroyedTwice),
        "the checker has seen it"
    );
}

#[test]
fn a_data_set_copies_a_tensor_description() {
    let _serial = start();
    let set = call!(model.aclmdlCreateDataset());
    let buffer = call!(runtime.aclCreateDataBuffer(null_mut(), 0));
    let desc = call!(model.aclCreateTensorDesc(ACL_INT32, 2, [3, 4].as_ptr(), ACL_FORMAT_ND));
    check!(
        100000,
        model.aclmdlSetDatasetTensorDesc(null_mut(), desc, 0)
    );
    check!(100000, model.aclmdlSetDatasetTensorDesc(set, desc, 0));
    check!(model.aclmdlAddDatasetBuffer(set, buffer));
    assert!(call!(model.aclmdlGetDatasetTensorDesc(set, 0)).is_null());
    check!(model.aclmdlSetDatasetTensorDesc(set, desc, 0));
    call!(model.aclDestroyTensorDesc(desc));
    let copy = call!(model.aclmdlGetDatasetTensorDesc(set, 0));
    assert_eq!(call!(model.aclGetTensorDescElementCount(copy)), 12);
    check!(model.aclmdlSetDatasetTensorDesc(set, null_mut(), 0));
    assert!(call!(model.aclmdlGetDatasetTensorDesc(set, 0)).is_null());
    assert!(call!(model.aclmdlGetDatasetTensorDesc(null(), 0)).is_null());
    assert_eq!(
        call!(model.aclGetTensorDescElementCount(copy)),
        0,
        "the copy is gone"
    );
    check!(model.aclmdlDestroyDataset(set));
    check!(runtime.aclDestroyDataBuffer(buffer));
}

#[test]
fn tensor_descriptions_answer_as_the_sources_do() {
    let _serial = start();
    let make = |rank, dims: &[i64]| {
        call!(model.aclCreateTensorDesc(ACL_FLOAT16, rank, dims.as_ptr(), ACL_FORMAT_NCHW))
    };
    assert!(make(-1, &[]).is_null());
    assert!(call!(model.aclCreateTensorDesc(ACL_FLOAT16, 1, null(), ACL_FORMAT_ND)).is_null());
    for (dims, elements, rank) in [
        (&[][..], 1, 0),
        (&[2, 3], 6, 2),
        (&[2, -1], 0, 2),
        (&[i64::MAX, 4], 0, 2),
        (&[-2], 0, 0xffff_ffff_ffff_fffe),
    ] {
        let desc = make(dims.len() as i32, dims);
        assert_eq!(call!(model.aclGetTensorDescElementCount(desc)), elements);
        assert_eq!(call!(model.aclGetTensorDescSize(desc)), 2 * elements);
        assert_eq!(call!(model.aclGetTensorDescNumDims(desc)), rank);
        assert_eq!(call!(model.aclGetTensorDescType(desc)), ACL_FLOAT16);
        assert_eq!(call!(model.aclGetTensorDescFormat(desc)), ACL_FORMAT_NCHW);
        let mut dim = 7;
        check!(
            100000,
            model.aclGetTensorDescDimV2(desc, dims.len(), &mut dim)
        );
        check!(100000, model.aclGetTensorDescDimV2(desc, 0, null_mut()));
        if let Some(first) = dims.first() {
            check!(model.aclGetTensorDescDimV2(desc, 0, &mut dim));
            assert_eq!(dim, *first);
        }
        call!(model.aclDestroyTensorDesc(desc));
    }
    call!(model.aclDestroyTensorDesc(null()));
    assert_eq!(call!(model.aclGetTensorDescSize(null())), 0);
    assert_eq!(call!(model.aclGetTensorDescNumDims(null())), 0);
    assert_eq!(call!(model.aclGetTensorDescType(null())), ACL_DT_UNDEFINED);
    check!(100000, model.aclGetTensorDescDimV2(null(), 0, &mut 0));
}
