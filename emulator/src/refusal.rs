//! Functions that need AI cores, which the emulator does not have.
//!
//! Each function returns the code of an unsupported feature, and the error text gives the reason. Success without
//! effect would be worse: a program would continue with results that were never computed.

use std::ffi::{c_char, c_void};

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclError, aclrtArgsHandle, aclrtBinHandle,
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
