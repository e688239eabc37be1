//! The running call of each thread, for reports and timelines.
//!
//! Only observed tables ([`crate::api`]) count calls; a program that calls [`crate::API`] directly has
//! no numbers in its reports.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A call of a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    /// The C function.
    pub(crate) name: &'static str,
    /// The number of the call in its thread, counted from 1.
    pub(crate) nth: u64,
}

thread_local! {
    static RUNNING: Cell<Option<Number>> = const { Cell::new(None) };
    static MADE: Cell<u64> = const { Cell::new(0) };
    /// Whether a function of the program runs on the thread, as a task of a stream.
    static CALLED: Cell<bool> = const { Cell::new(false) };
    static LABEL: OnceCell<Arc<str>> = const { OnceCell::new() };
}

/// A running call, which [`leave`] ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Running {
    /// The call around this one: a callback may call functions of C.
    outer: Option<Number>,
}

/// Begins a call of this thread.
pub(crate) fn enter(name: &'static str) -> Running {
    let nth = MADE.replace(MADE.get() + 1) + 1;
    Running {
        outer: RUNNING.replace(Some(Number { name, nth })),
    }
}

/// Ends a call of this thread.
///
/// This is no `Drop`: no function of C unwinds, and a `Drop` would add code for unwinding to hundreds of entries.
pub(crate) fn leave(running: Running) {
    RUNNING.set(running.outer);
}

/// Runs a function of the program, which a stream calls.
pub(crate) fn called(function: impl FnOnce()) {
    let outer = CALLED.replace(true);
    function();
    CALLED.set(outer);
}

/// Whether this thread runs a function of the program that a stream has called.
#[inline]
pub(crate) fn in_function() -> bool {
    CALLED.get()
}

/// Returns the running call of this thread, if calls are counted.
pub(crate) fn running() -> Option<Number> {
    RUNNING.get()
}

/// Returns the name of this thread: `main`, the name that the program gave it, or a number.
pub(crate) fn thread() -> Arc<str> {
    LABEL
        .try_with(|label| Arc::clone(label.get_or_init(name_thread)))
        .unwrap_or_else(|_| "a thread that is ending".into())
}

fn name_thread() -> Arc<str> {
    static UNNAMED: AtomicU64 = AtomicU64::new(2);
    // SAFETY: no preconditions.
    let thread = unsafe { libc::gettid() };
    if u32::try_from(thread) == Ok(std::process::id()) {
        return "main".into();
    }
    match std::thread::current().name() {
        Some(name) => name.into(),
        None => format!("number {}", UNNAMED.fetch_add(1, Ordering::Relaxed)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_thread_and_restored_after_a_callback() {
        let first = enter("aclrtMalloc");
        let inner = enter("aclrtFree");
        assert_eq!(
            running().map(|call| (call.name, call.nth)),
            Some(("aclrtFree", 2))
        );
        leave(inner);
        assert_eq!(
            running().map(|call| (call.name, call.nth)),
            Some(("aclrtMalloc", 1))
        );
        leave(first);
        assert!(running().is_none());
        let other = std::thread::spawn(|| {
            enter("aclrtFree");
            running().map(|call| call.nth)
        });
        assert_eq!(other.join().ok().flatten(), Some(1));
    }

    #[test]
    fn threads_have_names() {
        let named = std::thread::Builder::new().name("uploader".into());
        let name = named.spawn(thread).map(|thread| thread.join().ok());
        assert_eq!(name.ok().flatten().as_deref(), Some("uploader"));
        let name = std::thread::spawn(thread).join().ok();
        assert!(name.is_some_and(|name| name.starts_with("number ")));
    }
}
