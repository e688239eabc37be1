//! Operations of captured streams: each run of the graph makes them anew.
//!
//! A run gives them the next slots of their communicator when it is queued, as a call does. So all ranks have to make the same
//! runs and the same calls, in the same order.

use std::sync::{Arc, Weak};

use ascendcl_sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;

use super::exchange::Attend;
use super::handle::Communicator;
use super::submit::Parts;
use crate::check::violated;
use crate::engine::queue::Stream;
use crate::engine::task::Fault;
use crate::engine::work::{Others, Work};
use crate::observe::violation::What;

/// The task of a rank, as a graph stores it.
#[derive(Debug, Clone)]
pub(super) struct Captured {
    call: &'static str,
    /// A graph does not keep a communicator: the other ranks learn its end.
    communicator: Weak<Communicator>,
    parts: Parts,
}

impl Captured {
    pub(super) fn new(
        call: &'static str,
        communicator: &Arc<Communicator>,
        parts: Parts,
    ) -> Captured {
        Captured {
            call,
            communicator: Arc::downgrade(communicator),
            parts,
        }
    }
}

impl Work for Captured {
    fn call(&self) -> &'static str {
        self.call
    }

    /// Runs only if the communicator ended before the run of the graph.
    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        violated(
            self.call,
            What::RankMissing,
            format_args!(
                "the communicator of this captured operation was destroyed before the run; call aclmdlRIDestroy \
                 first"
            ),
        );
        Err(Fault(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn repeat(&self, stream: &'static Stream, number: u64) -> Box<dyn Work> {
        let Some(communicator) = self.communicator.upgrade() else {
            return self.again();
        };
        let entries = self.parts.clone().entries(&communicator);
        let world = Arc::clone(&communicator.world);
        Box::new(Attend::new(self.call, world, entries, (stream, number)))
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}
