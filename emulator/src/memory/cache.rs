//! The cache of device memory (`acl/acl_rt.h`).
//!
//! The emulator has no cache, so there is nothing to write back and nothing to forget. The runtime checks no more
//! than these functions do (observed, CANN runtime 1.17): it does not look at the address.

use std::ffi::c_void;

use ascendcl_sys::{ACL_ERROR_INVALID_PARAM, ACL_SUCCESS, aclError};

use crate::engine::current::current;
use crate::error::{fail, null};

pub(crate) unsafe extern "C" fn aclrtMemFlush(devPtr: *mut c_void, size: usize) -> aclError {
    checked("aclrtMemFlush", devPtr, size)
}

pub(crate) unsafe extern "C" fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) -> aclError {
    checked("aclrtMemInvalidate", devPtr, size)
}

fn checked(call: &str, pointer: *mut c_void, size: usize) -> aclError {
    if pointer.is_null() {
        return null(call, "devPtr");
    }
    if size == 0 {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!("{call} failed: size is 0; pass at least one byte"),
        );
    }
    current(call).err().unwrap_or(ACL_SUCCESS)
}
