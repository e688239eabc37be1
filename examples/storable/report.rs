//! The output for the user.

use std::error::Error;
use std::io::{self, ErrorKind, Write};

use ascendcl::emulator::{Live, live};
use ascendcl::sys;
use tracing::Level;

use crate::Result;

/// The resources that exist at the moment. Only an emulator can count them.
pub(crate) fn left() -> String {
    match sys::installed() {
        Some(sys::Origin::Rust(_)) => {}
        _ => return "unknown, as only the emulator counts it".to_owned(),
    }
    let Live {
        device_blocks,
        host_blocks,
        streams,
        contexts,
        ..
    } = live();
    if live() == Live::default() {
        return "nothing".to_owned();
    }
    format!(
        "devices {contexts}, streams {streams}, device buffers {device_blocks}, host buffers {host_blocks}"
    )
}

/// Logs to stderr what could not be released.
pub(crate) fn log() -> Result<()> {
    let log = tracing_subscriber::fmt()
        .with_max_level(Level::WARN)
        .with_writer(io::stderr);
    log.with_target(false).without_time().try_init()
}

/// Prints to stdout. A closed pipe (`| head`) is not a failure.
pub(crate) fn say(text: &str) -> Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot print to stdout: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints an error to stderr as one line.
pub(crate) fn complain(error: &dyn Error) {
    let text = error.to_string();
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    // If stderr is closed, the exit status is the only report.
    let _ = writeln!(io::stderr(), "error: {line}");
}
