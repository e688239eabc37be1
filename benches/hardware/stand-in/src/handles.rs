//! Handles: numbers that stand for objects, so that a handle which is not live is refused.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::{Answer, INVALID_HANDLE, lock};

/// The live objects of a kind.
pub(crate) struct Handles<T>(Mutex<BTreeMap<usize, Arc<T>>>);

/// The next handle. Each kind has other ones, and none is used again.
static NEXT: AtomicUsize = AtomicUsize::new(0x1000);

impl<T> Handles<T> {
    pub(crate) const fn new() -> Handles<T> {
        Handles(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn add(&self, object: Arc<T>) -> usize {
        let handle = NEXT.fetch_add(16, Ordering::Relaxed);
        lock(&self.0).insert(handle, object);
        handle
    }

    pub(crate) fn get(&self, handle: usize) -> Answer<Arc<T>> {
        lock(&self.0).get(&handle).cloned().ok_or(INVALID_HANDLE)
    }

    pub(crate) fn remove(&self, handle: usize) -> Answer<Arc<T>> {
        lock(&self.0).remove(&handle).ok_or(INVALID_HANDLE)
    }

    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        lock(&self.0).values().cloned().collect()
    }
}
