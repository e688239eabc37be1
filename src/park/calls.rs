//! The calls that record an event and wait for it, and what they do while memory is parked.
//!
//! These functions are called by an address. It is that of the function of AscendCL while no memory is parked, so a fence or a
//! point costs what the raw calls cost. Else, and from the first limit of releases on, it is that of a function here, which also
//! enters what the call orders.
//!
//! A wait that moves memory between streams must not end before the event: the other stream might still use the memory.
//! [`Acl::set_op_wait_timeout`](crate::Acl::set_op_wait_timeout) limits `aclrtStreamWaitEvent`, so another function is called
//! while a limit is set. A wait without memory obeys the limit, and orders nothing then.

use std::ffi::c_void;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use ascendcl_sys as sys;

use crate::error::Error;
use crate::park::dropped::{DROPPED, dropped, is_dropped};
use crate::park::order::Fate;
use crate::park::{PARKINGS, Parking, State, StreamKey};
use crate::sync::{Mutex, lock, shared};
use crate::{pending, release};

/// A function that records an event on a stream, or queues a wait of a stream for an event.
type OnStream = unsafe extern "C" fn(*mut c_void, *mut c_void) -> sys::aclError;

/// A function that waits for an event.
type OfEvent = unsafe extern "C" fn(sys::aclrtEvent) -> sys::aclError;

/// A function that waits for a stream.
pub(crate) type OfStream = unsafe extern "C" fn(sys::aclrtStream) -> sys::aclError;

/// The functions in use: the last one of the type [`OfEvent`], the others of [`OnStream`].
static RECORD: AtomicPtr<c_void> = AtomicPtr::new(record_and_enter as *mut c_void);
static WAIT: AtomicPtr<c_void> = AtomicPtr::new(wait_and_enter as *mut c_void);
static WAIT_FOR_POINT: AtomicPtr<c_void> = AtomicPtr::new(wait_for_point_and_enter as *mut c_void);
static SYNCHRONIZE: AtomicPtr<c_void> = AtomicPtr::new(synchronize_and_free as *mut c_void);

/// The function that waits behind work with borrowed memory, of the type [`OfStream`].
static WAIT_FOR_LOAN: AtomicPtr<c_void> = AtomicPtr::new(wait_for_stream as *mut c_void);

/// Whether the process has limited `aclrtStreamWaitEvent`. It stays so when AscendCL is initialised again.
static IS_LIMITED: AtomicBool = AtomicBool::new(false);

/// Whether other code of the process may have limited `aclrtStreamWaitEvent`.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Whether a device limits its releases. An abort must know the streams that have waited for others.
static HAS_LIMIT: AtomicBool = AtomicBool::new(false);

shared! {
    /// Whether the functions here are in use, once a choice was made. Locked while the functions are chosen.
    static CHOICE: Mutex<Option<bool>> = Mutex::new(None);
}

/// Notes whether waits are limited. No stream is in use on any thread.
pub(crate) fn limit_waits(is_limited: bool) {
    IS_LIMITED.store(is_limited, Ordering::Relaxed);
    begin();
}

/// Notes that a device limits its releases. Its streams that exist were forgotten. `wait_for_loan` waits behind borrowed memory
/// from now on, in place of `aclrtSynchronizeStream`.
pub(crate) fn limit_releases(wait_for_loan: OfStream) {
    let choice = lock(&CHOICE);
    HAS_LIMIT.store(true, Ordering::Relaxed);
    WAIT_FOR_LOAN.store(wait_for_loan as *mut c_void, Ordering::Relaxed);
    drop(choice);
    choose();
}

/// Whether a device limits its releases.
#[inline(always)]
pub(crate) fn has_limit() -> bool {
    // Relaxed: whoever has a stream of such a device got it behind the change.
    HAS_LIMIT.load(Ordering::Relaxed)
}

/// Chooses the functions, once the process has a backend.
pub(crate) fn begin() {
    *lock(&CHOICE) = None;
    choose();
}

/// Chooses the functions, once the process has a backend that other code may use, too.
pub(crate) fn begin_shared() {
    IS_SHARED.store(true, Ordering::Relaxed);
    begin();
}

fn limits_waits() -> bool {
    IS_LIMITED.load(Ordering::Relaxed)
}

/// Whether a wait for a point without memory may end before its event.
pub(crate) fn limits_points() -> bool {
    limits_waits() || IS_SHARED.load(Ordering::Relaxed)
}

/// Chooses the functions again, because memory is parked or freed, or a fence is entered or forgotten. The last of several
/// threads makes the choice that suits all of them.
pub(crate) fn choose() {
    let mut choice = lock(&CHOICE);
    if !has_limit() {
        let wait: OfStream = sys::StreamTable::installed().aclrtSynchronizeStream;
        WAIT_FOR_LOAN.store(wait as *mut c_void, Ordering::Relaxed);
    }
    let enters = pending::of_parked() || has_limit();
    if choice.replace(enters) == Some(enters) {
        return;
    }
    let table = sys::EventTable::installed();
    let wait: OnStream = match (enters, limits_waits()) {
        (true, _) => wait_and_enter,
        (false, true) => wait_without_limit,
        (false, false) => table.aclrtStreamWaitEvent,
    };
    let (record, wait_for_point, synchronize): (OnStream, OnStream, OfEvent) = if enters {
        (
            record_and_enter,
            wait_for_point_and_enter,
            synchronize_and_free,
        )
    } else {
        (
            table.aclrtRecordEvent,
            table.aclrtStreamWaitEvent,
            table.aclrtSynchronizeEvent,
        )
    };
    RECORD.store(record as *mut c_void, Ordering::Relaxed);
    WAIT.store(wait as *mut c_void, Ordering::Relaxed);
    WAIT_FOR_POINT.store(wait_for_point as *mut c_void, Ordering::Relaxed);
    SYNCHRONIZE.store(synchronize as *mut c_void, Ordering::Relaxed);
}

unsafe extern "C" fn record_and_enter(
    event: sys::aclrtEvent,
    stream: sys::aclrtStream,
) -> sys::aclError {
    // SAFETY: the caller's contract.
    let code = unsafe { sys::aclrtRecordEvent(event, stream) };
    forget_record(event);
    if code == sys::ACL_SUCCESS {
        recorded(event, stream);
    }
    code
}

unsafe extern "C" fn wait_and_enter(
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
) -> sys::aclError {
    if is_dropped(event) {
        return DROPPED;
    }
    let code = if limits_waits() {
        // SAFETY: the caller's contract.
        unsafe { wait_without_limit(stream, event) }
    } else {
        // SAFETY: the caller's contract.
        unsafe { sys::aclrtStreamWaitEvent(stream, event) }
    };
    if code == sys::ACL_SUCCESS {
        with_stream(stream, &mut |state, key| state.takes_over(key, event));
    }
    code
}

unsafe extern "C" fn wait_for_point_and_enter(
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
) -> sys::aclError {
    if is_dropped(event) {
        return DROPPED;
    }
    // SAFETY: the caller's contract.
    let code = unsafe { sys::aclrtStreamWaitEvent(stream, event) };
    if code == sys::ACL_SUCCESS && !limits_points() {
        with_stream(stream, &mut |state, key| state.follows(key, event));
    }
    code
}

unsafe extern "C" fn synchronize_and_free(event: sys::aclrtEvent) -> sys::aclError {
    if is_dropped(event) {
        return DROPPED;
    }
    // SAFETY: the caller's contract.
    let code = unsafe { sys::aclrtSynchronizeEvent(event) };
    if code == sys::ACL_SUCCESS {
        // SAFETY: the event was recorded last by `record`, or that record is forgotten (the caller's contract), and this was a
        // wait for it.
        unsafe { reached(event) };
    }
    code
}

unsafe extern "C" fn wait_for_stream(stream: sys::aclrtStream) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtSynchronizeStream(stream) }
}

/// `aclrtStreamWaitEvent` where that has a limit.
unsafe extern "C" fn wait_without_limit(
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
) -> sys::aclError {
    // SAFETY: the caller's contract; 0 is no limit.
    unsafe { sys::aclrtStreamWaitEventWithTimeout(stream, event, 0) }
}

/// Records the event of a fence or of a point without memory.
///
/// # Safety
///
/// - As for `aclrtRecordEvent`: a live stream of the current context and a live event.
/// - Nobody else submits work to the stream meanwhile.
#[inline(always)]
pub(crate) unsafe fn record(event: sys::aclrtEvent, stream: sys::aclrtStream) -> sys::aclError {
    // Relaxed: whoever has an event with a fence that is entered got it behind the choice for that fence. Without such a fence
    // an older function misses nothing, and memory is freed later.
    let address = RECORD.load(Ordering::Relaxed);
    // SAFETY: `choose` and the static's initialiser store only pointers that were functions of this type.
    let record = unsafe { mem::transmute::<*mut c_void, OnStream>(address) };
    // SAFETY: the caller's contract.
    unsafe { record(event, stream) }
}

/// Queues a wait that does not end before the event of a fence completes. [`wait_refused`] makes an error of the status.
///
/// # Safety
///
/// - As for `aclrtStreamWaitEvent`: a live stream of the current context and a live event.
#[inline(always)]
pub(crate) unsafe fn wait(stream: sys::aclrtStream, event: sys::aclrtEvent) -> sys::aclError {
    // Relaxed: whoever has a stream got it behind the last change of the limit, and `record` says the rest.
    let address = WAIT.load(Ordering::Relaxed);
    // SAFETY: `choose` and the static's initialiser store only pointers that were functions of this type.
    let wait = unsafe { mem::transmute::<*mut c_void, OnStream>(address) };
    // SAFETY: the caller's contract.
    unsafe { wait(stream, event) }
}

/// Queues a wait for a point without memory, which may have a limit. [`point_waited`](super::dropped::point_waited) makes a result
/// of the status.
///
/// # Safety
///
/// - As for `aclrtStreamWaitEvent`: a live stream of the current context and a live event.
/// - The event was recorded last by [`record`], or [`forget_record`] was called since then.
#[inline(always)]
pub(crate) unsafe fn wait_for_point(
    stream: sys::aclrtStream,
    event: sys::aclrtEvent,
) -> sys::aclError {
    // Relaxed: as in `record`.
    let address = WAIT_FOR_POINT.load(Ordering::Relaxed);
    // SAFETY: `choose` and the static's initialiser store only pointers that were functions of this type.
    let wait = unsafe { mem::transmute::<*mut c_void, OnStream>(address) };
    // SAFETY: the caller's contract.
    unsafe { wait(stream, event) }
}

/// Waits on the host for the event of a fence or of a point. [`synchronized`](super::dropped::synchronized) makes a result of the
/// status.
///
/// # Safety
///
/// - A live event, which is not recorded meanwhile.
/// - The event was recorded last by [`record`], or [`forget_record`] was called since then.
#[inline(always)]
pub(crate) unsafe fn synchronize(event: sys::aclrtEvent) -> sys::aclError {
    // Relaxed: as in `record`.
    let address = SYNCHRONIZE.load(Ordering::Relaxed);
    // SAFETY: `choose` and the static's initialiser store only pointers that were functions of this type.
    let synchronize = unsafe { mem::transmute::<*mut c_void, OfEvent>(address) };
    // SAFETY: the caller's contract.
    unsafe { synchronize(event) }
}

/// Waits for a stream behind work with borrowed memory: on a device with a limit by the call with that limit.
///
/// # Safety
///
/// - A live stream of the context that is current and bound.
#[inline(always)]
pub(crate) unsafe fn wait_for_loan(stream: sys::aclrtStream) -> sys::aclError {
    // Relaxed: whoever has a stream of a device with a limit got it behind the choice.
    let address = WAIT_FOR_LOAN.load(Ordering::Relaxed);
    // SAFETY: only pointers that were functions of this type are stored.
    let wait = unsafe { mem::transmute::<*mut c_void, OfStream>(address) };
    // SAFETY: the caller's contract.
    unsafe { wait(stream) }
}

/// Returns the error of a wait for an event that was refused.
#[cold]
pub(crate) fn wait_refused(code: sys::aclError) -> Error {
    if code == DROPPED {
        return dropped();
    }
    let call = if limits_waits() {
        "aclrtStreamWaitEventWithTimeout"
    } else {
        "aclrtStreamWaitEvent"
    };
    Error::refused(call, code)
}

/// Enters that an event was recorded on a stream just now, whose owner submits nothing meanwhile. All work of the stream whose
/// memory was parked before is in front of the record.
pub(super) fn recorded(event: sys::aclrtEvent, stream: sys::aclrtStream) {
    if pending::of_parked() || has_limit() {
        with_stream(stream, &mut |state, key| {
            state.orders.record(event.addr(), key)
        });
    }
}

impl State {
    /// Enters that a stream has queued a wait without a limit for the last record of an event, and gets memory behind it. Memory
    /// that a stream has handed to itself is in use by no other one.
    fn takes_over(&mut self, stream: StreamKey, event: sys::aclrtEvent) {
        let of = self.orders.point_of(event.addr()).map(|(of, _)| of);
        self.waits_for(stream, event.addr(), of);
        self.follows(stream, event);
    }

    /// Whether it is proven that the work in front of the last record of an event or of a notify is over.
    fn is_over(&self, record: usize) -> bool {
        let Some((of, at)) = self.orders.point_of(record) else {
            return matches!(self.orders.fate_of(record), Some((Fate::Over, _)));
        };
        // A host function that was queued behind the record has begun (A14).
        let mut begun = self.begun.iter();
        begun.any(|(on, point)| *on == of && at <= *point)
    }

    /// Enters that a stream waits for the last record of an event or of a notify, of the stream `of` if that is known.
    fn waits_for(&mut self, stream: StreamKey, record: usize, of: Option<StreamKey>) {
        let waited = (stream, of);
        if self.is_over(record) {
            return;
        }
        // A stream that has ended has no work (`stream_ends`), and no later proof would take it out of the list.
        let is_over = |of| of == stream || !self.has_stream(of);
        if !of.is_some_and(is_over) && !self.waited.contains(&waited) {
            self.waited.push(waited);
            pending::recorded();
        }
    }

    /// Enters that a stream has queued a wait without a limit for the last record of an event.
    fn follows(&mut self, stream: StreamKey, event: sys::aclrtEvent) {
        if pending::of_records() {
            self.orders.follow(stream, event.addr());
        }
    }
}

impl Parking {
    /// Enters that an event was recorded on the default stream just now, whose owner submits nothing meanwhile.
    pub(crate) fn recorded(&self, event: sys::aclrtEvent, stream: StreamKey) {
        lock(&self.state).orders.record(event.addr(), stream);
    }

    /// Enters that a stream has queued a wait for the signal of a notify that the stream `of` has given, and gets memory behind it.
    /// Without a limit of releases the signal is not remembered, and frees no memory that was parked in front of it.
    pub(crate) fn takes_signal(&self, stream: StreamKey, notify: sys::aclrtNotify, of: StreamKey) {
        let mut state = lock(&self.state);
        state.waits_for(stream, notify.addr(), Some(of));
        state.follows(stream, notify);
    }

    /// Enters that a stream has given the signal of a notify, on a device with a limit.
    pub(crate) fn gives_signal(&self, stream: StreamKey, notify: sys::aclrtNotify) {
        lock(&self.state).orders.record(notify.addr(), stream);
    }

    /// Enters that the default stream, which is never aborted alone, has queued a wait without a limit for the last record of
    /// an event.
    pub(crate) fn follows(&self, stream: StreamKey, event: sys::aclrtEvent) {
        lock(&self.state).follows(stream, event);
    }
}

/// Calls `enter` with the state of the parking of a stream. The default streams of all contexts have one address, so who calls
/// for them finds their parking otherwise.
fn with_stream(stream: sys::aclrtStream, enter: &mut dyn FnMut(&mut State, StreamKey)) {
    if stream.is_null() {
        return;
    }
    for parking in &*lock(&PARKINGS) {
        let mut state = lock(&parking.state);
        let found = state.streams.iter().find(|(_, at)| *at == stream.addr());
        if let Some(&(key, _)) = found {
            return enter(&mut state, key);
        }
    }
}

/// Frees the memory whose work is in front of the last record of an event. Failed releases go to the hook.
///
/// # Safety
///
/// - The event has completed since its last record.
/// - The event was recorded last by [`record`], or [`forget_record`] was called since then.
pub(crate) unsafe fn reached(event: sys::aclrtEvent) {
    if !pending::of_records() {
        return;
    }
    let point_of = |parking: &Arc<Parking>| {
        let (stream, point) = lock(&parking.state).orders.point_of(event.addr())?;
        Some((Arc::clone(parking), stream, point))
    };
    let found = lock(&PARKINGS).iter().find_map(point_of);
    if let Some((parking, stream, point)) = found {
        // SAFETY: the event was recorded on the stream at that moment (invariant of `Orders`), and has completed. A stream
        // runs its work in order.
        let unfreed = unsafe { parking.reached(stream, point) };
        unfreed.iter().for_each(release::failed);
    }
}

/// Forgets the last record of an event or of a notify that is recorded again, also by other code, or destroyed.
pub(crate) fn forget_record(event: sys::aclrtEvent) {
    if pending::of_records() || has_limit() {
        for parking in &*lock(&PARKINGS) {
            lock(&parking.state).orders.forget(event.addr());
        }
    }
}
