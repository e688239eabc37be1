//! Return codes for misuse, as the production runtime was observed to return them.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{EmulatorConfig, What, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("misuse");

fn start() -> Serial {
    serial(EmulatorConfig::default())
}

fn garbage() -> *mut c_void {
    ptr::without_provenance_mut(0x10)
}

#[test]
fn an_answer_needs_a_place() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (s, event, id) = (stream(), event(), ptr::null_mut());
    check!(100000, device.aclrtGetDeviceCount(ptr::null_mut()));
    check!(100000, device.aclrtGetDevice(id));
    check!(107000, device.aclrtDeviceCanAccessPeer(id, 0, 1));
    check!(100000, runtime.aclrtGetRunMode(ptr::null_mut()));
    check!(100000, runtime.aclrtGetVersion(id, id, id));
    check!(100000, context.aclrtCreateContext(ptr::null_mut(), 0));
    check!(100000, context.aclrtGetCurrentContext(ptr::null_mut()));
    check!(100000, stream.aclrtCreateStream(ptr::null_mut()));
    check!(
        100000,
        stream.aclrtCreateStreamWithConfig(ptr::null_mut(), 0, 0)
    );
    check!(100000, stream.aclrtStreamQuery(s, ptr::null_mut()));
    check!(100000, event.aclrtCreateEvent(ptr::null_mut()));
    for flags in [0, ACL_EVENT_SYNC] {
        check!(
            100000,
            event.aclrtCreateEventWithFlag(ptr::null_mut(), flags)
        );
        check!(
            100000,
            event.aclrtCreateEventExWithFlag(ptr::null_mut(), flags)
        );
    }
    check!(100000, event.aclrtQueryEventStatus(event, ptr::null_mut()));
    check!(
        100000,
        event.aclrtEventElapsedTime(ptr::null_mut(), event, event)
    );
    check!(100000, memory.aclrtMallocHost(ptr::null_mut(), 1));
    check!(
        100000,
        memory.aclrtGetMemInfo(ACL_HBM_MEM, ptr::null_mut(), ptr::null_mut())
    );
    check!(
        100000,
        memory.aclrtPointerGetAttributes(event, ptr::null_mut())
    );
    check!(event.aclrtDestroyEvent(event));
}

#[test]
fn nothing_works_without_a_context_but_release() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (pointer, pinned, stream, event) = (malloc(64), malloc_host(64), stream(), event());
    let handles = (
        pointer as usize,
        pinned as usize,
        stream as usize,
        event as usize,
    );
    let thread = std::thread::spawn(move || {
        let (pointer, pinned) = (handles.0 as *mut c_void, handles.1 as *mut c_void);
        let (stream, event) = (handles.2 as aclrtStream, handles.3 as aclrtEvent);
        let (mut out, mut id, mut word) = (ptr::null_mut(), 0, 0);
        let mut status = ACL_STREAM_STATUS_RESERVED;
        check!(
            107002,
            memory.aclrtMalloc(&mut out, 64, ACL_MEM_MALLOC_HUGE_FIRST)
        );
        check!(107002, memory.aclrtMallocHost(&mut out, 64));
        check!(
            107002,
            memory.aclrtMemcpy(pinned, 1, pointer, 1, ACL_MEMCPY_DEFAULT)
        );
        check!(107002, memory.aclrtMemset(pointer, 1, 0, 1));
        check!(107002, memory.aclrtFreeWithDevSync(pointer));
        check!(
            107002,
            memory.aclrtGetMemInfo(ACL_HBM_MEM, &mut word, &mut 0)
        );
        check!(107002, stream.aclrtCreateStream(&mut out));
        check!(107002, stream.aclrtStreamQuery(stream, &mut status));
        check!(107002, stream.aclrtSynchronizeStream(stream));
        check!(107002, stream.aclrtDestroyStream(stream));
        check!(107002, stream.aclrtDestroyStreamForce(stream));
        check!(107002, event.aclrtCreateEvent(&mut out));
        check!(107002, event.aclrtRecordEvent(event, stream));
        check!(107002, device.aclrtSynchronizeDevice());
        check!(107002, device.aclrtGetDevice(&mut id));
        assert_eq!(
            call!(runtime.aclrtGetLastError(ACL_RT_THREAD_LEVEL)),
            107002
        );
        assert_eq!(call!(runtime.aclrtGetLastError(ACL_RT_THREAD_LEVEL)), 0);
        check!(event.aclrtSynchronizeEvent(event));
        check!(event.aclrtDestroyEvent(event));
        check!(memory.aclrtFree(pointer));
        check!(memory.aclrtFreeHost(pinned));
    });
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn devices_that_do_not_exist_and_resets_too_many() {
    let _serial = start();
    let mut context = ptr::null_mut();
    for id in [-1, 2, 999] {
        check!(107001, device.aclrtSetDevice(id));
        check!(107001, device.aclrtResetDevice(id));
        check!(107001, context.aclrtCreateContext(&mut context, id));
    }
    check!(507007, device.aclrtResetDevice(0));
    check!(507007, device.aclrtResetDeviceForce(0));
    check!(device.aclrtSetDevice(0));
    check!(device.aclrtSetDevice(0));
    check!(device.aclrtResetDevice(0));
    let mut id = -1;
    check!(device.aclrtGetDevice(&mut id));
    check!(device.aclrtResetDevice(0));
    check!(107002, device.aclrtGetDevice(&mut id));
    check!(507007, device.aclrtResetDevice(0));
    let mut answer = 0;
    check!(100000, device.aclrtDeviceCanAccessPeer(&mut answer, 0, 0));
    check!(107001, device.aclrtDeviceCanAccessPeer(&mut answer, 0, 9));
}

#[test]
fn allocations_that_cannot_be() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let mut out = ptr::null_mut();
    let policy = ACL_MEM_MALLOC_HUGE_FIRST;
    check!(100000, memory.aclrtMalloc(&mut out, 0, policy));
    check!(100000, memory.aclrtMalloc(&mut out, usize::MAX, policy));
    check!(100000, memory.aclrtMalloc(ptr::null_mut(), 1, policy));
    check!(100000, memory.aclrtMallocHost(&mut out, 0));
    check!(207001, memory.aclrtMalloc(&mut out, 1 << 40, policy));
    check!(207001, memory.aclrtMallocHost(&mut out, 1 << 40));
    check!(memory.aclrtMalloc(&mut out, 1, aclrtMemMallocPolicy(12345)));
    check!(memory.aclrtFree(out));
}

#[test]
fn frees_of_what_is_no_allocation() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (pointer, pinned) = (malloc(1000), malloc_host(1000));
    let mut ordinary = 0u64;
    check!(100000, memory.aclrtFree(ptr::null_mut()));
    check!(100000, memory.aclrtFreeHost(ptr::null_mut()));
    check!(107000, memory.aclrtFree(pointer.wrapping_byte_add(64)));
    check!(107000, memory.aclrtFree((&raw mut ordinary).cast()));
    check!(107000, memory.aclrtFree(garbage()));
    check!(107000, memory.aclrtFreeHost(pinned.wrapping_byte_add(64)));
    check!(107000, memory.aclrtFreeHost(garbage()));
    check!(107000, memory.aclrtFreeHost(pointer));
    check!(107000, memory.aclrtFreeHost((&raw mut ordinary).cast()));
    check!(memory.aclrtFree(pointer));
    check!(107000, memory.aclrtFree(pointer));
    check!(memory.aclrtFree(pinned));
    check!(107000, memory.aclrtFreeHost(pinned));
    let pinned = malloc_host(1000);
    check!(memory.aclrtFreeHost(pinned));
    check!(107000, memory.aclrtFreeHost(pinned));
    let (pointer, pinned) = (malloc(1000), malloc_host(1000));
    check!(device.aclrtResetDevice(0));
    check!(107000, memory.aclrtFree(pointer));
    check!(memory.aclrtFreeHost(pinned));
}

#[test]
fn media_memory_has_frees_of_its_own() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (plain, mut first, mut second) = (malloc(64), ptr::null_mut(), ptr::null_mut());
    check!(media.acldvppMalloc(&mut first, 64));
    check!(media.hi_mpi_dvpp_malloc(0, &mut second, 64));
    assert_eq!((first as usize % 128, second as usize % 128), (0, 0));
    for wrong in [plain, second] {
        check!(107000, media.acldvppFree(wrong));
    }
    for wrong in [plain, first] {
        check!(107000, media.hi_mpi_dvpp_free(wrong));
    }
    for wrong in [first, second] {
        check!(107000, memory.aclrtFree(wrong));
        check!(107000, memory.aclrtFreeHost(wrong));
    }
    check!(memory.aclrtMemset(first, 64, 1, 64));
    check!(media.acldvppFree(first));
    check!(media.hi_mpi_dvpp_free(second));
    check!(memory.aclrtFree(plain));
    // The device id of the second generation is reserved, so a missing device 9 is no error.
    check!(media.hi_mpi_dvpp_malloc(9, &mut second, 64));
    check!(media.hi_mpi_dvpp_free(second));
    check!(device.aclrtResetDevice(0));
    check!(107002, media.hi_mpi_dvpp_malloc(0, &mut second, 64));
}

#[test]
fn copies_and_fills_out_of_bounds() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (a, b, mut host) = (malloc(256), malloc(256), [7u8; 256]);
    let host = host.as_mut_ptr().cast::<c_void>();
    let stream = stream();
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    check!(memory.aclrtMemcpy(ptr::null_mut(), 0, ptr::null(), 0, aclrtMemcpyKind(99)));
    check!(
        100000,
        memory.aclrtMemcpy(ptr::null_mut(), 1, host, 1, kind)
    );
    check!(100000, memory.aclrtMemcpy(a, 1, ptr::null(), 1, kind));
    check!(
        100000,
        memory.aclrtMemcpy(a, 1, host, 1, aclrtMemcpyKind(99))
    );
    check!(107000, memory.aclrtMemcpy(a, 255, host, 256, kind));
    check!(107000, memory.aclrtMemset(a, 255, 0, 256));
    check!(
        107000,
        memory.aclrtMemcpyAsync(a, 255, b, 256, ACL_MEMCPY_DEVICE_TO_DEVICE, stream)
    );
    check!(107000, memory.aclrtMemsetAsync(a, 255, 0, 256, stream));
    check!(
        107000,
        memory.aclrtMemcpy(a, 8192, b, 8192, ACL_MEMCPY_DEVICE_TO_DEVICE)
    );
    check!(memory.aclrtFree(b));
    check!(
        107000,
        memory.aclrtMemcpy(a, 256, b, 256, ACL_MEMCPY_DEVICE_TO_DEVICE)
    );
    for wrong in 0..5 {
        check!(memory.aclrtMemcpy(a, 256, host, 256, aclrtMemcpyKind(wrong)));
    }
    assert_eq!(download(a, 256), [7; 256]);
    let (p, q) = (malloc_host(64), malloc_host(64));
    check!(
        207000,
        memory.aclrtMemcpyAsync(p, 64, q, 64, ACL_MEMCPY_HOST_TO_HOST, stream)
    );
    check!(memory.aclrtMemcpyAsync(a, 64, q, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    check!(memory.aclrtMemcpyAsync(a, 64, host, 64, kind, stream));
    check!(
        107016,
        memory.aclrtGetMemInfo(aclrtMemAttr(77), &mut 0, &mut 0)
    );
    check!(memory.aclrtFreeHost(p));
    check!(memory.aclrtFreeHost(q));
}

#[test]
fn rows_are_checked_and_copied() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (device, stream) = (malloc(64), stream());
    let host: Vec<u8> = (0..64).collect();
    let (from, kind) = (host.as_ptr().cast(), ACL_MEMCPY_HOST_TO_DEVICE);
    check!(memory.aclrtMemcpy2d(device, 8, from, 8, 0, 8, kind));
    check!(100000, memory.aclrtMemcpy2d(device, 8, from, 8, 9, 8, kind));
    check!(
        100000,
        memory.aclrtMemcpy2d(device, 8, from, 8, 8, 8, ACL_MEMCPY_HOST_TO_HOST)
    );
    check!(memory.aclrtMemset(device, 64, 0, 64));
    check!(memory.aclrtMemcpy2d(device, 16, from, 8, 4, 4, kind));
    let rows = download(device, 64);
    assert_eq!(
        (rows.get(..5), rows.get(16..20), rows.get(48..52)),
        (
            Some(&[0, 1, 2, 3, 0][..]),
            Some(&[8, 9, 10, 11][..]),
            Some(&[24, 25, 26, 27][..])
        )
    );
    let other = malloc(64);
    check!(memory.aclrtMemset(other, 64, 9, 64));
    check!(memory.aclrtMemcpy2dAsync(
        other,
        4,
        device,
        16,
        4,
        4,
        ACL_MEMCPY_DEVICE_TO_DEVICE,
        stream
    ));
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(
        download(other, 17),
        [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27, 9]
    );
}

#[test]
fn stale_handles_and_garbage_are_refused() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (old, event) = (stream(), event());
    check!(100000, stream.aclrtDestroyStream(ptr::null_mut()));
    check!(100000, stream.aclrtDestroyStreamForce(ptr::null_mut()));
    check!(100000, event.aclrtDestroyEvent(ptr::null_mut()));
    check!(stream.aclrtDestroyStream(old));
    let fresh = stream();
    assert_ne!(old, fresh, "a recycled slot has another handle");
    let pointer = malloc(64);
    for wrong in [old, garbage(), event, pointer] {
        check!(107017, stream.aclrtDestroyStream(wrong));
        check!(107017, stream.aclrtSynchronizeStream(wrong));
        check!(107017, memory.aclrtMemsetAsync(pointer, 64, 0, 64, wrong));
        assert_eq!(copy_async(pointer, pointer, 64, wrong), 107017);
        check!(107017, event.aclrtRecordEvent(event, wrong));
    }
    check!(event.aclrtDestroyEvent(event));
    let another = self::event();
    assert_ne!(event, another);
    check!(event.aclrtDestroyEvent(another));
    for wrong in [event, garbage(), fresh] {
        check!(107017, event.aclrtDestroyEvent(wrong));
        check!(107017, event.aclrtRecordEvent(wrong, fresh));
        check!(107017, event.aclrtSynchronizeEvent(wrong));
    }
    check!(device.aclrtResetDevice(0));
    check!(device.aclrtSetDevice(0));
    check!(107017, stream.aclrtSynchronizeStream(fresh));
    assert_eq!(take_violations(), []);
}

#[test]
fn a_default_stream_cannot_be_destroyed() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (mut default, pointer) = (ptr::null_mut(), malloc(64));
    check!(context.aclrtCtxGetCurrentDefaultStream(&mut default));
    check!(100000, stream.aclrtDestroyStream(default));
    check!(100000, stream.aclrtDestroyStreamForce(default));
    check!(memory.aclrtMemsetAsync(pointer, 64, 2, 64, default));
    check!(stream.aclrtSynchronizeStream(default));
    assert_eq!(download(pointer, 64), [2; 64]);
}

#[test]
fn an_event_that_outlives_its_device_is_reported() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let event = event();
    check!(device.aclrtResetDevice(0));
    check!(107017, event.aclrtSynchronizeEvent(event));
    check!(device.aclrtSetDevice(0));
    check!(107017, event.aclrtDestroyEvent(event));
    let kinds: Vec<_> = take_violations()
        .into_iter()
        .map(|violation| violation.what)
        .collect();
    assert_eq!(kinds, [What::EventUsedAfterReset; 2]);
    check!(107017, event.aclrtDestroyEvent(event));
    assert_eq!(take_violations(), [], "destroyed for good the first time");
}

#[test]
fn contexts_are_checked() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let (mut primary, mut context, mut same) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    check!(context.aclrtGetCurrentContext(&mut primary));
    check!(107002, context.aclrtDestroyContext(primary));
    check!(context.aclrtCreateContext(&mut context, 0));
    check!(context.aclrtGetCurrentContext(&mut same));
    assert_eq!(same, context);
    check!(100000, context.aclrtSetCurrentContext(ptr::null_mut()));
    check!(100000, context.aclrtDestroyContext(ptr::null_mut()));
    check!(107000, context.aclrtSetCurrentContext(garbage()));
    check!(context.aclrtDestroyContext(context));
    check!(107002, context.aclrtGetCurrentContext(&mut same));
    check!(107000, context.aclrtSetCurrentContext(context));
    check!(107002, context.aclrtDestroyContext(context));
    check!(
        107002,
        memory.aclrtMalloc(&mut same, 1, ACL_MEM_MALLOC_HUGE_FIRST)
    );
    check!(context.aclrtSetCurrentContext(primary));
    let (mut flags, mut active) = (0, -1);
    check!(
        100000,
        context.aclrtGetPrimaryCtxState(0, &mut flags, &mut active)
    );
    check!(context.aclrtGetPrimaryCtxState(0, ptr::null_mut(), &mut active));
    assert_eq!(active, 1);
    check!(context.aclrtGetPrimaryCtxState(1, ptr::null_mut(), &mut active));
    assert_eq!(active, 0);
}

#[test]
fn streams_run_out() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let mut left = 0;
    check!(stream.aclrtGetStreamAvailableNum(&mut left));
    assert_eq!(left, 1982);
    let streams: Vec<_> = (1..left).map(|_| stream()).collect();
    let last = stream();
    let mut one_more = ptr::null_mut();
    check!(207008, stream.aclrtCreateStream(&mut one_more));
    check!(stream.aclrtDestroyStream(last));
    assert_eq!(streams.len(), 1981);
    check!(stream.aclrtCreateStreamWithConfig(&mut one_more, 8, 0xff00));
    let mut priority = 0;
    check!(stream.aclrtStreamGetPriority(one_more, &mut priority));
    assert_eq!(priority, 7);
}

#[test]
fn error_texts_are_read_once_and_name_the_remedy() {
    let _serial = start();
    let _ = text();
    check!(device.aclrtSetDevice(0));
    let mut out = ptr::null_mut();
    assert_eq!(
        call!(memory.aclrtMalloc(&mut out, 0, ACL_MEM_MALLOC_HUGE_FIRST)),
        100000
    );
    let first = text();
    assert!(
        first.contains("aclrtMalloc") && first.contains("size is 0"),
        "{first}"
    );
    assert_eq!(text(), "");
    let wrong = aclrtMemAttr(77);
    assert_eq!(call!(memory.aclrtGetMemInfo(wrong, &mut 0, &mut 0)), 107016);
    let thread = std::thread::spawn(|| {
        check!(device.aclrtSetDevice(0));
        text()
    });
    assert_eq!(thread.join().ok().as_deref(), Some(""), "its own text only");
    assert!(text().contains("aclrtGetMemInfo"));
    for _ in 0..2 {
        assert_eq!(
            call!(runtime.aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)),
            107016
        );
    }
    assert_eq!(
        call!(runtime.aclrtGetLastError(ACL_RT_THREAD_LEVEL)),
        107016
    );
    assert_eq!(
        call!(memory.aclrtMalloc(&mut out, 0, ACL_MEM_MALLOC_HUGE_FIRST)),
        100000
    );
    assert_eq!(
        call!(runtime.aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)),
        0,
        "not the runtime's"
    );
    assert_eq!(
        call!(device.aclrtMemUceRepair(0, ptr::null_mut(), 0)),
        ACL_ERROR_API_NOT_SUPPORT
    );
    assert_eq!(text(), "aclrtMemUceRepair is not modelled by the emulator");
    check!(100000, runtime.aclrtGetLastError(aclrtLastErrLevel(1)));
}
