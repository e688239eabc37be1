//! Functions of binaries (`acl/acl_rt.h`): their parameters, names and attributes.
//!
//! A function ends with its binary. Assumptions: the ratio of a kernel that uses vector cores only, and the code of a name
//! that is longer than its room.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_FUNC_ATTR_KERNEL_RATIO, ACL_FUNC_ATTR_KERNEL_SCHED_MODE, ACL_FUNC_ATTR_KERNEL_TYPE,
    ACL_KERNEL_TYPE_VECTOR, ACL_SUCCESS, aclError, aclrtBinHandle, aclrtFuncAttribute,
    aclrtFuncHandle,
};

use super::binary::Loaded;
use super::given;
use super::registered::Kernel;
use crate::check;
use crate::engine::submit;
use crate::handles::registry::Registry;
use crate::object_calls::{attempt, invalid_below, write};
use crate::sync::{Mutex, lock};

/// How a program has declared a parameter of a function.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    /// A value.
    Value,
    /// A pointer to memory that the kernel reads.
    In,
    /// A pointer to memory that the kernel writes as a whole.
    Out,
    /// A pointer to memory that the kernel reads and writes.
    InOut,
}

/// A function of a binary that the program has looked up.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) kernel: Kernel,
    /// The handle of the binary.
    pub(super) handle: usize,
    pub(super) binary: Arc<Loaded>,
    /// How the program has declared the parameters; empty if it has not.
    declared: Mutex<Arc<[Declared]>>,
}

impl Function {
    pub(super) fn new(kernel: Kernel, handle: usize, binary: Arc<Loaded>) -> Function {
        Function {
            kernel,
            handle,
            binary,
            declared: Mutex::default(),
        }
    }

    pub(super) fn declared(&self) -> Arc<[Declared]> {
        Arc::clone(&lock(&self.declared))
    }
}

static FUNCTIONS: Registry<Arc<Function>> = Registry::new(0x6a);

pub(super) fn insert(function: Function) -> usize {
    FUNCTIONS.insert(Arc::new(function)).unwrap_or(0)
}

pub(super) fn remove(handle: usize) {
    FUNCTIONS.remove(handle);
}

/// Returns the function of a handle.
pub(super) fn find(call: &str, handle: *const c_void) -> Result<Arc<Function>, aclError> {
    let found = FUNCTIONS.get(handle.addr());
    let found = found.filter(|function| function.binary.is_live());
    found.ok_or_else(|| submit::stale(call, check::FUNCTION, handle.addr()))
}

/// Tells how the program has declared the parameters of a function, so that a kernel which does something else is found: one
/// that writes what was declared for reading, or does not write all of an output. Makes no call of C, and does nothing for a
/// handle that names no function.
#[doc(hidden)]
pub fn declare(func: aclrtFuncHandle, kinds: &[Declared]) {
    if let Some(function) = FUNCTIONS.get(func.addr()) {
        *lock(&function.declared) = kinds.into();
    }
}

pub(crate) unsafe extern "C" fn aclrtFunctionGetParamCount(
    func: *const c_void,
    paramCount: *mut usize,
) -> aclError {
    let call = "aclrtFunctionGetParamCount";
    given!(call, acl [func, paramCount]);
    let function = attempt!(find(call, func));
    // SAFETY: not null; the same contract.
    unsafe { write(paramCount, function.kernel.parameters.len()) };
    ACL_SUCCESS
}

/// Writes the place of a parameter among the packed arguments. Either result may be NULL.
pub(crate) unsafe extern "C" fn aclrtFunctionGetParamInfo(
    func: *const c_void,
    paramIndex: usize,
    paramOffset: *mut usize,
    paramSize: *mut usize,
) -> aclError {
    let call = "aclrtFunctionGetParamInfo";
    given!(call, acl[func]);
    let function = attempt!(find(call, func));
    let Some(parameter) = function.kernel.parameters.get(paramIndex) else {
        let (name, count) = (&function.kernel.name, function.kernel.parameters.len());
        return invalid_below(
            call,
            format_args!("paramIndex is {paramIndex}, and {name} has {count} parameters"),
        );
    };
    if !paramOffset.is_null() {
        // SAFETY: not null; the same contract.
        unsafe { write(paramOffset, parameter.offset) };
    }
    if !paramSize.is_null() {
        // SAFETY: not null; the same contract.
        unsafe { write(paramSize, parameter.size) };
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtFunctionGetBinary(
    funcHandle: aclrtFuncHandle,
    binHandle: *mut aclrtBinHandle,
) -> aclError {
    let call = "aclrtFunctionGetBinary";
    given!(call, runtime [funcHandle, binHandle]);
    let function = attempt!(find(call, funcHandle));
    // SAFETY: not null; the same contract.
    unsafe { write(binHandle, ptr::without_provenance_mut(function.handle)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetFunctionName(
    funcHandle: aclrtFuncHandle,
    maxLen: u32,
    name: *mut c_char,
) -> aclError {
    let call = "aclrtGetFunctionName";
    given!(call, acl[name]);
    let function = attempt!(find(call, funcHandle));
    let text = &function.kernel.name;
    if text.len() >= maxLen as usize {
        let needed = text.len() + 1;
        return invalid_below(
            call,
            format_args!(
                "maxLen is {maxLen}, and the name of {needed} bytes with its end does not fit"
            ),
        );
    }
    let to = name.cast::<u8>();
    // SAFETY: the room has `maxLen` bytes (the same contract), which is more than the name.
    unsafe { to.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
    // SAFETY: as above: the last byte.
    let end = unsafe { to.add(text.len()) };
    // SAFETY: as above.
    unsafe { end.write(0) };
    ACL_SUCCESS
}

/// One vector core and no cube core: the lower half of the ratio is that of vector cores.
const RATIO: i64 = 1;

/// Writes an attribute of a function. Each kernel of the emulator is one for vector cores.
pub(crate) unsafe extern "C" fn aclrtGetFunctionAttribute(
    funcHandle: aclrtFuncHandle,
    attrType: aclrtFuncAttribute,
    attrValue: *mut i64,
) -> aclError {
    let call = "aclrtGetFunctionAttribute";
    given!(call, acl [funcHandle, attrValue]);
    attempt!(find(call, funcHandle));
    let value = match attrType {
        ACL_FUNC_ATTR_KERNEL_TYPE => i64::from(ACL_KERNEL_TYPE_VECTOR.0),
        ACL_FUNC_ATTR_KERNEL_RATIO => RATIO,
        ACL_FUNC_ATTR_KERNEL_SCHED_MODE => 0,
        other => {
            return invalid_below(
                call,
                format_args!("attrType is {other:?}, which is no attribute of a function"),
            );
        }
    };
    // SAFETY: not null; the same contract.
    unsafe { write(attrValue, value) };
    ACL_SUCCESS
}
