//! What lives as long as a graph: the memory that its recordings have dropped, and that of a graph which was dropped itself. Second
//! streams, too, live until their recording ends.

use crate::error::Error;
use crate::park::{Parked, Parking};
use crate::release;
use crate::sync::lock;

impl Parking {
    /// Takes the memory that the recordings of a graph have dropped. The graph is about to be destroyed or parked.
    pub(crate) fn take_recorded(&self, graph: u64) -> Vec<Parked> {
        let mut state = lock(&self.state);
        let taken = state.recorded.extract_if(.., |(of, _)| *of == graph);
        taken.map(|(_, parked)| parked).collect()
    }

    /// The bytes of the memory that lives as long as a graph.
    pub(crate) fn recorded_bytes(&self, graph: u64) -> usize {
        let state = lock(&self.state);
        let of_graph = state.recorded.iter().filter(|(of, _)| *of == graph);
        of_graph.map(|(_, parked)| parked.bytes).sum()
    }

    /// Leaks and counts what lives as long as a graph, because nothing proves that its instances refer to it no more.
    #[cold]
    pub(crate) fn leak_recorded(&self, graph: u64, why: &Error) {
        let leaked = self.take_recorded(graph);
        leaked.iter().for_each(|_| release::leaked(why));
    }

    /// Leaks and counts what lives as long as some graph, because the device is lost.
    #[cold]
    pub(super) fn leak_all_recorded(&self, why: &Error) {
        let leaked = std::mem::take(&mut lock(&self.state).recorded);
        leaked.iter().for_each(|_| release::leaked(why));
    }

    /// Takes a second stream that a fork of this recording has left.
    pub(crate) fn take_second(&self, recording: u64) -> Option<Parked> {
        let mut state = lock(&self.state);
        let at = state.recorded.iter().position(|(of, _)| *of == recording)?;
        Some(state.recorded.swap_remove(at).1)
    }
}
