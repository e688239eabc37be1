//! Failed tasks, memory that was freed too early, and two devices.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::{What, live, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("failures");

/// Queues a copy into memory that is freed before its turn.
fn queue_failure(stream: aclrtStream) {
    let (to, from, gate) = (malloc(64), malloc(64), Gate::close(stream));
    assert_eq!(copy_async(to, from, 64, stream), 0);
    check!(memory.aclrtFree(to));
    gate.open();
}

fn kinds() -> Vec<What> {
    take_violations()
        .into_iter()
        .map(|violation| violation.what)
        .collect()
}

#[test]
fn completion_is_not_success() {
    let _serial = start();
    let (s, s2, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    queue_failure(s);
    let (to, from) = (malloc(64), malloc(64));
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(s2, event));
    check!(event.aclrtSynchronizeEvent(event));
    let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    check!(event.aclrtQueryEventStatus(event, &mut status));
    assert_eq!(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_eq!(query(s), ACL_STREAM_STATUS_COMPLETE);
    check!(stream.aclrtSynchronizeStream(s2));
    check!(507001, stream.aclrtSynchronizeStream(s));
    let why = "the newest is aclrtMemcpyAsync: memory used after it was freed: a queued task met";
    assert!(text().contains(why), "{}", text());
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(device.aclrtSynchronizeDevice());
    assert_eq!(
        call!(runtime.aclrtGetLastError(ACL_RT_THREAD_LEVEL)),
        507001
    );
    assert_eq!(kinds(), [What::MemoryUsedAfterFree]);
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn a_free_that_waits_frees_nothing_where_the_wait_fails() {
    let _serial = start();
    let (s, device, host) = (stream(), malloc(64), malloc_host(64));
    queue_failure(s);
    check!(507001, memory.aclrtFreeWithDevSync(device));
    queue_failure(s);
    check!(507001, memory.aclrtFreeHostWithDevSync(host));
    // Both allocations still exist, and the failures were reported.
    check!(memory.aclrtFreeWithDevSync(device));
    check!(memory.aclrtFreeHostWithDevSync(host));
    assert_eq!(kinds(), [What::MemoryUsedAfterFree; 2]);
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn every_way_to_synchronise_tells_once_and_destroying_swallows() {
    let _serial = start();
    let s = stream();
    queue_failure(s);
    check!(507001, device.aclrtSynchronizeDevice());
    check!(device.aclrtSynchronizeDevice());
    queue_failure(s);
    check!(507001, stream.aclrtSynchronizeStreamWithTimeout(s, 1000));
    check!(stream.aclrtSynchronizeStreamWithTimeout(s, 1000));
    queue_failure(s);
    queue_failure(s);
    check!(507001, device.aclrtSynchronizeDeviceWithTimeout(1000));
    check!(stream.aclrtSynchronizeStream(s));
    queue_failure(s);
    check!(stream.aclrtDestroyStream(s));
    check!(device.aclrtSynchronizeDevice());
    assert_eq!(kinds().len(), 5);
}

#[test]
fn stop_on_failure_ends_the_context_until_the_reset() {
    let _serial = start();
    let (s, s2, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    check!(stream.aclrtSetStreamFailureMode(s, 2));
    check!(stream.aclrtSetStreamFailureMode(s, ACL_CONTINUE_ON_FAILURE));
    check!(stream.aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE));
    check!(stream.aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE));
    check!(
        207000,
        stream.aclrtSetStreamFailureMode(s, ACL_CONTINUE_ON_FAILURE)
    );
    let (to, from, freed, gate) = (malloc(64), malloc(64), malloc(64), Gate::close(s));
    upload(to, &[1; 64]);
    upload(from, &[2; 64]);
    assert_eq!(copy_async(freed, from, 64, s), 0);
    check!(memory.aclrtFree(freed));
    assert_eq!(copy_async(to, from, 64, s), 0);
    check!(event.aclrtRecordEvent(event, s));
    check!(event.aclrtStreamWaitEvent(s2, event));
    gate.open();
    for _ in 0..2 {
        check!(507001, event.aclrtSynchronizeEventWithTimeout(event, 1000));
        check!(507001, stream.aclrtSynchronizeStream(s));
        check!(507001, stream.aclrtSynchronizeStream(s2));
    }
    assert_eq!(copy_async(to, from, 64, s), 507001);
    assert_eq!(copy_async(to, from, 64, s2), 507001);
    assert_eq!(download(to, 64), [1; 64], "nothing ran behind the failure");
    check!(memory.aclrtFree(malloc(64)));
    check!(stream.aclrtDestroyStream(stream()));
    check!(event.aclrtDestroyEvent(event));
    check!(device.aclrtResetDevice(0));
    check!(device.aclrtSetDevice(0));
    check!(memory.aclrtFree(malloc(64)));
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
}

#[test]
fn a_stale_task_never_writes_into_the_memory_of_a_new_owner() {
    let _serial = start();
    let (s, from) = (stream(), malloc(64));
    upload(from, &[0xee; 64]);
    let (old, gate) = (malloc(64), Gate::close(s));
    assert_eq!(copy_async(old, from, 64, s), 0);
    check!(memory.aclrtMemsetAsync(old, 64, 0xee, 64, s));
    check!(memory.aclrtFree(old));
    let new = malloc(64);
    assert_eq!(new, old, "recycled");
    upload(new, &[1; 64]);
    gate.open();
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(download(new, 64), [1; 64]);
    assert_eq!(kinds(), [What::MemoryUsedAfterFree; 2]);
}

#[test]
fn pinned_memory_and_a_reset_device_are_watched_as_well() {
    let _serial = start();
    let (s, device, pinned) = (stream(), malloc(64), malloc_host(64));
    let gate = Gate::close(s);
    assert_eq!(copy_async(device, pinned, 64, s), 0);
    check!(memory.aclrtFreeHost(pinned));
    gate.open();
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(kinds(), [What::MemoryUsedAfterFree]);
    // Memory of device 1 in a queue of device 0, while device 1 is reset.
    check!(device.aclrtSetDevice(1));
    let far = malloc(64);
    check!(device.aclrtSetDevice(0));
    let gate = Gate::close(s);
    check!(memory.aclrtMemsetAsync(far, 64, 0, 64, s));
    check!(device.aclrtResetDevice(1));
    gate.open();
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(kinds(), [What::MemoryUsedAfterFree]);
    check!(device.aclrtResetDevice(0));
}

#[test]
fn a_range_beyond_its_allocation_fails_when_its_turn_comes() {
    let _serial = start();
    let (s, a, b) = (stream(), malloc(64), malloc(1 << 20));
    assert_eq!(copy_async(a, b, 1 << 20, s), 0);
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(kinds(), [What::MemoryOutOfBounds]);
}

#[test]
fn a_reset_waits_for_work_and_frees_everything() {
    let _serial = start();
    let (s, device, pinned) = (stream(), malloc(1 << 20), malloc_host(1 << 20));
    check!(memory.aclrtMemset(device, 1 << 20, 5, 1 << 20));
    for _ in 0..10 {
        assert_eq!(copy_async(pinned, device, 1 << 20, s), 0);
    }
    check!(device.aclrtResetDevice(0));
    let last = pinned.cast::<u8>().wrapping_add((1 << 20) - 1);
    // SAFETY: page-locked memory survives the reset, and the copies are complete.
    let last = unsafe { last.read() };
    assert_eq!(last, 5);
    assert_eq!(
        (live().device_blocks, live().streams, live().contexts),
        (0, 0, 0)
    );
    check!(memory.aclrtFreeHost(pinned));
    assert_eq!(take_violations(), []);
}

#[test]
fn two_devices_reach_each_other() {
    let _serial = start();
    let (near, pinned, e0) = (malloc(64), malloc_host(64), event_ex(ACL_EVENT_SYNC));
    let s0 = stream();
    upload(near, &[3; 64]);
    check!(100000, device.aclrtDeviceEnablePeerAccess(0, 0));
    check!(200006, device.aclrtDeviceEnablePeerAccess(1, 1));
    check!(device.aclrtDeviceEnablePeerAccess(1, 0));
    check!(device.aclrtDeviceEnablePeerAccess(1, 0));
    check!(device.aclrtDeviceDisablePeerAccess(1));
    check!(device.aclrtDeviceDisablePeerAccess(1));
    check!(event.aclrtRecordEvent(e0, s0));
    check!(device.aclrtSetDevice(1));
    let (s1, far) = (stream(), malloc(64));
    check!(event.aclrtStreamWaitEvent(s1, e0));
    assert_eq!(copy_async(far, near, 64, s1), 0);
    assert_eq!(copy_async(pinned, far, 64, s1), 0);
    check!(memory.aclrtMemsetAsync(near, 64, 4, 64, s1));
    check!(event.aclrtRecordEvent(e0, s1));
    check!(stream.aclrtSynchronizeStream(s1));
    assert_eq!(download(far, 64), [3; 64]);
    assert_eq!(download(near, 64), [4; 64]);
    check!(stream.aclrtSynchronizeStream(s0));
    check!(107003, memory.aclrtMemsetAsync(near, 64, 4, 64, s0));
    check!(107003, event.aclrtRecordEvent(e0, s0));
    check!(107003, stream.aclrtDestroyStream(s0));
    check!(memory.aclrtFree(near));
    check!(device.aclrtResetDevice(0));
    let mut id = -1;
    check!(device.aclrtGetDevice(&mut id));
    assert_eq!(
        id, 1,
        "the reset of another device does not touch the current one"
    );
    check!(107017, event.aclrtDestroyEvent(e0));
    check!(memory.aclrtFreeHost(pinned));
    assert_eq!(kinds(), [What::EventUsedAfterReset]);
}

#[test]
fn two_contexts_of_a_device_are_apart() {
    let _serial = start();
    let (s, pointer) = (stream(), malloc(64));
    let (mut primary, mut context) = (ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtGetCurrentContext(&mut primary));
    let gate = Gate::close(s);
    check!(context.aclrtCreateContext(&mut context, 0));
    check!(107003, memory.aclrtMemsetAsync(pointer, 64, 0, 64, s));
    check!(device.aclrtSynchronizeDevice());
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(s, 5));
    let own = stream();
    check!(memory.aclrtMemsetAsync(pointer, 64, 0, 64, own));
    check!(context.aclrtSetCurrentContext(primary));
    check!(107003, memory.aclrtMemsetAsync(pointer, 64, 0, 64, own));
    gate.open();
    check!(context.aclrtSetCurrentContext(context));
    let gate = Gate::close(own);
    check!(context.aclrtSetCurrentContext(primary));
    check!(device.aclrtSynchronizeDevice());
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(own, 5));
    check!(context.aclrtSetCurrentContext(context));
    gate.open();
    check!(context.aclrtSetCurrentContext(primary));
    check!(context.aclrtDestroyContext(context));
    check!(107017, stream.aclrtSynchronizeStream(own));
    check!(memory.aclrtFree(pointer));
}

#[test]
fn other_threads_lose_the_context_with_the_device() {
    let _serial = start();
    let (to_thread, in_thread) = std::sync::mpsc::channel::<()>();
    let (to_test, in_test) = std::sync::mpsc::channel::<i32>();
    let thread = std::thread::spawn(move || {
        let mut id = -1;
        check!(device.aclrtSetDevice(0));
        to_test.send(call!(device.aclrtGetDevice(&mut id))).ok();
        in_thread.recv().ok();
        to_test.send(call!(device.aclrtGetDevice(&mut id))).ok();
        in_thread.recv().ok();
        to_test.send(call!(device.aclrtGetDevice(&mut id))).ok();
    });
    assert_eq!(in_test.recv(), Ok(0));
    check!(device.aclrtResetDevice(0));
    to_thread.send(()).ok();
    assert_eq!(in_test.recv(), Ok(0), "the other thread's reference counts");
    check!(device.aclrtResetDevice(0));
    to_thread.send(()).ok();
    assert_eq!(in_test.recv(), Ok(107002));
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
