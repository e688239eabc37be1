//! Registering host memory for devices (`acl/acl_rt.h`).
//!
//! The emulator keeps which ranges are registered and answers as the runtime does. The device's address
//! of a range is the host's own. Copies with registered memory return when they are done, as with any
//! host memory that AscendCL did not allocate: a card goes on behind the call.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;

use ascendcl_sys::{
    ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_HOST_REGISTER_IOMEMORY,
    ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_READONLY, ACL_SUCCESS, aclError,
    aclrtHostRegisterType,
};

use crate::context::{current, null};
use crate::error::fail;
use crate::sync::lock;

/// Registered ranges: first address to length.
static RANGES: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

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
    let end = ptr.addr().checked_add(size as usize).filter(|_| size > 0);
    let Some(end) = end else {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!("{call} failed: size is {size}; register at least one byte"),
        );
    };
    let kinds = [
        ACL_HOST_REGISTER_MAPPED,
        ACL_HOST_REGISTER_IOMEMORY,
        ACL_HOST_REGISTER_READONLY,
    ];
    if !kinds.contains(&type_) {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: type is {type_:?}; pass one of {kinds:?}"),
        );
    }
    if let Err(code) = current(call) {
        return code;
    }
    let mut ranges = lock(&RANGES);
    // The last range that begins before the end of this one is the only one that can reach into it.
    let before = ranges.range(..end).next_back();
    if before.is_some_and(|(start, len)| start + len > ptr.addr()) {
        return fail(
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
            format_args!(
                "{call} failed: memory at {ptr:p} is registered already; unregister it first"
            ),
        );
    }
    ranges.insert(ptr.addr(), size as usize);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { devPtr.write(ptr) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtHostUnregister(ptr: *mut c_void) -> aclError {
    let call = "aclrtHostUnregister";
    if ptr.is_null() {
        return null(call, "ptr");
    }
    if let Err(code) = current(call) {
        return code;
    }
    match lock(&RANGES).remove(&ptr.addr()) {
        Some(_) => ACL_SUCCESS,
        None => fail(
            ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
            format_args!(
                "{call} failed: {ptr:p} is not registered, or not the start of what was; pass what \
                 aclrtHostRegister was given, once"
            ),
        ),
    }
}
