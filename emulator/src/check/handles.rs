//! The handles that the checker tracks, with the calls that created and destroyed them.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::ordered::Ordered;

use super::clock::{Clock, StreamId};
use super::site::Site;
use crate::results::list_of;

/// The number of streams of an object behind which those whose work is over are forgotten.
const MOST_USERS: usize = 16;

/// Maximum number of destroyed handles that are stored.
const REMEMBERED: usize = 10_000;
/// Maximum number of stored handles whose destruction was reported before their creation.
const EARLY: usize = 1000;
/// Maximum number of handles that are tracked at the same time.
const FOLLOWED: usize = 100_000;

/// The kind of the handles of graphs.
pub(crate) const GRAPH: &str = "model instance";
/// The kind of the handles of branches, which end with their graph.
pub(crate) const BRANCH: &str = "branch of a model instance";
/// The kind of the handles of conditions, which end with their graph.
pub(crate) const CONDITION: &str = "condition of a model instance";

/// The kind of the handles of functions, which end with their binary.
pub(crate) const FUNCTION: &str = "kernel function";
/// The kind of the handles of lists of arguments, which end with the next list of their thread.
pub(crate) const ARGUMENTS: &str = "list of kernel arguments";
/// Kinds of handles that the program cannot destroy; what they belong to is reported.
pub(super) const PARTS: [&str; 4] = [BRANCH, CONDITION, FUNCTION, ARGUMENTS];

/// Kinds of handles of which an operator needs many. What is left of them is counted.
pub(super) const COUNTED: [&str; 2] = [TENSOR, SCALAR];
/// The kind of handles of `aclCreateTensor`.
pub(crate) const TENSOR: &str = "aclTensor";
/// The kind of handles of `aclCreateScalar`.
pub(crate) const SCALAR: &str = "aclScalar";
/// The kind of handles of `aclCreateDataBuffer`.
pub(crate) const DATA_BUFFER: &str = "aclDataBuffer";

/// A handle with the call that created it and, if it does not exist any more, the call that destroyed it.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    /// The word of a finding, such as "stream", "model instance", [`BRANCH`] or [`TENSOR`].
    pub(super) kind: &'static str,
    pub(super) created: Arc<Site>,
    destroyed: Option<Arc<Site>>,
    /// The device with which the object ends, if it is no stream and no graph.
    device: Option<u32>,
    /// The last task of each stream that uses the object, with the call that queued it.
    users: Vec<(StreamId, u64, Arc<Site>)>,
}

/// All handles.
#[derive(Debug, Default)]
pub(super) struct Handles {
    known: Ordered<Handle>,
    /// The destroyed handles among them, each once, the oldest first.
    gone: VecDeque<usize>,
    /// Handles that one thread destroyed before the thread that created them reported it, in no strict order.
    early: VecDeque<(usize, Arc<Site>)>,
}

impl Handles {
    pub(super) fn created(&mut self, handle: usize, kind: &'static str, created: Arc<Site>) {
        if self.known.len() - self.gone.len() < FOLLOWED {
            let known = Handle {
                kind,
                created,
                destroyed: None,
                device: None,
                users: Vec::new(),
            };
            let before = self.known.insert(handle, known);
            if before.is_some_and(|before| before.destroyed.is_some()) {
                self.gone.retain(|gone| *gone != handle);
            }
            let early = self.early.iter().position(|(early, _)| *early == handle);
            if let Some((_, site)) = early.and_then(|early| self.early.swap_remove_back(early)) {
                self.destroyed(handle, &site);
            }
        }
    }

    pub(super) fn destroyed(&mut self, handle: usize, site: &Arc<Site>) {
        let Some(known) = self.known.get_mut(handle) else {
            if self.early.len() >= EARLY {
                self.early.pop_front();
            }
            self.early.push_back((handle, Arc::clone(site)));
            return;
        };
        if known.destroyed.is_some() {
            return;
        }
        known.destroyed = Some(Arc::clone(site));
        self.gone.push_back(handle);
        if self.gone.len() > REMEMBERED
            && let Some(oldest) = self.gone.pop_front()
        {
            self.known.remove(oldest);
        }
    }

    /// Notes that an object ends with a device.
    pub(super) fn ends_with(&mut self, handle: usize, device: u32) {
        if let Some(known) = self.known.get_mut(handle) {
            known.device = Some(device);
        }
    }

    /// Returns the objects that end with a device.
    pub(super) fn of_device(&self, device: u32) -> Vec<usize> {
        let of_it = self
            .live()
            .filter(|(_, known)| known.device == Some(device));
        list_of(of_it.map(|(handle, _)| handle))
    }

    /// Notes that a task uses an object. A task that a graph stores has no number.
    /// `host` has the tasks that the host knows to be over: of an object that many streams use, one after the other, they are
    /// forgotten.
    pub(super) fn used(
        &mut self,
        handle: usize,
        (stream, number): (StreamId, u64),
        site: Arc<Site>,
        host: &Clock,
    ) {
        if number > 0
            && let Some(known) = self.known.get_mut(handle)
        {
            let users = &mut known.users;
            let is_full = users.len() >= MOST_USERS && !host.is_excused();
            users.retain(|(other, number, _)| {
                let is_over = is_full && host.covers(*other, *number);
                *other != stream && !is_over
            });
            users.push((stream, number, site));
        }
    }

    /// Returns a handle that exists.
    pub(super) fn get(&self, handle: usize) -> Option<&Handle> {
        let known = self.known.get(handle);
        known.filter(|known| known.destroyed.is_none())
    }

    /// Returns whether a handle is that of a graph.
    pub(super) fn is_graph(&self, handle: usize) -> bool {
        self.get(handle).is_some_and(|known| known.kind == GRAPH)
    }

    /// Returns a destroyed handle and the call that destroyed it.
    pub(super) fn gone(&self, handle: usize) -> Option<(&Handle, &Arc<Site>)> {
        let known = self.known.get(handle)?;
        Some((known, known.destroyed.as_ref()?))
    }

    /// Returns the handles that exist.
    pub(super) fn live(&self) -> impl Iterator<Item = (usize, &Handle)> {
        let known = self.known.iter();
        known.filter(|(_, known)| known.destroyed.is_none())
    }
}

impl Handle {
    /// Returns a task that uses the object and may not be over, with the call that queued it. `host` has the tasks that the
    /// host knows to be over.
    pub(super) fn user(&self, host: &Clock) -> Option<(StreamId, &Arc<Site>)> {
        let mut users = self.users.iter();
        let busy = users.find(|(stream, number, _)| !host.covers(*stream, *number));
        busy.map(|(stream, _, site)| (*stream, site))
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

    #[test]
    fn streams_whose_work_is_over_are_forgotten() {
        let (mut handles, mut host) = (Handles::default(), Clock::default());
        let site = Site::here("aclmdlRIExecuteAsync");
        handles.created(1, "model instance", Arc::clone(&site));
        for stream in 0..1000 {
            handles.used(1, (stream, 1), Arc::clone(&site), &host);
            let known = handles.get(1);
            assert!(known.is_some_and(|known| known.user(&host).is_some()));
            host.raise(stream, 1);
        }
        let known = handles.get(1);
        assert!(known.is_some_and(|known| known.users.len() <= MOST_USERS));
    }

    #[test]
    fn a_number_that_is_given_again_begins_anew() {
        let mut handles = Handles::default();
        let site = Site::here("aclrtDestroyEvent");
        for _ in 0..3 {
            handles.created(1, "event", Arc::clone(&site));
            assert!(handles.get(1).is_some() && handles.gone(1).is_none());
            assert_eq!(handles.live().count(), 1);
            handles.destroyed(1, &site);
            handles.destroyed(1, &site);
            assert!(handles.get(1).is_none() && handles.gone(1).is_some());
            assert_eq!((handles.known.len(), handles.gone.len()), (1, 1));
        }
    }
}
