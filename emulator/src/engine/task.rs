//! Tasks, and running them.

use std::fmt;
use std::time::{Duration, Instant};

use ascendcl_sys::{ACL_ERROR_RT_TS_ERROR, aclError};

use crate::check::violated;
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
    /// Copies what the submitter handed over.
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
    /// Does nothing, in order.
    Nothing,
    /// A record of a captured event, in a run of its graph: its place in the order is all of it.
    Mark,
    /// Waits until all of these streams have completed so many tasks.
    After(Box<[Point]>),
    /// Work that an area brings.
    Other(Box<dyn Work>),
}

/// A stream with a number of its tasks that are to be complete.
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

/// The event that a task waits for, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waited {
    pub(crate) event: &'static Event,
    /// Seconds; 0 is for ever.
    pub(crate) limit: u32,
    /// When the task came to the front, once it has a limit.
    pub(crate) since: Option<Instant>,
}

impl Waited {
    /// When the wait is given up.
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
    /// The call that queued it.
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

    /// Ends without having acted.
    pub(crate) fn abandon(&mut self) {
        match self {
            Task::Record(event) | Task::Reset(event) => event.release(),
            Task::Wait { on, .. } | Task::WaitFlag { on } => on.event.waited(),
            Task::Other(work) => work.abandon(),
            _ => {}
        }
    }

    /// Whether it owns nothing that has to be dropped.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(
            self,
            Task::Copy { .. } | Task::Fill { .. } | Task::Record(_)
        )
    }

    /// Runs it, as the stream's `number`th. It has nothing left to wait for.
    #[inline(always)]
    pub(crate) fn execute(
        &mut self,
        stream: &'static Stream,
        number: u64,
        hands: &mut Hands,
    ) -> Result<(), Fault> {
        // Most tasks are small: these are told apart without a table of jumps.
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

    /// Runs what may take its time.
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
                host.run();
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

/// Why a task failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault(pub(crate) aclError);

/// The memory that whoever runs tasks has at hand from the last copy.
#[derive(Debug, Default)]
pub(crate) struct Hands {
    to: Grip,
    from: Grip,
}

impl Hands {
    /// Whether there is any.
    #[inline]
    pub(crate) fn hold_any(&self) -> bool {
        self.from.is_held() || self.to.is_held()
    }

    /// Ends the work in it.
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
        // Who frees it meanwhile shall not wait for the end of the next task, too.
        hands.let_go();
    }
    copied.map_err(|gone| fault("aclrtMemcpyAsync", gone))
}

/// Ends the work in some memory.
#[inline(always)]
fn leave<const N: usize>(entered: [Entered; N], gone: impl Fn(Gone) -> Fault) -> Result<(), Fault> {
    entered
        .into_iter()
        .try_for_each(|entered| entered.leave().map_err(&gone))
}

/// Records that a task met memory which is not there.
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
