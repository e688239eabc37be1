//! Registering host memory for devices (`acl/acl_rt.h`).
//!
//! The device's address of a range is the host's own. A registered range is a block of no heap: queued tasks
//! pin it as they do with any other, so that the program has its memory to itself again once it is
//! unregistered. What is freed without that is the program's mistake, as with a card.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_PARAM_INVALID,
    ACL_HOST_REGISTER_IOMEMORY, ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_READONLY, ACL_SUCCESS,
    aclError, aclrtHostRegisterType,
};

use crate::check;
use crate::context::{current, null};
use crate::error::fail;
use crate::heap::{adopt, disown};
use crate::state::state;

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
    let mut ranges = state().space.registered();
    // The last range that begins before the end of this one is the only one that can reach into it.
    let before = ranges.below(end);
    if before.is_some_and(|(start, range)| start + range.size > ptr.addr()) {
        return fail(
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
            format_args!(
                "{call} failed: memory at {ptr:p} is registered already; unregister it first"
            ),
        );
    }
    // Tasks get to it by its address.
    let start = ptr.expose_provenance();
    let Some(range) = adopt(state().space.blocks(), start, size as usize) else {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!("{call} failed: there are too many allocations; free some"),
        );
    };
    ranges.insert(start, range);
    drop(ranges);
    if is_the_programs(start) {
        check::tell(call, |checker, site| {
            checker.allocate(start, size as usize, range.kind, site);
        });
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { devPtr.write(ptr) };
    ACL_SUCCESS
}

/// Whether memory is the program's own, and not some of `aclrtMallocHost`, which the checker knows already.
fn is_the_programs(address: usize) -> bool {
    state().space.heap(address).is_none()
}

pub(crate) unsafe extern "C" fn aclrtHostUnregister(ptr: *mut c_void) -> aclError {
    let call = "aclrtHostUnregister";
    if ptr.is_null() {
        return null(call, "ptr");
    }
    if let Err(code) = current(call) {
        return code;
    }
    // Not in the condition: the end of a range waits for tasks.
    let range = state().space.registered().remove(ptr.addr());
    match range {
        Some(range) => {
            if is_the_programs(range.start) {
                check::tell(call, |checker, site| checker.free(range.start, &site));
            }
            disown(state().space.blocks(), &range);
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
