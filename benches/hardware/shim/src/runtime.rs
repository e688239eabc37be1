//! The process and its devices.

use std::ffi::{c_char, c_void};

use ascendcl_sys::{self as sys, aclError, aclrtContext, aclrtRunMode};

use crate::driver::{driver, found, status};
use crate::state::{Context, bind, current, fail, reset_device, said, set_device};

/// Writes an output of a call.
///
/// # Safety
///
/// `to` is null or valid for a write.
pub(crate) unsafe fn put<T>(call: &str, to: *mut T, value: T) -> aclError {
    if to.is_null() {
        return fail(
            sys::ACL_ERROR_INVALID_PARAM,
            format!("{call} failed: an output is null"),
        );
    }
    // SAFETY: the caller's contract, and not null.
    unsafe { to.write(value) };
    sys::ACL_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclInit(_: *const c_char) -> aclError {
    found().err().unwrap_or(sys::ACL_SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclFinalize() -> aclError {
    sys::ACL_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetVersion(
    major: *mut i32,
    minor: *mut i32,
    patch: *mut i32,
) -> aclError {
    for (number, value) in [(major, 1), (minor, 17), (patch, 0)] {
        // SAFETY: the caller's contract.
        let code = unsafe { put("aclrtGetVersion", number, value) };
        if code != sys::ACL_SUCCESS {
            return code;
        }
    }
    sys::ACL_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError {
    // SAFETY: the caller's contract.
    unsafe { put("aclrtGetRunMode", runMode, sys::ACL_HOST) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclGetRecentErrMsg() -> *const c_char {
    said()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetDeviceCount(count: *mut u32) -> aclError {
    let mut found = 0;
    if let Ok(driver) = driver() {
        // SAFETY: `found` is valid for a write.
        unsafe { (driver.device_count)(&raw mut found) };
    }
    // SAFETY: the caller's contract.
    unsafe { put("aclrtGetDeviceCount", count, found.unsigned_abs()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSetDevice(deviceId: i32) -> aclError {
    set_device(deviceId).err().unwrap_or(sys::ACL_SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtResetDevice(deviceId: i32) -> aclError {
    reset_device(deviceId)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetDevice(deviceId: *mut i32) -> aclError {
    match current("aclrtGetDevice") {
        // SAFETY: the caller's contract.
        Ok(context) => unsafe { put("aclrtGetDevice", deviceId, context.device) },
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError {
    match current("aclrtGetCurrentContext") {
        // SAFETY: the caller's contract.
        Ok(one) => unsafe {
            put(
                "aclrtGetCurrentContext",
                context,
                std::ptr::from_ref(one).cast_mut().cast::<c_void>(),
            )
        },
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSetCurrentContext(context: aclrtContext) -> aclError {
    // SAFETY: the caller's contract: null or a context of `aclrtGetCurrentContext`, none of which is freed.
    match unsafe { context.cast::<Context>().as_ref() } {
        Some(context) => bind(context).err().unwrap_or(sys::ACL_SUCCESS),
        None => fail(
            sys::ACL_ERROR_INVALID_PARAM,
            "aclrtSetCurrentContext failed: context is null".to_owned(),
        ),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSynchronizeDevice() -> aclError {
    match (current("aclrtSynchronizeDevice"), found()) {
        // SAFETY: the context is current on this thread.
        (Ok(_), Ok(driver)) => status(driver, "aclrtSynchronizeDevice", unsafe {
            (driver.context_synchronize)()
        }),
        (Err(code), _) | (_, Err(code)) => code,
    }
}
