//! The notice that much memory is parked.

use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl_sys as sys;

use crate::raw::{bound_device, in_host_func};

/// The number of bytes that the program has set, or zero.
static THRESHOLD: AtomicUsize = AtomicUsize::new(0);

/// No device is asked for the size of its memory before so many bytes are parked.
const SMALL: usize = 64 << 20;

/// Sets the number of parked bytes of one device from which the hook for failed releases is told of them
/// ([`on_release_failure`](crate::on_release_failure), with [`Usage::Parked`](crate::error::Usage::Parked)). The default is a
/// tenth of the device's memory.
///
/// Each device tells the hook once. Much parked memory is a sign that a stream is never waited for.
/// [`parked_bytes`](crate::parked_bytes) is the number at any time.
///
/// ```
/// ascendcl::set_parked_threshold(256 << 20); // 256 MiB
/// ```
pub fn set_parked_threshold(bytes: usize) {
    THRESHOLD.store(bytes, Ordering::Relaxed);
}

/// Whether and when the hook is told of the memory that is parked for one device.
pub(super) enum Notice {
    /// The size of the device's memory is not known.
    Unknown,
    /// From so many bytes.
    From(usize),
    /// The hook was told.
    Given,
}

impl Notice {
    /// Whether so many bytes may be a reason to tell the hook.
    pub(super) fn is_due(&self, bytes: usize) -> bool {
        match (self, THRESHOLD.load(Ordering::Relaxed)) {
            (Notice::Given, _) => false,
            (Notice::From(threshold), 0) => bytes >= *threshold,
            (Notice::Unknown, 0) => bytes >= SMALL,
            (_, threshold) => bytes >= threshold,
        }
    }

    /// Whether the size of the device's memory decides.
    pub(super) fn asks_for_memory(&self) -> bool {
        matches!(self, Notice::Unknown) && THRESHOLD.load(Ordering::Relaxed) == 0
    }

    /// Learns the size of the device's memory.
    pub(super) fn learn(&mut self, total: usize) {
        if matches!(self, Notice::Unknown) {
            *self = Notice::From(SMALL.max(total / 10));
        }
    }

    /// Returns the bytes if they are the reason to tell the hook, which is told once.
    pub(super) fn take(&mut self, bytes: usize) -> Option<usize> {
        let is_due = self.is_due(bytes);
        if is_due {
            *self = Notice::Given;
        }
        is_due.then_some(bytes)
    }
}

/// Returns the size of the memory of the device that the thread is bound to, in bytes; `None` where it cannot be asked.
pub(super) fn device_memory() -> Option<usize> {
    bound_device().filter(|_| !in_host_func())?;
    let (mut free, mut total) = (0, 0);
    // SAFETY: both are valid for a write of a usize.
    let code = unsafe { sys::aclrtGetMemInfo(sys::ACL_HBM_MEM, &raw mut free, &raw mut total) };
    (code == sys::ACL_SUCCESS).then_some(total)
}
