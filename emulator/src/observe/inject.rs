//! The injection of faults into the calls and tasks of this process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ascendcl_sys::{ACL_ERROR_RT_LOST_HEARTBEAT, aclError};

use crate::config::chosen;
use crate::config::fault::{Effect, Fault};
use crate::error::fail;
use crate::results::list_of;

/// The faults of this process.
#[derive(Debug)]
struct Faults {
    faults: Vec<Entry>,
    seed: u64,
    in_tasks: bool,
}

/// A fault of this process.
#[derive(Debug)]
struct Entry {
    fault: Fault,
    /// The number of calls or tasks so far that it applies to.
    seen: AtomicU64,
    /// Whether it has struck.
    struck: AtomicBool,
    /// Whether a reset has ended it.
    healed: AtomicBool,
}

/// A fault that strikes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struck {
    pub(crate) code: aclError,
    pub(crate) effect: Effect,
    /// The number of the call or task.
    nth: u64,
    /// Whether the work that is queued now is lost.
    pub(crate) loses_work: bool,
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
            faults: list_of(config.faults.into_iter().map(|fault| Entry {
                fault,
                seen: AtomicU64::new(0),
                struck: AtomicBool::new(false),
                healed: AtomicBool::new(false),
            })),
            seed: config.fault_seed,
        }
    })
}

/// The two functions that undo `aclrtSetDevice`.
const RESETS: [&str; 2] = ["aclrtResetDevice", "aclrtResetDeviceForce"];

impl Entry {
    /// Counts a call or task, and returns whether it fails.
    fn strikes(&self, name: &str, nth: u64, seed: u64) -> bool {
        if self.healed.load(Ordering::Acquire) || !self.fault.strikes(nth, seed) {
            return false;
        }
        let was_struck = self.struck.swap(true, Ordering::AcqRel);
        // The reset that ends a fault does not fail by it.
        !(was_struck && self.fault.heals_at_reset() && RESETS.contains(&name))
    }
}

impl Faults {
    /// Returns the first fault that strikes this call or task, of those that `concern` it. Each of them counts the call.
    fn inject(&self, name: &str, concern: &dyn Fn(&Fault) -> bool) -> Option<Struck> {
        let mut struck = None;
        for entry in self.faults.iter().filter(|entry| concern(&entry.fault)) {
            let fault = &entry.fault;
            let nth = entry.seen.fetch_add(1, Ordering::Relaxed) + 1;
            if struck.is_none() && entry.strikes(name, nth, self.seed) {
                STRUCK.fetch_add(1, Ordering::Relaxed);
                struck = Some(Struck {
                    code: fault.code(),
                    effect: fault.effect(),
                    nth,
                    loses_work: fault.loses_work(nth),
                });
            }
        }
        struck
    }
}

/// Returns the injected fault of this call, if there is one. `has_code` says whether the function returns a code.
pub(crate) fn call(name: &str, has_code: bool) -> Option<Struck> {
    let concerns = |fault: &Fault| fault.effect() == Effect::Call && fault.concerns(name, has_code);
    let struck = faults().inject(name, &concerns)?;
    fail(
        struck.code,
        format_args!(
            "{name}: call {} fails because of an injected fault",
            struck.nth
        ),
    );
    Some(struck)
}

/// Returns the code of the injected fault of a task, if there is one. `name` is the function that queued the task.
#[inline]
pub(crate) fn task(name: &str) -> Option<aclError> {
    let faults = faults();
    if !faults.in_tasks {
        return None;
    }
    let concerns = |fault: &Fault| fault.is_in_task() && fault.concerns(name, true);
    faults.inject(name, &concerns).map(|struck| struck.code)
}

/// Returns whether an injected fault makes a task hang. `name` is the function that queued the task.
pub(crate) fn hangs(name: &str) -> bool {
    let concerns = |fault: &Fault| fault.effect() == Effect::Hang && fault.concerns(name, true);
    faults().inject(name, &concerns).is_some()
}

/// Returns the injected fault of an abort that begins, if there is one.
pub(crate) fn abort(name: &str) -> Option<Struck> {
    let concerns = |fault: &Fault| {
        let disturbs = matches!(fault.effect(), Effect::Half | Effect::Slow(_));
        disturbs && fault.concerns(name, true)
    };
    faults().inject(name, &concerns)
}

/// Whether a call has said that a device does not answer any more. Only a reset helps then, and it cannot wait for work.
pub(crate) fn has_lost_device() -> bool {
    let is_loss = |entry: &Entry| {
        entry.fault.code() == ACL_ERROR_RT_LOST_HEARTBEAT && entry.struck.load(Ordering::Acquire)
    };
    faults().faults.iter().any(is_loss)
}

/// Ends the faults that the release of a device ends.
pub(crate) fn device_released() {
    for entry in &faults().faults {
        if entry.fault.heals_at_reset() && entry.struck.load(Ordering::Acquire) {
            entry.healed.store(true, Ordering::Release);
        }
    }
}
