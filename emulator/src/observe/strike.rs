//! Faults at work: which call or task of this process is struck.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ascendcl_sys::aclError;

use crate::config::chosen;
use crate::config::fault::Fault;
use crate::error::fail;

/// The faults of this process, each with what came by so far that it is about.
#[derive(Debug)]
struct Faults {
    faults: Vec<(Fault, AtomicU64)>,
    seed: u64,
    in_tasks: bool,
}

static FAULTS: OnceLock<Faults> = OnceLock::new();
static STRUCK: AtomicBool = AtomicBool::new(false);

/// Whether anything has failed because it was told to.
pub(crate) fn has_struck() -> bool {
    STRUCK.load(Ordering::Relaxed)
}

fn faults() -> &'static Faults {
    FAULTS.get_or_init(|| {
        let config = chosen::peek();
        Faults {
            in_tasks: config.faults.iter().any(Fault::is_in_task),
            faults: config
                .faults
                .into_iter()
                .map(|fault| (fault, AtomicU64::new(0)))
                .collect(),
            seed: config.fault_seed,
        }
    })
}

impl Faults {
    /// The code of the fault that strikes now, and which call or task it is. All that are concerned
    /// count.
    fn strike(&self, name: &str, has_code: bool, in_task: bool) -> Option<(aclError, u64)> {
        let mut struck = None;
        let concerned = |(fault, _): &&(Fault, AtomicU64)| {
            fault.is_in_task() == in_task && fault.concerns(name, has_code)
        };
        for (fault, seen) in self.faults.iter().filter(concerned) {
            let nth = seen.fetch_add(1, Ordering::Relaxed) + 1;
            if struck.is_none() && fault.strikes(nth, self.seed) {
                STRUCK.store(true, Ordering::Relaxed);
                struck = Some((fault.code(), nth));
            }
        }
        struck
    }
}

/// The code that this call is to fail with, if it is. `has_code` says whether it answers with one.
pub(crate) fn call(name: &str, has_code: bool) -> Option<aclError> {
    let (code, nth) = faults().strike(name, has_code, false)?;
    Some(fail(
        code,
        format_args!("{name}: call {nth} fails because the emulator was told so"),
    ))
}

/// The code that a task which this call queued is to fail with, if it is.
#[inline]
pub(crate) fn task(name: &str) -> Option<aclError> {
    let faults = faults();
    if !faults.in_tasks {
        return None;
    }
    faults.strike(name, true, true).map(|(code, _)| code)
}
