//! The library over the CUDA driver, on the stand-in for the driver: each test in a process of its own, because devices and their
//! memory belong to the process.

use std::env;
use std::ffi::{CStr, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::{self, null_mut};
use std::sync::mpsc;
use std::time::Duration;

use ascendcl::sys::{self, aclError};
use ascendcl_cuda::*;

/// The variable with the name of the test that a child runs.
const CHILD: &str = "HARDWARE_TEST_CHILD";

fn stand_in() -> PathBuf {
    let program = env::current_exe().unwrap();
    program.with_file_name("libcuda_stand_in.so")
}

/// In the parent: starts the test again on the stand-in. In the child: runs it on the first device.
fn isolated(test: &str, body: fn()) {
    if env::var_os(CHILD).is_some() {
        // SAFETY: no file.
        ok(unsafe { aclInit(ptr::null()) });
        // SAFETY: no contract.
        ok(unsafe { aclrtSetDevice(0) });
        return body();
    }
    let output = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, test)
        .env("ASCENDCL_CUDA_DRIVER", stand_in())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("1 passed"), "{said}{errors}");
}

/// A handle that another thread gets.
#[derive(Clone, Copy)]
struct Handle(sys::aclrtStream);
// SAFETY: a number for the library, which takes it on any thread.
unsafe impl Send for Handle {}

macro_rules! tests {
    ($( fn $name:ident() $body:block )*) => { $(
        #[test]
        fn $name() {
            isolated(stringify!($name), || $body);
        }
    )* };
}

#[track_caller]
fn ok(code: aclError) {
    assert_eq!(code, sys::ACL_SUCCESS);
}

/// The output of a call that succeeds.
#[track_caller]
fn made<T>(empty: T, call: impl FnOnce(*mut T) -> aclError) -> T {
    let mut out = empty;
    ok(call(&raw mut out));
    out
}

/// What the thread was told of its last error.
fn said() -> String {
    // SAFETY: null, or a text that lives until the next question.
    let text = unsafe { aclGetRecentErrMsg() };
    assert!(!text.is_null());
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

fn device(size: usize) -> *mut c_void {
    // SAFETY: the output is valid for a write.
    made(null_mut(), |out| unsafe {
        aclrtMalloc(out, size, sys::ACL_MEM_MALLOC_HUGE_FIRST)
    })
}

fn host(size: usize) -> *mut c_void {
    // SAFETY: as above.
    made(null_mut(), |out| unsafe { aclrtMallocHost(out, size) })
}

fn stream() -> sys::aclrtStream {
    // SAFETY: as above.
    made(null_mut(), |out| unsafe { aclrtCreateStream(out) })
}

fn event(flags: u32) -> sys::aclrtEvent {
    // SAFETY: as above.
    made(null_mut(), |out| unsafe {
        aclrtCreateEventExWithFlag(out, flags)
    })
}

fn bytes<'m>(memory: *mut c_void, size: usize) -> &'m mut [u8] {
    // SAFETY: host memory of this size, which only one part of a test uses.
    unsafe { std::slice::from_raw_parts_mut(memory.cast(), size) }
}

fn copy(to: *mut c_void, from: *mut c_void, size: usize, on: sys::aclrtStream) {
    // SAFETY: live memory of this size, and a live stream.
    ok(unsafe { aclrtMemcpyAsync(to, size, from, size, sys::ACL_MEMCPY_DEFAULT, on) });
}

fn wait(stream: sys::aclrtStream) {
    // SAFETY: a live stream.
    ok(unsafe { aclrtSynchronizeStream(stream) });
}

/// Queues a function.
fn call(stream: sys::aclrtStream, function: impl FnOnce() + Send + 'static) {
    type Function = Box<dyn FnOnce() + Send>;
    unsafe extern "C" fn run(function: *mut c_void) {
        // SAFETY: the box of `call`, which is given to this call alone.
        let function = unsafe { Box::from_raw(function.cast::<Function>()) };
        function();
    }
    let function: *mut Function = Box::into_raw(Box::new(Box::new(function)));
    // SAFETY: the function gets its own box, once.
    ok(unsafe { aclrtLaunchHostFunc(stream, Some(run), function.cast()) });
}

/// Holds a stream until the result is dropped.
fn hold(stream: sys::aclrtStream) -> mpsc::Sender<()> {
    let (sender, until) = mpsc::channel();
    // The sender only goes.
    call(stream, move || _ = until.recv());
    sender
}

/// Whether nobody sends, although there is time for it.
fn is_silent(receiver: &mpsc::Receiver<()>) -> bool {
    receiver.recv_timeout(Duration::from_millis(50)).is_err()
}

/// Checks that something ends behind the work of a stream, and not before.
fn waits_for(stream: sys::aclrtStream, end: impl FnOnce() + Send) {
    let held = hold(stream);
    let (sender, ended) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            end();
            sender.send(()).unwrap();
        });
        assert!(is_silent(&ended));
        drop(held);
        ended.recv().unwrap();
    });
}

fn is_ready(stream: sys::aclrtStream) -> bool {
    // SAFETY: a live stream, and an output.
    let status = made(sys::aclrtStreamStatus(9), |out| unsafe {
        aclrtStreamQuery(stream, out)
    });
    assert!(
        [
            sys::ACL_STREAM_STATUS_COMPLETE,
            sys::ACL_STREAM_STATUS_NOT_READY
        ]
        .contains(&status)
    );
    status == sys::ACL_STREAM_STATUS_COMPLETE
}

fn is_recorded(event: sys::aclrtEvent) -> bool {
    let empty = sys::aclrtEventRecordedStatus(9);
    // SAFETY: a live event, and an output.
    made(empty, |out| unsafe { aclrtQueryEventStatus(event, out) })
        == sys::ACL_EVENT_RECORDED_STATUS_COMPLETE
}

tests! {
    fn waits_with_a_limit_end_before_the_work() {
        let (stream, event) = (stream(), event(sys::ACL_EVENT_SYNC));
        assert!(is_ready(stream) && is_recorded(event));
        let held = hold(stream);
        // SAFETY: live objects.
        ok(unsafe { aclrtRecordEvent(event, stream) });
        assert!(!is_ready(stream) && !is_recorded(event));
        // SAFETY: live objects.
        let codes = unsafe { [aclrtSynchronizeStreamWithTimeout(stream, 1), aclrtSynchronizeEventWithTimeout(event, 1)] };
        assert_eq!(codes, [sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT]);
        assert!(said().contains("open after 1 ms"));
        drop(held);
        // SAFETY: live objects.
        ok(unsafe { aclrtSynchronizeEvent(event) });
        // SAFETY: as above; no limit.
        ok(unsafe { aclrtSynchronizeStreamWithTimeout(stream, -1) });
        assert!(is_ready(stream) && is_recorded(event));
        // SAFETY: live objects, destroyed once.
        ok(unsafe { aclrtDestroyEvent(event) });
        // SAFETY: as above.
        ok(unsafe { aclrtDestroyStream(stream) });
    }

    fn an_event_orders_two_streams() {
        let (first, second, event) = (stream(), stream(), event(sys::ACL_EVENT_TIME_LINE));
        let (from, there, to) = (host(64), device(64), host(64));
        bytes(from, 64).fill(7);
        bytes(to, 64).fill(0);
        let held = hold(first);
        copy(there, from, 64, first);
        // SAFETY: live objects.
        ok(unsafe { aclrtRecordEvent(event, first) });
        // SAFETY: as above.
        ok(unsafe { aclrtStreamWaitEvent(second, event) });
        let (sender, passed) = mpsc::channel();
        call(second, move || sender.send(()).unwrap());
        copy(to, there, 64, second);
        assert!(is_silent(&passed));
        drop(held);
        wait(second);
        assert_eq!(bytes(to, 64), [7; 64]);

        // Without the wait the second stream has no reason to wait for the first one.
        // SAFETY: live memory of this size.
        ok(unsafe { aclrtMemset(there, 64, 1, 64) });
        let held = hold(first);
        copy(there, from, 64, first);
        copy(to, there, 64, second);
        wait(second);
        assert_eq!(bytes(to, 64), [1; 64]);
        drop(held);
        wait(first);

        let end = self::event(sys::ACL_EVENT_TIME_LINE);
        // SAFETY: live objects.
        ok(unsafe { aclrtRecordEvent(end, second) });
        wait(second);
        // SAFETY: recorded events with times, and an output.
        let time = |from, to| made(0.0, |out| unsafe { aclrtEventElapsedTime(out, from, to) });
        assert!(time(event, end) > 0.0 && time(end, event) < 0.0);
    }

    fn calls_that_are_not_queued_are_over_when_they_return() {
        const SIZE: usize = 1 << 20;
        let (from, to, one, two) = (host(SIZE), host(SIZE), device(SIZE), device(SIZE));
        let stream = stream();
        for round in 1..20 {
            bytes(from, SIZE).fill(round);
            for (to, from) in [(one, from), (two, one), (to, two)] {
                // SAFETY: live memory of this size.
                ok(unsafe { aclrtMemcpy(to, SIZE, from, SIZE, sys::ACL_MEMCPY_DEFAULT) });
            }
            assert!(bytes(to, SIZE).iter().all(|byte| *byte == round));
            // SAFETY: as above.
            ok(unsafe { aclrtMemset(one, SIZE, 0x100 + i32::from(round), SIZE) });
            copy(to, one, SIZE, stream);
            wait(stream);
            assert!(bytes(to, SIZE).iter().all(|byte| *byte == round));
        }
    }

    fn a_free_block_goes_to_the_next_allocation_of_its_size() {
        let one = device(600);
        // SAFETY: live memory, which is freed once.
        ok(unsafe { aclrtFree(one) });
        assert_eq!(device(1000), one);
        assert_ne!(device(1000), one);
        let page_locked = host(100);
        // SAFETY: as above.
        ok(unsafe { aclrtFreeHost(page_locked) });
        assert_eq!(host(512), page_locked);
        // SAFETY: refused: the block is on the device, and was never freed as one of the host.
        assert_eq!(unsafe { aclrtFreeHost(one) }, sys::ACL_ERROR_RT_PARAM_INVALID);
    }

    fn what_does_not_fit_is_refused() {
        let (memory, stream) = (device(512), stream());
        let mut out = null_mut();
        // SAFETY: an output, no stream, or memory that is shorter than the call says, which is refused.
        let codes = unsafe { [
            aclrtMalloc(&raw mut out, 0, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            aclrtMalloc(&raw mut out, 1 << 40, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            aclrtMemcpyAsync(memory, 8, memory, 9, sys::ACL_MEMCPY_DEFAULT, stream),
            aclrtMemsetAsync(memory, 513, 0, 513, stream),
            aclrtMalloc(null_mut(), 8, sys::ACL_MEM_MALLOC_HUGE_FIRST),
            aclrtDestroyStream(null_mut()),
        ] };
        assert_eq!(codes, [
            sys::ACL_ERROR_INVALID_PARAM,
            sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
            sys::ACL_ERROR_RT_PARAM_INVALID,
            sys::ACL_ERROR_RT_PARAM_INVALID,
            sys::ACL_ERROR_INVALID_PARAM,
            sys::ACL_ERROR_INVALID_PARAM,
        ]);
        assert!(said().contains("stream is null"));
        // SAFETY: as above.
        assert_eq!(unsafe { aclrtMemsetAsync(memory, 513, 0, 513, stream) }, sys::ACL_ERROR_RT_PARAM_INVALID);
        assert_eq!(said(), "aclrtMemsetAsync failed: the CUDA driver has returned CUDA_ERROR_INVALID_VALUE (1)");
    }

    fn a_stream_is_destroyed_behind_its_work() {
        let stream = Handle(stream());
        waits_for(stream.0, move || {
            let stream = stream;
            // SAFETY: no contract.
            ok(unsafe { aclrtSetDevice(0) });
            // SAFETY: a live stream, destroyed once.
            ok(unsafe { aclrtDestroyStream(stream.0) });
        });
    }

    fn the_last_reset_waits_for_the_device_and_takes_its_context() {
        let stream = stream();
        // SAFETY: no contract.
        ok(unsafe { aclrtSetDevice(0) });
        // SAFETY: one of two settings is given back.
        ok(unsafe { aclrtResetDevice(0) });
        assert!(is_ready(stream));
        waits_for(stream, || {
            // SAFETY: the last setting.
            ok(unsafe { aclrtResetDevice(0) });
        });
        // SAFETY: refused, without a context.
        let codes = unsafe { [aclrtSynchronizeStream(stream), aclrtSynchronizeDevice(), aclrtResetDevice(0), aclrtSetDevice(9)] };
        assert_eq!(codes, [
            sys::ACL_ERROR_RT_CONTEXT_NULL,
            sys::ACL_ERROR_RT_CONTEXT_NULL,
            sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
            sys::ACL_ERROR_RT_INVALID_DEVICEID,
        ]);
    }

    fn a_pool_frees_in_the_order_of_the_stream_and_has_a_size() {
        const SIZE: usize = 1 << 20;
        // SAFETY: numbers, of which 0 is one.
        let mut properties = unsafe { std::mem::zeroed::<sys::aclrtMemPoolProps>() };
        properties.maxSize = SIZE;
        // SAFETY: an output and an input.
        let pool = made(null_mut(), |out| unsafe { aclrtMemPoolCreate(out, &raw const properties) });
        let stream = stream();
        let used = || {
            // SAFETY: an output of the attribute's type.
            made(0_u64, |out| unsafe { aclrtMemPoolGetAttr(pool, sys::ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, out.cast()) })
        };
        let take = |out| {
            // SAFETY: an output, and live objects.
            unsafe { aclrtMemPoolMallocAsync(out, SIZE, pool, stream) }
        };
        let memory = made(null_mut(), take);
        assert_eq!(used(), SIZE as u64);
        let held = hold(stream);
        // SAFETY: memory of the pool.
        ok(unsafe { aclrtMemPoolFreeAsync(memory, stream) });
        let mut none = null_mut();
        assert_eq!((take(&raw mut none), used()), (sys::ACL_ERROR_RT_MEMORY_ALLOCATION, SIZE as u64));
        drop(held);
        wait(stream);
        assert_eq!(used(), 0);
        let again = made(null_mut(), take);
        // SAFETY: idle memory of the pool, which the driver frees.
        ok(unsafe { aclrtFree(again) });
        // SAFETY: refused: it is free.
        assert_eq!(unsafe { aclrtFree(again) }, sys::ACL_ERROR_RT_PARAM_INVALID);
        // SAFETY: a live pool, destroyed once.
        ok(unsafe { aclrtMemPoolDestroy(pool) });
        // SAFETY: refused.
        assert_eq!(unsafe { aclrtMemPoolDestroy(pool) }, sys::ACL_ERROR_RT_INVALID_HANDLE);
    }
}

/// Starts the program on the stand-in, or on what the variable says, and returns its exit status and what it said.
fn hardware(words: &[&str], driver: PathBuf) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hardware"))
        .args(words)
        .env_remove("ASCENDCL_BACKEND")
        .env("ASCENDCL_CUDA_DRIVER", driver)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn random_programs_are_right_and_release_what_they_took() {
    let (status, said) = hardware(&["stress", "40"], stand_in());
    assert!(
        said.contains("40 random programs") && said.contains(" 0 wrong"),
        "{said}"
    );
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn it_says_what_it_runs_on_and_where_there_is_nothing() {
    let (status, said) = hardware(&["on"], stand_in());
    assert_eq!(
        (status, &said[..]),
        (Some(0), "on stand-in on host memory, which is no card\n")
    );
    let (status, said) = hardware(&["on"], "/no/driver.so".into());
    assert!(
        said.contains("/no/driver.so") && said.contains("Install the driver"),
        "{said}"
    );
    assert_eq!(status, Some(3));
    assert_eq!(hardware(&["mistake", "10"], stand_in()).0, Some(1));
    assert_eq!(hardware(&["costs"], stand_in()).0, Some(2));
}
