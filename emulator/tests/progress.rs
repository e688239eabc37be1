//! The threads that run queued work: synchronising threads, workers, the host thread, subscribed threads.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use ascendcl_emulator::{EmulatorConfig, take_violations};
use ascendcl_sys::*;
use common::*;

fn start() -> Serial {
    start_with(EmulatorConfig::default().with_workers(2))
}

#[test]
fn a_hundred_thousand_hand_overs_between_two_streams() {
    let _serial = start();
    let (a, b) = (stream(), stream());
    let (there, back) = (event_ex(ACL_EVENT_SYNC), event_ex(ACL_EVENT_SYNC));
    let gate = Gate::close(a);
    // Nothing runs until the queues are full; the gate opens before that.
    for _ in 0..600 {
        hand_over(a, b, there, back);
    }
    gate.open();
    for _ in 0..100_000 {
        hand_over(a, b, there, back);
    }
    check!(stream.aclrtSynchronizeStream(a));
    check!(stream.aclrtSynchronizeStream(b));
    check!(event.aclrtDestroyEvent(there));
    check!(event.aclrtDestroyEvent(back));
}

fn hand_over(a: aclrtStream, b: aclrtStream, there: aclrtEvent, back: aclrtEvent) {
    check!(event.aclrtRecordEvent(there, a));
    check!(event.aclrtStreamWaitEvent(b, there));
    check!(event.aclrtRecordEvent(back, b));
    check!(event.aclrtStreamWaitEvent(a, back));
}

#[test]
fn a_chain_through_every_stream_unwinds() {
    let _serial = start();
    let (first, mut last, mut events) = (stream(), stream(), Vec::new());
    let gate = Gate::close(first);
    let mut before = first;
    for _ in 0..1900 {
        let event = event_ex(ACL_EVENT_SYNC);
        check!(event.aclrtRecordEvent(event, before));
        check!(event.aclrtStreamWaitEvent(last, event));
        events.push(event);
        before = last;
        last = stream();
    }
    gate.open();
    check!(stream.aclrtSynchronizeStream(before));
    for event in events {
        check!(event.aclrtDestroyEvent(event));
    }
}

#[test]
fn a_full_queue_holds_the_submitter_up() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    let gate = Gate::close(s);
    // 2047 tasks and the wait of the gate fill the queue.
    for _ in 0..2047 {
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    }
    let submitted = AtomicBool::new(false);
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (s, memory, context) = (s as usize, memory as usize, context as usize);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            check!(context.aclrtSetCurrentContext(context as aclrtContext));
            let (memory, s) = (memory as *mut c_void, s as aclrtStream);
            check!(memory.aclrtMemsetAsync(memory, 64, 2, 64, s));
            submitted.store(true, Ordering::SeqCst);
        });
        check!(
            507046,
            stream.aclrtSynchronizeStreamWithTimeout(s as aclrtStream, 20)
        );
        assert!(!submitted.load(Ordering::SeqCst));
        gate.open();
    });
    assert!(submitted.load(Ordering::SeqCst));
    check!(stream.aclrtSynchronizeStream(s as aclrtStream));
    assert_eq!(download(memory as *mut c_void, 64), [2; 64]);
}

#[test]
fn a_full_queue_waits_for_no_more_than_it_needs() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    let gate = Gate::close(s);
    for _ in 0..2046 {
        check!(memory.aclrtMemsetAsync(memory, 64, 1, 64, s));
    }
    // There is room after the first task. A call that also waited for the second task would wait for ever, because
    // the gate is opened below.
    check!(memory.aclrtMemsetAsync(memory, 64, 2, 64, s));
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [2; 64]);
}

#[test]
fn work_goes_on_while_nobody_synchronises() {
    let _serial = start();
    let (s, other, event) = (stream(), stream(), event_ex(ACL_EVENT_SYNC));
    for len in [64, 4 << 20] {
        let (device, pinned) = (malloc(len), malloc_host(len));
        let last = pinned.cast::<u8>().wrapping_add(len - 1);
        // SAFETY: inside the allocation; no copy is queued.
        unsafe { last.write_volatile(0) };
        check!(memory.aclrtMemset(device, len, 9, len));
        assert_eq!(copy_async(device, device, len, s), 0);
        check!(event.aclrtRecordEvent(event, s));
        check!(event.aclrtStreamWaitEvent(other, event));
        assert_eq!(copy_async(pinned, device, len, other), 0);
        loop {
            // SAFETY: inside the allocation; the test waits for the concurrent write.
            let value = unsafe { last.read_volatile() };
            if value == 9 {
                break;
            }
            std::thread::yield_now();
        }
        check!(device.aclrtSynchronizeDevice());
        check!(memory.aclrtFree(device));
        check!(memory.aclrtFreeHost(pinned));
    }
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn threads_share_streams_without_losing_a_task() {
    let _serial = start();
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (s, context) = (stream() as usize, context as usize);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                check!(context.aclrtSetCurrentContext(context as aclrtContext));
                let (own, memory) = (stream(), malloc(64));
                let event = event_ex(ACL_EVENT_SYNC);
                for round in 0..2000 {
                    let value = round & 0xff;
                    check!(memory.aclrtMemsetAsync(memory, 64, value, 64, own));
                    check!(event.aclrtRecordEvent(event, own));
                    check!(event.aclrtStreamWaitEvent(s as aclrtStream, event));
                    check!(event.aclrtRecordEvent(event, s as aclrtStream));
                    check!(event.aclrtSynchronizeEvent(event));
                    assert_eq!(download(memory, 1), [value as u8]);
                }
                check!(event.aclrtDestroyEvent(event));
                check!(memory.aclrtFree(memory));
                check!(stream.aclrtDestroyStream(own));
            });
        }
    });
    check!(stream.aclrtSynchronizeStream(s as aclrtStream));
    assert_eq!(take_violations(), []);
}

static CALLS: AtomicUsize = AtomicUsize::new(0);
static CALLER: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" fn count(argument: *mut c_void) {
    CALLS.fetch_add(argument as usize, Ordering::SeqCst);
    CALLER.store(this_thread(), Ordering::SeqCst);
}

fn this_thread() -> u64 {
    // SAFETY: no preconditions.
    unsafe { libc::pthread_self() as u64 }
}

fn argument(value: usize) -> *mut c_void {
    ptr::without_provenance_mut(value)
}

#[test]
fn host_functions_run_on_a_thread_of_the_runtime() {
    let _serial = start();
    let (s, device) = (stream(), malloc(64));
    CALLS.store(0, Ordering::SeqCst);
    check!(
        107000,
        callback.aclrtLaunchHostFunc(s, None, ptr::null_mut())
    );
    for value in [1, 10, 100] {
        check!(callback.aclrtLaunchHostFunc(s, Some(count), argument(value)));
        check!(memory.aclrtMemsetAsync(device, 64, 0, 64, s));
    }
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(CALLS.load(Ordering::SeqCst), 111);
    assert_ne!(CALLER.load(Ordering::SeqCst), this_thread());
    check!(107011, callback.aclrtSubscribeReport(this_thread(), s));
    // No thread waits for the stream.
    check!(callback.aclrtLaunchHostFunc(s, Some(count), argument(1000)));
    while CALLS.load(Ordering::SeqCst) != 1111 {
        std::thread::yield_now();
    }
}

#[test]
fn callbacks_run_on_the_thread_that_processes_reports() {
    let _serial = start();
    let (s, me) = (stream(), this_thread());
    CALLS.store(0, Ordering::SeqCst);
    let (block, pass) = (ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK);
    check!(
        107015,
        callback.aclrtLaunchCallback(Some(count), ptr::null_mut(), block, s)
    );
    check!(107012, callback.aclrtProcessReport(1));
    check!(callback.aclrtSubscribeReport(me, s));
    check!(107011, callback.aclrtSubscribeReport(me, s));
    for wrong in [0, -2] {
        check!(100000, callback.aclrtProcessReport(wrong));
    }
    check!(507012, callback.aclrtProcessReport(1));
    check!(
        100000,
        callback.aclrtLaunchCallback(Some(count), ptr::null_mut(), aclrtCallbackBlockType(2), s)
    );
    check!(
        107000,
        callback.aclrtLaunchCallback(None, ptr::null_mut(), block, s)
    );
    check!(
        107011,
        callback.aclrtLaunchHostFunc(s, Some(count), ptr::null_mut())
    );
    check!(callback.aclrtLaunchCallback(Some(count), argument(1), block, s));
    check!(507046, stream.aclrtSynchronizeStreamWithTimeout(s, 5));
    check!(callback.aclrtProcessReport(1000));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(
        (CALLS.load(Ordering::SeqCst), CALLER.load(Ordering::SeqCst)),
        (1, me)
    );
    check!(callback.aclrtLaunchCallback(Some(count), argument(2), pass, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(CALLS.load(Ordering::SeqCst), 1, "handed over, not run");
    check!(callback.aclrtProcessReport(-1));
    assert_eq!(CALLS.load(Ordering::SeqCst), 3);
    check!(107012, callback.aclrtUnSubscribeReport(me + 1, s));
    check!(callback.aclrtUnSubscribeReport(me, s));
    check!(107011, callback.aclrtUnSubscribeReport(me, s));
}

#[test]
fn one_report_runs_all_callbacks_that_are_ready() {
    let _serial = start();
    let (one, two, me) = (stream(), stream(), this_thread());
    CALLS.store(0, Ordering::SeqCst);
    for s in [one, two] {
        check!(callback.aclrtSubscribeReport(me, s));
        let pass = ACL_CALLBACK_NO_BLOCK;
        check!(callback.aclrtLaunchCallback(Some(count), argument(1), pass, s));
        check!(callback.aclrtLaunchCallback(Some(count), argument(10), pass, s));
        check!(stream.aclrtSynchronizeStream(s));
    }
    check!(callback.aclrtProcessReport(1000));
    assert_eq!(CALLS.load(Ordering::SeqCst), 22);
    check!(507012, callback.aclrtProcessReport(1));
}

#[test]
fn a_thousand_threads_and_a_few_run_callbacks() {
    let _serial = start();
    for thread in 1..=1024 {
        check!(callback.aclrtSubscribeReport(thread, stream()));
    }
    let last = stream();
    check!(507000, callback.aclrtSubscribeReport(1025, last));
    // A subscribed thread can serve further streams.
    check!(callback.aclrtSubscribeReport(7, last));
}

#[test]
fn memory_is_recycled_and_accounted_for() {
    let _serial = start();
    let (mut free, mut total) = (0, 0);
    check!(memory.aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total));
    assert_eq!((free, total), (4 << 30, 4 << 30));
    let half = malloc((2 << 30) - 64);
    let mut out = ptr::null_mut();
    check!(
        207001,
        memory.aclrtMalloc(&mut out, 2 << 30, ACL_MEM_MALLOC_HUGE_FIRST)
    );
    check!(memory.aclrtFree(half));
    // The block is split into smaller ones, and these are joined again.
    let parts: Vec<_> = (0..4).map(|_| malloc((1 << 30) - 64)).collect();
    for part in parts {
        check!(memory.aclrtFree(part));
    }
    check!(memory.aclrtFree(malloc((4 << 30) - 64)));
    let fresh = malloc(40);
    assert_eq!(fresh as usize % 512, 0);
    check!(memory.aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total));
    assert_eq!(free, total - 4096);
    assert_eq!(
        download(fresh, 96),
        [0xa5; 96],
        "poisoned, and readable to its padded end"
    );
    let mut attributes = aclrtPtrAttributes {
        location: aclrtMemLocation {
            id: 9,
            type_: ACL_MEM_LOCATION_TYPE_HOST,
        },
        pageSize: 0,
        rsv: [0; 4],
    };
    check!(memory.aclrtPointerGetAttributes(fresh.wrapping_byte_add(8), &mut attributes));
    assert_eq!(attributes.location.type_, ACL_MEM_LOCATION_TYPE_DEVICE);
    check!(memory.aclrtFree(fresh));
    check!(memory.aclrtPointerGetAttributes(fresh, &mut attributes));
    assert_eq!(
        attributes.location.type_,
        ACL_MEM_LOCATION_TYPE_UNREGISTERED
    );
}

#[test]
fn the_buffered_kind_lets_go_of_its_source() {
    let _serial = start();
    let (s, device, mut source) = (stream(), malloc(64), [7u8; 64]);
    let gate = Gate::close(s);
    let from = source.as_ptr().cast();
    let kind = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    check!(memory.aclrtMemcpyAsync(device, 64, from, 64, kind, s));
    source.fill(8);
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(device, 64), [7; 64]);
}

#[test]
fn half_precision_and_data_buffers() {
    let _serial = start();
    assert_eq!(call!(runtime.aclFloatToFloat16(1.5)), 0x3e00);
    assert!((call!(runtime.aclFloat16ToFloat(0x3e00)) - 1.5).abs() < f32::EPSILON);
    assert_eq!(call!(runtime.aclDataTypeSize(ACL_FLOAT16)), 2);
    let buffer = call!(runtime.aclCreateDataBuffer(argument(64), 3));
    assert_eq!(call!(runtime.aclGetDataBufferSizeV2(buffer)), 3);
    check!(runtime.aclUpdateDataBuffer(buffer, argument(128), 1 << 33));
    assert_eq!(call!(runtime.aclGetDataBufferAddr(buffer)) as usize, 128);
    assert_eq!(call!(runtime.aclGetDataBufferSize(buffer)), 0);
    check!(runtime.aclDestroyDataBuffer(buffer));
    check!(100000, runtime.aclDestroyDataBuffer(ptr::null()));
}
