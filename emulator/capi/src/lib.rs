//! The emulator as a C library: `libascendcl.so` with the functions under their C names.
//!
//! Each exported function jumps into the emulator; the lists of `ascendcl-sys` generate them. A function that the
//! emulator does not model is exported too, so that programs link: it returns "not supported", and
//! `aclGetRecentErrMsg` names it. `aclAppLog` is defined separately in `log.rs`, and exists on x86-64 and AArch64.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod log;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use log::aclAppLog;

/// Returns the tables of the emulator, which has the engines for models and pictures from then on that this library contains.
fn api() -> ascendcl_sys::Api {
    #[cfg(feature = "emulator-onnx")]
    ascendcl_emulator_onnx::register();
    #[cfg(feature = "emulator-media")]
    ascendcl_emulator_media::register();
    ascendcl_emulator::api()
}

/// Exports a function.
macro_rules! export_one {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// The contract of the C function holds: pointers are valid for the reads and writes of the function.
        // The name is that of the C function, and the list has its signature.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
            // SAFETY: the caller's contract is that of the C function.
            unsafe { (table().$name)($($arg),*) }
        }
    };
}

/// Exports the functions of one area.
macro_rules! export {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {$(
        ascendcl_sys::function! { export_one; $(# $attribute)+ fn $name $parameters -> $ret; }
    )*};
}

/// Defines one module for each area, with the table and the exports of the area.
macro_rules! areas {
    ($($area:ident $Table:ident $functions:ident),* $(,)?) => {$(
        #[doc = concat!("The functions of the area `", stringify!($area), "`.")]
        #[allow(non_snake_case, reason = "the names of C are kept")]
        pub mod $area {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use ascendcl_sys::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use std::ffi::{c_char, c_int, c_void};

            /// The table, fixed by the first call: the environment decides whether calls are observed. A child of `fork`
            /// has another one.
            #[inline(always)]
            fn table() -> &'static ascendcl_sys::$Table {
                &ascendcl_emulator::shared(super::api).$area
            }

            ascendcl_sys::$functions!(export);
        }
    )*};
}

ascendcl_sys::for_each_area!(areas);

/// Tells the frames of the program which make the next calls of this thread, for the findings of the checker: the innermost
/// first, with `, called by ` between them. An interpreter calls it, since the stack of C has its own functions alone.
///
/// # Safety
///
/// `frames` is a string that ends with a null character.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "a name of C")]
pub unsafe extern "C" fn ascendclEmulatorCalledFrom(frames: *const std::ffi::c_char) {
    // SAFETY: the contract of this function.
    let frames = unsafe { std::ffi::CStr::from_ptr(frames) };
    ascendcl_emulator::called_from(&frames.to_string_lossy());
}
