//! What fresh device memory holds: on a host whatever was there, where the program runs on the device itself zeros.
//!
//! There device memory becomes a slice of Rust ([`DeviceBuf::as_slice`](crate::memory::Buf::as_slice)), and a task that
//! fails leaves what it should have written as it was. So that a slice never shows memory that nothing has written,
//! fresh memory is zeroed there. On a host no program sees device memory but by a copy, and the call stays the
//! runtime's own: which one it is is a pointer, because to look at the run mode would cost more than the raw call.

use std::ffi::c_void;
use std::mem;
use std::sync::atomic::{AtomicPtr, Ordering};

use ascendcl_sys as sys;

use crate::error::Result;
use crate::memory::{DeviceBuf, Uninit};
use crate::raw::check;
use crate::release;
use crate::runtime::is_host;

/// A function that allocates device memory.
type Malloc =
    unsafe extern "C" fn(*mut *mut c_void, usize, sys::aclrtMemMallocPolicy) -> sys::aclError;

/// The function in use: always one of the type [`Malloc`].
static MALLOC: AtomicPtr<c_void> = AtomicPtr::new(first as *mut c_void);

/// Allocates device memory (`aclrtMalloc`), zeroed unless the program is known to run on a host.
///
/// # Safety
///
/// As for `aclrtMalloc`: `pointer` is valid for a write of a pointer.
#[inline(always)]
pub(super) unsafe fn malloc(
    pointer: *mut *mut c_void,
    bytes: usize,
    policy: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    // Relaxed: each function that this can be does what is promised.
    let address = MALLOC.load(Ordering::Relaxed);
    // SAFETY: `first` and the static's initialiser store only pointers that were functions of this type.
    let malloc = unsafe { mem::transmute::<*mut c_void, Malloc>(address) };
    // SAFETY: the caller's contract.
    unsafe { malloc(pointer, bytes, policy) }
}

/// Zeroes memory of another allocator than `aclrtMalloc`, unless the program is known to run on a host.
pub(super) fn zero<D, T>(buf: &DeviceBuf<'_, D, [T], Uninit>) -> Result<()> {
    // A runtime that does not say where the program runs is asked again.
    if is_host().unwrap_or(false) {
        return Ok(());
    }
    // No overflow: the allocation had this many bytes.
    let bytes = buf.len() * size_of::<T>();
    // SAFETY: a live allocation of so many bytes, which nothing uses yet.
    let code = unsafe { sys::aclrtMemset(buf.as_raw().cast(), bytes, 0, bytes) };
    check("aclrtMemset", code)
}

/// `aclrtMalloc` as long as nobody has asked for the run mode.
unsafe extern "C" fn first(
    pointer: *mut *mut c_void,
    bytes: usize,
    policy: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    let malloc: Malloc = match is_host() {
        Ok(true) => sys::MemoryTable::installed().aclrtMalloc,
        Ok(false) => malloc_zeroed,
        // It is asked again the next time.
        // SAFETY: the caller's contract.
        Err(_) => return unsafe { malloc_zeroed(pointer, bytes, policy) },
    };
    MALLOC.store(malloc as *mut c_void, Ordering::Relaxed);
    // SAFETY: the caller's contract.
    unsafe { malloc(pointer, bytes, policy) }
}

/// `aclrtMalloc` and `aclrtMemset`, which works in both run modes. If the second fails, nothing was allocated.
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
    // SAFETY: the caller's contract, and the call has written it.
    let memory = unsafe { pointer.read() };
    // SAFETY: allocated just now with so many bytes.
    let code = unsafe { sys::aclrtMemset(memory, bytes, 0, bytes) };
    if code != sys::ACL_SUCCESS {
        // SAFETY: allocated just now, and given to nobody.
        let freed = unsafe { sys::aclrtFree(memory) };
        release::status_in_drop("aclrtFree", freed);
    }
    code
}
