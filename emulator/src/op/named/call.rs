//! The calls that compile and queue an operator (`acl/acl_op.h`, `acl/acl_op_compiler.h`).
//!
//! A call copies the descriptions and the addresses, so only the memory has to live until the operator has run. The two
//! forms with `V2` write the shapes of the outputs to their descriptions; a description has all sizes when an operator is
//! queued, so there is nothing to write.

use std::ffi::{c_char, c_int};

use ascendcl_sys::{
    ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED, ACL_ERROR_API_NOT_SUPPORT,
    ACL_ERROR_FEATURE_UNSUPPORTED, ACL_MEMTYPE_DEVICE, aclDataBuffer, aclError, aclTensorDesc,
    aclopAttr, aclopCompileType, aclopEngineType, aclrtStream,
};

use super::attribute::{Attributes, Value, text};
use super::compiled::{self, Named};
use super::operand::{
    Operand, are_empty, buffers, check_memory, check_sizes, counted, descriptions,
};
use crate::check;
use crate::model::{TENSOR_DESCS, TensorDesc};
use crate::object_calls::{invalid, not_null, refused, status};
use crate::results::list_of;
use crate::runtime::DataBuffer;
use crate::sorted::Sorted;

/// The arguments that most calls have.
#[derive(Clone, Copy)]
struct Given {
    op_type: *const c_char,
    inputs: (
        c_int,
        *const *const aclTensorDesc,
        *const *const aclDataBuffer,
    ),
    outputs: (
        c_int,
        *const *const aclTensorDesc,
        *const *const aclDataBuffer,
    ),
    attr: *const aclopAttr,
}

impl Given {
    /// Returns the numbers of inputs and outputs.
    fn counts(&self, call: &str) -> Result<(usize, usize), aclError> {
        Ok((
            counted(call, "numInputs", self.inputs.0)?,
            counted(call, "numOutputs", self.outputs.0)?,
        ))
    }

    /// Copies the descriptions.
    ///
    /// # Safety
    ///
    /// - `op_type` is a C string. The arrays are null or have the numbers of handles.
    unsafe fn named(&self, call: &str, counts: (usize, usize)) -> Result<Named, aclError> {
        // SAFETY: the caller's contract.
        let op_type = unsafe { text(call, "opType", self.op_type) }?;
        // SAFETY: the caller's contract.
        let inputs = unsafe { descriptions(call, "inputDesc", self.inputs.1, counts.0) }?;
        // SAFETY: the caller's contract.
        let outputs = unsafe { descriptions(call, "outputDesc", self.outputs.1, counts.1) }?;
        Ok(Named {
            op_type,
            inputs,
            outputs,
            attributes: Attributes::of(call, "attr", self.attr)?,
        })
    }

    /// Copies the data buffers.
    ///
    /// # Safety
    ///
    /// - The arrays are null or have the numbers of handles.
    unsafe fn memory(&self, call: &str, counts: (usize, usize)) -> Result<Memory, aclError> {
        Ok(Memory {
            // SAFETY: the caller's contract.
            inputs: unsafe { buffers(call, "inputs", self.inputs.2, counts.0) }?,
            // SAFETY: the caller's contract.
            outputs: unsafe { buffers(call, "outputs", self.outputs.2, counts.1) }?,
        })
    }
}

/// The data buffers of a call.
pub(super) struct Memory {
    pub(super) inputs: Vec<DataBuffer>,
    pub(super) outputs: Vec<DataBuffer>,
}

impl Memory {
    /// Refuses data buffers that have bytes and no memory.
    fn check(&self, call: &str) -> Result<(), aclError> {
        check_memory(call, "inputs", &self.inputs)?;
        check_memory(call, "outputs", &self.outputs)
    }

    /// Queues an operator for descriptions with these data buffers.
    pub(super) fn run(
        &self,
        call: &str,
        operator: &compiled::Compiled,
        inputs: &[TensorDesc],
        outputs: &[TensorDesc],
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        check_sizes(call, "inputs", inputs, &self.inputs)?;
        check_sizes(call, "outputs", outputs, &self.outputs)?;
        let inputs = list_of(inputs.iter().zip(&self.inputs).map(Operand::placed));
        let outputs = list_of(outputs.iter().zip(&self.outputs).map(Operand::placed));
        operator.run(call, &inputs, &outputs, stream)
    }
}

/// Refuses operands in host memory: the call does not know their elements.
pub(super) fn check_placement(call: &str, named: &Named) -> Result<(), aclError> {
    let mut descs = named.inputs.iter().chain(&named.outputs);
    if descs.all(|desc| desc.placement == ACL_MEMTYPE_DEVICE) {
        return Ok(());
    }
    Err(refused(
        call,
        ACL_ERROR_API_NOT_SUPPORT,
        format_args!("an operand is in host memory; only aclopCompileAndExecute takes that"),
    ))
}

/// Queues an operator that was compiled.
///
/// # Safety
///
/// - The contract of [`Given::named`] and [`Given::memory`] holds.
unsafe fn execute(
    call: &str,
    given: Given,
    stream: aclrtStream,
    checks_memory: bool,
) -> Result<(), aclError> {
    not_null(call, "opType", given.op_type)?;
    let counts = given.counts(call)?;
    // SAFETY: the caller's contract.
    let named = unsafe { given.named(call, counts) }?;
    if are_empty(&named.outputs) {
        return Ok(());
    }
    // SAFETY: the caller's contract.
    let memory = unsafe { given.memory(call, counts) }?;
    if checks_memory {
        memory.check(call)?;
    }
    let operator = named.find(call)?;
    memory.run(call, &operator, &named.inputs, &named.outputs, stream)
}

/// How an operator is compiled.
#[derive(Clone, Copy)]
struct Way {
    flag: aclopCompileType,
    path: *const c_char,
}

impl Way {
    /// Refuses a number that is no way.
    fn check_flag(self, call: &str) -> Result<(), aclError> {
        if matches!(self.flag, ACL_COMPILE_SYS | ACL_COMPILE_UNREGISTERED) {
            return Ok(());
        }
        Err(refused(
            call,
            ACL_ERROR_API_NOT_SUPPORT,
            format_args!(
                "compileFlag is {:?}; it is ACL_COMPILE_SYS or ACL_COMPILE_UNREGISTERED",
                self.flag
            ),
        ))
    }

    /// Refuses the file of an operator.
    fn check_path(self, call: &'static str) -> Result<(), aclError> {
        if self.flag == ACL_COMPILE_SYS {
            return Ok(());
        }
        not_null(call, "opPath", self.path)?;
        check::not_modelled(call);
        Err(refused(
            call,
            ACL_ERROR_FEATURE_UNSUPPORTED,
            format_args!(
                "the emulator does not compile the file of an operator; use ACL_COMPILE_SYS and an operator that it has"
            ),
        ))
    }
}

/// Compiles an operator and queues it.
///
/// # Safety
///
/// - The contract of [`Given::named`] and [`Given::memory`] holds.
unsafe fn compile_and_execute(
    call: &'static str,
    given: Given,
    way: Way,
    stream: aclrtStream,
) -> Result<(), aclError> {
    let counts = given.counts(call)?;
    way.check_flag(call)?;
    // SAFETY: the caller's contract.
    let named = unsafe { given.named(call, counts) }?;
    // SAFETY: the caller's contract.
    let memory = unsafe { given.memory(call, counts) }?;
    memory.check(call)?;
    if are_empty(&named.outputs) {
        return Ok(());
    }
    way.check_path(call)?;
    let (inputs, outputs) = (named.inputs.clone(), named.outputs.clone());
    let operator = named.compile(call)?;
    if inputs.iter().chain(&outputs).any(TensorDesc::is_dynamic) {
        return Err(invalid(
            call,
            format_args!("a size is not known, and the operator would be queued with it"),
        ));
    }
    memory.run(call, &operator, &inputs, &outputs, stream)
}

pub(crate) unsafe extern "C" fn aclopCompile(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *const *const aclTensorDesc,
    numOutputs: c_int,
    outputDesc: *const *const aclTensorDesc,
    attr: *const aclopAttr,
    _engineType: aclopEngineType,
    compileFlag: aclopCompileType,
    opPath: *const c_char,
) -> aclError {
    let call = "aclopCompile";
    let given = Given {
        op_type: opType,
        inputs: (numInputs, inputDesc, std::ptr::null()),
        outputs: (numOutputs, outputDesc, std::ptr::null()),
        attr,
    };
    let (flag, path) = (compileFlag, opPath);
    let way = Way { flag, path };
    status((|| {
        let counts = given.counts(call)?;
        way.check_flag(call)?;
        // SAFETY: the caller's contract is that of the C function.
        let named = unsafe { given.named(call, counts) }?;
        check_placement(call, &named)?;
        way.check_path(call)?;
        named.compile(call).map(drop)
    })())
}

pub(crate) unsafe extern "C" fn aclopCompileAndExecute(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *const *const aclTensorDesc,
    inputs: *const *const aclDataBuffer,
    numOutputs: c_int,
    outputDesc: *const *const aclTensorDesc,
    outputs: *const *mut aclDataBuffer,
    attr: *const aclopAttr,
    _engineType: aclopEngineType,
    compileFlag: aclopCompileType,
    opPath: *const c_char,
    stream: aclrtStream,
) -> aclError {
    let given = Given {
        op_type: opType,
        inputs: (numInputs, inputDesc, inputs),
        outputs: (numOutputs, outputDesc, outputs.cast()),
        attr,
    };
    let (flag, path) = (compileFlag, opPath);
    let (call, way) = ("aclopCompileAndExecute", Way { flag, path });
    // SAFETY: the caller's contract is that of the C function.
    status(unsafe { compile_and_execute(call, given, way, stream) })
}

pub(crate) unsafe extern "C" fn aclopCompileAndExecuteV2(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *mut *mut aclTensorDesc,
    inputs: *mut *mut aclDataBuffer,
    numOutputs: c_int,
    outputDesc: *mut *mut aclTensorDesc,
    outputs: *mut *mut aclDataBuffer,
    attr: *mut aclopAttr,
    _engineType: aclopEngineType,
    compileFlag: aclopCompileType,
    opPath: *const c_char,
    stream: aclrtStream,
) -> aclError {
    let given = Given {
        op_type: opType,
        inputs: (numInputs, inputDesc.cast(), inputs.cast()),
        outputs: (numOutputs, outputDesc.cast(), outputs.cast()),
        attr,
    };
    let (flag, path) = (compileFlag, opPath);
    let (call, way) = ("aclopCompileAndExecuteV2", Way { flag, path });
    // SAFETY: the caller's contract is that of the C function.
    status(unsafe { compile_and_execute(call, given, way, stream) })
}

pub(crate) unsafe extern "C" fn aclopExecute(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *const *const aclTensorDesc,
    inputs: *const *const aclDataBuffer,
    numOutputs: c_int,
    outputDesc: *const *const aclTensorDesc,
    outputs: *const *mut aclDataBuffer,
    attr: *const aclopAttr,
    stream: aclrtStream,
) -> aclError {
    let given = Given {
        op_type: opType,
        inputs: (numInputs, inputDesc, inputs),
        outputs: (numOutputs, outputDesc, outputs.cast()),
        attr,
    };
    // SAFETY: the caller's contract is that of the C function.
    status(unsafe { execute("aclopExecute", given, stream, false) })
}

pub(crate) unsafe extern "C" fn aclopExecuteV2(
    opType: *const c_char,
    numInputs: c_int,
    inputDesc: *mut *mut aclTensorDesc,
    inputs: *mut *mut aclDataBuffer,
    numOutputs: c_int,
    outputDesc: *mut *mut aclTensorDesc,
    outputs: *mut *mut aclDataBuffer,
    attr: *mut aclopAttr,
    stream: aclrtStream,
) -> aclError {
    let given = Given {
        op_type: opType,
        inputs: (numInputs, inputDesc.cast(), inputs.cast()),
        outputs: (numOutputs, outputDesc.cast(), outputs.cast()),
        attr,
    };
    // SAFETY: the caller's contract is that of the C function.
    status(unsafe { execute("aclopExecuteV2", given, stream, true) })
}

/// The type of operator of conversions.
pub(super) const CAST: &str = "Cast";

/// Returns the attributes of a conversion to the data type of a description.
pub(super) fn cast_to(desc: &TensorDesc) -> Attributes {
    let target = Value::Int(desc.data_type.0.into());
    Attributes(Sorted::from_iter([("dst_type".to_owned(), target)]))
}

pub(crate) unsafe extern "C" fn aclopCast(
    srcDesc: *const aclTensorDesc,
    srcBuffer: *const aclDataBuffer,
    dstDesc: *const aclTensorDesc,
    dstBuffer: *mut aclDataBuffer,
    _truncate: u8,
    stream: aclrtStream,
) -> aclError {
    let call = "aclopCast";
    status((|| {
        let to = TENSOR_DESCS.get(call, "dstDesc", dstDesc)?;
        let from = TENSOR_DESCS.get(call, "srcDesc", srcDesc)?;
        let named = Named {
            op_type: CAST.to_owned(),
            attributes: cast_to(&to),
            inputs: vec![from],
            outputs: vec![to],
        };
        if are_empty(&named.outputs) {
            return Ok(());
        }
        let find = |name, buffer: *const aclDataBuffer| {
            // SAFETY: an array of one handle.
            unsafe { buffers(call, name, &raw const buffer, 1) }
        };
        let memory = Memory {
            inputs: find("srcBuffer", srcBuffer)?,
            outputs: find("dstBuffer", dstBuffer)?,
        };
        memory.check(call)?;
        let operator = named.find(call)?;
        memory.run(call, &operator, &named.inputs, &named.outputs, stream)
    })())
}

pub(crate) unsafe extern "C" fn aclopSetMaxOpQueueNum(maxOpNum: u64) -> aclError {
    if maxOpNum == 0 {
        return invalid(
            "aclopSetMaxOpQueueNum",
            format_args!("maxOpNum is 0; pass how many compiled operators are kept"),
        );
    }
    compiled::keep(usize::try_from(maxOpNum).unwrap_or(usize::MAX));
    ascendcl_sys::ACL_SUCCESS
}
