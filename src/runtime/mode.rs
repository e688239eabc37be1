//! The run mode, remembered: it is the same for the whole process.

use std::sync::atomic::{AtomicU8, Ordering};

use ascendcl_sys as sys;

use crate::error::Result;
use crate::raw::check;

/// The run mode, once the runtime has answered.
static MODE: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const HOST: u8 = 1;
const DEVICE: u8 = 2;

/// Asks the runtime whether the program runs on a host.
pub(super) fn ask() -> Result<bool> {
    let mut mode = sys::ACL_HOST;
    // SAFETY: `mode` is valid for a write of the enumeration's integer.
    let code = unsafe { sys::aclrtGetRunMode(&raw mut mode) };
    check("aclrtGetRunMode", code)?;
    let is_host = mode != sys::ACL_DEVICE;
    // Relaxed: nothing else is published by it.
    MODE.store(if is_host { HOST } else { DEVICE }, Ordering::Relaxed);
    Ok(is_host)
}

/// Whether the program is known to run on a host. Asks the runtime until it has answered once.
pub(crate) fn is_host() -> Result<bool> {
    match MODE.load(Ordering::Relaxed) {
        UNKNOWN => ask(),
        mode => Ok(mode == HOST),
    }
}
