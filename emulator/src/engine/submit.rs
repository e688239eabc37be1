//! The submission of work to a stream and the result of a synchronise: the checks that all calls share.
//!
//! The order of the checks is that of the runtime: first the handle, then (in the caller) the parameters, then the
//! context.
//!
//! [`push`] submits a task, and [`push_told`] also reports it to the checker. [`queue`] is for callers that have
//! checked [`slow_path`] themselves.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_STREAM_ABORT,
    ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT,
    ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_PERSISTENT, ACL_SUCCESS,
    aclError, aclrtStream,
};

use crate::check;
use crate::engine::current::{Current, current};
use crate::engine::drive::{TimedOut, drive_unless_aborted};
use crate::engine::queue::Stream;
use crate::engine::slow_path::{self, Reason, Way};
use crate::engine::task::Task;
use crate::engine::{engine, failed};
use crate::error::{fail, null};
use crate::handles::slots::{Found, Slot};
use crate::object_calls::{attempt, invalid_below};
use crate::observe::violation;

thread_local! {
    /// The number of the task that the thread submitted last.
    static LAST_TASK: Cell<u64> = const { Cell::new(0) };
}

pub(crate) unsafe extern "C" fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> aclError {
    if taskId.is_null() {
        return null("aclrtGetThreadLastTaskId", "taskId");
    }
    // SAFETY: not null, and valid for a write by the caller's contract.
    unsafe { taskId.write(LAST_TASK.get() as u32) };
    ACL_SUCCESS
}

/// A stream, with the generation of its slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) stream: &'static Stream,
    pub(crate) generation: u32,
    pub(crate) index: u32,
}

impl Target {
    /// Returns a key that differs from the keys of all other streams, including past and future ones.
    pub(crate) fn key(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

/// Returns the stream of a handle; `None` means the default stream of the current context.
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

/// Reports a handle of an object that does not exist, or not any more, and returns the code.
#[cold]
pub(crate) fn stale(call: &str, argument: &str, handle: usize) -> aclError {
    check::tell(call, &|checker, site| checker.stale(argument, handle, site));
    fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        format_args!(
            "{call} failed: {argument} {handle:#x} does not exist: it was destroyed, its device was \
             reset, or it never was one"
        ),
    )
}

/// Returns the stream for a call that only queries it or waits for it. There has to be a current context, which can
/// be another one than that of the stream.
#[inline(always)]
pub(crate) fn any(call: &str, found: Option<Target>) -> Result<(Target, Current), aclError> {
    let current = current(call)?;
    let target = match found {
        Some(target) => target,
        None => default(call, &current)?,
    };
    Ok((target, current))
}

/// Returns the stream for a call that submits to it. The stream has to belong to the current context.
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

/// Submits a task to a stream that was checked. `make` builds the task in its place in the queue, so that small tasks
/// are not moved in memory. The checker gets no report; while it is on, use [`push_told`].
#[inline(always)]
pub(crate) fn push(
    call: &str,
    target: Target,
    large: bool,
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    if slow_path::is_any() {
        // Boxed, so that the slow path is compiled once and not for each kind of task.
        return push_rarely(call, target, large, Box::new(make));
    }
    queue(call, target, large, make)
}

/// Submits a task like [`push`]. While the checker is on, `tell` reports the number of the task to it before any
/// thread can run the task. This is a function of its own, so that the data for the report is collected only while
/// the checker is on.
#[cold]
pub(crate) fn push_told(
    call: &str,
    target: Target,
    large: bool,
    tell: &dyn Fn(u64),
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    push_boxed(call, target, large, tell, Box::new(make))
}

/// What builds a task from its number, for functions that are compiled once.
type Make<'a> = Box<dyn FnOnce(u64) -> Task + 'a>;

#[cold]
fn push_boxed(
    call: &str,
    target: Target,
    large: bool,
    tell: &dyn Fn(u64),
    make: Make<'_>,
) -> aclError {
    push(call, target, large, |number| {
        if check::is_on() {
            tell(number);
        }
        make(number)
    })
}

/// Submits a task on the slow path.
#[cold]
fn push_rarely(call: &str, target: Target, large: bool, make: Make<'_>) -> aclError {
    if let Some(code) = failure(call, target.stream) {
        return code;
    }
    let Some(recorder) = slow_path::recorder() else {
        return queue(call, target, large, make);
    };
    match recorder.way(target) {
        Way::Queue => queue(call, target, large, make),
        Way::Keep => {
            let (task, usage) = check::keep(|| make(0));
            recorder.keep(call, target, task, large, usage)
        }
    }
}

/// Submits a task on the fast path: `slow_path::is_any()` was false.
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

/// Stores the number of the last task of the thread.
pub(crate) fn remember(number: u64) {
    LAST_TASK.set(number);
}

/// Returns the code of the failed task that stopped the context of a stream, or of an abort that failed half-way, if there
/// is one.
#[inline(always)]
pub(crate) fn failure(call: &str, stream: &Stream) -> Option<aclError> {
    if !slow_path::is_any() {
        return None;
    }
    failure_of(call, stream)
}

#[cold]
fn failure_of(call: &str, stream: &Stream) -> Option<aclError> {
    if slow_path::is(Reason::Aborted) && stream.is_half_aborted() {
        return Some(aborted(call, ACL_ERROR_RT_STREAM_ABORT));
    }
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

/// Returns the result of a synchronise: the first failure of the stream since the last synchronise that returned one.
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
                 reached its time limit, and the tasks after the wait have run without the awaited event"
            ),
        ),
        code if stream.is_injected() => fail(
            code,
            format_args!("{call} failed: a task of the stream failed because of an injected fault"),
        ),
        code => fail(
            code,
            format_args!(
                "{call} failed: a task of the stream failed since the last synchronise; \
                 the emulator's `violations()` names the task{}",
                violation::cause()
            ),
        ),
    }
}

/// Waits for all tasks of a stream and returns the result.
#[inline(always)]
pub(crate) fn synchronise(call: &str, stream: &'static Stream, end: Option<Instant>) -> aclError {
    attempt!(not_inside(call, stream));
    let submitted = stream.submitted();
    match drive_to(call, stream, submitted, end) {
        Ok(Ok(())) => {}
        Ok(Err(TimedOut)) => return timed_out(call),
        Err(code) => return told(stream, code),
    }
    check::note(&move |checker| checker.synchronised(stream.slot(), submitted));
    outcome(call, stream)
}

/// Returns the code of a wait for a stream that has ended early. If it is the failure of the stream, no later wait returns it.
pub(crate) fn told(stream: &Stream, code: aclError) -> aclError {
    let _ = stream
        .error
        .compare_exchange(code, ACL_SUCCESS, Ordering::AcqRel, Ordering::Relaxed);
    code
}

/// Waits until a stream has completed a number of tasks, for a call of the program. An abort of the stream ends the wait with
/// its code.
#[inline(always)]
pub(crate) fn drive_to(
    call: &str,
    stream: &'static Stream,
    number: u64,
    end: Option<Instant>,
) -> Result<Result<(), TimedOut>, aclError> {
    if stream.completed() >= number && !stream.is_aborted() {
        return Ok(Ok(()));
    }
    wait_for(call, stream, number, end)
}

#[inline(never)]
fn wait_for(
    call: &str,
    stream: &'static Stream,
    number: u64,
    end: Option<Instant>,
) -> Result<Result<(), TimedOut>, aclError> {
    if drive_unless_aborted(stream, number, end).is_err() {
        return if stream.is_aborted() {
            Err(aborted(call, ACL_ERROR_RT_STREAM_ABORT))
        } else {
            Ok(Err(TimedOut))
        };
    }
    match stream.drop_of(number) {
        Some(code) => Err(aborted(call, code)),
        None => Ok(Ok(())),
    }
}

#[cold]
fn aborted(call: &str, code: aclError) -> aclError {
    fail(
        code,
        format_args!(
            "{call} failed: the stream was aborted, or its device lost, and its queued tasks are dropped"
        ),
    )
}

/// Refuses a wait for the stream that runs the function of the program which makes this call. The stream goes on when
/// the function has returned, so the wait would never end.
#[inline]
pub(crate) fn not_inside(call: &str, stream: &Stream) -> Result<(), aclError> {
    if check::is_called_by(stream.slot()) {
        return Err(inside(call));
    }
    Ok(())
}

/// Refuses the end of a device or context inside of a function of the program for which a stream waits.
pub(crate) fn no_end_inside(call: &str) -> Result<(), aclError> {
    if check::is_called() {
        return Err(inside(call));
    }
    Ok(())
}

#[cold]
fn inside(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_INTERNAL_ERROR,
        format_args!(
            "{call} failed: a host function waits for the stream that runs it, and that goes on when the function has \
             returned; on a card the call may never return"
        ),
    )
}

/// Returns whether a synchronise waits for the stream. It does not wait for streams that the device or a model
/// drives.
pub(crate) fn is_synchronised(stream: &Stream) -> bool {
    let driven = ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
    stream.flags.load(Ordering::Relaxed) & driven == 0
}

/// Returns the end of a timeout in milliseconds; -1 means no timeout.
pub(crate) fn deadline(call: &str, timeout: i32) -> Result<Option<Instant>, aclError> {
    match timeout {
        -1 => Ok(None),
        1.. => Ok(Some(Instant::now() + Duration::from_millis(timeout as u64))),
        _ => Err(invalid_below(
            call,
            format_args!("timeout is {timeout}; pass milliseconds, or -1 for none"),
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
