//! The life of a device or context in the runtime, which threads without a borrow of it may have to wait out.

use crate::sync::{AtomicU32, Mutex, Ordering, lock};

/// The state of a context in the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// The runtime has the context, and the context can be waited for.
    Open,
    /// The context was released after a proof that its work is over.
    Over,
    /// The context was released without a proof that its work is over.
    Lost,
}

/// The life of one context.
#[derive(Debug)]
pub(super) struct Lifetime {
    /// Locked by a thread that waits for the context without a borrow of it. The value changes before the context is
    /// released.
    life: Mutex<Life>,
    /// The same value, for threads that must not wait until such a wait is over.
    seen: AtomicU32,
}

impl Lifetime {
    /// The life of a context that is open.
    pub(super) fn new() -> Lifetime {
        Lifetime {
            life: Mutex::new(Life::Open),
            seen: AtomicU32::new(Life::Open as u32),
        }
    }

    /// Runs `work` with the state of the context. An open context is not released before `work` returns.
    pub(super) fn hold<R>(&self, work: impl FnOnce(Life) -> R) -> R {
        let life = lock(&self.life);
        work(*life)
    }

    /// Enters that the context is about to be released. Waits until no thread holds it.
    pub(super) fn end(&self, life: Life) {
        let mut held = lock(&self.life);
        *held = life;
        self.seen.store(life as u32, Ordering::SeqCst);
    }

    /// Whether the context has ended in this way. Does not wait for a thread that holds the context.
    pub(super) fn has_ended(&self, life: Life) -> bool {
        self.seen.load(Ordering::SeqCst) == life as u32
    }
}
