//! The overflow check of a stream (`acl/acl_rt.h`).
//!
//! The emulator only stores the switch and returns it. Its operators never set the overflow status.

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtStream};

use crate::engine::submit::{Target, find, own};
use crate::handles::side_table::SideTable;
use crate::object_calls::{attempt, invalid_below, not_null};

/// Whether the check is on. It is off for a new stream.
static SWITCHES: SideTable<u32> = SideTable::new();

pub(crate) unsafe extern "C" fn aclrtSetStreamOverflowSwitch(
    stream: aclrtStream,
    flag: u32,
) -> aclError {
    let call = "aclrtSetStreamOverflowSwitch";
    if flag > 1 {
        return invalid_below(
            call,
            format_args!("flag is {flag}; pass 0 for off or 1 for on"),
        );
    }
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    SWITCHES.change(target.key(), |switch| *switch = flag);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetStreamOverflowSwitch(
    stream: aclrtStream,
    flag: *mut u32,
) -> aclError {
    let call = "aclrtGetStreamOverflowSwitch";
    attempt!(not_null(call, "flag", flag));
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { flag.write(switch(target)) };
    ACL_SUCCESS
}

/// Returns the switch of a stream.
pub(super) fn switch(stream: Target) -> u32 {
    SWITCHES.get(stream.key()).unwrap_or_default()
}
