//! What earlier calls returned: handles by their kind, memory, texts and numbers.

use std::collections::BTreeMap;

/// The number of values that a pool remembers.
const KEPT: usize = 64;

#[derive(Default)]
pub(crate) struct Pools {
    live: BTreeMap<&'static str, Vec<u64>>,
    dead: Vec<u64>,
    pub(crate) memory: Vec<u64>,
    pub(crate) texts: Vec<Vec<u8>>,
    pub(crate) numbers: Vec<u64>,
}

/// Appends a value, and forgets the oldest one if there are too many.
pub(crate) fn remember<T: PartialEq>(pool: &mut Vec<T>, value: T) {
    if pool.contains(&value) {
        return;
    }
    if pool.len() == KEPT {
        pool.remove(0);
    }
    pool.push(value);
}

impl Pools {
    /// Enters a new handle. None is forgotten, because the end of the sequence destroys all of them.
    pub(crate) fn created(&mut self, kind: &'static str, handle: u64) {
        let pool = self.live.entry(kind).or_default();
        if !pool.contains(&handle) {
            pool.push(handle);
        }
    }

    /// Enters that a function with "destroy" or "free" in its name was given a handle, and succeeded.
    pub(crate) fn destroyed(&mut self, kind: &'static str, handle: u64) {
        self.live
            .entry(kind)
            .or_default()
            .retain(|live| *live != handle);
        remember(&mut self.dead, handle);
    }

    pub(crate) fn live(&self, kind: &str) -> &[u64] {
        self.live.get(kind).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn dead(&self) -> &[u64] {
        &self.dead
    }

    /// Returns the live handles of all kinds.
    pub(crate) fn all(&self) -> Vec<(&'static str, u64)> {
        let of = |(kind, handles): (&&'static str, &Vec<u64>)| {
            let kind = *kind;
            handles
                .iter()
                .map(move |handle| (kind, *handle))
                .collect::<Vec<_>>()
        };
        self.live.iter().flat_map(of).collect()
    }
}
