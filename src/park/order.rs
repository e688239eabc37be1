//! The order of parked memory, of records and of streams that wait for each other.
//!
//! A record is behind all work of its stream. A stream that waits for a record runs its later work behind it. So a host that has
//! waited for one record knows points that other streams have passed, too.

use crate::park::{StreamKey, calls};
use crate::pending;
use crate::sync::{AtomicU64, Ordering, shared};

/// A point in the history of all parkings. Two points are never the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64);

/// The last record of an event. All work of the stream whose memory was parked before the moment is in front of it.
struct Record {
    /// The address of the event, which tells it from the others that live.
    event: usize,
    stream: StreamKey,
    at: Moment,
}

/// The order between two streams: the work of `on` that is submitted behind `at` runs after `of` has reached `reached`.
struct Edge {
    on: StreamKey,
    at: Moment,
    of: StreamKey,
    reached: Moment,
}

/// The number of records and of edges that are remembered. The oldest is forgotten first, and memory is freed later then.
const REMEMBERED: usize = 256;

shared! {
    /// The clock of all parkings.
    static CLOCK: AtomicU64 = AtomicU64::new(0);
}

/// The records of events and the waits of streams that no wait of the host has used yet. The parking whose streams they are
/// is locked for each call.
///
/// # Invariants
///
/// A record is the last one of its event: while a record is remembered, the number of records is not zero, so each later record
/// of the event and its destruction come here. Records of other code come here before they are waited for.
pub(super) struct Orders {
    records: Vec<Record>,
    edges: Vec<Edge>,
}

impl Orders {
    pub(super) const fn new() -> Orders {
        Orders {
            records: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Returns a moment that is later than all others of these orders.
    #[expect(
        clippy::unused_self,
        reason = "the lock around these orders puts moments and events into one order"
    )]
    pub(super) fn now(&self) -> Moment {
        Moment(CLOCK.fetch_add(1, Ordering::SeqCst))
    }

    /// Enters a record of the event on a stream.
    pub(super) fn record(&mut self, event: usize, stream: StreamKey) {
        self.forget(event);
        let at = self.now();
        let record = Record { event, stream, at };
        let forgotten = remember(&mut self.records, record);
        pending::recorded();
        pending::unrecorded(usize::from(forgotten));
        calls::choose();
    }

    /// Forgets the record of an event.
    pub(super) fn forget(&mut self, event: usize) {
        self.forget_records(&|record| record.event == event);
    }

    /// Forgets what a stream has waited for.
    pub(super) fn forget_waits(&mut self, stream: StreamKey) {
        self.edges.retain(|edge| edge.on != stream);
    }

    /// Forgets what is older than a wait for all streams.
    pub(super) fn forget_before(&mut self, began: Moment) {
        self.forget_records(&|record| record.at < began);
        self.edges.retain(|edge| edge.at >= began);
    }

    /// Forgets all, because the device or context ends.
    pub(super) fn clear(&mut self) {
        self.forget_records(&|_| true);
        self.edges.clear();
    }

    fn forget_records(&mut self, is_old: &dyn Fn(&Record) -> bool) {
        let before = self.records.len();
        self.records.retain(|record| !is_old(record));
        if before > self.records.len() {
            pending::unrecorded(before - self.records.len());
            calls::choose();
        }
    }

    /// Returns the stream and the moment of the last record of an event, if it is remembered.
    pub(super) fn point_of(&self, event: usize) -> Option<(StreamKey, Moment)> {
        let record = self.records.iter().find(|record| record.event == event);
        record.map(|record| (record.stream, record.at))
    }

    /// Enters that later work of the stream `on` runs behind the last record of the event.
    pub(super) fn follow(&mut self, on: StreamKey, event: usize) {
        if let Some((of, reached)) = self.point_of(event) {
            let at = self.now();
            let edge = Edge {
                on,
                at,
                of,
                reached,
            };
            remember(&mut self.edges, edge);
        }
    }

    /// Returns the points that streams have reached if `stream` has reached `point`: also those that it has waited for, and
    /// those that they have waited for in turn. Forgets what proves no more than that.
    pub(super) fn reach(&mut self, stream: StreamKey, point: Moment) -> Vec<(StreamKey, Moment)> {
        let mut over = vec![(stream, point)];
        let mut next = 0;
        while let Some(&(on, reached)) = over.get(next) {
            let is_over = |edge: &mut Edge| edge.on == on && edge.at < reached;
            let waited = self.edges.extract_if(.., is_over);
            over.extend(waited.map(|edge| (edge.of, edge.reached)));
            next += 1;
        }
        self.forget_records(&|record| {
            let covers =
                |(key, at): &(StreamKey, Moment)| *key == record.stream && record.at <= *at;
            over.iter().any(covers)
        });
        over
    }
}

/// Adds an item to a list of limited length. Returns whether the oldest was removed.
fn remember<T>(list: &mut Vec<T>, item: T) -> bool {
    let is_full = list.len() == REMEMBERED;
    if is_full {
        list.remove(0);
    }
    list.push(item);
    is_full
}
