//! What a recording has dropped: memory that each run of the graph uses, so that it lives as long as the graph, and second
//! streams, which live until the recording ends.

use crate::park::{Parked, Parking};
use crate::sync::lock;

impl Parking {
    /// Takes the memory that the recordings of a graph have dropped. The graph is about to be destroyed or parked.
    pub(crate) fn take_recorded(&self, graph: u64) -> Vec<Parked> {
        let mut state = lock(&self.state);
        let taken = state.recorded.extract_if(.., |(of, _)| *of == graph);
        taken.map(|(_, parked)| parked).collect()
    }

    /// Takes a second stream that a fork of this recording has left.
    pub(crate) fn take_second(&self, recording: u64) -> Option<Parked> {
        let mut state = lock(&self.state);
        let at = state.recorded.iter().position(|(of, _)| *of == recording)?;
        Some(state.recorded.swap_remove(at).1)
    }
}
