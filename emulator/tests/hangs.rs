//! Tasks that hang, aborts, and limits without a clock.
//!
//! Each fill hangs here, and no limit depends on time: it passes when the work cannot go on.

#[macro_use]
mod common;

use std::env;
use std::ffi::c_void;
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ascendcl_emulator::{Clock, EmulatorConfig, Fault, Schedule};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("hangs");

/// The variable with the schedule of the tests.
const SCHEDULE: &str = "HANGS_SCHEDULE";

/// The code of a limit of a wait for a stream, of one for an event, and of a wait beside an abort.
const LATE: aclError = ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
const EVENT_LATE: aclError = ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
const ABORTED: aclError = ACL_ERROR_RT_STREAM_ABORT;

fn begin() -> Serial {
    let schedule = match env::var(SCHEDULE).as_deref() {
        Ok("lazy") => Schedule::Lazy,
        Ok("seeded") => Schedule::Seeded(3),
        _ => Schedule::Eager,
    };
    let config = EmulatorConfig::default()
        .with_schedule(schedule)
        .with_clock(Clock::Still)
        .with_fault(Fault::hang("aclrtMemsetAsync").from(1));
    start_with(config)
}

#[test]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
fn the_other_schedules_change_no_answer() {
    for schedule in ["lazy", "seeded"] {
        let mut command = Command::new(env::current_exe().unwrap());
        for other in [
            "the_other_schedules_change_no_answer",
            "watching_changes_no_answer",
        ] {
            command.args(["--skip", other]);
        }
        let output = command.env(SCHEDULE, schedule).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{schedule}: {text}");
    }
}

/// Queues a task that hangs.
fn hang(stream: aclrtStream) {
    let memory = malloc(64);
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, stream));
}

/// The shortest wait for a stream.
fn within(stream: aclrtStream) -> aclError {
    call!(stream.aclrtSynchronizeStreamWithTimeout(stream, 1))
}

/// The shortest wait for an event.
fn event_within(event: aclrtEvent) -> aclError {
    call!(event.aclrtSynchronizeEventWithTimeout(event, 1))
}

fn notify() -> aclrtNotify {
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, ACL_NOTIFY_DEFAULT));
    notify
}

/// A function of the program that waits until the test lets it go.
struct Held {
    begun: Sender<()>,
    go: Receiver<()>,
}

unsafe extern "C" fn held(data: *mut c_void) {
    // SAFETY: `launch_held` made it, and the function runs once.
    let held = unsafe { Box::from_raw(data.cast::<Held>()) };
    let _ = held.begun.send(());
    let _ = held.go.recv();
}

/// Queues a function that waits. It has begun when the first end answers, and ends when the second one is dropped.
fn launch_held(stream: aclrtStream) -> (Receiver<()>, Sender<()>) {
    let ((begun, has_begun), (go, gate)) = (channel(), channel());
    let data = Box::into_raw(Box::new(Held { begun, go: gate }));
    check!(callback.aclrtLaunchHostFunc(stream, Some(held), data.cast()));
    (has_begun, go)
}

unsafe extern "C" fn pause(_: *mut c_void) {
    thread::sleep(Duration::from_millis(30));
}

#[test]
fn a_task_that_hangs_stops_its_stream_until_an_abort() {
    let _serial = begin();
    let (s, event, to, from) = (stream(), event(), malloc(64), malloc(64));
    upload(to, &[1; 64]);
    upload(from, &[2; 64]);
    hang(s);
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    for _ in 0..3 {
        assert_eq!(within(s), LATE);
        assert_eq!(event_within(event), EVENT_LATE);
        check!(LATE, device.aclrtSynchronizeDeviceWithTimeout(1));
        assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    }
    check!(stream.aclrtStreamAbort(s));
    assert_eq!(download(to, 64), [1; 64], "nothing of it acted");
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(copy_async(to, from, 64, s), 0);
    assert_eq!(within(s), 0);
    assert_eq!(download(to, 64), [2; 64]);
}

#[test]
fn streams_that_wait_for_a_task_that_hangs_stand_too() {
    let _serial = begin();
    let (hung, next, last, free) = (stream(), stream(), stream(), stream());
    let (one, two) = (event(), event_ex(ACL_EVENT_SYNC));
    hang(hung);
    check!(event.aclrtRecordEvent(one, hung));
    check!(event.aclrtStreamWaitEvent(next, one));
    check!(event.aclrtRecordEvent(two, next));
    check!(event.aclrtStreamWaitEvent(last, two));
    // Work that takes longer than the limit, which is no reason for the limit to pass.
    check!(callback.aclrtLaunchHostFunc(free, Some(pause), ptr::null_mut()));
    assert_eq!(within(last), LATE);
    assert_eq!(event_within(two), EVENT_LATE);
    assert_eq!(within(free), 0);
    for stream in [hung, next, last] {
        check!(stream.aclrtStreamAbort(stream));
        assert_eq!(within(stream), 0);
    }
}

#[test]
fn a_forced_destruction_ends_what_hangs() {
    let _serial = begin();
    let (s, waits, event) = (stream(), stream(), event());
    hang(s);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(waits, event));
    check!(stream.aclrtDestroyStreamForce(s));
    assert_eq!(within(waits), LATE);
    check!(stream.aclrtDestroyStreamForce(waits));
    check!(107017, stream.aclrtSynchronizeStream(s));
}

#[test]
fn a_wait_that_runs_during_the_abort_reports_it() {
    let _serial = begin();
    let (s, event) = (stream(), event());
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (context, stream, event) = (context.addr(), s.addr(), event.addr());
    let waits: [fn(usize, usize) -> aclError; 3] = [
        |stream, _| call!(stream.aclrtSynchronizeStream(ptr::without_provenance_mut(stream))),
        |_, event| call!(event.aclrtSynchronizeEvent(ptr::without_provenance_mut(event))),
        |_, _| call!(device.aclrtSynchronizeDevice()),
    ];
    for wait in waits {
        let stop = AtomicBool::new(false);
        let told = thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                check!(context.aclrtSetCurrentContext(ptr::without_provenance_mut(context)));
                loop {
                    match wait(stream, event) {
                        0 if !stop.load(Ordering::Relaxed) => {}
                        code => return code,
                    }
                }
            });
            // Nothing says when a wait has begun, and one between the two calls returns 0: abort until one is met.
            for _ in 0..10_000 {
                hang(s);
                check!(event.aclrtRecordEvent(ptr::without_provenance_mut(event), s));
                thread::yield_now();
                check!(stream.aclrtStreamAbort(s));
                if waiting.is_finished() {
                    break;
                }
            }
            stop.store(true, Ordering::Relaxed);
            check!(event.aclrtRecordEvent(ptr::without_provenance_mut(event), s));
            waiting.join().ok()
        });
        assert_eq!(told, Some(ABORTED));
    }
}

#[test]
fn a_record_that_was_dropped_never_happens() {
    let _serial = begin();
    let (s, waits, other) = (stream(), stream(), stream());
    for event in [
        event(),
        event_ex(ACL_EVENT_SYNC),
        event_with(ACL_EVENT_SYNC),
    ] {
        hang(s);
        check!(event.aclrtRecordEvent(event, s));
        check!(event.aclrtStreamWaitEvent(waits, event));
        check!(stream.aclrtStreamAbort(s));
        let mut status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
        check!(event.aclrtQueryEventStatus(event, &mut status));
        assert_eq!(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
        assert_eq!(event_within(event), EVENT_LATE);
        assert_eq!(within(waits), LATE);
        // A wait that is queued now is for the same record.
        check!(event.aclrtStreamWaitEvent(other, event));
        assert_eq!(within(other), LATE);
        // A later record ends the waits.
        check!(event.aclrtRecordEvent(event, s));
        for stream in [s, waits, other] {
            check!(stream.aclrtSynchronizeStream(stream));
        }
        check!(event.aclrtSynchronizeEvent(event));
    }
}

#[test]
fn a_host_function_outlives_the_abort_of_its_stream() {
    let _serial = begin();
    let (s, to, from) = (stream(), malloc(64), malloc(64));
    upload(from, &[2; 64]);
    let (has_begun, go) = launch_held(s);
    let (never_begins, _go) = launch_held(s);
    let event = event();
    check!(event.aclrtRecordEvent(event, s));
    // Nothing runs on the lazy schedule before a thread asks.
    while has_begun.try_recv().is_err() {
        assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
        thread::yield_now();
    }
    check!(stream.aclrtStreamAbort(s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 64), [2; 64], "beside the function");
    check!(stream.aclrtDestroyStream(s));
    drop(go);
    // The thread that runs functions is free again.
    let other = stream();
    let (has_begun, go) = launch_held(other);
    drop(go);
    check!(stream.aclrtSynchronizeStream(other));
    assert_eq!(has_begun.recv(), Ok(()));
    assert!(never_begins.try_recv().is_err(), "it was dropped");
}

#[test]
fn a_limit_waits_for_what_another_stream_will_do() {
    let _serial = begin();
    let (s, other, at) = (stream(), stream(), malloc(8));
    upload(at, &[0; 8]);
    // A notify that nobody records, and one that another stream records behind its own work.
    let notify = notify();
    check!(event.aclrtWaitAndResetNotify(notify, s, 0));
    assert_eq!(within(s), LATE);
    check!(callback.aclrtLaunchHostFunc(other, Some(pause), ptr::null_mut()));
    check!(event.aclrtRecordNotify(notify, other));
    assert_eq!(within(s), 0);
    // A number that nobody writes, and one that another stream writes.
    let equal = ACL_STREAM_WAIT_VALUE_EQ;
    check!(memory.aclrtValueWait(at, 7, equal, s));
    assert_eq!(within(s), LATE);
    check!(callback.aclrtLaunchHostFunc(other, Some(pause), ptr::null_mut()));
    check!(memory.aclrtValueWrite(at, 7, 0, other));
    assert_eq!(within(s), 0);
    // A notify behind a task that hangs.
    check!(event.aclrtWaitAndResetNotify(notify, s, 0));
    hang(other);
    check!(event.aclrtRecordNotify(notify, other));
    assert_eq!(within(s), LATE);
    check!(stream.aclrtStreamAbort(other));
    assert_eq!(within(s), LATE, "the record was dropped");
    check!(stream.aclrtStreamAbort(s));
    // A wait of the stream that has a limit of its own ends by it.
    check!(event.aclrtWaitAndResetNotify(notify, s, 1));
    assert_eq!(within(s), ACL_ERROR_RT_TASK_TIMEOUT);
    check!(event.aclrtDestroyNotify(notify));
}
