//! Devices (`acl/acl_rt.h`).
//!
//! Names and properties of devices are in `info`, limits in `limits`, other settings in `settings`, hooks of the program in
//! `watchers`, and the access to memory of other devices in `peer`.

pub(crate) mod info;
pub(crate) mod limits;
pub(crate) mod peer;
pub(crate) mod settings;
pub(crate) mod watchers;

use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ascendcl_sys::{
    ACL_DEV_ATTR_AICORE_CORE_NUM, ACL_DEV_ATTR_AICPU_CORE_NUM, ACL_DEV_ATTR_CUBE_CORE_NUM,
    ACL_DEV_ATTR_IS_VIRTUAL, ACL_DEV_ATTR_L2_CACHE_SIZE, ACL_DEV_ATTR_PHY_CHIP_ID,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, ACL_DEV_ATTR_VECTOR_CORE_NUM, ACL_DEVICE_INFO_AI_CORE_NUM,
    ACL_DEVICE_INFO_L2_SIZE, ACL_DEVICE_INFO_VECTOR_CORE_NUM, ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_RT_DEVICE_STATE_RESET_POST,
    ACL_RT_DEVICE_STATE_RESET_PRE, ACL_RT_DEVICE_STATE_SET_POST, ACL_RT_DEVICE_STATE_SET_PRE,
    ACL_SUCCESS, aclDeviceInfo, aclError, aclrtDevAttr,
};

use crate::check;
use crate::context;
use crate::engine::current::{current, undecided, use_primary};
use crate::engine::device::{find, unknown};
use crate::engine::drive::TimedOut;
use crate::engine::{engine, submit};
use crate::error::{fail, null};
use crate::graph;
use crate::handles::slots::Found;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::observe::inject;
use crate::results::list_of;
use crate::space::space;
use crate::stream;

/// Cores and cache of an Ascend 910B1.
pub(crate) const CUBE_CORES: i64 = 24;
pub(crate) const VECTOR_CORES: i64 = 48;
const AICPU_CORES: i64 = 6;
const L2_BYTES: i64 = 192 << 20;

/// Adds a reference to a device and makes its default context current.
pub(crate) fn set(call: &str, id: i32) -> Result<(), aclError> {
    let Some((index, device)) = find(id) else {
        return Err(unknown(call, i64::from(id)));
    };
    watchers::tell(id, ACL_RT_DEVICE_STATE_SET_PRE);
    let mut held = device.lock();
    let opens = held.references == 0;
    if opens {
        let primary = context::open(call, index, device, &mut held, true)?;
        device.primary.store(primary, Ordering::Release);
    }
    held.references += 1;
    drop(held);
    use_primary(id);
    if opens {
        // The lock is not held here, because this runs functions of the program.
        stream::watchers::context_created(device.primary());
    }
    watchers::tell(id, ACL_RT_DEVICE_STATE_SET_POST);
    Ok(())
}

/// Takes one reference to a device for HCCL, on a thread of its own.
pub(crate) fn set_for_library(call: &str, id: i32) -> Result<(), aclError> {
    set(call, id)?;
    if let Some((_, device)) = find(id) {
        device.lock().of_library += 1;
    }
    Ok(())
}

/// Drops one reference to a device, or all references. The default context ends with the last reference.
fn reset(call: &str, id: i32, all: bool) -> aclError {
    let Some((_, device)) = find(id) else {
        return unknown(call, i64::from(id));
    };
    if device.lock().references > 0 {
        watchers::tell(id, ACL_RT_DEVICE_STATE_RESET_PRE);
    }
    let mut held = device.lock();
    if held.references == 0 {
        return fail(
            ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
            format_args!(
                "{call} failed: device {id} is not set, or was reset already; one reset for \
                 each aclrtSetDevice"
            ),
        );
    }
    if (all || held.references == 1)
        && let Err(code) = submit::no_end_inside(call)
    {
        return code;
    }
    held.references = if all { 0 } else { held.references - 1 };
    held.of_library = held.of_library.min(held.references);
    let ends = held.references == 0;
    let primary = ends.then(|| device.primary.swap(ptr::null_mut(), Ordering::AcqRel));
    // The lock is released, because the awaited tasks and the hooks may run functions of the program.
    drop(held);
    if let Some(primary) = primary
        && let Found::Live {
            slot,
            index,
            generation,
        } = engine().contexts.find(primary)
    {
        context::close(slot, index, generation);
    }
    if ends {
        inject::device_released();
    }
    watchers::tell(id, ACL_RT_DEVICE_STATE_RESET_POST);
    ACL_SUCCESS
}

/// Returns the name of the chip.
pub(crate) fn soc_name() -> &'static CStr {
    static NAME: LazyLock<CString> =
        LazyLock::new(|| CString::new(engine().config.soc_name.as_str()).unwrap_or_default());
    &NAME
}

pub(crate) unsafe extern "C" fn aclrtGetSocName() -> *const c_char {
    if engine().devices.is_empty() {
        ptr::null()
    } else {
        soc_name().as_ptr()
    }
}

pub(crate) unsafe extern "C" fn aclrtGetDeviceCount(count: *mut u32) -> aclError {
    if count.is_null() {
        return null("aclrtGetDeviceCount", "count");
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { count.write(engine().devices.len() as u32) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSetDevice(deviceId: i32) -> aclError {
    set("aclrtSetDevice", deviceId).err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtResetDevice(deviceId: i32) -> aclError {
    reset("aclrtResetDevice", deviceId, false)
}

pub(crate) unsafe extern "C" fn aclrtResetDeviceForce(deviceId: i32) -> aclError {
    reset("aclrtResetDeviceForce", deviceId, true)
}

pub(crate) unsafe extern "C" fn aclrtGetDevice(deviceId: *mut i32) -> aclError {
    let call = "aclrtGetDevice";
    attempt!(not_null(call, "deviceId", deviceId));
    // A thread that chose no device gets its default device as the answer. This query does not open the device.
    let device = match undecided() {
        Some(default) => default,
        None => match current(call) {
            Ok(current) => current.device() as i32,
            Err(code) => return code,
        },
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { deviceId.write(device) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeDevice() -> aclError {
    synchronise("aclrtSynchronizeDevice", None)
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> aclError {
    let call = "aclrtSynchronizeDeviceWithTimeout";
    let deadline = attempt!(submit::deadline(call, timeout));
    synchronise(call, deadline)
}

/// Waits for the streams of the current context. Reports the first failure of each stream once.
pub(crate) fn synchronise(call: &str, deadline: Option<Instant>) -> aclError {
    let current = attempt!(current(call));
    attempt!(graph::none_captured(call, &current));
    let streams = current.context.streams();
    // Tasks that are submitted during the wait are not waited for.
    let marks = list_of(streams.iter().map(|stream| stream.submitted()));
    for (stream, mark) in streams.iter().zip(marks) {
        if !submit::is_synchronised(stream) {
            continue;
        }
        attempt!(submit::not_inside(call, stream));
        match submit::drive_to(call, stream, mark, deadline) {
            Ok(Ok(())) => {}
            Ok(Err(TimedOut)) => return submit::timed_out(call),
            Err(code) => return submit::told(stream, code),
        }
        check::note(&|checker| checker.synchronised(stream.slot(), mark));
    }
    streams.iter().fold(ACL_SUCCESS, |first, stream| {
        let code = submit::outcome(call, stream);
        if first == ACL_SUCCESS { code } else { first }
    })
}

pub(crate) unsafe extern "C" fn aclrtGetDeviceInfo(
    deviceId: u32,
    attr: aclrtDevAttr,
    value: *mut i64,
) -> aclError {
    let call = "aclrtGetDeviceInfo";
    attempt!(not_null(call, "value", value));
    let refused = |what: fmt::Arguments<'_>| invalid_below(call, what);
    let devices = engine().devices.len();
    if deviceId as usize >= devices {
        return refused(format_args!(
            "there is no device {deviceId}; this process has {devices}, numbered from 0"
        ));
    }
    let answer = match attr {
        ACL_DEV_ATTR_AICORE_CORE_NUM | ACL_DEV_ATTR_CUBE_CORE_NUM => CUBE_CORES,
        ACL_DEV_ATTR_VECTOR_CORE_NUM => VECTOR_CORES,
        ACL_DEV_ATTR_AICPU_CORE_NUM => AICPU_CORES,
        ACL_DEV_ATTR_L2_CACHE_SIZE => L2_BYTES,
        ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE => space()
            .device(deviceId)
            .map_or(0, |heap| heap.info().1 as i64),
        ACL_DEV_ATTR_PHY_CHIP_ID => i64::from(deviceId),
        ACL_DEV_ATTR_IS_VIRTUAL => 0,
        aclrtDevAttr(202..=212 | 401..=409 | 601) => {
            return fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!("{call} failed: the emulator does not model {attr:?}"),
            );
        }
        _ => return refused(format_args!("attr {attr:?} names no attribute")),
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(answer) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclGetDeviceCapability(
    deviceId: u32,
    deviceInfo: aclDeviceInfo,
    value: *mut i64,
) -> aclError {
    let call = "aclGetDeviceCapability";
    attempt!(not_null(call, "value", value));
    let answer = match deviceInfo {
        ACL_DEVICE_INFO_AI_CORE_NUM => CUBE_CORES,
        ACL_DEVICE_INFO_VECTOR_CORE_NUM => VECTOR_CORES,
        ACL_DEVICE_INFO_L2_SIZE => L2_BYTES,
        _ => {
            return invalid(
                call,
                format_args!("deviceInfo {deviceInfo:?} names no capability"),
            );
        }
    };
    if deviceId as usize >= engine().devices.len() {
        return unknown(call, i64::from(deviceId));
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(answer) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtDeviceGetStreamPriorityRange(
    leastPriority: *mut i32,
    greatestPriority: *mut i32,
) -> aclError {
    let call = "aclrtDeviceGetStreamPriorityRange";
    if leastPriority.is_null() || greatestPriority.is_null() {
        return null(call, "leastPriority or greatestPriority");
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { leastPriority.write(7) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { greatestPriority.write(0) };
    ACL_SUCCESS
}
