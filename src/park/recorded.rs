//! Memory that a recording has dropped. Each run of the graph uses it, so it lives as long as the graph.

use crate::park::{Parked, Parking};
use crate::sync::lock;

impl Parking {
    /// Takes the memory that the recordings of a graph have dropped. The graph is about to be destroyed or parked.
    pub(crate) fn take_recorded(&self, graph: u64) -> Vec<Parked> {
        let mut state = lock(&self.state);
        let taken = state.recorded.extract_if(.., |(of, _)| *of == graph);
        taken.map(|(_, parked)| parked).collect()
    }
}
