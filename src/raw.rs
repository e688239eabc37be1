//! The lowest layer: the status of calls, the error texts of the runtime, and handles.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_void};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};

/// The device that a thread is bound to. It is used for error texts only.
#[derive(Clone, Copy, PartialEq)]
enum Binding {
    /// No device.
    Unbound,
    /// No device, and calls have failed on this thread whose texts were not read.
    UnboundWithTexts,
    /// The device with this id.
    Device(u32),
}

thread_local! {
    static BINDING: Cell<Binding> = const { Cell::new(Binding::Unbound) };
    /// Whether a host function runs on this thread. The runtime allows no call inside a host function.
    static IN_HOST_FUNC: Cell<bool> = const { Cell::new(false) };
}

/// Whether a function that the runtime has called runs on this thread.
pub(crate) fn in_host_func() -> bool {
    IN_HOST_FUNC.try_with(Cell::get).unwrap_or(false)
}

/// Runs a function that the runtime has called. Inside the function no thread can be claimed.
pub(crate) fn without_claims(function: impl FnOnce()) {
    /// Restores the flag when the function ends, also when it panics.
    struct Inside {
        before: bool,
    }
    impl Drop for Inside {
        fn drop(&mut self) {
            IN_HOST_FUNC.set(self.before);
        }
    }
    let _inside = Inside {
        before: IN_HOST_FUNC.replace(true),
    };
    function();
}

/// Runs code of the program whose panic concerns nobody here. What it panics with is leaked: its destructor may panic in turn.
pub(crate) fn contained(code: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(code)) {
        mem::forget(panic);
    }
}

/// Returns the device that this crate has bound the calling thread to.
pub(crate) fn bound_device() -> Option<u32> {
    match BINDING.try_with(Cell::get) {
        Ok(Binding::Device(id)) => Some(id),
        // A thread that is ending does not need it any more.
        _ => None,
    }
}

/// Stores the device that the calling thread is bound to, or `None`.
pub(crate) fn note_device(id: Option<u32>) {
    let binding = id.map_or(Binding::Unbound, Binding::Device);
    let before = BINDING.try_with(|noted| noted.replace(binding));
    if before == Ok(Binding::UnboundWithTexts) && id.is_some() {
        // The texts of earlier errors must not be taken for the text of the next error.
        drop(recent_error_text());
    }
}

/// Converts a path to a C string.
pub(crate) fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| {
        Usage::Path {
            path: path.to_owned(),
        }
        .into()
    })
}

/// Turns a status code into a result. The success path is one comparison.
#[inline(always)]
pub(crate) fn check(call: &'static str, code: sys::aclError) -> Result<()> {
    if code == sys::ACL_SUCCESS {
        Ok(())
    } else {
        Err(Error::refused(call, code))
    }
}

/// Turns the status code of a call that takes the id of a device into a result.
pub(crate) fn check_device(call: &'static str, id: u32, code: sys::aclError) -> Result<()> {
    if code == sys::ACL_SUCCESS {
        Ok(())
    } else {
        Err(Error::refused_device(call, id, code))
    }
}

/// Turns the status code of a call that waits into a result. The success path is one comparison.
#[inline(always)]
pub(crate) fn check_wait(call: &'static str, code: sys::aclError) -> Result<()> {
    if code == sys::ACL_SUCCESS {
        Ok(())
    } else {
        Err(Error::of_wait(call, code))
    }
}

/// Whether a blocking call with this status may still run, because its time limit was exceeded.
pub(crate) fn is_time_limit(code: sys::aclError) -> bool {
    matches!(
        code,
        sys::ACL_ERROR_RT_WAIT_TIMEOUT
            | sys::ACL_ERROR_RT_TASK_TIMEOUT
            | sys::ACL_ERROR_RT_TIMEOUT
            | sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
            | sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT
    )
}

/// Takes the error text of the calling thread out of the runtime (`aclGetRecentErrMsg`), and removes empty lines.
///
/// Without a bound device this does not ask the runtime. The runtime would return all texts that it has returned
/// before, and add that it cannot ask the device. If a default device is configured, the runtime would take it into
/// use (observed, CANN runtime 1.17).
#[cold]
pub(crate) fn recent_error_text() -> Option<String> {
    if bound_device().is_none() {
        let _ = BINDING.try_with(|noted| noted.set(Binding::UnboundWithTexts));
        return None;
    }
    // SAFETY: takes no argument.
    let text = unsafe { sys::aclGetRecentErrMsg() };
    if text.is_null() {
        // The backend has no error texts. The missing function is no error of the caller.
        let _ = sys::absent::take();
        return None;
    }
    // SAFETY: the runtime returns a NUL-terminated string that is valid until the next call of this thread (manual
    // chapter 13, observed 1.17). It is copied here before any other call.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<_> = text.lines().map(words).collect();
    let lines = lines
        .iter()
        .map(String::as_str)
        .filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

/// An opaque pointer of the runtime: a stream, an event, a context.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle(NonNull<c_void>);

// SAFETY: a handle is a name, and this type has no operation on the object. The types that contain handles decide
// which thread may use the object.
unsafe impl Send for Handle {}
// SAFETY: as for `Send`.
unsafe impl Sync for Handle {}

impl Handle {
    /// A placeholder for the null handle of the default stream.
    pub(crate) const NULL_STREAM: Handle = Handle(NonNull::dangling());

    /// Makes a handle from a pointer that a call of the runtime has written. Null is an error of the runtime.
    #[inline]
    pub(crate) fn new(call: &'static str, pointer: *mut c_void) -> Result<Handle> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Handle(pointer)),
            None => Err(Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR)),
        }
    }

    /// Makes a handle from a pointer of another library of the process; `None` for null.
    pub(crate) fn from_other(pointer: *mut c_void) -> Option<Handle> {
        NonNull::new(pointer).map(Handle)
    }

    #[inline(always)]
    pub(crate) fn as_ptr(self) -> *mut c_void {
        self.0.as_ptr()
    }

    /// The stream that this is, for calls of C: null for [`Handle::NULL_STREAM`].
    pub(crate) fn as_stream(self) -> sys::aclrtStream {
        if self == Handle::NULL_STREAM {
            return core::ptr::null_mut();
        }
        self.as_ptr()
    }
}
