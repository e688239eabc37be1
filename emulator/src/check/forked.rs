//! A child of `fork` that uses AscendCL although its parent had used it.
//!
//! The locks of the checker are copies that another thread may hold for ever, so the child takes none of them: what it
//! needs for its finding is gathered by its thread before the fork.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::finding::{Finding, Mistake};
use super::is_on;
use super::report::{self, Report};
use super::site::{Issued, Site};

thread_local! {
    /// The place of the fork, and the report of the child.
    static FORK: RefCell<Option<(Issued, Report)>> = const { RefCell::new(None) };
}

static FOUND: AtomicBool = AtomicBool::new(false);

/// Called before this thread forks.
pub(crate) fn forks() {
    if is_on() {
        let place = (Site::of_fork().issued(), report::of_child());
        let _ = FORK.try_with(|fork| fork.replace(Some(place)));
    }
}

/// Called in the child for each call of AscendCL.
pub(crate) fn used_in_child(call: &str, parent: i32) {
    let fork = FORK.try_with(RefCell::take).ok().flatten();
    let Some((place, report)) = fork else {
        return;
    };
    let finding = Finding {
        mistake: Mistake::UsedAfterFork,
        text: format!(
            "process {} called {call}; it is a child of process {parent}, which had used AscendCL before the fork",
            std::process::id()
        ),
        calls: vec![("forked", place)],
        times: 1,
    };
    if report.deliver_in_child(finding) {
        FOUND.store(true, Ordering::Relaxed);
    }
}

/// Returns whether this child has to end with [`EXIT_STATUS`](crate::EXIT_STATUS).
pub(crate) fn is_wrong() -> bool {
    FOUND.load(Ordering::Relaxed)
}
