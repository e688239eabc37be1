//! The checker on the program's own use of page-locked host memory, without a call.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::io::Write as _;

use ascendcl_emulator::{Check, EmulatorConfig, Finding, Mistake, Schedule, take_findings};
use ascendcl_sys::*;
use common::*;

const H2D: aclrtMemcpyKind = ACL_MEMCPY_HOST_TO_DEVICE;
const D2H: aclrtMemcpyKind = ACL_MEMCPY_DEVICE_TO_HOST;
const PAGE: usize = 4096;

/// Starts a test with the lazy schedule: a task runs only when a call waits for it, so a read before the wait gets
/// old data.
fn start() -> Serial {
    let config = EmulatorConfig::default().with_check(Check::Collect);
    let serial = serial(config.with_schedule(Schedule::Lazy));
    check!(device.aclrtSetDevice(0));
    let _ = take_findings();
    serial
}

fn read(memory: *mut c_void, offset: usize) -> u8 {
    let byte = memory.cast::<u8>().wrapping_add(offset);
    // SAFETY: page-locked host memory stays mapped; if the checker protects it, the access removes the protection.
    unsafe { byte.read_volatile() }
}

fn write(memory: *mut c_void, offset: usize, value: u8) {
    let byte = memory.cast::<u8>().wrapping_add(offset);
    // SAFETY: page-locked host memory stays mapped; if the checker protects it, the access removes the protection.
    unsafe { byte.write_volatile(value) };
}

fn filled(len: usize, value: u8) -> *mut c_void {
    let memory = malloc(len);
    upload(memory, &vec![value; len]);
    memory
}

/// Copies to page-locked memory without a stream.
fn store(host: *mut c_void, bytes: &[u8]) {
    let (len, from) = (bytes.len(), bytes.as_ptr().cast());
    check!(memory.aclrtMemcpy(host, len, from, len, ACL_MEMCPY_HOST_TO_HOST));
}

/// Copies from page-locked memory without a stream.
fn load(host: *const c_void, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    let to = bytes.as_mut_ptr().cast();
    check!(memory.aclrtMemcpy(to, len, host, len, ACL_MEMCPY_HOST_TO_HOST));
    bytes
}

fn up(to: *mut c_void, from: *mut c_void, len: usize, stream: aclrtStream) {
    check!(memory.aclrtMemcpyAsync(to, len, from, len, H2D, stream));
}

fn down(to: *mut c_void, from: *mut c_void, len: usize, stream: aclrtStream) {
    check!(memory.aclrtMemcpyAsync(to, len, from, len, D2H, stream));
}

fn wait(stream: aclrtStream) {
    check!(stream.aclrtSynchronizeStream(stream));
}

/// Checks that there is one finding: the program `does` this, while a copy that does `other` was queued.
fn expect(found: &[Finding], does: &str, other: &str) {
    let [finding] = found else {
        unreachable!("one finding is expected, there are {found:#?}")
    };
    assert_eq!(finding.mistake, Mistake::NotSynchronised, "{finding}");
    let start = format!("the program {does}s 1 byte at ");
    assert!(finding.text.starts_with(&start), "{finding}");
    let end = format!("may still {other}");
    assert!(finding.text.ends_with(&end), "{finding}");
    let parts = finding.calls.iter();
    let parts: Vec<_> = parts.map(|(part, at)| (*part, at.call.as_str())).collect();
    let expected = [
        (does, "the program"),
        ("queued", "aclrtMemcpyAsync"),
        ("allocated", "aclrtMallocHost"),
    ];
    assert_eq!(parts, expected, "{finding}");
    let place = finding.calls[0].1.frames.join(", ");
    assert!(
        place.contains("check_host::") && (place.contains("tests/") || !has_lines()),
        "{finding}"
    );
}

/// Ends a program that is correct from here on.
fn end(host: *mut c_void) {
    check!(device.aclrtSynchronizeDevice());
    check!(memory.aclrtFreeHost(host));
    assert_eq!(take_findings(), []);
    let _ = call!(device.aclrtResetDeviceForce(0));
    assert_eq!(take_findings(), [], "the end itself is right");
}

#[test]
fn a_result_read_before_the_stream_was_synchronised() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(64, 7), malloc_host(64));
    write(host, 3, 1);
    down(host, device, 64, s);
    assert_eq!(read(host, 3), 1, "the copy waits for somebody to wait");
    expect(&take_findings(), "read", "write");
    assert_eq!(read(host, 4), read(host, 4));
    assert_eq!(take_findings(), [], "told once, then the program goes on");
    wait(s);
    assert_eq!(read(host, 3), 7);
    end(host);
}

#[test]
fn a_result_overwritten_before_the_stream_was_synchronised() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    down(host, device, PAGE, s);
    write(host, PAGE - 1, 9);
    expect(&take_findings(), "write", "write");
    wait(s);
    assert_eq!(read(host, PAGE - 1), 7, "the copy came later");
    end(host);
}

#[test]
fn a_source_overwritten_before_the_stream_was_synchronised() {
    let _serial = start();
    let (s, device, host) = (stream(), malloc(3 * PAGE), malloc_host(3 * PAGE));
    store(host, &[1; 3 * PAGE]);
    up(device, host, 3 * PAGE, s);
    assert_eq!(read(host, PAGE), 1, "it may be read");
    assert_eq!(take_findings(), []);
    write(host, PAGE, 2);
    expect(&take_findings(), "write", "read");
    wait(s);
    assert_eq!(download(device.wrapping_byte_add(PAGE), 2), [2, 1]);
    end(host);
}

#[test]
fn every_way_to_learn_that_a_copy_is_over_is_accepted() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    let event = event_ex(ACL_EVENT_SYNC);
    let ways: [&dyn Fn(); 5] = [
        &|| wait(s),
        &|| check!(device.aclrtSynchronizeDevice()),
        &|| while query(s) != ACL_STREAM_STATUS_COMPLETE {},
        &|| {
            check!(event.aclrtRecordEvent(event, s));
            check!(event.aclrtSynchronizeEvent(event));
        },
        &|| {
            let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
            check!(event.aclrtRecordEvent(event, s));
            while status != ACL_EVENT_RECORDED_STATUS_COMPLETE {
                check!(event.aclrtQueryEventStatus(event, &mut status));
            }
        },
    ];
    for (value, way) in (1..).zip(ways) {
        write(host, 0, value);
        up(device, host, PAGE, s);
        way();
        write(host, 0, 0);
        down(host, device, PAGE, s);
        way();
        assert_eq!(read(host, 0), value);
    }
    let copy = stream();
    down(host, device, PAGE, copy);
    check!(stream.aclrtDestroyStream(copy));
    write(host, 0, 0);
    check!(event.aclrtDestroyEvent(event));
    end(host);
}

#[test]
fn an_aborted_stream_uses_nothing_any_more() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    write(host, 0, 1);
    down(host, device, PAGE, s);
    check!(stream.aclrtStreamAbort(s));
    assert_eq!(read(host, 0), 1);
    check!(memory.aclrtFree(device));
    end(host);
}

#[test]
fn a_function_on_the_host_may_use_what_came_before_it_in_its_stream() {
    extern "C" fn first_byte(host: *mut c_void) {
        write(host, 1, read(host, 0));
    }
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    down(host, device, PAGE, s);
    check!(callback.aclrtLaunchHostFunc(s, Some(first_byte), host));
    up(device, host, PAGE, s);
    wait(s);
    assert_eq!(download(device, 2), [7, 7]);
    end(host);
}

#[test]
fn bytes_beside_those_that_are_in_use_are_the_programs() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(8 * PAGE, 7), malloc_host(8 * PAGE));
    let at = |offset| host.wrapping_byte_add(offset);
    for (start, len) in [(0, PAGE), (2 * PAGE + 64, PAGE), (4 * PAGE, 2 * PAGE - 1)] {
        down(at(start), device, len, s);
        if start > 0 {
            write(host, start - 1, 1);
        }
        write(host, start + len, 1);
    }
    assert_eq!(take_findings(), []);
    let _ = read(host, 4 * PAGE);
    expect(&take_findings(), "read", "write");
    end(host);
}

#[test]
fn memory_is_kept_until_the_last_copy_is_over() {
    let _serial = start();
    let (one, two) = (stream(), stream());
    let (from, device) = (filled(PAGE, 7), malloc(PAGE));
    let host = malloc_host(2 * PAGE);
    store(host, &[1; 2 * PAGE]);
    down(host, from, PAGE, one);
    up(device, host.wrapping_byte_add(PAGE), PAGE, two);
    wait(one);
    assert_eq!(read(host, 0), 7);
    write(host, 0, 1);
    assert_eq!(take_findings(), []);
    write(host, PAGE, 1);
    expect(&take_findings(), "write", "read");
    // Two copies read the same page, and the first one is complete.
    let event = event_ex(ACL_EVENT_SYNC);
    up(device, host, PAGE, two);
    check!(event.aclrtRecordEvent(event, two));
    up(device, host, PAGE, two);
    check!(event.aclrtSynchronizeEvent(event));
    write(host, 0, 2);
    expect(&take_findings(), "write", "read");
    check!(event.aclrtDestroyEvent(event));
    end(host);
}

/// Returns the error number of a system call that reads a page, if the call fails.
fn written_by_the_system(memory: *mut c_void) -> Option<i32> {
    let (_reader, mut writer) = std::io::pipe().expect("a pipe");
    // SAFETY: the page exists; if it is protected, only the system accesses it, and refuses.
    let page = unsafe { std::slice::from_raw_parts(memory.cast::<u8>(), PAGE) };
    writer.write_all(page).err()?.raw_os_error()
}

#[test]
fn a_system_call_cannot_read_a_result_that_is_not_there() {
    const EFAULT: i32 = 14;
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    assert_eq!(written_by_the_system(host), None);
    down(host, device, PAGE, s);
    assert_eq!(written_by_the_system(host), Some(EFAULT));
    wait(s);
    assert_eq!(written_by_the_system(host), None);
    up(device, host, PAGE, s);
    assert_eq!(written_by_the_system(host), None, "a source may be read");
    end(host);
}

#[test]
fn registering_memory_changes_nothing_that_is_known_of_it() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    let mut seen = std::ptr::null_mut();
    let kind = ACL_HOST_REGISTER_MAPPED;
    check!(memory.aclrtHostRegister(host, PAGE as u64, kind, &mut seen));
    check!(memory.aclrtHostUnregister(host));
    write(host, 0, 1);
    down(host, device, PAGE, s);
    let _ = read(host, 0);
    expect(&take_findings(), "read", "write");
    end(host);
}

#[test]
fn memory_that_was_freed_is_nobodys() {
    let _serial = start();
    let host = malloc_host(2 * PAGE);
    check!(memory.aclrtFreeHost(host));
    let _ = read(host, PAGE + 1);
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].mistake, Mistake::UsedAfterFree);
    let parts = found[0].calls.iter();
    let parts: Vec<_> = parts.map(|(part, at)| (*part, at.call.as_str())).collect();
    let expected = [
        ("used", "the program"),
        ("freed", "aclrtFreeHost"),
        ("allocated", "aclrtMallocHost"),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn memory_that_was_freed_and_allocated_again_is_free() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(PAGE));
    down(host, device, PAGE, s);
    check!(memory.aclrtFreeHost(host));
    assert_eq!(take_findings()[0].mistake, Mistake::FreedInUse);
    let again = malloc_host(PAGE);
    assert_eq!(again, host);
    assert_eq!(written_by_the_system(again), None);
    write(again, 0, 1);
    // The copy may succeed or fail, because its memory was freed; the test accepts both.
    let _ = call!(stream.aclrtSynchronizeStream(s));
    assert_eq!(read(again, 0), 1);
    end(again);
}

#[test]
fn thousands_of_queued_copies_are_let_go_when_they_are_over() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(PAGE, 7), malloc_host(3000 * PAGE));
    for page in 0..1500 {
        down(host.wrapping_byte_add(2 * page * PAGE), device, PAGE, s);
    }
    let _ = read(host, 2 * 1499 * PAGE);
    expect(&take_findings(), "read", "write");
    wait(s);
    for page in 0..3000 {
        write(host, page * PAGE, 1);
    }
    end(host);
}

#[test]
fn a_copy_without_a_stream_reaches_host_memory_that_the_program_may_not() {
    let _serial = start();
    let (s, device, host) = (stream(), filled(2 * PAGE, 7), malloc_host(2 * PAGE));
    let second = host.wrapping_byte_add(PAGE);
    down(second, device, PAGE, s);
    store(host, &[1; PAGE]);
    assert_eq!(load(host, 4), [1; 4]);
    assert_eq!(take_findings(), []);
    wait(s);
    assert_eq!(load(host, 2 * PAGE)[PAGE - 1..=PAGE], [1, 7]);
    end(host);
}

#[test]
fn what_comes_before_an_event_that_lets_a_copy_go_comes_before_the_copy() {
    let _serial = start();
    let (s, device, host) = (stream(), malloc(PAGE), malloc_host(PAGE));
    let gate = Gate::close(s);
    up(device, host, PAGE, s);
    write(host, 0, 5);
    gate.open();
    write(host, 0, 6);
    expect(&take_findings(), "write", "read");
    wait(s);
    assert_eq!(download(device, 1), [6]);
    end(host);
}

#[test]
fn a_source_overwritten_by_a_function_that_the_copy_does_not_wait_for_goes_unseen() {
    extern "C" fn overwrite(host: *mut c_void) {
        write(host, 0, 1);
    }
    let _serial = start();
    let (one, two) = (stream(), stream());
    let (device, host) = (malloc(PAGE), malloc_host(PAGE));
    check!(callback.aclrtLaunchHostFunc(one, Some(overwrite), host));
    up(device, host, PAGE, two);
    write(host, 1, 1);
    wait(one);
    assert_eq!(take_findings(), []);
    // The copies are complete: from here on the checker follows copies again.
    up(device, host, PAGE, two);
    write(host, 0, 2);
    expect(&take_findings(), "write", "read");
    end(host);
}

/// What a host function that waits for its own stream, or ends what it runs on, gets.
static CODES: std::sync::Mutex<Vec<aclError>> = std::sync::Mutex::new(Vec::new());

/// A stream, an event behind the function, and the context of both.
struct Own {
    stream: aclrtStream,
    event: aclrtEvent,
    context: aclrtContext,
}

#[test]
fn a_host_function_that_waits_for_its_own_stream_is_refused() {
    unsafe extern "C" fn wait_for_itself(own: *mut c_void) {
        // SAFETY: the test passes an `Own`, which lives until the function has returned.
        let own = unsafe { &*own.cast::<Own>() };
        check!(context.aclrtSetCurrentContext(own.context));
        let codes = [
            call!(stream.aclrtSynchronizeStream(own.stream)),
            call!(stream.aclrtSynchronizeStreamWithTimeout(own.stream, -1)),
            call!(device.aclrtSynchronizeDevice()),
            call!(event.aclrtSynchronizeEvent(own.event)),
            call!(stream.aclrtDestroyStream(own.stream)),
            call!(context.aclrtDestroyContext(own.context)),
            call!(device.aclrtResetDevice(0)),
        ];
        CODES.lock().expect("nobody panics with it").extend(codes);
    }
    let _serial = start();
    let mut own = Own {
        stream: std::ptr::null_mut(),
        event: event(),
        context: std::ptr::null_mut(),
    };
    check!(context.aclrtCreateContext(&raw mut own.context, 0));
    check!(stream.aclrtCreateStream(&raw mut own.stream));
    let data = (&raw mut own).cast::<c_void>();
    check!(callback.aclrtLaunchHostFunc(own.stream, Some(wait_for_itself), data));
    check!(event.aclrtRecordEvent(own.event, own.stream));
    wait(own.stream);
    let codes = std::mem::take(&mut *CODES.lock().expect("nobody panics with it"));
    assert_eq!(codes, [ACL_ERROR_RT_INTERNAL_ERROR; 7]);
    check!(event.aclrtDestroyEvent(own.event));
    check!(stream.aclrtDestroyStream(own.stream));
    check!(context.aclrtDestroyContext(own.context));
    let found = take_findings();
    let is_told = |finding: &Finding| finding.mistake == Mistake::CallInFunction;
    assert!(found.iter().all(is_told), "{found:#?}");
}

#[test]
fn registered_memory_that_the_program_has_unmapped_is_found() {
    let _serial = start();
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new addresses, which nothing uses.
    let host = unsafe { libc::mmap(std::ptr::null_mut(), 2 * PAGE, access, flags, -1, 0) };
    let (device, s) = (filled(2 * PAGE, 1), stream());
    let mut seen = std::ptr::null_mut();
    let kind = ACL_HOST_REGISTER_MAPPED;
    check!(memory.aclrtHostRegister(host, 2 * PAGE as u64, kind, &mut seen));
    up(device, host, 2 * PAGE, s);
    wait(s);
    assert_eq!(take_findings(), []);
    let second = host.wrapping_byte_add(PAGE);
    // SAFETY: the second page, which nothing uses any more.
    let code = unsafe { libc::munmap(second, PAGE) };
    assert_eq!(code, 0);
    let gone = |call: &str| {
        let found = take_findings();
        let [finding] = &found[..] else {
            unreachable!("one finding is expected, there are {found:#?}")
        };
        assert_eq!(finding.mistake, Mistake::UsedAfterFree, "{finding}");
        let calls = finding.calls.iter();
        let calls: Vec<_> = calls
            .map(|(part, issued)| (*part, issued.call.as_str()))
            .collect();
        assert_eq!(calls, [("used", call), ("registered", "aclrtHostRegister")]);
    };
    // The task fails, and ends no process.
    up(device, host, 2 * PAGE, s);
    gone("aclrtMemcpyAsync");
    check!(507001, stream.aclrtSynchronizeStream(s));
    check!(
        107000,
        memory.aclrtMemcpy(device, PAGE, host.wrapping_byte_add(PAGE), PAGE, H2D)
    );
    gone("aclrtMemcpy");
    // The page that is left.
    up(device, host, PAGE, s);
    wait(s);
    assert_eq!(take_findings(), []);
    check!(memory.aclrtHostUnregister(host));
    // SAFETY: the first page, which nothing uses any more.
    assert_eq!(unsafe { libc::munmap(host, PAGE) }, 0);
}
