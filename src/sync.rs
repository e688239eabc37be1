//! What threads share is made of these: the standard library's, or loom's, which tries every order in which
//! threads could meet (`device/model.rs`). The flag is not `loom`, which would ask the same of the emulator.

#[cfg(all(test, loom_typed))]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
#[cfg(not(all(test, loom_typed)))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering},
};
use std::sync::{LockResult, PoisonError};

/// Declares statics. Those of loom are made anew for each order that it tries.
macro_rules! shared {
    ($($(#[$doc:meta])* static $name:ident: $type:ty = $value:expr;)*) => { $(
        #[cfg(not(all(test, loom_typed)))]
        $(#[$doc])*
        static $name: $type = $value;
        #[cfg(all(test, loom_typed))]
        loom::lazy_static! {
            $(#[$doc])*
            static ref $name: $type = $value;
        }
    )* };
}
pub(crate) use shared;

/// What a lock guards. For locks under which no code panics, and whose data is valid after every statement.
pub(crate) fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Takes such a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}
