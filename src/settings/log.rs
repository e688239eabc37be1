//! The application log of CANN (`acl/acl_base_rt.h`).

use std::ffi::CString;
use std::panic::Location;

use ascendcl_sys as sys;

use crate::runtime::Acl;

/// How important a line of the log is (`aclLogLevel`).
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::settings::LogLevel;
///
/// acl.app_log(LogLevel::Warning, "the input is empty");
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Details (`ACL_DEBUG`).
    Debug,
    /// What happens (`ACL_INFO`).
    Info,
    /// What may be a mistake (`ACL_WARNING`).
    Warning,
    /// What has failed (`ACL_ERROR`).
    Error,
}

impl Acl {
    /// Writes a line to the log of CANN, among the lines of the runtime (`aclAppLog`, macro `ACL_APP_LOG`), with the file and
    /// the line of the caller.
    ///
    /// `ASCEND_GLOBAL_LOG_LEVEL` says from which level on lines are written, and CANN reads it when its library is loaded.
    /// The message is no format, so `%` means itself. A backend without the log, such as the embedded emulator, writes
    /// nothing.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use ascendcl::settings::LogLevel;
    /// acl.app_log(LogLevel::Info, &format!("{}% done", 50));
    /// # });
    /// ```
    #[doc(alias = "aclAppLog")]
    #[doc(alias = "ACL_APP_LOG")]
    #[track_caller]
    pub fn app_log(&self, level: LogLevel, message: &str) {
        let level = match level {
            LogLevel::Debug => sys::ACL_DEBUG,
            LogLevel::Info => sys::ACL_INFO,
            LogLevel::Warning => sys::ACL_WARNING,
            LogLevel::Error => sys::ACL_ERROR,
        };
        let caller = Location::caller();
        let (file, message) = (c_text(caller.file()), c_text(message));
        // Rust does not tell the name of the calling function.
        let function = c"-".as_ptr();
        // SAFETY: three NUL-terminated strings, which live until the end of this function.
        unsafe {
            sys::aclAppLog(
                level,
                function,
                file.as_ptr(),
                caller.line(),
                message.as_ptr(),
            );
        }
        // A missing log is no error of a later call.
        let _ = sys::absent::take();
    }
}

/// A text for C, without zero bytes.
fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}
