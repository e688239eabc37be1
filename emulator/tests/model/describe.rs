//! Descriptions: numbers, sizes, shapes, names, and the answers for wrong arguments.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use ascendcl_sys::*;

use crate::engine::{BATCH, DIMS, IMAGE, LONG, SUM, file};
use crate::{describe, load, start};

/// A structure of C whose bytes have no meaning, as on the stack of a program.
fn poisoned<T: Copy>() -> T {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the place has room for one value.
    unsafe { value.as_mut_ptr().write_bytes(0xaa, 1) };
    // SAFETY: the structures of C are plain numbers, for which any bytes are values.
    unsafe { value.assume_init() }
}

/// Returns a text of C.
fn word(text: *const c_char) -> String {
    // SAFETY: the emulator returns C strings that live as long as the description.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

fn shape(dims: &aclmdlIODims) -> Vec<i64> {
    dims.dims[..dims.dimCount].to_vec()
}

#[test]
fn a_description_has_what_the_file_has() {
    let _serial = start();
    let id = load(SUM);
    let desc = describe(id);
    assert_eq!(call!(model.aclmdlGetNumInputs(desc)), 2);
    assert_eq!(call!(model.aclmdlGetNumOutputs(desc)), 1);
    assert_eq!(call!(model.aclmdlGetInputSizeByIndex(desc, 1)), 24);
    assert_eq!(call!(model.aclmdlGetOutputSizeByIndex(desc, 0)), 24);
    assert_eq!(call!(model.aclmdlGetInputDataType(desc, 0)), ACL_FLOAT);
    assert_eq!(call!(model.aclmdlGetOutputDataType(desc, 0)), ACL_FLOAT);
    assert_eq!(call!(model.aclmdlGetInputFormat(desc, 0)), ACL_FORMAT_ND);
    assert_eq!(word(call!(model.aclmdlGetInputNameByIndex(desc, 1))), "y");
    assert_eq!(
        word(call!(model.aclmdlGetOutputNameByIndex(desc, 0))),
        "sum"
    );
    let mut index = 9;
    check!(model.aclmdlGetInputIndexByName(desc, c"y".as_ptr(), &mut index));
    assert_eq!(index, 1);
    check!(
        100000,
        model.aclmdlGetOutputIndexByName(desc, c"y".as_ptr(), &mut index)
    );
    assert_eq!(index, 1, "a name that there is not leaves the index");
    let mut dims = poisoned::<aclmdlIODims>();
    check!(model.aclmdlGetInputDims(desc, 0, &mut dims));
    assert_eq!(
        (word(dims.name.as_ptr()), shape(&dims)),
        ("x".to_owned(), vec![2, 3])
    );
    check!(model.aclmdlGetInputDimsV2(desc, 0, &mut dims));
    check!(model.aclmdlGetOutputDims(desc, 0, &mut dims));
    assert_eq!(shape(&dims), [2, 3]);
    check!(model.aclmdlGetCurOutputDims(desc, 0, &mut dims));
    assert_eq!(shape(&dims), [2, 3]);
    let mut range = poisoned::<aclmdlIODimsRange>();
    check!(model.aclmdlGetInputDimsRange(desc, 0, &mut range));
    assert_eq!(
        (range.rangeCount, &range.range[..2]),
        (2, &[[2, 2], [3, 3]][..])
    );
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
}

#[test]
fn wrong_arguments_have_the_answers_of_the_sources() {
    let _serial = start();
    let id = load(SUM);
    let desc = describe(id);
    let (mut dims, mut index) = (poisoned::<aclmdlIODims>(), 0);
    for gone in [null_mut(), desc.wrapping_byte_add(1)] {
        assert_eq!(call!(model.aclmdlGetNumInputs(gone)), 0);
        assert_eq!(call!(model.aclmdlGetNumOutputs(gone)), 0);
        assert_eq!(call!(model.aclmdlGetInputSizeByIndex(gone, 0)), 0);
        assert_eq!(
            call!(model.aclmdlGetInputDataType(gone, 0)),
            ACL_DT_UNDEFINED
        );
        assert_eq!(
            call!(model.aclmdlGetOutputFormat(gone, 0)),
            ACL_FORMAT_UNDEFINED
        );
        assert_eq!(word(call!(model.aclmdlGetInputNameByIndex(gone, 0))), "");
        check!(100000, model.aclmdlGetInputDims(gone, 0, &mut dims));
        check!(
            100000,
            model.aclmdlGetInputIndexByName(gone, c"x".as_ptr(), &mut index)
        );
        check!(100000, model.aclmdlGetDesc(gone, id));
        check!(100000, model.aclmdlDestroyDesc(gone));
    }
    assert_eq!(call!(model.aclmdlGetOutputSizeByIndex(desc, 1)), 0);
    assert_eq!(
        call!(model.aclmdlGetOutputDataType(desc, 1)),
        ACL_DT_UNDEFINED
    );
    assert_eq!(
        call!(model.aclmdlGetInputFormat(desc, 2)),
        ACL_FORMAT_UNDEFINED
    );
    assert_eq!(word(call!(model.aclmdlGetOutputNameByIndex(desc, 1))), "");
    check!(100000, model.aclmdlGetInputDims(desc, 2, &mut dims));
    check!(100000, model.aclmdlGetInputDims(desc, 0, null_mut()));
    check!(100000, model.aclmdlGetOutputDims(desc, 1, &mut dims));
    check!(100000, model.aclmdlGetCurOutputDims(desc, 1, &mut dims));
    check!(
        100000,
        model.aclmdlGetInputDimsRange(desc, 2, &mut poisoned())
    );
    check!(
        100000,
        model.aclmdlGetInputIndexByName(desc, null(), &mut index)
    );
    check!(
        100000,
        model.aclmdlGetInputIndexByName(desc, c"x".as_ptr(), null_mut())
    );
    assert!(call!(model.aclmdlGetOpAttr(desc, c"add".as_ptr(), c"kind".as_ptr())).is_null());
    assert!(call!(model.aclmdlGetTensorRealName(desc, c"z".as_ptr())).is_null());
    assert_eq!(
        word(call!(model.aclmdlGetTensorRealName(desc, c"sum".as_ptr()))),
        "sum"
    );
    // A description that cannot be filled loses its old content.
    check!(145003, model.aclmdlGetDesc(desc, id + 1000));
    assert_eq!(call!(model.aclmdlGetNumInputs(desc)), 0);
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
}

#[test]
fn a_file_is_described_without_a_load() {
    let _serial = start();
    let (bytes, desc) = (file(SUM), call!(model.aclmdlCreateDesc()));
    check!(100000, model.aclmdlGetDescFromMem(desc, null(), 1));
    check!(
        100000,
        model.aclmdlGetDescFromMem(null_mut(), bytes.as_ptr().cast(), bytes.len())
    );
    check!(
        145002,
        model.aclmdlGetDescFromFile(null_mut(), c"/nowhere".as_ptr())
    );
    check!(100000, model.aclmdlGetDescFromFile(desc, null()));
    check!(model.aclmdlGetDescFromMem(desc, bytes.as_ptr().cast(), bytes.len()));
    assert_eq!(call!(model.aclmdlGetNumInputs(desc)), 2);
    // It has no id.
    check!(
        145003,
        model.aclmdlGetCurOutputDims(desc, 0, &mut poisoned())
    );
    check!(model.aclmdlDestroyDesc(desc));
}

#[test]
fn long_names_and_long_shapes_do_not_fit_the_structure() {
    let _serial = start();
    let id = load(LONG);
    let desc = describe(id);
    let mut dims = poisoned::<aclmdlIODims>();
    check!(300000, model.aclmdlGetInputDims(desc, 0, &mut dims));
    check!(model.aclmdlGetOutputDims(desc, 0, &mut dims));
    assert_eq!(word(dims.name.as_ptr()), "y".repeat(127));
    let short = CString::new(format!("acl_modelId_{id}_input_0")).unwrap();
    let real = "x".repeat(128);
    assert_eq!(
        word(call!(model.aclmdlGetTensorRealName(desc, short.as_ptr()))),
        real
    );
    let mut index = 9;
    check!(model.aclmdlGetInputIndexByName(desc, short.as_ptr(), &mut index));
    assert_eq!(index, 0);
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
}

#[test]
fn gears_are_described_by_their_kind() {
    let _serial = start();
    let (mut batch, mut hw, mut count) = (poisoned::<aclmdlBatch>(), poisoned::<aclmdlHW>(), 9);
    let ids = [load(BATCH), load(IMAGE), load(DIMS), load(SUM)];
    for (id, batches, sizes, gears) in [
        (ids[0], &[1, 2, 4][..], &[][..], 0),
        (ids[1], &[], &[[2, 3], [4, 5]], 0),
        (ids[2], &[], &[], 2),
        (ids[3], &[], &[], 0),
    ] {
        let desc = describe(id);
        check!(model.aclmdlGetDynamicBatch(desc, &mut batch));
        assert_eq!(&batch.batch[..batch.batchCount], batches);
        check!(model.aclmdlGetDynamicHW(desc, 77, &mut hw));
        assert_eq!(&hw.hw[..hw.hwCount], sizes);
        check!(
            100000,
            model.aclmdlGetInputDynamicGearCount(desc, 0, &mut count)
        );
        check!(model.aclmdlGetInputDynamicGearCount(desc, usize::MAX, &mut count));
        assert_eq!(count, gears);
        check!(100000, model.aclmdlGetDynamicBatch(desc, null_mut()));
        check!(100000, model.aclmdlGetDynamicHW(desc, 0, null_mut()));
        check!(
            100000,
            model.aclmdlGetInputDynamicGearCount(desc, usize::MAX, null_mut())
        );
        check!(model.aclmdlDestroyDesc(desc));
    }
    let desc = describe(ids[2]);
    let mut all = [poisoned::<aclmdlIODims>(); 2];
    check!(
        100000,
        model.aclmdlGetInputDynamicDims(desc, 0, all.as_mut_ptr(), 2)
    );
    check!(
        100000,
        model.aclmdlGetInputDynamicDims(desc, usize::MAX, null_mut(), 2)
    );
    check!(
        100000,
        model.aclmdlGetInputDynamicDims(desc, usize::MAX, all.as_mut_ptr(), 1)
    );
    check!(model.aclmdlGetInputDynamicDims(desc, usize::MAX, all.as_mut_ptr(), 2));
    assert_eq!(all.map(|dims| shape(&dims)), [[1, 2, 1, 3], [2, 2, 1, 5]]);
    let mut dims = poisoned::<aclmdlIODims>();
    check!(model.aclmdlGetInputDims(desc, 1, &mut dims));
    assert_eq!(shape(&dims), [1, -1]);
    let mut range = poisoned::<aclmdlIODimsRange>();
    range.rangeCount = 9;
    check!(model.aclmdlGetInputDimsRange(desc, 0, &mut range));
    assert_eq!(range.rangeCount, 0);
    // The input for gears is the last one.
    assert_eq!(call!(model.aclmdlGetNumInputs(desc)), 3);
    let name = c"ascend_mbatch_shape_data";
    check!(model.aclmdlGetInputIndexByName(desc, name.as_ptr(), &mut count));
    assert_eq!(
        (count, call!(model.aclmdlGetInputSizeByIndex(desc, 2))),
        (2, 8)
    );
    check!(model.aclmdlDestroyDesc(desc));
    ids.into_iter()
        .for_each(|id| check!(model.aclmdlUnload(id)));
}
