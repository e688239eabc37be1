//! Functions that the linked CANN may lack.
//!
//! A program that names a function which its library does not have cannot be linked. So only the
//! functions of CANN 8.1 are named; the newer ones are looked up when the tables are made.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::{self, NonNull};

use crate::release::Release;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, symbol: *const c_char) -> *mut c_void;
}

/// A function of the libraries that the program was linked with.
pub(crate) fn find(name: &CStr) -> Option<NonNull<c_void>> {
    // Null is RTLD_DEFAULT on Linux, where alone CANN exists.
    // SAFETY: the name is a C string; the call has no other contract.
    NonNull::new(unsafe { dlsym(ptr::null_mut(), name.as_ptr()) })
}

/// A function of those libraries, if their release is that one or a later one.
pub(crate) fn find_since(name: &CStr, since: Release) -> Option<NonNull<c_void>> {
    // SAFETY: the program is linked with AscendCL, whose function has the name that is looked up.
    let installed = unsafe { Release::installed(&mut |name| find(name)) };
    // An unknown release (`None`) is older than any.
    (installed >= Some(since)).then(|| find(name)).flatten()
}
