//! Error texts and the thread's last error (`aclGetRecentErrMsg`, `aclrtPeekAtLastError`).
//!
//! Every failing call ends in [`fail`], which stores the text for the thread and returns the code.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char};
use std::fmt;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS,
    absent, aclError,
};

thread_local! {
    /// The code that `aclrtGetLastError` returns.
    static LAST: Cell<aclError> = const { Cell::new(ACL_SUCCESS) };
    /// The text that the program has not read yet.
    static TEXT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The text that was read last. The caller holds a pointer to it until its next call.
    static READ: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Stores a text for the calling thread and returns `code`.
///
/// The text names the C function, the argument with its value, and the remedy. Codes of the runtime also become the
/// last error of the thread. The codes of the layer above the runtime (1000xx, 2000xx) do not, because the checks of
/// that layer do not pass through the runtime.
#[cold]
pub(crate) fn fail(code: aclError, text: fmt::Arguments<'_>) -> aclError {
    if matches!(code / 1000, 107 | 207 | 507) {
        // An ending thread has no last error any more.
        let _ = LAST.try_with(|last| last.set(code));
    }
    // The name of an earlier unmodelled function is older than this failure.
    let _ = absent::take();
    let text = text.to_string().replace("\0", " ");
    let _ = TEXT.try_with(|slot| *slot.borrow_mut() = Some(text));
    code
}

/// Stores the text for an argument that is null and returns the code.
#[cold]
pub(crate) fn null(call: &str, argument: &str) -> aclError {
    fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: {argument} is NULL; pass a valid pointer or handle"),
    )
}

/// Stores the text for an argument that is null and returns the code of the runtime. Which of the two layers checks an
/// argument differs from call to call, and each has its own code.
#[cold]
pub(crate) fn null_below(call: &str, argument: &str) -> aclError {
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: {argument} is NULL; pass a valid pointer or handle"),
    )
}

/// Returns the text of the last failed call of this thread, unless `aclGetRecentErrMsg` has returned it.
///
/// This does not remove the text. On a thread without a device it adds nothing to the text, and takes no device into
/// use.
#[must_use]
pub fn unread_text() -> Option<String> {
    let text = TEXT.try_with(|slot| slot.borrow().clone());
    text.ok().flatten()
}

/// The text of `aclGetRecentErrMsg` on a thread without a device.
const UNBOUND: &str = "aclGetRecentErrMsg failed: Context validation failed. Reason: No valid context is \
                       bound to the current thread. Call aclrtSetDevice or aclrtSetCurrentContext to bind one";

/// Returns the latest text of the thread and removes it.
///
/// The result is null if there is no text and the thread is bound. On a thread that is not bound, [`UNBOUND`] follows
/// the text or replaces it.
pub(crate) fn take_text(is_bound: bool) -> *const c_char {
    if !is_bound {
        // The question to the device is a call of the runtime, which fails.
        let _ = LAST.try_with(|last| last.set(ACL_ERROR_RT_CONTEXT_NULL));
    }
    let missing = absent::take().map(|name| format!("{name} is not modelled by the emulator"));
    let text = TEXT
        .try_with(|slot| slot.borrow_mut().take())
        .ok()
        .flatten();
    let text = match (missing.or(text), is_bound) {
        (text, true) => text,
        (None, false) => Some(UNBOUND.to_owned()),
        (Some(text), false) => Some(format!("{text}\n{UNBOUND}")),
    };
    let Some(text) = text.and_then(|text| CString::new(text).ok()) else {
        return ptr::null();
    };
    READ.try_with(|slot| {
        let mut slot = slot.borrow_mut();
        slot.insert(text).as_ptr()
    })
    .unwrap_or(ptr::null())
}

/// Returns the last error of the thread.
pub(crate) fn peek() -> aclError {
    LAST.try_with(Cell::get).unwrap_or(ACL_SUCCESS)
}

/// Returns the last error of the thread and resets it.
pub(crate) fn take() -> aclError {
    LAST.try_with(|last| last.replace(ACL_SUCCESS))
        .unwrap_or(ACL_SUCCESS)
}
