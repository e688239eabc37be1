//! Errors: the call that failed, its code, its device, the runtime's text, and a hint.
//!
//! There are three kinds, because a program reacts to each in another way. [`ErrorKind::Usage`] is a mistake of the
//! caller: this crate found it before it called the runtime. [`ErrorKind::Refused`] is a call that the runtime refused.
//! [`ErrorKind::Wait`] is a wait that failed: work that was queued earlier has failed, or the time was up.

mod backend;
#[cfg(feature = "collectives")]
mod collective;
mod hccl;
mod hint;
#[cfg(feature = "kernels")]
mod kernel;
#[cfg(feature = "media")]
mod media;
#[cfg(feature = "operators")]
mod misplaced;
mod mistake;
#[cfg(feature = "models")]
mod model;
mod recovery;
mod refusal;
#[cfg(feature = "operators")]
mod repeated;
#[cfg(feature = "serde")]
mod report;
mod text;
mod usage;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use ascendcl_sys as sys;

pub use backend::BackendError;
#[cfg(feature = "collectives")]
pub use collective::CollectiveMismatch;
#[cfg(feature = "kernels")]
pub use kernel::KernelMismatch;
#[cfg(feature = "media")]
pub use media::MediaMismatch;
#[cfg(feature = "operators")]
pub use misplaced::Misplaced;
#[cfg(feature = "models")]
pub use model::ModelMismatch;
pub use recovery::Recovery;
#[cfg(feature = "operators")]
pub use repeated::Repeated;
#[cfg(feature = "serde")]
pub use report::Report;
pub use usage::Usage;

/// The result of a fallible call of this crate.
///
/// ```
/// use ascendcl::{Acl, Npu, Result};
///
/// fn free_bytes(acl: &Acl) -> Result<usize> {
///     acl.on::<Npu<0>, _>(0, |current| Ok(current.mem_info(ascendcl::MemAttr::Hbm)?.free))
/// }
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The reason why a call failed. [`Error::kind`] distinguishes a mistake, a refusal and a failed wait.
///
/// `{}` prints one line. `{:#}` prints everything: the whole text of the runtime, or each place where CANN was searched.
/// `{:?}` prints the same line as `{}`, so that a `main` that returns the error prints a readable text. `{:#?}` prints
/// the fields.
///
/// With the feature `serde` a log stores it as `error::Report`, which is read back.
///
/// An `Error` is one word, so `Result<()>` is one word too, like the status code of C.
///
/// ```
/// use ascendcl::{Error, ErrorKind};
///
/// fn is_worth_another_try(error: &Error) -> bool {
///     match error.kind() {
///         ErrorKind::Refused(call) => call.code == ascendcl::sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
///         _ => false,
///     }
/// }
/// ```
#[derive(Clone)]
pub struct Error(Box<ErrorKind>);

/// The kinds of failure.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::error::Usage;
/// use ascendcl::{ErrorKind, Npu};
///
/// let Err(error) = acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(0)?.free()) else {
///     return Ok(());
/// };
/// match error.kind() {
///     ErrorKind::Usage(Usage::ZeroSize { .. }) => println!("a mistake of the program: {error}"),
///     ErrorKind::Usage(usage) => println!("another mistake: {usage}"),
///     ErrorKind::Refused(call) => println!("{} returned {}", call.call, call.code),
///     ErrorKind::Wait(call) => println!("queued work has failed with {}", call.code),
///     other => println!("{other}"),
/// }
/// # });
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A mistake of the caller, found before the runtime was called.
    Usage(Usage),
    /// The runtime refused the call; nothing was queued or allocated.
    Refused(CallError),
    /// A wait failed: queued work failed, or the time was up. The work may still run. A wait that the runtime refuses
    /// before it waits is [`ErrorKind::Refused`], and spoils nothing: while a stream is captured (107027), or on a thread
    /// without a context (107002).
    Wait(CallError),
    /// There is no backend, or another one than the program asked for is installed.
    Backend(BackendError),
}

impl Error {
    /// The kind of failure.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::{ErrorKind, Npu};
    ///
    /// if let Err(error) = acl.on::<Npu<0>, _>(99, |_| Ok(())) {
    ///     assert!(matches!(error.kind(), ErrorKind::Refused(_)));
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// The kind of failure, by value.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::{Error, ErrorKind, Npu};
    ///
    /// match acl.on::<Npu<0>, _>(99, |_| Ok(())).map_err(Error::into_kind) {
    ///     Err(ErrorKind::Refused(call)) => assert_eq!(call.call, "aclrtSetDevice"),
    ///     Err(other) => return Err(other.into()),
    ///     Ok(()) => println!("this machine has a hundred devices"),
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// The status code of the runtime, if it was the runtime that failed, also where another wait has received it.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu, sys};
    ///
    /// let acl = Acl::from_env()?;
    /// let refused = acl.on::<Npu<0>, ()>(99, |_| Ok(()));
    /// let code = refused.err().and_then(|error| error.code());
    /// assert_eq!(code, Some(sys::ACL_ERROR_RT_INVALID_DEVICEID));
    /// # } Ok(()) }
    /// ```
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        match self.kind() {
            ErrorKind::Refused(call) | ErrorKind::Wait(call) => Some(call.code),
            ErrorKind::Usage(usage) => usage.code(),
            ErrorKind::Backend(_) => None,
        }
    }

    /// Whether it is a wait that failed.
    pub(crate) fn is_wait(&self) -> bool {
        matches!(self.kind(), ErrorKind::Wait(_))
    }

    /// Whether the error says that queued work has failed or may have failed. The other errors are of one call.
    pub(crate) fn is_of_work(&self) -> bool {
        matches!(self.kind(), ErrorKind::Wait(_) | ErrorKind::Usage(_))
    }

    /// A refusal, with its text, device and hint.
    #[cold]
    #[inline(never)]
    pub(crate) fn refused(call: &'static str, code: sys::aclError) -> Error {
        CallError::here(call, code, ErrorKind::Refused)
    }

    /// A refusal of a call that takes the id of a device, which the error names. For an id that does not exist, the hint
    /// names the existing ids.
    #[cold]
    #[inline(never)]
    pub(crate) fn refused_device(call: &'static str, id: u32, code: sys::aclError) -> Error {
        let mut error = CallError::here(call, code, ErrorKind::Refused);
        if let ErrorKind::Refused(refusal) = &mut *error.0 {
            if code == sys::ACL_ERROR_RT_INVALID_DEVICEID {
                refusal.text = None;
                refusal.hint = Some(hint::no_device(id));
            } else {
                refusal.device = Some(id);
            }
        }
        error
    }

    /// A refusal of a call that takes a configuration file. The hint names the file, and its fault if one was found.
    #[cold]
    pub(crate) fn about_config(
        mut self,
        file: &Path,
        config: Result<sys::config::Config, sys::config::ConfigError>,
    ) -> Error {
        if let ErrorKind::Refused(refusal) = &mut *self.0 {
            let default = config.as_ref().map(|config| config.default_device);
            let hint = match default {
                Ok(Some(id)) if refusal.code == sys::ACL_ERROR_RT_INVALID_DEVICEID => {
                    Some(hint::no_device(id))
                }
                _ => refusal.hint.take(),
            };
            refusal.hint = Some(Cow::Owned(match (config, hint) {
                (Err(wrong), _) => wrong.to_string(),
                (Ok(_), Some(hint)) => format!("{}: {hint}", file.display()),
                (Ok(_), None) => format!("the file was {}", file.display()),
            }));
        }
        self
    }

    /// Adds the name of the object that a failed call or wait is about, in front of the hint.
    #[cold]
    pub(crate) fn about(mut self, object: &str) -> Error {
        if let ErrorKind::Refused(failed) | ErrorKind::Wait(failed) = &mut *self.0 {
            failed.hint = Some(Cow::Owned(match failed.hint.take() {
                Some(hint) => format!("{object}: {hint}"),
                None => object.to_owned(),
            }));
        }
        self
    }

    /// A failed wait, with its text, device and hint.
    #[cold]
    #[inline(never)]
    pub(crate) fn wait(call: &'static str, code: sys::aclError) -> Error {
        CallError::here(call, code, ErrorKind::Wait)
    }

    /// The error of a call that waits: a failed wait, or a refusal if the call was refused before it waited.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_wait(call: &'static str, code: sys::aclError) -> Error {
        if refusal::is(code) {
            Error::refused(call, code)
        } else {
            Error::wait(call, code)
        }
    }

    /// Whether the limit of a release was exceeded.
    pub(crate) fn is_late(&self) -> bool {
        matches!(self.kind(), ErrorKind::Usage(Usage::Late { .. }))
    }

    /// Whether the runtime says that the device does not answer any more.
    pub(crate) fn is_of_lost_device(&self) -> bool {
        matches!(self.kind(), ErrorKind::Refused(call) | ErrorKind::Wait(call) if call.code == sys::ACL_ERROR_RT_LOST_HEARTBEAT)
    }

    /// Whether a wait was refused because a stream is captured.
    pub(crate) fn is_of_capture(&self) -> bool {
        matches!(self.kind(), ErrorKind::Refused(call) if call.code == sys::ACL_ERROR_RT_STREAM_CAPTURED)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            fmt::Debug::fmt(self.kind(), f)
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.kind(), f)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Usage(usage) => fmt::Display::fmt(usage, f),
            ErrorKind::Refused(call) | ErrorKind::Wait(call) => fmt::Display::fmt(call, f),
            ErrorKind::Backend(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for ErrorKind {}

impl From<Usage> for ErrorKind {
    fn from(usage: Usage) -> ErrorKind {
        ErrorKind::Usage(usage)
    }
}

impl From<BackendError> for ErrorKind {
    fn from(error: BackendError) -> ErrorKind {
        ErrorKind::Backend(error)
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    #[inline(never)]
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(kind))
    }
}

impl From<Usage> for Error {
    fn from(usage: Usage) -> Error {
        ErrorKind::from(usage).into()
    }
}

impl From<BackendError> for Error {
    fn from(error: BackendError) -> Error {
        ErrorKind::from(error).into()
    }
}

/// A call of the runtime that failed.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::{ErrorKind, Npu};
///
/// let refused = acl.on::<Npu<0>, _>(99, |_| Ok(()));
/// if let Err(ErrorKind::Refused(call)) = refused.map_err(ascendcl::Error::into_kind) {
///     assert_eq!(call.name, Some("ACL_ERROR_RT_INVALID_DEVICEID"));
///     println!("remedy: {:?}", call.hint);
/// }
/// # });
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallError {
    /// The C function.
    pub call: &'static str,
    /// Its status code.
    pub code: i32,
    /// The code's symbolic name, where the headers of CANN 8.1 to ACL 1.17 list it.
    pub name: Option<&'static str>,
    /// The device that the calling thread was bound to, or the one that was to be set or reset.
    pub device: Option<u32>,
    /// The text of `aclGetRecentErrMsg` on the calling thread. `{}` prints the cause in it, `{:#}` all lines.
    ///
    /// It is `None` where the thread has no device: the runtime would report the missing device instead, or take a
    /// configured default device into use.
    pub text: Option<String>,
    /// The usual remedy.
    pub hint: Option<Cow<'static, str>>,
}

impl CallError {
    /// Collects the text, the device and the hint, or returns the error of a missing function. The runtime is not
    /// asked for the current device: with a default device configured, the question alone would take a reference of it.
    fn here(call: &'static str, code: sys::aclError, kind: fn(Self) -> ErrorKind) -> Error {
        // The name may be of an earlier call, which nobody asked about.
        if sys::absent::take().is_some_and(|function| function == call) {
            return BackendError::missing(call).into();
        }
        let text = crate::raw::recent_error_text();
        let device = crate::raw::bound_device();
        let hint = hint::of(call, code, text.as_deref());
        kind(CallError {
            call,
            code,
            name: if hccl::is_hccl(call) {
                hccl::name(code)
            } else {
                sys::status::name(code)
            },
            device,
            text,
            hint,
        })
        .into()
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed with {}", self.call, self.code)?;
        if let Some(name) = self.name {
            write!(f, " ({name})")?;
        }
        if let Some(device) = self.device {
            write!(f, " on device {device}")?;
        }
        let cause = self.text.as_ref().map(|text| text::cause(self.call, text));
        if let Some(cause) = &cause {
            write!(f, ": {cause}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "; hint: {hint}")?;
        }
        if let (true, Some(text)) = (f.alternate(), &self.text)
            && !text.ends_with(cause.as_deref().unwrap_or_default())
        {
            f.write_str("\nthe runtime's own text:")?;
            text.lines()
                .try_for_each(|line| write!(f, "\n    {line}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for CallError {}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::sys::config::{Config, ConfigError};
    use super::{CallError, Error, ErrorKind, sys};

    #[test]
    fn one_line_has_the_cause_and_the_long_form_all_of_the_text() {
        let text = "[PID: 7] 2026-01-31-08:15:30.123.456 Resource_Exhausted(EL0004): aclrtMalloc failed. No room.\n\
                    Solution: Free some.\nTraceBack (most recent call last):\nmalloc[FUNC:Malloc][FILE:a.cc][LINE:1]";
        let error = CallError {
            call: "aclrtMalloc",
            code: sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
            name: None,
            device: Some(1),
            text: Some(text.to_owned()),
            hint: Some("free buffers".into()),
        };
        let line = "aclrtMalloc failed with 207001 on device 1: No room; hint: free buffers";
        assert_eq!(error.to_string(), line);
        let error = Error::from(ErrorKind::Refused(error));
        assert_eq!(error.to_string(), line);
        let long = format!("{error:#}");
        let told = long
            .strip_prefix(line)
            .map(|rest| rest.replace("\n    ", "\n"));
        assert_eq!(told, Some(format!("\nthe runtime's own text:\n{text}")));
    }

    #[test]
    fn a_refused_configuration_is_named_with_what_is_wrong() {
        let refused = |code, config| {
            let hint = Some("a hint".into());
            let error = CallError {
                call: "aclInit",
                code,
                name: None,
                device: None,
                text: None,
                hint,
            };
            let error = Error::from(ErrorKind::Refused(error));
            error.about_config(Path::new("a.json"), config).to_string()
        };
        let config = |default_device| Ok(Config { default_device });
        let code = sys::ACL_ERROR_RT_INVALID_DEVICEID;
        let said = refused(code, config(Some(9)));
        let start = "aclInit failed with 107001; hint: a.json: there is no device 9; ";
        assert!(said.starts_with(start), "{said}");
        let hinted = "aclInit failed with 107001; hint: a.json: a hint";
        assert_eq!(refused(code, config(None)), hinted);
        assert_eq!(refused(7, config(Some(9))), hinted.replace("107001", "7"));
        let wrong = ConfigError::Nested {
            path: "a.json".into(),
        };
        let expected = format!("aclInit failed with 7; hint: {wrong}");
        assert_eq!(refused(7, Err(wrong)), expected);
    }

    #[test]
    fn a_text_that_is_shown_already_is_not_repeated() {
        let error = CallError {
            call: "aclrtFree",
            code: -7,
            name: None,
            device: None,
            text: Some("aclrtFree failed: it is freed".to_owned()),
            hint: None,
        };
        let line = "aclrtFree failed with -7: it is freed";
        assert_eq!(
            (error.to_string(), format!("{error:#}")),
            (line.to_owned(), line.to_owned())
        );
    }
}
