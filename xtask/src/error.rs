//! Why a command did not succeed.

/// Why a command did not succeed; the text is for the user.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line was not understood.
    Usage(String),
    /// A check failed, or could not be made.
    Failed(String),
}
