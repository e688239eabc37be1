//! Wrong handles: null, garbage, handles of another kind, destroyed ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::api;
use ascendcl_sys as sys;

/// Returns the address and both sizes of a data buffer, for any handle.
fn look(runtime: &sys::RuntimeTable, buffer: *const sys::aclDataBuffer) -> (usize, u32, usize) {
    // SAFETY: the emulator looks up any handle and never dereferences it.
    let address = unsafe { (runtime.aclGetDataBufferAddr)(buffer) };
    // SAFETY: the emulator looks up any handle and never dereferences it.
    let short = unsafe { (runtime.aclGetDataBufferSize)(buffer) };
    // SAFETY: the emulator looks up any handle and never dereferences it.
    let size = unsafe { (runtime.aclGetDataBufferSizeV2)(buffer) };
    (address.addr(), short, size)
}

/// Changes the address of a data buffer, for any handle.
fn update(runtime: &sys::RuntimeTable, buffer: *mut sys::aclDataBuffer, size: usize) -> i32 {
    // SAFETY: the emulator looks up any handle and never dereferences it.
    unsafe { (runtime.aclUpdateDataBuffer)(buffer, ptr::without_provenance_mut(0x10), size) }
}

/// Destroys a data buffer, for any handle.
fn destroy(runtime: &sys::RuntimeTable, buffer: *const sys::aclDataBuffer) -> i32 {
    // SAFETY: the emulator looks up any handle and never dereferences it.
    unsafe { (runtime.aclDestroyDataBuffer)(buffer) }
}

#[test]
fn data_buffers_are_looked_up_and_never_followed() {
    let runtime = api().runtime;
    let data = ptr::without_provenance_mut::<c_void>(0x1234);
    // SAFETY: any address and size are allowed.
    let buffer = unsafe { (runtime.aclCreateDataBuffer)(data, 5_000_000_000) };
    let cut = 5_000_000_000_u64 as u32;
    assert_eq!(look(&runtime, buffer), (0x1234, cut, 5_000_000_000));
    assert_eq!(update(&runtime, buffer, 7), 0);
    assert_eq!(look(&runtime, buffer), (0x10, 7, 7));
    assert_eq!(destroy(&runtime, buffer), 0);
    for wrong in [ptr::null_mut(), ptr::without_provenance_mut(0x10), buffer] {
        assert_eq!(destroy(&runtime, wrong), sys::ACL_ERROR_INVALID_PARAM);
        assert_eq!(update(&runtime, wrong, 1), sys::ACL_ERROR_INVALID_PARAM);
        assert_eq!(look(&runtime, wrong), (0, 0, 0));
    }
}

#[test]
fn a_buffered_copy_of_an_impossible_size_is_refused() {
    let (device, memory) = (api().device, api().memory);
    // SAFETY: takes a number.
    assert_eq!(unsafe { (device.aclrtSetDevice)(0) }, 0);
    let mut target = ptr::null_mut();
    // SAFETY: valid for a write.
    let code = unsafe { (memory.aclrtMalloc)(&raw mut target, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST) };
    assert_eq!(code, 0);
    let source = [0_u8; 8];
    let kind = sys::ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    let from = source.as_ptr().cast();
    let count = usize::MAX / 2 + 1;
    // SAFETY: no buffer of this size exists, so the source is not read.
    let code =
        unsafe { (memory.aclrtMemcpyAsync)(target, count, from, count, kind, ptr::null_mut()) };
    assert_ne!(code, 0);
    // SAFETY: allocated above.
    assert_eq!(unsafe { (memory.aclrtFree)(target) }, 0);
}
