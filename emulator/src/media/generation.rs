//! The generations of the media engine: a process uses one of them.

use std::sync::atomic::{AtomicU8, Ordering};

use super::picture::Generation;
use crate::check;

/// The generations that the process has used, a bit for each.
static USED: AtomicU8 = AtomicU8::new(0);

/// Notes that the process uses a generation, and reports the second one to the checker.
pub(super) fn uses(call: &str, generation: Generation) {
    let bit = match generation {
        Generation::First => 1,
        Generation::Second => 2,
    };
    let before = USED.fetch_or(bit, Ordering::Relaxed);
    if before | bit == 3 && before != 3 {
        check::tell(call, &|checker, site| checker.mixed(site));
    }
}
