//! Whether this process is a child of `fork` whose parent had used the emulator before.
//!
//! Such a child has a copy of the state of its parent, and none of the threads that run the work: a wait would never
//! end, and a lock that another thread held stays locked. So every call of it is refused (`api/withheld.rs`), and the end of
//! the process leaves the state alone.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

static USED: AtomicBool = AtomicBool::new(false);
static PARENT: AtomicI32 = AtomicI32::new(0);

/// Notes that this process uses the emulator from now on. A child that forks before this makes a start of its own.
pub(crate) fn used() {
    USED.store(true, Ordering::Relaxed);
}

/// Returns whether this process uses the emulator, and can.
pub(crate) fn is_used() -> bool {
    USED.load(Ordering::Relaxed) && parent().is_none()
}

/// Notes that this process is a child, and returns whether its calls have to be refused.
pub(crate) fn begin_child() -> bool {
    if !USED.load(Ordering::Relaxed) {
        return false;
    }
    if parent().is_none() {
        // SAFETY: no preconditions.
        PARENT.store(unsafe { libc::getppid() }, Ordering::Relaxed);
    }
    true
}

/// Returns the process that had used the emulator, if this one is a child of it.
#[inline]
pub(crate) fn parent() -> Option<i32> {
    Some(PARENT.load(Ordering::Relaxed)).filter(|parent| *parent != 0)
}
