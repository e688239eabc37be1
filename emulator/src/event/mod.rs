//! Events (`acl/acl_rt.h`). Three constructors make three kinds with different behaviour. Their common part is in
//! `engine/signal.rs`. Notifies are in `notify`, what processes share of them in `exported`, and those that count in `counter`.
//! Events that processes share are in `ipc`.

use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_NO_EVENT_RESOURCE, ACL_EVENT_CAPTURE_STREAM_PROGRESS, ACL_EVENT_DEVICE_USE_ONLY,
    ACL_EVENT_EXTERNAL, ACL_EVENT_IPC, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_SUCCESS, aclError,
    aclrtEvent, aclrtStream,
};

pub(crate) mod counter;
pub(crate) mod exported;
mod flagged;
pub(crate) mod ipc;
pub(crate) mod notify;
mod query;
mod wait;

pub(crate) use flagged::*;
pub(crate) use query::*;
pub(crate) use wait::*;

use crate::check::{self, violated};
use crate::engine::current::current;
use crate::engine::engine;
use crate::engine::signal::{Event, EventKind};
use crate::engine::slow_path::{self, Reason};
use crate::engine::submit::{self, Target, stale};
use crate::engine::task::Task;
use crate::error::{fail, null};
use crate::graph;
use crate::handles::slots::{Found, handle};
use crate::object_calls::{attempt, invalid_below, not_null, status};
use crate::observe::violation::What;

/// Returns the event of a handle.
#[inline(always)]
fn find(call: &'static str, event: aclrtEvent) -> Result<&'static Event, aclError> {
    let Found::Live { slot, .. } = engine().events.find(event) else {
        return Err(missing(call, event));
    };
    let device = slot.device.load(Ordering::Relaxed);
    let epoch = engine()
        .devices
        .get(device as usize)
        .map(|device| device.epoch());
    if epoch == Some(slot.epoch.load(Ordering::Relaxed)) {
        Ok(slot)
    } else {
        Err(orphan(call, event, device))
    }
}

#[cold]
fn missing(call: &str, event: aclrtEvent) -> aclError {
    if event.is_null() {
        null(call, "event")
    } else {
        stale(call, "event", event.addr())
    }
}

#[cold]
fn orphan(call: &'static str, event: aclrtEvent, device: u32) -> aclError {
    violated(
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

#[cold]
fn run_out(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_NO_EVENT_RESOURCE,
        format_args!("{call} failed: too many events exist; destroy some"),
    )
}

/// # Safety
///
/// `out` is null or valid for a write.
unsafe fn create(
    call: &str,
    out: *mut aclrtEvent,
    kind: EventKind,
    takes_hardware: bool,
) -> aclError {
    // SAFETY: the caller's contract.
    let code = unsafe { open(call, out, kind, takes_hardware) };
    if code == ACL_SUCCESS {
        // SAFETY: not null, because the event was made; the caller's contract.
        let event = unsafe { out.read() };
        check::tell(call, &|checker, site| {
            let is_flag = matches!(kind, EventKind::WithFlag(_));
            checker.event_created(event.addr(), is_flag, site);
        });
    }
    code
}

/// Creates an event of which the checker learns elsewhere.
///
/// # Safety
///
/// `out` is null or valid for a write.
unsafe fn open(
    call: &str,
    out: *mut aclrtEvent,
    kind: EventKind,
    takes_hardware: bool,
) -> aclError {
    attempt!(not_null(call, "event", out));
    let combined = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;
    let is_union = |flags: u32| flags != 0 && flags & !combined == 0;
    let alone = [ACL_EVENT_EXTERNAL, ACL_EVENT_DEVICE_USE_ONLY];
    match kind {
        EventKind::Plain => {}
        EventKind::WithFlag(flags) if is_union(flags) || alone.contains(&flags) => {}
        EventKind::Ex(flags) if is_union(flags) || flags == ACL_EVENT_IPC => {}
        EventKind::WithFlag(flags) | EventKind::Ex(flags) => {
            return invalid_below(
                call,
                format_args!(
                    "flag is {flags:#x}; combine ACL_EVENT_SYNC, ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE, \
                     or pass another kind of event alone"
                ),
            );
        }
    }
    let device = match current(call) {
        Ok(current) => current.device(),
        Err(code) => return code,
    };
    let Some((index, event)) = engine().events.take() else {
        return run_out(call);
    };
    let epoch = engine()
        .devices
        .get(device as usize)
        .map_or(0, |device| device.epoch());
    event.index.store(index, Ordering::Relaxed);
    event.kind.store(kind.bits(), Ordering::Relaxed);
    event.device.store(device, Ordering::Relaxed);
    event.epoch.store(epoch, Ordering::Relaxed);
    if takes_hardware && !event.take_hardware() {
        engine().events.put(index);
        return run_out(call);
    }
    event.open();
    event.set.store(false, Ordering::Relaxed);
    event.forget();
    let generation = event
        .generation
        .fetch_add(1, Ordering::Release)
        .wrapping_add(1);
    let handle = handle::<Event>(index, generation);
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(handle) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError {
    // SAFETY: the same contract.
    unsafe { create("aclrtCreateEvent", event, EventKind::Plain, false) }
}

pub(crate) unsafe extern "C" fn aclrtCreateEventWithFlag(
    event: *mut aclrtEvent,
    flag: u32,
) -> aclError {
    // Among the events of this constructor, only those with ACL_EVENT_SYNC take hardware when they are created.
    let takes_hardware = flag & ACL_EVENT_SYNC != 0;
    // SAFETY: the same contract.
    unsafe {
        create(
            "aclrtCreateEventWithFlag",
            event,
            EventKind::WithFlag(flag),
            takes_hardware,
        )
    }
}

pub(crate) unsafe extern "C" fn aclrtCreateEventExWithFlag(
    event: *mut aclrtEvent,
    flag: u32,
) -> aclError {
    let call = "aclrtCreateEventExWithFlag";
    if flag == ACL_EVENT_IPC {
        attempt!(not_null(call, "event", event));
        let created = attempt!(ipc::create(call));
        // SAFETY: not null; the caller's contract.
        unsafe { event.write(created) };
        return ACL_SUCCESS;
    }
    // SAFETY: the same contract.
    unsafe { create(call, event, EventKind::Ex(flag), false) }
}

/// Creates the event of a notify, which is only a flag.
pub(crate) fn create_flag(call: &'static str, out: &mut aclrtEvent) -> aclError {
    // SAFETY: a reference is valid for a write.
    unsafe { open(call, out, EventKind::WithFlag(ACL_EVENT_SYNC), false) }
}

pub(crate) unsafe extern "C" fn aclrtGetEventId(event: aclrtEvent, eventId: *mut u32) -> aclError {
    let call = "aclrtGetEventId";
    attempt!(not_null(call, "eventId", eventId));
    match find(call, event) {
        Ok(event) if event.kind().is_ipc() => unsupported(call, "a shared event has no number"),
        // An event of this kind gets its number with its first record.
        Ok(event) if matches!(event.kind(), EventKind::Ex(_)) && event.latest().is_none() => fail(
            ACL_ERROR_RT_INTERNAL_ERROR,
            format_args!("{call} failed: the event was never recorded; record it first"),
        ),
        Ok(event) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { eventId.write(event.index.load(Ordering::Relaxed)) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtDestroyEvent(event: aclrtEvent) -> aclError {
    destroy("aclrtDestroyEvent", event, event.addr())
}

/// Destroys an event. `handle` is the one that the program has: that of the event, or of its notify.
pub(crate) fn destroy(call: &'static str, event: aclrtEvent, handle: usize) -> aclError {
    let code = find(call, event).err().unwrap_or(ACL_SUCCESS);
    // The handle of an event that outlived its device is refused, and the event is destroyed all the same: no other
    // call can end it.
    let Found::Live {
        slot, generation, ..
    } = engine().events.find(event)
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
    check::tell(call, &|checker, site| {
        checker.event_destroyed(event.addr(), handle, &site);
    });
    if slot.kind().is_ipc() {
        ipc::forget(event);
    }
    slot.release();
    // A stream may wait for a record that cannot come any more.
    engine().announce();
    code
}

pub(crate) unsafe extern "C" fn aclrtRecordEvent(
    event: aclrtEvent,
    stream: aclrtStream,
) -> aclError {
    record("aclrtRecordEvent", event, stream)
}

/// Queues a record.
pub(crate) fn record(call: &'static str, event: aclrtEvent, stream: aclrtStream) -> aclError {
    let queued = if slow_path::is_any() {
        record_rarely(call, event, stream)
    } else {
        queue_record::<false>(call, event, stream)
    };
    status(queued)
}

/// Queues a record while some stream needs the slow path (`engine/slow_path.rs`).
#[cold]
fn record_rarely(
    call: &'static str,
    event: aclrtEvent,
    stream: aclrtStream,
) -> Result<(), aclError> {
    queue_record::<true>(call, event, stream)
}

/// Queues a record. `RARE` selects the slow path (`engine/slow_path.rs`) at compile time, so that the usual record
/// checks for it only once.
#[inline(always)]
fn queue_record<const RARE: bool>(
    call: &'static str,
    handle: aclrtEvent,
    stream: aclrtStream,
) -> Result<(), aclError> {
    not_null(call, "event", handle)?;
    let found = submit::find(call, stream)?;
    let event = find(call, handle)?;
    if event.kind().is_apart() {
        return record_apart(call, event.kind(), handle, found);
    }
    let target = submit::own(call, found)?;
    if !event.refer_as(handle) {
        return Err(stale(call, "event", handle.addr()));
    }
    if RARE && let Some(done) = graph::record(call, target, event, handle) {
        event.release();
        return done;
    }
    if event.kind() == EventKind::Plain && !event.take_hardware() {
        event.release();
        return Err(run_out(call));
    }
    let code = if check::is_on() {
        record_told(call, target, event, handle)
    } else {
        let make = move |number| {
            event.record(target, number);
            Task::Record(event)
        };
        if RARE {
            submit::push(call, target, false, make)
        } else {
            submit::queue(call, target, false, make)
        }
    };
    if event.is_flag() || RARE {
        // A stream may wait for the flag without knowing which stream sets it, or for a record that was dropped.
        engine().announce();
    }
    if code == ACL_SUCCESS {
        return Ok(());
    }
    event.release();
    Err(code)
}

/// Queues a record that the engine does not know.
#[cold]
fn record_apart(
    call: &str,
    kind: EventKind,
    event: aclrtEvent,
    stream: Option<Target>,
) -> Result<(), aclError> {
    if kind.is_device_only() {
        return Err(device_only(call));
    }
    ipc::record(call, event, submit::own(call, stream)?)
}

/// Queues a record and reports it to the checker.
#[cold]
fn record_told(call: &str, target: Target, event: &'static Event, handle: aclrtEvent) -> aclError {
    let tell = |number| {
        check::note(&|checker| checker.recorded(target.stream.slot(), number, handle.addr()));
    };
    submit::push_told(call, target, false, &tell, |number| {
        event.record(target, number);
        Task::Record(event)
    })
}

#[cold]
fn device_only(call: &str) -> aclError {
    invalid_below(
        call,
        format_args!("only the device uses an ACL_EVENT_DEVICE_USE_ONLY event"),
    )
}

pub(crate) unsafe extern "C" fn aclrtResetEvent(
    event: aclrtEvent,
    stream: aclrtStream,
) -> aclError {
    reset("aclrtResetEvent", event, stream)
}

/// Queues a reset.
pub(crate) fn reset(call: &'static str, event: aclrtEvent, stream: aclrtStream) -> aclError {
    attempt!(not_null(call, "event", event));
    let handle = event;
    let checked = submit::find(call, stream).and_then(|found| {
        let event = find(call, handle)?;
        match event.kind() {
            kind if kind.is_device_only() => return Err(device_only(call)),
            EventKind::Ex(_) => {
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
        let target = submit::own(call, found)?;
        if !event.refer_as(handle) {
            return Err(stale(call, "event", handle.addr()));
        }
        Ok((event, target))
    });
    let (event, target) = attempt!(checked);
    if slow_path::is(Reason::Kept)
        && let Some(done) = graph::reset(call, target, event)
    {
        event.release();
        return done.err().unwrap_or(ACL_SUCCESS);
    }
    let code = submit::push_told(
        call,
        target,
        false,
        &|number| {
            check::note(&|checker| {
                checker.event_reset(target.stream.slot(), number, handle.addr())
            });
        },
        |_| Task::Reset(event),
    );
    if code != ACL_SUCCESS {
        event.release();
    }
    code
}

/// Resets an event at once, without a stream.
pub(crate) fn clear(call: &'static str, event: aclrtEvent) -> Result<(), aclError> {
    let found = find(call, event)?;
    if !found.refer_as(event) {
        return Err(stale(call, "event", event.addr()));
    }
    // The function gives the reference back.
    found.clear();
    check::note(&|checker| checker.notify_cleared(event.addr()));
    Ok(())
}

/// Sets the flag of an event without a stream, unless the event was destroyed.
fn raise(event: aclrtEvent) {
    if let Found::Live { slot, .. } = engine().events.find(event)
        && slot.refer_as(event)
    {
        slot.set.store(true, Ordering::Release);
        slot.release();
        engine().announce();
    }
}
