//! Setting the gear of the next runs (`acl/acl_mdl.h`).
//!
//! A gear is written into the memory of the input for gears at once. The data set remembers its values too, so that the
//! run does not compare the buffers with the largest gear.

use ascendcl_sys::{
    ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID, ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
    ACL_ERROR_GE_FAILURE, ACL_MAX_DIM_CNT, aclError, aclmdlDataset, aclmdlIODims,
};

use super::dataset::DATASETS;
use super::gears::Gears;
use super::loaded::{self, Loaded};
use crate::check::{self, Touch};
use crate::object_calls::{invalid, not_null, refused, status};
use crate::results::list_of;
use crate::runtime::DataBuffer;
use crate::space::place::Place;
use crate::space::space;
use crate::sync::lock;

/// Returns the data buffer for the gear.
fn target(call: &str, dataset: *mut aclmdlDataset, index: usize) -> Result<DataBuffer, aclError> {
    let buffer = DATASETS.with(call, "dataset", dataset, &mut |set| {
        set.buffers.get(index).copied()
    })?;
    let buffer = buffer.and_then(|handle| DataBuffer::find(call, handle));
    match buffer {
        Some(buffer) if buffer.data != 0 => Ok(buffer),
        Some(_) => Err(invalid(
            call,
            format_args!("the data buffer {index} has no memory"),
        )),
        None => Err(invalid(
            call,
            format_args!(
                "the data set has no buffer {index}; add all inputs first, and ask aclmdlGetInputIndexByName for the index of ascend_mbatch_shape_data"
            ),
        )),
    }
}

/// Refuses a buffer that is too small for `count` numbers of four bytes.
fn check_length(call: &str, buffer: DataBuffer, count: usize) -> Result<(), aclError> {
    if buffer.size >= 4 * count {
        return Ok(());
    }
    Err(refused(
        call,
        ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
        format_args!(
            "the data buffer has {} bytes, and the gear needs {}",
            buffer.size,
            4 * count
        ),
    ))
}

/// Returns the position of a gear of a model.
fn position(
    call: &str,
    model: &Loaded,
    is_kind: fn(&Gears) -> bool,
    values: &[u64],
) -> Result<usize, aclError> {
    let gears = model.program.gears.as_ref().filter(|gears| is_kind(gears));
    gears.and_then(|gears| gears.find(values)).ok_or_else(|| {
        refused(
            call,
            ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID,
            format_args!("the model was compiled for no gear {values:?} of this kind"),
        )
    })
}

/// Writes the values of a gear to its input.
fn write(call: &str, buffer: DataBuffer, values: &[u64]) -> Result<(), aclError> {
    let is_wide = buffer.size >= 8 * values.len();
    let mut bytes = Vec::new();
    for value in values {
        let number = value.to_le_bytes();
        bytes.extend_from_slice(if is_wide { &number } else { &number[..4] });
    }
    let failed = || {
        refused(
            call,
            ACL_ERROR_GE_FAILURE,
            format_args!(
                "the data buffer at {:#x} is no device memory of its size",
                buffer.data
            ),
        )
    };
    check::tell(call, &|checker, site| {
        checker.use_now(vec![Touch::write(buffer.data, bytes.len())], false, site);
    });
    let place = Place::new(space(), buffer.data, bytes.len()).ok_or_else(failed)?;
    let memory = place.enter(space()).map_err(|_| failed())?;
    // SAFETY: the place was made for this number of bytes and is entered.
    unsafe {
        memory
            .pointer()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
    };
    memory.leave().map_err(|_| failed())
}

/// Sets a gear of one or two numbers.
fn set(
    call: &str,
    id: u32,
    (dataset, index): (*mut aclmdlDataset, usize),
    is_kind: fn(&Gears) -> bool,
    values: &[u64],
) -> Result<(), aclError> {
    not_null(call, "dataset", dataset)?;
    if values.contains(&0) {
        return Err(invalid(
            call,
            format_args!("the gear {values:?} contains a 0"),
        ));
    }
    let buffer = target(call, dataset, index)?;
    DATASETS.with(call, "dataset", dataset, &mut |set| {
        set.gear = Some(values.to_vec())
    })?;
    check_length(call, buffer, values.len())?;
    let model = loaded::find(call, id)?;
    let position = position(call, &model, is_kind, values)?;
    write(call, buffer, values)?;
    lock(&model.state).gear = Some(position);
    Ok(())
}

pub(crate) unsafe extern "C" fn aclmdlSetDynamicBatchSize(
    modelId: u32,
    dataset: *mut aclmdlDataset,
    index: usize,
    batchSize: u64,
) -> aclError {
    let is_batch = |gears: &Gears| matches!(gears, Gears::Batch(..));
    status(set(
        "aclmdlSetDynamicBatchSize",
        modelId,
        (dataset, index),
        is_batch,
        &[batchSize],
    ))
}

pub(crate) unsafe extern "C" fn aclmdlSetDynamicHWSize(
    modelId: u32,
    dataset: *mut aclmdlDataset,
    index: usize,
    height: u64,
    width: u64,
) -> aclError {
    let is_image = |gears: &Gears| matches!(gears, Gears::Image(..));
    status(set(
        "aclmdlSetDynamicHWSize",
        modelId,
        (dataset, index),
        is_image,
        &[height, width],
    ))
}

pub(crate) unsafe extern "C" fn aclmdlSetInputDynamicDims(
    modelId: u32,
    dataset: *mut aclmdlDataset,
    index: usize,
    dims: *const aclmdlIODims,
) -> aclError {
    let call = "aclmdlSetInputDynamicDims";
    status((|| {
        not_null(call, "dataset", dataset)?;
        not_null(call, "dims", dims)?;
        // SAFETY: not null; the caller's contract: a structure.
        let dims = unsafe { dims.read() };
        let Some(shape) = dims
            .dims
            .get(..dims.dimCount)
            .filter(|shape| !shape.is_empty())
        else {
            return Err(invalid(
                call,
                format_args!(
                    "dimCount is {}; pass 1 to {ACL_MAX_DIM_CNT} dimensions",
                    dims.dimCount
                ),
            ));
        };
        let buffer = target(call, dataset, index)?;
        let model = loaded::find(call, modelId)?;
        let values = varying(call, &model, shape)?;
        let is_dims = |gears: &Gears| matches!(gears, Gears::Dims(_));
        let position = position(call, &model, is_dims, &values)?;
        check_length(call, buffer, values.len())?;
        DATASETS.with(call, "dataset", dataset, &mut |set| {
            set.gear = Some(values.clone())
        })?;
        write(call, buffer, &values)?;
        lock(&model.state).gear = Some(position);
        Ok(())
    })())
}

/// Returns the values of the varying dimensions. `shape` has the dimensions of all inputs behind each other.
fn varying(call: &str, model: &Loaded, shape: &[i64]) -> Result<Vec<u64>, aclError> {
    let of_gear = usize::from(model.program.gears.is_some());
    let own = model.program.inputs.len() - of_gear;
    let mut known = Vec::new();
    for input in model.program.inputs.iter().take(own) {
        known.extend_from_slice(&input.shape);
    }
    let fits = known.len() == shape.len()
        && known
            .iter()
            .zip(shape)
            .all(|(known, given)| *known < 0 || known == given);
    if !fits {
        return Err(refused(
            call,
            ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID,
            format_args!("the dimensions {shape:?} are not those of all inputs, {known:?}"),
        ));
    }
    let varying = known.iter().zip(shape).filter(|(known, _)| **known < 0);
    Ok(list_of(varying.map(|(_, given)| *given as u64)))
}
