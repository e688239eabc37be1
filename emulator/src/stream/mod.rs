//! Streams (`acl/acl_rt.h`). The submission of tasks is in `engine/submit.rs`.
//!
//! Sets of attributes are in `attributes`, the switch for overflow in `overflow`, and hooks for creation and
//! destruction in `watchers`.

pub(crate) mod attributes;
pub(crate) mod overflow;
pub(crate) mod watchers;

use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_STOP_ON_FAILURE, ACL_STREAM_CPU_SCHEDULE,
    ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC, ACL_STREAM_HUGE,
    ACL_STREAM_PERSISTENT, ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY, ACL_SUCCESS,
    aclError, aclrtStream, aclrtStreamStatus,
};

use crate::callback::forget_stream;
use crate::check;
use crate::config::fault::Effect;
use crate::engine::current::current;
use crate::engine::device::Device;
use crate::engine::drive::nudge;
use crate::engine::queue::Stream;
use crate::engine::slow_path::{self, Reason};
use crate::engine::submit::{
    Target, any, deadline, failure, find, is_synchronised, own, push, stale, synchronise,
};
use crate::engine::task::Task;
use crate::engine::{engine, life, submit};
use crate::error::fail;
use crate::graph;
use crate::handles::slots::handle;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::observe::inject;

pub(crate) unsafe extern "C" fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError {
    // SAFETY: the same contract.
    unsafe { create_with("aclrtCreateStream", stream, 0, 0) }
}

pub(crate) unsafe extern "C" fn aclrtCreateStreamWithConfig(
    stream: *mut aclrtStream,
    priority: u32,
    flag: u32,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { create_with("aclrtCreateStreamWithConfig", stream, priority, flag) }
}

/// Creates a stream.
///
/// # Safety
///
/// `out` is null or valid for a write.
pub(crate) unsafe fn create_with(
    call: &str,
    out: *mut aclrtStream,
    priority: u32,
    flags: u32,
) -> aclError {
    attempt!(not_null(call, "stream", out));
    let added = check_flags(call, flags)
        .and_then(|()| graph::allow_flags(call, flags))
        .and_then(|()| current(call))
        .and_then(|current| life::add(call, &current, priority, flags));
    let target = attempt!(added);
    if flags & ACL_STREAM_PERSISTENT != 0 {
        graph::persist(target);
    }
    let handle = handle::<Stream>(target.index, target.generation);
    check::tell(call, &|checker, site| {
        checker.stream_created(target.stream.slot(), handle.addr(), site);
    });
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(handle) };
    watchers::created(handle);
    ACL_SUCCESS
}

/// Checks the flags of a stream. Bits without a meaning are ignored. A stream that only the device uses has no other
/// flag, and the product does not have such streams.
fn check_flags(call: &str, flags: u32) -> Result<(), aclError> {
    let others = ACL_STREAM_FAST_LAUNCH
        | ACL_STREAM_FAST_SYNC
        | ACL_STREAM_PERSISTENT
        | ACL_STREAM_HUGE
        | ACL_STREAM_CPU_SCHEDULE;
    if flags & ACL_STREAM_DEVICE_USE_ONLY == 0 {
        return Ok(());
    }
    Err(if flags & others == 0 {
        fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!("{call} failed: this product has no stream of its device alone"),
        )
    } else {
        invalid_below(
            call,
            format_args!("flag is {flags:#x}; ACL_STREAM_DEVICE_USE_ONLY goes with no other"),
        )
    })
}

pub(crate) unsafe extern "C" fn aclrtDestroyStream(stream: aclrtStream) -> aclError {
    destroy("aclrtDestroyStream", stream, false)
}

pub(crate) unsafe extern "C" fn aclrtDestroyStreamForce(stream: aclrtStream) -> aclError {
    destroy("aclrtDestroyStreamForce", stream, true)
}

fn destroy(call: &str, stream: aclrtStream, by_force: bool) -> aclError {
    attempt!(not_null(call, "stream", stream));
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    if target.stream.is_default() {
        return invalid(
            call,
            format_args!("a default stream ends with its context, not before"),
        );
    }
    attempt!(submit::not_inside(call, target.stream));
    attempt!(graph::let_go(call, target));
    watchers::ending(stream);
    if end(call, target, by_force) {
        ACL_SUCCESS
    } else {
        stale(call, "stream", 0)
    }
}

/// Waits for a stream's tasks, or ends them by force, and destroys the stream. Returns false if another thread destroys it.
fn end(call: &str, target: Target, by_force: bool) -> bool {
    let is_ended = life::end(call, target, by_force);
    if is_ended {
        forget_stream(target.stream);
        life::put_back(target);
    }
    is_ended
}

/// Returns the device of a stream.
pub(crate) fn device_of_stream(call: &str, stream: aclrtStream) -> Result<u32, aclError> {
    let (target, current) = find(call, stream).and_then(|found| any(call, found))?;
    let context = target.stream.context().unwrap_or(current.context);
    Ok(context.device.load(Ordering::Relaxed))
}

fn device_of(id: u32) -> Option<&'static Device> {
    engine().devices.get(id as usize)
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError {
    const CALL: &str = "aclrtSynchronizeStream";
    if slow_path::is(Reason::Kept) {
        return synchronise_kept(CALL, stream);
    }
    let found = attempt!(find(CALL, stream));
    match any(CALL, found) {
        Ok((target, _)) if is_synchronised(target.stream) => synchronise(CALL, target.stream, None),
        Ok(_) => ACL_SUCCESS,
        Err(code) => code,
    }
}

/// Waits for a stream while some stream may be captured.
#[cold]
fn synchronise_kept(call: &str, stream: aclrtStream) -> aclError {
    let found = find(call, stream).and_then(|found| any(call, found));
    match found.and_then(|(target, _)| graph::not_captured(call, target)) {
        Ok(target) if is_synchronised(target.stream) => synchronise(call, target.stream, None),
        Ok(_) => ACL_SUCCESS,
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtSynchronizeStreamWithTimeout(
    stream: aclrtStream,
    timeout: i32,
) -> aclError {
    let call = "aclrtSynchronizeStreamWithTimeout";
    let checked = find(call, stream).and_then(|found| {
        let end = deadline(call, timeout)?;
        Ok((graph::not_captured(call, any(call, found)?.0)?, end))
    });
    match checked {
        Ok((target, end)) if is_synchronised(target.stream) => {
            synchronise(call, target.stream, end)
        }
        Ok(_) => ACL_SUCCESS,
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtStreamQuery(
    stream: aclrtStream,
    status: *mut aclrtStreamStatus,
) -> aclError {
    let call = "aclrtStreamQuery";
    attempt!(not_null(call, "status", status));
    let found = find(call, stream).and_then(|found| any(call, found));
    let stream = match found.and_then(|(target, _)| graph::not_captured(call, target)) {
        Ok(target) => target.stream,
        Err(code) => return code,
    };
    let submitted = stream.submitted();
    let reached = nudge(stream, submitted);
    if let Some(code) = failure(call, stream) {
        return code;
    }
    let answer = if reached || !is_synchronised(stream) {
        check::note(&|checker| checker.synchronised(stream.slot(), submitted));
        ACL_STREAM_STATUS_COMPLETE
    } else {
        ACL_STREAM_STATUS_NOT_READY
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { status.write(answer) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtStreamGetId(
    stream: aclrtStream,
    streamId: *mut i32,
) -> aclError {
    let id = |target: Target| target.index as i32;
    // SAFETY: the same contract.
    unsafe { answer("aclrtStreamGetId", stream, streamId, id) }
}

pub(crate) unsafe extern "C" fn aclrtStreamGetPriority(
    stream: aclrtStream,
    priority: *mut u32,
) -> aclError {
    let value = |target: Target| target.stream.priority.load(Ordering::Relaxed);
    // SAFETY: the same contract.
    unsafe { answer("aclrtStreamGetPriority", stream, priority, value) }
}

pub(crate) unsafe extern "C" fn aclrtStreamGetFlags(
    stream: aclrtStream,
    flags: *mut u32,
) -> aclError {
    let value = |target: Target| target.stream.flags.load(Ordering::Relaxed);
    // SAFETY: the same contract.
    unsafe { answer("aclrtStreamGetFlags", stream, flags, value) }
}

/// Writes the answer to a query about a stream.
///
/// # Safety
///
/// `out` is null or valid for a write.
unsafe fn answer<T>(
    call: &str,
    stream: aclrtStream,
    out: *mut T,
    value: impl FnOnce(Target) -> T,
) -> aclError {
    attempt!(not_null(call, "the pointer for the answer", out));
    let (target, _) = attempt!(find(call, stream).and_then(|found| any(call, found)));
    // SAFETY: not null; the caller's contract.
    unsafe { out.write(value(target)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSetStreamFailureMode(
    stream: aclrtStream,
    mode: u64,
) -> aclError {
    let call = "aclrtSetStreamFailureMode";
    let found = attempt!(find(call, stream));
    let target = attempt!(own(call, found));
    // Unknown modes count as ACL_CONTINUE_ON_FAILURE, as observed with the runtime.
    let stop = mode == ACL_STOP_ON_FAILURE;
    if !stop && target.stream.stop_on_failure.load(Ordering::Relaxed) {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!("{call} failed: a stream that stops on failure cannot go back"),
        );
    }
    target.stream.stop_on_failure.store(stop, Ordering::Relaxed);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError {
    let call = "aclrtGetStreamAvailableNum";
    attempt!(not_null(call, "streamCount", streamCount));
    match current(call) {
        Err(code) => code,
        Ok(current) => {
            let left = device_of(current.device()).map_or(0, Device::streams_left);
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { streamCount.write(left) };
            ACL_SUCCESS
        }
    }
}

/// Drops the queued tasks of a stream. A wait for the stream that runs meanwhile reports the abort. The stream
/// accepts tasks afterwards. A host function that runs goes on, as in the published source of the runtime.
pub(crate) unsafe extern "C" fn aclrtStreamAbort(stream: aclrtStream) -> aclError {
    let call = "aclrtStreamAbort";
    let found = find(call, stream).and_then(|found| own(call, found));
    let stream = match found.and_then(|target| graph::not_captured(call, target)) {
        Ok(target) => target.stream,
        Err(code) => return code,
    };
    if let Some(struck) = inject::abort(call) {
        stream.begin_abort();
        match struck.effect {
            Effect::Slow(millis) => thread::sleep(Duration::from_millis(millis.into())),
            _ => {
                stream.end_half_aborted();
                return fail(
                    struck.code,
                    format_args!(
                        "{call} failed half-way because of an injected fault; the stream stays aborted"
                    ),
                );
            }
        }
    }
    let last = stream.abort();
    check::note(&|checker| checker.synchronised(stream.slot(), last));
    ACL_SUCCESS
}

/// Refuses every stream. The manual has this function for streams that the device drives, which
/// `aclrtCreateStreamWithConfig` refuses. The codes for other streams are an assumption.
pub(crate) unsafe extern "C" fn aclrtStreamStop(stream: aclrtStream) -> aclError {
    let call = "aclrtStreamStop";
    if stream.is_null() {
        return invalid_below(
            call,
            format_args!("stream is NULL; a default stream is not stopped"),
        );
    }
    attempt!(find(call, stream).and_then(|found| own(call, found)));
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!(
            "{call} failed: only a stream with ACL_STREAM_DEVICE_USE_ONLY is stopped; use aclrtStreamAbort"
        ),
    )
}

/// The most bytes of a mark (manual).
const MARK: i32 = 18;

/// Queues a mark for the profiler. The emulator's profiler does not store the data, so the task does nothing when its
/// turn comes.
pub(crate) unsafe extern "C" fn aclrtProfTrace(
    userdata: *mut c_void,
    length: i32,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtProfTrace";
    attempt!(not_null(call, "userdata", userdata));
    if length <= 0 {
        return invalid(
            call,
            format_args!("length is {length}; a mark has at least one byte"),
        );
    }
    if length > MARK {
        return invalid_below(
            call,
            format_args!("length is {length}; a mark has at most {MARK} bytes"),
        );
    }
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    push(call, target, false, |_| Task::Nothing)
}
