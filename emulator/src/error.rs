//! Error texts and the thread's last error (`aclGetRecentErrMsg`, `aclrtPeekAtLastError`).
//!
//! Every failing call ends in [`fail`]: it keeps the text for the thread and hands the code back.

use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char};
use std::fmt;
use std::ptr;

use ascendcl_sys::{ACL_ERROR_INVALID_PARAM, ACL_SUCCESS, absent, aclError};

thread_local! {
    /// The code that `aclrtGetLastError` answers with.
    static LAST: Cell<aclError> = const { Cell::new(ACL_SUCCESS) };
    /// The text that nobody has read yet.
    static TEXT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The text that was read last: the caller holds a pointer to it until its next call.
    static READ: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Keeps a text for the calling thread and returns `code`.
///
/// The text names the C function, the argument with its value, and the remedy. Codes of the runtime
/// also become the thread's last error; those of the layer above it (1000xx, 2000xx) do not, because
/// its checks do not pass through the runtime.
#[cold]
pub(crate) fn fail(code: aclError, text: fmt::Arguments<'_>) -> aclError {
    if matches!(code / 1000, 107 | 207 | 507) {
        // A thread that is ending has no last error any more.
        let _ = LAST.try_with(|last| last.set(code));
    }
    // What an unmodelled function left behind is older than this failure.
    let _ = absent::take();
    let text = text.to_string().replace("\0", " ");
    let _ = TEXT.try_with(|slot| *slot.borrow_mut() = Some(text));
    code
}

/// The code for an argument that is null.
#[cold]
pub(crate) fn null(call: &str, argument: &str) -> aclError {
    fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: {argument} is NULL; pass a valid pointer or handle"),
    )
}

/// What the question for the device's texts leaves behind where there is no device.
const UNBOUND: &str = "aclGetRecentErrMsg failed: Context validation failed. Reason: No valid context is \
                       bound to the current thread. Call aclrtSetDevice or aclrtSetCurrentContext to bind one";

/// The thread's latest text, which the call consumes. Null when there is none, on a thread whose device could
/// be asked; else the failure of that question stands behind it.
pub(crate) fn take_text(is_bound: bool) -> *const c_char {
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

/// The thread's last error.
pub(crate) fn peek() -> aclError {
    LAST.try_with(Cell::get).unwrap_or(ACL_SUCCESS)
}

/// The thread's last error, forgotten by reading it.
pub(crate) fn take() -> aclError {
    LAST.try_with(|last| last.replace(ACL_SUCCESS))
        .unwrap_or(ACL_SUCCESS)
}
