//! Names of C++ functions in words.
//!
//! Where the debug information lacks a function, its name is that of the symbol table. The library of C++ knows
//! how to read those, and a program with such names nearly always has it: so it is looked for in the process,
//! and no other one is needed. A program that links it statically, without exporting it, sees the names as they are.

use std::ffi::{CStr, CString, c_char, c_int};
use std::{mem, ptr};

/// `abi::__cxa_demangle` of the Itanium C++ ABI.
type Demangle =
    unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// The name in words, if it is one of C++ and somebody can read it.
pub(super) fn readable(symbol: &str) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    let mangled = CString::new(symbol).ok()?;
    let demangle = demangler()?;
    let mut status = 0;
    // SAFETY: a C string, a status to write; null asks for a buffer of `malloc` (C++ ABI, section 3.4).
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
    // SAFETY: not null: a C string, which is ours.
    let name = unsafe { CStr::from_ptr(text) };
    let name = name.to_string_lossy().into_owned();
    // SAFETY: made by `malloc`, and not used any more.
    unsafe { libc::free(text.cast()) };
    Some(name)
}

/// The function that reads names, if the process has it.
fn demangler() -> Option<Demangle> {
    // SAFETY: a C string; all libraries of the process are looked through.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_demangle".as_ptr()) };
    if found.is_null() {
        return None;
    }
    // SAFETY: not null: the function of this name, whose type the C++ ABI lays down.
    Some(unsafe { mem::transmute::<*mut libc::c_void, Demangle>(found) })
}
