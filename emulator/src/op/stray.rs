//! Numbers of an operand that point nowhere, for the report.

use core::fmt;

/// An index outside of its dimension, or another number that has to be below a limit.
#[derive(Debug)]
pub(super) struct Stray {
    pub(super) number: i64,
    pub(super) size: usize,
    /// The name of the operand with the number, where it is no index into a dimension.
    pub(super) operand: Option<&'static str>,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stray { number, size, .. } = self;
        match self.operand {
            None => write!(f, "the index {number} for {size} elements"),
            Some(name) if *size == usize::MAX => {
                write!(f, "{number} in {name}, which takes no negative number")
            }
            Some(name) => {
                let last = size.saturating_sub(1);
                write!(f, "{number} in {name}, which takes 0 to {last}")
            }
        }
    }
}
