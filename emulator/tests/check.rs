//! The checker on C-style programs: each mistake has its finding, and correct programs have none.

#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ptr;

use ascendcl_emulator::{Finding, Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

const H2D: aclrtMemcpyKind = ACL_MEMCPY_HOST_TO_DEVICE;
const D2H: aclrtMemcpyKind = ACL_MEMCPY_DEVICE_TO_HOST;

/// Ends a program that is otherwise correct, and returns the findings.
fn end() -> Vec<Finding> {
    check!(device.aclrtSynchronizeDevice());
    let found = take_findings();
    let _ = call!(device.aclrtResetDeviceForce(0));
    assert_eq!(take_findings(), [], "the end itself is right");
    found
}

/// Checks that there is one finding: of this kind, with these calls of this file in these parts.
fn expect(found: &[Finding], mistake: Mistake, calls: &[(&str, &str)]) {
    let [finding] = found else {
        unreachable!("one finding is expected, there are {found:#?}")
    };
    assert_eq!(finding.mistake, mistake, "{finding}");
    let parts: Vec<_> = finding
        .calls
        .iter()
        .map(|(part, issued)| (*part, issued.call.as_str()))
        .collect();
    assert_eq!(parts, calls, "{finding}");
    for (_, issued) in &finding.calls {
        let place = issued.frames.join(", ");
        assert!(
            place.contains("check::") && (place.contains("tests/") || !has_lines()),
            "{finding}"
        );
    }
}

fn copy(
    to: *mut std::ffi::c_void,
    from: *const std::ffi::c_void,
    len: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) {
    check!(memory.aclrtMemcpyAsync(to, len, from, len, kind, stream));
}

fn fill(to: *mut std::ffi::c_void, len: usize, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(to, len, 1, len, stream));
}

#[test]
fn memory_freed_while_a_queued_copy_uses_it() {
    let _serial = start_checked();
    let (device, host, stream) = (malloc(4096), malloc_host(4096), stream());
    copy(device, host, 4096, H2D, stream);
    check!(memory.aclrtFree(device));
    let parts = [
        ("freed", "aclrtFree"),
        ("in use", "aclrtMemcpyAsync"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&take_findings(), Mistake::FreedInUse, &parts);
    check!(memory.aclrtFreeHost(host));
    let parts = [
        ("freed", "aclrtFreeHost"),
        ("in use", "aclrtMemcpyAsync"),
        ("allocated", "aclrtMallocHost"),
    ];
    expect(&take_findings(), Mistake::FreedInUse, &parts);
    // The copy may succeed or fail, because its memory was freed; the test accepts both.
    let _ = call!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn memory_freed_while_a_copy_behind_an_open_wait_uses_it() {
    let _serial = start_checked();
    let (device, stream) = (malloc(4096), stream());
    let gate = Gate::close(stream);
    fill(device, 4096, stream);
    check!(memory.aclrtFree(device));
    let parts = [
        ("freed", "aclrtFree"),
        ("in use", "aclrtMemsetAsync"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&take_findings(), Mistake::FreedInUse, &parts);
    gate.open();
    let _ = call!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(end(), []);
}

#[test]
fn what_the_host_does_before_it_lets_a_stream_go_on_comes_first() {
    let _serial = start_checked();
    let (device, stream) = (malloc(64), stream());
    upload(device, &[1; 64]);
    let gate = Gate::close(stream);
    fill(device, 64, stream);
    assert_eq!(download(device, 64), [1; 64]);
    gate.open();
    let _ = download(device, 64);
    let parts = [
        ("read", "aclrtMemcpy"),
        ("queued", "aclrtMemsetAsync"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&end(), Mistake::NotSynchronised, &parts);
}

#[test]
fn a_device_reset_under_its_work() {
    let _serial = start_checked();
    let (device, stream) = (malloc(4096), stream());
    fill(device, 4096, stream);
    check!(device.aclrtResetDevice(0));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::ResetInUse);
    assert_eq!(found[0].calls[1].1.call, "aclrtMemsetAsync");
}

#[test]
fn a_result_read_before_the_stream_was_synchronised() {
    let _serial = start_checked();
    let (device, stream) = (malloc(64), stream());
    fill(device, 64, stream);
    let _ = download(device, 64);
    let found = end();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::NotSynchronised);
    let calls: Vec<_> = found[0]
        .calls
        .iter()
        .map(|(_, issued)| issued.call.as_str())
        .collect();
    assert_eq!(calls, ["aclrtMemcpy", "aclrtMemsetAsync", "aclrtMalloc"]);
}

#[test]
fn a_source_overwritten_before_the_stream_was_synchronised() {
    let _serial = start_checked();
    let (device, host, stream) = (malloc(64), malloc_host(64), stream());
    upload(device, &[7; 64]);
    copy(host, device, 64, D2H, stream);
    upload(device, &[8; 64]);
    let found = end();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::NotSynchronised);
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn two_streams_without_an_event() {
    let _serial = start_checked();
    let (device, one, two, host) = (malloc(64), stream(), stream(), malloc_host(64));
    fill(device, 64, one);
    copy(host, device, 64, D2H, two);
    let parts = [
        ("read", "aclrtMemcpyAsync"),
        ("other", "aclrtMemsetAsync"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&end(), Mistake::Unordered, &parts);
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn two_streams_on_one_allocation_but_other_bytes_need_no_event() {
    let _serial = start_checked();
    let (device, one, two) = (malloc(128), stream(), stream());
    fill(device, 64, one);
    fill(device.wrapping_byte_add(64), 64, two);
    assert_eq!(end(), []);
}

#[test]
fn every_way_to_order_two_streams_is_accepted() {
    let _serial = start_checked();
    let (device, host) = (malloc(64), malloc_host(64));
    let (one, two) = (stream(), stream());
    for event in [
        event(),
        event_ex(ACL_EVENT_SYNC),
        event_with(ACL_EVENT_SYNC),
    ] {
        fill(device, 64, one);
        check!(event.aclrtRecordEvent(event, one));
        check!(event.aclrtStreamWaitEvent(two, event));
        copy(host, device, 64, D2H, two);
        check!(stream.aclrtSynchronizeStream(two));
        // The event is complete, so the tasks of the first stream are known to be complete too.
        fill(device, 64, two);
        check!(event.aclrtRecordEvent(event, two));
        check!(event.aclrtSynchronizeEvent(event));
        assert_eq!(download(device, 1), [1]);
        check!(event.aclrtDestroyEvent(event));
    }
    fill(device, 64, one);
    while query(one) != ACL_STREAM_STATUS_COMPLETE {}
    let _ = download(device, 64);
    fill(device, 64, one);
    check!(stream.aclrtDestroyStream(one));
    check!(memory.aclrtFree(device));
    check!(memory.aclrtFreeHost(host));
    assert_eq!(end(), []);
}

#[test]
fn a_host_function_tells_the_host_what_is_over() {
    extern "C" fn done(flag: *mut std::ffi::c_void) {
        // SAFETY: this is the flag of the test below, which waits for it.
        let flag = unsafe { &*flag.cast::<std::sync::atomic::AtomicBool>() };
        flag.store(true, std::sync::atomic::Ordering::Release);
    }
    let _serial = start_checked();
    let (device, stream) = (malloc(64), stream());
    let flag = std::sync::atomic::AtomicBool::new(false);
    fill(device, 64, stream);
    let argument = (&raw const flag).cast_mut().cast();
    check!(callback.aclrtLaunchHostFunc(stream, Some(done), argument));
    while !flag.load(std::sync::atomic::Ordering::Acquire) {
        let _ = query(stream);
    }
    check!(memory.aclrtFree(device));
    assert_eq!(end(), []);
}

#[test]
fn memory_read_before_anybody_wrote_it() {
    let _serial = start_checked();
    let device = malloc(100);
    upload(device, &[1; 60]);
    let mut bytes = [0u8; 100];
    let to = bytes.as_mut_ptr().cast();
    check!(memory.aclrtMemcpy(to, 100, device, 100, D2H));
    let parts = [("read", "aclrtMemcpy"), ("allocated", "aclrtMalloc")];
    let found = end();
    expect(&found, Mistake::Uninitialised, &parts);
    assert!(
        found[0].text.contains("the 40 bytes from"),
        "{}",
        found[0].text
    );
}

#[test]
fn unwritten_bytes_may_be_copied_on_the_device_but_not_be_read_then() {
    let _serial = start_checked();
    let (from, to, stream) = (malloc(100), malloc(100), stream());
    upload(from, &[1; 60]);
    assert_eq!(copy_async(to, from, 100, stream), 0);
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(download(to, 60), [1; 60]);
    assert_eq!(take_findings(), []);
    let _ = download(to, 61);
    let found = end();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::Uninitialised);
}

#[test]
fn random_numbers_need_a_counter_and_the_memory_of_their_parameters() {
    let _serial = start_checked();
    let (result, counter, place) = (malloc(64), malloc(16), malloc(16));
    let stream = stream();
    let parameter = |bytes: [u8; 8], size| aclrtRandomParaInfo {
        isAddr: 0,
        valueOrAddr: bytes,
        size,
        rsv: [0; 6],
    };
    let task = aclrtRandomNumTaskInfo {
        dataType: ACL_INT32,
        randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo {
            funcType: ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
            paramInfo: aclrtRandomNumFuncParaInfo_paramInfo {
                uniformDisInfo: aclrtUniformDisInfo {
                    min: parameter([0; 8], 4),
                    max: parameter([1; 8], 4),
                },
            },
        },
        randomParaAddr: place,
        randomResultAddr: result,
        randomCounterAddr: counter,
        randomSeed: parameter([0; 8], 8),
        randomNum: parameter([16, 0, 0, 0, 0, 0, 0, 0], 8),
        rsv: [0; 8],
    };
    // The call writes to its argument.
    let (mut first, mut second) = (task, task);
    check!(model.aclrtRandomNumAsync(&raw mut first, stream, ptr::null_mut()));
    let call = "aclrtRandomNumAsync";
    let parts = [("read", call), ("allocated", "aclrtMalloc")];
    expect(&take_findings(), Mistake::Uninitialised, &parts);
    // The memory is written now, and so is the result.
    check!(stream.aclrtSynchronizeStream(stream));
    let _ = (download(counter, 16), download(result, 64));
    assert_eq!(take_findings(), []);
    check!(model.aclrtRandomNumAsync(&raw mut second, stream, ptr::null_mut()));
    check!(memory.aclrtFree(place));
    let parts = [
        ("freed", "aclrtFree"),
        ("in use", call),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&take_findings(), Mistake::FreedInUse, &parts);
    // The task may succeed or fail, because its memory was freed; the test accepts both.
    let _ = call!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn memory_given_to_a_free_of_another_kind() {
    let _serial = start_checked();
    let (host, mut media) = (malloc_host(64), ptr::null_mut());
    check!(media.acldvppMalloc(&mut media, 64));
    check!(107000, memory.aclrtFree(media));
    let parts = [("freed", "aclrtFree"), ("allocated", "acldvppMalloc")];
    expect(&take_findings(), Mistake::WrongFree, &parts);
    check!(memory.aclrtFree(host));
    let parts = [("freed", "aclrtFree"), ("allocated", "aclrtMallocHost")];
    expect(&take_findings(), Mistake::WrongFree, &parts);
    let mut local = 0u64;
    check!(107000, memory.aclrtFree((&raw mut local).cast()));
    expect(
        &take_findings(),
        Mistake::WrongFree,
        &[("freed", "aclrtFree")],
    );
    check!(media.acldvppFree(media));
    assert_eq!(end(), []);
}

#[test]
fn memory_freed_twice_and_used_afterwards() {
    let _serial = start_checked();
    let (device, stream) = (malloc(64), stream());
    check!(memory.aclrtFree(device));
    check!(107000, memory.aclrtFree(device));
    let parts = [
        ("freed", "aclrtFree"),
        ("freed before", "aclrtFree"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&take_findings(), Mistake::DoubleFree, &parts);
    fill(device, 64, stream);
    let parts = [
        ("used", "aclrtMemsetAsync"),
        ("freed", "aclrtFree"),
        ("allocated", "aclrtMalloc"),
    ];
    expect(&take_findings(), Mistake::UsedAfterFree, &parts);
    let _ = call!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn copies_past_an_allocation() {
    let _serial = start_checked();
    let (device, stream) = (malloc(100), stream());
    let bytes = [0u8; 200];
    // The block has 8 more bytes, but they do not belong to the program.
    check!(memory.aclrtMemcpy(device, 108, bytes.as_ptr().cast(), 108, H2D));
    let parts = [("used", "aclrtMemcpy"), ("allocated", "aclrtMalloc")];
    expect(&take_findings(), Mistake::OutOfBounds, &parts);
    check!(
        107000,
        memory.aclrtMemcpy(device, 100, bytes.as_ptr().cast(), 200, H2D)
    );
    expect(
        &take_findings(),
        Mistake::OutOfBounds,
        &[("used", "aclrtMemcpy")],
    );
    fill(device, 200, stream);
    let parts = [("used", "aclrtMemsetAsync"), ("allocated", "aclrtMalloc")];
    expect(&take_findings(), Mistake::OutOfBounds, &parts);
    let _ = call!(stream.aclrtSynchronizeStream(stream));
}

#[test]
fn a_wait_for_an_event_that_nobody_recorded() {
    let _serial = start_checked();
    let (plain, ex, stream) = (event(), event_ex(ACL_EVENT_SYNC), stream());
    check!(107000, event.aclrtStreamWaitEvent(stream, plain));
    let parts = [
        ("wait", "aclrtStreamWaitEvent"),
        ("created", "aclrtCreateEvent"),
    ];
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::UnrecordedWait);
    assert_eq!(found[0].calls.len(), parts.len());
    check!(event.aclrtStreamWaitEvent(stream, ex));
    assert_eq!(take_findings().len(), 1);
    check!(event.aclrtDestroyEvent(plain));
    check!(event.aclrtDestroyEvent(ex));
    assert_eq!(end(), []);
}

#[test]
fn handles_destroyed_twice_and_used_afterwards() {
    let _serial = start_checked();
    let (stream, event) = (stream(), event());
    check!(stream.aclrtDestroyStream(stream));
    check!(107017, stream.aclrtDestroyStream(stream));
    check!(107017, stream.aclrtSynchronizeStream(stream));
    check!(event.aclrtDestroyEvent(event));
    check!(107017, event.aclrtDestroyEvent(event));
    check!(107017, event.aclrtRecordEvent(event, ptr::null_mut()));
    let kinds: Vec<_> = end().iter().map(|finding| finding.mistake).collect();
    let (twice, after) = (Mistake::DestroyedTwice, Mistake::UsedAfterDestroy);
    assert_eq!(kinds, [twice, after, twice, after]);
}

#[test]
fn an_event_that_outlives_its_device() {
    let _serial = start_checked();
    let event = event();
    check!(device.aclrtResetDevice(0));
    check!(107017, event.aclrtDestroyEvent(event));
    let kinds: Vec<_> = take_findings()
        .iter()
        .map(|finding| finding.mistake)
        .collect();
    assert_eq!(kinds, [Mistake::EventAfterReset]);
}

#[test]
fn a_mistake_in_a_loop_is_one_finding_with_a_count() {
    let _serial = start_checked();
    let (device, stream) = (malloc(64), stream());
    for _ in 0..5 {
        fill(device, 64, stream);
        let _ = download(device, 64);
    }
    let found = end();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].times, 5);
    assert!(
        found[0]
            .to_string()
            .contains("help: call aclrtSynchronizeStream")
    );
}

#[test]
fn rows_that_lie_between_each_other_do_not_meet() {
    let _serial = start_checked();
    let (device, host, one, two) = (malloc(64), malloc_host(64), stream(), stream());
    let rows = |first: usize, stream| {
        let to = device.wrapping_byte_add(first);
        check!(memory.aclrtMemcpy2dAsync(to, 16, host, 16, 8, 4, H2D, stream));
    };
    rows(0, one);
    rows(8, two);
    assert_eq!(take_findings(), []);
    rows(4, two);
    let found = end();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::Unordered);
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn views_that_lie_in_the_gaps_of_each_other_do_not_meet() {
    let _serial = start_checked();
    let (device, host, one, two) = (malloc(64), malloc_host(64), stream(), stream());
    upload(device, &[0; 64]);
    // The left and the right columns of a matrix of 4 by 4, each squared in place on its own stream.
    let view = |offset| {
        let (shape, strides, storage) = ([4i64, 2], [4i64, 1], [16i64]);
        let tensor = call!(op.aclCreateTensor(
            shape.as_ptr(),
            2,
            ACL_FLOAT,
            strides.as_ptr(),
            offset,
            ACL_FORMAT_ND,
            storage.as_ptr(),
            1,
            device,
        ));
        assert!(!tensor.is_null(), "{}", text());
        tensor
    };
    for (offset, stream) in [(0, one), (2, two)] {
        let (tensor, mut size, mut executor) = (view(offset), 0, ptr::null_mut());
        check!(op.aclnnMulGetWorkspaceSize(tensor, tensor, tensor, &mut size, &mut executor));
        let workspace = malloc(size.max(1) as usize);
        check!(op.aclnnMul(workspace, size, executor, stream));
        check!(op.aclDestroyTensor(tensor));
    }
    let right = device.wrapping_byte_add(8);
    check!(memory.aclrtMemcpyAsync(host, 8, right, 8, D2H, two));
    assert_eq!(take_findings(), []);
    // The memory is freed while both use it: a view with gaps is in use like any other view.
    check!(memory.aclrtFree(device));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::FreedInUse);
    let _ = call!(device.aclrtSynchronizeDevice());
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn an_event_destroyed_while_a_stream_waits_for_its_record() {
    let _serial = start_checked();
    let (event, stream) = (event_with(ACL_EVENT_SYNC), stream());
    check!(event.aclrtStreamWaitEvent(stream, event));
    check!(event.aclrtDestroyEvent(event));
    let parts = [
        ("destroyed", "aclrtDestroyEvent"),
        ("created", "aclrtCreateEventWithFlag"),
    ];
    expect(&end(), Mistake::AwaitedEventDestroyed, &parts);
}

/// Handles that a library of a card follows as pointers. Lists have no story here.
#[test]
fn objects_that_are_gone_are_found_by_each_kind() {
    let _serial = start_checked();
    let numbers = [1i64, 2];
    let array = call!(op.aclCreateIntArray(numbers.as_ptr(), 2));
    check!(op.aclDestroyIntArray(array));
    check!(161002, op.aclDestroyIntArray(array));
    expect(
        &take_findings(),
        Mistake::DestroyedTwice,
        &[("used", "aclDestroyIntArray")],
    );
    let mut size = 0;
    check!(161002, op.aclGetIntArraySize(array, &mut size));
    expect(
        &take_findings(),
        Mistake::UsedAfterDestroy,
        &[("used", "aclGetIntArraySize")],
    );
    let list = call!(op.aclCreateTensorList(ptr::null(), 0));
    check!(op.aclDestroyTensorList(list));
    check!(161002, op.aclDestroyTensorList(list));
    expect(
        &take_findings(),
        Mistake::DestroyedTwice,
        &[("used", "aclDestroyTensorList")],
    );
    let mut notify = ptr::null_mut();
    check!(event.aclrtCreateNotify(&mut notify, 0));
    check!(event.aclrtDestroyNotify(notify));
    assert_ne!(call!(event.aclrtDestroyNotify(notify)), 0);
    expect(
        &take_findings(),
        Mistake::DestroyedTwice,
        &[
            ("used", "aclrtDestroyNotify"),
            ("destroyed", "aclrtDestroyNotify"),
            ("created", "aclrtCreateNotify"),
        ],
    );
    let mut label = ptr::null_mut();
    check!(stream.aclrtCreateLabel(&mut label));
    check!(stream.aclrtDestroyLabel(label));
    assert_ne!(call!(stream.aclrtDestroyLabel(label)), 0);
    expect(
        &take_findings(),
        Mistake::DestroyedTwice,
        &[
            ("used", "aclrtDestroyLabel"),
            ("destroyed", "aclrtDestroyLabel"),
            ("created", "aclrtCreateLabel"),
        ],
    );
    assert_eq!(end(), []);
}
