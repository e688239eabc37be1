//! Registering host memory for devices (`acl/acl_rt.h`).
//!
//! The device address of a registered range is its host address. A registered range is a block that belongs to no
//! heap. Queued tasks pin it like any other block, so unregistering waits for them. To free the memory without
//! unregistering it is a mistake of the program, as on a card.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_HOST_REG_IOMEMORY,
    ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED, ACL_HOST_REG_READONLY, ACL_HOST_REGISTER_IOMEMORY,
    ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_READONLY, ACL_SUCCESS, aclError,
    aclrtHostRegisterType,
};

use crate::check;
use crate::engine::current::current;
use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::space::heap::{adopt, disown};
use crate::space::{ordinary, space};

/// The alignment that the manual of `aclrtHostRegister` asks for. It says nothing of `aclrtHostRegisterV2`. The code is an
/// assumption: the production runtime was seen above a driver that does not ask for it.
const PAGE: usize = 4096;

pub(crate) unsafe extern "C" fn aclrtHostRegister(
    ptr: *mut c_void,
    size: u64,
    type_: aclrtHostRegisterType,
    devPtr: *mut *mut c_void,
) -> aclError {
    let call = "aclrtHostRegister";
    if ptr.is_null() || devPtr.is_null() {
        return null(call, "ptr or devPtr");
    }
    let end = ptr.addr().checked_add(size as usize);
    let (Some(end), 1..) = (end, size) else {
        return empty(call, size);
    };
    let kinds = [
        ACL_HOST_REGISTER_MAPPED,
        ACL_HOST_REGISTER_IOMEMORY,
        ACL_HOST_REGISTER_READONLY,
    ];
    if !kinds.contains(&type_) {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!("{call} failed: type is {type_:?}; pass one of {kinds:?}"),
        );
    }
    let code = register(call, ptr, size, end, PAGE);
    if code == ACL_SUCCESS {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { devPtr.write(ptr) };
    }
    code
}

/// Registers memory for some uses. The emulator only has the use by the device.
pub(crate) unsafe extern "C" fn aclrtHostRegisterV2(
    ptr: *mut c_void,
    size: u64,
    flag: u32,
) -> aclError {
    let call = "aclrtHostRegisterV2";
    attempt!(not_null(call, "ptr", ptr));
    let end = ptr.addr().checked_add(size as usize);
    let (Some(end), 1..) = (end, size) else {
        return empty(call, size);
    };
    let all =
        ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
    if flag == 0 || flag & !all != 0 {
        return invalid_below(
            call,
            format_args!("flag is {flag:#x}; combine the ACL_HOST_REG_*"),
        );
    }
    register(call, ptr, size, end, 1)
}

/// Writes the device address of registered memory, which is its host address. An assumption: memory that was
/// registered with any flag has a device address.
pub(crate) unsafe extern "C" fn aclrtHostGetDevicePointer(
    pHost: *mut c_void,
    pDevice: *mut *mut c_void,
    flag: u32,
) -> aclError {
    let call = "aclrtHostGetDevicePointer";
    if pHost.is_null() || pDevice.is_null() {
        return null(call, "pHost or pDevice");
    }
    if flag != 0 {
        return invalid(
            call,
            format_args!("flag is {flag:#x}; it is reserved, pass 0"),
        );
    }
    attempt!(current(call));
    let ranges = space().registered();
    let before = ranges.below(pHost.addr().saturating_add(1));
    if before.is_none_or(|(start, range)| pHost.addr() >= start + range.size) {
        return fail(
            ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
            format_args!("{call} failed: {pHost:p} is not registered; call aclrtHostRegisterV2"),
        );
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { pDevice.write(pHost) };
    ACL_SUCCESS
}

#[cold]
fn empty(call: &str, size: u64) -> aclError {
    invalid(
        call,
        format_args!(
            "size is {size}; register at least one byte, and none behind the end of the \
             addresses"
        ),
    )
}

/// Registers a range that ends at `end`, and begins at a multiple of `alignment`.
fn register(call: &str, ptr: *mut c_void, size: u64, end: usize, alignment: usize) -> aclError {
    attempt!(current(call));
    // Queued tasks access the range by its address.
    let reaches_device = space().is_device(ptr.addr()) || space().is_device(end - 1);
    if reaches_device || !ordinary::is_all_there(ptr.addr(), size as usize) {
        return invalid_below(
            call,
            format_args!("{ptr:p} is no host memory of {size} bytes; check the pointer"),
        );
    }
    let mut ranges = space().registered();
    // Only the last range that begins before the end of this one can overlap it.
    let before = ranges.below(end);
    if before.is_some_and(|(start, range)| start + range.size > ptr.addr()) {
        return fail(
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
            format_args!(
                "{call} failed: memory at {ptr:p} is registered already; unregister it first"
            ),
        );
    }
    // Last, as the driver is asked behind the checks of the runtime.
    if !ptr.addr().is_multiple_of(alignment) {
        return invalid_below(
            call,
            format_args!(
                "{ptr:p} is no multiple of {alignment}, and a card registers whole pages; allocate \
                 with posix_memalign or mmap"
            ),
        );
    }
    // Tasks access the range by its address.
    let start = ptr.expose_provenance();
    let Some(range) = adopt(space().blocks(), start, size as usize) else {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!("{call} failed: there are too many allocations; free some"),
        );
    };
    ranges.insert(start, range);
    drop(ranges);
    if is_the_programs(start) {
        check::tell(call, &|checker, site| {
            checker.allocate(start, size as usize, range.kind, site);
        });
    }
    ACL_SUCCESS
}

/// Returns whether memory belongs to the program. The checker already knows memory of `aclrtMallocHost`.
fn is_the_programs(address: usize) -> bool {
    space().heap(address).is_none()
}

pub(crate) unsafe extern "C" fn aclrtHostUnregister(ptr: *mut c_void) -> aclError {
    let call = "aclrtHostUnregister";
    attempt!(not_null(call, "ptr", ptr));
    attempt!(current(call));
    // This is not in the `match` expression, which would hold the lock while the end of the range waits for tasks.
    let range = space().registered().remove(ptr.addr());
    match range {
        Some(range) => {
            if is_the_programs(range.start) {
                check::tell(call, &|checker, site| checker.free(range.start, &site));
            }
            disown(space().blocks(), &range);
            ACL_SUCCESS
        }
        None => fail(
            ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
            format_args!(
                "{call} failed: {ptr:p} is not registered, or not the start of what was; pass what \
                 aclrtHostRegister was given, once"
            ),
        ),
    }
}
