//! The number of cores that work may use (`acl/acl_rt.h`): limits of a device, of a stream, of a thread.
//!
//! The emulator only stores the limits and returns them. They do not change the speed of its operators.

use std::cell::Cell;

use ascendcl_sys::{
    ACL_RT_DEV_RES_CUBE_CORE, ACL_RT_DEV_RES_VECTOR_CORE, ACL_SUCCESS, aclError,
    aclrtDevResLimitType, aclrtStream,
};

use crate::device::{CUBE_CORES, VECTOR_CORES};
use crate::engine::current::current;
use crate::engine::device;
use crate::engine::submit::{any, find};
use crate::handles::side_table::{Object, SideTable};
use crate::object_calls::{attempt, invalid_below, not_null};

/// The limits of cube and vector cores; `None` means all cores of the device.
type Limits = [Option<u32>; 2];

static OF_DEVICES: SideTable<Limits> = SideTable::new();
static OF_STREAMS: SideTable<Limits> = SideTable::new();

thread_local! {
    /// The stream whose limits the thread uses, if the thread has chosen one.
    static OF_THREAD: Cell<Option<Object>> = const { Cell::new(None) };
}

/// Returns the place of a kind of core in [`Limits`], and the number of such cores of a device.
fn kind(call: &str, kind: aclrtDevResLimitType) -> Result<(usize, u32), aclError> {
    match kind {
        ACL_RT_DEV_RES_CUBE_CORE => Ok((0, CUBE_CORES as u32)),
        ACL_RT_DEV_RES_VECTOR_CORE => Ok((1, VECTOR_CORES as u32)),
        _ => Err(invalid_below(
            call,
            format_args!("type {kind:?} names no kind of core"),
        )),
    }
}

/// Checks a limit, which is `least` or more, and returns the place of its kind of core.
fn limit(call: &str, of: aclrtDevResLimitType, value: u32, least: u32) -> Result<usize, aclError> {
    let (place, most) = kind(call, of)?;
    if (least..=most).contains(&value) {
        return Ok(place);
    }
    Err(invalid_below(
        call,
        format_args!("value is {value}; pass {least} to {most}, as many cores as a device has"),
    ))
}

/// Returns a device as the owner of limits, after checking that it exists.
fn known(call: &str, id: i32) -> Result<Object, aclError> {
    match device::find(id) {
        Some((index, _)) => Ok((index, 0)),
        None => Err(device::unknown(call, i64::from(id))),
    }
}

/// Returns a stream as the owner of limits.
fn key(call: &str, stream: aclrtStream) -> Result<Object, aclError> {
    let (target, _) = any(call, find(call, stream)?)?;
    Ok((target.index, target.generation))
}

fn code(result: Result<(), aclError>) -> aclError {
    result.err().unwrap_or(ACL_SUCCESS)
}

/// Writes the first limit that is set, or the number of all cores.
///
/// # Safety
///
/// - `out` is null or valid for a write.
unsafe fn write(
    call: &str,
    of: aclrtDevResLimitType,
    out: *mut u32,
    limits: &dyn Fn() -> Result<Vec<Option<Limits>>, aclError>,
) -> aclError {
    attempt!(not_null(call, "value", out));
    let found = kind(call, of).and_then(|(place, most)| {
        let mut limits = limits()?.into_iter();
        Ok(limits.find_map(|set| *set?.get(place)?).unwrap_or(most))
    });
    let value = attempt!(found);
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(value) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetDeviceResLimit(
    deviceId: i32,
    type_: aclrtDevResLimitType,
    value: *mut u32,
) -> aclError {
    let call = "aclrtGetDeviceResLimit";
    let limits = || Ok(vec![OF_DEVICES.get(known(call, deviceId)?)]);
    // SAFETY: the same contract.
    unsafe { write(call, type_, value, &limits) }
}

pub(crate) unsafe extern "C" fn aclrtSetDeviceResLimit(
    deviceId: i32,
    type_: aclrtDevResLimitType,
    value: u32,
) -> aclError {
    let call = "aclrtSetDeviceResLimit";
    code(known(call, deviceId).and_then(|id| {
        let place = limit(call, type_, value, 1)?;
        OF_DEVICES.change(id, |limits| set(limits, place, value));
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn aclrtResetDeviceResLimit(deviceId: i32) -> aclError {
    code(known("aclrtResetDeviceResLimit", deviceId).map(|id| {
        OF_DEVICES.remove(id);
    }))
}

pub(crate) unsafe extern "C" fn aclrtGetStreamResLimit(
    stream: aclrtStream,
    type_: aclrtDevResLimitType,
    value: *mut u32,
) -> aclError {
    let call = "aclrtGetStreamResLimit";
    let limits = || {
        let key = key(call, stream)?;
        Ok(vec![OF_STREAMS.get(key), of_current_device(call)?])
    };
    // SAFETY: the same contract.
    unsafe { write(call, type_, value, &limits) }
}

pub(crate) unsafe extern "C" fn aclrtSetStreamResLimit(
    stream: aclrtStream,
    type_: aclrtDevResLimitType,
    value: u32,
) -> aclError {
    let call = "aclrtSetStreamResLimit";
    code(key(call, stream).and_then(|key| {
        // A stream may have no core of a kind (observed).
        let place = limit(call, type_, value, 0)?;
        OF_STREAMS.change(key, |limits| set(limits, place, value));
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn aclrtResetStreamResLimit(stream: aclrtStream) -> aclError {
    code(key("aclrtResetStreamResLimit", stream).map(|key| {
        OF_STREAMS.remove(key);
    }))
}

pub(crate) unsafe extern "C" fn aclrtUseStreamResInCurrentThread(stream: aclrtStream) -> aclError {
    let key = key("aclrtUseStreamResInCurrentThread", stream);
    code(key.map(|key| OF_THREAD.set(Some(key))))
}

pub(crate) unsafe extern "C" fn aclrtUnuseStreamResInCurrentThread(
    stream: aclrtStream,
) -> aclError {
    let key = key("aclrtUnuseStreamResInCurrentThread", stream);
    code(key.map(|_| OF_THREAD.set(None)))
}

pub(crate) unsafe extern "C" fn aclrtGetResInCurrentThread(
    type_: aclrtDevResLimitType,
    value: *mut u32,
) -> aclError {
    let call = "aclrtGetResInCurrentThread";
    let limits = || {
        let of_device = of_current_device(call)?;
        let of_stream = OF_THREAD.get().and_then(|key| OF_STREAMS.get(key));
        Ok(vec![of_stream, of_device])
    };
    // SAFETY: the same contract.
    unsafe { write(call, type_, value, &limits) }
}

fn of_current_device(call: &str) -> Result<Option<Limits>, aclError> {
    let device = current(call)?.device();
    Ok(OF_DEVICES.get((device, 0)))
}

fn set(limits: &mut Limits, place: usize, value: u32) {
    if let Some(limit) = limits.get_mut(place) {
        *limit = Some(value);
    }
}
