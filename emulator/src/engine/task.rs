//! Tasks and their execution.

use std::fmt;
use std::time::{Duration, Instant};

use ascendcl_sys::{ACL_ERROR_RT_TS_ERROR, aclError};

use crate::check::{self, violated};
use crate::engine::host_thread::HostCall;
use crate::engine::kernel::{KernelTask, run_kernel};
use crate::engine::queue::Stream;
use crate::engine::signal::Event;
use crate::engine::work::Work;
use crate::engine::worker::LARGE;
use crate::observe::violation::What;
use crate::space::place::{Entered, Gone, Grip, Place};
use crate::space::{bulk, space};

/// A unit of work.
pub(crate) enum Task {
    /// Copies between device and pinned memory.
    Copy {
        to: Place,
        from: Place,
        count: usize,
    },
    /// Copies data that the submitter stored in the task.
    CopyBuffer { to: Place, from: Box<[u8]> },
    /// Copies rows.
    CopyRows(Box<Rows>),
    /// Fills with a byte.
    Fill { to: Place, value: u8, count: usize },
    /// Fills with a word, `count` times.
    FillWords { to: Place, value: u32, count: usize },
    /// Runs an operator.
    Kernel(Box<KernelTask>),
    /// Completes a record of an event.
    Record(&'static Event),
    /// Clears an event.
    Reset(&'static Event),
    /// Waits until another stream has completed a number of tasks.
    Wait {
        on: Waited,
        until: (&'static Stream, u64),
    },
    /// Waits until an event's flag is set.
    WaitFlag { on: Waited },
    /// Runs a function on the host thread.
    HostFunction(HostCall),
    /// Does nothing, in its place in the order.
    Nothing,
    /// Does nothing: a record of a captured event, in a run of its graph. Only its place in the order matters.
    Mark,
    /// Waits until each of these streams has completed a number of tasks.
    After(Box<[Point]>),
    /// Runs a task of another area.
    Other(Box<dyn Work>),
}

/// A point in a stream: the stream and the number of a task.
pub(crate) type Point = (&'static Stream, u64);

/// Rows of a two-dimensional copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) to: Place,
    pub(crate) to_pitch: usize,
    pub(crate) from: Place,
    pub(crate) from_pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// The event that a task waits for, and the time limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waited {
    pub(crate) event: &'static Event,
    /// The limit in seconds; 0 means no limit.
    pub(crate) limit: u32,
    /// The time when the task came to the front of the queue, if it has a limit.
    pub(crate) since: Option<Instant>,
}

impl Waited {
    /// Returns the time when the wait ends without success.
    pub(crate) fn expiry(&mut self) -> Option<Instant> {
        (self.limit > 0).then(|| {
            *self.since.get_or_insert_with(Instant::now) + Duration::from_secs(self.limit.into())
        })
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.call())
    }
}

impl Task {
    /// Returns the name of the call that queued the task.
    pub(crate) fn call(&self) -> &'static str {
        match self {
            Task::Copy { .. } | Task::CopyBuffer { .. } => "aclrtMemcpyAsync",
            Task::CopyRows(_) => "aclrtMemcpy2dAsync",
            Task::Fill { .. } => "aclrtMemsetAsync",
            Task::FillWords { .. } => "aclrtMemsetD32Async",
            Task::Kernel(kernel) => kernel.name,
            Task::Record(_) => "aclrtRecordEvent",
            Task::Reset(_) => "aclrtResetEvent",
            Task::Wait { .. } | Task::WaitFlag { .. } => "aclrtStreamWaitEvent",
            Task::HostFunction(_) => "aclrtLaunchHostFunc",
            Task::Nothing => "a task without effect",
            Task::Mark => "aclrtRecordEvent",
            Task::After(_) => "aclrtStreamWaitEvent",
            Task::Other(work) => work.call(),
        }
    }

    /// Ends the task without running it.
    pub(crate) fn abandon(&mut self) {
        match self {
            Task::Record(event) | Task::Reset(event) => event.release(),
            Task::Wait { on, .. } | Task::WaitFlag { on } => on.event.waited(),
            Task::Other(work) => work.abandon(),
            _ => {}
        }
    }

    /// Returns whether the task owns nothing that has to be dropped.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(
            self,
            Task::Copy { .. } | Task::Fill { .. } | Task::Record(_)
        )
    }

    /// Runs the task as the `number`th of the stream. The task does not have to wait any more.
    #[inline(always)]
    pub(crate) fn execute(
        &mut self,
        stream: &'static Stream,
        number: u64,
        hands: &mut Hands,
    ) -> Result<(), Fault> {
        // Most tasks are small; this `match` separates them without a jump table.
        match self {
            Task::Copy { to, from, count } => copy(*to, *from, *count, hands),
            Task::Record(event) => {
                event.complete(stream, number);
                Ok(())
            }
            Task::Wait { on, .. } => {
                on.event.waited();
                Ok(())
            }
            _ => {
                hands.let_go();
                self.execute_other(stream, number)
            }
        }
    }

    /// Runs a task that may take long.
    #[inline(never)]
    fn execute_other(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        let call = self.call();
        let gone = |gone| fault(call, gone);
        let space = space();
        match self {
            Task::CopyBuffer { to, from } => {
                let to = to.enter(space).map_err(gone)?;
                // SAFETY: the place was made for the buffer's length and is entered.
                unsafe { bulk::copy(to.pointer(), from.as_ptr(), from.len()) };
                leave([to], gone)
            }
            Task::CopyRows(rows) => {
                let from = rows.from.enter(space).map_err(gone)?;
                let to = rows.to.enter(space).map_err(gone)?;
                // SAFETY: the places were made for `height` rows with these pitches.
                unsafe { copy_rows(&to, &from, rows) };
                leave([to, from], gone)
            }
            Task::Fill { to, value, count } => {
                let to = to.enter(space).map_err(gone)?;
                // SAFETY: the place was made for `count` bytes and is entered.
                unsafe { to.pointer().write_bytes(*value, *count) };
                leave([to], gone)
            }
            Task::FillWords { to, value, count } => {
                let to = to.enter(space).map_err(gone)?;
                // SAFETY: the place was made for `count` words and is entered.
                unsafe { bulk::fill_words(to.pointer(), *value, *count) };
                leave([to], gone)
            }
            Task::Kernel(task) => run_kernel(task),
            Task::Other(work) => work.run(stream, number),
            Task::Reset(event) => {
                event.clear();
                Ok(())
            }
            Task::HostFunction(host) => {
                check::in_function(stream.slot(), || host.run());
                Ok(())
            }
            Task::WaitFlag { on } => {
                on.event.waited();
                Ok(())
            }
            Task::Copy { .. }
            | Task::Record(_)
            | Task::Wait { .. }
            | Task::Nothing
            | Task::Mark
            | Task::After(_) => Ok(()),
        }
    }
}

/// The code of a failed task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault(pub(crate) aclError);

/// The memory of the last copy, which the thread that runs tasks holds for the next one.
#[derive(Debug, Default)]
pub(crate) struct Hands {
    to: Grip,
    from: Grip,
}

impl Hands {
    /// Returns whether any memory is held.
    #[inline]
    pub(crate) fn hold_any(&self) -> bool {
        self.from.is_held() || self.to.is_held()
    }

    /// Releases the memory.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        self.to.let_go();
        self.from.let_go();
    }
}

/// Copies between two places.
#[inline(always)]
fn copy(to: Place, from: Place, count: usize, hands: &mut Hands) -> Result<(), Fault> {
    let space = space();
    let copied = match (hands.from.hold(&from, space), hands.to.hold(&to, space)) {
        (Ok(source), Ok(destination)) => {
            // SAFETY: both places were made for `count` bytes (`aclrtMemcpyAsync`), so both ranges are
            // valid while they are held (`Grip::hold`).
            unsafe { bulk::copy(destination, source, count) };
            if hands.to.is_alive() && hands.from.is_alive() {
                Ok(())
            } else {
                Err(Gone::Freed)
            }
        }
        (Err(gone), _) | (_, Err(gone)) => Err(gone),
    };
    if count >= LARGE {
        // A thread that frees the memory meanwhile must not wait for the end of the next task, too.
        hands.let_go();
    }
    copied.map_err(|gone| fault("aclrtMemcpyAsync", gone))
}

/// Leaves memory that a task has entered.
#[inline(always)]
fn leave<const N: usize>(entered: [Entered; N], gone: impl Fn(Gone) -> Fault) -> Result<(), Fault> {
    entered
        .into_iter()
        .try_for_each(|entered| entered.leave().map_err(&gone))
}

/// Records that a task used memory that does not exist.
#[cold]
pub(crate) fn fault(call: &'static str, gone: Gone) -> Fault {
    let (what, text) = match gone {
        Gone::Freed => (
            What::MemoryUsedAfterFree,
            "a queued task met memory that was freed, or whose device was reset, after it was queued; \
             synchronise the stream before freeing",
        ),
        Gone::NeverThere => (
            What::MemoryOutOfBounds,
            "a queued task was given a range that lies in no single allocation; check address and size",
        ),
    };
    violated(call, what, format_args!("{text}"));
    Fault(ACL_ERROR_RT_TS_ERROR)
}

/// # Safety
///
/// Both pointers are valid for `height` rows of `width` bytes at their pitches.
unsafe fn copy_rows(to: &Entered, from: &Entered, rows: &Rows) {
    for row in 0..rows.height {
        // SAFETY: inside the range, by the caller's contract.
        let from = unsafe { from.pointer().add(row * rows.from_pitch) };
        // SAFETY: inside the range, by the caller's contract.
        let to = unsafe { to.pointer().add(row * rows.to_pitch) };
        // SAFETY: a row of both ranges, by the caller's contract.
        unsafe { from.copy_to(to, rows.width) };
    }
}
