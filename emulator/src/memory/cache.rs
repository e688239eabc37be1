//! The cache of device memory (`acl/acl_rt.h`).
//!
//! The emulator has no cache, so there is nothing to write back and nothing to forget. The runtime checks no more
//! than these functions do (observed, CANN runtime 1.17): it does not look at the address.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID, ACL_RT_CMO_TYPE_FLUSH,
    ACL_RT_CMO_TYPE_INVALID, ACL_RT_CMO_TYPE_PREFETCH, ACL_RT_CMO_TYPE_WRITEBACK, ACL_SUCCESS,
    aclError, aclrtCmoType, aclrtStream,
};

use crate::engine::current::current;
use crate::engine::submit;
use crate::engine::task::Task;
use crate::object_calls::{attempt, invalid, not_null, refused};

pub(crate) unsafe extern "C" fn aclrtMemFlush(devPtr: *mut c_void, size: usize) -> aclError {
    checked("aclrtMemFlush", devPtr, size)
}

pub(crate) unsafe extern "C" fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) -> aclError {
    checked("aclrtMemInvalidate", devPtr, size)
}

/// Moves data between a cache and memory, in the order of the stream. There is no cache, so the task does nothing.
pub(crate) unsafe extern "C" fn aclrtCmoAsync(
    src: *mut c_void,
    size: usize,
    cmoType: aclrtCmoType,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtCmoAsync";
    attempt!(not_null(call, "src", src));
    if size == 0 {
        return invalid(call, format_args!("size is 0; pass at least one byte"));
    }
    let queued = submit::find(call, stream).and_then(|found| {
        match cmoType {
            ACL_RT_CMO_TYPE_PREFETCH | ACL_RT_CMO_TYPE_WRITEBACK => {}
            ACL_RT_CMO_TYPE_INVALID | ACL_RT_CMO_TYPE_FLUSH => {
                return Err(refused(
                    call,
                    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    format_args!("these products have no {cmoType:?} in a stream"),
                ));
            }
            _ => {
                return Err(refused(
                    call,
                    ACL_ERROR_RT_PARAM_INVALID,
                    format_args!("cmoType {cmoType:?} is none; pass 0 or 1"),
                ));
            }
        }
        submit::own(call, found)
    });
    let target = attempt!(queued);
    submit::push(call, target, false, |_| Task::Nothing)
}

fn checked(call: &str, pointer: *mut c_void, size: usize) -> aclError {
    attempt!(not_null(call, "devPtr", pointer));
    if size == 0 {
        return invalid(call, format_args!("size is 0; pass at least one byte"));
    }
    current(call).err().unwrap_or(ACL_SUCCESS)
}
