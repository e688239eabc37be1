//! Release in bounded time: a wait with the limit of the device, then an abort of what does not end, then another wait.
//!
//! An abort that returns 0 proves nothing, and neither does it wait for a host function that runs: the wait behind it is the
//! proof, and it proves that the work is over, not that it has succeeded (A28).

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::Core;
use crate::device::later::Later;
use crate::device::proof::wait_for_proof;
use crate::error::{Error, Result, Usage};
use crate::park::StreamKey;
use crate::raw::{self, Handle, check, check_wait, in_host_func};

/// Waits for a stream of the current context. With a limit in milliseconds, a wait that takes longer is [`Usage::Late`].
///
/// # Safety
///
/// - A live stream of the current context, or null.
pub(crate) unsafe fn wait_for_stream(stream: sys::aclrtStream, limit: Option<i32>) -> Result<()> {
    let Some(millis) = limit else {
        // SAFETY: the caller's contract.
        let code = unsafe { sys::aclrtSynchronizeStream(stream) };
        return check_wait("aclrtSynchronizeStream", code);
    };
    // SAFETY: the caller's contract.
    let code = unsafe { sys::aclrtSynchronizeStreamWithTimeout(stream, millis) };
    in_time("aclrtSynchronizeStreamWithTimeout", code, millis)
}

/// Waits for a stream as `aclrtSynchronizeStream` does, or with the limit of its device by the call that has one.
///
/// # Safety
///
/// - A live stream of the current context, which this thread is bound to.
pub(super) unsafe extern "C" fn wait_within_limit(stream: sys::aclrtStream) -> sys::aclError {
    // SAFETY: the caller's contract.
    match unsafe { with_bound(Core::limit) } {
        // SAFETY: the caller's contract.
        Some(millis) => unsafe { sys::aclrtSynchronizeStreamWithTimeout(stream, millis) },
        // SAFETY: the caller's contract.
        None => unsafe { sys::aclrtSynchronizeStream(stream) },
    }
}

/// Waits for all streams of the current context, as [`wait_for_stream`] does for one.
pub(crate) fn wait_for_streams(limit: Option<i32>) -> Result<()> {
    let Some(millis) = limit else {
        // SAFETY: takes no argument; a context is current.
        let code = unsafe { sys::aclrtSynchronizeDevice() };
        return check_wait("aclrtSynchronizeDevice", code);
    };
    // SAFETY: takes a number; a context is current.
    let code = unsafe { sys::aclrtSynchronizeDeviceWithTimeout(millis) };
    in_time("aclrtSynchronizeDeviceWithTimeout", code, millis)
}

fn in_time(call: &'static str, code: sys::aclError, millis: i32) -> Result<()> {
    match code {
        sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT => {
            // Its text must not be taken for the text of a later error.
            drop(raw::recent_error_text());
            Err(late(millis))
        }
        code => check_wait(call, code),
    }
}

pub(super) fn duration(millis: i32) -> Duration {
    Duration::from_millis(u64::from(millis.unsigned_abs()))
}

/// The error for work that has not ended within a limit in milliseconds.
#[cold]
pub(crate) fn late(millis: i32) -> Error {
    let limit = duration(millis);
    Usage::Late { limit }.into()
}

/// Converts a time limit to C's milliseconds, which must be above zero. (-1 means no limit; that is the call without
/// a limit.)
pub(crate) fn millis(limit: Duration) -> Result<i32> {
    let millis = limit.as_nanos().div_ceil(1_000_000);
    match i32::try_from(millis) {
        Ok(millis) if millis > 0 => Ok(millis),
        _ => Err(Usage::Timeout { limit }.into()),
    }
}

/// Ends the work of a stream by a wait that fails if the work does not end. Returns the first failure of the work, and whether
/// the stream was aborted for that.
///
/// # Errors
///
/// Without a proof that the work is over: those of `wait`.
///
/// # Safety
///
/// - As for [`abort`], for each of `streams`.
pub(crate) unsafe fn wait_or_abort(
    core: &Core,
    streams: &[(StreamKey, Handle)],
    wait: &mut dyn FnMut() -> Result<()>,
) -> Result<(Option<Error>, bool)> {
    // An abort that has failed half-way leaves a stream whose waits fail until another one succeeds.
    let does_not_end =
        |error: &Error| error.is_late() || error.code() == Some(sys::ACL_ERROR_RT_STREAM_ABORT);
    let (first, limit) = match (wait_for_proof(wait), core.limit()) {
        (Err(first), Some(limit)) if does_not_end(&first) && !streams.is_empty() => (first, limit),
        (waited, _) => return waited.map(|failure| (failure, false)),
    };
    // SAFETY: the caller's contract.
    if let Err(failed) = unsafe { abort(core, streams, limit) } {
        // What is late may still end.
        return Err(if failed.is_late() { failed } else { first });
    }
    wait_for_proof(wait).map(|failure| (failure, true))
}

/// Returns why a stream is not aborted while other values of its device live, if there is a reason.
pub(crate) fn why_not_aborted(core: &Core, stream: StreamKey) -> Option<&'static str> {
    if core.stops() {
        return Some(
            "its device stops on failure, so a fence behind dropped work would vouch for it: reset the device",
        );
    }
    // The stream may wait for their queues.
    if core.has_other_queues() {
        return Some(
            "its device has had a model, a communicator, a channel or a graph, whose work no abort reaches: reset the device",
        );
    }
    // The abort would drop the wait.
    core.parking().has_waited(stream).then_some(
        "it has taken memory over from a stream that may still use that: wait for that stream before, or abort it; else reset \
         the device",
    )
}

/// Aborts a stream that its holder asks to abort, and waits until its work is over.
///
/// # Errors
///
/// There is no proof that the work is over. [`Usage::NotAborted`]: nothing was aborted. If [`Aborts`] has the stream then, the
/// holder must give it up.
///
/// # Safety
///
/// - As for [`abort`]. Nobody else submits work to the stream meanwhile.
#[cold]
pub(crate) unsafe fn abort_and_wait(core: &Core, key: StreamKey, stream: Handle) -> Result<()> {
    let not_aborted = |cause| {
        let name = key.label();
        Err(Usage::NotAborted { name, cause }.into())
    };
    let Some(limit) = core.limit() else {
        return not_aborted(
            "its device has no limit: open it with `release_within` or `on_within`",
        );
    };
    if in_host_func() {
        return Err(Usage::InHostFunc.into());
    }
    if let Some(cause) = why_not_aborted(core, key) {
        return not_aborted(cause);
    }
    // SAFETY: the caller's contract.
    unsafe { abort(core, &[(key, stream)], limit) }?;
    let mut wait = || {
        // SAFETY: a live stream, whose context is current.
        unsafe { wait_for_stream(stream.as_stream(), Some(limit)) }
    };
    if let Some(failure) = wait_for_proof(&mut wait)? {
        // The wait has taken the report of a task from before the abort. The next wait for the stream returns it.
        core.ledger().keep(key, failure);
    }
    Ok(())
}

/// Takes the queued host functions of streams back, waits for those that run, and aborts the streams on a thread of its own,
/// because the call may take much longer than the limit (published source of the runtime: up to two minutes). Succeeds if each
/// step was in time.
///
/// # Safety
///
/// - Live streams of the context of `core`, none of which is destroyed while [`Aborts`] has it.
unsafe fn abort(core: &Core, streams: &[(StreamKey, Handle)], millis: i32) -> Result<()> {
    let limit = duration(millis);
    let Some(this) = core.weak().upgrade() else {
        return Err(late(millis));
    };
    for (key, _) in streams {
        // A wait of another thread must not vouch for work that is dropped from now on.
        let name = key.label();
        core.ledger().enter(*key, &Usage::Aborted { name }.into());
        // The abort drops the waits of the stream for other streams, and its records.
        core.parking().abort(*key);
    }
    let context = core.context();
    let (keys, handles): (Vec<_>, Vec<_>) = streams.iter().copied().unzip();
    // Before the abort: it empties the stream, so that a later wait returns while a function runs.
    if !core.host_funcs().abort(&keys, limit) {
        return Err(late(millis));
    }
    core.aborts().begin(&keys);
    let of_thread = keys.clone();
    let work = move |running| {
        // SAFETY: the context of the streams (the caller's contract).
        let code = unsafe { sys::aclrtSetCurrentContext(context.as_ptr()) };
        let mut aborted = check("aclrtSetCurrentContext", code);
        for stream in handles {
            aborted = aborted.and_then(|()| {
                // SAFETY: live (the caller's contract), and its context is current.
                let code = unsafe { sys::aclrtStreamAbort(stream.as_ptr()) };
                check("aclrtStreamAbort", code)
            });
        }
        drop(running);
        this.aborts().end(&of_thread);
        aborted
    };
    let started = Later::start("ascendcl abort", Box::new(work));
    let started = started.inspect_err(|_| core.aborts().end(&keys))?;
    started.within(limit).unwrap_or_else(|| Err(late(millis)))
}

/// The calls of one device or context that abort streams and have not returned.
///
/// A wait proves nothing about a stream beside such a call: the call empties the queue before it ends the task that runs. A
/// stream whose abort has not returned in time is given up, so nobody but the waits for the whole device can be misled.
#[derive(Debug, Default)]
pub(crate) struct Aborts {
    state: Mutex<Calls>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Calls {
    /// The streams of the calls that have not returned.
    running: Vec<StreamKey>,
    /// The number of calls that have begun.
    begun: u64,
}

impl Aborts {
    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, streams: &[StreamKey]) {
        let mut calls = self.lock();
        calls.running.extend(streams);
        calls.begun += 1;
    }

    fn end(&self, streams: &[StreamKey]) {
        let mut calls = self.lock();
        for stream in streams {
            // One stream may have several calls.
            if let Some(at) = calls.running.iter().position(|running| running == stream) {
                calls.running.swap_remove(at);
            }
        }
        drop(calls);
        self.ended.notify_all();
    }

    /// Whether a call for the stream has not returned.
    pub(crate) fn have(&self, stream: StreamKey) -> bool {
        self.lock().running.contains(&stream)
    }

    /// Calls `wait`, and again if an abort has begun meanwhile. Before each, it waits until no call aborts a stream, with a limit
    /// no longer than that.
    pub(super) fn wait_beside_none(
        &self,
        limit: Option<i32>,
        wait: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        loop {
            let begun = self.none_runs(limit)?;
            wait()?;
            if self.lock().begun == begun {
                return Ok(());
            }
        }
    }

    /// As [`Aborts::wait_beside_none`], for a wait for one stream: calls that abort other streams do not spoil that.
    pub(super) fn wait_beside_own(
        &self,
        stream: StreamKey,
        limit: Option<i32>,
        wait: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        loop {
            let begun = {
                let calls = self.lock();
                (!calls.running.contains(&stream)).then_some(calls.begun)
            };
            let begun = begun.map_or_else(|| self.none_runs(limit), Ok)?;
            wait()?;
            if self.lock().begun == begun {
                return Ok(());
            }
        }
    }

    /// Waits until no call runs, and returns the number of those that have begun.
    fn none_runs(&self, limit: Option<i32>) -> Result<u64> {
        let runs = |calls: &mut Calls| !calls.running.is_empty();
        let calls = self.lock();
        let Some(millis) = limit else {
            let waited = self.ended.wait_while(calls, runs);
            return Ok(waited.unwrap_or_else(PoisonError::into_inner).begun);
        };
        let waited = self.ended.wait_timeout_while(calls, duration(millis), runs);
        let (calls, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        match timeout.timed_out() {
            true => Err(late(millis)),
            false => Ok(calls.begun),
        }
    }
}

impl Core {
    /// Waits for this context, which is current, frees an allocation behind that (`aclrtFreeWithDevSync`), and frees the parked
    /// memory.
    ///
    /// # Safety
    ///
    /// - An allocation of `aclrtMalloc` that only queues of this context use. Nobody uses it behind a success.
    pub(crate) unsafe fn free_with_dev_sync(&self, memory: *mut c_void) -> Result<()> {
        if self.limit().is_some() {
            // The wait inside of the one call proves nothing beside an abort.
            self.wait_and_release()?;
            // SAFETY: the caller's contract, and no queue of the context uses it any more.
            let code = unsafe { sys::aclrtFree(memory) };
            return check("aclrtFree", code);
        }
        let began = self.parking().wait_begins();
        self.ledger().wait_for_all(&mut || {
            // SAFETY: the caller's contract. The call frees it after a successful wait for the device, or not at all
            // (`rtFreeWithDevSync`, sources of ACL 1.16).
            let code = unsafe { sys::aclrtFreeWithDevSync(memory) };
            check_wait("aclrtFreeWithDevSync", code)
        })?;
        self.release_behind(began);
        Ok(())
    }
}
