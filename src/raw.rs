//! The lowest floor: checking a call's status, error texts, handles.

use std::cell::Cell;
use std::ffi::CStr;
use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result};

/// What a thread is bound to, for error texts only.
#[derive(Clone, Copy, PartialEq)]
enum Binding {
    /// No device.
    Unbound,
    /// No device, and calls have failed here whose texts nobody asked for.
    UnboundWithTexts,
    /// The device with this id.
    Device(u32),
}

thread_local! {
    static BINDING: Cell<Binding> = const { Cell::new(Binding::Unbound) };
}

/// The device that the calling thread is bound to, as far as this crate did it.
pub(crate) fn bound_device() -> Option<u32> {
    match BINDING.try_with(Cell::get) {
        Ok(Binding::Device(id)) => Some(id),
        // A thread that is ending has no use for it any more.
        _ => None,
    }
}

/// Notes what the calling thread is bound to, when it is.
pub(crate) fn note_device(id: Option<u32>) {
    let binding = id.map_or(Binding::Unbound, Binding::Device);
    let before = BINDING.try_with(|noted| noted.replace(binding));
    if before == Ok(Binding::UnboundWithTexts) && id.is_some() {
        // The texts of earlier errors are not those of the next one.
        drop(recent_error_text());
    }
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

/// The same for a call that waits.
#[inline(always)]
pub(crate) fn check_wait(call: &'static str, code: sys::aclError) -> Result<()> {
    if code == sys::ACL_SUCCESS {
        Ok(())
    } else {
        Err(Error::wait(call, code))
    }
}

/// Takes the calling thread's error text out of the runtime (`aclGetRecentErrMsg`), without empty lines.
///
/// None is asked for where no device is bound. There the runtime would answer that it cannot ask the device, behind
/// all texts that it has given before, and with a default device configured it would take that one into use
/// (observed, CANN runtime 1.17).
#[cold]
pub(crate) fn recent_error_text() -> Option<String> {
    if bound_device().is_none() {
        let _ = BINDING.try_with(|noted| noted.set(Binding::UnboundWithTexts));
        return None;
    }
    // SAFETY: takes no argument.
    let text = unsafe { sys::aclGetRecentErrMsg() };
    if text.is_null() {
        // A backend without error texts: that it lacks the function is not the caller's error.
        let _ = sys::absent::take();
        return None;
    }
    // SAFETY: the runtime returns a NUL-terminated string that is valid until this thread's next
    // call (api_ref 13, observed 1.17); it is copied here, before any.
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

// SAFETY: a handle is a name; this type offers no operation. What a thread may do with the named
// object is decided by the types that hold handles.
unsafe impl Send for Handle {}
// SAFETY: as for `Send`.
unsafe impl Sync for Handle {}

impl Handle {
    /// Stands where a handle is needed and C would pass null.
    pub(crate) const NULL_STREAM: Handle = Handle(NonNull::dangling());

    /// A handle that a call of the runtime wrote; null would be a defect of the runtime.
    #[inline]
    pub(crate) fn new(call: &'static str, pointer: *mut c_void) -> Result<Handle> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Handle(pointer)),
            None => Err(Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR)),
        }
    }

    /// A handle that another library of the process has given; `None` for null.
    pub(crate) fn from_other(pointer: *mut c_void) -> Option<Handle> {
        NonNull::new(pointer).map(Handle)
    }

    #[inline(always)]
    pub(crate) fn as_ptr(self) -> *mut c_void {
        self.0.as_ptr()
    }
}
