//! The checker: it finds mistakes of a program that a card does not report and that show as wrong numbers, rarely,
//! and often on another machine.
//!
//! The checker uses the order of the calls, not the time. So it finds a race whether or not the race happened in this
//! run. The rest of the emulator reports each event to it ([`tell`]). If the checker is off, this costs one branch.
//!
//! The checker cannot see the following, because no call shows it:
//!
//! - Reads and writes of page-locked host memory by the program in three cases: they touch less than a page of a
//!   larger range of a task, they come after a function that the program has queued, or they run on the device
//!   itself. In all other cases the processor reports them (`dereference`).
//! - On other processors than x86-64: reads of page-locked memory that a failed task should have written.
//! - How the threads of the host wait for each other. All threads count as one. So the checker misses a race between
//!   two threads, and it never reports a race that a mutex or a channel prevents.
//! - Memory of one collective, or of the copies of one batch, that overlaps.
//! - Waits in a circle that a flag or a number is part of, or that the schedule of a seed runs.
//! - Accesses of a kernel in C++ through plain pointers (`__gm__ float *`): neither bounds nor races, and no reads of unwritten
//!   memory. Inputs that are written so, and outputs that are not written as a whole, are found where the typed API has told
//!   their lengths.
//! - Which bytes an operator uses in a view with gaps. The checker checks the ends, the allocation and the lifetime
//!   of such a view, and no races.
//!
//! The files, from the lowest layer to the highest: `clock`, `symbol` and `site`; `shadow` (the bytes of one
//! allocation) and `order` (the order of tasks); `blocks`, `handles` and `finding`; `values` (the write of a number
//! that ends a wait). `state` combines them, and `access` checks one use of memory, `direction` the kind of a copy,
//! `overlap` a task against itself, `launches` a kernel of the program against other tasks.
//! `forked` is for the children of a process.
//! `guard` protects memory from access by the program, and `dereference` handles the faults. `hooks` has the
//! functions that the emulator calls, `report` shows the findings to the user.

mod access;
mod blocks;
mod clock;
mod dereference;
mod direction;
mod finding;
mod forked;
mod guard;
mod handles;
mod hooks;
#[cfg(feature = "kernels")]
mod launches;
mod leaks;
mod order;
mod overlap;
mod report;
mod shadow;
mod site;
mod state;
mod symbol;
mod usage;
mod values;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use crate::config::{Check, EmulatorConfig, RunMode};
use crate::observe::violation::{self, What};
use crate::sync::{Mutex, lock};

pub use finding::{Finding, Mistake};
pub use report::{findings, take_findings};
pub use site::{Issued, called_from};

pub(crate) use dereference::{
    caller, in_function, is_called, is_called_by, start as see_dereferences,
};
pub(crate) use forked::{forks, is_wrong as child_is_wrong, used_in_child};
pub(crate) use handles::{
    ARGUMENTS, BRANCH, CONDITION, DATA_BUFFER, FUNCTION, GRAPH, SCALAR, TENSOR,
};
#[cfg(feature = "kernels")]
pub(crate) use launches::{kernel_found, launch_begins, launch_ran};
pub(crate) use leaks::Left;
pub(crate) use overlap::InPlace;
pub(crate) use site::Site;
pub(crate) use state::{Checker, StreamSlot, Touch};
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

/// Ends the report and returns whether the process has to end with an error. `left` is called only if unreleased
/// objects have to be reported.
pub(crate) fn end(left: impl FnOnce() -> Left) -> bool {
    is_on() && report::end(left)
}

/// Reports, once for each function, that the program called a function that is not modelled. So a programmer who
/// ignores the return code notices it.
#[cold]
pub(crate) fn not_modelled(call: &'static str) {
    if is_on() {
        report::not_modelled(call);
    }
}

/// Reports that a function of the program, which a stream has called, makes a call. Calls that only read are left out:
/// public samples read results there, and such calls neither wait nor change what exists.
#[cold]
pub(crate) fn called_in_function(call: &'static str) {
    let acts = [
        "aclrt",
        "aclmdl",
        "aclop",
        "aclnn",
        "acldvpp",
        "hi_mpi_",
        "Hccl",
        "aclInit",
        "aclFinalize",
    ];
    let reads = ["Get", "Query", "Peek"];
    if acts.iter().any(|start| call.starts_with(start))
        && !reads.iter().any(|word| call.contains(word))
    {
        tell(call, &Checker::called_in_function);
    }
}

/// Returns whether the checker is on.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Reports an action of `call` to the checker, if the checker is on.
#[inline]
pub(crate) fn tell(call: &str, what: &dyn Fn(&mut Checker, Arc<Site>)) {
    if is_on() {
        told(call, what);
    }
}

#[cold]
fn told(call: &str, what: &dyn Fn(&mut Checker, Arc<Site>)) {
    let site = Site::here(call);
    learnt(&|checker| what(checker, Arc::clone(&site)));
}

/// Reports that a call was given a handle of an object that does not exist, of a kind whose life the checker does not
/// follow. The library of a card follows such a handle as a pointer.
#[cold]
pub(crate) fn not_alive(call: &str, kind: &str, handle: usize) {
    tell(call, &|checker, site| checker.not_alive(kind, handle, site));
}

/// Reports an event without a call of its own to the checker, if the checker is on.
#[inline]
pub(crate) fn note(what: &dyn Fn(&mut Checker)) {
    if is_on() {
        learnt(what);
    }
}

/// Records a violation, whether the checker is on or not.
#[cold]
pub(crate) fn violated(call: &'static str, what: What, text: fmt::Arguments<'_>) {
    let text = text.to_string();
    tell(call, &|checker, site| {
        checker.violation(what, &text, site);
    });
    violation::keep(call, what, text);
}

/// Returns the running call, for a violation that its task shows later; `None` if the checker is off.
pub(crate) fn issuer(call: &str) -> Option<Arc<Site>> {
    is_on().then(|| Site::here(call))
}

/// Records a violation of a task, which the call `issuer` has queued, whether the checker is on or not.
#[cold]
pub(crate) fn violated_later(
    call: &'static str,
    issuer: Option<&Arc<Site>>,
    what: What,
    text: String,
) {
    if let Some(site) = issuer {
        note(&|checker| checker.violation(what, &text, Arc::clone(site)));
    }
    violation::keep(call, what, text);
}

#[cold]
fn learnt(what: &dyn Fn(&mut Checker)) {
    let mut checker = lock(&CHECKER);
    what(&mut checker);
    let found = checker.take_found();
    drop(checker);
    // Without the lock, because a report looks up lines, which is slow.
    report::deliver(found);
}
