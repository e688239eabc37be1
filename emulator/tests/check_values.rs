//! The checker and numbers in memory: the order that a wait for a number establishes, and the limits of this order.

#[macro_use]
mod common;

use std::ffi::c_void;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

const GEQ: u32 = ACL_STREAM_WAIT_VALUE_GEQ;

/// Takes and returns the kinds of the findings.
fn mistakes() -> Vec<Mistake> {
    check!(device.aclrtSynchronizeDevice());
    let found = take_findings();
    found.iter().map(|finding| finding.mistake).collect()
}

fn zero() -> *mut c_void {
    let memory = malloc(8);
    upload(memory, &[0; 8]);
    memory
}

fn fill(memory: *mut c_void, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, stream));
}

#[test]
fn a_counter_orders_two_streams() {
    let _serial = start_checked();
    let (producer, consumer, at) = (stream(), stream(), zero());
    let (one, two, to) = (malloc(64), malloc(64), malloc(64));
    // The test has both orders: here the wait comes before the write.
    check!(memory.aclrtValueWait(at, 1, GEQ, consumer));
    assert_eq!(copy_async(to, one, 64, consumer), 0);
    check!(memory.aclrtValueWait(at, 2, GEQ, consumer));
    assert_eq!(copy_async(to, two, 64, consumer), 0);
    fill(one, producer);
    check!(memory.aclrtValueWrite(at, 1, 0, producer));
    fill(two, producer);
    check!(memory.aclrtValueWrite(at, 2, 0, producer));
    check!(memory.aclrtValueWait(at, 2, GEQ, consumer));
    assert_eq!(copy_async(to, two, 64, consumer), 0);
    assert_eq!(mistakes(), []);
    assert_eq!(download(at, 1), [2]);
    assert_eq!(mistakes(), []);
}

#[test]
fn a_wait_for_less_is_no_order() {
    let _serial = start_checked();
    let (producer, consumer, at) = (stream(), stream(), zero());
    let (memory, to) = (malloc(64), malloc(64));
    check!(memory.aclrtValueWrite(at, 1, 0, producer));
    fill(memory, producer);
    check!(memory.aclrtValueWait(at, 1, GEQ, consumer));
    assert_eq!(copy_async(to, memory, 64, consumer), 0);
    assert_eq!(mistakes(), [Mistake::Unordered]);
}

#[test]
fn what_is_reduced_has_to_be_there_and_nobody_elses() {
    let _serial = start_checked();
    let (s, other, none) = (stream(), stream(), std::ptr::null_mut());
    let (to, from) = (malloc(64), malloc(64));
    fill(to, s);
    fill(from, s);
    let kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
    check!(memory.aclrtReduceAsync(to, from, 64, kind, ACL_INT8, s, none));
    assert_eq!(mistakes(), []);
    check!(memory.aclrtReduceAsync(to, from, 64, kind, ACL_INT8, s, none));
    check!(memory.aclrtReduceAsync(to, from, 64, kind, ACL_INT8, other, none));
    assert_eq!(mistakes(), [Mistake::Unordered]);
    let fresh = malloc(64);
    check!(memory.aclrtReduceAsync(fresh, from, 64, kind, ACL_INT8, s, none));
    assert_eq!(mistakes(), [Mistake::Uninitialised]);
}

#[test]
fn a_number_that_a_wait_looks_at_is_not_freed() {
    let _serial = start_checked();
    let (s, at) = (stream(), zero());
    check!(memory.aclrtValueWait(at, 1, GEQ, s));
    check!(memory.aclrtFree(at));
    let found = take_findings();
    let kinds: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    assert_eq!(kinds, [Mistake::FreedInUse]);
    check!(stream.aclrtStreamAbort(s));
}

const EQ: u32 = ACL_STREAM_WAIT_VALUE_EQ;

/// Copies to the host, which is a mistake if the memory was not written.
fn copy_out(memory: *mut c_void, stream: aclrtStream) {
    let (to, kind) = (malloc_host(64), ACL_MEMCPY_DEVICE_TO_HOST);
    check!(memory.aclrtMemcpyAsync(to, 64, memory, 64, kind, stream));
}

#[test]
fn what_a_number_was_at_first_ends_a_wait() {
    let _serial = start_checked();
    let (a, b, at, memory) = (stream(), stream(), zero(), malloc(64));
    let event = event_ex(ACL_EVENT_SYNC);
    check!(memory.aclrtValueWait(at, 0, EQ, a));
    fill(memory, a);
    check!(event.aclrtRecordEvent(event, a));
    check!(event.aclrtStreamWaitEvent(b, event));
    copy_out(memory, b);
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(mistakes(), []);
    check!(event.aclrtDestroyEvent(event));
    // This wait establishes no order.
    check!(memory.aclrtValueWait(at, 0, EQ, a));
    fill(memory, a);
    check!(memory.aclrtValueWait(at, 0, EQ, b));
    copy_out(memory, b);
    assert_eq!(mistakes(), [Mistake::Unordered]);
}

#[test]
fn a_number_that_goes_to_and_fro_is_a_mailbox() {
    let _serial = start_checked();
    let (a, b, at, memory) = (stream(), stream(), zero(), malloc(64));
    let full = |stream| {
        check!(memory.aclrtValueWait(at, 0, EQ, stream));
        fill(memory, stream);
        check!(memory.aclrtValueWrite(at, 1, 0, stream));
    };
    let empty = |stream| {
        check!(memory.aclrtValueWait(at, 1, EQ, stream));
        copy_out(memory, stream);
        check!(memory.aclrtValueWrite(at, 0, 0, stream));
    };
    for _ in 0..4 {
        full(a);
        empty(b);
    }
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(mistakes(), []);
    // All calls of one side come before those of the other side.
    for _ in 0..4 {
        full(a);
    }
    for _ in 0..4 {
        empty(b);
    }
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(mistakes(), []);
    for _ in 0..4 {
        empty(b);
    }
    for _ in 0..4 {
        full(a);
    }
    assert_eq!(mistakes(), []);
}

#[test]
fn credits_that_the_host_gives_are_there() {
    let _serial = start_checked();
    let (a, b, full, free) = (stream(), stream(), zero(), zero());
    upload(free, &2_u64.to_ne_bytes());
    let slots = [malloc(64), malloc(64)];
    for (round, memory) in (0..8).zip(slots.iter().cycle()) {
        check!(memory.aclrtValueWait(free, round + 1, GEQ, a));
        fill(*memory, a);
        check!(memory.aclrtValueWrite(full, round + 1, 0, a));
        check!(memory.aclrtValueWait(full, round + 1, GEQ, b));
        copy_out(*memory, b);
        check!(memory.aclrtValueWrite(free, round + 3, 0, b));
    }
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(mistakes(), []);
}

#[test]
fn a_number_that_the_host_writes_or_frees_begins_anew() {
    let _serial = start_checked();
    let (a, b, memory) = (stream(), stream(), malloc(64));
    let round = |at| {
        check!(memory.aclrtValueWait(at, 1, EQ, b));
        copy_out(memory, b);
        fill(memory, a);
        check!(memory.aclrtValueWrite(at, 1, 0, a));
        check!(stream.aclrtSynchronizeStream(b));
        check!(stream.aclrtSynchronizeStream(a));
    };
    let at = zero();
    for _ in 0..3 {
        check!(memory.aclrtMemset(at, 8, 0, 8));
        round(at);
    }
    check!(memory.aclrtFree(at));
    for _ in 0..3 {
        let at = zero();
        round(at);
        check!(memory.aclrtFree(at));
    }
    assert_eq!(mistakes(), []);
    // The write is too early, so the wait establishes no order.
    let at = zero();
    check!(memory.aclrtValueWrite(at, 1, 0, a));
    fill(memory, a);
    check!(memory.aclrtValueWait(at, 1, EQ, b));
    copy_out(memory, b);
    assert_eq!(mistakes(), [Mistake::Unordered]);
}

#[test]
fn many_writes_of_a_number_give_no_false_alarm() {
    let _serial = start_checked();
    let (a, b, full, free) = (stream(), stream(), zero(), zero());
    let memory = malloc(64);
    for round in 0..100 {
        check!(memory.aclrtValueWait(free, round, GEQ, a));
        fill(memory, a);
        check!(memory.aclrtValueWrite(full, round + 1, 0, a));
    }
    for round in 0..100 {
        check!(memory.aclrtValueWait(full, round + 1, GEQ, b));
        copy_out(memory, b);
        check!(memory.aclrtValueWrite(free, round + 1, 0, b));
    }
    check!(stream.aclrtSynchronizeStream(b));
    assert_eq!(mistakes(), []);
}

#[test]
fn a_copy_may_end_a_wait_too() {
    let _serial = start_checked();
    let (a, b, at, one, memory) = (stream(), stream(), zero(), malloc(8), malloc(64));
    upload(one, &1_u64.to_ne_bytes());
    // The wait is once after and once before the copy.
    fill(memory, a);
    assert_eq!(copy_async(at, one, 8, a), 0);
    check!(memory.aclrtValueWait(at, 1, EQ, b));
    copy_out(memory, b);
    check!(stream.aclrtSynchronizeStream(b));
    check!(stream.aclrtSynchronizeStream(a));
    let fresh = malloc(64);
    check!(memory.aclrtMemset(at, 8, 0, 8));
    check!(memory.aclrtValueWait(at, 1, EQ, b));
    copy_out(fresh, b);
    fill(fresh, a);
    assert_eq!(copy_async(at, one, 8, a), 0);
    assert_eq!(mistakes(), []);
    // From here on the checker compares the streams again.
    fill(memory, a);
    copy_out(memory, b);
    assert_eq!(mistakes(), [Mistake::Unordered]);
}
