//! Why a command did not succeed.

/// The error of a command; the text is for the user.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line was not understood.
    Usage(String),
    /// A check failed, or could not be made.
    Failed(String),
}
