//! Errors as plain data (feature `serde`).

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::{Error, ErrorKind, Recovery};

/// An error as plain data. An [`Error`] is serialised as its report, and a program that reads a log gets the report back.
///
/// An error itself is not read back: its variants have the names of functions of this program. A report has what programs sort
/// errors by, and both forms of the text.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::error::{Recovery, Report};
/// use ascendcl::{Error, Npu};
///
/// let refused: Result<(), Error> = acl.on::<Npu<0>, _>(99, |_| Ok(()));
/// let line = refused.map_err(|error| serde_json::to_string(&error));
/// let Err(Ok(line)) = line else { return Ok(()) };
/// let report: Report = serde_json::from_str(&line).expect("a line of the log");
/// assert_eq!(report.call.as_deref(), Some("aclrtSetDevice"));
/// assert_eq!(report.recovery, Recovery::GiveUp);
/// # });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The variant of [`ErrorKind`], and of the mistake or the backend's error: `Refused`, `Wait`, `Usage::ZeroSize`,
    /// `Backend::Load`.
    pub kind: String,
    /// The text in one line.
    pub message: String,
    /// What can help.
    pub recovery: Recovery,
    /// The status code, as [`Error::code`] returns it.
    pub code: Option<i32>,
    /// The symbolic name of the code of a failed call.
    pub name: Option<String>,
    /// The C function that failed.
    pub call: Option<String>,
    /// The device of the call.
    pub device: Option<u32>,
    /// The whole text of the runtime.
    pub text: Option<String>,
    /// The usual remedy of a failed call. A mistake names its own in the message.
    pub hint: Option<String>,
}

impl From<&Error> for Report {
    fn from(error: &Error) -> Report {
        let (kind, call) = match error.kind() {
            ErrorKind::Refused(call) => ("Refused".to_owned(), Some(call)),
            ErrorKind::Wait(call) => ("Wait".to_owned(), Some(call)),
            ErrorKind::Usage(usage) => (variant("Usage", usage), None),
            ErrorKind::Backend(error) => (variant("Backend", error), None),
        };
        Report {
            kind,
            message: error.to_string(),
            recovery: error.recovery(),
            code: error.code(),
            name: call.and_then(|call| call.name).map(str::to_owned),
            call: call.map(|call| call.call.to_owned()),
            device: call.and_then(|call| call.device),
            text: call.and_then(|call| call.text.clone()),
            hint: call.and_then(|call| call.hint.as_deref().map(str::to_owned)),
        }
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Report::from(self).serialize(serializer)
    }
}

/// The name of a variant, with which its derived `Debug` begins.
fn variant(kind: &str, error: &impl fmt::Debug) -> String {
    let shown = format!("{error:?}");
    let end = shown.find(|c: char| !c.is_alphanumeric());
    format!(
        "{kind}::{}",
        shown.get(..end.unwrap_or(shown.len())).unwrap_or_default()
    )
}
