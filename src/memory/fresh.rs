//! The contents of fresh device memory: arbitrary bytes on a host, zeros if the program runs on the device itself.
//!
//! On the device itself, device memory becomes a slice of Rust
//! ([`DeviceBuf::as_slice`](crate::memory::Buf::as_slice)), and a failed task leaves its output unwritten. Fresh
//! memory is zeroed there, so that a slice never shows memory that nothing has written.
//!
//! On a host the program reads device memory only by copies, so `aclrtMalloc` is called directly. The function in use
//! is a static pointer, because a check of the run mode would cost more than the call itself.

use std::ffi::c_void;
use std::mem;
use std::sync::atomic::{AtomicPtr, Ordering};

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuf, Uninit};
use crate::raw::is_time_limit;
use crate::release;
use crate::runtime::is_host;

/// A function that allocates device memory.
type Malloc =
    unsafe extern "C" fn(*mut *mut c_void, usize, sys::aclrtMemMallocPolicy) -> sys::aclError;

/// The function in use: always one of the type [`Malloc`].
static MALLOC: AtomicPtr<c_void> = AtomicPtr::new(first as *mut c_void);

/// Allocates device memory (`aclrtMalloc`) and zeroes it, unless the program is known to run on a host.
///
/// # Safety
///
/// - `pointer` is valid for a write of a pointer.
#[inline(always)]
pub(super) unsafe fn malloc(
    pointer: *mut *mut c_void,
    bytes: usize,
    policy: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    // Relaxed: every function that the static can hold allocates correctly.
    let address = MALLOC.load(Ordering::Relaxed);
    // SAFETY: the initialiser of the static and `first` store only pointers to functions of this type.
    let malloc = unsafe { mem::transmute::<*mut c_void, Malloc>(address) };
    // SAFETY: the caller's contract.
    unsafe { malloc(pointer, bytes, policy) }
}

/// Zeroes memory of an allocator other than `aclrtMalloc`, unless the program is known to run on a host.
pub(super) fn zero<D: AnyDevice, T>(
    current: Current<'_, '_, D>,
    buf: &DeviceBuf<'_, D, [T], Uninit>,
) -> Result<()> {
    // If the runtime does not return the run mode, the next call asks again.
    if is_host().unwrap_or(false) {
        return Ok(());
    }
    // No overflow: the allocation has this many bytes.
    let bytes = buf.len() * size_of::<T>();
    // SAFETY: a live allocation of `bytes` bytes, which nothing uses yet.
    let code = unsafe { sys::aclrtMemset(buf.as_raw().cast(), bytes, 0, bytes) };
    if code != sys::ACL_SUCCESS {
        // It waits for a fill whose time was up: the caller drops the memory.
        return Err(current.blocking_failed("aclrtMemset", code));
    }
    Ok(())
}

/// The first function in use: asks for the run mode, stores the function for later calls, and allocates.
unsafe extern "C" fn first(
    pointer: *mut *mut c_void,
    bytes: usize,
    policy: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    let malloc: Malloc = match is_host() {
        Ok(true) => sys::MemoryTable::installed().aclrtMalloc,
        Ok(false) => malloc_zeroed,
        // The next call asks for the run mode again.
        // SAFETY: the caller's contract.
        Err(_) => return unsafe { malloc_zeroed(pointer, bytes, policy) },
    };
    MALLOC.store(malloc as *mut c_void, Ordering::Relaxed);
    // SAFETY: the caller's contract.
    unsafe { malloc(pointer, bytes, policy) }
}

/// Allocates with `aclrtMalloc` and zeroes with `aclrtMemset`, which works in both run modes. If the fill fails, the
/// memory is freed again. If its time was up, it may still run, so the memory is leaked.
unsafe extern "C" fn malloc_zeroed(
    pointer: *mut *mut c_void,
    bytes: usize,
    policy: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    // SAFETY: the caller's contract.
    let code = unsafe { sys::aclrtMalloc(pointer, bytes, policy) };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: `pointer` is valid (the caller's contract), and the call has written it.
    let memory = unsafe { pointer.read() };
    // SAFETY: a new allocation of `bytes` bytes.
    let code = unsafe { sys::aclrtMemset(memory, bytes, 0, bytes) };
    if is_time_limit(code) {
        release::leaked(&Error::refused("aclrtMemset", code));
    } else if code != sys::ACL_SUCCESS {
        // SAFETY: a new allocation, which no other code has.
        let freed = unsafe { sys::aclrtFree(memory) };
        release::status_in_drop("aclrtFree", freed);
    }
    code
}
