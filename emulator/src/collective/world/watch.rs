//! What the checker learns of a world: ranks that wait for each other, and parts of operations that nobody takes.

use std::sync::Weak;

use super::super::key::Link;
use super::{State, WORLDS};
use crate::check::violated_later;
use crate::observe::violation::What;
use crate::results::list_of;
use crate::sync::lock;

/// Reports, at the end of the process, operations that some ranks have queued and others have not. Where the other ranks are
/// other processes, they may still make theirs.
pub(crate) fn look_at_end() {
    let worlds = list_of(lock(&WORLDS).iter().filter_map(Weak::upgrade));
    for world in worlds.iter().filter(|world| world.connections.is_none()) {
        let state = world.lock();
        for (key, exchange) in state.exchanges.iter() {
            let absent = exchange.absent_slots().first().map(|slot| key.rank(*slot));
            if let Some(rank) = absent
                && let Some((call, issuer)) = exchange.part_here()
            {
                let text = format!(
                    "the process ends, and rank {rank} has not made the other part of {call}"
                );
                violated_later(call, issuer.as_ref(), What::RankMissing, text);
            }
        }
    }
}

impl State {
    /// Returns a rank that has not made its first operation of a kind.
    pub(super) fn missing(&self, link: Link, size: u32) -> Option<u32> {
        let linked = self.linked.get(&link);
        if linked.is_some_and(|linked| linked.len() >= link.count(size)) {
            return None;
        }
        let is_missing = |rank: &u32| linked.is_none_or(|linked| !linked.contains(rank));
        link.ranks(size).into_iter().find(is_missing)
    }

    /// Returns the text about ranks that wait for each other before their first operations of several kinds, if `rank` is one of
    /// them. A rank waits as long as another one is missing.
    pub(super) fn circle(&self, rank: u32, size: u32) -> Option<String> {
        let mut path = Vec::new();
        let mut next = rank;
        loop {
            let waits = self.linked.iter().find_map(|(link, linked)| {
                let is_waiting = linked.contains(&next);
                let missing = self.missing(*link, size).filter(|_| is_waiting);
                Some((link, missing?))
            });
            let (link, missing) = waits?;
            path.push(format!("rank {next} waits for rank {missing} in {link}"));
            if missing == rank {
                return Some(format!(
                    "{}; make the operations in the same order on every rank",
                    path.join(", ")
                ));
            }
            if path.len() > size as usize {
                return None;
            }
            next = missing;
        }
    }
}
