//! Functions that need AI cores, a compiler for them or their profiler, which the emulator does not have.
//!
//! Each function returns the code of an unsupported feature, and the error text gives the reason. Success without
//! effect would be worse: a program would continue with results that were never computed.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_SUBSCRIBE_NONE, aclDataBuffer, aclDataDeallocator,
    aclError, aclFormat, aclGraphDumpOption, aclTensorDesc, aclopAttr, aclopCompileFunc,
    aclopEngineType, aclopKernelDesc, aclprofAicoreMetrics, aclprofSubscribeConfig,
    aclprofSubscribeOpAttri, aclprofSubscribeOpFlag, aclrtArgsHandle, aclrtBinHandle,
    aclrtBinaryLoadOptions, aclrtFuncHandle, aclrtLaunchKernelCfg, aclrtParamHandle,
    aclrtPlaceHolderInfo, aclrtStream,
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

/// The reason for the data about the operators of a model.
const SUBSCRIPTION: &str = "the emulator has no data about the operators inside of a model; profile the device with \
                            aclprofStart, which records the model as one task";

refuse! {
    SUBSCRIPTION;
    fn aclprofModelSubscribe(u32, *const aclprofSubscribeConfig);
    fn aclprofModelUnSubscribe(u32);
    fn aclprofDestroySubscribeConfig(*const aclprofSubscribeConfig);
    fn aclprofGetOpDescSize(*mut usize);
    fn aclprofGetOpNum(*const c_void, usize, *mut u32);
    fn aclprofGetOpTypeLen(*const c_void, usize, u32, *mut usize);
    fn aclprofGetOpType(*const c_void, usize, u32, *mut c_char, usize);
    fn aclprofGetOpNameLen(*const c_void, usize, u32, *mut usize);
    fn aclprofGetOpName(*const c_void, usize, u32, *mut c_char, usize);
}

/// Defines functions that fail for the same reason, and return no code but the value that stands for a failure.
macro_rules! refuse_without_code {
    ($why:ident; $( fn $name:ident($($type:ty),*) -> $result:ty = $failure:expr; )*) => { $(
        pub(crate) unsafe extern "C" fn $name($(_: $type),*) -> $result {
            check::not_modelled(stringify!($name));
            fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(concat!(stringify!($name), " failed: {}"), $why),
            );
            $failure
        }
    )* };
}

refuse_without_code! {
    SUBSCRIPTION;
    fn aclprofCreateSubscribeConfig(i8, aclprofAicoreMetrics, *mut c_void) -> *mut aclprofSubscribeConfig
        = ptr::null_mut();
    fn aclprofGetOpStart(*const c_void, usize, u32) -> u64 = 0;
    fn aclprofGetOpEnd(*const c_void, usize, u32) -> u64 = 0;
    fn aclprofGetOpDuration(*const c_void, usize, u32) -> u64 = 0;
    fn aclprofGetModelId(*const c_void, usize, u32) -> usize = 0;
    fn aclprofGetOpFlag(*const c_void, usize, u32) -> aclprofSubscribeOpFlag = ACL_SUBSCRIBE_NONE;
    fn aclprofGetOpAttriValue(*const c_void, usize, u32, aclprofSubscribeOpAttri) -> *const c_char = ptr::null();
}
