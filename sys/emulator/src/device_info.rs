//! What devices are called, and what they are and can (`acl/acl_rt.h`).
//!
//! The emulator's devices have one number: that of the user, of the process and of the machine are the
//! same.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_DEV_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID, ACL_RT_DEVICE_STATUS_NORMAL,
    ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_SATURATION, ACL_SUCCESS, aclError,
    aclrtDevFeatureType, aclrtDeviceStatus, aclrtFloatOverflowMode,
};

use crate::context::{current, null};
use crate::device::{find, unknown};
use crate::error::fail;

/// Answers a question about a device that exists.
///
/// # Safety
///
/// `out` is null or valid for a write.
unsafe fn answer<T>(call: &str, id: i32, out: *mut T, value: T) -> aclError {
    if out.is_null() {
        return null(call, "the pointer for the answer");
    }
    if find(id).is_none() {
        return unknown(call, i64::from(id));
    }
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(value) };
    ACL_SUCCESS
}

/// Defines functions that turn one number of a device into another one.
macro_rules! same_number {
    ($( $name:ident )*) => { $(
        pub(crate) unsafe extern "C" fn $name(from: i32, to: *mut i32) -> aclError {
            // SAFETY: the same contract.
            unsafe { answer(stringify!($name), from, to, from) }
        }
    )* };
}

same_number! {
    aclrtGetLogicDevIdByUserDevId
    aclrtGetUserDevIdByLogicDevId
    aclrtGetLogicDevIdByPhyDevId
    aclrtGetPhyDevIdByLogicDevId
    aclrtGetUserDevIdByPhyDevId
    aclrtGetPhyDevIdByUserDevId
}

pub(crate) unsafe extern "C" fn aclrtQueryDeviceStatus(
    deviceId: i32,
    deviceStatus: *mut aclrtDeviceStatus,
) -> aclError {
    let call = "aclrtQueryDeviceStatus";
    // SAFETY: the same contract.
    unsafe { answer(call, deviceId, deviceStatus, ACL_RT_DEVICE_STATUS_NORMAL) }
}

pub(crate) unsafe extern "C" fn aclrtGetDeviceCapability(
    deviceId: i32,
    _devFeatureType: aclrtDevFeatureType,
    value: *mut i32,
) -> aclError {
    // Each feature that can be asked for belongs to kernels or to queues of the device.
    let call = "aclrtGetDeviceCapability";
    // SAFETY: the same contract.
    unsafe { answer(call, deviceId, value, ACL_DEV_FEATURE_NOT_SUPPORT) }
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetBareTgid(pid: *mut i32) -> aclError {
    if pid.is_null() {
        return null("aclrtDeviceGetBareTgid", "pid");
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { pid.write(process::id().cast_signed()) };
    ACL_SUCCESS
}

/// What `aclrtSetDeviceSatMode` chose last. The emulator's operators round as IEEE 754 says either way.
static OVERFLOW_MODE: AtomicU32 = AtomicU32::new(ACL_RT_OVERFLOW_MODE_SATURATION.0);

pub(crate) unsafe extern "C" fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError {
    let call = "aclrtSetDeviceSatMode";
    if mode > ACL_RT_OVERFLOW_MODE_INFNAN {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{call} failed: mode is {mode:?}; pass ACL_RT_OVERFLOW_MODE_SATURATION or \
                 ACL_RT_OVERFLOW_MODE_INFNAN"
            ),
        );
    }
    match current(call) {
        Err(code) => code,
        Ok(_) => {
            OVERFLOW_MODE.store(mode.0, Ordering::Relaxed);
            ACL_SUCCESS
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtGetDeviceSatMode(
    mode: *mut aclrtFloatOverflowMode,
) -> aclError {
    let call = "aclrtGetDeviceSatMode";
    if mode.is_null() {
        return null(call, "mode");
    }
    match current(call) {
        Err(code) => code,
        Ok(_) => {
            let chosen = aclrtFloatOverflowMode(OVERFLOW_MODE.load(Ordering::Relaxed));
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { mode.write(chosen) };
            ACL_SUCCESS
        }
    }
}
