//! The application log (`acl/acl_base_rt.h`).
//!
//! `aclAppLog` takes arguments like `printf`, which no function in Rust can be written to take. It
//! stands apart from the lists, and is called with a ready message.

use core::ffi::c_char;

use crate::types::aclLogLevel;

/// `aclAppLog` as C declares it.
pub type AppLog = unsafe extern "C" fn(
    logLevel: aclLogLevel,
    func: *const c_char,
    file: *const c_char,
    line: u32,
    fmt: *const c_char,
    ...
);

/// The functions of the application log.
#[derive(Debug, Clone, Copy)]
pub struct LogTable {
    /// Writes a line to the log of the runtime; `None` where the backend has none.
    pub aclAppLog: Option<AppLog>,
}

impl LogTable {
    /// A table without the function.
    pub const ABSENT: LogTable = LogTable { aclAppLog: None };

    #[cfg(feature = "linked")]
    pub(crate) const fn linked() -> LogTable {
        LogTable {
            aclAppLog: Some(linked::aclAppLog),
        }
    }

    #[cfg(feature = "dispatch")]
    pub(crate) fn install(&self) {
        let address = self
            .aclAppLog
            .map_or(core::ptr::null_mut(), |function| function as *mut _);
        SLOT.store(address, core::sync::atomic::Ordering::Release);
    }

    /// The name of the function, if this table lacks it.
    pub fn missing(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.aclAppLog.is_none().then_some("aclAppLog").into_iter()
    }
}

#[cfg(feature = "linked")]
mod linked {
    use super::{aclLogLevel, c_char};
    unsafe extern "C" {
        pub(super) unsafe fn aclAppLog(
            logLevel: aclLogLevel,
            func: *const c_char,
            file: *const c_char,
            line: u32,
            fmt: *const c_char,
            ...
        );
    }
}

#[cfg(feature = "dispatch")]
static SLOT: core::sync::atomic::AtomicPtr<core::ffi::c_void> =
    core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());

/// The function that calls go to.
fn current() -> Option<AppLog> {
    #[cfg(feature = "dispatch")]
    {
        let address = SLOT.load(core::sync::atomic::Ordering::Relaxed);
        // SAFETY: the slot holds null, which is `None`, or what `install` stored: an `AppLog`.
        unsafe { core::mem::transmute::<*mut core::ffi::c_void, Option<AppLog>>(address) }
    }
    #[cfg(all(feature = "linked", not(feature = "dispatch")))]
    return Some(linked::aclAppLog);
    #[cfg(not(any(feature = "linked", feature = "dispatch")))]
    return None;
}

/// Writes `message` to the log of the runtime, as it stands: it is no format.
///
/// Without a backend that has the function nothing is written, and
/// [`absent::take`](crate::absent::take) names it.
///
/// # Safety
///
/// The three strings are NUL-terminated.
pub unsafe fn aclAppLog(
    logLevel: aclLogLevel,
    func: *const c_char,
    file: *const c_char,
    line: u32,
    message: *const c_char,
) {
    match current() {
        // SAFETY: the caller's contract; the format consumes exactly the one argument behind it.
        Some(function) => unsafe { function(logLevel, func, file, line, c"%s".as_ptr(), message) },
        None => crate::absent::value(&"aclAppLog"),
    }
}
