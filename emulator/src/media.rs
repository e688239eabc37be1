//! Memory of the media engine DVPP, both generations (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`).
//!
//! It is device memory that each generation frees with its own function: neither `aclrtFree` nor the other
//! generation's function frees it.

use std::ffi::c_void;

use ascendcl_sys::{ACL_MEM_MALLOC_HUGE_FIRST, aclError};

use crate::memory::{allocate, release};
use crate::space::heap::Kind;

pub(crate) unsafe extern "C" fn acldvppMalloc(devPtr: *mut *mut c_void, size: usize) -> aclError {
    let (call, policy) = ("acldvppMalloc", ACL_MEM_MALLOC_HUGE_FIRST);
    // SAFETY: the same contract.
    unsafe { allocate(call, devPtr, size, 0, policy, Kind::Dvpp1) }
}

pub(crate) unsafe extern "C" fn acldvppFree(devPtr: *mut c_void) -> aclError {
    release("acldvppFree", devPtr, |kind| kind == Kind::Dvpp1)
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_malloc(
    _dev_id: u32,
    dev_ptr: *mut *mut c_void,
    size: u64,
) -> i32 {
    // The device id is reserved; the memory belongs to the current device.
    let (call, policy) = ("hi_mpi_dvpp_malloc", ACL_MEM_MALLOC_HUGE_FIRST);
    // SAFETY: the same contract.
    unsafe { allocate(call, dev_ptr, size as usize, 0, policy, Kind::Dvpp2) }
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_free(dev_ptr: *mut c_void) -> i32 {
    release("hi_mpi_dvpp_free", dev_ptr, |kind| kind == Kind::Dvpp2)
}
