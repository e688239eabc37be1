//! The order of streams, events and the host, as vector clocks.
//!
//! The order follows from the calls, not from the time. So a race is found whether or not it happened in this run.
//! All threads of the host count as one, because the checker does not see how threads wait for each other. Otherwise
//! it would report races between threads that do wait for each other.
//!
//! A stream can wait for a record that is submitted later (events of `aclrtCreateEventWithFlag`). The tasks after
//! such a wait are stored until the record is submitted, because their place in the order is unknown before.
//!
//! If the end of a wait is unknown, the stream is excused: any task may come before. A stream that waits for an
//! excused stream is excused too. After the host has waited for an excused stream, the checker treats all submitted
//! tasks as over.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use crate::ordered::Ordered;

use super::clock::{Clock, StreamId};
use crate::results::list_of;

/// A record of an event. It has a clock once the record was reached.
type Mark = Arc<OnceLock<Clock>>;

/// The order of streams, events and the host. `W` is the work whose place in the order is wanted.
#[derive(Debug)]
pub(super) struct Order<W> {
    host: Clock,
    streams: Vec<Queue<W>>,
    events: Ordered<Event>,
    lost: Vec<Lost>,
}

#[derive(Debug)]
struct Queue<W> {
    clock: Clock,
    /// The steps from a wait for a record that is not submitted yet, with that wait first.
    behind: VecDeque<Step<W>>,
}

#[derive(Debug)]
struct Step<W> {
    number: u64,
    /// The clock of the host when it submitted the step.
    host: Clock,
    does: Does<W>,
}

#[derive(Debug)]
enum Does<W> {
    Work(W),
    Record(usize, Mark),
    Wait(Awaited),
    Reset(usize),
    /// Changes work that is still pending.
    Change(W, fn(&mut W, &W)),
}

#[derive(Debug)]
enum Awaited {
    Mark(Mark),
    Flag(usize),
    /// An unknown write or record.
    Unknown,
}

#[derive(Debug, Default)]
struct Event {
    /// Whether a wait lasts until the event is recorded.
    is_flag: bool,
    latest: Option<Mark>,
    /// The clock of the records since the last reset.
    set: Option<Clock>,
    /// The handle of the notify whose flag this is.
    notify: Option<usize>,
    /// The last reset: its stream and its number.
    taken: Option<(StreamId, u64)>,
}

impl Event {
    /// Returns whether the last wait for the flag may come behind the tasks of `clock`, or may still last then.
    fn may_be_in_use(&self, clock: &Clock) -> bool {
        let is_behind = |(stream, number)| clock.of(stream) < number;
        !clock.is_excused() && self.taken.is_some_and(is_behind)
    }
}

/// A use of a notify whose signal may go to another wait than its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lost {
    /// The handle of the notify.
    pub(super) notify: usize,
    /// Whether it is a record that may come in front of the last wait. Else it is a wait at the same time as another one.
    pub(super) is_record: bool,
}

/// Work whose place in the order is known.
#[derive(Debug)]
pub(super) struct Placed<W> {
    pub(super) stream: StreamId,
    pub(super) number: u64,
    /// The tasks that come before the work.
    pub(super) clock: Clock,
    pub(super) work: W,
}

impl<W> Default for Order<W> {
    fn default() -> Order<W> {
        Order {
            host: Clock::default(),
            streams: Vec::new(),
            events: Ordered::new(),
            lost: Vec::new(),
        }
    }
}

impl<W> Order<W> {
    /// Returns the tasks that the host knows to be over.
    pub(super) fn host(&self) -> &Clock {
        &self.host
    }

    /// Returns the tasks that are submitted and come before no wait for a later record.
    pub(super) fn submitted(&self) -> Clock {
        let mut submitted = Clock::default();
        for (stream, queue) in self.streams.iter().enumerate() {
            submitted.raise(stream, queue.clock.of(stream));
        }
        submitted
    }

    /// Returns the pending work: the work after a wait for a record that is not submitted yet, and what is to change work.
    pub(super) fn pending(&self) -> impl Iterator<Item = (StreamId, &W)> {
        let queues = self.streams.iter().enumerate();
        queues.flat_map(|(stream, queue)| {
            queue
                .behind
                .iter()
                .filter_map(move |step| match &step.does {
                    Does::Work(work) | Does::Change(work, _) => Some((stream, work)),
                    _ => None,
                })
        })
    }

    /// Drops the pending work for which `keep` returns false.
    pub(super) fn retain_pending(&mut self, keep: impl Fn(&W) -> bool) {
        for queue in &mut self.streams {
            queue.behind.retain(|step| match &step.does {
                Does::Work(work) => keep(work),
                _ => true,
            });
        }
    }

    /// Returns the queue of a stream, which is created on first use.
    fn queue(&mut self, stream: StreamId) -> Option<&mut Queue<W>> {
        while self.streams.len() <= stream {
            self.streams.push(Queue {
                clock: Clock::default(),
                behind: VecDeque::new(),
            });
        }
        self.streams.get_mut(stream)
    }

    /// Queues work as the `number`th task of a stream.
    pub(super) fn work(&mut self, stream: StreamId, number: u64, work: W) -> Vec<Placed<W>> {
        self.submit(stream, number, Does::Work(work))
    }

    /// Queues work that changes other work: when its turn comes, `apply` is called with each pending work and with
    /// `new`.
    pub(super) fn change(
        &mut self,
        stream: StreamId,
        number: u64,
        new: W,
        apply: fn(&mut W, &W),
    ) -> Vec<Placed<W>> {
        self.submit(stream, number, Does::Change(new, apply))
    }

    /// Adds an event whose waits last until it is recorded. Other events are added by their first record.
    pub(super) fn create_flag(&mut self, event: usize) {
        self.create(event, None);
    }

    /// Adds the flag of a notify: each record of it is for one wait.
    pub(super) fn create_notify(&mut self, event: usize, notify: usize) {
        self.create(event, Some(notify));
    }

    fn create(&mut self, event: usize, notify: Option<usize>) {
        let flag = Event {
            is_flag: true,
            notify,
            ..Event::default()
        };
        self.events.insert(event, flag);
    }

    /// Clears the flag of a notify without a stream.
    pub(super) fn clear(&mut self, event: usize) {
        if let Some(event) = self.events.get_mut(event) {
            (event.set, event.taken) = (None, None);
        }
    }

    /// Returns the uses of notifies that were found since the last call.
    pub(super) fn take_lost(&mut self) -> Vec<Lost> {
        std::mem::take(&mut self.lost)
    }

    /// Returns whether a stream is blocked by a wait for this event.
    pub(super) fn is_awaited(&self, event: usize) -> bool {
        self.streams.iter().any(|queue| {
            let front = queue.behind.front().map(|step| &step.does);
            matches!(front, Some(Does::Wait(Awaited::Flag(other))) if *other == event)
        })
    }

    /// Removes an event and ends the waits for its flag.
    pub(super) fn destroy(&mut self, event: usize) -> Vec<Placed<W>> {
        self.events.remove(event);
        self.settle(None)
    }

    /// Removes an event; streams that wait for it continue to wait.
    pub(super) fn forget(&mut self, event: usize) {
        self.events.remove(event);
    }

    /// Queues a record.
    pub(super) fn record(&mut self, stream: StreamId, number: u64, event: usize) -> Vec<Placed<W>> {
        let mark = Mark::default();
        let known = self.events.get_or_insert(event, Event::default());
        known.latest = Some(Arc::clone(&mark));
        self.submit(stream, number, Does::Record(event, mark))
    }

    /// Queues a reset.
    pub(super) fn reset(&mut self, stream: StreamId, number: u64, event: usize) -> Vec<Placed<W>> {
        self.submit(stream, number, Does::Reset(event))
    }

    /// Queues a wait.
    pub(super) fn wait(&mut self, stream: StreamId, event: usize) -> Vec<Placed<W>> {
        let Some(known) = self.events.get(event) else {
            return Vec::new();
        };
        let awaited = match &known.latest {
            _ if known.is_flag => Awaited::Flag(event),
            Some(mark) => Awaited::Mark(Arc::clone(mark)),
            None => return Vec::new(),
        };
        self.submit(stream, 0, Does::Wait(awaited))
    }

    /// Queues a wait whose end is unknown.
    pub(super) fn excuse(&mut self, stream: StreamId) -> Vec<Placed<W>> {
        self.submit(stream, 0, Does::Wait(Awaited::Unknown))
    }

    /// Ends the waits for a flag; the tasks that they come after are unknown.
    pub(super) fn excuse_flag(&mut self, event: usize) -> Vec<Placed<W>> {
        if let Some(event) = self.events.get_mut(event) {
            event.set.get_or_insert_default().excuse();
        }
        self.settle(None)
    }

    /// Adds the first `number` tasks of a stream to those that the host knows to be over.
    pub(super) fn learn(&mut self, stream: StreamId, number: u64) -> Vec<Placed<W>> {
        // A task that is over does not wait: the record came in an order that the calls did not show.
        let mut placed = self.force(stream);
        let Some(queue) = self.queue(stream) else {
            return placed;
        };
        if queue.clock.is_excused() {
            // The unknown tasks that the stream has waited for are over.
            if queue.clock.of(stream) <= number {
                queue.clock.accept();
            }
            placed.extend(self.learn_all());
            return placed;
        }
        let mut known = queue.clock.clone();
        known.lower(stream, number);
        self.host.join(&known);
        self.host.raise(stream, number);
        placed
    }

    /// Adds the tasks before the latest record of an event to those that the host knows to be over.
    pub(super) fn learn_event(&mut self, event: usize) -> Vec<Placed<W>> {
        let latest = self.events.get(event).and_then(|e| e.latest.as_ref());
        let Some(mark) = latest else {
            return Vec::new();
        };
        match mark.get() {
            Some(clock) if !clock.is_excused() => self.host.join(clock),
            // The record was reached in an order that the calls did not show.
            _ => return self.learn_all(),
        }
        Vec::new()
    }

    /// Treats all submitted tasks as over for the host.
    fn learn_all(&mut self) -> Vec<Placed<W>> {
        let mut placed = Vec::new();
        for stream in 0..self.streams.len() {
            placed.extend(self.force(stream));
        }
        for queue in &self.streams {
            self.host.join(&queue.clock);
        }
        self.host.accept();
        placed
    }

    fn submit(&mut self, stream: StreamId, number: u64, does: Does<W>) -> Vec<Placed<W>> {
        let step = Step {
            number,
            host: self.host.clone(),
            does,
        };
        if let Some(queue) = self.queue(stream) {
            queue.behind.push_back(step);
        }
        self.settle(Some(stream))
    }

    /// Ends the wait that blocks a stream, and takes the steps that follow.
    fn force(&mut self, stream: StreamId) -> Vec<Placed<W>> {
        let mut placed = Vec::new();
        while let Some(queue) = self.queue(stream)
            && queue.behind.pop_front().is_some()
        {
            queue.clock.excuse();
            placed.extend(self.settle(Some(stream)));
        }
        placed
    }

    /// Takes every step that is not blocked: first those of one stream, then those of the streams that it releases.
    fn settle(&mut self, first: Option<StreamId>) -> Vec<Placed<W>> {
        let mut placed = Vec::new();
        let all = 0..self.streams.len();
        let mut todo: Vec<StreamId> = first.map_or(list_of(all), |stream| vec![stream]);
        while let Some(stream) = todo.pop() {
            while let Some(step) = self.next(stream) {
                let Some(queue) = self.streams.get_mut(stream) else {
                    break;
                };
                queue.clock.join(&step.host);
                queue.clock.raise(stream, step.number);
                match step.does {
                    Does::Work(work) => placed.push(Placed {
                        stream,
                        number: step.number,
                        clock: queue.clock.clone(),
                        work,
                    }),
                    Does::Record(event, mark) => {
                        let clock = queue.clock.clone();
                        if let Some(event) = self.events.get_mut(event) {
                            if let Some(notify) = event.notify
                                && (event.set.is_some() || event.may_be_in_use(&clock))
                            {
                                let is_record = true;
                                self.lost.push(Lost { notify, is_record });
                            }
                            event.set.get_or_insert_default().join(&clock);
                        }
                        let _ = mark.set(clock);
                        todo.extend(self.waiting());
                    }
                    Does::Wait(Awaited::Mark(mark)) => {
                        if let Some(clock) = mark.get() {
                            queue.clock.join(clock);
                        }
                    }
                    Does::Wait(Awaited::Flag(event)) => {
                        if let Some(event) = self.events.get(event) {
                            if let Some(notify) = event.notify
                                && event.may_be_in_use(&queue.clock)
                            {
                                let is_record = false;
                                self.lost.push(Lost { notify, is_record });
                            }
                            if let Some(clock) = &event.set {
                                queue.clock.join(clock);
                            }
                        }
                    }
                    Does::Wait(Awaited::Unknown) => queue.clock.excuse(),
                    Does::Reset(event) => {
                        if let Some(event) = self.events.get_mut(event) {
                            event.set = None;
                            event.taken = Some((stream, step.number));
                        }
                    }
                    Does::Change(new, apply) => {
                        let waiting = self.streams.iter_mut().flat_map(|queue| &mut queue.behind);
                        for step in waiting {
                            if let Does::Work(work) = &mut step.does {
                                apply(work, &new);
                            }
                        }
                        placed.push(Placed {
                            stream,
                            number: step.number,
                            clock: Clock::default(),
                            work: new,
                        });
                    }
                }
            }
        }
        placed
    }

    /// Returns the streams that a wait blocks.
    fn waiting(&self) -> Vec<StreamId> {
        let queues = self.streams.iter().enumerate();
        list_of(
            queues
                .filter(|(_, queue)| !queue.behind.is_empty())
                .map(|(stream, _)| stream),
        )
    }

    /// Returns the next step of a stream, unless it is a wait that still lasts.
    fn next(&mut self, stream: StreamId) -> Option<Step<W>> {
        let queue = self.streams.get_mut(stream)?;
        let lasts = match &queue.behind.front()?.does {
            Does::Wait(Awaited::Mark(mark)) => mark.get().is_none(),
            Does::Wait(Awaited::Flag(event)) => {
                self.events.get(*event).is_some_and(|e| e.set.is_none())
            }
            _ => false,
        };
        if lasts {
            None
        } else {
            queue.behind.pop_front()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAG: usize = 1;
    const POINT: usize = 2;

    fn order() -> Order<&'static str> {
        let mut order = Order::default();
        order.create_flag(FLAG);
        order
    }

    /// Returns whether the only placed work comes after a task.
    fn after(placed: &[Placed<&str>], stream: StreamId, number: u64) -> bool {
        assert_eq!(placed.len(), 1, "{placed:?}");
        placed.iter().all(|one| one.clock.covers(stream, number))
    }

    #[test]
    fn an_event_orders_two_streams_and_nothing_else_does() {
        let mut order = order();
        order.work(0, 1, "write");
        assert!(!after(&order.work(1, 1, "read"), 0, 1));
        order.record(0, 2, POINT);
        order.wait(1, POINT);
        assert!(after(&order.work(1, 2, "read"), 0, 1));
        order.work(0, 3, "write");
        assert!(!after(&order.work(1, 3, "read"), 0, 3));
    }

    #[test]
    fn order_passes_through_a_third_stream_and_through_the_host() {
        let mut order = order();
        order.work(0, 1, "write");
        order.record(0, 2, POINT);
        order.wait(1, POINT);
        order.record(1, 1, POINT);
        order.wait(2, POINT);
        assert!(after(&order.work(2, 1, "read"), 0, 1));
        assert!(!order.host().covers(0, 1));
        order.learn(2, 1);
        assert!(order.host().covers(0, 1));
        assert!(after(&order.work(3, 1, "read"), 0, 1));
    }

    #[test]
    fn a_wait_follows_the_record_that_it_was_issued_after() {
        let mut order = order();
        order.record(0, 1, POINT);
        order.wait(1, POINT);
        order.work(0, 2, "late");
        order.record(0, 3, POINT);
        assert!(!after(&order.work(1, 1, "read"), 0, 2));
        assert!(order.learn_event(POINT).is_empty());
        assert!(order.host().covers(0, 3));
    }

    #[test]
    fn what_stands_behind_a_flag_is_placed_when_the_flag_is_set() {
        let mut order = order();
        order.wait(1, FLAG);
        assert!(order.work(1, 1, "behind").is_empty());
        order.record(1, 2, POINT);
        order.wait(2, POINT);
        assert!(order.work(2, 1, "further behind").is_empty());
        order.work(0, 1, "before");
        let placed = order.record(0, 2, FLAG);
        let names: Vec<_> = placed.iter().map(|one| one.work).collect();
        assert_eq!(names, ["behind", "further behind"]);
        assert!(placed.iter().all(|one| one.clock.covers(0, 1)));
        order.reset(0, 3, FLAG);
        order.wait(1, FLAG);
        assert!(order.work(1, 3, "again behind").is_empty());
        assert_eq!(order.destroy(FLAG).len(), 1);
    }

    #[test]
    fn a_signal_is_for_one_wait_of_one_stream() {
        const BACK: usize = 3;
        const HERE: usize = 4;
        let lost = |order: &mut Order<&'static str>| {
            list_of(order.take_lost().into_iter().map(|one| one.is_record))
        };
        let mut order = order();
        order.create_notify(BACK, BACK);
        order.create_notify(HERE, HERE);
        // Stream 1 gives the signal back before stream 0 gives the next one.
        for round in 0..3 {
            order.record(0, 3 * round + 1, HERE);
            order.wait(1, HERE);
            order.reset(1, 2 * round + 1, HERE);
            order.record(1, 2 * round + 2, BACK);
            order.wait(0, BACK);
            order.reset(0, 3 * round + 2, BACK);
        }
        assert!(lost(&mut order).is_empty());
        // Nothing orders this record behind the last wait of stream 0, nor a wait of stream 2 behind that of stream 1.
        order.record(2, 1, BACK);
        assert_eq!(lost(&mut order), [true]);
        order.record(1, 7, HERE);
        order.wait(2, HERE);
        assert_eq!(lost(&mut order), [false]);
    }

    #[test]
    fn a_change_meets_what_waits_when_its_turn_comes() {
        let mut order = order();
        order.create_flag(POINT);
        order.wait(1, FLAG);
        assert!(order.work(1, 1, "old").is_empty());
        order.wait(0, POINT);
        let replace: fn(&mut &'static str, &&'static str) = |work, new| *work = new;
        order.change(0, 1, "new", replace);
        order.wait(2, FLAG);
        assert!(order.work(2, 1, "old").is_empty());
        let names = |placed: Vec<Placed<&'static str>>| {
            let works = placed.iter().map(|one| one.work);
            works.collect::<Vec<_>>()
        };
        // The change itself still waits.
        assert_eq!(names(order.record(3, 1, FLAG)), ["old", "old"]);
        order.reset(3, 2, FLAG);
        order.wait(1, FLAG);
        assert!(order.work(1, 2, "old").is_empty());
        assert_eq!(names(order.record(3, 3, POINT)), ["new"], "the change");
        assert_eq!(names(order.record(3, 4, FLAG)), ["new"]);
    }

    #[test]
    fn what_is_over_does_not_wait() {
        let mut order = order();
        order.wait(0, FLAG);
        order.work(0, 1, "work");
        assert_eq!(order.learn(0, 1).len(), 1);
        assert!(order.host().covers(0, 1));
    }

    #[test]
    fn a_synchronise_covers_what_was_submitted_before_it() {
        let mut order = order();
        order.work(0, 1, "one");
        order.work(0, 2, "two");
        order.learn(0, 1);
        assert!(order.host().covers(0, 1) && !order.host().covers(0, 2));
    }
}
