//! Operators that the program runs and describes itself.

use std::cell::Cell;
use std::ffi::{CStr, c_char};

use ascendcl_sys::{
    ACL_PROF_MESSAGE_TYPE_TENSOR_INFO, ACL_SUCCESS, aclError, aclprofEventAttributes,
};

use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid, not_null};
use crate::observe::trace::{Form, Start, profile};
use crate::ordered::Ordered;
use crate::sync::{Mutex, lock};

use super::FAILED;

/// The texts that have a number.
static TEXTS: Mutex<Ordered<String>> = Mutex::new(Ordered::new());

/// An operator that has begun.
#[derive(Debug, Clone, Copy)]
struct Pushed {
    name: u64,
    kind: u64,
    start: Start,
}

thread_local! {
    static PUSHED: Cell<Option<Pushed>> = const { Cell::new(None) };
}

/// Returns the number of a text: its FNV-1a hash, or the next number that no other text has.
pub(crate) unsafe extern "C" fn aclprofStr2Id(message: *const c_char) -> u64 {
    if message.is_null() {
        null("aclprofStr2Id", "message");
        return 0;
    }
    // SAFETY: not null; the caller's contract: a C string.
    let bytes = unsafe { CStr::from_ptr(message) }.to_bytes();
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let text = String::from_utf8_lossy(bytes);
    let mut texts = lock(&TEXTS);
    let mut number: u64 = hash;
    while texts
        .get(number as usize)
        .is_some_and(|other| *other != text)
    {
        number = number.wrapping_add(1);
    }
    texts.insert(number as usize, text.into_owned());
    number
}

/// Returns the text of a number.
fn text(number: u64) -> String {
    let known = lock(&TEXTS).get(number as usize).cloned();
    known.unwrap_or_else(|| format!("{number:#x}"))
}

pub(crate) unsafe extern "C" fn aclprofRangePushEx(attr: *mut aclprofEventAttributes) -> aclError {
    let call = "aclprofRangePushEx";
    attempt!(not_null(call, "attr", attr));
    // SAFETY: not null; the caller's contract: a valid structure.
    let attributes = unsafe { attr.read() };
    if attributes.messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO.0 {
        return fail(
            FAILED,
            format_args!(
                "{call} failed: messageType is {}; pass ACL_PROF_MESSAGE_TYPE_TENSOR_INFO",
                attributes.messageType
            ),
        );
    }
    // SAFETY: the type of the message says that this field is valid.
    let info = unsafe { attributes.message.tensorInfo };
    attempt!(not_null(call, "attr->message.tensorInfo", info));
    // SAFETY: not null; the caller's contract: a valid structure.
    let info = unsafe { info.read() };
    let pushed = Pushed {
        name: info.opNameId,
        kind: info.opTypeId,
        start: profile::begin(),
    };
    // An ending thread has no operators any more.
    let _ = PUSHED.try_with(|slot| slot.set(Some(pushed)));
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclprofRangePop() -> aclError {
    let call = "aclprofRangePop";
    let Some(pushed) = PUSHED.try_with(Cell::take).ok().flatten() else {
        return invalid(
            call,
            format_args!("this thread pushed no operator; call aclprofRangePushEx first"),
        );
    };
    let words = format!("{} ({})", text(pushed.name), text(pushed.kind));
    profile::stamp(words, Form::Span, pushed.start);
    ACL_SUCCESS
}
