//! Worlds: the ranks that belong together, and how they meet to join.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ascendcl_sys::{HCCL_E_INTERNAL, HCCL_E_TIMEOUT, HcclResult};

use super::meeting::Meeting;
use super::refuse;
use crate::engine::engine;

/// The time that ranks wait for each other to join, if nothing else is set. It is that of `HCCL_CONNECT_TIMEOUT`.
const CONNECT: Duration = Duration::from_secs(120);
/// The time that an operation waits for the other ranks, if nothing else is set: that of `HCCL_EXEC_TIMEOUT`.
const EXECUTE: Duration = Duration::from_secs(1836);

/// The ranks of a communicator.
#[derive(Debug)]
pub(super) struct World {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The number of ranks, once one has joined.
    size: Option<u32>,
    joined: BTreeSet<u32>,
    /// A rank did not come in time, or the ranks disagree.
    failed: bool,
    /// The ranks that have made their first operation of a kind.
    linked: BTreeMap<Link, BTreeSet<u32>>,
    meetings: BTreeMap<Key, Arc<Meeting>>,
}

/// The operations that share the connections between the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// The collective operations of this name.
    Collective(&'static str),
    /// The messages from one rank to another one.
    Pair(u32, u32),
}

/// What identifies a meeting in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The collective operation with this number.
    Collective(u64),
    /// The message with this number from one rank to another one.
    Message {
        from: u32,
        to: u32,
        number: u64,
        in_batch: bool,
    },
}

impl World {
    pub(super) fn new() -> Arc<World> {
        Arc::new(World {
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change under the lock is one step.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins as one of `size` ranks and waits for the others.
    pub(super) fn join(&self, call: &str, size: u32, rank: u32) -> Result<(), HcclResult> {
        let mut state = self.lock();
        let known = *state.size.get_or_insert(size);
        if known != size {
            state.failed = true;
            self.changed.notify_all();
            return Err(refuse(
                HCCL_E_INTERNAL,
                format_args!(
                    "{call} failed: nRanks is {size}, and another rank of the same root information passed \
                     {known}; pass one number on all ranks"
                ),
            ));
        }
        if !state.joined.insert(rank) {
            return Err(refuse(
                HCCL_E_INTERNAL,
                format_args!(
                    "{call} failed: rank {rank} has joined already; give each rank a number of its own"
                ),
            ));
        }
        self.changed.notify_all();
        let until = Instant::now() + limit(CONNECT);
        let all = |state: &State| state.joined.len() == size as usize;
        let mut state = self.wait(state, until, all);
        if all(&state) {
            return Ok(());
        }
        let missing = (0..size).find(|rank| !state.joined.contains(rank));
        state.failed = true;
        self.changed.notify_all();
        Err(refuse(
            HCCL_E_TIMEOUT,
            format_args!(
                "{call} failed: rank {} of {size} did not join in time; call it on every rank, each on a thread of \
                 its own",
                missing.unwrap_or(0)
            ),
        ))
    }

    /// Waits for the other ranks before the first operation of a kind, which connects them. `ranks` is the number of
    /// ranks that take part.
    pub(super) fn connect(
        &self,
        call: &str,
        link: Link,
        rank: u32,
        ranks: usize,
    ) -> Result<(), HcclResult> {
        let mut state = self.lock();
        let linked = state.linked.entry(link).or_default();
        if linked.len() >= ranks {
            return Ok(());
        }
        linked.insert(rank);
        self.changed.notify_all();
        let until = Instant::now() + limit(CONNECT);
        let all = |state: &State| {
            state
                .linked
                .get(&link)
                .is_some_and(|linked| linked.len() >= ranks)
        };
        let state = self.wait(state, until, all);
        if all(&state) {
            return Ok(());
        }
        Err(refuse(
            HCCL_E_TIMEOUT,
            format_args!(
                "{call} failed: it is the first of its kind, which connects the ranks, and another rank did not make \
                 it in time; make it on every rank, each on a thread of its own"
            ),
        ))
    }

    /// Waits until `done`, a failure or the time.
    fn wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        until: Instant,
        done: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        while !done(&state) && !state.failed {
            let Some(left) = until
                .checked_duration_since(Instant::now())
                .filter(|left| !left.is_zero())
            else {
                break;
            };
            state = match self.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        state
    }

    /// Returns the meeting of this key with this number of parts. The last part to come removes it from the list.
    pub(super) fn meeting(&self, key: Key, parts: usize) -> Arc<Meeting> {
        let mut state = self.lock();
        let meeting = state
            .meetings
            .entry(key)
            .or_insert_with(|| Arc::new(Meeting::new(parts)));
        let meeting = Arc::clone(meeting);
        if meeting.is_last() {
            state.meetings.remove(&key);
        }
        meeting
    }

    /// Returns whether a rank has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.lock().failed
    }

    /// Marks that a rank has failed.
    pub(super) fn fail(&self) {
        self.lock().failed = true;
        self.changed.notify_all();
    }
}

/// The time after which a queued operation gives up.
pub(super) fn patience() -> Duration {
    limit(EXECUTE)
}

fn limit(usual: Duration) -> Duration {
    engine().config.rank_timeout.unwrap_or(usual)
}
