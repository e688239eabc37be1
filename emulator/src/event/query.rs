//! Queries of events, waits of the host for events, and times of events.

use std::time::Instant;

use ascendcl_sys::{
    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
    ACL_ERROR_RT_INTERNAL_ERROR, ACL_EVENT_RECORDED_STATUS_COMPLETE,
    ACL_EVENT_RECORDED_STATUS_NOT_READY, ACL_EVENT_STATUS_COMPLETE, ACL_EVENT_STATUS_NOT_READY,
    ACL_EVENT_WAIT_STATUS_COMPLETE, ACL_EVENT_WAIT_STATUS_NOT_READY, ACL_SUCCESS, aclError,
    aclrtEvent, aclrtEventRecordedStatus, aclrtEventStatus, aclrtEventWaitStatus,
};

use super::{ipc, unsupported};
use crate::check;
use crate::config::Clock;
use crate::engine::current::current;
use crate::engine::device::Device;
use crate::engine::drive::{TimedOut, nudge};
use crate::engine::signal::{Event, EventKind, Record};
use crate::engine::{engine, submit};
use crate::error::{fail, null};
use crate::graph;
use crate::object_calls::{attempt, invalid_below, not_null, status};
use crate::sync::Ticket;

/// Returns the event of a handle, unless its record belongs to a capture.
#[inline(always)]
fn find(call: &'static str, event: aclrtEvent) -> Result<&'static Event, aclError> {
    let found = super::find(call, event)?;
    graph::event_not_captured(call, event)?;
    Ok(found)
}

/// Returns the number of hardware events that the current device has left.
pub(crate) unsafe extern "C" fn aclrtGetEventAvailNum(eventCount: *mut u32) -> aclError {
    let call = "aclrtGetEventAvailNum";
    attempt!(not_null(call, "eventCount", eventCount));
    match current(call) {
        Err(code) => code,
        Ok(current) => {
            let left = engine()
                .devices
                .get(current.device() as usize)
                .map_or(0, Device::events_left);
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { eventCount.write(left) };
            ACL_SUCCESS
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtQueryEvent(
    event: aclrtEvent,
    status: *mut aclrtEventStatus,
) -> aclError {
    let call = "aclrtQueryEvent";
    attempt!(not_null(call, "status", status));
    let handle = event;
    let event = attempt!(find(call, event));
    if matches!(event.kind(), EventKind::Ex(_)) || event.kind().is_external() {
        return unsupported(call, "use aclrtQueryEventStatus for this kind of event");
    }
    let answer = if is_reached(event, handle).unwrap_or(true) {
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
    attempt!(not_null(call, "status", status));
    let handle = event;
    let event = attempt!(find(call, event));
    if event.kind().is_external() {
        return unsupported(call, "an external event has no status outside of a graph");
    }
    let is_ex = matches!(event.kind(), EventKind::Ex(_));
    let is_complete = if event.kind().is_ipc() {
        attempt!(ipc::is_reached(call, handle))
    } else {
        is_reached(event, handle).unwrap_or(is_ex)
    };
    let answer = if is_complete {
        ACL_EVENT_RECORDED_STATUS_COMPLETE
    } else {
        ACL_EVENT_RECORDED_STATUS_NOT_READY
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(answer) };
    ACL_SUCCESS
}

/// Returns whether the latest record is complete, or `None` if there is no record.
#[inline(always)]
fn is_reached(event: &Event, handle: aclrtEvent) -> Option<bool> {
    let record = event.latest()?;
    let reached = nudge(record.stream, record.number) && !record.is_dropped;
    if reached {
        check::note(&move |checker| checker.event_reached(handle.addr()));
    }
    Some(reached)
}

pub(crate) unsafe extern "C" fn aclrtQueryEventWaitStatus(
    event: aclrtEvent,
    status: *mut aclrtEventWaitStatus,
) -> aclError {
    let call = "aclrtQueryEventWaitStatus";
    attempt!(not_null(call, "status", status));
    let event = attempt!(find(call, event));
    if matches!(event.kind(), EventKind::Ex(_)) || event.kind().is_external() {
        return unsupported(call, "this kind of event does not count its waits");
    }
    let answer = if event.is_awaited() {
        ACL_EVENT_WAIT_STATUS_NOT_READY
    } else {
        ACL_EVENT_WAIT_STATUS_COMPLETE
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
        return invalid_below(
            call,
            format_args!("timeout is {timeout}; pass milliseconds, or -1 for none"),
        );
    }
    synchronise(call, event, timeout)
}

fn synchronise(call: &'static str, event: aclrtEvent, timeout: i32) -> aclError {
    let handle = event;
    let checked = find(call, event).and_then(|event| {
        if event.kind().is_external() {
            return Err(unsupported(
                call,
                "an external event is not awaited by the host",
            ));
        }
        Ok((event, submit::deadline(call, timeout)?))
    });
    let (event, deadline) = attempt!(checked);
    if event.kind().is_ipc() {
        return status(ipc::synchronise(call, handle, deadline));
    }
    let Some(mut record) = event.latest() else {
        return ACL_SUCCESS;
    };
    if record.stream.completed() < record.number {
        attempt!(submit::not_inside(call, record.stream));
    }
    let late = || {
        fail(
            ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
            format_args!("{call} failed: the event was not reached in time; wait again"),
        )
    };
    if record.is_dropped {
        record = match later_record(event, deadline) {
            Ok(Some(later)) => later,
            Ok(None) => return ACL_SUCCESS,
            Err(TimedOut) => return late(),
        };
    }
    let waited = submit::drive_to(call, record.stream, record.number, deadline);
    if attempt!(waited).is_err() {
        return late();
    }
    check::note(&|checker| checker.event_reached(handle.addr()));
    // A complete record does not mean that earlier tasks succeeded, unless a failure stops the context.
    match record.stopped() {
        Some(code) => fail(
            code,
            format_args!("{call} failed: a failed task has stopped the context; reset the device"),
        ),
        None => ACL_SUCCESS,
    }
}

/// Waits for an event whose record an abort has dropped, until the event is recorded again, which may never be. Returns that
/// record, or `None` if the event was destroyed or reset.
#[cold]
fn later_record(event: &Event, deadline: Option<Instant>) -> Result<Option<Record>, TimedOut> {
    let mut ticket = None;
    loop {
        match event.latest() {
            Some(record) if record.is_dropped => {}
            latest => return Ok(latest),
        }
        if let Some(deadline) = deadline
            && (engine().config.clock == Clock::Still || deadline <= Instant::now())
        {
            return Err(TimedOut);
        }
        match ticket.take() {
            None => ticket = Some(engine().progress.ticket()),
            Some(held) => {
                Ticket::wait(held, deadline);
            }
        }
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
    let times = find(call, startEvent).and_then(|start| {
        let end = find(call, endEvent)?;
        if !may_have_time(start) || !may_have_time(end) {
            return Err(timeless(call));
        }
        Ok((recorded(call, start)?, recorded(call, end)?))
    });
    let elapsed = times.and_then(|(start, end)| Ok(timed(call, end)? - timed(call, start)?));
    let microseconds = attempt!(elapsed);
    check::note(&|checker| checker.event_reached(startEvent.addr()));
    check::note(&|checker| checker.event_reached(endEvent.addr()));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { ms.write((microseconds / 1e3) as f32) };
    ACL_SUCCESS
}

fn may_have_time(event: &Event) -> bool {
    !event.kind().is_external() && !event.kind().is_ipc()
}

#[cold]
fn timeless(call: &str) -> aclError {
    unsupported(
        call,
        "neither an external event nor a shared one carries a time",
    )
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
    attempt!(not_null(call, "timestamp", timestamp));
    let found = find(call, event).and_then(|event| {
        if !may_have_time(event) {
            return Err(timeless(call));
        }
        recorded(call, event)
    });
    let time = match found {
        // Events without a time line return the time 0 and no error.
        Ok((event, record)) if !event.kind().has_time() && record.is_complete() => Ok(0.0),
        Ok(found) => timed(call, found),
        Err(code) => Err(code),
    };
    let microseconds = attempt!(time);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { timestamp.write(microseconds as u64) };
    ACL_SUCCESS
}
