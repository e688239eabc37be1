//! Streams that are created with a set of attributes (`acl/acl_rt.h`).
//!
//! The program can see the fields of a set, so a set is host memory. Two assumptions: an attribute has exactly the
//! size of its field, and refused values get the codes that other parameters of the layer get.

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
/// Each address comes from `Box::into_raw`. The code that removes an address frees it.
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
    // INVARIANT: the address comes from `Box::into_raw`.
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
        // SAFETY: the address comes from `Box::into_raw` (the invariant), and it was removed from the set only here.
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
    // SAFETY: the set exists; the caller's contract: no other thread uses it meanwhile.
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
    // SAFETY: the field has `size` bytes and any bytes are a valid value; the caller's contract: `attrValue` has
    // `size` bytes too.
    unsafe { ptr::copy(attrValue.cast(), field, size) };
    ACL_SUCCESS
}

/// Creates a stream. The emulator needs no memory for its tasks.
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
    // SAFETY: the set exists; the caller's contract: no other thread changes it meanwhile.
    let set = unsafe { *handle };
    // SAFETY: the same contract.
    unsafe { create_with(call, stream, set.priority, set.flag as u32) }
}
