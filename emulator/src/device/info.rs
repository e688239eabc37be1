//! The names, properties and features of devices (`acl/acl_rt.h`).
//!
//! An emulated device has one number only: the ids of the user, of the process and of the machine are equal.

use std::ffi::c_char;
use std::mem;
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_DEV_FEATURE_NOT_SUPPORT, ACL_DEV_FEATURE_SUPPORT, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV,
    ACL_RT_DEVICE_STATUS_NORMAL, ACL_RT_NO_ERROR, ACL_RT_OVERFLOW_MODE_INFNAN, ACL_SUCCESS,
    aclError, aclrtDevFeatureType, aclrtDeviceStatus, aclrtErrorInfo, aclrtFloatOverflowMode,
    aclrtUtilizationInfo, aclrtUuid,
};

use crate::engine::current::current;
use crate::engine::device::{find, unknown};
use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};

/// Writes the answer to a query about a device, after checking that the device exists.
///
/// # Safety
///
/// - `out` is null or valid for a write.
unsafe fn answer<T>(call: &str, id: i32, out: *mut T, value: T) -> aclError {
    attempt!(not_null(call, "the pointer for the answer", out));
    if find(id).is_none() {
        return unknown(call, i64::from(id));
    }
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(value) };
    ACL_SUCCESS
}

/// Defines functions that convert one id of a device to another.
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

/// Writes a number that no other device of the emulator has. Each run of a program gets the same numbers.
pub(crate) unsafe extern "C" fn aclrtDeviceGetUuid(
    deviceId: i32,
    uuid: *mut aclrtUuid,
) -> aclError {
    let mut bytes = *b"ascendcl\0\0\0\0\0\0\0\0";
    if let Some(tail) = bytes.last_chunk_mut() {
        *tail = deviceId.to_be_bytes();
    }
    let mut number = aclrtUuid { bytes: [0; 16] };
    for (to, from) in number.bytes.iter_mut().zip(bytes) {
        *to = from as c_char;
    }
    // SAFETY: the same contract.
    unsafe { answer("aclrtDeviceGetUuid", deviceId, uuid, number) }
}

/// The bytes of the text for a place on the PCI bus, with its end.
const BUS_ID: i32 = 13;

/// The runtime has the same code for devices that are not on a PCI bus (a public sample of the runtime).
pub(crate) unsafe extern "C" fn aclrtDeviceGetPCIBusId(
    deviceId: i32,
    pciBusId: *mut c_char,
    len: i32,
) -> aclError {
    let call = "aclrtDeviceGetPCIBusId";
    attempt!(not_null(call, "pciBusId", pciBusId));
    if len < BUS_ID {
        return invalid_below(
            call,
            format_args!("len is {len}; pass {BUS_ID} bytes or more"),
        );
    }
    if find(deviceId).is_none() {
        return unknown(call, i64::from(deviceId));
    }
    no_bus(call)
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetByPCIBusId(
    pciBusId: *const c_char,
    deviceId: *mut i32,
) -> aclError {
    let call = "aclrtDeviceGetByPCIBusId";
    if pciBusId.is_null() || deviceId.is_null() {
        return null(call, "pciBusId or deviceId");
    }
    no_bus(call)
}

fn no_bus(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: an emulated device is on no PCI bus; use aclrtDeviceGetUuid"),
    )
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
    devFeatureType: aclrtDevFeatureType,
    value: *mut i32,
) -> aclError {
    let call = "aclrtGetDeviceCapability";
    let supports = match devFeatureType {
        ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV => ACL_DEV_FEATURE_SUPPORT,
        ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV => ACL_DEV_FEATURE_NOT_SUPPORT,
        _ if value.is_null() => return null(call, "value"),
        _ => {
            return invalid_below(
                call,
                format_args!("devFeatureType {devFeatureType:?} names no feature"),
            );
        }
    };
    // SAFETY: the same contract.
    unsafe { answer(call, deviceId, value, supports) }
}

/// Writes the utilisation of a device. It is 0, since the emulator computes on the host. For the memory the answer is
/// -1, as on a card (manual).
pub(crate) unsafe extern "C" fn aclrtGetDeviceUtilizationRate(
    deviceId: i32,
    utilizationInfo: *mut aclrtUtilizationInfo,
) -> aclError {
    let call = "aclrtGetDeviceUtilizationRate";
    attempt!(not_null(call, "utilizationInfo", utilizationInfo));
    // SAFETY: not null; the caller's contract: valid for a read.
    if !unsafe { (*utilizationInfo).utilizationExtend }.is_null() {
        return invalid(
            call,
            format_args!("utilizationExtend is reserved; set it to NULL"),
        );
    }
    let idle = aclrtUtilizationInfo {
        cubeUtilization: 0,
        vectorUtilization: 0,
        aicpuUtilization: 0,
        memoryUtilization: -1,
        utilizationExtend: ptr::null_mut(),
    };
    // SAFETY: the same contract.
    unsafe { answer(call, deviceId, utilizationInfo, idle) }
}

/// Writes the fault of a device: there is none. Failed tasks are not faults of the device.
pub(crate) unsafe extern "C" fn aclrtGetErrorVerbose(
    deviceId: i32,
    errorInfo: *mut aclrtErrorInfo,
) -> aclError {
    // SAFETY: all fields are numbers, which may be 0.
    let mut healthy: aclrtErrorInfo = unsafe { mem::zeroed() };
    healthy.errorType = ACL_RT_NO_ERROR;
    // SAFETY: the same contract.
    unsafe { answer("aclrtGetErrorVerbose", deviceId, errorInfo, healthy) }
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetBareTgid(pid: *mut i32) -> aclError {
    if pid.is_null() {
        return null("aclrtDeviceGetBareTgid", "pid");
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { pid.write(process::id().cast_signed()) };
    ACL_SUCCESS
}

/// The overflow mode of the last `aclrtSetDeviceSatMode`; the first mode is that of the manual for these products. The
/// emulator's operators follow IEEE 754 in both modes.
static OVERFLOW_MODE: AtomicU32 = AtomicU32::new(ACL_RT_OVERFLOW_MODE_INFNAN.0);

pub(crate) unsafe extern "C" fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError {
    let call = "aclrtSetDeviceSatMode";
    if mode > ACL_RT_OVERFLOW_MODE_INFNAN {
        return invalid_below(
            call,
            format_args!(
                "mode is {mode:?}; pass ACL_RT_OVERFLOW_MODE_SATURATION or \
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
    attempt!(not_null(call, "mode", mode));
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
