//! The context that each call needs: any context, the context of its stream, or none.

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("contexts");

fn current() -> aclrtContext {
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    context
}

fn device() -> i32 {
    let mut id = -1;
    check!(device.aclrtGetDevice(&mut id));
    id
}

fn event_status(event: aclrtEvent) -> aclrtEventRecordedStatus {
    let mut status = aclrtEventRecordedStatus(7);
    check!(event.aclrtQueryEventStatus(event, &mut status));
    status
}

/// Uses a stream, an event and memory of `home` while `other` is current, which has a stream too.
fn reach_over(home: aclrtContext, other: aclrtContext) {
    check!(context.aclrtSetCurrentContext(home));
    let (far, event, to, from) = (stream(), event_ex(ACL_EVENT_SYNC), malloc(64), malloc(64));
    upload(from, &[6; 64]);
    assert_eq!(copy_async(to, from, 64, far), 0);
    check!(event.aclrtRecordEvent(event, far));

    check!(context.aclrtSetCurrentContext(other));
    let near = stream();
    assert_eq!(copy_async(to, from, 64, far), 107003);
    check!(107003, memory.aclrtMemsetAsync(to, 64, 0, 64, far));
    check!(107003, event.aclrtRecordEvent(event, far));
    check!(107003, stream.aclrtDestroyStream(far));
    check!(107003, stream.aclrtDestroyStreamForce(far));
    check!(event.aclrtStreamWaitEvent(near, event));
    check!(stream.aclrtSynchronizeStream(near));
    check!(stream.aclrtSynchronizeStream(far));
    assert_eq!(download(to, 64), [6; 64], "what was refused left no trace");
    check!(event.aclrtRecordEvent(event, near));
    check!(event.aclrtSynchronizeEvent(event));
    check!(event.aclrtDestroyEvent(event));
    check!(memory.aclrtFree(to));
    check!(memory.aclrtFree(from));
    check!(stream.aclrtDestroyStream(near));

    check!(context.aclrtSetCurrentContext(home));
    check!(stream.aclrtDestroyStream(far));
}

#[test]
fn under_another_context_a_stream_is_awaited_and_nothing_else() {
    let _serial = start();
    let (home, mut second) = (current(), ptr::null_mut());
    check!(context.aclrtCreateContext(&mut second, 0));
    reach_over(home, second);
    reach_over(second, home);
    check!(context.aclrtDestroyContext(second));
    check!(device.aclrtSetDevice(1));
    reach_over(home, current());
    assert_eq!(take_violations(), []);
}

#[test]
fn one_thread_alternates_between_two_devices() {
    let _serial = start();
    let zero = current();
    check!(device.aclrtSetDevice(1));
    let one = current();
    for _ in 0..2 {
        check!(context.aclrtSetCurrentContext(zero));
        assert_eq!(device(), 0);
        let s = stream();
        check!(context.aclrtSetCurrentContext(one));
        assert_eq!(device(), 1);
        check!(107003, stream.aclrtDestroyStream(s));
        check!(context.aclrtSetCurrentContext(zero));
        check!(stream.aclrtDestroyStream(s));
    }
    check!(device.aclrtResetDevice(1));
    assert_eq!(device(), 0, "the reset was that of another device");
}

#[test]
fn a_thread_that_takes_a_context_over_counts_as_no_set() {
    let _serial = start();
    let (s, context) = (stream() as usize, current() as usize);
    let thread = std::thread::spawn(move || {
        let s = s as aclrtStream;
        check!(context.aclrtSetCurrentContext(context as aclrtContext));
        let (own, memory) = (stream(), malloc(64));
        check!(memory.aclrtMemsetAsync(memory, 64, 3, 64, s));
        check!(stream.aclrtSynchronizeStream(s));
        assert_eq!(download(memory, 64), [3; 64]);
        check!(stream.aclrtDestroyStream(own));
        check!(memory.aclrtFree(memory));
    });
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    check!(device.aclrtResetDevice(0));
    check!(507007, device.aclrtResetDevice(0));
}

#[test]
fn an_event_lives_as_long_as_a_context_of_its_device() {
    let _serial = start();
    check!(device.aclrtResetDevice(0));
    let (mut first, mut second) = (ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtCreateContext(&mut first, 0));
    let (one, two) = (event(), event());
    check!(context.aclrtCreateContext(&mut second, 0));
    check!(context.aclrtDestroyContext(first));
    check!(event.aclrtDestroyEvent(one));
    check!(context.aclrtDestroyContext(second));
    assert_eq!(take_violations(), []);
    check!(107017, event.aclrtDestroyEvent(two));
    let kinds: Vec<_> = take_violations()
        .into_iter()
        .map(|violation| violation.what)
        .collect();
    assert_eq!(kinds, [What::EventUsedAfterReset]);
}

#[test]
fn a_destroyed_context_is_current_nowhere() {
    let _serial = start();
    let (home, mut other, mut id) = (current(), ptr::null_mut(), -1);
    check!(context.aclrtCreateContext(&mut other, 0));
    check!(context.aclrtSetCurrentContext(home));
    check!(context.aclrtDestroyContext(other));
    assert_eq!(current(), home);
    check!(107000, context.aclrtSetCurrentContext(other));
    check!(context.aclrtCreateContext(&mut other, 0));
    check!(context.aclrtDestroyContext(other));
    check!(107002, device.aclrtGetDevice(&mut id));
    check!(
        107002,
        memory.aclrtMalloc(&mut other, 64, ACL_MEM_MALLOC_HUGE_FIRST)
    );
}

/// The calls of a thread that chose neither a device nor a context.
fn only_look_and_release(event: aclrtEvent, stream: aclrtStream, pointer: *mut std::ffi::c_void) {
    let mut ms = -1.0;
    check!(107002, event.aclrtStreamWaitEvent(stream, event));
    let (mut out, from) = (ptr::null_mut(), pointer);
    check!(
        107002,
        event.aclrtCreateEventExWithFlag(&mut out, ACL_EVENT_SYNC)
    );
    let code =
        call!(memory.aclrtMemcpyAsync(pointer, 1, from, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    assert_eq!(code, 107002);
    assert_eq!(event_status(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    check!(event.aclrtEventElapsedTime(&mut ms, event, event));
    assert!(ms.abs() < f32::EPSILON, "{ms}");
    let mut attributes = aclrtPtrAttributes {
        location: aclrtMemLocation {
            id: 9,
            type_: ACL_MEM_LOCATION_TYPE_HOST,
        },
        pageSize: 0,
        rsv: [0; 4],
    };
    check!(memory.aclrtPointerGetAttributes(pointer, &mut attributes));
    assert_eq!(attributes.location.type_, ACL_MEM_LOCATION_TYPE_DEVICE);
}

#[test]
fn without_a_context_events_and_addresses_are_still_looked_at() {
    let _serial = start();
    let (event, s, pointer) = (event(), stream(), malloc(64));
    check!(event.aclrtRecordEvent(event, s));
    check!(stream.aclrtSynchronizeStream(s));
    let handles = (event as usize, s as usize, pointer as usize);
    let thread = std::thread::spawn(move || {
        let (event, s) = (handles.0 as aclrtEvent, handles.1 as aclrtStream);
        only_look_and_release(event, s, handles.2 as *mut std::ffi::c_void);
    });
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    check!(event.aclrtDestroyEvent(event));
}
