//! Why a command did not succeed.

use std::fmt::{self, Display};

/// The error of a command: a text for the user.
#[derive(Debug)]
pub(crate) struct Error(String);

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error(text)
    }
}

/// Says in front of an error what failed.
pub(crate) trait Context<T> {
    fn on(self, what: impl Display) -> Result<T, Error>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn on(self, what: impl Display) -> Result<T, Error> {
        self.map_err(|error| Error(format!("{what}: {error}")))
    }
}

/// Ends a command that has found something.
pub(crate) fn conclude(findings: &[impl ToString]) -> Result<(), Error> {
    if findings.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let count = lines.len();
    Err(format!("{count} findings\n{}", lines.join("\n")).into())
}
