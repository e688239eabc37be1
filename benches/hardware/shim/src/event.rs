//! Events of `aclrtCreateEventExWithFlag`, which behave as those of CUDA: one that was never recorded is complete.

use ascendcl_sys::{self as sys, aclError, aclrtEvent, aclrtEventRecordedStatus, aclrtStream};

use crate::driver::{Driver, NOT_READY, found, status};
use crate::runtime::put;
use crate::state::{current, fail};
use crate::stream::{on, until};

/// An event without time stamps (`CU_EVENT_DISABLE_TIMING`).
const WITHOUT_TIME: u32 = 2;

/// Calls the driver, on a thread that needs no context.
fn anywhere(call: &str, run: impl FnOnce(&Driver) -> i32) -> aclError {
    match found() {
        Ok(driver) => status(driver, call, run(driver)),
        Err(code) => code,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtCreateEventExWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError {
    if let Err(code) = current("aclrtCreateEventExWithFlag") {
        return code;
    }
    let (mut made, flags) = (
        std::ptr::null_mut(),
        if flag & sys::ACL_EVENT_TIME_LINE == 0 {
            WITHOUT_TIME
        } else {
            0
        },
    );
    // SAFETY: `made` is valid for a write.
    let code = anywhere("aclrtCreateEventExWithFlag", |driver| unsafe {
        (driver.event_create)(&raw mut made, flags)
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe { put("aclrtCreateEventExWithFlag", event, made) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtDestroyEvent(event: aclrtEvent) -> aclError {
    // SAFETY: the caller's contract: a live event.
    anywhere("aclrtDestroyEvent", |driver| unsafe {
        (driver.event_destroy)(event)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError {
    // SAFETY: the caller's contract: a live event and a live stream.
    unsafe {
        on("aclrtRecordEvent", stream, |driver, stream| {
            (driver.event_record)(event, stream)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError {
    // SAFETY: as above.
    unsafe {
        on("aclrtStreamWaitEvent", stream, |driver, stream| {
            (driver.stream_wait)(stream, event, 0)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtStreamWaitEventWithTimeout(
    stream: aclrtStream,
    event: aclrtEvent,
    _: i32,
) -> aclError {
    // The limit has no counterpart, and an event of CUDA always ends.
    // SAFETY: the caller's contract.
    unsafe { aclrtStreamWaitEvent(stream, event) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError {
    // SAFETY: the caller's contract: a live event.
    anywhere("aclrtSynchronizeEvent", |driver| unsafe {
        (driver.event_synchronize)(event)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtSynchronizeEventWithTimeout(
    event: aclrtEvent,
    timeout: i32,
) -> aclError {
    let mut result = 0;
    let code = anywhere("aclrtSynchronizeEventWithTimeout", |driver| {
        // SAFETY: the caller's contract: a live event.
        result = until(timeout, || unsafe { (driver.event_query)(event) });
        if result == NOT_READY { 0 } else { result }
    });
    if result == NOT_READY {
        fail(
            sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
            format!("the event is open after {timeout} ms"),
        )
    } else {
        code
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtQueryEventStatus(
    event: aclrtEvent,
    answer: *mut aclrtEventRecordedStatus,
) -> aclError {
    let mut is_over = true;
    let code = anywhere("aclrtQueryEventStatus", |driver| {
        // SAFETY: the caller's contract: a live event.
        let result = unsafe { (driver.event_query)(event) };
        is_over = result != NOT_READY;
        if is_over { result } else { 0 }
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    let found = if is_over {
        sys::ACL_EVENT_RECORDED_STATUS_COMPLETE
    } else {
        sys::ACL_EVENT_RECORDED_STATUS_NOT_READY
    };
    // SAFETY: the caller's contract.
    unsafe { put("aclrtQueryEventStatus", answer, found) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtEventElapsedTime(
    ms: *mut f32,
    startEvent: aclrtEvent,
    endEvent: aclrtEvent,
) -> aclError {
    // SAFETY: the caller's contract: live events, and `ms` is valid for a write.
    anywhere("aclrtEventElapsedTime", |driver| unsafe {
        (driver.event_elapsed)(ms, startEvent, endEvent)
    })
}
