//! Tasks of the areas, which the engine does not know itself.
//!
//! Copies, fills, records and waits are tasks of the engine. Rarer tasks are boxed, so they do not make the others
//! larger.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::engine::engine;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::task::{Fault, Point};
use crate::results::list_of;

/// The time between two looks at a number that a stream waits for.
const LOOK: Duration = Duration::from_millis(1);

/// A task of an area.
pub(crate) trait Work: Send {
    /// Returns the name of the call that queued the task.
    fn call(&self) -> &'static str;

    /// Returns the reason why the task, the `number`th of the stream, cannot run yet, and the time for the next
    /// check.
    fn blocked(
        &mut self,
        _stream: &'static Stream,
        _number: u64,
    ) -> Option<(Blocked, Option<Instant>)> {
        None
    }

    /// Runs the task as the `number`th of the stream. The task does not have to wait any more.
    fn run(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault>;

    /// Ends the task without running it.
    fn abandon(&mut self) {}

    /// Notes that an abort has dropped the task. It is abandoned next.
    fn lose(&mut self) {}

    /// Returns a copy of the task for another run of its graph.
    fn again(&self) -> Box<dyn Work>;

    /// Reports to the checker that the task is queued again, as the `number`th of the stream.
    fn repeated(&self, _stream: &'static Stream, _number: u64) {}

    /// Returns the task for another run of its graph, as the `number`th of the stream, and reports it to the checker.
    fn repeat(&self, stream: &'static Stream, number: u64) -> Box<dyn Work> {
        self.repeated(stream, number);
        self.again()
    }

    /// Returns the task that this one waits for, for the timeline.
    fn awaited(&self) -> Option<Point> {
        None
    }

    /// Returns the other participants of the task.
    fn others(&self) -> Others {
        Others::Nobody
    }
}

/// Returns why a stream cannot pass a wait for a number that another stream may change, and the time of the next look. The result
/// names another stream with remaining work, a different one each time, so that the waiting thread runs that stream.
pub(crate) fn look_again(own: &Stream) -> (Blocked, Option<Instant>) {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let streams = engine().streams.iter().map(|(_, stream)| stream);
    let others = list_of(streams.filter(|stream| !ptr::eq(*stream, own) && !stream.is_idle()));
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    let other = others.get(turn.checked_rem(others.len()).unwrap_or(0));
    let next = other.map(|other| (*other, other.completed() + 1));
    (Blocked::Number(next), Some(Instant::now() + LOOK))
}

/// The participants of a task besides its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    Nobody,
    /// Other streams, or the program.
    Streams,
    /// A thread that the program subscribed, which may sleep until the task comes.
    Thread,
}
