//! Ranks that run at the same time: where they wait for each other, and what they have to agree about.
//!
//! The machine runs ranks one after the other, and notes for each what its thread queues and waits for. At the end of the
//! program it plays these notes side by side. A rank goes on until it waits for another one. If none can go on, a rank is
//! missing somewhere. Where parts of an operation meet, they have to be the same operation.

use std::collections::{BTreeMap, BTreeSet};

use super::state::Clock;
use super::{Machine, Rule, Run};
use crate::program::Lengths;

/// A place where ranks meet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// They join a communicator.
    Join(Vec<usize>),
    /// The first operation of a kind connects all ranks.
    Link(Vec<usize>, Kind),
    /// The first message from one rank to another connects the two.
    Pair(Vec<usize>, u8, u8),
    /// The operation of all ranks with this number.
    Operation(Vec<usize>, usize),
    Message(Vec<usize>, Message),
}

/// A message from a rank to another one: whether it is in a batch, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Message {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) in_batch: bool,
    pub(super) number: usize,
}

/// The operations, by the functions of C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    AllGatherV,
    ReduceScatterV,
    AllToAllV,
    AllToAllVC,
    Reduce,
    Broadcast,
    Barrier,
    Message,
}

/// What ranks have to agree about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) kind: Kind,
    pub(super) is_max: bool,
    pub(super) root: Option<u8>,
    /// The number of elements, in halves of a buffer.
    pub(super) count: u32,
    /// How a list divides them.
    pub(super) lengths: Option<Lengths>,
}

/// The part of a rank in an operation.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) key: Key,
    /// The number of parts.
    pub(super) parts: u8,
    pub(super) terms: Terms,
}

/// What a thread does that another rank may have to wait for.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// It waits for as many ranks to come to this place.
    Meet(Key, u8),
    /// It queues parts as one task, behind the tasks of this clock.
    Queue {
        task: (usize, u64),
        after: Clock,
        parts: Vec<Part>,
    },
    /// It waits for tasks.
    Wait(Clock),
    /// It starts these ranks, and waits for their end.
    Ranks(std::ops::Range<usize>),
}

impl Machine {
    /// Notes an action of the rank that runs.
    pub(super) fn act(&mut self, action: Action) {
        let rank = self.state.rank;
        if let Some(actions) = self.state.actions.get_mut(rank) {
            actions.push(action);
        }
    }

    /// Begins a rank.
    pub(super) fn begin_rank(&mut self) {
        self.state.actions.push(Vec::new());
        self.state.rank = self.state.actions.len() - 1;
        // They wait for each other.
        self.unbounded = true;
    }

    /// The number of ranks so far.
    pub(super) fn ranks(&self) -> usize {
        self.state.actions.len()
    }

    /// A rank is bound to a device that no other rank of the program is bound to: otherwise it depends on their order
    /// whether names are taken.
    pub(super) fn take_device(&mut self, device: usize) -> Run {
        let rank = self.state.rank;
        if rank == 0 {
            return Ok(());
        }
        let taken = self.state.bound.insert(device, rank);
        match taken {
            Some(other) if other != rank => Err(Rule::RankTwice),
            _ => Ok(()),
        }
    }

    /// Plays the actions of all ranks side by side.
    pub(super) fn play(&self) -> Run {
        let mut play = Play {
            actions: &self.state.actions,
            next: vec![0; self.state.actions.len()],
            is_started: vec![false; self.state.actions.len()],
            here: BTreeMap::new(),
            queued: Vec::new(),
        };
        if let Some(main) = play.is_started.first_mut() {
            *main = true;
        }
        play.run()
    }
}

/// A task with parts.
struct Queued<'a> {
    task: (usize, u64),
    after: &'a Clock,
    parts: &'a [Part],
    is_over: bool,
}

struct Play<'a> {
    actions: &'a [Vec<Action>],
    /// The number of actions of each rank that are done.
    next: Vec<usize>,
    is_started: Vec<bool>,
    /// The ranks that have come to a place.
    here: BTreeMap<&'a Key, BTreeSet<usize>>,
    queued: Vec<Queued<'a>>,
}

impl<'a> Play<'a> {
    fn run(&mut self) -> Run {
        loop {
            let mut moves = false;
            for rank in 0..self.actions.len() {
                while self.is_started.get(rank) == Some(&true) && self.step(rank) {
                    moves = true;
                }
            }
            if !self.finish()? && !moves {
                break;
            }
        }
        let is_done =
            |rank: usize| !self.is_started.get(rank).is_some_and(|is| *is) || self.is_at_end(rank);
        let all_done = (0..self.actions.len()).all(is_done);
        if all_done && self.queued.iter().all(|task| task.is_over) {
            return Ok(());
        }
        Err(Rule::RankMissing)
    }

    fn is_at_end(&self, rank: usize) -> bool {
        let len = self.actions.get(rank).map_or(0, Vec::len);
        self.next.get(rank).is_some_and(|next| *next >= len)
    }

    /// Does the next action of a rank, if it need not wait.
    fn step(&mut self, rank: usize) -> bool {
        let next = self.next.get(rank).copied().unwrap_or_default();
        let Some(action) = self.actions.get(rank).and_then(|actions| actions.get(next)) else {
            return false;
        };
        let goes_on = match action {
            Action::Meet(key, size) => {
                let here = self.here.entry(key).or_default();
                here.insert(rank);
                here.len() >= usize::from(*size)
            }
            Action::Queue { task, after, parts } => {
                self.queued.push(Queued {
                    task: *task,
                    after,
                    parts,
                    is_over: false,
                });
                true
            }
            Action::Wait(clock) => self.is_past(clock),
            Action::Ranks(ranks) => {
                for rank in ranks.clone() {
                    if let Some(is_started) = self.is_started.get_mut(rank) {
                        *is_started = true;
                    }
                }
                ranks.clone().all(|rank| self.is_at_end(rank))
            }
        };
        if goes_on && let Some(next) = self.next.get_mut(rank) {
            *next += 1;
        }
        goes_on
    }

    /// Whether all tasks of a clock are over.
    fn is_past(&self, clock: &Clock) -> bool {
        let is_later = |task: &Queued<'_>| {
            let (stream, number) = task.task;
            clock.get(&stream).is_none_or(|last| *last < number)
        };
        self.queued
            .iter()
            .all(|task| task.is_over || is_later(task))
    }

    /// Ends the tasks whose parts have all met. Returns whether there was one.
    fn finish(&mut self) -> Run<bool> {
        let mut met: BTreeMap<&Key, Vec<Terms>> = BTreeMap::new();
        let has_begun = |task: &&Queued<'_>| task.is_over || self.is_past(task.after);
        for task in self.queued.iter().filter(has_begun) {
            for part in task.parts {
                met.entry(&part.key).or_default().push(part.terms);
            }
        }
        let ends = |task: &Queued<'_>| {
            let mut parts = task.parts.iter();
            let is_met = |part: &Part| {
                let here = met.get(&part.key).map_or(0, Vec::len);
                here >= usize::from(part.parts)
            };
            !task.is_over && self.is_past(task.after) && parts.all(is_met)
        };
        let ending: Vec<usize> = (0..self.queued.len())
            .filter(|index| self.queued.get(*index).is_some_and(ends))
            .collect();
        for index in &ending {
            let Some(task) = self.queued.get_mut(*index) else {
                continue;
            };
            task.is_over = true;
            let agrees = |part: &Part| {
                let terms = met.get(&part.key);
                terms.is_none_or(|terms| terms.iter().all(|terms| *terms == part.terms))
            };
            if !task.parts.iter().all(agrees) {
                return Err(Rule::RanksDiffer);
            }
        }
        Ok(!ending.is_empty())
    }
}
