//! Runs of models (`acl/acl_mdl.h`).
//!
//! A blocking run does not wait for streams of the program. A queued run reads the data sets during the call only; the
//! memory is used later.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_GE_FAILURE, ACL_MEM_MALLOC_HUGE_FIRST, ACL_SUCCESS, aclError, aclmdlDataset,
    aclmdlExecConfigHandle, aclrtStream,
};

use super::config::EXEC_CONFIGS;
use super::dataset::{DATASETS, Dataset};
use super::loaded::{self, Loaded, Mode};
use super::program::Tensor;
use super::run::{Run, Use};
use crate::engine::current::current;
use crate::engine::submit;
use crate::memory;
use crate::object_calls::{invalid, not_null, refused, status};
use crate::results::every;
use crate::runtime::DataBuffer;
use crate::sync::lock;

/// The bytes that a buffer may lack without an error. A kernel then runs over its end.
const TOLERANCE: usize = 64;

/// The padding of outputs that the runtime allocates, as that of `aclrtMalloc`.
const PAD: usize = 32;

/// Checks a run and returns it.
fn prepare(
    call: &'static str,
    id: u32,
    input: *const aclmdlDataset,
    output: *mut aclmdlDataset,
    mode: Mode,
) -> Result<Run, aclError> {
    not_null(call, "input", input)?;
    not_null(call, "output", output)?;
    let inputs = DATASETS.get(call, "input", input)?;
    let outputs = DATASETS.get(call, "output", output)?;
    let in_buffers = buffers(call, &inputs)?;
    let mut out_buffers = buffers(call, &outputs)?;
    if mode == Mode::Blocking {
        allocate_missing(call, id, &outputs, &mut out_buffers)?;
    }
    loaded::initialised(call)?;
    let model = loaded::find(call, id)?;
    let program = &model.program;
    if lock(&model.state).mode.is_some_and(|before| before != mode) {
        return Err(failure(
            call,
            format_args!(
                "the model has run in the other way; a model runs either by aclmdlExecute or by aclmdlExecuteAsync, load it twice for both"
            ),
        ));
    }
    for (side, tensors, buffers) in [
        ("inputs", &program.inputs, &in_buffers),
        ("outputs", &program.outputs, &out_buffers),
    ] {
        if tensors.len() != buffers.len() {
            return Err(failure(
                call,
                format_args!(
                    "the data set has {} buffers, and the model has {} {side}",
                    buffers.len(),
                    tensors.len()
                ),
            ));
        }
    }
    if inputs.gear.is_none() {
        for (tensors, buffers) in [
            (&program.inputs, &in_buffers),
            (&program.outputs, &out_buffers),
        ] {
            check_sizes(call, tensors, buffers)?;
        }
    }
    let current = current(call)?;
    model.check_context(call, &current)?;
    lock(&model.state).mode = Some(mode);
    Ok(Run::new(
        call,
        id,
        uses(&model, &inputs, &in_buffers, &out_buffers),
        model,
    ))
}

/// Returns the memory that a run uses: inputs, outputs, and the memory that the program has given to the model.
fn uses(
    model: &Loaded,
    inputs: &Dataset,
    in_buffers: &[DataBuffer],
    out_buffers: &[DataBuffer],
) -> Vec<Use> {
    let program = &model.program;
    let gear = inputs
        .gear
        .as_deref()
        .and_then(|values| program.gears.as_ref()?.find(values));
    // With a gear only the bytes of the gear are used, and the buffers may have fewer bytes than the largest gear.
    let bytes = |buffer: &DataBuffer, tensor: &Tensor, of_gear: Option<usize>| {
        if tensor.bytes > buffer.size && inputs.gear.is_some() {
            buffer.size
        } else {
            of_gear.unwrap_or(tensor.bytes)
        }
    };
    let shapes = gear.and_then(|gear| program.shapes.get(gear));
    let size = |tensor: &Tensor, shape: &Vec<usize>| {
        let unit = tensor.unit();
        shape.iter().product::<usize>() * unit
    };
    let mut uses = Vec::new();
    for (index, (tensor, buffer)) in program.inputs.iter().zip(in_buffers).enumerate() {
        let of_gear = shapes
            .and_then(|shapes| shapes.inputs.get(index))
            .map(|shape| size(tensor, shape));
        uses.push(Use::read(buffer.data, bytes(buffer, tensor, of_gear)));
    }
    for (index, (tensor, buffer)) in program.outputs.iter().zip(out_buffers).enumerate() {
        let of_gear = shapes
            .and_then(|shapes| shapes.outputs.get(index))
            .map(|shape| size(tensor, shape));
        uses.push(Use::write(buffer.data, bytes(buffer, tensor, of_gear)));
    }
    if let Some(work) = model.work {
        uses.push(Use::scratch(work.address, program.work_bytes));
    }
    if let Some(weights) = model.weights {
        uses.push(Use::scratch_read(weights.address, program.weight_bytes));
    }
    uses
}

/// Returns the data buffers of a data set.
fn buffers(call: &str, set: &Dataset) -> Result<Vec<DataBuffer>, aclError> {
    let found = set.buffers.iter().enumerate().map(|(index, handle)| {
        DataBuffer::find(call, *handle)
            .ok_or_else(|| invalid(call, format_args!("the data buffer {index} was destroyed")))
    });
    every(found)
}

/// Allocates memory for the outputs that have none. The program has to free it.
fn allocate_missing(
    call: &'static str,
    id: u32,
    set: &Dataset,
    buffers: &mut [DataBuffer],
) -> Result<(), aclError> {
    if buffers.iter().all(|buffer| buffer.data != 0) {
        return Ok(());
    }
    let model = loaded::initialised(call)
        .and_then(|()| loaded::find(call, id))
        .ok();
    let outputs = model
        .as_ref()
        .map_or(&[][..], |model| &model.program.outputs);
    if outputs.len() < buffers.len() {
        return Err(invalid(
            call,
            format_args!(
                "an output without memory has no size: the model {id} has {} outputs",
                outputs.len()
            ),
        ));
    }
    for ((handle, buffer), tensor) in set.buffers.iter().zip(buffers).zip(outputs) {
        if buffer.data != 0 {
            continue;
        }
        let mut address = ptr::null_mut::<c_void>();
        let (policy, kind) = (ACL_MEM_MALLOC_HUGE_FIRST, crate::space::heap::Maker::Device);
        // SAFETY: `address` is valid for a write.
        let code =
            unsafe { memory::allocate(call, &raw mut address, tensor.bytes, PAD, policy, kind) };
        if code != ACL_SUCCESS {
            return Err(code);
        }
        *buffer = DataBuffer {
            data: address.expose_provenance(),
            size: tensor.bytes,
        };
        buffer.store(call, *handle);
    }
    Ok(())
}

fn check_sizes(call: &str, tensors: &[Tensor], buffers: &[DataBuffer]) -> Result<(), aclError> {
    for (tensor, buffer) in tensors.iter().zip(buffers) {
        if buffer.size.saturating_add(TOLERANCE) < tensor.bytes {
            return Err(failure(
                call,
                format_args!(
                    "the buffer of {:?} has {} bytes, and the model needs {}",
                    tensor.name, buffer.size, tensor.bytes
                ),
            ));
        }
    }
    Ok(())
}

#[cold]
fn failure(call: &str, why: std::fmt::Arguments<'_>) -> aclError {
    refused(call, ACL_ERROR_GE_FAILURE, why)
}

pub(crate) unsafe extern "C" fn aclmdlExecute(
    modelId: u32,
    input: *const aclmdlDataset,
    output: *mut aclmdlDataset,
) -> aclError {
    let call = "aclmdlExecute";
    status(prepare(call, modelId, input, output, Mode::Blocking).and_then(Run::now))
}

pub(crate) unsafe extern "C" fn aclmdlExecuteAsync(
    modelId: u32,
    input: *const aclmdlDataset,
    output: *mut aclmdlDataset,
    stream: aclrtStream,
) -> aclError {
    let call = "aclmdlExecuteAsync";
    status(prepare(call, modelId, input, output, Mode::Queued).and_then(|run| run.queue(stream)))
}

pub(crate) unsafe extern "C" fn aclmdlExecuteV2(
    modelId: u32,
    input: *const aclmdlDataset,
    output: *mut aclmdlDataset,
    stream: aclrtStream,
    handle: *const aclmdlExecConfigHandle,
) -> aclError {
    let call = "aclmdlExecuteV2";
    status((|| {
        let config = EXEC_CONFIGS.get(call, "handle", handle)?;
        let run = prepare(call, modelId, input, output, Mode::Blocking)?;
        if stream.is_null() {
            return run.now();
        }
        run.queue(stream)?;
        let end = submit::deadline(call, config.stream_timeout)?;
        let found = submit::find(call, stream)?;
        let (target, _) = submit::any(call, found)?;
        match submit::synchronise(call, target.stream, end) {
            ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    })())
}
