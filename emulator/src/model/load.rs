//! Loading, sizes and unloading (`acl/acl_mdl.h`).

use std::ffi::{c_char, c_void};

use ascendcl_sys::{
    ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, ACL_ERROR_GE_PARAM_INVALID, aclError,
};

use super::file::{self, Content};
use super::loaded::{self, Given, Loaded};
use crate::check;
use crate::engine::current::current;
use crate::object_calls::{not_null, refused, status, write};

/// The memory that a program gives to a model: for the work, and for the weights.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) work: Option<Given>,
    pub(super) weights: Option<Given>,
}

impl Memory {
    fn new(
        work: *mut c_void,
        work_size: usize,
        weights: *mut c_void,
        weight_size: usize,
    ) -> Memory {
        Memory {
            work: given(work.addr(), work_size),
            weights: given(weights.addr(), weight_size),
        }
    }
}

/// Returns the memory at an address; a null pointer asks the runtime for memory, and the size has no meaning then.
pub(super) fn given(address: usize, bytes: usize) -> Option<Given> {
    (address != 0).then_some(Given { address, bytes })
}

/// Loads a model whose content was read.
///
/// # Safety
///
/// - `id` is null or valid for a write.
pub(super) unsafe fn load(
    call: &'static str,
    content: Vec<u8>,
    memory: Memory,
    id: *mut u32,
) -> Result<(), aclError> {
    not_null(call, "modelId", id)?;
    let content = file::recognise(call, content)?;
    loaded::initialised(call)?;
    let current = current(call)?;
    let number = loaded::next_id();
    let program = file::program(call, content)?;
    check_room(call, "weightSize", memory.weights, program.weight_bytes)?;
    check_room(call, "workSize", memory.work, program.work_bytes)?;
    let mut model = Loaded::new(program, &current);
    (model.work, model.weights) = (memory.work, memory.weights);
    if let Some(weights) = memory.weights {
        // A load copies the weights of the file to this memory. Models of one file may share it, also while one of them
        // runs, so the copy is no write that another use has to wait for.
        check::note(&|checker| checker.may_be_written(weights.address));
    }
    loaded::enter(call, number, model);
    // SAFETY: not null; the caller's contract.
    unsafe { write(id, number) };
    Ok(())
}

fn check_room(call: &str, name: &str, given: Option<Given>, needed: usize) -> Result<(), aclError> {
    match given {
        Some(given) if given.bytes < needed => Err(refused(
            call,
            ACL_ERROR_GE_PARAM_INVALID,
            format_args!(
                "{name} is {}, and the model needs {needed} bytes (aclmdlQuerySize)",
                given.bytes
            ),
        )),
        _ => Ok(()),
    }
}

pub(crate) unsafe extern "C" fn aclmdlLoadFromFile(
    modelPath: *const c_char,
    modelId: *mut u32,
) -> aclError {
    let call = "aclmdlLoadFromFile";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::read(call, "modelPath", modelPath) }?;
        // SAFETY: the same contract.
        unsafe { load(call, content, Memory::default(), modelId) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlLoadFromFileWithMem(
    modelPath: *const c_char,
    modelId: *mut u32,
    workPtr: *mut c_void,
    workSize: usize,
    weightPtr: *mut c_void,
    weightSize: usize,
) -> aclError {
    let call = "aclmdlLoadFromFileWithMem";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::read(call, "modelPath", modelPath) }?;
        let memory = Memory::new(workPtr, workSize, weightPtr, weightSize);
        // SAFETY: the same contract.
        unsafe { load(call, content, memory, modelId) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlLoadFromMem(
    model: *const c_void,
    modelSize: usize,
    modelId: *mut u32,
) -> aclError {
    let call = "aclmdlLoadFromMem";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::copied(call, model, modelSize) }?;
        // SAFETY: the same contract.
        unsafe { load(call, content, Memory::default(), modelId) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlLoadFromMemWithMem(
    model: *const c_void,
    modelSize: usize,
    modelId: *mut u32,
    workPtr: *mut c_void,
    workSize: usize,
    weightPtr: *mut c_void,
    weightSize: usize,
) -> aclError {
    let call = "aclmdlLoadFromMemWithMem";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::copied(call, model, modelSize) }?;
        let memory = Memory::new(workPtr, workSize, weightPtr, weightSize);
        // SAFETY: the same contract.
        unsafe { load(call, content, memory, modelId) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlUnload(modelId: u32) -> aclError {
    status(loaded::remove("aclmdlUnload", modelId))
}

pub(crate) unsafe extern "C" fn aclmdlQuerySize(
    fileName: *const c_char,
    workSize: *mut usize,
    weightSize: *mut usize,
) -> aclError {
    let call = "aclmdlQuerySize";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::read(call, "fileName", fileName) }?;
        // SAFETY: the same contract.
        unsafe { sizes(call, content, workSize, weightSize) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlQuerySizeFromMem(
    model: *const c_void,
    modelSize: usize,
    workSize: *mut usize,
    weightSize: *mut usize,
) -> aclError {
    let call = "aclmdlQuerySizeFromMem";
    status((|| {
        // SAFETY: the same contract.
        let content = unsafe { file::copied(call, model, modelSize) }?;
        // SAFETY: the same contract.
        unsafe { sizes(call, content, workSize, weightSize) }
    })())
}

/// Writes the sizes of a model. A file that is no model has another code here than at a load.
///
/// # Safety
///
/// - Both pointers are null or valid for a write.
unsafe fn sizes(
    call: &'static str,
    content: Vec<u8>,
    work: *mut usize,
    weights: *mut usize,
) -> Result<(), aclError> {
    not_null(call, "workSize", work)?;
    not_null(call, "weightSize", weights)?;
    loaded::initialised(call)?;
    let mapped = |code| match code {
        ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID => ACL_ERROR_GE_PARAM_INVALID,
        code => code,
    };
    let content: Content = file::recognise(call, content).map_err(mapped)?;
    let program = file::program(call, content).map_err(mapped)?;
    // SAFETY: not null; the caller's contract.
    unsafe { write(work, program.work_bytes) };
    // SAFETY: not null; the caller's contract.
    unsafe { write(weights, program.weight_bytes) };
    Ok(())
}
