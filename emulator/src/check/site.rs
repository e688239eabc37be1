//! The site of a call: function, thread, number, and the line of the program.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::observe::calls;

use super::symbol;

/// A call of the program, stored for a later report.
#[derive(Debug)]
pub(crate) struct Site {
    call: String,
    nth: Option<u64>,
    thread: Arc<str>,
    /// The frames that an interpreter has told, or nothing.
    told: String,
    /// The trace has addresses; names and lines are looked up only for a report.
    trace: Backtrace,
}

thread_local! {
    static TOLD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What stands between two frames of a report.
const CALLED_BY: &str = ", called by ";

/// Tells the frames of the program which make the next calls of this thread, for findings: the innermost first, with
/// `, called by ` between them. A backtrace of an interpreter has its own functions, and not those of the program.
pub fn called_from(frames: &str) {
    // A thread that is ending tells nothing more.
    let _ = TOLD.try_with(|told| frames.clone_into(&mut told.borrow_mut()));
}

/// A call of the program, in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issued {
    /// The name of the C function.
    pub call: String,
    /// The number of the call in its thread, counted from 1. `None` if calls are not counted.
    pub nth: Option<u64>,
    /// The name or number of the thread.
    pub thread: String,
    /// Functions of the program, with file and line if the debug information has them. The first one made the call,
    /// the second one called the first, and so on.
    pub frames: Vec<String>,
}

/// The program itself, where no call runs.
const PROGRAM: &str = "the program";

/// Maximum number of frames in a report.
const SHOWN: usize = 3;

/// Maximum number of sites with a trace at the same time. A program that creates millions of handles would need too
/// much memory for them.
const TRACED: usize = 100_000;

static EXISTING: AtomicUsize = AtomicUsize::new(0);

impl Drop for Site {
    fn drop(&mut self) {
        EXISTING.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Site {
    /// Returns the running call of this thread. `call` is its name if calls are not counted.
    pub(super) fn here(call: &str) -> Arc<Site> {
        let running = calls::running();
        Site::new(
            running.map_or(call, |running| running.name),
            running.map(|running| running.nth),
        )
    }

    /// Returns the present place of this thread in the program, outside of any call.
    pub(super) fn of_program() -> Arc<Site> {
        Site::new(PROGRAM, None)
    }

    /// Returns the place of this thread in the program while it forks.
    pub(super) fn of_fork() -> Arc<Site> {
        Site::new("fork", None)
    }

    fn new(call: &str, nth: Option<u64>) -> Arc<Site> {
        let may_trace = EXISTING.fetch_add(1, Ordering::Relaxed) < TRACED;
        // A thread that ends may have none any more.
        let told = TOLD.try_with(|told| told.borrow().clone());
        let told = told.unwrap_or_default();
        let trace = if may_trace && told.is_empty() {
            Backtrace::force_capture()
        } else {
            Backtrace::disabled()
        };
        Arc::new(Site {
            call: call.to_owned(),
            nth,
            thread: calls::thread(),
            told,
            trace,
        })
    }

    /// Returns the name of the C function.
    pub(super) fn call(&self) -> &str {
        &self.call
    }

    /// Returns the call as a report shows it.
    pub(super) fn issued(&self) -> Issued {
        let mut frames = Vec::new();
        if self.trace.status() == BacktraceStatus::Captured {
            frames = self::frames(&self.trace.to_string(), &self.call);
        } else if !self.told.is_empty() {
            let mut told = self.told.clone();
            // An interpreter tells its lines at calls only.
            if self.call == PROGRAM {
                let last = told.find(CALLED_BY).unwrap_or(told.len());
                told.truncate(last);
                told.push_str(" (its last call)");
            }
            frames.push(told);
        }
        Issued {
            call: self.call.clone(),
            nth: self.nth,
            thread: self.thread.to_string(),
            frames,
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
        for (position, frame) in self.frames.iter().enumerate() {
            let link = if position == 0 { ", in" } else { ", called by" };
            write!(f, "{link} {frame}")?;
        }
        Ok(())
    }
}

/// Returns the innermost frames of the program, without frames of the emulator, of its Rust API, and of the standard
/// library. `trace` is the text of a [`Backtrace`]: a line with number and function, and a line with the place if
/// there is debug information.
fn frames(trace: &str, call: &str) -> Vec<String> {
    let mut frames = Vec::new();
    for (function, place) in behind_call(all(trace), call) {
        // An inlined function of the standard library may have no crate in its name.
        let is_of_library = place.is_some_and(|place| place.starts_with("/rustc/"));
        if is_of_library || is_internal(function, call) {
            if frames.is_empty() {
                continue;
            }
            break;
        }
        let function = function
            .rsplit_once("::h")
            .filter(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
            .map_or(function, |(function, _)| function);
        let name = symbol::readable(function).unwrap_or_else(|| function.to_owned());
        frames.push(match place {
            Some(place) => format!("{name} at {place}"),
            None => name,
        });
        if frames.len() == SHOWN || function == "main" {
            break;
        }
    }
    frames
}

/// A function, and its place if that is known.
type Frame<'a> = (&'a str, Option<&'a str>);

/// Returns all frames of the text of a [`Backtrace`].
fn all(trace: &str) -> Vec<Frame<'_>> {
    let mut frames = Vec::new();
    let mut lines = trace.lines().map(str::trim_start).peekable();
    while let Some(line) = lines.next() {
        let Some((number, function)) = line.split_once(": ") else {
            continue;
        };
        if number.parse::<u32>().is_ok() {
            let place = lines.next_if(|line| line.starts_with("at "));
            frames.push((function, place.map(|line| line.trim_start_matches("at "))));
        }
    }
    frames
}

/// Returns the frames behind the one of the call, or of the fault of the program. Debug information of lines alone has inlined
/// functions without their crate, so those of the emulator cannot be told from others by their names.
fn behind_call<'a>(mut frames: Vec<Frame<'a>>, call: &str) -> Vec<Frame<'a>> {
    let is_call = |(function, _): &Frame<'_>| {
        let last = function.rsplit("::").next();
        is_signal(function)
            || (call == PROGRAM && last == Some("on_fault"))
            || (last == Some(call) && is_internal(function, call))
    };
    let mut behind = 0;
    while let Some(place) = frames.iter().skip(behind).position(is_call) {
        // A second phase has one function for all operators between two that have the name of the call.
        if behind > 0 && place > 1 {
            break;
        }
        behind += place + 1;
    }
    frames.split_off(behind)
}

/// Returns whether it is a frame of the system between a fault and its handler.
fn is_signal(function: &str) -> bool {
    function == "__restore_rt" || function.ends_with("kernel_rt_sigreturn")
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
    function == call || function == "<unknown>" || is_signal(function) || (own && in_crate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_frame_is_found() {
        let trace = "   0: std::backtrace::Backtrace::create
             at /rustc/0/library/std/src/backtrace.rs:331:13
   1: ascendcl_emulator::check::site::Site::here
             at ./emulator/src/check/site.rs:46:20
   2: aclrtFree
   3: <ascendcl::memory::DeviceBuf as core::ops::drop::Drop>::drop
   4: core::ptr::drop_in_place
   5: pipeline::main
             at ./examples/pipeline/main.rs:60:5
   6: std::rt::lang_start";
        assert_eq!(
            frames(trace, "aclrtFree"),
            ["pipeline::main at ./examples/pipeline/main.rs:60:5"]
        );
    }

    #[test]
    fn inlined_functions_of_the_emulator_are_not_the_programs() {
        let trace = "   0: force_capture
             at /rustc/0/library/std/src/backtrace.rs:331:13
   1: here
             at ./src/check/site.rs:46:20
   2: ascendcl_emulator::event::aclrtDestroyEvent
             at ./src/event/mod.rs:236:5
   3: sample::run
             at ./src/main.rs:3:5
   4: std::rt::lang_start";
        let program = ["sample::run at ./src/main.rs:3:5"];
        assert_eq!(frames(trace, "aclrtDestroyEvent"), program);
        let trace = "   0: ascendcl_emulator::op::functions::aclnnAdd
             at ./src/op/functions.rs:40:5
   1: launched
             at ./src/api/observed.rs:180:23
   2: aclnnAdd
             at ./src/api/observed.rs:260:9
   3: sample::run
             at ./src/main.rs:3:5";
        assert_eq!(frames(trace, "aclnnAdd"), program);
        let trace = "   0: on_fault
             at ./src/check/dereference.rs:99:16
   1: __restore_rt
   2: sample::run
             at ./src/main.rs:3:5";
        assert_eq!(frames(trace, "the program"), program);
        let trace = "   0: on_fault
             at ./src/check/dereference.rs:99:16
   1: <unknown>
   2: read_volatile<u8>
             at /rustc/0/library/core/src/ub_checks.rs:78:17
   3: sample::run
             at ./src/main.rs:3:5";
        assert_eq!(frames(trace, "the program"), program);
    }

    #[test]
    fn functions_of_c_need_no_line_and_lose_their_hash() {
        let trace = "   0: aclrtFree\n   1: release_all\n   2: main\n   3: __libc_start_main";
        assert_eq!(frames(trace, "aclrtFree"), ["release_all", "main"]);
        let trace = "   0: sample::run::h0123456789abcdef";
        assert_eq!(frames(trace, "aclrtFree"), ["sample::run"]);
        let deep = "   0: a\n   1: b\n   2: c\n   3: d";
        assert_eq!(frames(deep, "aclrtFree"), ["a", "b", "c"]);
        assert!(frames("   0: std::rt::lang_start", "aclrtFree").is_empty());
        assert!(frames("disabled backtrace", "aclrtFree").is_empty());
    }

    #[test]
    fn a_call_says_what_is_known_of_it() {
        let mut issued = Issued {
            call: "aclrtFree".into(),
            nth: Some(7),
            thread: "main".into(),
            frames: vec![
                "release at free.c:12:5".into(),
                "main at free.c:30:1".into(),
            ],
        };
        assert_eq!(
            issued.to_string(),
            "aclrtFree, call 7 of thread main, in release at free.c:12:5, called by main at free.c:30:1"
        );
        (issued.nth, issued.frames) = (None, Vec::new());
        assert_eq!(issued.to_string(), "aclrtFree, thread main");
    }
}
