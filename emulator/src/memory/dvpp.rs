//! Memory of both generations of the media engine.
//!
//! It is device memory that each generation frees with its own function: neither `aclrtFree` nor the other
//! generation's function frees it.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_MEM_MALLOC_HUGE_FIRST, aclError, aclrtMallocConfig, aclrtMemMallocPolicy, hi_u64,
};

use super::{allocate, release};
use crate::space::heap::Maker;

/// The bytes that the first generation adds.
const PAD: usize = 32;

pub(crate) unsafe extern "C" fn acldvppMalloc(devPtr: *mut *mut c_void, size: usize) -> aclError {
    let (call, policy) = ("acldvppMalloc", ACL_MEM_MALLOC_HUGE_FIRST);
    // SAFETY: the same contract.
    unsafe { allocate(call, devPtr, size, PAD, policy, Maker::Dvpp1) }
}

pub(crate) unsafe extern "C" fn acldvppMallocWithCfg(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
    _cfg: *mut aclrtMallocConfig,
) -> aclError {
    // SAFETY: the same contract.
    unsafe {
        allocate(
            "acldvppMallocWithCfg",
            devPtr,
            size,
            PAD,
            policy,
            Maker::Dvpp1,
        )
    }
}

pub(crate) unsafe extern "C" fn acldvppFree(devPtr: *mut c_void) -> aclError {
    release("acldvppFree", devPtr, |kind| kind == Maker::Dvpp1)
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_malloc(
    _dev_id: u32,
    dev_ptr: *mut *mut c_void,
    size: hi_u64,
) -> i32 {
    // The device id is reserved; the memory belongs to the current device.
    let (call, policy) = ("hi_mpi_dvpp_malloc", ACL_MEM_MALLOC_HUGE_FIRST);
    // SAFETY: the same contract.
    unsafe { allocate(call, dev_ptr, size as usize, 0, policy, Maker::Dvpp2) }
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_free(dev_ptr: *mut c_void) -> i32 {
    release("hi_mpi_dvpp_free", dev_ptr, |kind| kind == Maker::Dvpp2)
}
