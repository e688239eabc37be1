//! Where a call was made: function, thread, number, and the line of the program.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::calls;

/// A call of the program, kept for a report that may come later.
#[derive(Debug)]
pub(crate) struct Site {
    call: String,
    nth: Option<u64>,
    thread: Arc<str>,
    /// Taken as addresses; names and lines are looked up only for a report.
    trace: Backtrace,
}

/// A call of the program, as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issued {
    /// The C function.
    pub call: String,
    /// Which call of its thread it was, from 1; `None` where nobody counts them.
    pub nth: Option<u64>,
    /// The thread.
    pub thread: String,
    /// Function, file and line of the program, as far as its debug information tells.
    pub location: Option<String>,
}

/// Sites that exist at the same time with a place in the program; a program that makes millions of
/// handles would need all memory for them.
const TRACED: usize = 100_000;

static EXISTING: AtomicUsize = AtomicUsize::new(0);

impl Drop for Site {
    fn drop(&mut self) {
        EXISTING.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Site {
    /// The call that this thread is in. `call` serves where nobody counts calls.
    pub(super) fn here(call: &str) -> Arc<Site> {
        let running = calls::running();
        let trace = if EXISTING.fetch_add(1, Ordering::Relaxed) < TRACED {
            Backtrace::force_capture()
        } else {
            Backtrace::disabled()
        };
        Arc::new(Site {
            call: running.map_or(call, |running| running.name).to_owned(),
            nth: running.map(|running| running.nth),
            thread: calls::thread(),
            trace,
        })
    }

    /// The C function.
    pub(super) fn call(&self) -> &str {
        &self.call
    }

    /// What a report says.
    pub(super) fn issued(&self) -> Issued {
        let location = (self.trace.status() == BacktraceStatus::Captured)
            .then(|| locate(&self.trace.to_string(), &self.call))
            .flatten();
        Issued {
            call: self.call.clone(),
            nth: self.nth,
            thread: self.thread.to_string(),
            location,
        }
    }
}

impl fmt::Display for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.call)?;
        if let Some(nth) = self.nth {
            write!(f, "call {nth} of ")?;
        }
        write!(f, "thread {}", self.thread)?;
        match &self.location {
            Some(location) => write!(f, ", in {location}"),
            None => Ok(()),
        }
    }
}

/// The first frame of the program's own: neither the emulator, nor its Rust API, nor the standard
/// library. The text is that of [`Backtrace`]: a line with number and function, and where the debug
/// information is there, a line with the place.
fn locate(trace: &str, call: &str) -> Option<String> {
    let mut lines = trace.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((number, function)) = line.trim_start().split_once(": ") else {
            continue;
        };
        if number.parse::<u32>().is_err() {
            continue;
        }
        let place = lines
            .next_if(|line| line.trim_start().starts_with("at "))
            .map(|line| line.trim_start().trim_start_matches("at ").to_owned());
        if is_internal(function, call) {
            continue;
        }
        let function = function
            .rsplit_once("::h")
            .filter(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
            .map_or(function, |(function, _)| function);
        return Some(match place {
            Some(place) => format!("{function} at {place}"),
            None => function.to_owned(),
        });
    }
    None
}

fn is_internal(function: &str, call: &str) -> bool {
    let crates = ["ascendcl", "std", "core", "alloc", "__rustc"];
    let path = function.trim_start_matches(['<', '&', '_']);
    let first = path
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or_default();
    let in_crate = path.starts_with(&format!("{first}::"));
    let own = crates
        .iter()
        .any(|name| first == *name || first.starts_with("ascendcl_"));
    function == call || function == "<unknown>" || (own && in_crate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_frame_is_found() {
        let trace = "   0: std::backtrace::Backtrace::create
             at /rustc/0/library/std/src/backtrace.rs:331:13
   1: ascendcl_emulator::check::site::Site::here
             at ./sys/emulator/src/check/site.rs:46:20
   2: aclrtFree
   3: <ascendcl::memory::DeviceBuf as core::ops::drop::Drop>::drop
   4: core::ptr::drop_in_place
   5: pipeline::main
             at ./examples/pipeline/main.rs:60:5
   6: std::rt::lang_start";
        assert_eq!(
            locate(trace, "aclrtFree").as_deref(),
            Some("pipeline::main at ./examples/pipeline/main.rs:60:5")
        );
    }

    #[test]
    fn functions_of_c_need_no_line_and_lose_their_hash() {
        let trace = "   0: aclrtFree\n   1: release_all\n   2: main";
        assert_eq!(locate(trace, "aclrtFree").as_deref(), Some("release_all"));
        let trace = "   0: sample::run::h0123456789abcdef";
        assert_eq!(locate(trace, "aclrtFree").as_deref(), Some("sample::run"));
        assert_eq!(locate("   0: std::rt::lang_start", "aclrtFree"), None);
        assert_eq!(locate("disabled backtrace", "aclrtFree"), None);
    }

    #[test]
    fn a_call_says_what_is_known_of_it() {
        let mut issued = Issued {
            call: "aclrtFree".into(),
            nth: Some(7),
            thread: "main".into(),
            location: Some("main at free.c:12:5".into()),
        };
        assert_eq!(
            issued.to_string(),
            "aclrtFree, call 7 of thread main, in main at free.c:12:5"
        );
        (issued.nth, issued.location) = (None, None);
        assert_eq!(issued.to_string(), "aclrtFree, thread main");
    }
}
