//! The output for the user: the log of every step, and the one line of an error.

use std::io::{self, Write};

use ascendcl::ErrorKind;
use tracing::Level;

use crate::Result;

/// Logs the result of a call and returns it: `acl.run_mode().logged("aclrtGetRunMode")?`.
pub(crate) trait Logged {
    /// Logs success as information, and failure as an error with its status code.
    fn logged(self, step: &'static str) -> Self;
}

impl<T> Logged for ascendcl::Result<T> {
    fn logged(self, step: &'static str) -> Self {
        match &self {
            Ok(_) => tracing::info!("{step}"),
            Err(error) => match error.kind() {
                // One typed call can be several C calls; the error knows which of them it was.
                ErrorKind::Refused(failed) | ErrorKind::Wait(failed) => {
                    tracing::error!(code = failed.code, "{} failed", failed.call);
                }
                _ => tracing::error!("{step} failed"),
            },
        }
        self
    }
}

/// Logs to stderr: every step, or only warnings and errors if `quiet`.
pub(crate) fn start(quiet: bool) -> Result<()> {
    let level = if quiet { Level::WARN } else { Level::INFO };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr);
    log.with_target(false).without_time().try_init()
}

/// Prints to stdout. A closed pipe (`| head`) is not a failure.
pub(crate) fn say(text: &str) -> Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot print to stdout: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints an error to stderr as one line.
pub(crate) fn complain(error: &dyn std::error::Error) {
    let text = error.to_string();
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    // If stderr is closed, the exit status is the only report.
    let _ = writeln!(io::stderr(), "error: {line}");
}
