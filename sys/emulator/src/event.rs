//! Events (`acl/acl_rt.h`): three constructors, three behaviours. What they share is in `signal.rs`.

use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_NO_EVENT_RESOURCE, ACL_ERROR_RT_PARAM_INVALID, ACL_EVENT_CAPTURE_STREAM_PROGRESS,
    ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL, ACL_EVENT_IPC,
    ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY,
    ACL_EVENT_STATUS_COMPLETE, ACL_EVENT_STATUS_NOT_READY, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE,
    ACL_EVENT_WAIT_STATUS_COMPLETE, ACL_EVENT_WAIT_STATUS_NOT_READY, ACL_SUCCESS, aclError,
    aclrtEvent, aclrtEventRecordedStatus, aclrtEventStatus, aclrtEventWaitStatus, aclrtStream,
};

use crate::context::{current, null};
use crate::engine::{drive, nudge};
use crate::error::fail;
use crate::signal::{Event, Kind, Record};
use crate::slots::{Found, handle};
use crate::state::state;
use crate::submit::{self, stale};
use crate::sync::lock;
use crate::task::{Task, Waited};
use crate::violation::{What, report};

/// Seconds after which a wait is given up that has no timeout of its own; 0 is never.
static WAIT_LIMIT: AtomicU32 = AtomicU32::new(0);

/// The event that a handle names.
fn find(call: &'static str, event: aclrtEvent) -> Result<(&'static Event, u32), aclError> {
    if event.is_null() {
        return Err(null(call, "event"));
    }
    let Found::Live {
        slot, generation, ..
    } = state().events.find(event)
    else {
        return Err(stale(call, "event", event.addr()));
    };
    let device = slot.device.load(Ordering::Relaxed);
    let epoch = state()
        .devices
        .get(device as usize)
        .map(|device| device.epoch());
    if epoch == Some(slot.epoch.load(Ordering::Relaxed)) {
        Ok((slot, generation))
    } else {
        Err(orphan(call, event, device))
    }
}

#[cold]
fn orphan(call: &'static str, event: aclrtEvent, device: u32) -> aclError {
    report(
        call,
        What::EventUsedAfterReset,
        format_args!("event {event:p} outlived device {device}; destroy events before the reset"),
    );
    fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        format_args!(
            "{call} failed: event {event:p} was used after its device {device} was reset (a card \
             crashes here); destroy events before the reset"
        ),
    )
}

#[cold]
fn unsupported(call: &str, why: &str) -> aclError {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: {why}"),
    )
}

/// # Safety
///
/// `out` is null or valid for a write.
unsafe fn create(call: &str, out: *mut aclrtEvent, kind: Kind) -> aclError {
    if out.is_null() {
        return null(call, "event");
    }
    let combined = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;
    let is_union = |flags: u32| flags != 0 && flags & !combined == 0;
    let alone = [ACL_EVENT_EXTERNAL, ACL_EVENT_DEVICE_USE_ONLY];
    match kind {
        Kind::Plain => {}
        Kind::WithFlag(flags) if is_union(flags) || alone.contains(&flags) => {}
        Kind::Ex(flags) if is_union(flags) => {}
        Kind::Ex(ACL_EVENT_IPC) => {
            return unsupported(call, "events that processes share are not modelled");
        }
        Kind::WithFlag(flags) | Kind::Ex(flags) => {
            return fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!(
                    "{call} failed: flag is {flags:#x}; combine ACL_EVENT_SYNC, \
                     ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE"
                ),
            );
        }
    }
    let device = match current(call) {
        Ok(current) => current.device(),
        Err(code) => return code,
    };
    let Some((index, event)) = state().events.take() else {
        return fail(
            ACL_ERROR_RT_NO_EVENT_RESOURCE,
            format_args!("{call} failed: too many events exist; destroy some"),
        );
    };
    let epoch = state()
        .devices
        .get(device as usize)
        .map_or(0, |device| device.epoch());
    event.index.store(index, Ordering::Relaxed);
    event.kind.store(kind.bits(), Ordering::Relaxed);
    event.device.store(device, Ordering::Relaxed);
    event.epoch.store(epoch, Ordering::Relaxed);
    event.users.store(1, Ordering::Relaxed);
    event.waits.store(0, Ordering::Relaxed);
    event.set.store(false, Ordering::Relaxed);
    *lock(&event.record) = None;
    let generation = event
        .generation
        .fetch_add(1, Ordering::Release)
        .wrapping_add(1);
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(handle::<Event>(index, generation)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError {
    // SAFETY: the same contract.
    unsafe { create("aclrtCreateEvent", event, Kind::Plain) }
}

pub(crate) unsafe extern "C" fn aclrtCreateEventWithFlag(
    event: *mut aclrtEvent,
    flag: u32,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { create("aclrtCreateEventWithFlag", event, Kind::WithFlag(flag)) }
}

pub(crate) unsafe extern "C" fn aclrtCreateEventExWithFlag(
    event: *mut aclrtEvent,
    flag: u32,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { create("aclrtCreateEventExWithFlag", event, Kind::Ex(flag)) }
}

pub(crate) unsafe extern "C" fn aclrtDestroyEvent(event: aclrtEvent) -> aclError {
    let call = "aclrtDestroyEvent";
    let code = find(call, event).err().unwrap_or(ACL_SUCCESS);
    // An event that outlived its device is refused and goes nevertheless: nothing else can end it.
    let Found::Live {
        slot, generation, ..
    } = state().events.find(event)
    else {
        return code;
    };
    let closed = slot.generation.compare_exchange(
        generation,
        generation + 1,
        Ordering::AcqRel,
        Ordering::Relaxed,
    );
    if closed.is_err() {
        return stale(call, "event", event.addr());
    }
    slot.release();
    // A stream may wait for a record that now cannot come.
    state().progress.announce();
    code
}

pub(crate) unsafe extern "C" fn aclrtRecordEvent(
    event: aclrtEvent,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtRecordEvent";
    if event.is_null() {
        return null(call, "event");
    }
    let checked = submit::find(call, stream).and_then(|found| {
        let (event, _) = find(call, event)?;
        if event.kind().is_device_only() {
            return Err(device_only(call));
        }
        Ok((event, submit::own(call, found)?))
    });
    let (event, target) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    let Some(context) = target.stream.context() else {
        return stale(call, "stream", 0);
    };
    let context_generation = target.stream.context_generation.load(Ordering::Relaxed);
    event.users.fetch_add(1, Ordering::Relaxed);
    let code = submit::push(call, target, Task::Record(event), false, |number| {
        let stream = target.stream;
        let record = Record {
            stream,
            number,
            context,
            context_generation,
            time: None,
        };
        *lock(&event.record) = Some(record);
    });
    if code != ACL_SUCCESS {
        event.release();
    }
    code
}

#[cold]
fn device_only(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: only the device uses an ACL_EVENT_DEVICE_USE_ONLY event"),
    )
}

pub(crate) unsafe extern "C" fn aclrtResetEvent(
    event: aclrtEvent,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtResetEvent";
    if event.is_null() {
        return null(call, "event");
    }
    let checked = submit::find(call, stream).and_then(|found| {
        let (event, _) = find(call, event)?;
        match event.kind() {
            kind if kind.is_device_only() => return Err(device_only(call)),
            Kind::Ex(_) => {
                return Err(unsupported(
                    call,
                    "an Ex event is recorded again, never reset",
                ));
            }
            kind if !kind.is_awaitable() => {
                return Err(unsupported(
                    call,
                    "the event was made without ACL_EVENT_SYNC",
                ));
            }
            _ => {}
        }
        Ok((event, submit::own(call, found)?))
    });
    let (event, target) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    event.users.fetch_add(1, Ordering::Relaxed);
    let code = submit::push(call, target, Task::Reset(event), false, |_| {});
    if code != ACL_SUCCESS {
        event.release();
    }
    code
}

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
    wait(
        "aclrtStreamWaitEventWithTimeout",
        stream,
        event,
        Some(timeout),
    )
}

/// Queues a wait. Without a timeout of its own it has that of the process.
fn wait(
    call: &'static str,
    stream: aclrtStream,
    event: aclrtEvent,
    timeout: Option<i32>,
) -> aclError {
    if event.is_null() {
        return null(call, "event");
    }
    let checked = submit::find(call, stream).and_then(|found| {
        let (event, _) = find(call, event)?;
        let kind = event.kind();
        if kind.is_device_only() {
            return Err(device_only(call));
        }
        let limit = match timeout {
            None if kind.is_external() => 0,
            None => WAIT_LIMIT.load(Ordering::Relaxed),
            Some(seconds) => u32::try_from(seconds).map_err(|_| {
                fail(
                    ACL_ERROR_RT_PARAM_INVALID,
                    format_args!(
                        "{call} failed: timeout is {seconds}; pass seconds, or 0 for none"
                    ),
                )
            })?,
        };
        if kind.is_external() && limit != 0 {
            return Err(fail(
                ACL_ERROR_INVALID_PARAM,
                format_args!("{call} failed: an external event is awaited without timeout"),
            ));
        }
        if !kind.is_awaitable() {
            return Err(unsupported(
                call,
                "streams wait only for events with ACL_EVENT_SYNC; add it to the event's flags",
            ));
        }
        let record = event.latest();
        if kind == Kind::Plain && record.is_none() {
            return Err(fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!("{call} failed: the event has not been recorded; record it first"),
            ));
        }
        Ok((event, kind, record, limit, submit::own(call, found)?))
    });
    let (event, kind, record, limit, target) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    let on = Waited {
        event,
        limit,
        since: None,
    };
    let task = match (kind, record) {
        (Kind::WithFlag(_), _) => Task::WaitFlag { on },
        (Kind::Ex(_), Some(record)) if std::ptr::eq(record.stream, target.stream) => {
            return submit::failure(call, target.stream).unwrap_or(ACL_SUCCESS);
        }
        (_, Some(record)) if !record.is_complete() => Task::Wait {
            on,
            until: (record.stream, record.number),
        },
        _ => return submit::failure(call, target.stream).unwrap_or(ACL_SUCCESS),
    };
    event.users.fetch_add(1, Ordering::Relaxed);
    event.waits.fetch_add(1, Ordering::Relaxed);
    let code = submit::push(call, target, task, false, |_| {});
    if code != ACL_SUCCESS {
        event.waited();
    }
    code
}

pub(crate) unsafe extern "C" fn aclrtQueryEvent(
    event: aclrtEvent,
    status: *mut aclrtEventStatus,
) -> aclError {
    let call = "aclrtQueryEvent";
    if status.is_null() {
        return null(call, "status");
    }
    let event = match find(call, event) {
        Ok((event, _)) => event,
        Err(code) => return code,
    };
    if matches!(event.kind(), Kind::Ex(_)) || event.kind().is_external() {
        return unsupported(call, "use aclrtQueryEventStatus for this kind of event");
    }
    let answer = if is_reached(event).unwrap_or(true) {
        ACL_EVENT_STATUS_COMPLETE
    } else {
        ACL_EVENT_STATUS_NOT_READY
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(answer) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtQueryEventStatus(
    event: aclrtEvent,
    status: *mut aclrtEventRecordedStatus,
) -> aclError {
    let call = "aclrtQueryEventStatus";
    if status.is_null() {
        return null(call, "status");
    }
    let event = match find(call, event) {
        Ok((event, _)) => event,
        Err(code) => return code,
    };
    if event.kind().is_external() {
        return unsupported(call, "an external event has no status outside of a graph");
    }
    let unrecorded = matches!(event.kind(), Kind::Ex(_));
    let answer = if is_reached(event).unwrap_or(unrecorded) {
        ACL_EVENT_RECORDED_STATUS_COMPLETE
    } else {
        ACL_EVENT_RECORDED_STATUS_NOT_READY
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(answer) };
    ACL_SUCCESS
}

/// Whether the latest record has been reached; `None` without a record.
fn is_reached(event: &Event) -> Option<bool> {
    let record = event.latest()?;
    nudge(record.stream, record.number);
    Some(record.is_complete())
}

pub(crate) unsafe extern "C" fn aclrtQueryEventWaitStatus(
    event: aclrtEvent,
    status: *mut aclrtEventWaitStatus,
) -> aclError {
    let call = "aclrtQueryEventWaitStatus";
    if status.is_null() {
        return null(call, "status");
    }
    let event = match find(call, event) {
        Ok((event, _)) => event,
        Err(code) => return code,
    };
    if matches!(event.kind(), Kind::Ex(_)) || event.kind().is_external() {
        return unsupported(call, "this kind of event does not count its waits");
    }
    let answer = if event.waits.load(Ordering::Acquire) == 0 {
        ACL_EVENT_WAIT_STATUS_COMPLETE
    } else {
        ACL_EVENT_WAIT_STATUS_NOT_READY
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(answer) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError {
    synchronise("aclrtSynchronizeEvent", event, -1)
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeEventWithTimeout(
    event: aclrtEvent,
    timeout: i32,
) -> aclError {
    let call = "aclrtSynchronizeEventWithTimeout";
    if timeout < -1 {
        return fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{call} failed: timeout is {timeout}; pass milliseconds, or -1 for none"),
        );
    }
    synchronise(call, event, timeout)
}

fn synchronise(call: &'static str, event: aclrtEvent, timeout: i32) -> aclError {
    let checked = find(call, event).and_then(|(event, _)| {
        if event.kind().is_external() {
            return Err(unsupported(
                call,
                "an external event is not awaited by the host",
            ));
        }
        Ok((event, submit::deadline(call, timeout)?))
    });
    let (event, deadline) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    let Some(record) = event.latest() else {
        return ACL_SUCCESS;
    };
    if drive(record.stream, record.number, deadline).is_err() {
        return fail(
            ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
            format_args!("{call} failed: the event was not reached in time; wait again"),
        );
    }
    // That earlier tasks succeeded is not said by this, unless a failure stops the context.
    let stopped = record.context.is(record.context_generation);
    match record.context.failure() {
        code if stopped && code != ACL_SUCCESS => fail(
            code,
            format_args!("{call} failed: a failed task has stopped the context; reset the device"),
        ),
        _ => ACL_SUCCESS,
    }
}

pub(crate) unsafe extern "C" fn aclrtEventElapsedTime(
    ms: *mut f32,
    startEvent: aclrtEvent,
    endEvent: aclrtEvent,
) -> aclError {
    let call = "aclrtEventElapsedTime";
    if ms.is_null() || startEvent.is_null() || endEvent.is_null() {
        return null(call, "ms, startEvent or endEvent");
    }
    let times = find(call, startEvent).and_then(|(start, _)| {
        let (end, _) = find(call, endEvent)?;
        if start.kind().is_external() || end.kind().is_external() {
            return Err(unsupported(call, "an external event carries no time"));
        }
        Ok((recorded(call, start)?, recorded(call, end)?))
    });
    let elapsed = times.and_then(|(start, end)| Ok(timed(call, end)? - timed(call, start)?));
    match elapsed {
        Ok(microseconds) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { ms.write((microseconds / 1e3) as f32) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

fn recorded(call: &str, event: &'static Event) -> Result<(&'static Event, Record), aclError> {
    event.latest().map(|record| (event, record)).ok_or_else(|| {
        fail(
            ACL_ERROR_RT_INTERNAL_ERROR,
            format_args!("{call} failed: an event was never recorded; record both"),
        )
    })
}

fn timed(call: &str, (event, record): (&Event, Record)) -> Result<f64, aclError> {
    let time = record.time.filter(|_| record.is_complete());
    time.ok_or_else(|| {
        let why = if event.kind().has_time() {
            "an event is not complete; synchronise it first"
        } else {
            "an event carries no time; create it with ACL_EVENT_TIME_LINE"
        };
        fail(
            ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
            format_args!("{call} failed: {why}"),
        )
    })
}

pub(crate) unsafe extern "C" fn aclrtEventGetTimestamp(
    event: aclrtEvent,
    timestamp: *mut u64,
) -> aclError {
    let call = "aclrtEventGetTimestamp";
    if timestamp.is_null() {
        return null(call, "timestamp");
    }
    let found = find(call, event).and_then(|(event, _)| {
        if event.kind().is_external() {
            return Err(unsupported(call, "an external event carries no time"));
        }
        recorded(call, event)
    });
    let time = match found {
        // Events without a time line answer with no time and no error.
        Ok((event, record)) if !event.kind().has_time() && record.is_complete() => Ok(0.0),
        Ok(found) => timed(call, found),
        Err(code) => Err(code),
    };
    match time {
        Ok(microseconds) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { timestamp.write(microseconds as u64) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}
