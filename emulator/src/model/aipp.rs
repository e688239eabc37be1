//! The preprocessing of pictures in front of a model, AIPP (`acl/acl_mdl.h`).
//!
//! `atc` compiles it into an offline model. An ONNX file has none; what a file beside it configures is done and described by the
//! engine. Parameters for a run are checked when they are set, and no call reads them: [`aclmdlSetInputAIPP`] refuses every
//! input. The ranges and the order of checks are those of the sources of CANN (GE, 2026-08).

use core::ops::RangeInclusive;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_DATA_WITH_STATIC_AIPP, ACL_DATA_WITHOUT_AIPP, ACL_ERROR_FAILURE,
    ACL_ERROR_GE_AIPP_NOT_EXIST, ACL_INVALID_NODE_INDEX, ACL_RAW24, ACL_YUV420SP_U8, aclAippInfo,
    aclAippInputFormat, aclError, aclmdlAIPP, aclmdlDataset, aclmdlInputAippType,
};

use super::dataset::DATASETS;
use super::loaded;
use super::network::Network;
use crate::object_calls::{Objects, invalid, not_null, refused, status, write};

/// Parameters for a batch of pictures: the number of pictures.
static PARAMETERS: Objects<u64> = Objects::new("aclmdlAIPP", 0x61);

/// The bytes of the parameters of a batch, and of those of a picture.
const HEADER: usize = 64;
const OF_PICTURE: usize = 96;

/// The text for an input of a model.
const NO_AIPP: &str = "an ONNX file has no preprocessing of pictures, so the model has no input for its parameters; \
                       compile the file with atc --insert_op_conf for a card, or prepare the pictures before the run";

pub(crate) unsafe extern "C" fn aclmdlCreateAIPP(batchSize: u64) -> *mut aclmdlAIPP {
    let call = "aclmdlCreateAIPP";
    if batchSize == 0 {
        invalid(
            call,
            format_args!("batchSize is 0; pass the number of pictures"),
        );
        return std::ptr::null_mut();
    }
    PARAMETERS.create(call, batchSize)
}

pub(crate) unsafe extern "C" fn aclmdlDestroyAIPP(aippParmsSet: *const aclmdlAIPP) -> aclError {
    PARAMETERS.destroy("aclmdlDestroyAIPP", "aippParmsSet", aippParmsSet)
}

pub(crate) unsafe extern "C" fn aclmdlGetAippDataSize(
    batchSize: u64,
    size: *mut usize,
) -> aclError {
    let call = "aclmdlGetAippDataSize";
    status((|| {
        not_null(call, "size", size)?;
        let bytes = usize::try_from(batchSize).ok().filter(|batch| *batch > 0);
        let bytes = bytes.and_then(|batch| batch.checked_mul(OF_PICTURE)?.checked_add(HEADER));
        let Some(bytes) = bytes else {
            return Err(invalid(
                call,
                format_args!("batchSize is {batchSize}; pass the number of pictures"),
            ));
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(size, bytes) };
        Ok(())
    })())
}

/// A number with its name and its range.
type Bounded = (&'static str, i64, RangeInclusive<i64>);

/// The range of a switch.
const SWITCH: RangeInclusive<i64> = 0..=1;
/// The range of an element of the matrix of a conversion.
const MATRIX: RangeInclusive<i64> = -32677..=32676;
/// The ranges of sizes.
const WIDTH: RangeInclusive<i64> = 2..=4096;
const SIZE: RangeInclusive<i64> = 1..=4096;
const START: RangeInclusive<i64> = 0..=4095;
const PADDING: RangeInclusive<i64> = 0..=32;
const SCALED: RangeInclusive<i64> = 16..=4096;
const SCALED_WIDTH: RangeInclusive<i64> = 16..=1920;

/// Checks a setter: the parameters, the number of the picture if the setter has one, the switch if it has one, and, if
/// it is on, the numbers.
fn set(
    call: &str,
    parameters: *mut aclmdlAIPP,
    picture: Option<u64>,
    switch: Option<i8>,
    numbers: &[Bounded],
) -> aclError {
    status((|| {
        let batch = PARAMETERS.get(call, "aippParmsSet", parameters)?;
        if let Some(picture) = picture.filter(|picture| *picture >= batch) {
            return Err(invalid(
                call,
                format_args!("batchIndex is {picture}, and the batch has {batch} pictures"),
            ));
        }
        let bounded = |(name, number, range): &Bounded| {
            if range.contains(number) {
                return Ok(());
            }
            let (least, most) = (range.start(), range.end());
            Err(invalid(
                call,
                format_args!("{name} is {number}; it is {least} to {most}"),
            ))
        };
        if let Some(switch) = switch {
            bounded(&("the switch", switch.into(), SWITCH))?;
        }
        if switch == Some(0) {
            return Ok(());
        }
        numbers.iter().try_for_each(bounded)
    })())
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPInputFormat(
    aippParmsSet: *mut aclmdlAIPP,
    inputFormat: aclAippInputFormat,
) -> aclError {
    let known = ACL_YUV420SP_U8.0.into()..=ACL_RAW24.0.into();
    let format = ("inputFormat", inputFormat.0.into(), known);
    set(
        "aclmdlSetAIPPInputFormat",
        aippParmsSet,
        None,
        None,
        &[format],
    )
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPCscParams(
    aippParmsSet: *mut aclmdlAIPP,
    cscSwitch: i8,
    cscMatrixR0C0: i16,
    cscMatrixR0C1: i16,
    cscMatrixR0C2: i16,
    cscMatrixR1C0: i16,
    cscMatrixR1C1: i16,
    cscMatrixR1C2: i16,
    cscMatrixR2C0: i16,
    cscMatrixR2C1: i16,
    cscMatrixR2C2: i16,
    _cscOutputBiasR0: u8,
    _cscOutputBiasR1: u8,
    _cscOutputBiasR2: u8,
    _cscInputBiasR0: u8,
    _cscInputBiasR1: u8,
    _cscInputBiasR2: u8,
) -> aclError {
    let matrix = [
        ("cscMatrixR0C0", cscMatrixR0C0.into(), MATRIX),
        ("cscMatrixR0C1", cscMatrixR0C1.into(), MATRIX),
        ("cscMatrixR0C2", cscMatrixR0C2.into(), MATRIX),
        ("cscMatrixR1C0", cscMatrixR1C0.into(), MATRIX),
        ("cscMatrixR1C1", cscMatrixR1C1.into(), MATRIX),
        ("cscMatrixR1C2", cscMatrixR1C2.into(), MATRIX),
        ("cscMatrixR2C0", cscMatrixR2C0.into(), MATRIX),
        ("cscMatrixR2C1", cscMatrixR2C1.into(), MATRIX),
        ("cscMatrixR2C2", cscMatrixR2C2.into(), MATRIX),
    ];
    let call = "aclmdlSetAIPPCscParams";
    set(call, aippParmsSet, None, Some(cscSwitch), &matrix)
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPRbuvSwapSwitch(
    aippParmsSet: *mut aclmdlAIPP,
    rbuvSwapSwitch: i8,
) -> aclError {
    let call = "aclmdlSetAIPPRbuvSwapSwitch";
    set(call, aippParmsSet, None, Some(rbuvSwapSwitch), &[])
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPAxSwapSwitch(
    aippParmsSet: *mut aclmdlAIPP,
    axSwapSwitch: i8,
) -> aclError {
    let call = "aclmdlSetAIPPAxSwapSwitch";
    set(call, aippParmsSet, None, Some(axSwapSwitch), &[])
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPSrcImageSize(
    aippParmsSet: *mut aclmdlAIPP,
    srcImageSizeW: i32,
    srcImageSizeH: i32,
) -> aclError {
    let numbers = [
        ("srcImageSizeW", srcImageSizeW.into(), WIDTH),
        ("srcImageSizeH", srcImageSizeH.into(), SIZE),
    ];
    set(
        "aclmdlSetAIPPSrcImageSize",
        aippParmsSet,
        None,
        None,
        &numbers,
    )
}

/// Defines the setters of a switch with four numbers, which have limits, for one picture of a batch.
macro_rules! limited {
    ($($name:ident($switch:ident; $($number:ident in $limits:ident),*);)*) => {$(
        pub(crate) unsafe extern "C" fn $name(
            aippParmsSet: *mut aclmdlAIPP,
            $switch: i8,
            $($number: i32,)*
            batchIndex: u64,
        ) -> aclError {
            let numbers = [$((stringify!($number), $number.into(), $limits)),*];
            let (call, batch) = (stringify!($name), Some(batchIndex));
            set(call, aippParmsSet, batch, Some($switch), &numbers)
        }
    )*};
}

limited! {
    aclmdlSetAIPPScfParams(scfSwitch; scfInputSizeW in SCALED, scfInputSizeH in SCALED,
        scfOutputSizeW in SCALED_WIDTH, scfOutputSizeH in SCALED);
    aclmdlSetAIPPCropParams(cropSwitch; cropStartPosW in START, cropStartPosH in START,
        cropSizeW in SIZE, cropSizeH in SIZE);
    aclmdlSetAIPPPaddingParams(paddingSwitch; paddingSizeTop in PADDING, paddingSizeBottom in PADDING,
        paddingSizeLeft in PADDING, paddingSizeRight in PADDING);
}

/// Defines the setters of a number for each channel.
macro_rules! channels {
    ($($name:ident: $ty:ty;)*) => {$(
        pub(crate) unsafe extern "C" fn $name(
            aippParmsSet: *mut aclmdlAIPP,
            _channel0: $ty,
            _channel1: $ty,
            _channel2: $ty,
            _channel3: $ty,
            batchIndex: u64,
        ) -> aclError {
            set(stringify!($name), aippParmsSet, Some(batchIndex), None, &[])
        }
    )*};
}

channels! {
    aclmdlSetAIPPDtcPixelMean: i16;
    aclmdlSetAIPPDtcPixelMin: f32;
    aclmdlSetAIPPPixelVarReci: f32;
}

/// Checks that a model has an input with this number.
fn check_input(call: &str, id: u32, index: usize) -> Result<Arc<dyn Network>, aclError> {
    let model = loaded::find(call, id)?;
    let program = &model.program;
    let inputs = program.inputs.len();
    if index < inputs {
        return Ok(Arc::clone(&program.network));
    }
    Err(invalid(
        call,
        format_args!("index is {index}, and the model has {inputs} inputs"),
    ))
}

/// Refuses to set the parameters, with a code.
fn set_input(
    call: &str,
    code: aclError,
    (id, index): (u32, usize),
    dataset: *mut aclmdlDataset,
    parameters: *const aclmdlAIPP,
) -> aclError {
    status((|| {
        DATASETS.check(call, "dataset", dataset)?;
        PARAMETERS.check(call, "aippParmsSet", parameters)?;
        check_input(call, id, index)?;
        Err(refused(call, code, format_args!("{NO_AIPP}")))
    })())
}

pub(crate) unsafe extern "C" fn aclmdlSetInputAIPP(
    modelId: u32,
    dataset: *mut aclmdlDataset,
    index: usize,
    aippParmsSet: *const aclmdlAIPP,
) -> aclError {
    let code = ascendcl_sys::ACL_ERROR_INVALID_PARAM;
    set_input(
        "aclmdlSetInputAIPP",
        code,
        (modelId, index),
        dataset,
        aippParmsSet,
    )
}

pub(crate) unsafe extern "C" fn aclmdlSetAIPPByInputIndex(
    modelId: u32,
    dataset: *mut aclmdlDataset,
    index: usize,
    aippParmsSet: *const aclmdlAIPP,
) -> aclError {
    let (call, code) = ("aclmdlSetAIPPByInputIndex", ACL_ERROR_FAILURE);
    set_input(call, code, (modelId, index), dataset, aippParmsSet)
}

pub(crate) unsafe extern "C" fn aclmdlGetAippType(
    modelId: u32,
    index: usize,
    type_: *mut aclmdlInputAippType,
    dynamicAttachedDataIndex: *mut usize,
) -> aclError {
    let call = "aclmdlGetAippType";
    status((|| {
        not_null(call, "dynamicAttachedDataIndex", dynamicAttachedDataIndex)?;
        not_null(call, "type", type_)?;
        let kind = match check_input(call, modelId, index)?.prepares(index, None) {
            true => ACL_DATA_WITH_STATIC_AIPP,
            false => ACL_DATA_WITHOUT_AIPP,
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(type_, kind) };
        // SAFETY: as above.
        unsafe { write(dynamicAttachedDataIndex, ACL_INVALID_NODE_INDEX as usize) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetFirstAippInfo(
    modelId: u32,
    index: usize,
    aippInfo: *mut aclAippInfo,
) -> aclError {
    let call = "aclmdlGetFirstAippInfo";
    status((|| {
        not_null(call, "aippInfo", aippInfo)?;
        let network = check_input(call, modelId, index)?;
        if !network.prepares(index, None) {
            let code = ACL_ERROR_GE_AIPP_NOT_EXIST;
            return Err(refused(call, code, format_args!("{NO_AIPP}")));
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { aippInfo.write_bytes(0, 1) };
        // SAFETY: as above; bytes of zero are numbers and a null pointer.
        network.prepares(index, Some(unsafe { &mut *aippInfo }));
        Ok(())
    })())
}
