//! The checker: finds the mistakes that a card answers with wrong numbers, seldom, and on somebody else's machine.
//!
//! It follows the calls of a program, not the clock: a race is found whether or not it was lost this
//! time. The rest of the emulator tells it what happens ([`tell`]); off, that is one branch.
//!
//! What it cannot see, because no call tells:
//!
//! - The program's own reads and writes of page-locked host memory, where they are of less than a page
//!   of a larger range of a task, come behind a function that the program has queued, or are made on the
//!   device itself. Everywhere else the processor tells (`dereference`).
//! - On other processors than x86-64: reads of page-locked memory that a failed task should have written.
//! - How the threads of the host wait for each other. They count as one, which misses a race between
//!   two threads and never reports one that a mutex or a channel prevents.
//! - Which bytes an operator touches in a view with gaps. Such a view is checked for its ends, its
//!   allocation and its lifetime, not for races.
//!
//! Floors, from the bottom: `clock`, `symbol`, `site`, then `shadow` (one allocation's bytes) and `order` (what
//! comes before what), `blocks` and `handles`, `finding`; `values` which write of a number ends which wait, `model`
//! puts them together and `access` judges one use of memory, `direction` the kind of a copy, `guard` keeps memory from
//! the program and `dereference` hears who tries, `hooks` is how
//! the emulator speaks to it, `report` tells the user.

mod access;
mod blocks;
mod clock;
mod dereference;
mod direction;
mod finding;
mod guard;
mod handles;
mod hooks;
mod leaks;
mod model;
mod order;
mod report;
mod shadow;
mod site;
mod symbol;
mod usage;
mod values;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use crate::config::{Check, EmulatorConfig, RunMode};
use crate::observe::violation::{self, What};
use crate::sync::lock;

pub use finding::{Finding, Mistake};
pub use report::{findings, take_findings};
pub use site::Issued;

pub(crate) use dereference::start as see_dereferences;
pub(crate) use handles::{BRANCH, CONDITION, DATA_BUFFER, SCALAR, TENSOR};
pub(crate) use leaks::Left;
pub(crate) use model::{Checker, StreamSlot, Touch};
pub(crate) use site::Site;
pub(crate) use usage::{Usage, keep};

static ON: AtomicBool = AtomicBool::new(false);

static CHECKER: LazyLock<Mutex<Checker>> = LazyLock::new(Mutex::default);

/// Switches the checker on, if the configuration asks for it.
pub(crate) fn start(config: &EmulatorConfig) {
    if config.check == Check::Off {
        return;
    }
    report::start(config);
    {
        let mut checker = lock(&CHECKER);
        checker.shared = config.run_mode == RunMode::Device;
        checker.left_to_reset = config.left_to_reset;
    }
    ON.store(true, Ordering::Release);
}

/// Ends the report; true when the process shall end with an error. `left` is asked where it matters what the
/// program has not released.
pub(crate) fn end(left: impl FnOnce() -> Left) -> bool {
    is_on() && report::end(left)
}

/// The program has called a function that is not modelled. Whoever does not look at its answer is told once.
#[cold]
pub(crate) fn not_modelled(call: &'static str) {
    if is_on() {
        report::not_modelled(call);
    }
}

/// Whether the checker is on.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Tells the checker what `call` does, if it is on.
#[inline]
pub(crate) fn tell(call: &str, what: impl Fn(&mut Checker, Arc<Site>)) {
    if is_on() {
        let site = Site::here(call);
        learnt(&|checker| what(checker, Arc::clone(&site)));
    }
}

/// Tells the checker what happened without a call of its own, if it is on.
#[inline]
pub(crate) fn note(what: impl Fn(&mut Checker)) {
    if is_on() {
        learnt(&what);
    }
}

/// Records what the program did that a card punishes, whether the checker is on or not.
#[cold]
pub(crate) fn violated(call: &'static str, what: What, text: fmt::Arguments<'_>) {
    let text = text.to_string();
    tell(call, |checker, site| {
        checker.violation(what, &text, site);
    });
    violation::keep(call, what, text);
}

#[cold]
fn learnt(what: &dyn Fn(&mut Checker)) {
    let mut checker = lock(&CHECKER);
    what(&mut checker);
    let found = checker.take_found();
    drop(checker);
    // Without the lock: a report looks up lines, which takes its time.
    report::deliver(found);
}
