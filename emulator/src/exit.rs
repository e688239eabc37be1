//! The end of the process: the timelines, the last findings, and an exit status that a script can read.
//!
//! A library cannot return a status from `main`. So the checker ends the process itself if it is configured to report
//! (`ASCENDCL_EMULATOR_CHECK=1`). It runs in the destructors of the library that contains this code: after `main`,
//! after the functions of `atexit`, and after the destructors of the program. It flushes the output that C still
//! buffers. Libraries whose destructors would run later do not get their turn. A program that needs those destructors
//! reads [`findings`](crate::findings) instead.
//!
//! `quick_exit` ends the process in the same way. The checker then runs after those functions of `at_quick_exit` that
//! the program registered since it asked for the backend; a C program asks for it with its first call. A process that
//! ends by `_exit`, by `abort` or by a signal has the status that these give it, and the checker does not look for
//! unreleased objects. Earlier findings are on standard error and in the report.

use std::sync::Once;

use crate::check::{self, Left};
#[cfg(feature = "collectives")]
use crate::collective;
use crate::config::{Check, chosen};
use crate::engine::engine;
use crate::fork;
#[cfg(feature = "collectives")]
use crate::observe::inject;
use crate::observe::trace;
#[cfg(feature = "operators")]
use crate::op;
#[cfg(feature = "profiling")]
use crate::profiling;
use crate::results::list_of;
use crate::runtime;

/// Exit status of a process with findings of the checker. Leaks alone change the status only if
/// [`EmulatorConfig::leaks_fail`](crate::EmulatorConfig::leaks_fail) is set.
///
/// A process that follows a pointer to device memory ends with the fault instead, as it would with a card.
pub const EXIT_STATUS: i32 = 66;

/// Runs when the loader ends the process, after all code of the program.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = at_exit;

unsafe extern "C" {
    // C11. Defined in the C library, or in the part of it that is linked into each program.
    fn at_quick_exit(function: extern "C" fn()) -> libc::c_int;
}

/// Makes the checker report also when the program ends by `quick_exit`, if it is configured to report.
pub(crate) fn hear_of_quick_exit() {
    static ONCE: Once = Once::new();
    if chosen::peek().check == Check::Report {
        ONCE.call_once(register);
    }
}

fn register() {
    // SAFETY: the function exists for the rest of the process: a library that registers one is not unloaded before it
    // is called (`__cxa_at_quick_exit`). If there is no room for the function, `quick_exit` ends without a report.
    let _ = unsafe { at_quick_exit(at_exit) };
}

/// Returns the state at the end of the process that the checker does not track itself.
fn left() -> Left {
    let devices = engine().devices.iter().enumerate();
    Left {
        is_finalised: runtime::is_finalised(),
        devices: list_of(
            devices
                .filter(|(_, device)| device.is_set_by_program())
                .map(|(id, _)| id),
        ),
        #[cfg(feature = "operators")]
        objects: op::live_handles().into(),
        #[cfg(not(feature = "operators"))]
        objects: Default::default(),
    }
}

extern "C" fn at_exit() {
    let is_wrong = if fork::parent().is_some() {
        // The state is that of the parent, which reports it.
        check::child_is_wrong()
    } else {
        #[cfg(feature = "profiling")]
        profiling::exit();
        trace::end();
        #[cfg(feature = "collectives")]
        if check::is_on() && inject::faults_struck() == 0 {
            collective::look_at_end();
        }
        check::end(left)
    };
    if is_wrong {
        // SAFETY: null names all streams.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        // SAFETY: no preconditions.
        unsafe { libc::_exit(EXIT_STATUS) };
    }
}
