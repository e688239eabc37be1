//! Work that an area brings: what the engine does not know itself.
//!
//! Copies, fills, records and waits are tasks of the engine's own. Whatever is rarer comes in a box, which costs the
//! others nothing.

use std::time::Instant;

use crate::engine::queue::{Blocked, Stream};
use crate::engine::task::{Fault, Point};

/// A unit of work of an area.
pub(crate) trait Work: Send {
    /// The call that queued it.
    fn call(&self) -> &'static str;

    /// Why it cannot run yet as the stream's `number`th task, and when to look again.
    fn blocked(
        &mut self,
        _stream: &'static Stream,
        _number: u64,
    ) -> Option<(Blocked, Option<Instant>)> {
        None
    }

    /// Runs it, as the stream's `number`th task. It has nothing left to wait for.
    fn run(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault>;

    /// Ends without having acted.
    fn abandon(&mut self) {}

    /// The same work for one more run of a graph.
    fn again(&self) -> Box<dyn Work>;

    /// It is about to be queued once more, as the stream's `number`th task: the checker is to know.
    fn repeated(&self, _stream: &'static Stream, _number: u64) {}

    /// The task that it waits for, for the timeline.
    fn awaited(&self) -> Option<Point> {
        None
    }

    /// Who else takes part in it.
    fn others(&self) -> Others {
        Others::Nobody
    }
}

/// Who takes part in a task besides the stream that it is queued on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    Nobody,
    /// Other streams, or the program.
    Streams,
    /// A thread that the program subscribed, which may sleep until it comes.
    Thread,
}
