//! The checker on page-locked memory that a failed task should have written, and that the program then reads.
//!
//! Copies of rows fail here; all others succeed.
#![cfg(target_arch = "x86_64")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{ptr, thread};

use ascendcl_emulator::{Check, EmulatorConfig, Fault, Mistake, Schedule, take_findings};
use ascendcl_sys::*;
use common::*;

const D2H: aclrtMemcpyKind = ACL_MEMCPY_DEVICE_TO_HOST;
const PAGE: usize = 4096;

/// Two pages of page-locked memory, two pages of device memory filled with 7, and a stream.
struct Parts {
    host: *mut c_void,
    device: *mut c_void,
    stream: aclrtStream,
    _serial: Serial,
}

impl Parts {
    fn new() -> Parts {
        let fault = Fault::new("aclrtMemcpy2dAsync", 507001).in_task().from(1);
        let config = EmulatorConfig::default()
            .with_check(Check::Collect)
            .with_schedule(Schedule::Lazy);
        let serial = serial(config.with_fault(fault));
        check!(device.aclrtSetDevice(0));
        let _ = take_findings();
        let parts = Parts {
            host: malloc_host(2 * PAGE),
            device: malloc(2 * PAGE),
            stream: stream(),
            _serial: serial,
        };
        upload(parts.device, &[7; 2 * PAGE]);
        parts
    }

    /// Queues the copy of both pages, which fails.
    fn fail(&self) {
        let (to, from) = (self.host, self.device);
        check!(memory.aclrtMemcpy2dAsync(to, PAGE, from, PAGE, PAGE, 2, D2H, self.stream));
    }

    fn down(&self) {
        let (to, from, len) = (self.host, self.device, 2 * PAGE);
        check!(memory.aclrtMemcpyAsync(to, len, from, len, D2H, self.stream));
    }

    /// Waits for the stream and ignores the result.
    fn wait(&self) {
        let _ = call!(stream.aclrtSynchronizeStream(self.stream));
    }

    fn read(&self, offset: usize) -> u8 {
        let byte = self.host.cast::<u8>().wrapping_add(offset);
        // SAFETY: page-locked host memory stays mapped; if the checker protects it, the access removes the
        // protection.
        unsafe { byte.read_volatile() }
    }

    fn write(&self, offset: usize, value: u8) {
        let byte = self.host.cast::<u8>().wrapping_add(offset);
        // SAFETY: page-locked host memory stays mapped; if the checker protects it, the access removes the
        // protection.
        unsafe { byte.write_volatile(value) };
    }

    /// Returns whether a system call may read the first page.
    fn is_open(&self) -> bool {
        let (_reader, mut writer) = std::io::pipe().expect("a pipe");
        // SAFETY: the page exists; if it is protected, only the system accesses it, and refuses.
        let page = unsafe { std::slice::from_raw_parts(self.host.cast::<u8>(), PAGE) };
        writer.write_all(page).is_ok()
    }

    fn end(self) {
        check!(device.aclrtSynchronizeDevice());
        check!(memory.aclrtFreeHost(self.host));
        check!(memory.aclrtFree(self.device));
        assert_eq!(take_findings(), []);
    }
}

#[test]
fn a_result_that_is_not_there_is_found_where_it_is_read() {
    let parts = Parts::new();
    parts.write(5, 3);
    parts.write(6, 4);
    parts.fail();
    check!(507001, stream.aclrtSynchronizeStream(parts.stream));
    assert_eq!(parts.read(5), 3, "nobody has written it");
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::FailedResult);
    let calls = found[0].calls.iter();
    let calls: Vec<_> = calls.map(|(part, at)| (*part, at.call.as_str())).collect();
    let expected = [
        ("read", "the program"),
        ("failed", "aclrtMemcpy2dAsync"),
        ("allocated", "aclrtMallocHost"),
    ];
    assert_eq!(calls, expected);
    assert_eq!(parts.read(6), 4, "told once");
    parts.end();
}

#[test]
fn what_the_program_writes_itself_is_its_own() {
    let parts = Parts::new();
    parts.fail();
    parts.wait();
    parts.write(0, 9);
    assert_eq!(parts.read(0), 9);
    parts.write(PAGE, 8);
    assert_eq!(parts.read(PAGE), 8);
    // The first write of a page is seen. It stands for those that follow.
    parts.up(parts.stream);
    parts.wait();
    parts.end();
}

#[test]
fn what_a_later_copy_writes_may_be_read() {
    let parts = Parts::new();
    parts.fail();
    parts.wait();
    parts.down();
    parts.wait();
    assert!(parts.is_open());
    assert_eq!(parts.read(0), 7);
    parts.fail();
    parts.wait();
    assert!(!parts.is_open());
    check!(memory.aclrtMemcpy(parts.host, 2 * PAGE, parts.device, 2 * PAGE, D2H));
    assert!(parts.is_open());
    assert_eq!(parts.read(PAGE), 7);
    parts.end();
}

#[test]
fn a_copy_that_was_queued_behind_the_failed_one_counts() {
    let parts = Parts::new();
    parts.fail();
    parts.down();
    parts.wait();
    assert!(parts.is_open());
    assert_eq!(parts.read(0), 7);
    parts.end();
}

#[test]
fn memory_of_a_failed_copy_can_be_freed() {
    let parts = Parts::new();
    parts.fail();
    parts.wait();
    check!(memory.aclrtFreeHost(parts.host));
    let again = Parts {
        host: malloc_host(2 * PAGE),
        ..parts
    };
    assert!(again.is_open());
    again.write(0, 1);
    assert_eq!(again.read(0), 1);
    again.end();
}

#[test]
fn a_copy_of_a_result_that_is_not_there_has_none_either() {
    let parts = Parts::new();
    parts.fail();
    parts.up(parts.stream);
    parts.wait();
    check!(memory.aclrtMemcpy(parts.host, 1, parts.device, 1, D2H));
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::FailedResult);
    parts.end();
}

#[test]
fn what_the_program_writes_unseen_is_its_own() {
    let parts = Parts::new();
    // The copy fills no page, so the program can write the memory without a fault.
    let (to, from, len) = (parts.host, parts.device, 10);
    check!(memory.aclrtMemcpy2dAsync(to, PAGE, from, PAGE, len, 1, D2H, parts.stream));
    parts.wait();
    for byte in 0..len {
        parts.write(byte, 9);
    }
    check!(memory.aclrtMemcpyAsync(from, len, to, len, ACL_MEMCPY_HOST_TO_DEVICE, parts.stream));
    parts.wait();
    // While a function is queued, no further memory is protected.
    let function = parts.function(false);
    parts.fail();
    function.open.store(true, Ordering::Release);
    parts.wait();
    for byte in 0..2 * PAGE {
        parts.write(byte, 8);
    }
    parts.up(parts.stream);
    parts.wait();
    parts.end();
}

/// A function of the program that waits until the test opens it and then accesses the first byte.
struct Function {
    host: usize,
    writes: bool,
    open: AtomicBool,
}

unsafe extern "C" fn access(argument: *mut c_void) {
    // SAFETY: the tests pass a `Function` that lives until the stream is synchronised.
    let function = unsafe { &*argument.cast::<Function>() };
    while !function.open.load(Ordering::Acquire) {
        thread::yield_now();
    }
    let byte: *mut u8 = ptr::with_exposed_provenance_mut(function.host);
    if function.writes {
        // SAFETY: page-locked host memory stays mapped; if the checker protects it, the access removes the
        // protection.
        unsafe { byte.write_volatile(6) };
    } else {
        // SAFETY: see above.
        let _ = unsafe { byte.read_volatile() };
    }
}

impl Parts {
    /// Queues a function that writes or reads the first byte after it is opened.
    fn function(&self, writes: bool) -> Box<Function> {
        let function = Box::new(Function {
            host: self.host.expose_provenance(),
            writes,
            open: AtomicBool::new(false),
        });
        let argument = (&raw const *function).cast_mut().cast();
        check!(callback.aclrtLaunchHostFunc(self.stream, Some(access), argument));
        function
    }

    fn up(&self, stream: aclrtStream) {
        let (to, from, len) = (self.device, self.host, 2 * PAGE);
        check!(memory.aclrtMemcpyAsync(to, len, from, len, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    }
}

#[test]
fn a_function_may_write_for_the_copies_behind_it() {
    let parts = Parts::new();
    parts.fail();
    let function = parts.function(true);
    parts.up(parts.stream);
    let (event, other) = (event(), stream());
    check!(event.aclrtRecordEvent(event, parts.stream));
    check!(event.aclrtStreamWaitEvent(other, event));
    parts.up(other);
    function.open.store(true, Ordering::Release);
    parts.wait();
    check!(stream.aclrtSynchronizeStream(other));
    assert_eq!(parts.read(0), 6);
    check!(event.aclrtDestroyEvent(event));
    parts.end();
}

#[test]
fn a_function_may_write_for_a_copy_that_is_queued_after_the_failure() {
    let parts = Parts::new();
    parts.fail();
    parts.wait();
    let function = parts.function(true);
    parts.up(parts.stream);
    function.open.store(true, Ordering::Release);
    parts.wait();
    check!(memory.aclrtMemcpy(parts.host, 1, parts.device, 1, D2H));
    assert_eq!(parts.read(0), 6);
    parts.end();
}

#[test]
fn a_copy_of_what_a_function_has_written_is_a_result() {
    let parts = Parts::new();
    parts.fail();
    let function = parts.function(true);
    parts.up(parts.stream);
    function.open.store(true, Ordering::Release);
    parts.wait();
    parts.write(0, 0);
    check!(memory.aclrtMemcpy(parts.host, 1, parts.device, 1, D2H));
    assert_eq!(parts.read(0), 6);
    parts.end();
}

#[test]
fn a_function_must_not_write_for_a_copy_that_does_not_wait_for_it() {
    let parts = Parts::new();
    parts.fail();
    parts.wait();
    let other = stream();
    parts.up(other);
    let function = parts.function(true);
    function.open.store(true, Ordering::Release);
    parts.wait();
    let found = take_findings();
    let mistakes: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    // The first is the copy of the result that is not there.
    assert_eq!(mistakes, [Mistake::FailedResult, Mistake::NotSynchronised]);
    let queued = found[1].calls.iter().find(|(part, _)| *part == "queued");
    let (_, queued) = queued.expect("the copy is named");
    assert_eq!(queued.call, "aclrtMemcpyAsync");
    check!(stream.aclrtSynchronizeStream(other));
    parts.end();
}

#[test]
fn a_function_must_not_read_a_result_that_is_not_there() {
    let parts = Parts::new();
    parts.fail();
    let function = parts.function(false);
    function.open.store(true, Ordering::Release);
    parts.wait();
    let found = take_findings();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].mistake, Mistake::FailedResult);
    parts.end();
}
