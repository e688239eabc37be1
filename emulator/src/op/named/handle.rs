//! Operators that were looked up for many runs (`acl/acl_op.h`).
//!
//! CANN keeps the pointers of the descriptions, so the descriptions and the arrays have to live as long as the handle. The
//! emulator reports a description that was destroyed.

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_OP_INPUT_NOT_MATCH, ACL_ERROR_OP_OUTPUT_NOT_MATCH, aclDataBuffer, aclError,
    aclTensorDesc, aclopAttr, aclopHandle, aclrtStream,
};

use super::attribute::{Attributes, text};
use super::call::{CAST, Memory, cast_to, check_placement};
use super::compiled::{Compiled, Named};
use super::operand::{buffers, counted, descriptions, handles};
use crate::model::{TENSOR_DESCS, TensorDesc};
use crate::object_calls::{Objects, not_null, refused, status, write};
use crate::results::{every, list_of};

/// An operator that was looked up.
#[derive(Debug, Clone)]
struct Found {
    operator: Arc<Compiled>,
    /// The handles of the descriptions.
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

static FOUND: Objects<Found> = Objects::new("aclopHandle", 0x66);

/// Looks an operator up and writes its handle.
///
/// # Safety
///
/// - `handle` is valid for a write.
unsafe fn create(
    call: &str,
    named: &Named,
    inputs: &[*const aclTensorDesc],
    outputs: &[*const aclTensorDesc],
    handle: *mut *mut aclopHandle,
) -> Result<(), aclError> {
    check_placement(call, named)?;
    let address = |desc: &*const aclTensorDesc| desc.addr();
    let found = Found {
        operator: named.find(call)?,
        inputs: list_of(inputs.iter().map(address)),
        outputs: list_of(outputs.iter().map(address)),
    };
    // SAFETY: the caller's contract.
    unsafe { write(handle, FOUND.create(call, found)) };
    Ok(())
}

pub(crate) unsafe extern "C" fn aclopCreateHandle(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *const *const aclTensorDesc,
    numOutputs: c_int,
    outputDesc: *const *const aclTensorDesc,
    opAttr: *const aclopAttr,
    handle: *mut *mut aclopHandle,
) -> aclError {
    let call = "aclopCreateHandle";
    status((|| {
        // SAFETY: the caller's contract: a C string.
        let op_type = unsafe { text(call, "opType", opType) }?;
        not_null(call, "handle", handle)?;
        let read = counted(call, "numInputs", numInputs)?;
        let written = counted(call, "numOutputs", numOutputs)?;
        // SAFETY: the caller's contract: arrays of these numbers.
        let ins = unsafe { handles(call, "inputDesc", inputDesc, read) }?;
        // SAFETY: as above.
        let outs = unsafe { handles(call, "outputDesc", outputDesc, written) }?;
        let named = Named {
            op_type,
            // SAFETY: as above.
            inputs: unsafe { descriptions(call, "inputDesc", inputDesc, read) }?,
            // SAFETY: as above.
            outputs: unsafe { descriptions(call, "outputDesc", outputDesc, written) }?,
            attributes: Attributes::of(call, "opAttr", opAttr)?,
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { create(call, &named, &ins, &outs, handle) }
    })())
}

pub(crate) unsafe extern "C" fn aclopCreateHandleForCast(
    srcDesc: *mut aclTensorDesc,
    dstDesc: *mut aclTensorDesc,
    _truncate: u8,
    handle: *mut *mut aclopHandle,
) -> aclError {
    let call = "aclopCreateHandleForCast";
    status((|| {
        let to = TENSOR_DESCS.get(call, "dstDesc", dstDesc)?;
        not_null(call, "handle", handle)?;
        let from = TENSOR_DESCS.get(call, "srcDesc", srcDesc)?;
        let named = Named {
            op_type: CAST.to_owned(),
            attributes: cast_to(&to),
            inputs: vec![from],
            outputs: vec![to],
        };
        let (ins, outs) = ([srcDesc.cast_const()], [dstDesc.cast_const()]);
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { create(call, &named, &ins, &outs, handle) }
    })())
}

pub(crate) unsafe extern "C" fn aclopDestroyHandle(handle: *mut aclopHandle) {
    if !handle.is_null() {
        FOUND.destroy("aclopDestroyHandle", "handle", handle);
    }
}

/// Returns copies of the descriptions with these handles.
fn still(call: &str, descs: &[usize]) -> Result<Vec<TensorDesc>, aclError> {
    let copied = descs.iter().map(|desc| {
        let desc: *const aclTensorDesc = ptr::without_provenance(*desc);
        let name = "a description of the handle";
        TENSOR_DESCS.get(call, name, desc)
    });
    every(copied)
}

pub(crate) unsafe extern "C" fn aclopExecWithHandle(
    handle: *mut aclopHandle,
    numInputs: c_int,
    inputs: *const *const aclDataBuffer,
    numOutputs: c_int,
    outputs: *const *mut aclDataBuffer,
    stream: aclrtStream,
) -> aclError {
    let call = "aclopExecWithHandle";
    status((|| {
        let found = FOUND.get(call, "handle", handle)?;
        let read = counted(call, "numInputs", numInputs)?;
        let written = counted(call, "numOutputs", numOutputs)?;
        let memory = Memory {
            // SAFETY: the caller's contract: arrays of these numbers.
            inputs: unsafe { buffers(call, "inputs", inputs, read) }?,
            // SAFETY: as above.
            outputs: unsafe { buffers(call, "outputs", outputs.cast(), written) }?,
        };
        let mut all = memory.outputs.iter();
        if written > 0 && all.all(|buffer| buffer.size == 0) {
            return Ok(());
        }
        for (name, count, expected, code) in [
            (
                "numInputs",
                read,
                found.inputs.len(),
                ACL_ERROR_OP_INPUT_NOT_MATCH,
            ),
            (
                "numOutputs",
                written,
                found.outputs.len(),
                ACL_ERROR_OP_OUTPUT_NOT_MATCH,
            ),
        ] {
            if count != expected {
                return Err(refused(
                    call,
                    code,
                    format_args!(
                        "{name} is {count}, and the operator of the handle has {expected}"
                    ),
                ));
            }
        }
        let ins = still(call, &found.inputs)?;
        let outs = still(call, &found.outputs)?;
        memory.run(call, &found.operator, &ins, &outs, stream)
    })())
}
