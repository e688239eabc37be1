//! The promises: refusals of this API that no rule of AscendCL requires.

use super::list::{self, names};
use crate::finding::Finding;

/// The path of the list, from the root.
pub(crate) const FILE: &str = "ui-tests/promises.csv";

/// The first line of the file.
pub(super) const HEADER: &str = "id,area,promise,otherwise,cases";

/// A promise of this API, and the cases that keep it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    pub(crate) id: String,
    /// The promise, in one sentence.
    pub(crate) promise: String,
    /// The damage without the promise.
    pub(crate) otherwise: String,
    pub(crate) cases: Vec<String>,
}

/// The promises that can be read, and the mistakes of the other lines.
pub(crate) fn parse(text: &str) -> (Vec<Promise>, Vec<Finding>) {
    list::read(
        (FILE, HEADER),
        text,
        |line, [id, _, promise, otherwise, cases]| {
            let cases = names(&cases);
            Ok(Promise {
                line,
                id,
                promise,
                otherwise,
                cases,
            })
        },
    )
}
