//! The checker and numbers in memory: what a wait for one orders, and what it does not.

#[macro_use]
mod common;

use std::ffi::c_void;

use ascendcl_emulator::{Check, EmulatorConfig, Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

const GEQ: u32 = ACL_STREAM_WAIT_VALUE_GEQ;

fn start() -> Serial {
    let serial = serial(EmulatorConfig::default().with_check(Check::Collect));
    check!(device.aclrtSetDevice(0));
    let _ = take_findings();
    serial
}

/// What was found so far.
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
    let _serial = start();
    let (producer, consumer, at) = (stream(), stream(), zero());
    let (one, two, to) = (malloc(64), malloc(64), malloc(64));
    // Both orders: the wait first, then the write.
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
    let _serial = start();
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
    let _serial = start();
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
    let _serial = start();
    let (s, at) = (stream(), zero());
    check!(memory.aclrtValueWait(at, 1, GEQ, s));
    check!(memory.aclrtFree(at));
    let found = take_findings();
    let kinds: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    assert_eq!(kinds, [Mistake::FreedInUse]);
    check!(stream.aclrtStreamAbort(s));
}
