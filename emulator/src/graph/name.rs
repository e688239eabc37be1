//! The name of a graph.

use std::ffi::{CStr, c_char};

use ascendcl_sys::{ACL_ERROR_RT_INTERNAL_ERROR, ACL_SUCCESS, aclError, aclmdlRI};

use super::find;
use crate::error::{fail, null};
use crate::object_calls::invalid_below;
use crate::results::list_of;

/// The largest number of bytes of the name that is stored.
const NAME: usize = 512;

pub(crate) unsafe extern "C" fn aclmdlRISetName(
    modelRI: aclmdlRI,
    name: *const c_char,
) -> aclError {
    let call = "aclmdlRISetName";
    let graph = match find(call, modelRI) {
        Ok(_) if name.is_null() => return null(call, "name"),
        Ok(graph) => graph,
        Err(code) => return code,
    };
    // SAFETY: not null; the caller's contract: a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    graph.lock().name = list_of(name.iter().copied().take(NAME));
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclmdlRIGetName(
    modelRI: aclmdlRI,
    maxLen: u32,
    name: *mut c_char,
) -> aclError {
    let call = "aclmdlRIGetName";
    let graph = match find(call, modelRI) {
        Ok(_) if name.is_null() => return null(call, "name"),
        Ok(graph) => graph,
        Err(code) => return code,
    };
    let room = maxLen as usize;
    if room == 0 {
        return invalid_below(
            call,
            format_args!("maxLen is 0; the end of a name needs a byte"),
        );
    }
    // SAFETY: the caller's contract: `name` is valid for writes of `maxLen` bytes.
    unsafe { name.write_bytes(0, room) };
    let inner = graph.lock();
    let len = inner.name.len();
    if len >= room {
        return fail(
            ACL_ERROR_RT_INTERNAL_ERROR,
            format_args!(
                "{call} failed: maxLen is {maxLen}, and the name needs {}; pass a larger buffer",
                len + 1
            ),
        );
    }
    // SAFETY: the same contract, and `len` is less than `maxLen`; the zero behind the name was written above. The
    // graph's name is memory of the emulator, so the ranges do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(inner.name.as_ptr(), name.cast(), len) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclmdlRIGetId(modelRI: aclmdlRI, modelRIId: *mut u32) -> aclError {
    let call = "aclmdlRIGetId";
    match find(call, modelRI) {
        Ok(_) if modelRIId.is_null() => null(call, "modelRIId"),
        Ok(graph) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { modelRIId.write(graph.id) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}
