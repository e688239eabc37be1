//! Hooks of the program for the states of devices (`acl/acl_rt.h`).
//!
//! The manual has the four states: before and after a call that sets or resets a device. Assumption: each such call
//! that succeeds counts, also the first use of the default device.

use std::ffi::{c_char, c_void};
use std::ptr;

use ascendcl_sys::{
    aclError, aclrtDeviceState, aclrtDeviceStateCallback, aclrtDeviceTaskAbortCallback,
    aclrtDeviceTaskAbortStage,
};

use crate::handles::named::Named;

type OnState = unsafe extern "C" fn(i32, aclrtDeviceState, *mut c_void);
type OnAbort = unsafe extern "C" fn(i32, aclrtDeviceTaskAbortStage, u32, *mut c_void) -> i32;

static ON_STATE: Named<OnState> = Named::new();
/// The hooks for aclrtDeviceTaskAbort, which the emulator does not have, so that they are only stored.
static ON_ABORT: Named<OnAbort> = Named::new();

pub(crate) unsafe extern "C" fn aclrtRegDeviceStateCallback(
    regName: *const c_char,
    callback: aclrtDeviceStateCallback,
    args: *mut c_void,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { ON_STATE.change("aclrtRegDeviceStateCallback", regName, callback, args) }
}

pub(crate) unsafe extern "C" fn aclrtSetDeviceTaskAbortCallback(
    regName: *const c_char,
    callback: aclrtDeviceTaskAbortCallback,
    args: *mut c_void,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { ON_ABORT.change("aclrtSetDeviceTaskAbortCallback", regName, callback, args) }
}

/// Reports the state of a device. The caller holds no lock.
pub(super) fn tell(device: i32, now: aclrtDeviceState) {
    for (function, args) in ON_STATE.all() {
        // SAFETY: the contract of aclrtRegDeviceStateCallback: function and argument are valid on any thread until the
        // registration ends.
        unsafe { function(device, now, ptr::with_exposed_provenance_mut(args)) };
    }
}
