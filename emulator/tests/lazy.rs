//! The lazy schedule: a task runs only when a call waits for it.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{EmulatorConfig, Schedule, configure, take_violations};
use ascendcl_sys::*;
use common::condition::{captured, condition, conditional, fork, value_of};
use common::*;

fn lazy() -> EmulatorConfig {
    EmulatorConfig::default().with_schedule(Schedule::Lazy)
}

fn start() -> Serial {
    start_with(lazy())
}

#[test]
fn nothing_runs_before_it_is_needed_and_nothing_else_then() {
    let _serial = start();
    let (s, memory, event) = (stream(), malloc(64), event_ex(ACL_EVENT_SYNC));
    upload(memory, &[0; 64]);
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    check!(event.aclrtRecordEvent(event, s));
    check!(memory.aclrtMemsetAsync(memory, 64, 2, 64, s));
    assert_eq!(download(memory, 1), [0]);
    assert_eq!(query(s), ACL_STREAM_STATUS_NOT_READY);
    check!(stream.aclrtSynchronizeStream(stream()));
    assert_eq!(download(memory, 1), [0]);
    check!(event.aclrtSynchronizeEvent(event));
    assert_eq!(download(memory, 1), [1]);
    check!(device.aclrtSynchronizeDevice());
    assert_eq!(download(memory, 1), [2]);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_wait_runs_only_what_the_other_stream_owes() {
    let _serial = start();
    let (a, b, memory, event) = (stream(), stream(), malloc(64), event_ex(ACL_EVENT_SYNC));
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, a));
    check!(event.aclrtRecordEvent(event, a));
    check!(memory.aclrtMemsetAsync(memory, 64, 2, 64, a));
    check!(event.aclrtStreamWaitEvent(b, event));
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(download(memory, 1), [1]);
    assert_eq!(query(a), ACL_STREAM_STATUS_NOT_READY);
    check!(stream.aclrtDestroyStream(a));
    assert_eq!(download(memory, 1), [2]);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn whoever_waits_for_a_number_runs_who_writes_it() {
    let _serial = start();
    let (a, b, c, at) = (stream(), stream(), stream(), malloc(8));
    upload(at, &[0; 8]);
    check!(memory.aclrtValueWait(at, 2, ACL_STREAM_WAIT_VALUE_EQ, a));
    // A stream that cannot continue does not block other streams.
    check!(memory.aclrtValueWait(at, 3, ACL_STREAM_WAIT_VALUE_EQ, c));
    check!(memory.aclrtValueWrite(at, 1, 0, b));
    check!(memory.aclrtValueWrite(at, 2, 0, b));
    check!(stream.aclrtSynchronizeStream(a));
    assert_eq!(query(c), ACL_STREAM_STATUS_NOT_READY);
    check!(memory.aclrtValueWrite(at, 3, 0, b));
    check!(device.aclrtSynchronizeDevice());
}

#[test]
fn a_flag_is_set_by_a_record_that_is_not_the_latest() {
    let _serial = start();
    let (a, b, c, memory) = (stream(), stream(), stream(), malloc(64));
    let flag = event_with(ACL_EVENT_SYNC);
    // The second time no call synchronises: a query also runs the tasks.
    for asks in [false, true] {
        check!(memory.aclrtMemsetAsync(memory, 64, 0, 64, a));
        check!(event.aclrtRecordEvent(flag, a));
        check!(event.aclrtStreamWaitEvent(b, flag));
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, b));
        check!(event.aclrtRecordEvent(flag, b));
        check!(event.aclrtStreamWaitEvent(c, flag));
        if asks {
            assert!((0..100).any(|_| query(c) == ACL_STREAM_STATUS_COMPLETE));
        } else {
            check!(stream.aclrtSynchronizeStreamWithTimeout(c, 5000));
        }
        check!(device.aclrtSynchronizeDevice());
        check!(event.aclrtResetEvent(flag, a));
        check!(stream.aclrtSynchronizeStream(a));
    }
    check!(event.aclrtDestroyEvent(flag));
}

#[test]
fn polling_comes_to_an_end() {
    let _serial = start();
    let (a, b, memory, event) = (stream(), stream(), malloc(64), event_ex(ACL_EVENT_SYNC));
    for _ in 0..5 {
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, a));
    }
    check!(event.aclrtRecordEvent(event, a));
    check!(event.aclrtStreamWaitEvent(b, event));
    let mut rounds = 0;
    while query(b) == ACL_STREAM_STATUS_NOT_READY {
        rounds += 1;
        assert!(rounds < 100, "the loop makes no progress");
    }
    assert!(rounds >= 2);
    check!(event.aclrtDestroyEvent(event));
}

/// Returns the resident memory of the process in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split_whitespace().nth(1).map(str::parse::<usize>);
    assert!(matches!(pages, Some(Ok(1..))), "{pages:?}");
    pages.and_then(Result::ok).unwrap_or_default() * 4096
}

#[test]
fn a_hundred_thousand_tasks_on_all_streams_take_little_memory() {
    let _serial = start();
    let memory = malloc(64);
    upload(memory, &[0; 64]);
    let streams: Vec<_> = (0..1900).map(|_| stream()).collect();
    // There are three rounds, because each round reuses memory of the round before.
    for round in 1..=3u8 {
        let before = resident();
        for stream in streams.iter().cycle().take(100_000) {
            check!(memory.aclrtMemsetAsync(memory, 64, round.into(), 64, *stream));
        }
        let grown = resident().saturating_sub(before);
        assert!(grown < 32 << 20, "{grown} bytes");
        assert_eq!(download(memory, 1), [round - 1]);
        check!(device.aclrtSynchronizeDevice());
        assert_eq!(download(memory, 64), [round; 64]);
    }
    for stream in streams {
        check!(stream.aclrtDestroyStream(stream));
    }
}

#[test]
fn the_first_call_freezes_the_configuration() {
    let _serial = start();
    assert_eq!(configure(lazy()), Ok(()));
    let refused = configure(EmulatorConfig::default());
    assert_eq!(refused.map_err(|error| *error.running), Err(lazy()));
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
}

#[test]
fn a_wait_gives_up_whatever_the_other_stream_waits_for() {
    let _serial = start();
    let (stuck, waiting) = (stream(), stream());
    let never = event_with(ACL_EVENT_SYNC);
    check!(event.aclrtStreamWaitEvent(stuck, never));
    let behind = event_ex(ACL_EVENT_SYNC);
    check!(event.aclrtRecordEvent(behind, stuck));
    check!(event.aclrtStreamWaitEventWithTimeout(waiting, behind, 1));
    check!(107020, stream.aclrtSynchronizeStream(waiting));
    check!(event.aclrtRecordEvent(never, waiting));
    check!(stream.aclrtSynchronizeStream(waiting));
    check!(stream.aclrtSynchronizeStream(stuck));
    check!(event.aclrtDestroyEvent(behind));
    check!(event.aclrtDestroyEvent(never));
}

/// Makes a WHILE with one round, which fills some memory.
fn one_round(memory: *mut c_void, s: aclrtStream) -> aclmdlRI {
    let (inner, rounds) = (stream(), malloc(64));
    upload(memory, &[0; 64]);
    upload(rounds, &[0; 64]);
    let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    check!(graph.aclmdlRICaptureBegin(s, mode));
    let root = captured(s);
    let condition = condition(root, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT);
    let value = value_of(condition);
    let [body] = conditional(condition, ACL_MODEL_RI_COND_TYPE_WHILE, s);
    fork(body, inner, || {
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, inner));
        assert_eq!(copy_async(value, rounds, 8, inner), 0);
    });
    // The value outlives the last conditional task of a run.
    assert_eq!(copy_async(rounds, value, 8, s), 0);
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    assert_eq!(instance, root);
    root
}

#[test]
fn a_conditional_task_runs_when_somebody_waits_for_it() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    let root = one_round(memory, s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    assert_eq!(download(memory, 1), [0]);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 1), [1]);
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_run_that_a_reset_waits_for_has_its_conditions() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    let root = one_round(memory, s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    assert_eq!(download(memory, 1), [0]);
    check!(device.aclrtResetDevice(0));
    assert_eq!(take_violations(), []);
    check!(device.aclrtSetDevice(0));
}
