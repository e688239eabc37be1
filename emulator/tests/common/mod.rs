//! Shared parts of the tests: the tables under test, one test at a time, and short forms of the calls.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(
    clippy::missing_safety_doc,
    reason = "tests pass valid pointers, or wrong ones on purpose where the emulator checks them"
)]

use std::ffi::{CStr, c_void};
use std::process::Command;
use std::ptr;
use std::sync::{Mutex, MutexGuard, Once};

use ascendcl_emulator::{Check, EmulatorConfig, configure, live, take_findings, take_violations};
use ascendcl_sys::*;

/// Calls a function of a table: `call!(stream.aclrtCreateStream(&mut stream))`.
#[macro_export]
macro_rules! call {
    ($area:ident.$name:ident($($arg:expr),* $(,)?)) => {{
        let function = ascendcl_emulator::API.$area.$name;
        #[allow(clippy::macro_metavars_in_unsafe, reason = "the arguments are plain values")]
        // SAFETY: the test passes valid pointers and handles, or values that the emulator refuses.
        let answer = unsafe { function($($arg),*) };
        answer
    }};
}

/// Asserts that a call returns a status.
#[macro_export]
macro_rules! check {
    ($code:expr, $area:ident.$name:ident($($arg:expr),* $(,)?)) => {
        assert_eq!($crate::call!($area.$name($($arg),*)), $code, "{}: {}", stringify!($name($($arg),*)), $crate::common::text())
    };
    ($area:ident.$name:ident($($arg:expr),* $(,)?)) => {
        $crate::check!(0, $area.$name($($arg),*))
    };
}

pub(crate) mod capture;
pub(crate) mod condition;
pub(crate) mod kernel;
pub(crate) mod operator;
#[macro_use]
pub(crate) mod ranks;
pub(crate) mod processes;
pub(crate) mod programs;
#[macro_use]
pub(crate) mod tensor;

/// The lock that a test holds while it runs. Its drop checks for leaks.
pub(crate) struct Serial(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

/// The variable that makes [`serial`] switch on the checker, and the trace to the file of its value.
const WATCHED: &str = "ASCENDCL_TEST_WATCHED";

/// Defines a test that runs all other tests of the file with the checker and the trace on.
#[macro_export]
macro_rules! passes_while_watched {
    ($file:literal) => {
        #[test]
        fn watching_changes_no_answer() {
            $crate::common::again_while_watched($file, "watching_changes_no_answer");
        }
    };
}

/// Held by the test that runs.
static ONE: Mutex<()> = Mutex::new(());

/// Runs the other tests of this executable, under the checker and with a trace. They have the files of the tests here, so none runs
/// meanwhile.
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(crate) fn again_while_watched(file: &str, this_test: &str) {
    let _alone = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let trace = format!("{}/{file}.trace.json", env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--skip", this_test]).env(WATCHED, &trace);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {text}", output.status);
    let written = std::fs::read_to_string(&trace).unwrap();
    assert!(written.contains("traceEvents"), "{trace}: {written}");
    std::fs::remove_file(&trace).unwrap();
}

/// Waits for the other tests of the file. `config` is the configuration of the file.
pub(crate) fn serial(config: EmulatorConfig) -> Serial {
    static ONCE: Once = Once::new();
    let guard = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let config = match std::env::var_os(WATCHED) {
        Some(trace) => config.with_check(Check::Collect).with_trace(trace),
        None => config,
    };
    ONCE.call_once(|| assert_eq!(configure(config), Ok(())));
    let _ = take_violations();
    Serial(guard)
}

/// Waits for the other tests of the file, and makes device 0 current.
pub(crate) fn start_with(config: EmulatorConfig) -> Serial {
    let serial = serial(config);
    let _ = take_findings();
    check!(device.aclrtSetDevice(0));
    serial
}

/// Starts a test of a file with the usual configuration.
pub(crate) fn start() -> Serial {
    start_with(EmulatorConfig::default())
}

/// Starts a test of a file with the checker.
pub(crate) fn start_checked() -> Serial {
    start_with(EmulatorConfig::default().with_check(Check::Collect))
}

impl Drop for Serial {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        for device in 0..2 {
            let _ = call!(device.aclrtResetDeviceForce(device));
        }
        let left = live();
        assert_eq!(
            (left.device_blocks, left.streams, left.contexts),
            (0, 0, 0),
            "{left:?}"
        );
    }
}

/// Returns the thread's latest error text.
pub(crate) fn text() -> String {
    let text = call!(runtime.aclGetRecentErrMsg());
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a C string that is valid until the thread's next call.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

pub(crate) fn stream() -> aclrtStream {
    let mut stream = ptr::null_mut();
    check!(stream.aclrtCreateStream(&mut stream));
    stream
}

pub(crate) fn event() -> aclrtEvent {
    let mut event = ptr::null_mut();
    check!(event.aclrtCreateEvent(&mut event));
    event
}

pub(crate) fn event_ex(flags: u32) -> aclrtEvent {
    let mut event = ptr::null_mut();
    check!(event.aclrtCreateEventExWithFlag(&mut event, flags));
    event
}

pub(crate) fn event_with(flags: u32) -> aclrtEvent {
    let mut event = ptr::null_mut();
    check!(event.aclrtCreateEventWithFlag(&mut event, flags));
    event
}

pub(crate) fn malloc(size: usize) -> *mut c_void {
    let mut pointer = ptr::null_mut();
    check!(memory.aclrtMalloc(&mut pointer, size, ACL_MEM_MALLOC_HUGE_FIRST));
    pointer
}

/// Allocates the workspace that a first phase asked for: null for 0 bytes. The test leaves it to the end of the process.
pub(crate) fn workspace(size: u64) -> *mut c_void {
    match usize::try_from(size) {
        Ok(size @ 1..) => malloc(size),
        _ => ptr::null_mut(),
    }
}

pub(crate) fn malloc_host(size: usize) -> *mut c_void {
    let mut pointer = ptr::null_mut();
    check!(memory.aclrtMallocHost(&mut pointer, size));
    pointer
}

/// Copies to the device without a stream.
pub(crate) fn upload(device: *mut c_void, bytes: &[u8]) {
    let (len, from) = (bytes.len(), bytes.as_ptr().cast());
    check!(memory.aclrtMemcpy(device, len, from, len, ACL_MEMCPY_HOST_TO_DEVICE));
}

/// Copies from the device without a stream.
pub(crate) fn download(device: *const c_void, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    let to = bytes.as_mut_ptr().cast();
    check!(memory.aclrtMemcpy(to, len, device, len, ACL_MEMCPY_DEVICE_TO_HOST));
    bytes
}

/// Returns the status of `aclrtStreamQuery`.
pub(crate) fn query(stream: aclrtStream) -> aclrtStreamStatus {
    let mut status = ACL_STREAM_STATUS_RESERVED;
    check!(stream.aclrtStreamQuery(stream, &mut status));
    status
}

/// Copies between device addresses on a stream.
pub(crate) fn copy_async(
    to: *mut c_void,
    from: *const c_void,
    len: usize,
    stream: aclrtStream,
) -> aclError {
    call!(memory.aclrtMemcpyAsync(to, len, from, len, ACL_MEMCPY_DEVICE_TO_DEVICE, stream))
}

/// A blocked stream: until `open` is called it waits for an event that was not recorded.
pub(crate) struct Gate {
    event: aclrtEvent,
    opener: aclrtStream,
}

impl Gate {
    /// Blocks `stream`.
    pub(crate) fn close(stream: aclrtStream) -> Gate {
        let gate = Gate {
            event: event_with(ACL_EVENT_SYNC),
            opener: self::stream(),
        };
        check!(event.aclrtStreamWaitEvent(stream, gate.event));
        gate
    }

    /// Lets the stream continue.
    pub(crate) fn open(self) {
        check!(event.aclrtRecordEvent(self.event, self.opener));
        check!(stream.aclrtSynchronizeStream(self.opener));
        check!(stream.aclrtDestroyStream(self.opener));
        check!(event.aclrtDestroyEvent(self.event));
    }
}

impl Drop for Gate {
    /// A test that fails does not come to `open`. Without this record, the next test would wait for the stream for ever.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = call!(event.aclrtRecordEvent(self.event, self.opener));
        }
    }
}

/// Returns whether this executable has debug information with lines. A profile may leave it out.
pub(crate) fn has_lines() -> bool {
    let here = std::backtrace::Backtrace::force_capture().to_string();
    here.contains("tests/common/")
}

/// Returns the properties of physical memory of device 0.
pub(crate) fn property() -> aclrtPhysicalMemProp {
    aclrtPhysicalMemProp {
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: ACL_HBM_MEM_HUGE,
        location: aclrtMemLocation {
            id: 0,
            type_: ACL_MEM_LOCATION_TYPE_DEVICE,
        },
        reserve: 0,
    }
}

pub(crate) fn physical(size: usize) -> aclrtDrvMemHandle {
    let mut handle = ptr::null_mut();
    check!(memory.aclrtMallocPhysical(&mut handle, size, &property(), 0));
    handle
}
