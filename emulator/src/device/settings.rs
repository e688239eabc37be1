//! Settings of devices that the emulator stores, and what its devices do not have (`acl/acl_rt.h`).
//!
//! Assumptions: the first values of the limits, and the missing capabilities.

use std::slice;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE,
    ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, ACL_SUCCESS,
    ACL_TS_ID_AIVECTOR, aclError, aclrtAtomicOperation, aclrtDeviceLimit, aclrtTsId,
};

use crate::engine::device;
use crate::error::null_below;
use crate::object_calls::{attempt, invalid, not_null, refused};
use crate::sync::{Mutex, lock};

/// The bytes of the stack of a kernel, and those of a core for what its kernels print.
static LIMITS: Mutex<[usize; 2]> = Mutex::new([32 << 10, 1 << 20]);

/// Returns the place of a limit in [`LIMITS`].
fn place(call: &str, limit: aclrtDeviceLimit) -> Result<usize, aclError> {
    match limit {
        ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE => Ok(0),
        ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE => Ok(1),
        _ if limit > ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE => Err(invalid(
            call,
            format_args!("limit {limit:?} names none; pass 0 to 4"),
        )),
        _ => Err(refused(
            call,
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "limit {limit:?} belongs to threads of kernels, which these products do not have"
            ),
        )),
    }
}

pub(crate) unsafe extern "C" fn aclrtDeviceSetLimit(
    limit: aclrtDeviceLimit,
    value: usize,
) -> aclError {
    let call = "aclrtDeviceSetLimit";
    let placed = place(call, limit).and_then(|place| match u32::try_from(value) {
        Ok(_) => Ok(place),
        Err(_) => Err(invalid(
            call,
            format_args!("value is {value}; pass a number of 32 bits"),
        )),
    });
    let place = attempt!(placed);
    if let Some(limit) = lock(&LIMITS).get_mut(place) {
        *limit = value;
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetLimit(
    limit: aclrtDeviceLimit,
    value: *mut usize,
) -> aclError {
    let call = "aclrtDeviceGetLimit";
    attempt!(not_null(call, "value", value));
    let place = attempt!(place(call, limit));
    let stored = lock(&LIMITS).get(place).copied().unwrap_or_default();
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(stored) };
    ACL_SUCCESS
}

/// Chooses the cores of later work. The emulator computes on the host with either.
pub(crate) unsafe extern "C" fn aclrtSetTsDevice(tsId: aclrtTsId) -> aclError {
    if tsId > ACL_TS_ID_AIVECTOR {
        return invalid(
            "aclrtSetTsDevice",
            format_args!("tsId is {tsId:?}; pass ACL_TS_ID_AICORE or ACL_TS_ID_AIVECTOR"),
        );
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetHostAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const aclrtAtomicOperation,
    count: u32,
    deviceId: i32,
) -> aclError {
    let call = "aclrtDeviceGetHostAtomicCapabilities";
    // SAFETY: the same contract.
    unsafe { no_atomics(call, capabilities, operations, count, &[deviceId]) }
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetP2PAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const aclrtAtomicOperation,
    count: u32,
    srcDeviceId: i32,
    dstDeviceId: i32,
) -> aclError {
    let call = "aclrtDeviceGetP2PAtomicCapabilities";
    // SAFETY: the same contract.
    unsafe {
        no_atomics(
            call,
            capabilities,
            operations,
            count,
            &[srcDeviceId, dstDeviceId],
        )
    }
}

/// Writes that no atomic operation reaches the memory of the host or of another device.
///
/// # Safety
///
/// - `capabilities` is null or valid for writes of `count` numbers.
unsafe fn no_atomics(
    call: &str,
    capabilities: *mut u32,
    operations: *const aclrtAtomicOperation,
    count: u32,
    devices: &[i32],
) -> aclError {
    if capabilities.is_null() || operations.is_null() || count == 0 {
        return null_below(call, "capabilities, operations or count");
    }
    let unknown = devices.iter().find(|id| device::find(**id).is_none());
    if let Some(id) = unknown {
        return device::unknown(call, i64::from(*id));
    }
    // SAFETY: not null; the caller's contract.
    unsafe { slice::from_raw_parts_mut(capabilities, count as usize) }.fill(0);
    ACL_SUCCESS
}
