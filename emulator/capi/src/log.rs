//! `aclAppLog`, the only function with variable arguments, like `printf`.
//!
//! Rust cannot define such a function, so C does (`log.c`). A Rust library exports only symbols of Rust, so the
//! exported function is a jump to C that does not change the arguments.

use std::arch::naked_asm;

unsafe extern "C" {
    /// The function in `log.c`. Its arguments are not declared, because no Rust code calls it.
    fn ascendcl_app_log();
}

/// Writes a line to the application log (`acl/acl_base_rt.h`).
///
/// # Safety
///
/// The strings are NUL-terminated, and the arguments match the format.
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name of C is kept")]
pub unsafe extern "C" fn aclAppLog() {
    #[cfg(target_arch = "x86_64")]
    naked_asm!("jmp {}", sym ascendcl_app_log);
    #[cfg(target_arch = "aarch64")]
    naked_asm!("b {}", sym ascendcl_app_log);
}
