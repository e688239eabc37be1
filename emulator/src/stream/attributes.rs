//! Attributes of streams: sets of them for a creation, and single ones of a stream (`acl/acl_rt.h`).
//!
//! The program can see the fields of a set, so a set is host memory. Two assumptions: an attribute has exactly the
//! size of its field, and refused values get the codes that other parameters of the layer get. Flags may also have the
//! four bytes that they have in `aclrtCreateStreamWithConfig`: a public sample of the runtime passes them so.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_RT_STREAM_FLAG, ACL_RT_STREAM_PRIORITY, ACL_RT_STREAM_WORK_ADDR_PTR,
    ACL_RT_STREAM_WORK_SIZE, ACL_STREAM_ATTR_CACHE_OP_INFO, ACL_STREAM_ATTR_FAILURE_MODE,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, ACL_STREAM_ATTR_PRIORITY,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG, ACL_SUCCESS, aclError, aclrtStream, aclrtStreamAttr,
    aclrtStreamAttrValue, aclrtStreamConfigAttr, aclrtStreamConfigHandle,
};

use crate::engine::submit::{find, own};
use crate::handles::side_table::SideTable;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::ordered::Numbers;
use crate::stream::overflow::{self, aclrtSetStreamOverflowSwitch};
use crate::stream::{aclrtSetStreamFailureMode, create_with};
use crate::sync::{Mutex, lock};

/// The addresses of the sets that exist, each with 0.
///
/// # Invariants
///
/// Each address comes from `Box::into_raw`. The code that removes an address frees it.
static HANDLES: Mutex<Numbers> = Mutex::new(Numbers::new());

/// Checks that a set exists.
fn check(call: &str, handle: *const aclrtStreamConfigHandle) -> Result<(), aclError> {
    not_null(call, "handle", handle)?;
    if lock(&HANDLES).contains_key(&handle.addr()) {
        return Ok(());
    }
    Err(invalid(
        call,
        format_args!(
            "{:#x} is no set of attributes, or was destroyed already",
            handle.addr()
        ),
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
    lock(&HANDLES).insert(handle.expose_provenance(), 0);
    handle
}

pub(crate) unsafe extern "C" fn aclrtDestroyStreamConfigHandle(
    handle: *mut aclrtStreamConfigHandle,
) -> aclError {
    let call = "aclrtDestroyStreamConfigHandle";
    attempt!(check(call, handle));
    if lock(&HANDLES).remove(&handle.addr()).is_some() {
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
    attempt!(check(call, handle));
    attempt!(not_null(call, "attrValue", attrValue));
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
    if attr == ACL_RT_STREAM_FLAG && valueSize == size_of::<u32>() {
        // SAFETY: not null; the caller's contract: `attrValue` has four bytes.
        set.flag = unsafe { attrValue.cast::<u32>().read_unaligned() } as usize;
        return ACL_SUCCESS;
    }
    if size != valueSize || size == 0 {
        return invalid(
            call,
            format_args!(
                "attr is {attr:?}, valueSize {valueSize}; pass an attribute of a stream with the \
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
    attempt!(not_null(call, "stream", stream));
    attempt!(check(call, handle));
    // SAFETY: the set exists; the caller's contract: no other thread changes it meanwhile.
    let set = unsafe { *handle };
    // SAFETY: the same contract.
    unsafe { create_with(call, stream, set.priority, set.flag as u32) }
}

/// The tags of the user, which the emulator only stores.
static TAGS: SideTable<u32> = SideTable::new();
/// The tag of a stream that never got one (observed).
const NO_TAG: u32 = u32::MAX;

/// Sets an attribute. The priority of a stream cannot be changed (assumption).
pub(crate) unsafe extern "C" fn aclrtSetStreamAttribute(
    stream: aclrtStream,
    stmAttrType: aclrtStreamAttr,
    value: *mut aclrtStreamAttrValue,
) -> aclError {
    let call = "aclrtSetStreamAttribute";
    attempt!(not_null(call, "value", value));
    // SAFETY: not null; the caller's contract: valid for a read.
    let value = unsafe { value.read() };
    // SAFETY: the attribute names the valid field (the caller's contract).
    let number = unsafe { value.overflowSwitch };
    let known = || find(call, stream).and_then(|found| own(call, found));
    let stored = match stmAttrType {
        ACL_STREAM_ATTR_FAILURE_MODE => {
            // SAFETY: the attribute names the valid field (the caller's contract).
            let mode = unsafe { value.failureMode };
            // SAFETY: any handle is allowed.
            return unsafe { aclrtSetStreamFailureMode(stream, mode) };
        }
        ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK => {
            // SAFETY: any handle is allowed.
            return unsafe { aclrtSetStreamOverflowSwitch(stream, number) };
        }
        ACL_STREAM_ATTR_USER_CUSTOM_TAG => known().map(|target| {
            TAGS.change(target.key(), |tag| *tag = number);
        }),
        ACL_STREAM_ATTR_CACHE_OP_INFO if number <= 1 => known().map(drop),
        _ => Err(unknown(call, stmAttrType)),
    };
    stored.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtGetStreamAttribute(
    stream: aclrtStream,
    stmAttrType: aclrtStreamAttr,
    value: *mut aclrtStreamAttrValue,
) -> aclError {
    let call = "aclrtGetStreamAttribute";
    attempt!(not_null(call, "value", value));
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    let number = match stmAttrType {
        ACL_STREAM_ATTR_FAILURE_MODE => {
            u64::from(target.stream.stop_on_failure.load(Ordering::Relaxed))
        }
        ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK => u64::from(overflow::switch(target)),
        ACL_STREAM_ATTR_USER_CUSTOM_TAG => u64::from(TAGS.get(target.key()).unwrap_or(NO_TAG)),
        // Only a captured stream describes operators, and its description is not modelled.
        ACL_STREAM_ATTR_CACHE_OP_INFO => 0,
        ACL_STREAM_ATTR_PRIORITY => u64::from(target.stream.priority.load(Ordering::Relaxed)),
        _ => return unknown(call, stmAttrType),
    };
    let answer = aclrtStreamAttrValue {
        failureMode: number,
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(answer) };
    ACL_SUCCESS
}

#[cold]
fn unknown(call: &str, attribute: aclrtStreamAttr) -> aclError {
    invalid_below(
        call,
        format_args!("a stream has no attribute {attribute:?} with this value for this call"),
    )
}
