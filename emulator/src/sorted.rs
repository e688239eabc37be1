//! Maps and sets with few entries, in the order of their keys, and the order of a list.
//!
//! Each kind of `BTreeMap` is some ten thousand lines of code to compile, for every build of everybody who uses this crate,
//! and each kind of these maps some hundred. An insertion moves the entries behind it. So they are for the ranks of a world
//! and the channels of a process; `ordered` is for addresses, of which there are many.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::slice;

use crate::results::list_of;

/// Values by keys, in the order of the keys.
///
/// # Invariants
///
/// The keys of `entries` ascend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sorted<K, V> {
    entries: Vec<(K, V)>,
}

/// Keys in their order.
pub(crate) type SortedSet<K> = Sorted<K, ()>;

impl<K, V> Sorted<K, V> {
    pub(crate) const fn new() -> Sorted<K, V> {
        // INVARIANT: there are no entries.
        Sorted {
            entries: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn iter(&self) -> slice::Iter<'_, (K, V)> {
        self.entries.iter()
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.entries.iter().map(|entry| &entry.0)
    }

    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.entries.iter().map(|entry| &entry.1)
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// The index of a key, or else the one where it belongs.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Keys mostly come in their order.
        match self.entries.last() {
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self
                .entries
                .binary_search_by(|(known, _)| known.borrow().cmp(key)),
        }
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.entries.get(place).map(|entry| &entry.1)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.entries.get_mut(place).map(|entry| &mut entry.1)
    }

    pub(crate) fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Puts a value at a key. Gives the one that was there.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => {
                let entry = self.entries.get_mut(place)?;
                Some(std::mem::replace(&mut entry.1, value))
            }
            Err(place) => {
                // INVARIANT: the keys before this place are smaller, and the others are larger.
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// The value at a key; a missing one is made.
    pub(crate) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = self.place(&key);
        let (Ok(at) | Err(at)) = place;
        if place.is_err() {
            // INVARIANT: as in `insert`.
            self.entries.insert(at, (key, make()));
        }
        #[expect(clippy::indexing_slicing, reason = "an entry is at this place")]
        &mut self.entries[at].1
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }
}

impl<K: Ord> SortedSet<K> {
    /// Adds a key. Whether it was missing.
    pub(crate) fn add(&mut self, key: K) -> bool {
        self.insert(key, ()).is_none()
    }
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Sorted<K, V> {
        Sorted::new()
    }
}

/// Of entries with the same key, the last one stays.
impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Sorted<K, V> {
        let mut sorted = Sorted::new();
        for (key, value) in entries {
            sorted.insert(key, value);
        }
        sorted
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> SortedSet<K> {
        keys.into_iter().map(|key| (key, ())).collect()
    }
}

/// Returns the positions `0..count` in the order that a comparison of positions gives; equal ones keep their order. This
/// function is not generic, because a sort for each type of elements is two thousand lines more to compile.
pub(crate) fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Returns the elements in the order of a number that each one has; equal ones keep their order.
pub(crate) fn by_number<T: Clone>(items: &[T], number: &dyn Fn(&T) -> usize) -> Vec<T> {
    let numbers = list_of(items.iter().map(number));
    let order = ordered(numbers.len(), &|one, other| {
        numbers.get(one).cmp(&numbers.get(other))
    });
    list_of(order.into_iter().filter_map(|at| items.get(at).cloned()))
}

#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "the tree that answers alike")]
mod tests {
    use std::collections::BTreeMap;

    use super::{Sorted, SortedSet, by_number};

    /// The map answers as one of the standard library does.
    #[test]
    fn answers_as_a_tree() {
        let mut sorted = Sorted::new();
        let mut tree = BTreeMap::new();
        let mut state = 1_u32;
        for _ in 0..4000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (key, value) = (state >> 24 & 31, state >> 16);
            match state >> 13 & 3 {
                0 => assert_eq!(sorted.remove(&key), tree.remove(&key)),
                1 => assert_eq!(sorted.insert(key, value), tree.insert(key, value)),
                2 => {
                    let made = sorted.get_or_insert_with(key, || value);
                    assert_eq!(made, tree.entry(key).or_insert(value));
                }
                _ => assert_eq!(sorted.get(&key), tree.get(&key)),
            }
            assert_eq!(sorted.contains(&key), tree.contains_key(&key));
            assert!(sorted.keys().eq(tree.keys()) && sorted.values().eq(tree.values()));
        }
        assert!(sorted.iter().copied().eq(tree));
    }

    #[test]
    fn equal_numbers_keep_their_order() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let sorted = by_number(&items, &|item| item.0);
        assert!(sorted.iter().map(|item| item.1).eq("bedac".chars()));
    }

    #[test]
    fn a_set_has_each_key_once() {
        let set: SortedSet<_> = [3, 1, 3, 2, 1].into_iter().collect();
        assert!(set.keys().eq(&[1, 2, 3]) && set.len() == 3 && !set.is_empty());
    }
}
