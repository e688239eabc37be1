//! Allocations with attributes (`acl/acl_rt.h`), and the effects of the attributes.

use std::ffi::c_void;
use std::slice;

use ascendcl_sys::{
    ACL_RT_MEM_ATTR_DEVICE_ID, ACL_RT_MEM_ATTR_MODULE_ID, ACL_RT_MEM_ATTR_RSV,
    ACL_RT_MEM_ATTR_VA_FLAG, aclError, aclrtMallocAttrType, aclrtMallocConfig,
    aclrtMemMallocPolicy,
};

use crate::engine::current::current;
use crate::error::{null, null_below};
use crate::memory::{allocate, hand_out, padded};
use crate::object_calls::{attempt, invalid_below};
use crate::space::heap::Maker;
use crate::space::space;

pub(crate) unsafe extern "C" fn aclrtMallocWithCfg(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
    cfg: *mut aclrtMallocConfig,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { malloc("aclrtMallocWithCfg", devPtr, size, policy, cfg) }
}

pub(crate) unsafe extern "C" fn aclrtMallocForTaskScheduler(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
    cfg: *mut aclrtMallocConfig,
) -> aclError {
    // The streams of an emulated device can access all of its memory.
    // SAFETY: the caller's contract is that of `malloc`.
    unsafe { malloc("aclrtMallocForTaskScheduler", devPtr, size, policy, cfg) }
}

/// Allocates device memory with attributes.
///
/// # Safety
///
/// - The contract of `aclrtMallocWithCfg` holds.
unsafe fn malloc(
    call: &str,
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
    cfg: *mut aclrtMallocConfig,
) -> aclError {
    let known = [
        ACL_RT_MEM_ATTR_RSV,
        ACL_RT_MEM_ATTR_MODULE_ID,
        ACL_RT_MEM_ATTR_DEVICE_ID,
    ];
    let lacks = |cfg: &aclrtMallocConfig| cfg.attrs.is_null() && cfg.numAttrs > 0;
    // SAFETY: the same contract.
    if unsafe { cfg.as_ref() }.is_some_and(lacks) {
        return null(call, "cfg->attrs");
    }
    let checked = padded(call, devPtr, size, 0).and_then(|_| {
        let current = current(call)?;
        // SAFETY: the same contract.
        match unsafe { device(call, cfg, &known) }? {
            Some(id) if id != current.device() => Err(invalid_below(
                call,
                format_args!(
                    "ACL_RT_MEM_ATTR_DEVICE_ID is {id}, the current device is {}; make \
                     {id} current, or leave the attribute out",
                    current.device()
                ),
            )),
            _ => Ok(()),
        }
    });
    match checked {
        // SAFETY: the same contract.
        Ok(()) => unsafe { allocate(call, devPtr, size, 0, policy, Maker::Device) },
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtMallocHostWithCfg(
    ptr: *mut *mut c_void,
    size: u64,
    cfg: *mut aclrtMallocConfig,
) -> aclError {
    let call = "aclrtMallocHostWithCfg";
    let known = [
        ACL_RT_MEM_ATTR_RSV,
        ACL_RT_MEM_ATTR_MODULE_ID,
        ACL_RT_MEM_ATTR_DEVICE_ID,
        ACL_RT_MEM_ATTR_VA_FLAG,
    ];
    let size = size as usize;
    let checked = padded(call, ptr, size, 0).and_then(|padded| {
        current(call)?;
        // SAFETY: the same contract.
        unsafe { device(call, cfg, &known) }?;
        Ok(padded)
    });
    let padded = attempt!(checked);
    let heap = space().host();
    // SAFETY: not null (`padded` checked it); the caller's contract.
    unsafe { hand_out(call, ptr, size, padded, heap, Maker::Host) }
}

/// Checks the attributes and returns the device that they name. If an attribute is given twice, the last value
/// counts.
///
/// # Safety
///
/// - `config` is null or points to a configuration.
/// - The attributes of the configuration are null, or there are `numAttrs` of them.
unsafe fn device(
    call: &str,
    config: *const aclrtMallocConfig,
    known: &[aclrtMallocAttrType],
) -> Result<Option<u32>, aclError> {
    // SAFETY: the caller's contract.
    let Some(config) = (unsafe { config.as_ref() }) else {
        return Ok(None);
    };
    // This is checked even if there are no attributes.
    if config.attrs.is_null() {
        return Err(null_below(call, "cfg->attrs"));
    }
    // SAFETY: not null; the caller's contract.
    let attributes = unsafe { slice::from_raw_parts(config.attrs, config.numAttrs) };
    let mut device = None;
    for attribute in attributes {
        let attr = attribute.attr;
        if !known.contains(&attr) {
            return Err(invalid_below(
                call,
                format_args!("{attr:?} is no attribute of this allocation"),
            ));
        }
        if attr == ACL_RT_MEM_ATTR_DEVICE_ID {
            // SAFETY: for this kind of attribute the program wrote this field (the contract).
            device = Some(unsafe { attribute.value.deviceId });
        }
    }
    Ok(device)
}
