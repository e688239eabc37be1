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

/// How the work in front of a record has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is over.
    Over,
    /// An abort may have dropped it, and the record with it.
    Dropped,
}

/// The last record of an event, or of a notify, whose stream does not have to be waited for any more.
struct Settled {
    /// The address of the event or of the notify.
    event: usize,
    stream: StreamKey,
    fate: Fate,
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
/// of the event and its destruction come here. Records of other code come here before they are waited for. From the first limit
/// of releases on, all come here, so that holds for those that are settled, too.
pub(super) struct Orders {
    records: Vec<Record>,
    edges: Vec<Edge>,
    /// Empty without a limit of releases: nothing is aborted then.
    settled: Vec<Settled>,
}

impl Orders {
    pub(super) const fn new() -> Orders {
        Orders {
            records: Vec::new(),
            edges: Vec::new(),
            settled: Vec::new(),
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

    /// Enters a record of the event, or of a notify, on a stream.
    pub(super) fn record(&mut self, event: usize, stream: StreamKey) {
        self.forget(event);
        let at = self.now();
        let record = Record { event, stream, at };
        // An abort has to know all of them.
        let limit = if calls::has_limit() {
            usize::MAX
        } else {
            REMEMBERED
        };
        let forgotten = remember(&mut self.records, record, limit);
        pending::recorded();
        pending::unrecorded(usize::from(forgotten));
        calls::choose();
    }

    /// Forgets the record of an event.
    pub(super) fn forget(&mut self, event: usize) {
        self.forget_records(&|record| record.event == event, None);
        if let Some(at) = self.place(event) {
            self.settled.swap_remove(at);
        }
    }

    /// Enters that a stream is aborted: its waits may be dropped, and its records.
    pub(super) fn abort(&mut self, stream: StreamKey) {
        self.edges.retain(|edge| edge.on != stream);
        self.forget_records(&|record| record.stream == stream, Some(Fate::Dropped));
    }

    /// Returns how the work in front of the last record has ended, and its stream, if that is known.
    pub(super) fn fate_of(&self, event: usize) -> Option<(Fate, StreamKey)> {
        let settled = self.settled.get(self.place(event)?)?;
        Some((settled.fate, settled.stream))
    }

    /// The place of an event among those that are settled. It is there once at most.
    fn place(&self, event: usize) -> Option<usize> {
        let mut settled = self.settled.iter();
        settled.position(|settled| settled.event == event)
    }

    /// Enters that an event has completed, although an abort may have dropped its record.
    pub(super) fn has_completed(&mut self, event: usize) {
        let place = self.place(event);
        if let Some(settled) = place.and_then(|at| self.settled.get_mut(at)) {
            settled.fate = Fate::Over;
        }
    }

    /// Forgets what is older than a wait for all streams.
    pub(super) fn forget_before(&mut self, began: Moment) {
        self.forget_records(&|record| record.at < began, Some(Fate::Over));
        self.edges.retain(|edge| edge.at >= began);
    }

    /// Forgets all, because the device or context ends.
    pub(super) fn clear(&mut self) {
        self.forget_records(&|_| true, None);
        self.edges.clear();
        self.settled.clear();
    }

    /// Forgets records, or enters their fate.
    fn forget_records(&mut self, is_old: &dyn Fn(&Record) -> bool, fate: Option<Fate>) {
        let before = self.records.len();
        let fate = fate.filter(|_| calls::has_limit());
        self.records.retain(|record| {
            let keeps = !is_old(record);
            if let (false, Some(fate)) = (keeps, fate) {
                let Record { event, stream, .. } = *record;
                self.settled.push(Settled {
                    event,
                    stream,
                    fate,
                });
            }
            keeps
        });
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
            remember(&mut self.edges, edge, REMEMBERED);
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
        let is_covered = |record: &Record| {
            let covers =
                |(key, at): &(StreamKey, Moment)| *key == record.stream && record.at <= *at;
            over.iter().any(covers)
        };
        self.forget_records(&is_covered, Some(Fate::Over));
        over
    }
}

/// Adds an item to a list of limited length. Returns whether the oldest was removed.
fn remember<T>(list: &mut Vec<T>, item: T, limit: usize) -> bool {
    let is_full = list.len() >= limit;
    if is_full {
        list.remove(0);
    }
    list.push(item);
    is_full
}
