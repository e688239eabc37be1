//! The report of failed tasks to the callback of the program.
//!
//! The callback runs on the thread that synchronises, before that call returns, once for each failure that is
//! returned. Its argument identifies the task only while the callback runs.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering;

use ascendcl_sys::{aclError, aclrtExceptionInfo, aclrtExceptionInfoCallback};

use crate::engine::context::Context;
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::results::list_of;
use crate::sync::{Mutex, lock};

/// The result of the getters if there is no task.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// A task that failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure {
    pub(crate) task: u32,
    pub(crate) stream: u32,
    pub(crate) device: u32,
    pub(crate) code: u32,
}

/// A function of the program for failures.
type Callback = unsafe extern "C" fn(*mut aclrtExceptionInfo);

/// The function that the program set, and those that it added.
static CALLBACKS: Mutex<(Option<Callback>, Vec<Callback>)> = Mutex::new((None, Vec::new()));

thread_local! {
    /// The failure of the running callback of the thread, with the address that identifies it.
    static TOLD: Cell<Option<(usize, Failure)>> = const { Cell::new(None) };
}

/// Calls the callbacks of the program for a failure.
#[cold]
pub(crate) fn tell(stream: &Stream, code: aclError) {
    // A copy, so that a callback may change the others.
    let callbacks: Vec<_> = {
        let callbacks = lock(&CALLBACKS);
        list_of(callbacks.0.iter().chain(&callbacks.1).copied())
    };
    if callbacks.is_empty() {
        return;
    }
    let device = stream
        .context()
        .map(|context: &Context| context.device.load(Ordering::Relaxed));
    let id = engine()
        .streams
        .iter()
        .find(|(_, other)| ptr::eq(*other, stream));
    let failure = Failure {
        task: stream.failed_task.load(Ordering::Relaxed) as u32,
        stream: id.map_or(UNKNOWN, |(index, _)| index),
        device: device.unwrap_or(UNKNOWN),
        code: code.cast_unsigned(),
    };
    let info: *const Failure = &raw const failure;
    let before = TOLD.replace(Some((info.addr(), failure)));
    for callback in callbacks {
        // SAFETY: the contract of the callbacks: the function is valid until the program sets another one, or removes
        // it. The getters below only compare the pointer.
        unsafe {
            callback(ptr::without_provenance_mut::<aclrtExceptionInfo>(
                info.addr(),
            ))
        };
    }
    TOLD.set(before);
}

/// Sets the callback for failures.
pub(crate) fn set_callback(callback: aclrtExceptionInfoCallback) {
    lock(&CALLBACKS).0 = callback;
}

/// Adds a callback for failures, once.
pub(crate) fn add_callback(callback: Callback) {
    let mut callbacks = lock(&CALLBACKS);
    if !callbacks
        .1
        .iter()
        .any(|other| ptr::fn_addr_eq(*other, callback))
    {
        callbacks.1.push(callback);
    }
}

/// Removes a callback for failures, if it was added.
pub(crate) fn remove_callback(callback: Callback) {
    lock(&CALLBACKS)
        .1
        .retain(|other| !ptr::fn_addr_eq(*other, callback));
}

/// Returns the failure of the running callback of this thread, if `info` is its argument.
pub(crate) fn told(info: *const aclrtExceptionInfo) -> Option<Failure> {
    let (address, failure) = TOLD.get()?;
    (address == info.addr()).then_some(failure)
}
