//! Functions that need AI cores or a compiler for them, which the emulator does not have.
//!
//! Each function returns the code of an unsupported feature, and the error text gives the reason. Success without
//! effect would be worse: a program would continue with results that were never computed.

use std::ffi::{c_char, c_int, c_void};

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclDataBuffer, aclDataDeallocator, aclError, aclFormat,
    aclGraphDumpOption, aclTensorDesc, aclopAttr, aclopCompileFunc, aclopEngineType,
    aclopKernelDesc, aclrtArgsHandle, aclrtBinHandle, aclrtBinaryLoadOptions, aclrtFuncHandle,
    aclrtLaunchKernelCfg, aclrtParamHandle, aclrtPlaceHolderInfo, aclrtStream,
};

use crate::check;
use crate::error::fail;

const KERNELS: &str = "kernels are programs for AI cores, which the emulator does not have; use \
                       the operators that it has, or a card";

/// Defines functions that fail for the same reason.
macro_rules! refuse {
    ($why:ident; $( fn $name:ident($($type:ty),*); )*) => { $(
        pub(crate) unsafe extern "C" fn $name($(_: $type),*) -> aclError {
            check::not_modelled(stringify!($name));
            fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(concat!(stringify!($name), " failed: {}"), $why),
            )
        }
    )* };
}
pub(crate) use refuse;

refuse! {
    KERNELS;
    fn aclrtBinaryLoadFromFile(*const c_char, *mut aclrtBinaryLoadOptions, *mut aclrtBinHandle);
    fn aclrtBinaryLoadFromData(*const c_void, usize, *const aclrtBinaryLoadOptions,
        *mut aclrtBinHandle);
    fn aclrtBinaryUnLoad(aclrtBinHandle);
    fn aclrtBinaryGetFunction(aclrtBinHandle, *const c_char, *mut aclrtFuncHandle);
    fn aclrtKernelArgsInit(aclrtFuncHandle, *mut aclrtArgsHandle);
    fn aclrtKernelArgsAppend(aclrtArgsHandle, *mut c_void, usize, *mut aclrtParamHandle);
    fn aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle, *mut aclrtParamHandle);
    fn aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle, aclrtParamHandle, usize,
        *mut *mut c_void);
    fn aclrtKernelArgsFinalize(aclrtArgsHandle);
    fn aclrtLaunchKernelV2(aclrtFuncHandle, u32, *const c_void, usize, *mut aclrtLaunchKernelCfg,
        aclrtStream);
    fn aclrtLaunchKernelWithConfig(aclrtFuncHandle, u32, aclrtStream, *mut aclrtLaunchKernelCfg,
        aclrtArgsHandle, *mut c_void);
    fn aclrtLaunchKernelWithHostArgs(aclrtFuncHandle, u32, aclrtStream,
        *mut aclrtLaunchKernelCfg, *mut c_void, usize, *mut aclrtPlaceHolderInfo, usize);
    fn aclrtGetHardwareSyncAddr(*mut *mut c_void);
}

refuse! {
    KERNELS;
    fn aclopCreateKernel(*const c_char, *const c_char, *const c_char, *mut c_void, c_int,
        aclopEngineType, aclDataDeallocator);
    fn aclopRegisterCompileFunc(*const c_char, aclopCompileFunc);
    fn aclopUnregisterCompileFunc(*const c_char);
    fn aclopSetKernelArgs(*mut aclopKernelDesc, *const c_char, u32, *const c_void, u32);
    fn aclopSetKernelWorkspaceSizes(*mut aclopKernelDesc, c_int, *mut usize);
    fn aclopUpdateParams(*const c_char, c_int, *const *const aclTensorDesc, c_int,
        *const *const aclTensorDesc, *const aclopAttr);
}

/// The reason for functions of the compiler of operators.
const COMPILER: &str = "the compiler of operators does this, and the emulator compiles nothing; pass the shapes and \
                        formats themselves to aclCreateTensorDesc";

refuse! {
    COMPILER;
    fn aclopInferShape(*const c_char, c_int, *mut *mut aclTensorDesc, *mut *mut aclDataBuffer,
        c_int, *mut *mut aclTensorDesc, *mut aclopAttr);
    fn aclGenGraphAndDumpForOp(*const c_char, c_int, *const *const aclTensorDesc,
        *const *const aclDataBuffer, c_int, *const *const aclTensorDesc,
        *const *mut aclDataBuffer, *const aclopAttr, aclopEngineType, *const c_char,
        *const aclGraphDumpOption);
    fn aclTransTensorDescFormat(*const aclTensorDesc, aclFormat, *mut *mut aclTensorDesc);
}
