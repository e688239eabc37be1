//! Points of streams that a host function has reached. The function may not free what is in front of it, so the stream does that
//! later.

use crate::error::Error;
use crate::park::order::Moment;
use crate::park::{Parking, StreamKey};
use crate::sync::lock;

impl Parking {
    /// Returns the point of a host function that is about to be queued: the work of all memory of its stream that was parked
    /// before is in front of it.
    pub(crate) fn point(&self) -> Moment {
        lock(&self.state).orders.now()
    }

    /// Enters that the host function of a point has begun.
    pub(crate) fn begun(&self, stream: StreamKey, point: Moment) {
        let begun = &mut lock(&self.state).begun;
        match begun.iter_mut().find(|(of, _)| *of == stream) {
            Some((_, last)) => *last = point.max(*last),
            None => begun.push((stream, point)),
        }
    }

    /// Frees the memory in front of the host functions of the stream that have begun. Returns the errors of failed releases.
    #[must_use = "report the errors"]
    pub(crate) fn free_behind_begun(&self, stream: StreamKey) -> Vec<Error> {
        let mut state = lock(&self.state);
        let at = state.begun.iter().position(|(of, _)| *of == stream);
        let begun = at.map(|at| state.begun.swap_remove(at));
        drop(state);
        let Some((_, point)) = begun else {
            return Vec::new();
        };
        // SAFETY: a host function that was queued behind that moment has begun, and it begins when the work in front of it is
        // over (A14).
        unsafe { self.reached(stream, point) }
    }
}
