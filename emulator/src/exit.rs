//! The end of the process: the trace, the last findings, and an exit status that a script can see.
//!
//! A library cannot return a status from `main`. So the checker, where it was asked to report
//! (`ASCENDCL_EMULATOR_CHECK=1`), ends the process itself: after `main`, after the functions of
//! `atexit` and the destructors of the program, in the destructors of the library that this code is
//! part of. Output that C still holds back is written first. Libraries that are destructed later have
//! no turn; a program that cannot afford that reads [`findings`](crate::findings) instead.
//!
//! `quick_exit` ends in the same way, behind the functions that the program registered for it (`at_quick_exit`)
//! since it asked for the backend, which a program in C does with its first call. A process that ends by `_exit`, by
//! `abort` or by a signal has the status that these give it, and nobody looks for what it never released: what was
//! found until then is on standard error, and in the report.

use std::sync::Once;

use crate::check::{self, Left};
use crate::config::{Check, chosen};
use crate::engine::engine;
use crate::observe::trace;
use crate::op;
use crate::runtime;

/// What a process ends with that the checker has findings about, unless it follows a pointer to device memory:
/// then the fault ends it, as it would with a card.
pub const EXIT_STATUS: i32 = 66;

/// Run by the loader at the end, behind everything of the program's own.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = at_exit;

unsafe extern "C" {
    // C11. Of the C library, or of the part of it that is linked into each program.
    fn at_quick_exit(function: extern "C" fn()) -> libc::c_int;
}

/// Lets the checker have a word when the program ends by `quick_exit`, too, if it is to report.
pub(crate) fn hear_of_quick_exit() {
    static ONCE: Once = Once::new();
    if chosen::peek().check == Check::Report {
        ONCE.call_once(register);
    }
}

fn register() {
    // SAFETY: the function is there for the rest of the process: a library that registers one is not unloaded
    // before (`__cxa_at_quick_exit`). Without room for it that end is as it was.
    let _ = unsafe { at_quick_exit(at_exit) };
}

/// What the checker does not follow by itself.
fn left() -> Left {
    let devices = engine().devices.iter().enumerate();
    Left {
        is_finalised: runtime::is_finalised(),
        devices: devices
            .filter(|(_, device)| device.is_set())
            .map(|(id, _)| id)
            .collect(),
        objects: op::live_handles().into(),
    }
}

extern "C" fn at_exit() {
    trace::end();
    if check::end(left) {
        // SAFETY: null names all streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        // SAFETY: no preconditions.
        unsafe { libc::_exit(EXIT_STATUS) };
    }
}
