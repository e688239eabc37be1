//! Submitting work to a stream, and learning what became of it: the checks that all calls share.
//!
//! The order of the checks is the runtime's: the handle, then (in the caller) the parameters, then the
//! context.
//!
//! [`push`] submits a task, [`push_told`] one that the checker hears of, and [`queue`] one where the caller has looked
//! for detours itself.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_STREAM_CONTEXT,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, ACL_STREAM_CPU_SCHEDULE,
    ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_PERSISTENT, ACL_SUCCESS, aclError, aclrtStream,
};

use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::detour::{self, Way};
use crate::engine::drive::drive;
use crate::engine::queue::Stream;
use crate::engine::task::Task;
use crate::engine::{engine, failed};
use crate::error::{fail, null};
use crate::handles::slots::{Found, Slot};

thread_local! {
    /// The number of the task that the thread submitted last.
    static LAST_TASK: Cell<u64> = const { Cell::new(0) };
}

pub(crate) unsafe extern "C" fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> aclError {
    if taskId.is_null() {
        return null("aclrtGetThreadLastTaskId", "taskId");
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { taskId.write(LAST_TASK.get() as u32) };
    ACL_SUCCESS
}

/// A stream in one of its lives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) stream: &'static Stream,
    pub(crate) generation: u32,
    pub(crate) index: u32,
}

impl Target {
    /// What tells it from all other streams, past and future ones included.
    pub(crate) fn key(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

/// The stream that a handle names; `None` is the default stream of the context that is current.
#[inline(always)]
pub(crate) fn find(call: &str, stream: aclrtStream) -> Result<Option<Target>, aclError> {
    if stream.is_null() {
        return Ok(None);
    }
    match engine().streams.find(stream) {
        Found::Live {
            slot,
            index,
            generation,
        } => Ok(Some(Target {
            stream: slot,
            generation,
            index,
        })),
        Found::Stale | Found::Garbage => Err(stale(call, "stream", stream.addr())),
    }
}

/// The code for a handle that names nothing (any more).
#[cold]
pub(crate) fn stale(call: &str, argument: &str, handle: usize) -> aclError {
    check::tell(call, |checker, site| checker.stale(argument, handle, site));
    fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        format_args!(
            "{call} failed: {argument} {handle:#x} does not exist: it was destroyed, its device was \
             reset, or it never was one"
        ),
    )
}

/// The stream for a call that only looks at it or waits for it. Its context need not be current, but
/// there has to be a current one.
#[inline(always)]
pub(crate) fn any(call: &str, found: Option<Target>) -> Result<(Target, Current), aclError> {
    let current = current(call)?;
    let target = match found {
        Some(target) => target,
        None => default(call, &current)?,
    };
    Ok((target, current))
}

/// The stream for a call that submits to it: it has to belong to the current context.
#[inline(always)]
pub(crate) fn own(call: &str, found: Option<Target>) -> Result<Target, aclError> {
    let (target, current) = any(call, found)?;
    let stream = target.stream;
    if stream.context.load(Ordering::Relaxed) != current.index
        || stream.context_generation.load(Ordering::Relaxed) != current.generation
    {
        return Err(foreign(call));
    }
    Ok(target)
}

#[cold]
fn foreign(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_CONTEXT,
        format_args!(
            "{call} failed: the stream belongs to another context than the calling thread's; call \
             aclrtSetCurrentContext or aclrtSetDevice first"
        ),
    )
}

fn default(call: &str, current: &Current) -> Result<Target, aclError> {
    let (index, stream) = current
        .context
        .default_stream()
        .ok_or_else(|| stale(call, "the default stream", 0))?;
    Ok(Target {
        stream,
        generation: stream.generation().load(Ordering::Acquire),
        index,
    })
}

/// Submits a task to a stream that was checked. It is made in its place in the queue, which spares the smallest
/// ones a move through memory. The checker does not hear of it: while it is on, use [`push_told`].
#[inline(always)]
pub(crate) fn push(
    call: &str,
    target: Target,
    large: bool,
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    if detour::is_any() {
        return push_rarely(call, target, large, make);
    }
    queue(call, target, large, make)
}

/// As [`push`]; while the checker is on, `tell` tells it the task's number before anybody can run it. Apart, so that
/// what it needs is put together only then.
#[cold]
pub(crate) fn push_told(
    call: &str,
    target: Target,
    large: bool,
    tell: &dyn Fn(u64),
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    push(call, target, large, |number| {
        if check::is_on() {
            tell(number);
        }
        make(number)
    })
}

/// Submits a task while something is in the way of some stream.
#[cold]
fn push_rarely(
    call: &str,
    target: Target,
    large: bool,
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    if let Some(code) = failure(call, target.stream) {
        return code;
    }
    let Some(keeper) = detour::keeper() else {
        return queue(call, target, large, make);
    };
    match keeper.way(call, target) {
        Way::Queue => queue(call, target, large, make),
        Way::Keep => {
            let (task, usage) = check::keep(|| make(0));
            keeper.keep(call, target, task, large, usage)
        }
        Way::Refuse(code) => code,
    }
}

/// Submits a task where nothing is in the way of any stream: `detour::is_any()` was false.
#[inline(always)]
pub(crate) fn queue(
    call: &str,
    target: Target,
    large: bool,
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    match target.stream.push(target.generation, large, make) {
        Some(number) => {
            remember(number);
            ACL_SUCCESS
        }
        None => stale(call, "stream", 0),
    }
}

/// Makes a task the thread's last one.
pub(crate) fn remember(number: u64) {
    LAST_TASK.set(number);
}

/// The code of a stream whose context was stopped by a failed task.
#[inline(always)]
pub(crate) fn failure(call: &str, stream: &Stream) -> Option<aclError> {
    stream.stopped().map(|code| stopped(call, code))
}

#[cold]
fn stopped(call: &str, code: aclError) -> aclError {
    fail(
        code,
        format_args!(
            "{call} failed: a task failed on a stream in the mode ACL_STOP_ON_FAILURE, which stopped \
             the context; reset the device"
        ),
    )
}

/// What a synchronise has to tell about a stream: the first failure since the last one that told.
#[inline(always)]
pub(crate) fn outcome(call: &str, stream: &Stream) -> aclError {
    if stream.error.load(Ordering::Acquire) != ACL_SUCCESS {
        return tell(call, stream);
    }
    failure(call, stream).unwrap_or(ACL_SUCCESS)
}

#[cold]
fn tell(call: &str, stream: &Stream) -> aclError {
    let error = stream.error.swap(ACL_SUCCESS, Ordering::AcqRel);
    if error != ACL_SUCCESS {
        failed::tell(stream, error);
    }
    if let Some(code) = failure(call, stream) {
        return code;
    }
    match error {
        ACL_SUCCESS => ACL_SUCCESS,
        ACL_ERROR_RT_TASK_TIMEOUT => fail(
            error,
            format_args!(
                "{call} failed: EventWait task execution failed, reason=task timeout; a wait of the stream \
                 reached its limit, and what is behind it has run without what it waited for"
            ),
        ),
        code => fail(
            code,
            format_args!(
                "{call} failed: a task of the stream failed since the last synchronise; \
                 the emulator's `violations()` tells which"
            ),
        ),
    }
}

/// Waits for everything in a stream and tells its outcome.
#[inline(always)]
pub(crate) fn synchronise(call: &str, stream: &'static Stream, end: Option<Instant>) -> aclError {
    let submitted = stream.submitted();
    if drive(stream, submitted, end).is_err() {
        return timed_out(call);
    }
    check::note(move |checker| checker.synchronised(stream.slot(), submitted));
    outcome(call, stream)
}

/// Whether a synchronise waits for the stream: those that the device or a model drives are left alone.
pub(crate) fn is_synchronised(stream: &Stream) -> bool {
    let driven = ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
    stream.flags.load(Ordering::Relaxed) & driven == 0
}

/// The end of a timeout in milliseconds; -1 is none.
pub(crate) fn deadline(call: &str, timeout: i32) -> Result<Option<Instant>, aclError> {
    match timeout {
        -1 => Ok(None),
        1.. => Ok(Some(Instant::now() + Duration::from_millis(timeout as u64))),
        _ => Err(fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: timeout is {timeout}; pass milliseconds, or -1 for none"),
        )),
    }
}

#[cold]
pub(crate) fn timed_out(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
        format_args!("{call} failed: the work was not over in time; it goes on, wait again"),
    )
}
