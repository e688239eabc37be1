//! Streams that are created with a set of attributes (`acl/acl_rt.h`).
//!
//! A program sees the set's fields, so it is memory of the host. The sizes that an attribute may have are those of
//! the fields, and the codes of what is refused are those that the layer has for other parameters: assumptions.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_RT_STREAM_FLAG, ACL_RT_STREAM_PRIORITY,
    ACL_RT_STREAM_WORK_ADDR_PTR, ACL_RT_STREAM_WORK_SIZE, ACL_SUCCESS, aclError, aclrtStream,
    aclrtStreamConfigAttr, aclrtStreamConfigHandle,
};

use crate::error::{fail, null};
use crate::stream::create_with;
use crate::sync::lock;

/// The addresses of the sets that exist.
///
/// # Invariants
///
/// Each came from `Box::into_raw`, and whoever takes it out frees it.
static HANDLES: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Checks that a set exists.
fn check(call: &str, handle: *const aclrtStreamConfigHandle) -> Result<(), aclError> {
    if handle.is_null() {
        return Err(null(call, "handle"));
    }
    if lock(&HANDLES).contains(&handle.addr()) {
        return Ok(());
    }
    Err(fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: {handle:p} is no set of attributes, or was destroyed already"),
    ))
}

pub(crate) unsafe extern "C" fn aclrtCreateStreamConfigHandle() -> *mut aclrtStreamConfigHandle {
    let handle = Box::into_raw(Box::new(aclrtStreamConfigHandle {
        workptr: ptr::null_mut(),
        workSize: 0,
        flag: 0,
        priority: 0,
    }));
    // INVARIANT: from `Box::into_raw`.
    lock(&HANDLES).insert(handle.expose_provenance());
    handle
}

pub(crate) unsafe extern "C" fn aclrtDestroyStreamConfigHandle(
    handle: *mut aclrtStreamConfigHandle,
) -> aclError {
    let call = "aclrtDestroyStreamConfigHandle";
    if let Err(code) = check(call, handle) {
        return code;
    }
    if lock(&HANDLES).remove(&handle.addr()) {
        // SAFETY: from `Box::into_raw` (the invariant), and nobody else took it out.
        drop(unsafe { Box::from_raw(handle) });
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtSetStreamConfigOpt(
    handle: *mut aclrtStreamConfigHandle,
    attr: aclrtStreamConfigAttr,
    attrValue: *const c_void,
    valueSize: usize,
) -> aclError {
    let call = "aclrtSetStreamConfigOpt";
    if let Err(code) = check(call, handle) {
        return code;
    }
    if attrValue.is_null() {
        return null(call, "attrValue");
    }
    // SAFETY: a set that exists; the caller's contract: nobody else uses it meanwhile.
    let set = unsafe { &mut *handle };
    let (field, size): (*mut u8, usize) = match attr {
        ACL_RT_STREAM_WORK_ADDR_PTR => (
            ptr::from_mut(&mut set.workptr).cast(),
            size_of_val(&set.workptr),
        ),
        ACL_RT_STREAM_WORK_SIZE => (
            ptr::from_mut(&mut set.workSize).cast(),
            size_of_val(&set.workSize),
        ),
        ACL_RT_STREAM_FLAG => (ptr::from_mut(&mut set.flag).cast(), size_of_val(&set.flag)),
        ACL_RT_STREAM_PRIORITY => (
            ptr::from_mut(&mut set.priority).cast(),
            size_of_val(&set.priority),
        ),
        _ => (ptr::null_mut(), 0),
    };
    if size != valueSize || size == 0 {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!(
                "{call} failed: attr is {attr:?}, valueSize {valueSize}; pass an attribute of a stream with the \
                 size of its field"
            ),
        );
    }
    // SAFETY: the field has `size` bytes, of which any are a value; the caller's contract: so has `attrValue`.
    unsafe { ptr::copy(attrValue.cast(), field, size) };
    ACL_SUCCESS
}

/// Creates a stream. Memory for its tasks is not needed here.
pub(crate) unsafe extern "C" fn aclrtCreateStreamV2(
    stream: *mut aclrtStream,
    handle: *const aclrtStreamConfigHandle,
) -> aclError {
    let call = "aclrtCreateStreamV2";
    if stream.is_null() {
        return null(call, "stream");
    }
    if let Err(code) = check(call, handle) {
        return code;
    }
    // SAFETY: a set that exists; the caller's contract: nobody changes it meanwhile.
    let set = unsafe { *handle };
    // SAFETY: the same contract.
    unsafe { create_with(call, stream, set.priority, set.flag as u32) }
}
