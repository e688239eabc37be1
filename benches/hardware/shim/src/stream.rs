//! Streams, and functions that they call on the host.

use std::ffi::c_void;
use std::thread;
use std::time::{Duration, Instant};

use ascendcl_sys::{self as sys, aclError, aclrtHostFunc, aclrtStream, aclrtStreamStatus};

use crate::driver::{Driver, Handle, NOT_READY, found, status};
use crate::runtime::put;
use crate::state::{NON_BLOCKING, Stream, current, fail, handle};

/// Calls the driver with a stream; null stands for the default stream of the thread's context.
///
/// # Safety
///
/// `stream` is null or a live stream of this library.
pub(crate) unsafe fn on(
    call: &str,
    stream: aclrtStream,
    run: impl FnOnce(&Driver, Handle) -> i32,
) -> aclError {
    let bound = current(call).and_then(|context| Ok((context, found()?)));
    let (context, driver) = match bound {
        Ok(bound) => bound,
        Err(code) => return code,
    };
    // SAFETY: the caller's contract.
    let stream = unsafe { stream.cast::<Stream>().as_ref() }.unwrap_or(&context.default);
    status(driver, call, run(driver, handle(stream.cuda)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError {
    let mut made = std::ptr::null_mut();
    // SAFETY: null stands for the default stream, which is not used.
    let code = unsafe {
        on("aclrtCreateStream", std::ptr::null_mut(), |driver, _| {
            (driver.stream_create)(&raw mut made, NON_BLOCKING)
        })
    };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    let made = Box::into_raw(Box::new(Stream {
        cuda: made.expose_provenance(),
    }));
    // SAFETY: the caller's contract.
    unsafe { put("aclrtCreateStream", stream, made.cast()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtCreateStreamWithConfig(
    stream: *mut aclrtStream,
    _: u32,
    _: u32,
) -> aclError {
    // SAFETY: the caller's contract.
    unsafe { aclrtCreateStream(stream) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtDestroyStream(stream: aclrtStream) -> aclError {
    if stream.is_null() {
        return fail(
            sys::ACL_ERROR_INVALID_PARAM,
            "aclrtDestroyStream failed: stream is null".to_owned(),
        );
    }
    // As AscendCL does, it waits for the work.
    // SAFETY: the caller's contract.
    let code = unsafe {
        on(
            "aclrtDestroyStream",
            stream,
            |driver, stream| match (driver.stream_synchronize)(stream) {
                0 => (driver.stream_destroy)(stream),
                failed => failed,
            },
        )
    };
    // A stream that is refused lives on.
    if code == sys::ACL_SUCCESS {
        // SAFETY: made by `aclrtCreateStream`, and destroyed once (the caller's contract).
        drop(unsafe { Box::from_raw(stream.cast::<Stream>()) });
    }
    code
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError {
    // SAFETY: the caller's contract.
    unsafe {
        on("aclrtSynchronizeStream", stream, |driver, stream| {
            (driver.stream_synchronize)(stream)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSynchronizeStreamWithTimeout(
    stream: aclrtStream,
    timeout: i32,
) -> aclError {
    if timeout == -1 {
        // SAFETY: the caller's contract.
        return unsafe { aclrtSynchronizeStream(stream) };
    }
    let mut result = 0;
    // SAFETY: the caller's contract.
    let code = unsafe {
        on(
            "aclrtSynchronizeStreamWithTimeout",
            stream,
            |driver, stream| {
                result = until(timeout, || (driver.stream_query)(stream));
                if result == NOT_READY { 0 } else { result }
            },
        )
    };
    if result == NOT_READY {
        fail(
            sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            format!("the stream has work after {timeout} ms"),
        )
    } else {
        code
    }
}

/// Asks until the answer is another one than "not ready", or until the time is over.
pub(crate) fn until(millis: i32, ask: impl Fn() -> i32) -> i32 {
    let start = Instant::now();
    let limit = Duration::from_millis(millis.unsigned_abs().into());
    loop {
        let result = ask();
        if result != NOT_READY || start.elapsed() >= limit {
            return result;
        }
        thread::yield_now();
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtStreamQuery(
    stream: aclrtStream,
    answer: *mut aclrtStreamStatus,
) -> aclError {
    let mut is_over = true;
    // SAFETY: the caller's contract.
    let code = unsafe {
        on("aclrtStreamQuery", stream, |driver, stream| {
            let result = (driver.stream_query)(stream);
            is_over = result != NOT_READY;
            if is_over { result } else { 0 }
        })
    };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    let found = if is_over {
        sys::ACL_STREAM_STATUS_COMPLETE
    } else {
        sys::ACL_STREAM_STATUS_NOT_READY
    };
    // SAFETY: the caller's contract.
    unsafe { put("aclrtStreamQuery", answer, found) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtLaunchHostFunc(
    stream: aclrtStream,
    function: aclrtHostFunc,
    args: *mut c_void,
) -> aclError {
    // SAFETY: the caller's contract, for the function too.
    unsafe {
        on("aclrtLaunchHostFunc", stream, |driver, stream| {
            (driver.host_function)(stream, function, args)
        })
    }
}
