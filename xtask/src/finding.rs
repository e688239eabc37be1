//! A mistake at a place of the repository.

use std::fmt;

/// A mistake and its place: `<file>:<line>: <sentence>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The path of the file, from the root.
    file: String,
    /// Counted from 1.
    line: usize,
    what: String,
}

impl Finding {
    pub(crate) fn new(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        let (file, what) = (file.into(), what.into());
        Self { file, line, what }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The findings as they are printed.
#[cfg(test)]
pub(crate) fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::to_string).collect()
}
