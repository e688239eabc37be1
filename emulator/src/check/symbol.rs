//! Readable names of C++ functions.
//!
//! If the debug information lacks a function, its name comes from the symbol table. The C++ library can demangle such
//! a name, and a program with such names nearly always has that library. So the checker looks for the library in the
//! process and needs no other one. If a program links it statically without exporting it, the names stay mangled.

use std::ffi::{CStr, CString, c_char, c_int};
use std::{mem, ptr};

/// `abi::__cxa_demangle` of the Itanium C++ ABI.
type Demangle =
    unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// Returns the demangled name, if it is a C++ name and the process can demangle it.
pub(super) fn readable(symbol: &str) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    let mangled = CString::new(symbol).ok()?;
    let demangle = demangler()?;
    let mut status = 0;
    // SAFETY: the name is a C string, the status is valid for a write; null asks for a buffer of `malloc` (C++ ABI,
    // section 3.4).
    let text = unsafe {
        demangle(
            mangled.as_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
            &raw mut status,
        )
    };
    if text.is_null() {
        return None;
    }
    // SAFETY: the pointer is not null, so it is a C string that this function owns.
    let name = unsafe { CStr::from_ptr(text) };
    let name = name.to_string_lossy().into_owned();
    // SAFETY: made by `malloc`, and not used any more.
    unsafe { libc::free(text.cast()) };
    Some(name)
}

/// Returns the function that demangles names, if the process has it.
fn demangler() -> Option<Demangle> {
    // SAFETY: the name is a C string; the call searches all libraries of the process.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_demangle".as_ptr()) };
    if found.is_null() {
        return None;
    }
    // SAFETY: the pointer is not null, so it is the function of this name, and the C++ ABI defines its type.
    Some(unsafe { mem::transmute::<*mut libc::c_void, Demangle>(found) })
}
