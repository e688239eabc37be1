//! Stamps: events that the program names.
//!
//! A stamp needs a running profile with `ACL_PROF_MSPROFTX`. Each failure has the code -1, as in CANN.

use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::slice;

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtStream};

use crate::error::fail;
use crate::handles::registry::{Fate, Registry};
use crate::object_calls::attempt;
use crate::observe::trace::{Form, Start, profile};
use crate::sync::{Mutex, lock};

use super::{FAILED, config, mark, session};

/// A text has fewer bytes than this.
const TOO_LONG: usize = 128;

/// The texts of the stamps.
static STAMPS: Registry<String> = Registry::new(0x7c);

/// Spans that any thread may end.
static RANGES: Mutex<Ranges> = Mutex::new(Ranges {
    last: 0,
    open: Vec::new(),
});

#[derive(Debug)]
struct Ranges {
    /// The number of the span that began last.
    last: u32,
    /// The spans that have not ended, with their numbers. A program has few at a time.
    open: Vec<(u32, Open)>,
}

/// A span that has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    stamp: usize,
    start: Start,
    /// A span ends with the session in which it began.
    session: u64,
}

thread_local! {
    /// The spans that this thread pushed, the last one at the end.
    static PUSHED: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
}

#[cold]
fn failed(call: &str, text: &str) -> aclError {
    fail(FAILED, format_args!("{call} failed: {text}"))
}

/// Returns the number of the session, if it records stamps.
fn recording(call: &str) -> Result<u64, aclError> {
    session::with_stamps().ok_or_else(|| {
        failed(
            call,
            "stamps are not profiled; call aclprofStart with ACL_PROF_MSPROFTX in dataTypeConfig first",
        )
    })
}

/// Returns the text of a stamp.
fn text(call: &str, stamp: usize) -> Result<String, aclError> {
    STAMPS.get(stamp).ok_or_else(|| {
        failed(
            call,
            &format!("stamp {stamp:#x} does not exist: it is NULL, or was destroyed"),
        )
    })
}

/// Returns the code of a call.
fn code(done: Result<(), aclError>) -> aclError {
    done.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclprofCreateStamp() -> *mut c_void {
    let call = "aclprofCreateStamp";
    if recording(call).is_err() {
        return ptr::null_mut();
    }
    let stamp = STAMPS.insert(String::new());
    stamp.map_or(ptr::null_mut(), ptr::without_provenance_mut)
}

pub(crate) unsafe extern "C" fn aclprofDestroyStamp(stamp: *mut c_void) {
    STAMPS.remove(stamp.addr());
}

pub(crate) unsafe extern "C" fn aclprofSetStampTraceMessage(
    stamp: *mut c_void,
    msg: *const c_char,
    msgLen: u32,
) -> aclError {
    let call = "aclprofSetStampTraceMessage";
    let length = msgLen as usize;
    if length >= TOO_LONG {
        return failed(
            call,
            &format!("msgLen is {length}; a text has fewer than {TOO_LONG} bytes"),
        );
    }
    if msg.is_null() {
        return failed(call, "msg is NULL; pass a text");
    }
    // A program may pass a part of a longer text.
    // SAFETY: not null; the caller's contract: a text that has a NUL or at least this length.
    let length = unsafe { libc::strnlen(msg, length) };
    // SAFETY: so many bytes were read just now, and the caller's contract: nobody writes them meanwhile.
    let bytes = unsafe { slice::from_raw_parts(msg.cast::<u8>(), length) };
    let words = String::from_utf8_lossy(bytes);
    let set = STAMPS.visit(stamp.addr(), &mut |text| {
        *text = words.to_string();
        (Fate::Keep, ())
    });
    match set {
        Some(()) => ACL_SUCCESS,
        None => code(text(call, stamp.addr()).map(drop)),
    }
}

pub(crate) unsafe extern "C" fn aclprofMark(stamp: *mut c_void) -> aclError {
    let call = "aclprofMark";
    let marked = recording(call)
        .and_then(|_| text(call, stamp.addr()))
        .map(|text| profile::stamp(text, Form::Instant, profile::begin()));
    code(marked)
}

pub(crate) unsafe extern "C" fn aclprofMarkEx(
    msg: *const c_char,
    msgLen: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclprofMarkEx";
    attempt!(recording(call));
    // SAFETY: the caller's contract: null or a C string.
    let text = match unsafe { config::text_of(msg, msgLen) } {
        Ok(text) => text,
        Err(what) => return failed(call, &format!("msg {what}")),
    };
    if stream.is_null() {
        return failed(call, "stream is NULL; pass one of aclrtCreateStream");
    }
    if text.is_empty() || msgLen >= TOO_LONG {
        return failed(
            call,
            &format!("msgLen is {msgLen}; a text has 1 to {} bytes", TOO_LONG - 1),
        );
    }
    if mark(call, stream) != ACL_SUCCESS {
        // The text of the failure stays.
        return FAILED;
    }
    profile::stamp(text, Form::Instant, profile::begin());
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclprofPush(stamp: *mut c_void) -> aclError {
    let call = "aclprofPush";
    let stamp = stamp.addr();
    let pushed = recording(call).and_then(|session| {
        text(call, stamp)?;
        let start = profile::begin();
        let open = Open {
            stamp,
            start,
            session,
        };
        // An ending thread has no spans any more.
        let _ = PUSHED.try_with(|pushed| pushed.borrow_mut().push(open));
        Ok(())
    });
    code(pushed)
}

pub(crate) unsafe extern "C" fn aclprofPop() -> aclError {
    let call = "aclprofPop";
    let popped = recording(call).and_then(|session| {
        let last = PUSHED.try_with(|pushed| {
            let mut pushed = pushed.borrow_mut();
            pushed.retain(|open| open.session == session);
            pushed.pop()
        });
        let open = last.ok().flatten().ok_or_else(|| {
            failed(
                call,
                "this thread pushed no span that is open; call aclprofPush first, or use aclprofRangeStart between threads",
            )
        })?;
        profile::stamp(text(call, open.stamp)?, Form::Span, open.start);
        Ok(())
    });
    code(popped)
}

pub(crate) unsafe extern "C" fn aclprofRangeStart(
    stamp: *mut c_void,
    rangeId: *mut u32,
) -> aclError {
    let call = "aclprofRangeStart";
    let stamp = stamp.addr();
    let started = recording(call).and_then(|session| {
        text(call, stamp)?;
        if rangeId.is_null() {
            return Err(failed(call, "rangeId is NULL; pass a valid pointer"));
        }
        let mut ranges = lock(&RANGES);
        ranges.open.retain(|(_, open)| open.session == session);
        ranges.last = ranges.last.wrapping_add(1);
        let (number, start) = (ranges.last, profile::begin());
        let open = Open {
            stamp,
            start,
            session,
        };
        ranges.open.push((number, open));
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { rangeId.write(number) };
        Ok(())
    });
    code(started)
}

pub(crate) unsafe extern "C" fn aclprofRangeStop(rangeId: u32) -> aclError {
    let call = "aclprofRangeStop";
    let stopped = recording(call).and_then(|session| {
        let mut ranges = lock(&RANGES);
        let is_meant = |(number, open): &(u32, Open)| *number == rangeId && open.session == session;
        let Some(at) = ranges.open.iter().position(is_meant) else {
            return Err(failed(
                call,
                &format!("there is no open range {rangeId}; aclprofRangeStart returns the number"),
            ));
        };
        let (_, open) = ranges.open.swap_remove(at);
        drop(ranges);
        profile::stamp(text(call, open.stamp)?, Form::Range, open.start);
        Ok(())
    });
    code(stopped)
}
