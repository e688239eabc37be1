//! Notifies, dropped work, and the hook for failed tasks.

#[macro_use]
mod common;

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_emulator::take_violations;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("signals");

fn notify() -> aclrtNotify {
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, ACL_NOTIFY_DEFAULT));
    notify
}

#[test]
fn a_notify_carries_a_signal_that_the_wait_consumes() {
    let _serial = start();
    let (one, other, notify) = (stream(), stream(), notify());
    let (to, from) = (malloc(64), malloc(64));
    upload(from, &[7; 64]);
    check!(event.aclrtWaitAndResetNotify(notify, other, 0));
    assert_eq!(copy_async(to, from, 64, other), 0);
    assert_eq!(query(other), ACL_STREAM_STATUS_NOT_READY);
    check!(event.aclrtRecordNotify(notify, one));
    check!(stream.aclrtSynchronizeStream(other));
    assert_eq!(download(to, 64), [7; 64]);
    // The signal was consumed: a second wait needs a second signal, and ends by its timeout without it.
    check!(event.aclrtWaitAndResetNotify(notify, other, 1));
    check!(107020, stream.aclrtSynchronizeStream(other));
    check!(event.aclrtRecordNotify(notify, one));
    check!(event.aclrtWaitAndResetNotify(notify, other, 0));
    check!(stream.aclrtSynchronizeStream(other));
    check!(event.aclrtDestroyNotify(notify));
}

#[test]
fn notifies_are_handles_of_their_own() {
    let _serial = start();
    let (s, event, one, other) = (stream(), event(), notify(), notify());
    let (mut first, mut second) = (0, 0);
    check!(event.aclrtGetNotifyId(one, &mut first));
    check!(event.aclrtGetNotifyId(other, &mut second));
    assert_ne!(first, second);
    check!(107017, event.aclrtRecordEvent(one, s));
    check!(107017, event.aclrtRecordNotify(event, s));
    check!(100000, event.aclrtRecordNotify(ptr::null_mut(), s));
    check!(100000, event.aclrtCreateNotify(ptr::null_mut(), 0));
    let mut out = ptr::null_mut();
    let device_only = ACL_NOTIFY_DEVICE_USE_ONLY;
    check!(207000, event.aclrtCreateNotify(&mut out, device_only));
    check!(107000, event.aclrtCreateNotify(&mut out, 2));
    check!(event.aclrtDestroyNotify(one));
    for code in [
        call!(event.aclrtDestroyNotify(one)),
        call!(event.aclrtRecordNotify(one, s)),
        call!(event.aclrtWaitAndResetNotify(one, s, 0)),
        call!(event.aclrtGetNotifyId(one, &mut first)),
    ] {
        assert_eq!(code, 107017);
    }
    check!(event.aclrtDestroyNotify(other));
    let mut id = u32::MAX;
    check!(event.aclrtGetEventId(event, &mut id));
    assert_ne!(id, u32::MAX);
    check!(event.aclrtDestroyEvent(event));
    check!(107017, event.aclrtGetEventId(event, &mut id));
}

#[test]
fn an_aborted_stream_drops_its_work_and_goes_on() {
    let _serial = start();
    let (s, waits, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    let (to, from) = (malloc(64), malloc(64));
    upload(to, &[1; 64]);
    upload(from, &[2; 64]);
    let gate = Gate::close(s);
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(waits, event));
    check!(stream.aclrtStreamAbort(s));
    assert_eq!(download(to, 64), [1; 64], "nothing of it acted");
    check!(stream.aclrtSynchronizeStream(s));
    // The record never happens. What waits for it has to be aborted, too.
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(waits, 1));
    check!(stream.aclrtStreamAbort(waits));
    check!(stream.aclrtSynchronizeStream(waits));
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 64), [2; 64]);
    gate.open();
    check!(event.aclrtDestroyEvent(event));
    check!(stream.aclrtDestroyStream(s));
    check!(107017, stream.aclrtStreamAbort(s));
}

#[test]
fn an_abort_leaves_an_earlier_failure_to_be_told() {
    let _serial = start();
    let (s, to, from) = (stream(), malloc(64), malloc(64));
    let gate = Gate::close(s);
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(memory.aclrtFree(to));
    gate.open();
    let event = event();
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtSynchronizeEvent(event));
    check!(event.aclrtDestroyEvent(event));
    check!(stream.aclrtStreamAbort(s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    check!(stream.aclrtSynchronizeStream(s));
    let _ = take_violations();
}

/// The information that the function below got: task, stream, device, code, and the task of another address.
static TOLD: Mutex<Vec<[u32; 5]>> = Mutex::new(Vec::new());
static TASK: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn learn(info: *mut aclrtExceptionInfo) {
    let told = [
        call!(runtime.aclrtGetTaskIdFromExceptionInfo(info)),
        call!(runtime.aclrtGetStreamIdFromExceptionInfo(info)),
        call!(runtime.aclrtGetDeviceIdFromExceptionInfo(info)),
        call!(runtime.aclrtGetErrorCodeFromExceptionInfo(info)),
        call!(runtime.aclrtGetTaskIdFromExceptionInfo(ptr::null())),
    ];
    if let Ok(mut list) = TOLD.lock() {
        list.push(told);
    }
}

#[test]
fn a_function_learns_of_each_failure_once() {
    let _serial = start();
    check!(runtime.aclrtSetExceptionInfoCallback(Some(learn)));
    let (s, to, from) = (stream(), malloc(64), malloc(64));
    let mut id = -1;
    check!(stream.aclrtStreamGetId(s, &mut id));
    let gate = Gate::close(s);
    assert_eq!(copy_async(to, from, 64, s), 0);
    let mut task = 0;
    check!(stream.aclrtGetThreadLastTaskId(&mut task));
    TASK.store(task, Ordering::Relaxed);
    check!(memory.aclrtFree(to));
    gate.open();
    check!(507001, stream.aclrtSynchronizeStream(s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(runtime.aclrtSetExceptionInfoCallback(None));
    let told = TOLD.lock().map(|list| list.clone()).unwrap_or_default();
    let unknown = u32::MAX;
    assert_eq!(
        told,
        [[TASK.load(Ordering::Relaxed), id as u32, 0, 507001, unknown]]
    );
    let answer = call!(runtime.aclrtGetTaskIdFromExceptionInfo(ptr::null()));
    assert_eq!(answer, unknown, "outside of the function nothing is known");
    let _ = take_violations();
}

#[test]
fn tasks_are_numbered_in_the_order_of_submission() {
    let _serial = start();
    let (s, to, from) = (stream(), malloc(64), malloc(64));
    let last = || {
        let mut task = 0;
        check!(stream.aclrtGetThreadLastTaskId(&mut task));
        task
    };
    assert_eq!(copy_async(to, from, 64, s), 0);
    let first = last();
    check!(runtime.aclrtProfTrace(to, 8, s));
    assert_eq!(last(), first + 1);
    check!(100000, runtime.aclrtProfTrace(ptr::null_mut(), 8, s));
    check!(100000, runtime.aclrtProfTrace(to, 0, s));
    check!(107000, runtime.aclrtProfTrace(to, 19, s));
    assert_eq!(last(), first + 1);
    check!(stream.aclrtSynchronizeStream(s));
    check!(100000, stream.aclrtGetThreadLastTaskId(ptr::null_mut()));
}

#[test]
fn a_notify_is_destroyed_in_a_context() {
    let _serial = start();
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, 0));
    check!(device.aclrtResetDevice(0));
    check!(107002, event.aclrtDestroyNotify(notify));
    check!(100000, event.aclrtDestroyNotify(ptr::null_mut()));
}

#[test]
fn a_key_of_a_notify_has_a_length_and_is_for_other_processes() {
    let _serial = start();
    let (notify, mut out, mut pid) = (notify(), ptr::null_mut(), 0);
    let mut key = [0; 65];
    let text = key.as_mut_ptr();
    check!(
        100000,
        event.aclrtNotifyGetExportKey(notify, ptr::null_mut(), 65, 0)
    );
    check!(107000, event.aclrtNotifyGetExportKey(notify, text, 64, 0));
    check!(107000, event.aclrtNotifyGetExportKey(notify, text, 65, 1));
    check!(event.aclrtNotifyGetExportKey(notify, text, 65, 2));
    let first = key;
    for _ in 0..3000 {
        check!(event.aclrtNotifyGetExportKey(notify, text, 65, 2));
    }
    assert_eq!(key, first);
    let text = key.as_mut_ptr();
    check!(107000, event.aclrtNotifySetImportPid(notify, &mut pid, 1));
    check!(107000, event.aclrtNotifySetImportPid(notify, &mut pid, 0));
    check!(107000, event.aclrtNotifyImportByKey(&mut out, text, 1));
    check!(507899, event.aclrtNotifyImportByKey(&mut out, text, 0));
    let other = c"ascendcl-emulator-0".as_ptr();
    check!(507899, event.aclrtNotifyImportByKey(&mut out, other, 0));
    assert!(out.is_null());
    check!(event.aclrtDestroyNotify(notify));
    check!(107017, event.aclrtNotifyGetExportKey(notify, text, 65, 2));
}
