//! Conditional tasks of model instances.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{What, live, take_violations};
use ascendcl_sys::*;
use common::capture::end;
use common::condition::*;
use common::*;

passes_while_watched!("conditions");

/// Copies a value from one place to another.
fn move_value(to: *mut c_void, from: *const c_void, stream: aclrtStream) {
    assert_eq!(copy_async(to, from, 8, stream), 0, "{}", text());
}

/// Makes device memory with these values of 8 bytes.
fn values(all: &[u64]) -> *mut c_void {
    let memory = malloc(all.len() * 8);
    let bytes: Vec<u8> = all.iter().flat_map(|value| value.to_le_bytes()).collect();
    upload(memory, &bytes);
    memory
}

fn at(memory: *mut c_void, index: usize) -> *mut c_void {
    memory.wrapping_byte_add(index * 8)
}

fn byte(memory: *const c_void) -> u8 {
    download(memory, 1)[0]
}

fn set(value: *mut c_void, to: u64) {
    upload(value, &to.to_le_bytes());
}

#[test]
fn an_if_runs_its_branch_or_the_other_one() {
    let _serial = start();
    for branches in 1..=2 {
        let (s, inner, memory) = (stream(), stream(), zeroed());
        let root = begin(s);
        let condition = condition(root, 0, OWN);
        let value = value_of(condition);
        fill(memory, 1, s);
        let mut both = vec![ptr::null_mut(); branches];
        assert_eq!(add_task(condition, IF, &mut both, s), 0);
        for (branch, fills) in both.iter().zip([2, 3]) {
            fork(*branch, inner, || fill(memory, fills, inner));
        }
        assert_eq!(end(s), root);
        // Nothing runs before the program starts it, and the program cannot free the value.
        assert_eq!(byte(memory), 0);
        assert_eq!(download(value, 8), [0; 8]);
        check!(107000, memory.aclrtFree(value));
        assert!(text().contains("condition"), "{}", text());
        let otherwise = if branches == 2 { 3 } else { 1 };
        for (is, expected) in [(1, 2), (0, otherwise), (1 << 32, 2), (0, otherwise)] {
            set(value, is);
            run(root, s);
            assert_eq!(byte(memory), expected, "{branches} branches, {is}");
        }
        check!(graph.aclmdlRIDestroy(root));
    }
}

#[test]
fn a_while_runs_as_long_as_its_value_is_not_0() {
    let _serial = start();
    let (s, inner) = (stream(), stream());
    let (chain, count) = (values(&[0; 4]), values(&[0; 4]));
    let root = begin(s);
    let condition = condition(root, 1, DEFAULT);
    let value = value_of(condition);
    let [body] = conditional(condition, WHILE, s);
    fork(body, inner, || {
        // Each round moves the next value, and then counts the rounds.
        for (to, from) in [(value, at(chain, 0)), (at(chain, 0), at(chain, 1))] {
            move_value(to, from, inner);
        }
        move_value(at(chain, 1), at(chain, 2), inner);
        for index in (1..4).rev() {
            move_value(at(count, index), at(count, index - 1), inner);
        }
    });
    assert_eq!(end(s), root);
    for (rest, rounds) in [([7, 5, 0], 3), ([0, 1, 1], 1), ([2, 0, 0], 2)] {
        upload(chain, &download(values(&rest), 24));
        upload(count, &download(values(&[1, 0, 0, 0]), 32));
        run(root, s);
        let counted = download(count, 32);
        let counted = counted.chunks(8).skip(1).filter(|one| one[0] == 1).count();
        assert_eq!(counted, rounds, "{rest:?}");
        assert_eq!(download(value, 8), [0; 8]);
    }
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_while_whose_value_is_0_does_nothing() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let root = begin(s);
    let condition = condition(root, 0, DEFAULT);
    let [body] = conditional(condition, WHILE, s);
    fork(body, inner, || fill(memory, 1, inner));
    end(s);
    run(root, s);
    assert_eq!(byte(memory), 0);
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_switch_runs_the_branch_of_its_value_if_there_is_one() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let root = begin(s);
    let condition = condition(root, 9, OWN);
    let value = value_of(condition);
    let branches: [_; 3] = conditional(condition, SWITCH, s);
    for (branch, fills) in branches.into_iter().zip([10, 11, 12]) {
        fork(branch, inner, || fill(memory, fills, inner));
    }
    end(s);
    for (is, expected) in [
        (1, 11),
        (3, 0),
        (0, 10),
        (2, 12),
        (u64::MAX, 0),
        (1 << 32, 0),
    ] {
        upload(memory, &[0; 64]);
        set(value, is);
        run(root, s);
        assert_eq!(byte(memory), expected, "{is}");
    }
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn each_run_begins_with_the_default() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let zero = values(&[0]);
    let root = begin(s);
    let (first, second) = (condition(root, 1, DEFAULT), condition(root, 1, OWN));
    let [branch] = conditional(first, IF, s);
    fork(branch, inner, || {
        fill(memory, 1, inner);
        move_value(value_of(first), zero, inner);
    });
    let [branch] = conditional(second, IF, s);
    fork(branch, inner, || fill(memory, 2, inner));
    end(s);
    for _ in 0..2 {
        // The second of two runs has the default again.
        check!(graph.aclmdlRIExecuteAsync(root, s));
        upload(memory, &[0; 64]);
        run(root, s);
        assert_eq!(byte(memory), 1);
        assert_eq!(download(value_of(first), 8), [0; 8]);
    }
    // The value that the program set stays.
    set(value_of(second), 4);
    for _ in 0..2 {
        upload(memory, &[0; 64]);
        run(root, s);
        assert_eq!(byte(memory), 2);
        assert_eq!(download(value_of(second), 8)[0], 4);
    }
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_task_of_the_capture_can_decide() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let decision = values(&[0]);
    let root = begin(s);
    let condition = condition(root, 0, DEFAULT);
    move_value(value_of(condition), decision, s);
    let [one, two] = conditional(condition, IF, s);
    fork(one, inner, || fill(memory, 1, inner));
    fork(two, inner, || fill(memory, 2, inner));
    move_value(memory.wrapping_byte_add(8), value_of(condition), s);
    end(s);
    for (decided, expected) in [(5, 1), (0, 2)] {
        set(decision, decided);
        run(root, s);
        assert_eq!(byte(memory), expected);
        assert_eq!(u64::from(byte(memory.wrapping_byte_add(8))), decided);
    }
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn conditions_nest() {
    let _serial = start();
    let (s, body_stream, inner) = (stream(), stream(), stream());
    let (rounds, choices) = (values(&[0; 3]), values(&[0; 3]));
    let (memory, copy) = (zeroed(), zeroed());
    let root = begin(s);
    let outer = condition(root, 1, DEFAULT);
    let [body] = conditional(outer, WHILE, s);
    check!(graph.aclmdlRICaptureToModelRIBegin(body_stream, body, RELAXED));
    // The value is set once for each run, not in each round.
    let choice = condition(body, 1, DEFAULT);
    let [yes, no] = conditional(choice, IF, body_stream);
    fork(yes, inner, || fill(memory, 1, inner));
    fork(no, inner, || {
        check!(memory.aclrtMemcpyAsync(copy, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, inner));
        fill(memory, 2, inner);
    });
    move_value(value_of(choice), at(choices, 0), body_stream);
    for (to, from) in [
        (value_of(outer), at(rounds, 0)),
        (at(rounds, 0), at(rounds, 1)),
    ] {
        move_value(to, from, body_stream);
    }
    assert_eq!(end(body_stream), body);
    assert_eq!(end(s), root);
    for _ in 0..2 {
        // The first round uses the default, the second one the value that the first round wrote.
        upload(rounds, &download(values(&[1, 0, 0]), 24));
        upload(memory, &[0; 64]);
        upload(copy, &[0; 64]);
        run(root, s);
        assert_eq!((byte(memory), byte(copy)), (2, 1));
    }
    check!(graph.aclmdlRIDestroy(root));
    assert_eq!(live().device_blocks, 6, "the test's own");
}

#[test]
fn a_branch_has_streams_of_its_own() {
    let _serial = start();
    let (s, one, two) = (stream(), stream(), stream());
    let (from, to, event) = (zeroed(), zeroed(), event_ex(ACL_EVENT_SYNC));
    let root = begin(s);
    let condition = condition(root, 1, DEFAULT);
    let [branch] = conditional(condition, IF, s);
    fork(branch, one, || {
        fill(from, 1, one);
        check!(event.aclrtRecordEvent(event, one));
        check!(event.aclrtStreamWaitEvent(two, event));
        assert_eq!(captured(two), branch);
        move_value(to, from, two);
        check!(event.aclrtRecordEvent(event, two));
        check!(event.aclrtStreamWaitEvent(one, event));
        fill(from, 2, one);
    });
    assert_eq!(captured(two), ptr::null_mut());
    end(s);
    run(root, s);
    assert_eq!((byte(from), byte(to)), (2, 1));
    check!(graph.aclmdlRIDestroy(root));
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_failed_task_of_a_branch_is_told_when_it_ran() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let gone = malloc(64);
    let root = begin(s);
    let (choice, always) = (condition(root, 0, OWN), condition(root, 1, DEFAULT));
    let [branch] = conditional(choice, IF, s);
    fork(branch, inner, || {
        fill(gone, 1, inner);
        fill(memory, 1, inner);
    });
    let [other] = conditional(always, IF, s);
    fork(other, inner, || fill(memory, 2, inner));
    end(s);
    check!(memory.aclrtFree(gone));
    run(root, s);
    assert_eq!(take_violations().len(), 0, "the branch did not run");
    set(value_of(choice), 1);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    let kinds: Vec<_> = take_violations().iter().map(|found| found.what).collect();
    assert_eq!(kinds, [What::MemoryUsedAfterFree]);
    // The next task ran.
    assert_eq!(byte(memory), 2);
    check!(stream.aclrtSynchronizeStream(s));
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_round_that_fails_is_the_last_one() {
    let _serial = start();
    let (s, inner, gone) = (stream(), stream(), malloc(64));
    let root = begin(s);
    let forever = condition(root, 1, DEFAULT);
    let [body] = conditional(forever, WHILE, s);
    fork(body, inner, || fill(gone, 1, inner));
    end(s);
    check!(memory.aclrtFree(gone));
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(take_violations().len(), 1);
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn a_switch_of_many_branches_runs_the_last_one() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let root = begin(s);
    let condition = condition(root, 127, DEFAULT);
    let mut branches = vec![ptr::null_mut(); 128];
    assert_eq!(add_task(condition, SWITCH, &mut branches, s), 0);
    for (index, branch) in branches.iter().enumerate() {
        fork(*branch, inner, || fill(memory, index as i32, inner));
    }
    end(s);
    run(root, s);
    assert_eq!(byte(memory), 127);
    check!(graph.aclmdlRIDestroy(root));
}

#[test]
fn the_end_of_a_context_ends_all_of_it() {
    let _serial = start();
    let (mut first, mut second) = (ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtGetCurrentContext(&mut first));
    check!(context.aclrtCreateContext(&mut second, 0));
    let (s, inner) = (stream(), stream());
    let root = begin(s);
    let handle = condition(root, 1, DEFAULT);
    let [one, two] = conditional(handle, IF, s);
    fork(one, inner, || {
        condition(captured(inner), 1, DEFAULT);
    });
    check!(graph.aclmdlRICaptureToModelRIBegin(inner, two, RELAXED));
    assert_eq!(live().device_blocks, 2);
    check!(context.aclrtSetCurrentContext(first));
    let mut value = ptr::null_mut();
    check!(
        107004,
        graph.aclmdlRICondHandleGetCondPtr(handle, &mut value)
    );
    check!(context.aclrtDestroyContext(second));
    assert_eq!(live().device_blocks, 0);
    check!(
        107017,
        graph.aclmdlRICondHandleGetCondPtr(handle, &mut value)
    );
    check!(107017, graph.aclmdlRIDestroy(root));
    check!(107017, graph.aclmdlRIDestroy(two));
}

#[test]
fn a_run_that_nobody_waits_for_ends_before_its_conditions_do() {
    let _serial = start();
    let (s, inner, memory) = (stream(), stream(), zeroed());
    let root = begin(s);
    let handle = condition(root, 1, DEFAULT);
    let [branch] = conditional(handle, IF, s);
    fork(branch, inner, || fill(memory, 1, inner));
    // A task may use the value like any other memory.
    move_value(memory, value_of(handle), s);
    end(s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    check!(device.aclrtResetDevice(0));
    assert_eq!(take_violations().len(), 0);
    check!(device.aclrtSetDevice(0));
}

#[test]
fn a_while_without_an_end_is_aborted() {
    let _serial = start();
    let (s, inner) = (stream(), stream());
    let root = begin(s);
    let [body] = conditional(condition(root, 1, DEFAULT), WHILE, s);
    fork(body, inner, || {});
    end(s);
    check!(graph.aclmdlRIExecuteAsync(root, s));
    std::thread::sleep(std::time::Duration::from_millis(20));
    check!(stream.aclrtStreamAbort(s));
    check!(graph.aclmdlRIDestroy(root));
}
