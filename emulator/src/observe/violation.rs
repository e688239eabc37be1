//! Violations: steps of the program that a card answers with a crash or with silent corruption.

use std::fmt;
use std::sync::Mutex;

use crate::sync::lock;

/// Violations kept; a program in a loop shall not fill the memory.
const KEPT: usize = 10_000;

/// A use of something after its end. The emulator makes it an error; a card need not.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The C function, or the queued work that came from it.
    pub call: &'static str,
    /// The kind of mistake.
    pub what: What,
    /// The particulars, in a sentence.
    pub text: String,
}

/// The kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// Queued work met memory that was freed, or whose device was reset, before the work was over.
    MemoryUsedAfterFree,
    /// Queued work reached beyond an allocation, or where none was.
    MemoryOutOfBounds,
    /// An event was used after its device was reset.
    EventUsedAfterReset,
    /// An event was destroyed while a stream waited for a record that was never queued.
    EventDestroyedWhileAwaited,
    /// A kernel panicked.
    KernelPanicked,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::MemoryUsedAfterFree => "memory used after it was freed",
            What::MemoryOutOfBounds => "memory used out of bounds",
            What::EventUsedAfterReset => "event used after its device was reset",
            What::EventDestroyedWhileAwaited => "event destroyed while a stream waits for it",
            What::KernelPanicked => "kernel panicked",
        })
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.call, self.what, self.text)
    }
}

static VIOLATIONS: Mutex<Vec<Violation>> = Mutex::new(Vec::new());

/// Keeps a violation.
pub(crate) fn keep(call: &'static str, what: What, text: String) {
    let mut violations = lock(&VIOLATIONS);
    if violations.len() < KEPT {
        violations.push(Violation { call, what, text });
    }
}

/// The violations of this process so far, the oldest first; at most ten thousand are kept.
#[must_use]
pub fn violations() -> Vec<Violation> {
    lock(&VIOLATIONS).clone()
}

/// The violations so far, which are forgotten by this.
#[must_use]
pub fn take_violations() -> Vec<Violation> {
    std::mem::take(&mut *lock(&VIOLATIONS))
}
