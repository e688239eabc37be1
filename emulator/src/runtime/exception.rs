//! The hook for failed tasks (`acl/acl_rt.h`).
//!
//! `engine/failed.rs` calls the hook and passes the information about the failed task.

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtExceptionInfo, aclrtExceptionInfoCallback};

use crate::engine::failed;
use crate::error::null_below;

pub(crate) unsafe extern "C" fn aclrtSetExceptionInfoCallback(
    callback: aclrtExceptionInfoCallback,
) -> aclError {
    failed::set_callback(callback);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtExceptionInfoCallbackRegister(
    callback: aclrtExceptionInfoCallback,
) -> aclError {
    change(
        "aclrtExceptionInfoCallbackRegister",
        callback,
        failed::add_callback,
    )
}

pub(crate) unsafe extern "C" fn aclrtExceptionInfoCallbackUnregister(
    callback: aclrtExceptionInfoCallback,
) -> aclError {
    change(
        "aclrtExceptionInfoCallbackUnregister",
        callback,
        failed::remove_callback,
    )
}

fn change<F>(call: &str, callback: Option<F>, change: impl FnOnce(F)) -> aclError {
    match callback {
        Some(callback) => {
            change(callback);
            ACL_SUCCESS
        }
        None => null_below(call, "callback"),
    }
}

/// Defines the functions that read the fields of a failure.
macro_rules! getters {
    ($( $name:ident $field:ident; )*) => { $(
        pub(crate) unsafe extern "C" fn $name(info: *const aclrtExceptionInfo) -> u32 {
            failed::told(info).map_or(failed::UNKNOWN, |failure| failure.$field)
        }
    )* };
}

getters! {
    aclrtGetTaskIdFromExceptionInfo task;
    aclrtGetStreamIdFromExceptionInfo stream;
    aclrtGetDeviceIdFromExceptionInfo device;
    aclrtGetErrorCodeFromExceptionInfo code;
}
