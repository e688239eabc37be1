//! Violations: calls and tasks that crash on a card or corrupt memory there without an error.

use std::fmt;

use crate::sync::{Mutex, lock};

/// Maximum number of stored violations; it bounds the memory of a program that violates a rule in a loop.
const KEPT: usize = 10_000;

/// A use of memory or an object that is not valid. The emulator returns an error; a card may not.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The C function that was called, or that queued the work.
    pub call: &'static str,
    /// The kind of mistake.
    pub what: What,
    /// The details, in a sentence.
    pub text: String,
}

/// The kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// Queued work used memory after it was freed or its device was reset.
    MemoryUsedAfterFree,
    /// Queued work used memory beyond an allocation or outside all allocations.
    MemoryOutOfBounds,
    /// An event was used after its device was reset.
    EventUsedAfterReset,
    /// An event was destroyed while a stream waited for a record that was never queued.
    EventDestroyedWhileAwaited,
    /// An operator met an index outside of the tensor that it points into.
    IndexOutOfRange,
    /// The workspace of an operator is memory of one of its operands, or smaller than its first phase said.
    WrongWorkspace,
    /// A kernel panicked.
    KernelPanicked,
    /// A kernel of the program used memory beyond an argument.
    KernelOutOfBounds,
    /// A kernel of the program wrote memory that was declared for reading.
    KernelWritesInput,
    /// The arguments of a launch are not those of the kernel.
    KernelArguments,
    /// A kernel of the program broke a rule of kernels.
    KernelRule,
    /// A kernel of the program did not end within the limit of its launch.
    KernelLate,
    /// The binary of a queued kernel was unloaded before the kernel ran.
    BinaryUnloaded,
    /// The engine could not run a model.
    ModelFailed,
    /// The media engine could not process a picture.
    PictureRefused,
    /// Ranks made different operations.
    RanksDisagree,
    /// A rank did not make an operation that another one waited for.
    RankMissing,
    /// A call in which the runtime was observed to crash.
    RuntimeCrash,
    /// A phase of an operator that belongs to another context than the current one.
    OtherContext,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::MemoryUsedAfterFree => "memory used after it was freed",
            What::MemoryOutOfBounds => "memory used out of bounds",
            What::EventUsedAfterReset => "event used after its device was reset",
            What::EventDestroyedWhileAwaited => "event destroyed while a stream waits for it",
            What::IndexOutOfRange => "index out of range",
            What::WrongWorkspace => "wrong workspace",
            What::KernelPanicked => "kernel panicked",
            What::KernelOutOfBounds => "kernel out of bounds",
            What::KernelWritesInput => "kernel wrote an input",
            What::KernelArguments => "wrong arguments of a kernel",
            What::KernelRule => "kernel broke a rule",
            What::KernelLate => "kernel over its limit",
            What::BinaryUnloaded => "kernel of an unloaded binary",
            What::ModelFailed => "model failed",
            What::PictureRefused => "picture refused",
            What::RanksDisagree => "ranks disagree",
            What::RankMissing => "rank missing",
            What::RuntimeCrash => "the runtime crashes in this call",
            What::OtherContext => "operator of another context",
        })
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.call, self.what, self.text)
    }
}

static VIOLATIONS: Mutex<Vec<Violation>> = Mutex::new(Vec::new());

/// Stores a violation.
pub(crate) fn keep(call: &'static str, what: What, text: String) {
    let mut violations = lock(&VIOLATIONS);
    if violations.len() < KEPT {
        violations.push(Violation { call, what, text });
    }
}

/// Returns the end of the text of a failed wait: the newest violation of this process. A program in C does not see the list.
pub(crate) fn cause() -> String {
    match lock(&VIOLATIONS).last() {
        Some(newest) => format!(", the newest is {newest}"),
        None => String::new(),
    }
}

/// Returns the violations of this process so far, the oldest first. At most ten thousand are stored.
#[must_use]
pub fn violations() -> Vec<Violation> {
    lock(&VIOLATIONS).clone()
}

/// Returns the violations of this process so far and removes them.
#[must_use]
pub fn take_violations() -> Vec<Violation> {
    std::mem::take(&mut *lock(&VIOLATIONS))
}
