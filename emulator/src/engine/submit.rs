//! Submitting work to a stream, and learning what became of it: the checks that all calls share.
//!
//! The order of the checks is the runtime's: the handle, then (in the caller) the parameters, then the
//! context.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_STREAM_CONTEXT,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_TASK_TIMEOUT, ACL_STREAM_CPU_SCHEDULE,
    ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_PERSISTENT, ACL_SUCCESS, aclError, aclrtStream,
};

use crate::check::{self, Touch};
use crate::engine::current::{Current, current};
use crate::engine::detour::{self, Way};
use crate::engine::drive::drive;
use crate::engine::engine;
use crate::engine::failed;
use crate::engine::queue::Stream;
use crate::engine::task::{KernelTask, Task};
use crate::engine::worker::LARGE;
use crate::error::{fail, null};
use crate::handles::slots::{Found, Slot};
use crate::space::place::Place;
use crate::space::space;

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

/// Memory that a kernel works on: a device range by its address.
#[derive(Debug)]
pub(crate) struct Span {
    /// First byte, a device address.
    pub(crate) address: usize,
    /// Bytes.
    pub(crate) len: usize,
    /// Whether the kernel writes there.
    pub(crate) write: bool,
    /// Whether it touches every byte of the range, and not only some.
    pub(crate) dense: bool,
}

impl From<&Span> for Touch {
    fn from(span: &Span) -> Touch {
        Touch {
            address: span.address,
            len: span.len,
            write: span.write,
            dense: span.dense,
        }
    }
}

/// A span at execution, where the kernel can reach it.
///
/// # Invariants
///
/// `len` bytes at `pointer` are valid for reads and writes while the kernel runs. An empty span has a
/// dangling pointer.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// First byte, with the alignment of the device address up to 4096.
    pub(crate) pointer: *mut u8,
    /// Bytes.
    pub(crate) len: usize,
}

/// What a kernel does with its spans, in the order in which they were given; a graph runs it more
/// than once.
pub(crate) type Kernel = Arc<dyn Fn(&[Mapped]) + Send + Sync>;

/// Queues a kernel on a stream.
///
/// The spans are looked up now. A span that lies in no single allocation, or whose allocation was
/// freed by the time the kernel's turn comes, fails the task and not this call.
pub(crate) fn submit_kernel(
    stream: aclrtStream,
    name: &'static str,
    spans: Vec<Span>,
    kernel: Kernel,
) -> aclError {
    let bytes = spans
        .iter()
        .map(|span| span.len)
        .fold(0, usize::saturating_add);
    let places = spans.iter().map(|span| {
        let place = Place::new(space(), span.address, span.len);
        place.map(|place| (place, span.len)).ok_or(span)
    });
    match places.collect::<Result<Vec<_>, &Span>>() {
        Ok(places) => {
            let task = Task::Kernel(Box::new(KernelTask {
                name,
                places,
                kernel,
            }));
            match find(name, stream).and_then(|found| own(name, found)) {
                Ok(target) => push(name, target, task, bytes >= LARGE, &|number| {
                    check::tell(name, |checker, site| {
                        let touches = spans.iter().map(Touch::from).collect();
                        checker.queued(target.stream.slot(), number, touches, false, site);
                    });
                }),
                Err(code) => code,
            }
        }
        Err(Span {
            address,
            len,
            write,
            ..
        }) => fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{name} failed: {} {len} bytes at {address:#x}, which is no device memory; pass \
                 memory of aclrtMalloc",
                if *write { "it writes" } else { "it reads" }
            ),
        ),
    }
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

/// Submits a task to the stream that a handle names.
pub(crate) fn submit(call: &str, stream: aclrtStream, task: Task, large: bool) -> aclError {
    match find(call, stream).and_then(|found| own(call, found)) {
        Ok(target) => push(call, target, task, large, &|_| {}),
        Err(code) => code,
    }
}

/// Submits a task to a stream that was checked. `tell` learns the task's number before anybody can run
/// it; it is called only while the checker is on.
pub(crate) fn push(
    call: &str,
    target: Target,
    task: Task,
    large: bool,
    tell: &dyn Fn(u64),
) -> aclError {
    let unblocks = task.may_unblock();
    let code = push_made(call, target, large, |number| {
        if check::is_on() {
            tell(number);
        }
        task
    });
    if unblocks {
        engine().progress.announce();
    }
    code
}

/// Submits a task that is made in its place in the queue, which spares the smallest ones a move through
/// memory. The checker does not hear of it: while it is on, use [`push_told`].
#[inline(always)]
pub(crate) fn push_made(
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

/// The same while something is in the way of some stream.
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

/// The same where nothing is in the way of any stream: `detour::is_any()` was false.
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

/// As [`push_made`]; `tell` tells the checker. Apart, so that what it needs is put together only then.
#[cold]
pub(crate) fn push_told(
    call: &str,
    target: Target,
    large: bool,
    tell: &dyn Fn(u64),
    make: impl FnOnce(u64) -> Task,
) -> aclError {
    push_made(call, target, large, |number| {
        tell(number);
        make(number)
    })
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
