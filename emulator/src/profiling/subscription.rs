//! Data about the operators inside of a model, which the emulator refuses: it records a model as one task.

use std::ffi::{c_char, c_void};
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_SUBSCRIBE_NONE, aclprofAicoreMetrics,
    aclprofSubscribeConfig, aclprofSubscribeOpAttri, aclprofSubscribeOpFlag,
};

use crate::check;
use crate::error::fail;
use crate::refusal::refuse;

/// The reason of each refusal.
const SUBSCRIPTION: &str = "the emulator has no data about the operators inside of a model; profile the device with \
                            aclprofStart, which records the model as one task";

refuse! {
    SUBSCRIPTION;
    fn aclprofModelSubscribe(modelId: u32, config: *const aclprofSubscribeConfig);
    fn aclprofModelUnSubscribe(modelId: u32);
    fn aclprofDestroySubscribeConfig(config: *const aclprofSubscribeConfig);
    fn aclprofGetOpDescSize(size: *mut usize);
    fn aclprofGetOpNum(info: *const c_void, len: usize, num: *mut u32);
    fn aclprofGetOpTypeLen(info: *const c_void, len: usize, index: u32, typeLen: *mut usize);
    fn aclprofGetOpType(info: *const c_void, len: usize, index: u32, opType: *mut c_char, typeLen: usize);
    fn aclprofGetOpNameLen(info: *const c_void, len: usize, index: u32, nameLen: *mut usize);
    fn aclprofGetOpName(info: *const c_void, len: usize, index: u32, opName: *mut c_char, nameLen: usize);
}

/// Defines functions that fail for the same reason, and return the value that stands for a failure.
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
