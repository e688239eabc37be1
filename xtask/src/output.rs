//! The output of the commands.

use std::io::{self, Write};
use std::process;

/// Prints a text. A closed pipe, as of `head`, ends the command without an error.
pub(crate) fn print(text: &str) {
    if io::stdout().write_all(text.as_bytes()).is_err() {
        process::exit(0);
    }
}

/// Prints what `format!` makes.
macro_rules! say {
    ($($what:tt)*) => { $crate::output::print(&format!($($what)*)) };
}
pub(crate) use say;
