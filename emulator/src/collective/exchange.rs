//! Exchanges: the parts of the ranks in one operation, and the tasks that wait for each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Instant;
use std::{mem, ptr};

use ascendcl_sys::{ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, ACL_SUCCESS, aclError};

use super::connections::Connections;
use super::frame::Frame;
use super::key::Key;
use super::movement::{Part, Remote, Seen, perform};
use super::world::World;
use crate::check::{Site, issuer, violated};
use crate::engine::engine;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::task::{Fault, Point};
use crate::engine::work::{Others, Work};
use crate::observe::violation::What;
use crate::results::list_of;
use crate::sorted::SortedSet;
use crate::sync::{Mutex, MutexGuard, lock};

/// An operation of some ranks.
///
/// A rank that waits reads the counters and the stage alone. With the lock, each look of each rank would stop the other ranks.
#[derive(Debug)]
pub(super) struct Exchange {
    slots: Mutex<Vec<Option<Slot>>>,
    parts: usize,
    /// The number of parts that have taken a slot, before their tasks are queued.
    taken: AtomicUsize,
    /// The number of parts that are there, and of those whose streams have reached them.
    filled: AtomicUsize,
    arrived: AtomicUsize,
    /// [`OPEN`], [`MOVES`], or the code of the result once the memory was moved or the operation was given up. It changes
    /// under the lock.
    stage: AtomicI64,
}

/// The operation waits for parts, or the memory is moved.
const OPEN: i64 = i64::MIN;
const MOVES: i64 = OPEN + 1;

#[derive(Debug)]
enum Slot {
    /// A part of this process.
    Here {
        part: Arc<Part>,
        /// The task of the part, and the call that queued it, if the checker is on.
        at: Point,
        issuer: Option<Arc<Site>>,
        /// Whether the stream has reached the task.
        arrived: bool,
    },
    /// A part of another process. It comes when the stream there has reached its task.
    There(Remote),
}

impl Exchange {
    pub(super) fn new(parts: usize) -> Exchange {
        Exchange {
            slots: Mutex::default(),
            parts,
            taken: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
            arrived: AtomicUsize::new(0),
            stage: AtomicI64::new(OPEN),
        }
    }

    /// Counts a part that takes a slot, and returns whether it is the last one.
    pub(super) fn take(&self) -> bool {
        self.taken.fetch_add(1, Ordering::Relaxed) + 1 >= self.parts
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Slot>>> {
        let mut slots = lock(&self.slots);
        if slots.is_empty() {
            slots.resize_with(self.parts, || None);
        }
        slots
    }

    fn fill(&self, slot: usize, content: Slot) {
        let has_arrived = matches!(content, Slot::There(_));
        let mut slots = self.lock();
        if let Some(slot) = slots.get_mut(slot)
            && slot.replace(content).is_none()
        {
            self.filled.fetch_add(1, Ordering::AcqRel);
            self.arrived
                .fetch_add(usize::from(has_arrived), Ordering::AcqRel);
        }
    }

    /// Returns whether all parts are there. Before that, no waiting rank can go on.
    pub(super) fn is_complete(&self) -> bool {
        self.filled.load(Ordering::Acquire) >= self.parts
    }

    /// Adds the part of a rank of another process.
    pub(super) fn fill_remote(&self, slot: usize, part: Remote) {
        self.fill(slot, Slot::There(part));
    }

    /// Returns the result of an operation that is over.
    fn outcome(&self) -> Option<Result<(), aclError>> {
        match self.stage.load(Ordering::Acquire) {
            OPEN | MOVES => None,
            0 => Some(Ok(())),
            code => Some(Err(code as aclError)),
        }
    }

    /// Returns whether a rank has to wait.
    fn has_to_wait(&self) -> bool {
        match self.stage.load(Ordering::Acquire) {
            OPEN => self.arrived.load(Ordering::Acquire) < self.parts,
            stage => stage == MOVES,
        }
    }

    /// Notes that the stream has reached the part, and returns it, unless the operation is over.
    fn arrive(&self, slot: usize) -> Option<Arc<Part>> {
        let mut slots = self.lock();
        if self.outcome().is_none()
            && let Some(Some(Slot::Here { part, arrived, .. })) = slots.get_mut(slot)
            && !mem::replace(arrived, true)
        {
            self.arrived.fetch_add(1, Ordering::AcqRel);
            return Some(Arc::clone(part));
        }
        None
    }

    /// Returns a queued task that its stream has not reached. A waiting thread can run that stream.
    fn unreached_task(&self) -> Option<Point> {
        let arrived = self.arrived.load(Ordering::Acquire);
        if arrived >= self.filled.load(Ordering::Acquire) {
            return None;
        }
        for content in self.lock().iter() {
            if let Some(Slot::Here {
                at, arrived: false, ..
            }) = content
            {
                return Some(*at);
            }
        }
        None
    }

    /// Returns the slot of the first part that is not there, or that its stream has not reached. Waits while the memory is moved: an
    /// operation that is over has none.
    fn late_slot(&self) -> Option<usize> {
        let slots = self.lock();
        if self.outcome().is_some() {
            return None;
        }
        let is_late = |content: &Option<Slot>| match content {
            Some(Slot::Here { arrived, .. }) => !arrived,
            Some(Slot::There(_)) => false,
            None => true,
        };
        slots.iter().position(is_late)
    }

    /// Returns the slots of the parts that are not there. An operation that is over needs none.
    pub(super) fn absent_slots(&self) -> Vec<usize> {
        let slots = self.lock();
        if self.outcome().is_some() {
            return Vec::new();
        }
        let absent = slots.iter().enumerate();
        let absent = absent.filter(|(_, content)| content.is_none());
        list_of(absent.map(|(slot, _)| slot))
    }

    /// Returns a part of this process in an operation that is not over.
    pub(super) fn part_here(&self) -> Option<(&'static str, Option<Arc<Site>>)> {
        let slots = self.lock();
        if self.outcome().is_some() {
            return None;
        }
        slots.iter().flatten().find_map(|content| match content {
            Slot::Here { part, issuer, .. } => Some((part.call, issuer.clone())),
            Slot::There(_) => None,
        })
    }

    /// Moves the memory and tells the waiting ranks, unless another part has done so, and returns the result for all.
    fn finish(&self, call: &'static str) -> Result<(), aclError> {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let slots = self.lock();
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        self.stage.store(MOVES, Ordering::Release);
        // If a panic ends this, another rank does it again.
        let _again = Again(&self.stage);
        let parts = slots.iter().flatten().map(|content| match content {
            Slot::Here { part, .. } => Seen::Here(part),
            Slot::There(part) => Seen::There(part),
        });
        let parts = list_of(parts);
        let outcome = perform(call, &parts).map_err(|Fault(code)| code);
        self.close(slots, outcome.err().unwrap_or(ACL_SUCCESS));
        engine().announce();
        outcome
    }

    /// Enters the result. Nobody reads the memory of the parts any more.
    fn close(&self, mut slots: MutexGuard<'_, Vec<Option<Slot>>>, code: aclError) {
        self.stage.store(code.into(), Ordering::Release);
        slots.clear();
    }

    /// Ends the operation with a code, unless it is over.
    fn end(&self, code: aclError) -> bool {
        let slots = self.lock();
        let is_first = self.outcome().is_none();
        if is_first {
            self.close(slots, code);
        }
        is_first
    }

    /// Ends the operation without success, unless it is over.
    pub(super) fn give_up(&self) -> bool {
        self.end(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)
    }
}

/// A part with its slot in an exchange, before it is queued.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) exchange: Arc<Exchange>,
    pub(super) slot: usize,
    pub(super) part: Part,
}

/// A slot that holds its part.
#[derive(Debug)]
struct Taken {
    key: Key,
    exchange: Arc<Exchange>,
    slot: usize,
}

/// The task of a rank: it is over when the operations are.
pub(super) struct Attend {
    call: &'static str,
    world: Arc<World>,
    taken: Vec<Taken>,
    has_arrived: bool,
    since: Option<Instant>,
    /// Whether the world counts the task.
    counts: bool,
}

impl Attend {
    /// Makes the task of this number.
    pub(super) fn new(
        call: &'static str,
        world: Arc<World>,
        entries: Vec<Entry>,
        at: Point,
    ) -> Attend {
        let fill = |entry: Entry| {
            let content = Slot::Here {
                part: Arc::new(entry.part),
                at,
                issuer: issuer(call),
                arrived: false,
            };
            entry.exchange.fill(entry.slot, content);
            Taken {
                key: entry.key,
                exchange: entry.exchange,
                slot: entry.slot,
            }
        };
        world.add_task();
        Attend {
            call,
            world,
            taken: list_of(entries.into_iter().map(fill)),
            has_arrived: false,
            since: None,
            counts: true,
        }
    }

    /// Notes that the task is over, before anybody who waits for it can know.
    fn end(&mut self) {
        if mem::take(&mut self.counts) {
            self.world.end_task();
        }
    }

    fn give_up(&self) -> bool {
        let given_up = self.taken.iter().map(|taken| taken.exchange.give_up());
        // Each one, not only the first that was open.
        given_up.fold(false, |any, one| any | one)
    }

    /// Gives the operations up because a rank does not take part.
    fn miss(&self, text: &str) -> bool {
        let is_first = self.give_up();
        if is_first {
            violated(self.call, What::RankMissing, format_args!("{text}"));
        }
        is_first
    }

    /// Sends a part that its stream has reached to the ranks of other processes.
    fn publish(&self, connections: &Connections, taken: &Taken, part: &Part) -> Result<(), Fault> {
        let pinned = part.pin()?;
        let frame = Frame::Part(taken.key, part.outline());
        for other in connections.others() {
            if let Some(slot) = taken.key.slot(other) {
                connections.send_with(other, &frame, pinned.payload(slot));
            }
        }
        pinned.leave(self.call)
    }

    /// Notes that the stream has reached the task.
    fn arrive(&mut self) {
        if mem::replace(&mut self.has_arrived, true) {
            return;
        }
        for taken in &self.taken {
            let Some(part) = taken.exchange.arrive(taken.slot) else {
                continue;
            };
            if let Some(connections) = self.world.connections()
                && let Err(Fault(code)) = self.publish(connections, taken, &part)
            {
                taken.exchange.end(code);
                self.world.fail("a rank has used memory that it has not");
            }
        }
        if self.taken.len() > 1 {
            // One of the operations may go on, while this task waits for another one.
            engine().announce();
        }
    }

    /// Returns why a part never comes.
    fn absence(&self) -> Option<String> {
        self.taken.iter().find_map(|taken| {
            let absent = || {
                let absent = taken.exchange.absent_slots().into_iter();
                list_of(absent.map(|slot| taken.key.rank(slot)))
            };
            let rank = absentee(|| self.world.gone(), absent)?;
            self.world.absence(rank, taken.key)
        })
    }
}

/// Returns a rank that has gone and whose part is not there.
///
/// The parts of a rank come before the news that it has gone, and both can come at any time. So the second question is the one
/// for the parts: whoever has gone at the first one has brought all of its parts.
fn absentee(
    gone: impl FnOnce() -> SortedSet<u32>,
    absent: impl FnOnce() -> Vec<u32>,
) -> Option<u32> {
    let gone = gone();
    if gone.is_empty() {
        return None;
    }
    absent().into_iter().find(|rank| gone.contains(rank))
}

/// Opens an operation again whose memory was not moved.
struct Again<'a>(&'a AtomicI64);

impl Drop for Again<'_> {
    fn drop(&mut self) {
        let (now, then) = (Ordering::AcqRel, Ordering::Relaxed);
        _ = self.0.compare_exchange(MOVES, OPEN, now, then);
    }
}

impl Drop for Attend {
    fn drop(&mut self) {
        self.end();
    }
}

impl Work for Attend {
    fn call(&self) -> &'static str {
        self.call
    }

    fn blocked(&mut self, stream: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        self.arrive();
        let since = *self.since.get_or_insert_with(Instant::now);
        let limit = self.world.limits().execute;
        let until = limit.and_then(|limit| since.checked_add(limit));
        let (Taken { key, exchange, .. }, late) = loop {
            let has_to_wait = |taken: &&Taken| taken.exchange.has_to_wait();
            let taken = self.taken.iter().find(has_to_wait)?;
            if until.is_none_or(|until| until > Instant::now()) {
                break (taken, None);
            }
            // Otherwise all parts have come meanwhile, and the operation lasts no more.
            if let late @ Some(_) = taken.exchange.late_slot() {
                break (taken, late);
            }
        };
        if let Some(text) = self.absence() {
            self.miss(&text);
            return None;
        }
        if let Some(slot) = late {
            let rank = key.rank(slot);
            let text = match *key {
                Key::Collective(_) => format!(
                    "rank {rank} did not make this operation in time{}; every rank has to make the same operations \
                     in the same order",
                    self.world.instead(rank, *key)
                ),
                Key::Message { from, to, .. } => {
                    let missed = if rank == to {
                        format!("rank {to} did not receive a message from rank {from}")
                    } else {
                        format!("rank {from} did not send a message to rank {to}")
                    };
                    format!(
                        "{missed} in time; a message is sent and received, in one order on both ranks unless a batch \
                         has both"
                    )
                }
            };
            if self.miss(&text) {
                self.world.fail(&text);
            }
            return None;
        }
        let other = exchange.unreached_task();
        let other = other.filter(|(other, _)| !ptr::eq(*other, stream));
        let blocked = other.map_or(Blocked::Rank, |(other, number)| {
            Blocked::Stream(other, number)
        });
        Some((blocked, until))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let mut result = Ok(());
        for taken in &self.taken {
            // Each one, because the other ranks wait for it.
            result = result.and(taken.exchange.finish(self.call));
        }
        self.end();
        result.map_err(Fault)
    }

    fn abandon(&mut self) {
        if self.give_up() {
            self.world
                .fail("a rank has ended an operation that was queued");
        }
        self.end();
        engine().announce();
    }

    /// No graph has such a task: it stores another one for each operation.
    fn again(&self) -> Box<dyn Work> {
        Box::new(Attend {
            call: self.call,
            world: Arc::clone(&self.world),
            taken: Vec::new(),
            has_arrived: false,
            since: None,
            counts: false,
        })
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::Ordering;

    use ascendcl_sys::HCCL_DATA_TYPE_FP32;

    use super::super::movement::{Remote, Terms};
    use super::{ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, Exchange, MOVES, absentee};
    use crate::sorted::SortedSet;

    fn remote() -> Remote {
        Remote {
            terms: Terms {
                operation: "HcclBarrier",
                dtype: HCCL_DATA_TYPE_FP32,
                count: None,
                reduction: None,
                root: None,
            },
            gives: Vec::new(),
            takes: Vec::new(),
            bytes: Vec::new(),
        }
    }

    #[test]
    fn a_rank_waits_without_the_lock_until_all_parts_are_there() {
        let exchange = Exchange::new(2);
        for slot in [1, 1] {
            exchange.fill_remote(slot, remote());
            let held = exchange.lock();
            assert!(exchange.has_to_wait() && !exchange.is_complete());
            assert!(
                exchange.unreached_task().is_none(),
                "no stream can be helped"
            );
            drop(held);
        }
        assert_eq!(exchange.late_slot(), Some(0));
        exchange.fill_remote(0, remote());
        let held = exchange.lock();
        assert!(!exchange.has_to_wait() && exchange.is_complete());
        drop(held);
        assert_eq!(exchange.finish("HcclBarrier"), Ok(()));
        assert!(!exchange.give_up(), "it is over");
        assert_eq!(exchange.late_slot(), None, "all parts have come");
    }

    #[test]
    fn a_rank_waits_while_another_one_moves_the_memory_and_reads_the_result_without_the_lock() {
        let exchange = Exchange::new(1);
        exchange.fill_remote(0, remote());
        exchange.stage.store(MOVES, Ordering::Release);
        let held = exchange.lock();
        assert!(exchange.has_to_wait() && exchange.outcome().is_none());
        drop(held);
        assert!(exchange.give_up());
        let _held = exchange.lock();
        assert!(!exchange.has_to_wait());
        let outcome = exchange.finish("HcclBarrier");
        assert_eq!(outcome, Err(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT));
    }

    #[test]
    fn a_rank_that_brings_its_part_and_goes_between_two_questions_is_not_missed() {
        let has_gone = Cell::new(false);
        let ask = |answer: &dyn Fn(bool) -> Vec<u32>| answer(has_gone.replace(true));
        let gone = |goes: bool| if goes { vec![1] } else { Vec::new() };
        let absent = |comes: bool| if comes { Vec::new() } else { vec![1] };
        let asked = || absentee(|| SortedSet::from_iter(ask(&gone)), || ask(&absent));
        assert_eq!(asked(), None, "the part has come");
        assert_eq!(asked(), None, "it is still there");
    }

    #[test]
    fn a_rank_that_has_gone_without_its_part_is_found() {
        let gone = || SortedSet::from_iter([1, 3]);
        assert_eq!(absentee(gone, || vec![0, 3]), Some(3));
        assert_eq!(absentee(gone, || vec![0, 2]), None);
        assert_eq!(absentee(SortedSet::new, || vec![0]), None);
    }
}
