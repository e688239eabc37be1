//! Records that an abort may have dropped: a wait for one of them might never end, so it is refused.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};
use crate::park::order::Fate;
use crate::park::{PARKINGS, Parking, StreamKey};
use crate::sync::lock;

/// The status of a call of this crate that has refused to wait for a dropped record. AscendCL has no negative status.
pub(super) const DROPPED: sys::aclError = i32::MIN;

/// Whether a stream of the process was aborted.
static HAS_ABORTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The stream because of which the last call of this thread was refused with [`DROPPED`]: a wait that succeeds keeps no event in
    /// a register for that.
    static REFUSED: Cell<Option<StreamKey>> = const { Cell::new(None) };
}

impl Parking {
    /// Enters that a stream is about to be aborted. Its points prove nothing of other streams then, because its waits may be
    /// dropped, and nothing may wait for its records.
    #[cold]
    pub(crate) fn abort(&self, stream: StreamKey) {
        lock(&self.state).orders.abort(stream);
        HAS_ABORTED.store(true, Ordering::SeqCst);
    }
}

/// Returns how the work in front of the last record of an event or of a notify has ended, and its stream, if that is known.
fn fate_of(record: usize) -> Option<(Fate, StreamKey)> {
    for parking in &*lock(&PARKINGS) {
        let fate = lock(&parking.state).orders.fate_of(record);
        if fate.is_some() {
            return fate;
        }
    }
    None
}

/// Returns the stream whose abort may have dropped the last record of an event or of a notify.
fn dropped_by(record: usize) -> Option<StreamKey> {
    if !HAS_ABORTED.load(Ordering::SeqCst) {
        return None;
    }
    let (fate, stream) = fate_of(record)?;
    (fate == Fate::Dropped).then_some(stream)
}

/// Whether a wait for the last record of an event might never end. The caller returns [`DROPPED`] then.
pub(super) fn is_dropped(event: sys::aclrtEvent) -> bool {
    let stream = dropped_by(event.addr());
    if stream.is_none() {
        return false;
    }
    REFUSED.set(stream);
    let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
    // SAFETY: the caller is about to wait for the event, so it lives; `status` is valid for a write.
    let code = unsafe { sys::aclrtQueryEventStatus(event, &raw mut status) };
    let has_completed =
        code == sys::ACL_SUCCESS && status == sys::ACL_EVENT_RECORDED_STATUS_COMPLETE;
    if has_completed {
        // An event that has completed in spite of the abort is behind all work in front of it (A28).
        for parking in &*lock(&PARKINGS) {
            lock(&parking.state).orders.has_completed(event.addr());
        }
    }
    !has_completed
}

/// Returns the error of a wait for a record that an abort may have dropped, or `None` for any other record.
#[cold]
pub(crate) fn why_dropped(record: *mut std::ffi::c_void) -> Option<Error> {
    let stream = dropped_by(record.addr())?;
    let name = stream.label();
    Some(Usage::RecordDropped { name }.into())
}

/// Returns the outcome of [`wait_for_point`](super::calls::wait_for_point).
#[inline(always)]
pub(crate) fn point_waited(code: sys::aclError) -> Result<()> {
    match code {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(of_point(code)),
    }
}

#[cold]
fn of_point(code: sys::aclError) -> Error {
    match code {
        DROPPED => dropped(),
        code => Error::refused("aclrtStreamWaitEvent", code),
    }
}

/// Returns the outcome of [`synchronize`](super::calls::synchronize).
#[inline(always)]
pub(crate) fn synchronized(code: sys::aclError) -> Result<()> {
    match code {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(of_wait(code)),
    }
}

#[cold]
fn of_wait(code: sys::aclError) -> Error {
    match code {
        DROPPED => dropped(),
        code => Error::of_wait("aclrtSynchronizeEvent", code),
    }
}

/// The error for the status [`DROPPED`] of the last call.
#[cold]
pub(super) fn dropped() -> Error {
    let name = REFUSED.take().map(|stream| stream.label());
    let name = name.unwrap_or_default();
    Usage::RecordDropped { name }.into()
}
