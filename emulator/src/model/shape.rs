//! Shapes of inputs and outputs, and the gears of a model (`acl/acl_mdl.h`).

use std::ffi::{CStr, c_char};

use ascendcl_sys::{
    ACL_ERROR_STORAGE_OVER_LIMIT, ACL_MAX_BATCH_NUM, ACL_MAX_DIM_CNT, ACL_MAX_HW_NUM,
    ACL_MAX_TENSOR_NAME_LEN, aclError, aclmdlBatch, aclmdlDesc, aclmdlHW, aclmdlIODims,
    aclmdlIODimsRange,
};

use super::desc::{DESCS, Desc, Side, outside};
use super::gears::Gears;
use super::loaded;
use crate::object_calls::{invalid, not_null, refused, status, write};
use crate::results::list_of;
use crate::sync::lock;

/// The index that the functions of all gears want: the gear belongs to no single input.
const NO_INPUT: usize = usize::MAX;

/// Makes the structure of C for a name and a shape.
fn structure(call: &str, name: &CStr, shape: &[i64]) -> Result<aclmdlIODims, aclError> {
    let mut dims = aclmdlIODims {
        name: [0; ACL_MAX_TENSOR_NAME_LEN],
        dimCount: shape.len(),
        dims: [0; ACL_MAX_DIM_CNT],
    };
    if shape.len() > dims.dims.len() {
        return Err(refused(
            call,
            ACL_ERROR_STORAGE_OVER_LIMIT,
            format_args!("{} dimensions do not fit the structure", shape.len()),
        ));
    }
    for (to, from) in dims.dims.iter_mut().zip(shape) {
        *to = *from;
    }
    for (to, from) in dims
        .name
        .iter_mut()
        .zip(name.to_bytes())
        .take(ACL_MAX_TENSOR_NAME_LEN - 1)
    {
        *to = *from as c_char;
    }
    Ok(dims)
}

/// Returns the structure for an input or output.
fn described(call: &str, desc: &Desc, side: Side, index: usize) -> Result<aclmdlIODims, aclError> {
    let tensor = desc
        .tensors(side)
        .get(index)
        .ok_or_else(|| outside(call, index))?;
    structure(call, &desc.short_name(side, index), &tensor.shape)
}

/// Writes the name and the shape of an input or output.
///
/// # Safety
///
/// - `dims` is null or valid for a write.
unsafe fn dims(
    call: &str,
    desc: *const aclmdlDesc,
    side: Side,
    index: usize,
    dims: *mut aclmdlIODims,
) -> aclError {
    status((|| {
        not_null(call, "modelDesc", desc)?;
        not_null(call, "dims", dims)?;
        let found = DESCS.with(call, "modelDesc", desc, &mut |desc| {
            described(call, desc, side, index)
        })??;
        // SAFETY: not null; the caller's contract.
        unsafe { write(dims, found) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetInputDims(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dims: *mut aclmdlIODims,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { self::dims("aclmdlGetInputDims", modelDesc, Side::Input, index, dims) }
}

/// Differs from [`aclmdlGetInputDims`] for models with static preprocessing only, which the emulator does not have.
pub(crate) unsafe extern "C" fn aclmdlGetInputDimsV2(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dims: *mut aclmdlIODims,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { self::dims("aclmdlGetInputDimsV2", modelDesc, Side::Input, index, dims) }
}

pub(crate) unsafe extern "C" fn aclmdlGetOutputDims(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dims: *mut aclmdlIODims,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { self::dims("aclmdlGetOutputDims", modelDesc, Side::Output, index, dims) }
}

pub(crate) unsafe extern "C" fn aclmdlGetInputDimsRange(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dimsRange: *mut aclmdlIODimsRange,
) -> aclError {
    let call = "aclmdlGetInputDimsRange";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "dimsRange", dimsRange)?;
        let (shape, has_gears) = DESCS.with(call, "modelDesc", modelDesc, &mut |desc| {
            let tensor = desc
                .tensors(Side::Input)
                .get(index)
                .ok_or_else(|| outside(call, index))?;
            let has_gears = desc
                .program
                .as_ref()
                .is_some_and(|program| program.gears.is_some());
            Ok::<_, aclError>((tensor.shape.clone(), has_gears))
        })??;
        let mut found = aclmdlIODimsRange {
            rangeCount: if has_gears { 0 } else { shape.len() },
            range: [[0; 2]; ACL_MAX_DIM_CNT],
        };
        for (to, from) in found.range.iter_mut().zip(shape).take(found.rangeCount) {
            *to = [from, from];
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(dimsRange, found) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetCurOutputDims(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dims: *mut aclmdlIODims,
) -> aclError {
    let call = "aclmdlGetCurOutputDims";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "dims", dims)?;
        let desc = DESCS.get(call, "modelDesc", modelDesc)?;
        let mut found = described(call, &desc, Side::Output, index)?;
        let model = loaded::find(call, desc.id)?;
        if let Some(gear) = lock(&model.state).gear {
            let shapes = model.program.shapes.get(gear);
            if let Some(shape) = shapes.and_then(|shapes| shapes.outputs.get(index)) {
                let shape: Vec<i64> = list_of(shape.iter().map(|number| *number as i64));
                found = structure(call, &desc.short_name(Side::Output, index), &shape)?;
            }
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(dims, found) };
        Ok(())
    })())
}

/// Returns the gears of a description.
fn gears(call: &str, desc: *const aclmdlDesc) -> Result<Option<Gears>, aclError> {
    DESCS.with(call, "modelDesc", desc, &mut |desc| {
        desc.program.as_ref()?.gears.clone()
    })
}

/// Copies gears to the array of a structure.
fn copy<T: Copy>(call: &str, to: &mut [T], from: &[T]) -> Result<usize, aclError> {
    if from.len() > to.len() {
        return Err(refused(
            call,
            ACL_ERROR_STORAGE_OVER_LIMIT,
            format_args!("{} gears do not fit the structure", from.len()),
        ));
    }
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    Ok(from.len())
}

pub(crate) unsafe extern "C" fn aclmdlGetDynamicBatch(
    modelDesc: *const aclmdlDesc,
    batch: *mut aclmdlBatch,
) -> aclError {
    let call = "aclmdlGetDynamicBatch";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "batch", batch)?;
        let mut found = aclmdlBatch {
            batchCount: 0,
            batch: [0; ACL_MAX_BATCH_NUM],
        };
        if let Some(Gears::Batch(sizes, _)) = gears(call, modelDesc)? {
            found.batchCount = copy(call, &mut found.batch, &sizes)?;
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(batch, found) };
        Ok(())
    })())
}

/// Writes the sizes of pictures. The index has no meaning.
pub(crate) unsafe extern "C" fn aclmdlGetDynamicHW(
    modelDesc: *const aclmdlDesc,
    _index: usize,
    hw: *mut aclmdlHW,
) -> aclError {
    let call = "aclmdlGetDynamicHW";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "hw", hw)?;
        let mut found = aclmdlHW {
            hwCount: 0,
            hw: [[0; 2]; ACL_MAX_HW_NUM],
        };
        if let Some(Gears::Image(sizes, _)) = gears(call, modelDesc)? {
            found.hwCount = copy(call, &mut found.hw, &sizes)?;
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(hw, found) };
        Ok(())
    })())
}

/// Refuses an index that names an input.
fn of_all_inputs(call: &str, index: usize) -> Result<(), aclError> {
    if index == NO_INPUT {
        return Ok(());
    }
    Err(invalid(
        call,
        format_args!("index is {index}; pass -1: the gears belong to all inputs together"),
    ))
}

/// Returns the number of gears that give each dimension its own number.
fn gear_count(gears: Option<&Gears>) -> usize {
    match gears {
        Some(Gears::Dims(rows)) => rows.len(),
        _ => 0,
    }
}

pub(crate) unsafe extern "C" fn aclmdlGetInputDynamicGearCount(
    modelDesc: *const aclmdlDesc,
    index: usize,
    gearCount: *mut usize,
) -> aclError {
    let call = "aclmdlGetInputDynamicGearCount";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "gearCount", gearCount)?;
        of_all_inputs(call, index)?;
        let count = gear_count(gears(call, modelDesc)?.as_ref());
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { write(gearCount, count) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetInputDynamicDims(
    modelDesc: *const aclmdlDesc,
    index: usize,
    dims: *mut aclmdlIODims,
    gearCount: usize,
) -> aclError {
    let call = "aclmdlGetInputDynamicDims";
    status((|| {
        not_null(call, "modelDesc", modelDesc)?;
        not_null(call, "dims", dims)?;
        of_all_inputs(call, index)?;
        let program = DESCS.with(call, "modelDesc", modelDesc, &mut |desc| {
            desc.program.clone()
        })?;
        let count = gear_count(program.as_ref().and_then(|program| program.gears.as_ref()));
        if gearCount < count {
            return Err(invalid(
                call,
                format_args!("gearCount is {gearCount}, and the model has {count} gears"),
            ));
        }
        let shapes = program
            .iter()
            .flat_map(|program| program.shapes.iter())
            .take(count);
        for (place, row) in shapes.enumerate() {
            let shape: Vec<i64> = list_of(row.inputs.concat().iter().map(|number| *number as i64));
            let found = structure(call, c"", &shape)?;
            // SAFETY: not null, and one of `gearCount` structures; the caller's contract: valid for writes.
            unsafe { write(dims.wrapping_add(place), found) };
        }
        Ok(())
    })())
}
