//! The injection of faults into the calls and tasks of this process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::aclError;

use crate::config::chosen;
use crate::config::fault::Fault;
use crate::error::fail;
use crate::results::list_of;

/// The faults of this process, each with the number of calls or tasks so far that it applies to.
#[derive(Debug)]
struct Faults {
    faults: Vec<(Fault, AtomicU64)>,
    seed: u64,
    in_tasks: bool,
}

static FAULTS: OnceLock<Faults> = OnceLock::new();
static STRUCK: AtomicU64 = AtomicU64::new(0);

/// Returns the number of calls and tasks of this process so far that failed because of an injected fault.
///
/// A test of a failure should check this number. A fault that never struck has tested nothing.
#[must_use]
pub fn faults_struck() -> u64 {
    STRUCK.load(Ordering::Relaxed)
}

fn faults() -> &'static Faults {
    FAULTS.get_or_init(|| {
        let config = chosen::peek();
        Faults {
            in_tasks: config.faults.iter().any(Fault::is_in_task),
            faults: list_of(
                config
                    .faults
                    .into_iter()
                    .map(|fault| (fault, AtomicU64::new(0))),
            ),
            seed: config.fault_seed,
        }
    })
}

impl Faults {
    /// Returns the code of the first fault that makes this call or task fail, and the number of the call or task.
    /// Every fault that applies to the function counts the call.
    fn inject(&self, name: &str, has_code: bool, in_task: bool) -> Option<(aclError, u64)> {
        let mut struck = None;
        let concerned = |(fault, _): &&(Fault, AtomicU64)| {
            fault.is_in_task() == in_task && fault.concerns(name, has_code)
        };
        for (fault, seen) in self.faults.iter().filter(concerned) {
            let nth = seen.fetch_add(1, Ordering::Relaxed) + 1;
            if struck.is_none() && fault.strikes(nth, self.seed) {
                STRUCK.fetch_add(1, Ordering::Relaxed);
                struck = Some((fault.code(), nth));
            }
        }
        struck
    }
}

/// Returns the code of the injected fault of this call, if there is one. `has_code` says whether the function returns
/// a code.
pub(crate) fn call(name: &str, has_code: bool) -> Option<aclError> {
    let (code, nth) = faults().inject(name, has_code, false)?;
    Some(fail(
        code,
        format_args!("{name}: call {nth} fails because of an injected fault"),
    ))
}

/// Returns the code of the injected fault of a task, if there is one. `name` is the function that queued the task.
#[inline]
pub(crate) fn task(name: &str) -> Option<aclError> {
    let faults = faults();
    if !faults.in_tasks {
        return None;
    }
    faults.inject(name, true, true).map(|(code, _)| code)
}
