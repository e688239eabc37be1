//! Waits of streams for events (`acl/acl_rt.h`).

use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtEvent, aclrtStream};

use super::{device_only, find, ipc, unsupported};
use crate::check;
use crate::engine::signal::{Event, EventKind};
use crate::engine::slow_path;
use crate::engine::submit::{self, Target, stale};
use crate::engine::task::{Task, Waited};
use crate::graph;
use crate::object_calls::{invalid, invalid_below, not_null, status};

/// The timeout in seconds of a wait that has no timeout of its own; 0 means no timeout.
static WAIT_LIMIT: AtomicU32 = AtomicU32::new(0);

pub(crate) unsafe extern "C" fn aclrtStreamWaitEvent(
    stream: aclrtStream,
    event: aclrtEvent,
) -> aclError {
    wait("aclrtStreamWaitEvent", stream, event, None)
}

pub(crate) unsafe extern "C" fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError {
    WAIT_LIMIT.store(timeout, Ordering::Relaxed);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtStreamWaitEventWithTimeout(
    stream: aclrtStream,
    event: aclrtEvent,
    timeout: i32,
) -> aclError {
    let call = "aclrtStreamWaitEventWithTimeout";
    if event.is_null() {
        return invalid_below(call, format_args!("event is NULL; pass an event"));
    }
    wait(call, stream, event, Some(timeout))
}

/// Queues a wait. A wait without a timeout of its own has the timeout of the process.
pub(crate) fn wait(
    call: &'static str,
    stream: aclrtStream,
    event: aclrtEvent,
    timeout: Option<i32>,
) -> aclError {
    let queued = if slow_path::is_any() {
        wait_rarely(call, stream, event, timeout)
    } else {
        queue_wait::<false>(call, stream, event, timeout)
    };
    status(queued)
}

/// Queues a wait while some stream needs the slow path (`engine/slow_path.rs`).
#[cold]
fn wait_rarely(
    call: &'static str,
    stream: aclrtStream,
    event: aclrtEvent,
    timeout: Option<i32>,
) -> Result<(), aclError> {
    queue_wait::<true>(call, stream, event, timeout)
}

/// Queues a wait. `RARE` selects the slow path (`engine/slow_path.rs`) at compile time.
#[inline(always)]
fn queue_wait<const RARE: bool>(
    call: &'static str,
    stream: aclrtStream,
    handle: aclrtEvent,
    timeout: Option<i32>,
) -> Result<(), aclError> {
    not_null(call, "event", handle)?;
    let found = submit::find(call, stream)?;
    let event = find(call, handle)?;
    let kind = event.kind();
    if kind.is_device_only() {
        return Err(device_only(call));
    }
    let limit = wait_limit(call, kind, timeout)?;
    if !kind.is_awaitable() {
        if kind.is_ipc() {
            return ipc::wait(call, handle, submit::own(call, found)?);
        }
        let why = "streams wait only for events with ACL_EVENT_SYNC; add it to the event's flags";
        return Err(unsupported(call, why));
    }
    if RARE {
        let target = submit::own(call, found)?;
        if !event.refer_as(handle) {
            return Err(stale(call, "event", handle.addr()));
        }
        let done = graph::wait(call, target, event, handle, limit);
        event.release();
        if let Some(done) = done {
            return done;
        }
    }
    let record = event.latest();
    if record.is_none() {
        unrecorded(call, handle, kind)?;
    }
    let target = submit::own(call, found)?;
    check::note(&|checker| checker.waits(target.stream.slot(), handle.addr()));
    let on = Waited {
        event,
        limit,
        since: None,
    };
    match (kind, record) {
        (EventKind::WithFlag(_), _) => {
            await_event::<RARE>(call, target, (event, handle), move || Task::WaitFlag { on })
        }
        // A stream need not wait for its own record.
        (EventKind::Ex(_), Some(record)) if ptr::eq(record.stream, target.stream) => {
            not_stopped::<RARE>(call, target)
        }
        (_, Some(record)) if !record.is_complete() => {
            let until = (record.stream, record.number);
            await_event::<RARE>(call, target, (event, handle), move || Task::Wait {
                on,
                until,
            })
        }
        _ => not_stopped::<RARE>(call, target),
    }
}

/// Checks that no task has stopped a stream's context.
#[inline(always)]
fn not_stopped<const RARE: bool>(call: &str, target: Target) -> Result<(), aclError> {
    if RARE {
        submit::failure(call, target.stream).map_or(Ok(()), Err)
    } else {
        Ok(())
    }
}

/// Queues the task that waits.
#[inline(always)]
fn await_event<const RARE: bool>(
    call: &str,
    target: Target,
    (event, handle): (&'static Event, aclrtEvent),
    task: impl FnOnce() -> Task,
) -> Result<(), aclError> {
    if !event.refer_to_wait_as(handle) {
        return Err(stale(call, "event", handle.addr()));
    }
    let make = |_| task();
    let code = if RARE {
        submit::push(call, target, false, make)
    } else {
        submit::queue(call, target, false, make)
    };
    match code {
        ACL_SUCCESS => Ok(()),
        code => {
            event.waited();
            Err(code)
        }
    }
}

/// Returns the timeout of a wait in seconds.
#[inline(always)]
fn wait_limit(call: &str, kind: EventKind, timeout: Option<i32>) -> Result<u32, aclError> {
    let limit = match timeout {
        None if kind.is_external() => 0,
        None => WAIT_LIMIT.load(Ordering::Relaxed),
        Some(seconds) => u32::try_from(seconds).map_err(|_| {
            invalid_below(
                call,
                format_args!("timeout is {seconds}; pass seconds, or 0 for none"),
            )
        })?,
    };
    if kind.is_external() && limit != 0 {
        return Err(invalid(
            call,
            format_args!("an external event is awaited without timeout"),
        ));
    }
    Ok(limit)
}

/// Returns the result of a wait for an event without a record: an error for one kind of event, success for the
/// others.
#[cold]
fn unrecorded(call: &str, event: aclrtEvent, kind: EventKind) -> Result<(), aclError> {
    if !matches!(kind, EventKind::WithFlag(_)) {
        check::tell(call, &|checker, site| {
            checker.waits_for_nothing(event.addr(), site);
        });
    }
    if kind == EventKind::Plain {
        return Err(invalid_below(
            call,
            format_args!("the event has not been recorded; record it first"),
        ));
    }
    Ok(())
}
