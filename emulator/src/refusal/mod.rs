//! Functions that need hardware or a compiler which the emulator does not have.
//!
//! Each function checks its arguments as the runtime does, and then returns the code of an unsupported feature; the
//! error text gives the reason. Success without effect would be worse: a program would continue with results that were
//! never computed. `kernels` has the functions of kernels, and `memory` those of memory and of other hardware.

mod kernels;
mod memory;

use std::ffi::{c_char, c_int, c_void};

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, aclDataBuffer, aclDataDeallocator,
    aclError, aclFormat, aclGraphDumpOption, aclTensorDesc, aclopAttr, aclopCompileFunc,
    aclopEngineType, aclopKernelDesc,
};

use crate::error::fail;

pub(crate) use kernels::*;
pub(crate) use memory::*;

use kernels::KERNELS;

/// An argument that a call must have: a pointer that is not null, or a number that is not 0.
pub(crate) trait Given {
    fn is_given(&self) -> bool;
}

impl<T> Given for *const T {
    fn is_given(&self) -> bool {
        !self.is_null()
    }
}

impl<T> Given for *mut T {
    fn is_given(&self) -> bool {
        !self.is_null()
    }
}

impl<F> Given for Option<F> {
    fn is_given(&self) -> bool {
        self.is_some()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Given for $number {
            fn is_given(&self) -> bool {
                *self != 0
            }
        }
    )* };
}

numbers! { u32 u64 usize }

/// The code for an argument that is missing and that the layer above the runtime checks.
#[cold]
pub(crate) fn acl(call: &str, argument: &str) -> aclError {
    missing(ACL_ERROR_INVALID_PARAM, call, argument)
}

/// The code for an argument that is missing and that the runtime checks.
#[cold]
pub(crate) fn runtime(call: &str, argument: &str) -> aclError {
    missing(ACL_ERROR_RT_PARAM_INVALID, call, argument)
}

fn missing(code: aclError, call: &str, argument: &str) -> aclError {
    fail(
        code,
        format_args!("{call} failed: {argument} is NULL or 0; pass a value"),
    )
}

/// Defines functions that fail for the same reason. Before that they check the arguments in brackets, each list for the
/// layer in front of it.
macro_rules! refuse {
    ($why:ident; $(
        fn $name:ident($($arg:ident: $type:ty),*) $($layer:ident [$($given:ident),*])*;
    )*) => { $(
        pub(crate) unsafe extern "C" fn $name($($arg: $type),*) -> ascendcl_sys::aclError {
            let call = stringify!($name);
            let _ = ($($arg,)*);
            $( $( if !$crate::refusal::Given::is_given(&$given) {
                return $crate::refusal::$layer(call, stringify!($given));
            } )* )*
            $crate::check::not_modelled(call);
            $crate::error::fail(
                ascendcl_sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!("{call} failed: {}", $why),
            )
        }
    )* };
}
pub(crate) use refuse;

refuse! {
    KERNELS;
    fn aclopCreateKernel(opType: *const c_char, kernelId: *const c_char, kernelName: *const c_char,
        binData: *mut c_void, binSize: c_int, enginetype: aclopEngineType, deallocator: aclDataDeallocator);
    fn aclopRegisterCompileFunc(opType: *const c_char, func: aclopCompileFunc);
    fn aclopUnregisterCompileFunc(opType: *const c_char);
    fn aclopSetKernelArgs(kernelDesc: *mut aclopKernelDesc, kernelId: *const c_char, blockDim: u32,
        args: *const c_void, argSize: u32);
    fn aclopSetKernelWorkspaceSizes(kernelDesc: *mut aclopKernelDesc, numWorkspaces: c_int,
        workspaceSizes: *mut usize);
    fn aclopUpdateParams(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc,
        numOutputs: c_int, outputDesc: *const *const aclTensorDesc, attr: *const aclopAttr);
}

/// The reason for functions of the compiler of operators.
const COMPILER: &str = "the compiler of operators does this, and the emulator compiles nothing; pass the shapes and \
                        formats themselves to aclCreateTensorDesc";

refuse! {
    COMPILER;
    fn aclopInferShape(opType: *const c_char, numInputs: c_int, inputDesc: *mut *mut aclTensorDesc,
        inputs: *mut *mut aclDataBuffer, numOutputs: c_int, outputDesc: *mut *mut aclTensorDesc,
        attr: *mut aclopAttr);
    fn aclGenGraphAndDumpForOp(opType: *const c_char, numInputs: c_int, inputDesc: *const *const aclTensorDesc,
        inputs: *const *const aclDataBuffer, numOutputs: c_int, outputDesc: *const *const aclTensorDesc,
        outputs: *const *mut aclDataBuffer, attr: *const aclopAttr, engineType: aclopEngineType,
        graphDumpPath: *const c_char, graphdumpOpt: *const aclGraphDumpOption);
    fn aclTransTensorDescFormat(srcDesc: *const aclTensorDesc, dstFormat: aclFormat,
        dstDesc: *mut *mut aclTensorDesc);
}
