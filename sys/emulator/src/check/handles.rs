//! Streams, events and contexts as the checker knows them: where each came from and went.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::site::Site;

/// Destroyed handles that are remembered.
const REMEMBERED: usize = 10_000;
/// Handles that are followed at the same time.
const FOLLOWED: usize = 100_000;

/// A handle that exists.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    /// "stream", "event" or "context".
    pub(super) kind: &'static str,
    pub(super) created: Arc<Site>,
}

/// All handles.
#[derive(Debug, Default)]
pub(super) struct Handles {
    live: BTreeMap<usize, Handle>,
    gone: BTreeMap<usize, (Handle, Arc<Site>)>,
    /// The destroyed ones, the oldest first.
    order: VecDeque<usize>,
}

impl Handles {
    pub(super) fn created(&mut self, handle: usize, kind: &'static str, created: Arc<Site>) {
        if self.live.len() < FOLLOWED {
            self.live.insert(handle, Handle { kind, created });
        }
    }

    pub(super) fn destroyed(&mut self, handle: usize, site: &Arc<Site>) {
        let Some(known) = self.live.remove(&handle) else {
            return;
        };
        if self.order.len() >= REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.gone.remove(&oldest);
        }
        self.order.push_back(handle);
        self.gone.insert(handle, (known, Arc::clone(site)));
    }

    /// A handle that exists.
    pub(super) fn get(&self, handle: usize) -> Option<&Handle> {
        self.live.get(&handle)
    }

    /// A handle that was destroyed, and by which call.
    pub(super) fn gone(&self, handle: usize) -> Option<&(Handle, Arc<Site>)> {
        self.gone.get(&handle)
    }

    /// The handles that exist.
    pub(super) fn live(&self) -> impl Iterator<Item = (usize, &Handle)> {
        self.live.iter().map(|(handle, known)| (*handle, known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destroyed_handle_keeps_its_story_for_a_while() {
        let mut handles = Handles::default();
        let site = Site::here("aclrtDestroyStream");
        for handle in 0..=REMEMBERED {
            handles.created(handle, "stream", Arc::clone(&site));
            handles.destroyed(handle, &site);
        }
        assert!(handles.gone(0).is_none());
        assert!(handles.gone(1).is_some());
        assert_eq!(handles.live().count(), 0);
    }
}
