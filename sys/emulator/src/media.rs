//! Memory of the media engine DVPP, both generations (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`).
//!
//! It is device memory with a free of its own: neither `aclrtFree` nor the other generation's takes it.

use std::ffi::c_void;

use ascendcl_sys::{ACL_ERROR_RT_CONTEXT_NULL, aclError};

use crate::device;
use crate::error::fail;
use crate::heap::Kind;
use crate::memory::{allocate, hand_out, padded, release};
use crate::state::state;

pub(crate) unsafe extern "C" fn acldvppMalloc(devPtr: *mut *mut c_void, size: usize) -> aclError {
    // SAFETY: the same contract.
    unsafe { allocate("acldvppMalloc", devPtr, size, 0, Kind::Dvpp1) }
}

pub(crate) unsafe extern "C" fn acldvppFree(devPtr: *mut c_void) -> aclError {
    release("acldvppFree", devPtr, |kind| kind == Kind::Dvpp1)
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_malloc(
    dev_id: u32,
    dev_ptr: *mut *mut c_void,
    size: u64,
) -> i32 {
    let call = "hi_mpi_dvpp_malloc";
    let padded = match padded(call, dev_ptr, size as usize, 0) {
        Ok(padded) => padded,
        Err(code) => return code,
    };
    let Some(device) = state().devices.get(dev_id as usize) else {
        return device::unknown(call, i64::from(dev_id));
    };
    if !device.is_open() {
        return fail(
            ACL_ERROR_RT_CONTEXT_NULL,
            format_args!("{call} failed: nobody has set device {dev_id}; call aclrtSetDevice"),
        );
    }
    let heap = state().space.device(dev_id);
    // SAFETY: not null (`padded` checked it); the caller's contract.
    unsafe { hand_out(call, dev_ptr, size as usize, padded, heap, Kind::Dvpp2) }
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_free(dev_ptr: *mut c_void) -> i32 {
    release("hi_mpi_dvpp_free", dev_ptr, |kind| kind == Kind::Dvpp2)
}
