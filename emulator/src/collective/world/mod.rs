//! Worlds: the ranks that belong together, and what they know of each other.
//!
//! If all ranks are threads of one process, they share one world. Otherwise each rank has a world of its own, and a
//! [`Connections`] to those of the other ranks.

mod watch;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Weak};
use std::time::Instant;

use ascendcl_sys::{HCCL_E_INTERNAL, HCCL_E_TIMEOUT, HcclResult};

use super::connections::Connections;
use super::exchange::Exchange;
use super::frame::Frame;
use super::key::{Gone, Key, Link};
use super::limits::Limits;
use super::movement::Remote;
use super::net::Net;
use super::refuse;
use crate::check::violated;
use crate::engine::engine;
use crate::observe::violation::What;
use crate::sorted::{Sorted, SortedSet};
use crate::sync::{Mutex, MutexGuard, lock};

pub(crate) use watch::look_at_end;

/// The ranks of a communicator.
#[derive(Debug)]
pub(super) struct World {
    limits: Limits,
    /// The connections to the other ranks, if they are in several processes.
    connections: Option<Connections>,
    state: Mutex<State>,
    /// Whether a rank has gone. Waiting ranks look here before they take the lock.
    has_left: AtomicBool,
    /// The communicator and its queued operations. The ranks of other processes learn that the last of them is over. This is no
    /// count of references: a thread that still holds one may run after the end of the process has begun.
    users: AtomicUsize,
    /// Whether they have been told so.
    has_told: AtomicBool,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The number of ranks, once one has joined.
    size: Option<u32>,
    joined: SortedSet<u32>,
    /// The reason why no further operation succeeds.
    failed: Option<String>,
    /// The ranks that make no more operations.
    gone: Sorted<u32, Gone>,
    /// The ranks that have made their first operation of a kind.
    linked: Sorted<Link, SortedSet<u32>>,
    /// The last operation with a count of 0 of each rank, and the number of the operation behind it.
    skipped: Sorted<u32, (&'static str, u64)>,
    exchanges: Sorted<Key, Arc<Exchange>>,
}

/// The worlds that exist.
static WORLDS: Mutex<Vec<Weak<World>>> = Mutex::new(Vec::new());

impl World {
    /// Makes a world that ranks join one after the other.
    pub(super) fn new(limits: Limits) -> Arc<World> {
        World::with(limits, None, State::default())
    }

    /// Makes a world of threads that have joined already.
    pub(super) fn complete(limits: Limits, size: u32) -> Arc<World> {
        World::with(limits, None, State::of(size))
    }

    /// Makes the world of a rank whose others are in several processes, and have joined already.
    pub(super) fn apart(limits: Limits, net: &Arc<Net>, connections: Connections) -> Arc<World> {
        let size = connections.size();
        World::on(limits, net, connections, |_| State::of(size))
    }

    /// Makes the world of a rank in a part of a communicator. Others may have joined it already.
    pub(super) fn part(limits: Limits, net: &Arc<Net>, connections: Connections) -> Arc<World> {
        World::on(limits, net, connections, |joined| State {
            joined,
            ..State::default()
        })
    }

    fn on(
        limits: Limits,
        net: &Arc<Net>,
        connections: Connections,
        state: impl FnOnce(SortedSet<u32>) -> State,
    ) -> Arc<World> {
        let name = connections.name().to_owned();
        net.add(&name, |early, lost| {
            let of = |rank: &u32| connections.rank_of(*rank);
            let mut state = state(early.keys().filter_map(of).collect());
            let lost = lost.keys().filter_map(of);
            state.gone = lost.map(|rank| (rank, Gone::Ended)).collect();
            World::with(limits, Some(connections), state)
        })
    }

    fn with(limits: Limits, connections: Option<Connections>, state: State) -> Arc<World> {
        let world = Arc::new(World {
            limits,
            connections,
            has_left: AtomicBool::new(!state.gone.is_empty()),
            state: Mutex::new(state),
            users: AtomicUsize::new(1),
            has_told: AtomicBool::new(false),
            changed: Condvar::new(),
        });
        let mut worlds = lock(&WORLDS);
        worlds.retain(|world| world.strong_count() > 0);
        worlds.push(Arc::downgrade(&world));
        world
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is one step.
        lock(&self.state)
    }

    /// Returns the connections to the other ranks, if they are in several processes.
    pub(super) fn connections(&self) -> Option<&Connections> {
        self.connections.as_ref()
    }

    /// Returns the rank in this world of a rank of all ranks.
    fn rank(&self, of_all: u32) -> Option<u32> {
        self.connections.as_ref()?.rank_of(of_all)
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Sends a message to all other ranks, if they are in several processes.
    fn broadcast(&self, frame: &Frame) {
        if let Some(connections) = &self.connections {
            connections.broadcast(frame);
        }
    }

    /// Joins as one of `size` ranks of a part, or of all devices of a process, and waits for the others.
    pub(super) fn join(&self, call: &str, size: u32, rank: u32) -> Result<(), HcclResult> {
        let mut state = self.lock();
        let known = *state.size.get_or_insert(size);
        if known != size {
            let text = format!(
                "the number of ranks is {size}, and another rank passed {known}; pass one number on all ranks"
            );
            state.failed = Some(text.clone());
            self.changed.notify_all();
            return Err(refuse(
                HCCL_E_INTERNAL,
                format_args!("{call} failed: {text}"),
            ));
        }
        if !state.joined.add(rank) {
            return Err(refuse(
                HCCL_E_INTERNAL,
                format_args!(
                    "{call} failed: rank {rank} has joined already; give each rank a number of its own"
                ),
            ));
        }
        drop(state);
        self.changed.notify_all();
        self.broadcast(&Frame::Join);
        let until = Instant::now() + self.limits.join;
        let mut missing = |state: &State| (0..size).find(|rank| !state.joined.contains(rank));
        let (code, text) = match self.wait(until, &mut missing) {
            Waited::Done => return Ok(()),
            Waited::Gone(rank, gone) => (
                HCCL_E_TIMEOUT,
                format!("rank {rank} of {size} does not join: {}", gone.text()),
            ),
            Waited::Failed(text) => (HCCL_E_INTERNAL, text),
            Waited::Late(rank) => (
                HCCL_E_TIMEOUT,
                format!(
                    "rank {rank} of {size} did not join in time; call it on every rank of the part, with the same \
                     list of ranks and the same number, each on a thread of its own or in a process of its own"
                ),
            ),
        };
        self.lock().failed = Some(text.clone());
        self.changed.notify_all();
        self.broadcast(&Frame::Leave);
        Err(refuse(code, format_args!("{call} failed: {text}")))
    }

    /// Waits for the other ranks before the first operation of a kind, which connects them.
    pub(super) fn connect(
        &self,
        call: &'static str,
        link: Link,
        rank: u32,
        size: u32,
    ) -> Result<(), HcclResult> {
        let mut is_told = false;
        let mut missing = |state: &State| {
            let circle = state.circle(rank, size).filter(|_| !is_told);
            if let Some(text) = circle {
                is_told = true;
                violated(call, What::RanksDisagree, format_args!("{text}"));
            }
            state.missing(link, size)
        };
        let mut state = self.lock();
        if missing(&state).is_none() {
            return Ok(());
        }
        let linked = &mut state.linked;
        let is_first = linked.get_or_insert_with(link, SortedSet::new).add(rank);
        drop(state);
        self.changed.notify_all();
        if is_first && let Some(connections) = &self.connections {
            for other in link.ranks(size).into_iter().filter(|other| *other != rank) {
                connections.send(other, &Frame::Link(link));
            }
        }
        let until = Instant::now() + self.limits.join;
        let text = match self.wait(until, &mut missing) {
            Waited::Done => return Ok(()),
            Waited::Gone(rank, gone) => format!("rank {rank} does not make it: {}", gone.text()),
            Waited::Failed(text) => format!("the communicator has failed: {text}"),
            Waited::Late(rank) => {
                let text = format!(
                    "it is the first of its kind, which connects the ranks, and rank {rank} did not make it in time; \
                     make it on every rank, each on a thread of its own or in a process of its own"
                );
                // This rank has said that it makes the operation. The others must not wait for it.
                self.fail(&format!("{call} has failed: {text}"));
                text
            }
        };
        Err(refuse(
            HCCL_E_TIMEOUT,
            format_args!("{call} failed: {text}"),
        ))
    }

    /// Waits until no rank is missing, a failure or the time.
    fn wait(&self, until: Instant, missing: &mut dyn FnMut(&State) -> Option<u32>) -> Waited {
        let mut state = self.lock();
        loop {
            let Some(rank) = missing(&state) else {
                return Waited::Done;
            };
            if let Some(text) = &state.failed {
                return Waited::Failed(text.clone());
            }
            if let Some(gone) = state.gone.get(&rank) {
                return Waited::Gone(rank, *gone);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Waited::Late(rank);
            }
            state = state.wait(&self.changed, Some(left));
        }
    }

    /// Returns the exchange of this key with this number of parts. The last part to come removes it from the list.
    pub(super) fn exchange(&self, key: Key, parts: usize) -> Arc<Exchange> {
        let mut state = self.lock();
        if state.failed.is_some() {
            let exchange = Exchange::new(parts);
            exchange.give_up();
            return Arc::new(exchange);
        }
        let all = &mut state.exchanges;
        let exchange = Arc::clone(all.get_or_insert_with(key, || Arc::new(Exchange::new(parts))));
        if exchange.take() {
            state.exchanges.remove(&key);
        }
        exchange
    }

    /// Returns whether the communicator can be used no more.
    pub(super) fn has_failed(&self) -> bool {
        let state = self.lock();
        let mut gone = state.gone.values();
        state.failed.is_some() || gone.any(|gone| *gone != Gone::Destroyed)
    }

    /// Ends all operations without success, now and from now on.
    pub(super) fn fail(&self, text: &str) {
        let mut state = self.lock();
        if state.failed.is_some() {
            return;
        }
        state.failed = Some(text.to_owned());
        let exchanges = std::mem::take(&mut state.exchanges);
        drop(state);
        for exchange in exchanges.values() {
            exchange.give_up();
        }
        self.changed.notify_all();
        engine().announce();
        self.broadcast(&Frame::Gone(Gone::GaveUp));
    }

    /// Notes that a rank has made an operation with a count of 0, which takes no part in it.
    pub(super) fn skip(&self, rank: u32, call: &'static str, next: u64) {
        self.lock().skipped.insert(rank, (call, next));
        self.broadcast(&Frame::Skip(call, next));
    }

    /// Returns the ranks that make no more operations.
    pub(super) fn gone(&self) -> SortedSet<u32> {
        if !self.has_left.load(Ordering::Acquire) {
            return SortedSet::new();
        }
        self.lock().gone.keys().copied().collect()
    }

    /// Returns why a rank that has gone does not make an operation.
    pub(super) fn absence(&self, rank: u32, key: Key) -> Option<String> {
        let gone = *self.lock().gone.get(&rank)?;
        Some(format!(
            "rank {rank} does not make this operation: {}{}",
            gone.text(),
            self.instead(rank, key)
        ))
    }

    /// Returns what a rank did instead of an operation that it did not make in time.
    pub(super) fn instead(&self, rank: u32, key: Key) -> String {
        let state = self.lock();
        match (state.skipped.get(&rank), key) {
            (Some((call, next)), Key::Collective(number)) if *next == number => {
                format!("; it called {call} with a count of 0, which takes no part")
            }
            _ => String::new(),
        }
    }

    /// Notes that a rank of all ranks has joined. Returns false if it had done so before.
    pub(super) fn note_joined(&self, of_all: u32) -> bool {
        let Some(rank) = self.rank(of_all) else {
            return false;
        };
        let joins = self.lock().joined.add(rank);
        self.changed.notify_all();
        joins
    }

    /// Notes that a rank of all ranks makes no more operations.
    pub(super) fn note_gone(&self, of_all: u32, gone: Gone) {
        let Some(rank) = self.rank(of_all) else {
            return;
        };
        self.enter_gone(rank, gone);
    }

    /// Notes that a rank of this process has destroyed its communicator. The ranks of other processes learn it behind its
    /// queued operations.
    pub(super) fn leave(&self, rank: u32) {
        if self.connections.is_none() {
            // The ranks of this process share the world.
            self.enter_gone(rank, Gone::Destroyed);
        } else {
            self.end_task();
        }
    }

    /// Counts a task that was queued.
    pub(super) fn add_task(&self) {
        if self.connections.is_some() {
            self.users.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a task that is over, or the communicator that is destroyed.
    pub(super) fn end_task(&self) {
        if self.connections.is_some() && self.users.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.tell();
        }
    }

    /// Tells the ranks of other processes once that this rank makes no more operations.
    fn tell(&self) {
        if !self.has_told.swap(true, Ordering::AcqRel) {
            self.broadcast(&Frame::Gone(Gone::Destroyed));
        }
    }

    fn enter_gone(&self, rank: u32, gone: Gone) {
        self.lock().gone.get_or_insert_with(rank, || gone);
        self.has_left.store(true, Ordering::Release);
        self.changed.notify_all();
        engine().announce();
    }

    /// Takes a message of a rank of all ranks.
    pub(super) fn deliver(&self, of_all: u32, frame: Frame) {
        let Some(rank) = self.rank(of_all) else {
            return;
        };
        match frame {
            Frame::Join => {}
            Frame::Leave => {
                let mut state = self.lock();
                if state
                    .size
                    .is_none_or(|size| state.joined.len() < size as usize)
                {
                    state.joined.remove(&rank);
                }
            }
            Frame::Link(link) => {
                self.lock()
                    .linked
                    .get_or_insert_with(link, SortedSet::new)
                    .add(rank);
                self.changed.notify_all();
            }
            Frame::Skip(call, next) => {
                self.lock().skipped.insert(rank, (call, next));
            }
            Frame::Gone(gone) => {
                // A rank that has not joined speaks of an earlier part with this name.
                if self.lock().joined.contains(&rank) {
                    self.note_gone(of_all, gone);
                }
            }
            Frame::Part(key, part) => self.fill(rank, key, part),
        }
    }

    /// Gives the part of a rank of another process its place.
    fn fill(&self, rank: u32, key: Key, part: Remote) {
        let Some(of) = &self.connections else { return };
        let (parts, own) = match key {
            Key::Collective(_) => (of.size() as usize, of.rank()),
            Key::Message { from, to, .. } => (2, if rank == from { to } else { from }),
        };
        let (Some(slot), true) = (key.slot(rank), own == of.rank()) else {
            return;
        };
        let given = key.slot(own).and_then(|slot| part.gives.get(slot));
        if given.copied().unwrap_or(0) != part.bytes.len() as u64 {
            return;
        }
        self.exchange(key, parts).fill_remote(slot, part);
        engine().announce();
    }
}

/// The result of a wait for other ranks.
enum Waited {
    Done,
    Gone(u32, Gone),
    Failed(String),
    Late(u32),
}

impl State {
    /// The state of a world whose ranks have all joined.
    fn of(size: u32) -> State {
        State {
            size: Some(size),
            joined: (0..size).collect(),
            ..State::default()
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // A rank that has not joined has no communicator to destroy.
        self.tell();
        if let Some(connections) = &self.connections {
            connections.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;
    use crate::collective::blob::Secret;
    use crate::collective::listener::listen;
    use crate::collective::net::ALL;
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    const LIMITS: Limits = Limits {
        join: Duration::from_millis(1),
        execute: None,
    };

    #[test]
    fn a_failed_world_keeps_no_exchange() {
        let world = World::complete(LIMITS, 2);
        for number in 0..100 {
            world.exchange(Key::Collective(number), 2);
        }
        assert_eq!(world.lock().exchanges.len(), 100);
        world.fail("the test");
        assert!(world.lock().exchanges.is_empty() && world.has_failed());
        for number in 100..200 {
            let exchange = world.exchange(Key::Collective(number), 2);
            assert!(!exchange.give_up(), "it was given up before");
        }
        assert!(world.lock().exchanges.is_empty());
    }

    #[test]
    fn the_last_part_removes_its_exchange() {
        let world = World::complete(LIMITS, 2);
        let key = Key::Message {
            from: 0,
            to: 1,
            number: 3,
            in_batch: false,
        };
        let one = world.exchange(key, 2);
        assert!(Arc::ptr_eq(&one, &world.exchange(key, 2)));
        assert!(world.lock().exchanges.is_empty());
    }

    /// A thread may hold the world of a communicator that is destroyed, and the process may end before it lets go.
    #[test]
    fn the_end_of_a_communicator_is_told_by_the_call() {
        let limits = Limits {
            join: Duration::from_secs(5),
            execute: None,
        };
        let secret = Secret::default();
        let listeners = [0, 1].map(|_| listen().unwrap());
        let ports: Vec<_> = listeners
            .iter()
            .map(|listener| listener.local_addr().unwrap().port())
            .collect();
        let join = |(rank, listener): (u32, &TcpListener)| {
            let net = Net::connect(rank, &ports, &secret, listener, limits).unwrap();
            let connections = Connections::new(&net, ALL.to_owned(), vec![0, 1], rank);
            let world = World::apart(limits, &net, connections);
            net.start(limits).unwrap();
            world
        };
        let worlds: Vec<_> = thread::scope(|threads| {
            let ranks = (0..).zip(&listeners);
            let joined: Vec<_> = ranks
                .map(|of| {
                    let join = &join;
                    threads.spawn(move || join(of))
                })
                .collect();
            joined.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let [here, there] = &worlds[..] else {
            unreachable!("two ranks have joined");
        };
        let link = Link::Collective("HcclBarrier");
        let why = || {
            assert_eq!(
                there.connect("HcclBarrier", link, 1, 2),
                Err(HCCL_E_TIMEOUT)
            );
            crate::error::unread_text().unwrap()
        };
        // A queued operation goes before it.
        here.add_task();
        here.leave(0);
        assert!(!here.has_told.load(Ordering::Relaxed));
        here.end_task();
        assert!(why().contains("rank 0 does not make it: it has destroyed its communicator"));
        assert!(
            !there.has_failed(),
            "the operations before it have succeeded"
        );
    }

    #[test]
    fn a_rank_that_does_not_connect_is_named() {
        let world = World::complete(LIMITS, 3);
        world
            .lock()
            .linked
            .insert(Link::Collective("HcclReduce"), SortedSet::from_iter([0]));
        let link = Link::Collective("HcclReduce");
        assert_eq!(world.connect("HcclReduce", link, 1, 3), Err(HCCL_E_TIMEOUT));
        let text = crate::error::unread_text().unwrap();
        assert!(text.contains("rank 2 did not make it in time"), "{text}");
    }
}
