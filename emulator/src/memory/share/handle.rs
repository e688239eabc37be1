//! Physical memory that processes share, through handles that a program can send to another process (`acl/acl_rt.h`).
//!
//! Both generations of the functions use the same numbers. Handles for other servers need a fabric, which the
//! emulator does not have. A process imports a handle once at a time, as the manual says; the code of the refusal is assumed.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_HBM_MEM_HUGE, ACL_MEM_HANDLE_TYPE_NONE,
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
    ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, ACL_SUCCESS, aclError, aclrtDrvMemHandle,
    aclrtMemHandleType, aclrtMemSharedHandleType,
};

use crate::engine::current::current;
use crate::engine::device;
use crate::error::{fail, null};
use crate::memory::virtual_memory;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::ordered::{Numbers, Ordered};
use crate::space::heap::Maker;
use crate::space::share::{self, Share, refused};
use crate::space::space;
use crate::sync::{Mutex, lock};

use super::{Import, REMEDY, allow, denied, import, offer, on_the_host};

/// The physical memory that this process offers, by its handle.
static OFFERED: Mutex<Ordered<Share>> = Mutex::new(Ordered::new());

/// The shares that this process has imported: the number of each to the handle of its memory here, or to 0 while the import runs.
/// No other lock is taken under this one.
static IMPORTED: Mutex<Numbers> = Mutex::new(Numbers::new());

/// Ends the offer or the import of physical memory that was freed.
pub(crate) fn forget(handle: usize) {
    lock(&OFFERED).remove(handle);
    let mut imported = lock(&IMPORTED);
    let number = imported.iter().find(|(_, imported)| **imported == handle);
    if let Some(number) = number.map(|(number, _)| *number) {
        imported.remove(&number);
    }
}

/// Checks the type of a handle, which selects the servers that it is for.
fn check_type(call: &str, shareType: aclrtMemSharedHandleType) -> Result<(), aclError> {
    match shareType {
        ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT => Ok(()),
        ACL_MEM_SHARE_HANDLE_TYPE_FABRIC => Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: the emulator is no part of a fabric of servers; share memory within one, \
                 with ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT"
            ),
        )),
        other => Err(invalid_below(
            call,
            format_args!("shareType is {other:?}; pass ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT"),
        )),
    }
}

/// Checks the kind of handle of the first generation.
fn check_kind(call: &str, handleType: aclrtMemHandleType) -> Result<(), aclError> {
    if handleType == ACL_MEM_HANDLE_TYPE_NONE {
        return Ok(());
    }
    Err(invalid(
        call,
        format_args!("handleType is {handleType:?}; pass ACL_MEM_HANDLE_TYPE_NONE"),
    ))
}

pub(crate) unsafe extern "C" fn aclrtMemExportToShareableHandleV2(
    handle: aclrtDrvMemHandle,
    flags: u64,
    shareType: aclrtMemSharedHandleType,
    shareableHandle: *mut c_void,
) -> aclError {
    let call = "aclrtMemExportToShareableHandleV2";
    if handle.is_null() || shareableHandle.is_null() {
        return null(call, "handle or shareableHandle");
    }
    let number = check_type(call, shareType).and_then(|()| export(call, handle.addr(), flags));
    // SAFETY: not null; the caller's contract: a `u64` for this type of handles.
    unsafe { hand_out(number, shareableHandle.cast()) }
}

pub(crate) unsafe extern "C" fn aclrtMemExportToShareableHandle(
    handle: aclrtDrvMemHandle,
    handleType: aclrtMemHandleType,
    flags: u64,
    shareableHandle: *mut u64,
) -> aclError {
    let call = "aclrtMemExportToShareableHandle";
    if handle.is_null() || shareableHandle.is_null() {
        return null(call, "handle or shareableHandle");
    }
    let number = check_kind(call, handleType).and_then(|()| export(call, handle.addr(), flags));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { hand_out(number, shareableHandle) }
}

/// # Safety
///
/// - `to` is valid for a write; it may be unaligned.
unsafe fn hand_out(number: Result<u64, aclError>, to: *mut u64) -> aclError {
    let number = attempt!(number);
    // SAFETY: the caller's contract.
    unsafe { to.write_unaligned(number) };
    ACL_SUCCESS
}

fn export(call: &str, handle: usize, flags: u64) -> Result<u64, aclError> {
    if flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION {
        return Err(invalid_below(
            call,
            format_args!("flags is {flags:#x}; pass 0 or 1"),
        ));
    }
    on_the_host(call)?;
    // The lock is taken only later: a thread that frees the memory takes both locks in the other order.
    let (heap, memory, size) = virtual_memory::own(call, handle)?;
    let mut offered = lock(&OFFERED);
    if offered.get(handle).is_some() {
        return Err(refused(
            call,
            format_args!("{handle:#x} is exported already; send the same number to all processes"),
        ));
    }
    let share = offer(call, heap, &memory, size, flags != 0)?;
    let number = share.number();
    offered.insert(handle, share);
    drop(offered);
    // Another thread may have freed the memory meanwhile, before the offer was in the list.
    if !memory.is_alive() {
        forget(handle);
    }
    Ok(number)
}

pub(crate) unsafe extern "C" fn aclrtMemSetPidToShareableHandleV2(
    shareableHandle: *mut c_void,
    shareType: aclrtMemSharedHandleType,
    pid: *mut i32,
    pidNum: usize,
) -> aclError {
    let call = "aclrtMemSetPidToShareableHandleV2";
    if shareableHandle.is_null() || pid.is_null() {
        return null(call, "shareableHandle or pid");
    }
    if pidNum == 0 {
        return nobody(call);
    }
    attempt!(check_type(call, shareType));
    // SAFETY: not null; the caller's contract: a `u64` for this type of handles.
    let number = unsafe { shareableHandle.cast::<u64>().read_unaligned() };
    // SAFETY: not null; the caller's contract: `pidNum` process ids.
    unsafe { set_processes(call, number, pid, pidNum) }
}

pub(crate) unsafe extern "C" fn aclrtMemSetPidToShareableHandle(
    shareableHandle: u64,
    pid: *mut i32,
    pidNum: usize,
) -> aclError {
    let call = "aclrtMemSetPidToShareableHandle";
    attempt!(not_null(call, "pid", pid));
    if pidNum == 0 {
        return nobody(call);
    }
    // SAFETY: not null; the caller's contract: `pidNum` process ids.
    unsafe { set_processes(call, shareableHandle, pid, pidNum) }
}

#[cold]
fn nobody(call: &str) -> aclError {
    invalid(call, format_args!("pidNum is 0; pass at least one process"))
}

/// # Safety
///
/// - `num` process ids at `pid` are valid for reads.
unsafe fn set_processes(call: &str, number: u64, pid: *const i32, num: usize) -> aclError {
    // SAFETY: the caller's contract.
    let processes = unsafe { share::processes(call, pid, num, REMEDY) };
    let allowed = processes.and_then(|processes| {
        let mut offered = lock(&OFFERED);
        let share = offered.values_mut().find(|share| share.number() == number);
        let share = share.ok_or_else(|| {
            refused(
                call,
                format_args!("{number:#x} is no shareable handle of this process"),
            )
        })?;
        allow(call, share, processes)
    });
    allowed.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtMemImportFromShareableHandleV2(
    shareableHandle: *mut c_void,
    shareType: aclrtMemSharedHandleType,
    flags: u64,
    handle: *mut aclrtDrvMemHandle,
) -> aclError {
    let call = "aclrtMemImportFromShareableHandleV2";
    if shareableHandle.is_null() || handle.is_null() {
        return null(call, "shareableHandle or handle");
    }
    attempt!(check_type(call, shareType));
    if flags != 0 {
        return invalid(
            call,
            format_args!("flags is {flags:#x}; it is reserved, pass 0"),
        );
    }
    let device = match current(call) {
        Ok(current) => current.device(),
        Err(code) => return code,
    };
    // SAFETY: not null; the caller's contract: a `u64` for this type of handles.
    let number = unsafe { shareableHandle.cast::<u64>().read_unaligned() };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { adopt(call, number, device, handle) }
}

pub(crate) unsafe extern "C" fn aclrtMemImportFromShareableHandle(
    shareableHandle: u64,
    deviceId: i32,
    handle: *mut aclrtDrvMemHandle,
) -> aclError {
    let call = "aclrtMemImportFromShareableHandle";
    attempt!(not_null(call, "handle", handle));
    let device = u32::try_from(deviceId).ok();
    let Some(device) = device.filter(|device| space().device(*device).is_some()) else {
        return device::unknown(call, deviceId.into());
    };
    attempt!(current(call));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { adopt(call, shareableHandle, device, handle) }
}

/// # Safety
///
/// - `handle` is valid for a write.
unsafe fn adopt(call: &str, number: u64, device: u32, handle: *mut aclrtDrvMemHandle) -> aclError {
    attempt!(on_the_host(call));
    // CAST: a name of the share.
    let name = number as usize;
    let mut imported = lock(&IMPORTED);
    if imported.contains_key(&name) {
        return refused(
            call,
            format_args!("{number:#x} is imported already; free that handle first"),
        );
    }
    imported.insert(name, 0);
    drop(imported);
    let adopted = share::find(number)
        .map_err(|why| denied(call, "the memory of the handle", why))
        .and_then(|(page, pages)| {
            let Import { heap, memory } = import(call, device, Maker::Physical, &page, &pages)?;
            let attribute = ACL_HBM_MEM_HUGE;
            Ok(virtual_memory::register(heap, memory, page.len, attribute))
        });
    let mut imported = lock(&IMPORTED);
    match &adopted {
        Ok(handle) => imported.insert(name, handle.addr()),
        Err(_) => imported.remove(&name),
    };
    drop(imported);
    let number = attempt!(adopted);
    // SAFETY: the caller's contract.
    unsafe { handle.write(number) };
    ACL_SUCCESS
}
