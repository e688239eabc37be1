//! The findings of the checker, as text and as JSON.

use std::fmt;
use std::sync::Arc;

use tinyjson::JsonValue;

use super::site::{Issued, Site};
use crate::results::list_of;

/// The kind of mistake of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mistake {
    /// Memory was freed while queued work used it.
    FreedInUse,
    /// Memory was freed that a task of a graph uses, and the graph exists.
    FreedInGraph,
    /// A device was reset, or a context destroyed, before the program waited for its work.
    ResetInUse,
    /// The host used memory while queued work used it.
    NotSynchronised,
    /// Two streams used the same memory, and no event or wait orders them.
    Unordered,
    /// Two runs of a graph were queued on two streams, and no event or wait orders them.
    UnorderedRuns,
    /// Device memory was read before it was written.
    Uninitialised,
    /// Memory was freed with the function of another allocator, or was never allocated.
    WrongFree,
    /// Memory was freed twice.
    DoubleFree,
    /// Memory was used after it was freed.
    UsedAfterFree,
    /// A copy, fill or operator reached beyond an allocation.
    OutOfBounds,
    /// An index that an operator read points outside of a tensor.
    IndexOutOfRange,
    /// The workspace of an operator is memory of one of its operands, or smaller than its first phase said.
    WrongWorkspace,
    /// A task writes memory that it also reads, or writes it twice, and not in place.
    Overlap,
    /// The kind of a copy does not match its addresses.
    WrongDirection,
    /// A stream waits for an event that was never recorded.
    UnrecordedWait,
    /// A handle was destroyed twice.
    DestroyedTwice,
    /// An object was destroyed while queued work used it.
    DestroyedInUse,
    /// A handle was used after it was destroyed.
    UsedAfterDestroy,
    /// A result was used although the task that should have made it failed.
    FailedResult,
    /// Memory or an object was not released when the program ended. This leaves the exit status as it is, unless
    /// [`EmulatorConfig::leaks_fail`](crate::EmulatorConfig) is set.
    Leak,
    /// Memory or a stream was not released before its device was reset or its context destroyed. The checker reports
    /// this only if [`EmulatorConfig::left_to_reset`](crate::EmulatorConfig) is set.
    LeftToReset,
    /// An event was used after its device was reset.
    EventAfterReset,
    /// An event was destroyed while a stream waited for a record that can never come.
    AwaitedEventDestroyed,
    /// A notify was recorded before the wait for its earlier record, or two streams wait for it.
    SignalLost,
    /// Ranks of a communicator made different operations.
    RanksDisagree,
    /// A rank of a communicator did not make an operation that another one waited for.
    RankMissing,
    /// The host followed a pointer to device memory. The program ends there, as it would with a card.
    DeviceMemoryTouched,
    /// A process used both generations of the media engine.
    MediaMixed,
    /// A call in which the runtime was observed to crash.
    RuntimeCrash,
    /// A phase of an operator was called while another context than its own was current.
    OtherContext,
    /// A host function or callback made a call that allocates, releases, waits or queues work.
    CallInFunction,
    /// Streams or functions of the program wait for each other.
    CircularWait,
    /// A child of `fork` called AscendCL, which its parent had used before the fork.
    UsedAfterFork,
    /// A kernel of the program used memory beyond an argument.
    KernelOutOfBounds,
    /// A kernel wrote memory that the program has declared for reading.
    InputWritten,
    /// A kernel left a part of an output unwritten that the program has declared to be written as a whole.
    OutputUnwritten,
    /// Two blocks of a kernel used the same byte, one of them wrote it, and nothing orders them.
    BlocksUnordered,
    /// The arguments of a launch are not those of the kernel.
    KernelArguments,
    /// A kernel broke a rule of kernels: one of its queues or buffers, or of the wait for all blocks.
    KernelRule,
}

impl Mistake {
    /// Returns an identifier for programs. It stays the same in later versions.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.words().0
    }

    /// Returns a text that says how to correct the mistake.
    #[must_use]
    pub fn help(self) -> &'static str {
        self.words().2
    }

    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Mistake::FreedInUse => (
                "freed-in-use",
                "memory was freed while queued work used it",
                "wait for the work before the free: aclrtSynchronizeStream, or aclrtSynchronizeEvent \
                 on an event that was recorded behind it",
            ),
            Mistake::FreedInGraph => (
                "freed-in-graph",
                "memory was freed that a task of a graph uses",
                "destroy the graph (aclmdlRIDestroy) before the memory of its tasks, workspaces included, or exchange the \
                 task before (aclmdlRICaptureTaskUpdateBegin)",
            ),
            Mistake::ResetInUse => (
                "reset-in-use",
                "a device or context was ended before its work was waited for",
                "synchronise the streams first; otherwise the results of their work are not reliable",
            ),
            Mistake::NotSynchronised => (
                "not-synchronised",
                "the host used memory while queued work used it",
                "call aclrtSynchronizeStream between the two; a copy without a stream waits for no stream",
            ),
            Mistake::Unordered => (
                "unordered-streams",
                "two streams used the same memory, and nothing orders them",
                "record an event after the first (aclrtRecordEvent) and let the second stream wait for it \
                 (aclrtStreamWaitEvent), or synchronise between the two",
            ),
            Mistake::UnorderedRuns => (
                "unordered-runs",
                "two runs of a graph were queued on two streams, and nothing orders them",
                "queue the runs on one stream, or let the second stream wait for an event that was recorded behind the first \
                 run: the runtime promises nothing for two runs at once",
            ),
            Mistake::Uninitialised => (
                "uninitialised-read",
                "device memory was read before it was written",
                "copy data there first, or fill it with aclrtMemset",
            ),
            Mistake::WrongFree => (
                "wrong-free",
                "memory was given to a free that does not belong to it",
                "aclrtMalloc goes with aclrtFree, aclrtMallocHost with aclrtFreeHost, acldvppMalloc with \
                 acldvppFree, hi_mpi_dvpp_malloc with hi_mpi_dvpp_free, aclrtIpcMemImportByKey with aclrtIpcMemClose, \
                 aclrtMapMem with aclrtUnmapMem",
            ),
            Mistake::DoubleFree => (
                "double-free",
                "memory was freed twice",
                "set the pointer to NULL after the first free, and free it in one place only",
            ),
            Mistake::UsedAfterFree => (
                "used-after-free",
                "memory was used after it was freed",
                "free it after its last use",
            ),
            Mistake::OutOfBounds => (
                "out-of-bounds",
                "memory was used beyond its end",
                "compare the number of bytes with the size that was allocated",
            ),
            Mistake::IndexOutOfRange => (
                "index-out-of-range",
                "an index points outside of its tensor",
                "compare the indices with the dimension before they are copied to the device: an operator does not, and reads or \
                 overwrites what lies there",
            ),
            Mistake::WrongWorkspace => (
                "wrong-workspace",
                "an operator got a workspace that is too small, or memory of its operands",
                "allocate the bytes that the first phase returned, for this operator alone, and free them after a wait for \
                 its stream; an operator overwrites its workspace",
            ),
            Mistake::Overlap => (
                "overlap",
                "a task writes memory that it also reads, or writes it twice",
                "give each output memory of its own, or exactly the elements of an input; a card works on parts of a \
                 task in an order that is not known",
            ),
            Mistake::WrongDirection => (
                "wrong-direction",
                "the kind of a copy does not match its addresses",
                "pass the kind that matches both pointers; the runtime uses the addresses without a stream, and newer \
                 ones with a stream, too, where those of CANN 8 refuse the copy (107000)",
            ),
            Mistake::UnrecordedWait => (
                "unrecorded-wait",
                "a stream waits for an event that was never recorded",
                "call aclrtRecordEvent before aclrtStreamWaitEvent; such a wait orders nothing",
            ),
            Mistake::DestroyedTwice => (
                "destroyed-twice",
                "a handle was destroyed twice",
                "destroy a handle only once; the runtime uses handles again, so a second destroy can end another object",
            ),
            Mistake::DestroyedInUse => (
                "destroyed-in-use",
                "an object was destroyed while queued work used it",
                "wait for the work first: aclrtSynchronizeStream, or aclrtSynchronizeEvent on an event that was recorded \
                 behind it",
            ),
            Mistake::UsedAfterDestroy => (
                "used-after-destroy",
                "a handle was used that does not exist (any more)",
                "use the handle that the creating call returned, and destroy it after its last use; a reset of the device destroys its \
                 streams as well",
            ),
            Mistake::FailedResult => (
                "failed-result",
                "a result was used although the task that should have made it failed",
                "check the return value of aclrtSynchronizeStream: an event says that work is over, not \
                 that it succeeded",
            ),
            Mistake::Leak => (
                "leak",
                "something was never released",
                "release it before aclFinalize, also on error paths",
            ),
            Mistake::LeftToReset => (
                "left-to-reset",
                "something was left to the reset of its device",
                "release it before the reset, also on error paths; the reset frees it, but a program that continues \
                 without a reset does not",
            ),
            Mistake::EventAfterReset => (
                "event-after-reset",
                "an event was used after its device was reset; a card crashes here",
                "destroy events before aclrtResetDevice",
            ),
            Mistake::AwaitedEventDestroyed => (
                "awaited-event-destroyed",
                "an event was destroyed while a stream waited for a record that can never come",
                "record it before it is destroyed",
            ),
            Mistake::SignalLost => (
                "signal-lost",
                "the signal of a notify may go to another wait than its own",
                "let one stream alone wait for a notify, and record it again behind the wait: on that stream, or on one that \
                 has waited for that stream; for the way back create another notify",
            ),
            Mistake::RanksDisagree => (
                "ranks-disagree",
                "the ranks of a communicator made different operations",
                "make the same operations with the same counts, types and roots in the same order on every rank",
            ),
            Mistake::RankMissing => (
                "rank-missing",
                "a rank of a communicator did not take part in an operation",
                "make the operation on every rank, also on those that have nothing to send; a call with a count of 0 \
                 takes no part",
            ),
            Mistake::DeviceMemoryTouched => (
                "device-memory-touched",
                "the host followed a pointer to device memory, which ends the program",
                "only calls reach device memory: copy it to memory of the host with aclrtMemcpy, and read it there",
            ),
            Mistake::MediaMixed => (
                "media-mixed",
                "a process used both generations of the media engine",
                "use either acldvpp* or hi_mpi_* in a process; the manual forbids both",
            ),
            Mistake::RuntimeCrash => (
                "runtime-crash",
                "the runtime crashes in this call, and the emulator refuses it",
                "make the call where the manual allows it; the error text of the call says where",
            ),
            Mistake::OtherContext => (
                "other-context",
                "a phase of an operator was called in another context than its own",
                "make the context of the tensors and the stream current on this thread before both phases: \
                 aclrtSetDevice, or aclrtSetCurrentContext",
            ),
            Mistake::CallInFunction => (
                "call-in-function",
                "a host function or callback made a call",
                "let it tell a thread of the program, and make the call there: the manual allows no allocation, release, wait \
                 or submission inside such a function, because they can fail or never return",
            ),
            Mistake::CircularWait => (
                "circular-wait",
                "streams or functions of the program wait for each other",
                "wait on a thread of the program and not in a function that a stream runs; make the operations of a \
                 communicator in the same order on every rank",
            ),
            Mistake::UsedAfterFork => (
                "used-after-fork",
                "a child of fork used AscendCL, which its parent had used; on a card it fails or hangs",
                "fork before the first call and call aclInit in the child, or start a program (exec, posix_spawn)",
            ),
            Mistake::KernelOutOfBounds => (
                "kernel-out-of-bounds",
                "a kernel used memory beyond an argument",
                "pass the number of elements to the kernel, and let the last block do what is left",
            ),
            Mistake::InputWritten => (
                "input-written",
                "a kernel wrote memory that the program has declared for reading",
                "declare the parameter for writing, too, or let the kernel write to another one",
            ),
            Mistake::OutputUnwritten => (
                "output-unwritten",
                "a kernel left a part of an output unwritten",
                "let the blocks write all of it, or declare the parameter for reading and writing, and initialise it",
            ),
            Mistake::BlocksUnordered => (
                "unordered-blocks",
                "two blocks of a kernel used the same byte, and nothing orders them",
                "give each block a part of its own; or launch with the schedule mode batch, and wait for all blocks \
                 (SyncAll) between the two",
            ),
            Mistake::KernelArguments => (
                "kernel-arguments",
                "the arguments of a launch are not those of the kernel",
                "pass each parameter of the kernel, in its order and with its size, and device memory for pointers",
            ),
            Mistake::KernelRule => (
                "kernel-rule",
                "a kernel broke a rule of kernels",
                "change the kernel as the text says; a card hangs there, or computes something else",
            ),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().1)
    }
}

/// A mistake of the program, with the calls that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the mistake.
    pub mistake: Mistake,
    /// The details, in a sentence.
    pub text: String,
    /// The calls that show the mistake, each with its role. The first one is the call at which the checker noticed
    /// the mistake.
    pub calls: Vec<(&'static str, Issued)>,
    /// The number of times the mistake was found at the same lines of the program.
    pub times: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} [{}]", self.mistake, self.mistake.id())?;
        writeln!(f, "  {}", self.text)?;
        let width = self.calls.iter().map(|(part, _)| part.len()).max();
        for (part, issued) in &self.calls {
            writeln!(f, "  {part:>width$}: {issued}", width = width.unwrap_or(0))?;
        }
        write!(f, "  help: {}", self.mistake.help())
    }
}

impl Finding {
    /// Returns the finding as JSON.
    pub(super) fn json(&self) -> JsonValue {
        let calls = self.calls.iter().map(|(part, issued)| {
            object(vec![
                ("part", text(part)),
                ("call", text(&issued.call)),
                ("nth", issued.nth.map_or(JsonValue::Null, number)),
                ("thread", text(&issued.thread)),
                (
                    "frames",
                    JsonValue::Array(list_of(issued.frames.iter().map(|frame| text(frame)))),
                ),
            ])
        });
        object(vec![
            ("id", text(self.mistake.id())),
            ("mistake", text(&self.mistake.to_string())),
            ("text", text(&self.text)),
            ("help", text(self.mistake.help())),
            ("times", number(self.times)),
            ("calls", JsonValue::Array(list_of(calls))),
        ])
    }
}

pub(super) fn object(fields: Vec<(&str, JsonValue)>) -> JsonValue {
    let fields = fields.into_iter();
    JsonValue::Object(
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

pub(super) fn text(text: &str) -> JsonValue {
    JsonValue::String(text.to_owned())
}

pub(super) fn number(number: u64) -> JsonValue {
    // A count: far below 2^53.
    JsonValue::Number(number as f64)
}

/// A finding whose lines in the program were not looked up yet.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) mistake: Mistake,
    pub(super) text: String,
    pub(super) sites: Vec<(&'static str, Arc<Site>)>,
}

impl Found {
    pub(super) fn finding(self) -> Finding {
        let calls = self.sites.into_iter();
        Finding {
            mistake: self.mistake,
            text: self.text,
            calls: list_of(calls.map(|(part, site)| (part, site.issued()))),
            times: 1,
        }
    }
}

impl Finding {
    /// Returns whether both are the same mistake at the same lines. Then one report is enough.
    pub(super) fn repeats(&self, other: &Finding) -> bool {
        let is_placed = |finding: &Finding| {
            !finding.calls.is_empty() && finding.calls.iter().all(|(_, c)| !c.frames.is_empty())
        };
        let same = |((_, one), (_, two)): (&(&str, Issued), &(&str, Issued))| {
            one.call == two.call && one.frames == two.frames
        };
        self.mistake == other.mistake
            && self.calls.len() == other.calls.len()
            && self.calls.iter().zip(&other.calls).all(same)
            && (is_placed(self) || self.text == other.text)
    }
}
