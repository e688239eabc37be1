//! Values in the order of numbers, mostly of addresses.
//!
//! Each kind of `BTreeMap` is some ten thousand lines of code to compile (a `HashMap` some two thousand), for
//! every build of everybody who uses this crate. So all share one kind, from numbers to numbers. It is used as
//! it is, or by way of [`Ordered`], which keeps values of any other type in a list: the map leads to their
//! places there.
#![expect(clippy::disallowed_types, reason = "the one kind that all share")]

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::mem;
use std::ops::{Bound, Range};

/// Numbers by numbers.
pub(crate) type Numbers = BTreeMap<usize, usize>;

/// Values by keys, in the order of the keys.
///
/// # Invariants
///
/// `places` has the key of every entry of `values`, with the entry's index, and no other key.
#[derive(Debug)]
pub(crate) struct Ordered<V> {
    places: Numbers,
    /// The values with their keys, in no order.
    values: Vec<(usize, V)>,
}

impl<V> Default for Ordered<V> {
    fn default() -> Ordered<V> {
        Ordered::new()
    }
}

impl<V> Ordered<V> {
    pub(crate) const fn new() -> Ordered<V> {
        // INVARIANT: there are no entries.
        Ordered {
            places: Numbers::new(),
            values: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Puts a value at a key. Gives the one that was there.
    pub(crate) fn insert(&mut self, key: usize, value: V) -> Option<V> {
        // INVARIANT: this is the index of the entry that is there, or else of the one that is pushed.
        let place = *self.places.entry(key).or_insert(self.values.len());
        if let Some((_, old)) = self.values.get_mut(place) {
            return Some(mem::replace(old, value));
        }
        self.values.push((key, value));
        None
    }

    pub(crate) fn get(&self, key: usize) -> Option<&V> {
        Some(self.at(*self.places.get(&key)?)?.1)
    }

    pub(crate) fn get_mut(&mut self, key: usize) -> Option<&mut V> {
        Some(self.at_mut(*self.places.get(&key)?)?.1)
    }

    /// The value at a key, which is this one if there was none.
    #[expect(
        clippy::indexing_slicing,
        reason = "a place is an index, by the invariant"
    )]
    pub(crate) fn get_or_insert(&mut self, key: usize, value: V) -> &mut V {
        // INVARIANT: as in `insert`.
        let place = *self.places.entry(key).or_insert(self.values.len());
        if place == self.values.len() {
            self.values.push((key, value));
        }
        &mut self.values[place].1
    }

    pub(crate) fn remove(&mut self, key: usize) -> Option<V> {
        let place = self.places.remove(&key)?;
        // Never out of bounds, by the invariant.
        let (_, value) = self.values.swap_remove(place);
        if let Some((moved, _)) = self.values.get(place) {
            // INVARIANT: the last entry has come here.
            self.places.insert(*moved, place);
        }
        Some(value)
    }

    /// Removes the values whose keys lie in a range.
    pub(crate) fn remove_inside(&mut self, range: &Range<usize>) {
        while let Some((key, _)) = self.inside(range).next() {
            self.remove(key);
        }
    }

    /// Removes the value with the lowest key.
    pub(crate) fn pop_first(&mut self) -> Option<(usize, V)> {
        let (key, _) = self.iter().next()?;
        Some((key, self.remove(key)?))
    }

    /// The last entry up to a key, that one included.
    pub(crate) fn up_to(&self, key: usize) -> Option<(usize, &V)> {
        self.at(up_to(&self.places, key)?.1)
    }

    /// The same, to be changed.
    pub(crate) fn up_to_mut(&mut self, key: usize) -> Option<(usize, &mut V)> {
        self.at_mut(up_to(&self.places, key)?.1)
    }

    /// The last entry below a key.
    pub(crate) fn below(&self, key: usize) -> Option<(usize, &V)> {
        self.up_to(key.checked_sub(1)?)
    }

    /// The same, to be changed.
    pub(crate) fn below_mut(&mut self, key: usize) -> Option<(usize, &mut V)> {
        self.up_to_mut(key.checked_sub(1)?)
    }

    /// All entries, by key.
    pub(crate) fn iter(&self) -> Entries<'_, V> {
        Entries {
            places: between(&self.places, Bound::Unbounded, Bound::Unbounded),
            values: &self.values,
        }
    }

    /// The entries whose keys lie in a range, by key.
    pub(crate) fn inside(&self, range: &Range<usize>) -> Entries<'_, V> {
        Entries {
            places: inside(&self.places, range),
            values: &self.values,
        }
    }

    /// Visits the values whose keys lie in a range, by key.
    pub(crate) fn each_inside(&mut self, range: &Range<usize>, mut visit: impl FnMut(&mut V)) {
        for (_, place) in inside(&self.places, range) {
            if let Some((_, value)) = self.values.get_mut(*place) {
                visit(value);
            }
        }
    }

    /// All values, in no order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut().map(|(_, value)| value)
    }

    fn at(&self, place: usize) -> Option<(usize, &V)> {
        self.values.get(place).map(|(key, value)| (*key, value))
    }

    fn at_mut(&mut self, place: usize) -> Option<(usize, &mut V)> {
        self.values.get_mut(place).map(|(key, value)| (*key, value))
    }
}

/// Entries of an [`Ordered`], by key.
#[derive(Debug)]
pub(crate) struct Entries<'a, V> {
    places: btree_map::Range<'a, usize, usize>,
    values: &'a [(usize, V)],
}

impl<'a, V> Iterator for Entries<'a, V> {
    type Item = (usize, &'a V);

    fn next(&mut self) -> Option<(usize, &'a V)> {
        let (key, place) = self.places.next()?;
        let (_, value) = self.values.get(*place)?;
        Some((*key, value))
    }
}

/// The last entry up to a key, that one included.
pub(crate) fn up_to(numbers: &Numbers, key: usize) -> Option<(usize, usize)> {
    let mut entries = between(numbers, Bound::Unbounded, Bound::Included(key));
    entries.next_back().map(|(key, value)| (*key, *value))
}

/// The last entry below a key.
pub(crate) fn below(numbers: &Numbers, key: usize) -> Option<(usize, usize)> {
    up_to(numbers, key.checked_sub(1)?)
}

/// The first entry from a key on, that one included.
pub(crate) fn from(numbers: &Numbers, key: usize) -> Option<(usize, usize)> {
    let mut entries = between(numbers, Bound::Included(key), Bound::Unbounded);
    entries.next().map(|(key, value)| (*key, *value))
}

/// The entries between two bounds, of which the first is not behind the second. `BTreeMap::range` is compiled
/// once for each kind of range, so this is the one place that calls it.
fn between(
    numbers: &Numbers,
    first: Bound<usize>,
    last: Bound<usize>,
) -> btree_map::Range<'_, usize, usize> {
    numbers.range((first, last))
}

/// The entries whose keys lie in a range.
fn inside<'a>(numbers: &'a Numbers, range: &Range<usize>) -> btree_map::Range<'a, usize, usize> {
    // The map panics for a range that ends before it starts; that one is empty like any other.
    let start = range.start.min(range.end);
    between(numbers, Bound::Included(start), Bound::Excluded(range.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked of a map of values that can be changed.
    fn compare(ordered: &mut Ordered<u64>, model: &mut BTreeMap<usize, u64>, range: Range<usize>) {
        let entries = |entries: Entries<'_, u64>| -> Vec<_> {
            entries.map(|(key, value)| (key, *value)).collect()
        };
        let pair = |entry: Option<(&usize, &u64)>| entry.map(|(key, value)| (*key, *value));
        let key = range.start;
        assert_eq!(ordered.len(), model.len());
        assert_eq!(ordered.get(key), model.get(&key));
        assert_eq!(ordered.get_mut(key), model.get_mut(&key));
        let last = pair(model.range(..=key).next_back());
        assert_eq!(ordered.up_to(key).map(|(key, value)| (key, *value)), last);
        let last = last.map(|(key, value)| (key, value + 1));
        let changed = ordered.up_to_mut(key).map(|(key, value)| {
            *value += 1;
            (key, *value)
        });
        assert_eq!(changed, last);
        model.extend(last);
        let last = pair(model.range(..key).next_back());
        assert_eq!(ordered.below(key).map(|(key, value)| (key, *value)), last);
        let changed = ordered.below_mut(key).map(|(key, value)| (key, *value));
        assert_eq!(changed, last);
        let mut seen = Vec::new();
        ordered.each_inside(&range, |value| {
            *value += 3;
            seen.push(*value);
        });
        let mut expected = Vec::new();
        if range.start < range.end {
            for (key, value) in model.range_mut(range.clone()) {
                *value += 3;
                expected.push((*key, *value));
            }
        }
        assert_eq!(entries(ordered.inside(&range)), expected);
        assert!(
            seen.into_iter()
                .eq(expected.iter().map(|(_, value)| *value))
        );
        for value in ordered.values_mut() {
            *value *= 2;
        }
        for value in model.values_mut() {
            *value *= 2;
        }
        let all: Vec<_> = model.iter().map(|(key, value)| (*key, *value)).collect();
        assert_eq!(entries(ordered.iter()), all);
    }

    #[test]
    fn it_does_what_a_map_does() {
        let mut ordered = Ordered::default();
        let mut model = BTreeMap::new();
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut most = 0;
        for round in 0..4000 {
            let key = next(200) as usize;
            let end = next(200) as usize;
            match next(40) {
                0..20 => assert_eq!(ordered.insert(key, round), model.insert(key, round)),
                20..24 => assert_eq!(
                    ordered.get_or_insert(key, round),
                    model.entry(key).or_insert(round)
                ),
                24..37 => assert_eq!(ordered.remove(key), model.remove(&key)),
                37 => assert_eq!(ordered.pop_first(), model.pop_first()),
                _ => {
                    let few = key..end.min(key + 20);
                    ordered.remove_inside(&few);
                    model.retain(|key, _| !few.contains(key));
                }
            }
            // Small numbers at first, so that the doubling of values never overflows.
            model.values_mut().for_each(|value| *value %= 1 << 20);
            ordered.values_mut().for_each(|value| *value %= 1 << 20);
            compare(&mut ordered, &mut model, key..end);
            most = most.max(model.len());
        }
        assert!(most > 50, "the map grew to {most} entries only");
        ordered.remove_inside(&(0..usize::MAX));
        assert_eq!(ordered.pop_first(), None);
    }

    #[test]
    fn the_ends_of_the_numbers_are_keys_like_others() {
        let mut ordered = Ordered::default();
        ordered.insert(usize::MAX, 'z');
        ordered.insert(0, 'a');
        let keys = |entries: Entries<'_, char>| entries.map(|(key, _)| key).collect::<Vec<_>>();
        assert_eq!(keys(ordered.iter()), [0, usize::MAX]);
        assert_eq!(keys(ordered.inside(&(0..usize::MAX))), [0]);
        assert_eq!(ordered.below(0), None);
        assert_eq!(ordered.up_to(0), Some((0, &'a')));
        assert_eq!(ordered.below(usize::MAX), Some((0, &'a')));
        assert_eq!(ordered.up_to(usize::MAX), Some((usize::MAX, &'z')));
    }

    #[test]
    fn numbers_are_found_from_both_sides() {
        let numbers = Numbers::from([(10, 1), (20, 2)]);
        assert_eq!(up_to(&numbers, 9), None);
        assert_eq!(up_to(&numbers, 10), Some((10, 1)));
        assert_eq!(below(&numbers, 20), Some((10, 1)));
        assert_eq!(below(&numbers, 0), None);
        assert_eq!(from(&numbers, 10), Some((10, 1)));
        assert_eq!(from(&numbers, 11), Some((20, 2)));
        assert_eq!(from(&numbers, 21), None);
    }
}
