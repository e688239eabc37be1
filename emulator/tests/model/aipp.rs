//! The preprocessing of pictures: the parameters, and the refusal of models without it.

use std::ptr::null_mut;

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;

use crate::common::text;
use crate::{engine, load, start};

#[test]
fn parameters_are_checked_when_they_are_set() {
    let _serial = start();
    assert!(call!(model.aclmdlCreateAIPP(0)).is_null());
    let aipp = call!(model.aclmdlCreateAIPP(2));
    let mut size = 0;
    check!(100000, model.aclmdlGetAippDataSize(2, null_mut()));
    check!(100000, model.aclmdlGetAippDataSize(0, &mut size));
    check!(model.aclmdlGetAippDataSize(2, &mut size));
    assert_eq!(size, 64 + 2 * 96);

    let rgb = ACL_RGB888_U8;
    check!(100000, model.aclmdlSetAIPPInputFormat(null_mut(), rgb));
    let unknown = aclAippInputFormat(15);
    check!(100000, model.aclmdlSetAIPPInputFormat(aipp, unknown));
    assert!(text().contains("inputFormat is 15; it is 1 to 14"));
    check!(model.aclmdlSetAIPPInputFormat(aipp, rgb));
    for (width, height, code) in [
        (1, 1, 100000),
        (2, 0, 100000),
        (4097, 1, 100000),
        (2, 4097, 100000),
        (4096, 4096, 0),
    ] {
        check!(code, model.aclmdlSetAIPPSrcImageSize(aipp, width, height));
    }
    check!(100000, model.aclmdlSetAIPPRbuvSwapSwitch(aipp, 2));
    check!(model.aclmdlSetAIPPRbuvSwapSwitch(aipp, 1));
    check!(100000, model.aclmdlSetAIPPAxSwapSwitch(aipp, -1));
    check!(model.aclmdlSetAIPPAxSwapSwitch(aipp, 0));
    let csc = |switch, last| {
        call!(model.aclmdlSetAIPPCscParams(
            aipp, switch, 256, 0, 359, 256, -88, -183, 256, 454, last, 0, 0, 0, 0, 128, 128
        ))
    };
    assert_eq!(csc(1, 32767), 100000);
    assert_eq!(csc(1, -32677), 0, "{}", text());
    // Numbers of what is off are not looked at.
    assert_eq!(csc(0, 32767), 0, "{}", text());

    for (switch, start, size, picture, code) in [
        (1, 0, 224, 2, 100000),
        (2, 0, 224, 1, 100000),
        (1, 4096, 224, 1, 100000),
        (1, 0, 0, 1, 100000),
        (0, -1, -1, 1, 0),
        (1, 4095, 4096, 1, 0),
    ] {
        check!(
            code,
            model.aclmdlSetAIPPCropParams(aipp, switch, start, 0, size, 1, picture)
        );
    }
    check!(
        100000,
        model.aclmdlSetAIPPPaddingParams(aipp, 1, 0, 0, 0, 33, 0)
    );
    check!(model.aclmdlSetAIPPPaddingParams(aipp, 1, 32, 32, 32, 32, 0));
    check!(
        100000,
        model.aclmdlSetAIPPScfParams(aipp, 1, 16, 16, 1921, 16, 0)
    );
    check!(model.aclmdlSetAIPPScfParams(aipp, 1, 16, 4096, 1920, 4096, 0));
    check!(100000, model.aclmdlSetAIPPDtcPixelMean(aipp, 1, 2, 3, 4, 2));
    check!(model.aclmdlSetAIPPDtcPixelMean(aipp, 1, 2, 3, 4, 1));
    check!(model.aclmdlSetAIPPDtcPixelMin(aipp, 0.5, 0.5, 0.5, 0.0, 1));
    check!(model.aclmdlSetAIPPPixelVarReci(aipp, 1e9, 1.0, 1.0, 1.0, 1));

    check!(model.aclmdlDestroyAIPP(aipp));
    check!(100000, model.aclmdlDestroyAIPP(aipp));
    check!(100000, model.aclmdlDestroyAIPP(std::ptr::null()));
    assert_eq!(take_findings().len(), 1);
}

#[test]
fn no_input_of_an_onnx_file_takes_parameters() {
    let _serial = start();
    let id = load(engine::SUM);
    let aipp = call!(model.aclmdlCreateAIPP(1));
    let set = call!(model.aclmdlCreateDataset());
    let unknown = ACL_ERROR_GE_EXEC_MODEL_ID_INVALID;
    let (mut kind, mut attached) = (ACL_DYNAMIC_AIPP_NODE, 0);

    check!(
        100000,
        model.aclmdlSetInputAIPP(99, null_mut(), 0, null_mut())
    );
    assert!(text().contains("dataset is NULL"));
    check!(100000, model.aclmdlSetInputAIPP(99, set, 0, null_mut()));
    assert!(text().contains("aippParmsSet is NULL"));
    check!(unknown, model.aclmdlSetInputAIPP(99, set, 0, aipp));
    check!(100000, model.aclmdlSetInputAIPP(id, set, 9, aipp));
    assert!(text().contains("index is 9"));
    check!(100000, model.aclmdlSetInputAIPP(id, set, 0, aipp));
    assert!(text().contains("atc --insert_op_conf"));
    check!(
        ACL_ERROR_FAILURE,
        model.aclmdlSetAIPPByInputIndex(id, set, 0, aipp)
    );

    check!(
        100000,
        model.aclmdlGetAippType(99, 0, &mut kind, null_mut())
    );
    check!(
        100000,
        model.aclmdlGetAippType(99, 0, null_mut(), &mut attached)
    );
    check!(
        unknown,
        model.aclmdlGetAippType(99, 0, &mut kind, &mut attached)
    );
    check!(
        100000,
        model.aclmdlGetAippType(id, 9, &mut kind, &mut attached)
    );
    check!(model.aclmdlGetAippType(id, 0, &mut kind, &mut attached));
    assert_eq!((kind, attached), (ACL_DATA_WITHOUT_AIPP, 0xffff_ffff));
    let mut info = Box::<aclAippInfo>::new_uninit();
    check!(100000, model.aclmdlGetFirstAippInfo(id, 0, null_mut()));
    check!(
        unknown,
        model.aclmdlGetFirstAippInfo(99, 0, info.as_mut_ptr())
    );
    check!(
        ACL_ERROR_GE_AIPP_NOT_EXIST,
        model.aclmdlGetFirstAippInfo(id, 0, info.as_mut_ptr())
    );

    check!(model.aclmdlDestroyAIPP(aipp));
    check!(model.aclmdlDestroyDataset(set));
    check!(model.aclmdlUnload(id));
}
