//! `aclAppLog`, the one function that takes arguments like `printf`.
//!
//! No function in Rust can take them, so C does the work (`log.c`). A library of Rust exports the symbols
//! of Rust alone: the exported one is a jump that leaves all arguments where they are.

use std::arch::naked_asm;

unsafe extern "C" {
    /// What `log.c` defines. Its arguments are not named, because nobody in Rust calls it.
    fn ascendcl_app_log();
}

/// Writes a line to the application log (`acl/acl_base_rt.h`).
///
/// # Safety
///
/// The contract of the C function: the strings are NUL-terminated, and the arguments are those that the
/// format asks for.
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name of C is kept")]
pub unsafe extern "C" fn aclAppLog() {
    #[cfg(target_arch = "x86_64")]
    naked_asm!("jmp {}", sym ascendcl_app_log);
    #[cfg(target_arch = "aarch64")]
    naked_asm!("b {}", sym ascendcl_app_log);
}
