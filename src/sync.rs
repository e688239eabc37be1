//! Locks and atomics for state that threads share: those of the standard library, or those of loom for the model
//! tests (`device/model.rs`). loom runs every interleaving of threads. The cfg flag is not `loom`, because that flag
//! would switch the emulator to loom too.

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

/// Declares statics. loom creates its statics again for each interleaving.
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

/// Returns the guard of a lock also when the lock is poisoned. For locks whose data is valid after every statement
/// and under which no code panics.
pub(crate) fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex also when it is poisoned. For locks whose data is valid after every statement and under which no
/// code panics.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}
