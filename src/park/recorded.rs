//! What lives as long as a graph: the memory that its recordings have dropped, and that of a graph which was dropped itself. Second
//! streams, too, live until their recording ends.

use crate::error::Error;
use crate::park::{Parked, Parking};
use crate::release;
use crate::sync::lock;

impl Parking {
    /// Takes what has one of these numbers, of a graph or of its recordings.
    fn take_recorded(&self, keys: &[u64]) -> Vec<Parked> {
        let mut state = lock(&self.state);
        let taken = state.recorded.extract_if(.., |(of, _)| keys.contains(of));
        taken.map(|(_, parked)| parked).collect()
    }

    /// Frees what has one of these numbers. Failed releases go to the hook.
    ///
    /// # Safety
    ///
    /// - No instance refers to it, and no work uses it. Its context is current.
    pub(crate) unsafe fn free_recorded(&self, keys: &[u64]) {
        for parked in self.take_recorded(keys) {
            // SAFETY: the caller's contract; the code that parked it gave up its ownership.
            let code = unsafe { (parked.free)(parked.pointer) };
            release::status_in_drop(parked.call, code);
        }
    }

    /// The bytes of the memory that lives as long as a graph.
    pub(crate) fn recorded_bytes(&self, keys: &[u64]) -> usize {
        let state = lock(&self.state);
        let of_graph = state.recorded.iter().filter(|(of, _)| keys.contains(of));
        of_graph.map(|(_, parked)| parked.bytes).sum()
    }

    /// Leaks and counts what lives as long as a graph, because nothing proves that its instances refer to it no more.
    #[cold]
    pub(crate) fn leak_recorded(&self, keys: &[u64], why: &Error) {
        let leaked = self.take_recorded(keys);
        leaked.iter().for_each(|_| release::leaked(why));
    }

    /// Leaks and counts what lives as long as some graph, because the device is lost.
    #[cold]
    pub(super) fn leak_all_recorded(&self, why: &Error) {
        let leaked = std::mem::take(&mut lock(&self.state).recorded);
        leaked.iter().for_each(|_| release::leaked(why));
    }

    /// Takes a second stream that a fork has left, while the graph with this number records.
    pub(crate) fn take_second(&self, graph: u64) -> Option<Parked> {
        let mut state = lock(&self.state);
        let at = state.recorded.iter().position(|(of, _)| *of == graph)?;
        Some(state.recorded.swap_remove(at).1)
    }
}
