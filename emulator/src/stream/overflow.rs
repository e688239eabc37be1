//! The overflow check of a stream (`acl/acl_rt.h`).
//!
//! The emulator only stores the switch and returns it. Its operators never set the overflow status.

use ascendcl_sys::{ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS, aclError, aclrtStream};

use crate::engine::submit::{Target, find, own};
use crate::error::{fail, null};
use crate::handles::beside::Beside;

/// Whether the check is on. It is off for a new stream.
static SWITCHES: Beside<u32> = Beside::new();

pub(crate) unsafe extern "C" fn aclrtSetStreamOverflowSwitch(
    stream: aclrtStream,
    flag: u32,
) -> aclError {
    let call = "aclrtSetStreamOverflowSwitch";
    if flag > 1 {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: flag is {flag}; pass 0 for off or 1 for on"),
        );
    }
    match find(call, stream).and_then(|found| own(call, found)) {
        Ok(target) => {
            SWITCHES.change(target.key(), |switch| *switch = flag);
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtGetStreamOverflowSwitch(
    stream: aclrtStream,
    flag: *mut u32,
) -> aclError {
    let call = "aclrtGetStreamOverflowSwitch";
    if flag.is_null() {
        return null(call, "flag");
    }
    match find(call, stream).and_then(|found| own(call, found)) {
        Ok(target) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { flag.write(switch(target)) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

/// Returns the switch of a stream.
pub(super) fn switch(stream: Target) -> u32 {
    SWITCHES.get(stream.key()).unwrap_or_default()
}
