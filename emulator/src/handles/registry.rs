//! Handles of objects for which C uses pointers (tensors, scalars, executors, data buffers): numbers that look like
//! pointers and are no addresses.
//!
//! C code may pass null, garbage, a handle of another kind or the handle of a destroyed object. So a handle is never
//! dereferenced: it contains a slot and a generation of that slot, and a lookup that does not match exactly finds
//! nothing.

use crate::sync::{Mutex, MutexGuard, lock};

const _: () = assert!(
    usize::BITS == 64,
    "a handle packs kind, generation and slot into 64 bits"
);

/// The last generation that fits into a handle. A slot that has used it is not used again.
const LAST_GENERATION: u32 = 0xff_ffff;

/// The mark of the generation of a vacant place, so that no handle has it.
const VACANT: u32 = 1 << 31;

/// The live objects of one kind.
///
/// # Invariants
///
/// - A place listed in `free` is vacant, and a place is listed at most once.
/// - A place is vacant where its generation has the mark [`VACANT`]; the others have an object.
/// - The generation of a place grows each time its object is removed, so two objects of a registry never have the same
///   handle.
#[derive(Debug)]
pub(crate) struct Registry<T> {
    kind: u8,
    slab: Mutex<Slab<T>>,
}

#[derive(Debug)]
struct Slab<T> {
    places: Places,
    /// The objects; one for each place.
    values: Vec<Option<T>>,
}

/// The places of objects: what does not depend on their type, so that it is compiled once.
#[derive(Debug)]
struct Places {
    generations: Vec<u32>,
    free: Vec<u32>,
}

/// A registered object, and the lock of its registry.
#[derive(Debug)]
pub(crate) struct Held<'a, T> {
    slab: MutexGuard<'a, Slab<T>>,
    index: u32,
}

impl<T> Held<'_, T> {
    /// The object, which is there as long as this is.
    pub(crate) fn value(&mut self) -> Option<&mut T> {
        self.slab.values.get_mut(self.index as usize)?.as_mut()
    }

    /// Removes the object, if that is the decision.
    fn settle(&mut self, fate: Fate) {
        if fate == Fate::Remove {
            self.slab.remove(self.index);
        }
    }
}

/// The decision of a visitor about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The object stays registered.
    Keep,
    /// The object is removed, and its handle is stale from now on.
    Remove,
}

impl<T> Registry<T> {
    /// Creates an empty registry. `kind` is the top byte of its handles. A value from 1 to 0x7f makes them differ
    /// from valid addresses, so a program that dereferences one faults.
    pub(crate) const fn new(kind: u8) -> Self {
        Self {
            kind,
            slab: Mutex::new(Slab {
                places: Places {
                    generations: Vec::new(),
                    free: Vec::new(),
                },
                values: Vec::new(),
            }),
        }
    }

    /// Registers an object and returns its handle; `None` once 2^32 slots exist.
    pub(crate) fn insert(&self, value: T) -> Option<usize> {
        let mut slab = self.lock();
        let (index, generation) = slab.places.take()?;
        match slab.values.get_mut(index as usize) {
            Some(vacant) => *vacant = Some(value),
            None => slab.values.push(Some(value)),
        }
        Some(self.handle(index, generation))
    }

    /// Calls `look` with the object; `look` decides whether the object stays. Returns `None` for a handle without a
    /// live object of this kind.
    pub(crate) fn visit<R>(
        &self,
        handle: usize,
        look: &mut dyn FnMut(&mut T) -> (Fate, R),
    ) -> Option<R> {
        let mut held = self.hold(handle)?;
        let (fate, answer) = look(held.value()?);
        held.settle(fate);
        Some(answer)
    }

    /// Locks the registry for the live object of a handle. The visitors are of many types, and this is compiled once for all
    /// of them.
    pub(crate) fn hold(&self, handle: usize) -> Option<Held<'_, T>> {
        let slab = self.lock();
        let index = slab.places.find(self.kind, handle)?;
        Some(Held { slab, index })
    }

    /// Returns a copy of the object.
    pub(crate) fn get(&self, handle: usize) -> Option<T>
    where
        T: Clone,
    {
        self.hold(handle)?.value().map(|value| value.clone())
    }

    /// Removes the object. Returns false if the handle has none.
    pub(crate) fn remove(&self, handle: usize) -> bool {
        let held = self.hold(handle);
        held.is_some_and(|mut held| {
            held.settle(Fate::Remove);
            true
        })
    }

    /// Returns the number of registered objects.
    pub(crate) fn live(&self) -> usize {
        self.lock().places.live()
    }

    fn handle(&self, index: u32, generation: u32) -> usize {
        usize::from(self.kind) << 56 | (generation as usize) << 32 | index as usize
    }

    fn lock(&self) -> MutexGuard<'_, Slab<T>> {
        lock(&self.slab)
    }
}

impl<T> Slab<T> {
    /// Removes the object at a place.
    fn remove(&mut self, index: u32) {
        if let Some(value) = self.values.get_mut(index as usize) {
            *value = None;
            self.places.give_back(index);
        }
    }
}

impl Places {
    /// Takes a place, with its generation.
    fn take(&mut self) -> Option<(u32, u32)> {
        if let Some(index) = self.free.pop() {
            let generation = self.generations.get_mut(index as usize)?;
            *generation &= !VACANT;
            return Some((index, *generation));
        }
        let index = u32::try_from(self.generations.len()).ok()?;
        self.generations.push(1);
        Some((index, 1))
    }

    /// Returns the place of the live object of a handle of a kind.
    fn find(&self, kind: u8, handle: usize) -> Option<u32> {
        if (handle >> 56) as u8 != kind {
            return None;
        }
        let index = handle as u32;
        let generation = (handle >> 32) as u32 & LAST_GENERATION;
        (*self.generations.get(index as usize)? == generation).then_some(index)
    }

    /// Returns the number of places that are not vacant.
    fn live(&self) -> usize {
        let generations = self.generations.iter();
        generations.filter(|one| *one & VACANT == 0).count()
    }

    fn give_back(&mut self, index: u32) {
        let Some(generation) = self.generations.get_mut(index as usize) else {
            return;
        };
        let next = *generation + 1;
        *generation = next | VACANT;
        // A generation beyond the last would repeat a handle that C may still hold.
        if next <= LAST_GENERATION {
            self.free.push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn a_handle_finds_its_object_until_it_is_removed() {
        let registry = Registry::new(0x51);
        let one = registry.insert("one").unwrap();
        let two = registry.insert("two").unwrap();
        assert_ne!(one, two);
        assert_eq!(registry.get(one), Some("one"));
        assert_eq!(registry.live(), 2);
        assert!(registry.remove(one));
        assert!(!registry.remove(one));
        assert_eq!(registry.get(one), None);
        assert_eq!(registry.get(two), Some("two"));
        assert_eq!(registry.live(), 1);
    }

    #[test]
    fn a_reused_slot_gets_another_handle() {
        let registry = Registry::new(0x51);
        let old = registry.insert(1).unwrap();
        registry.remove(old);
        let new = registry.insert(2).unwrap();
        assert_ne!(old, new);
        assert_eq!(registry.get(old), None);
        assert_eq!(registry.get(new), Some(2));
    }

    #[test]
    fn garbage_and_handles_of_another_kind_find_nothing() {
        let (a, b) = (Registry::new(0x51), Registry::new(0x52));
        let handle = a.insert(()).unwrap();
        b.insert(()).unwrap();
        for wrong in [
            0,
            1,
            usize::MAX,
            handle + 1,
            handle | 1 << 55,
            0x7fff_0000_1000,
        ] {
            assert_eq!(a.get(wrong), None, "{wrong:#x}");
        }
        assert_eq!(b.get(handle), None);
    }

    #[test]
    fn a_vacant_place_has_no_handle() {
        let registry = Registry::new(0x51);
        let gone = registry.insert(()).unwrap();
        registry.remove(gone);
        for generation in 0..4 {
            assert_eq!(registry.get(registry.handle(0, generation)), None);
        }
        assert!(registry.insert(()).is_some_and(|next| next != gone));
    }

    #[test]
    fn a_slot_is_retired_after_its_last_generation() {
        let registry = Registry::new(0x51);
        let first = registry.insert(0).unwrap();
        *registry.lock().places.generations.get_mut(0).unwrap() = LAST_GENERATION;
        let last = registry.handle(0, LAST_GENERATION);
        assert!(registry.remove(last));
        let next = registry.insert(1).unwrap();
        assert_eq!(next as u32, 1);
        assert_eq!(registry.get(last), None);
        assert_eq!(registry.get(first), None);
    }

    #[test]
    fn threads_share_a_registry() {
        let registry = Registry::new(0x51);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let registry = &registry;
                scope.spawn(move || {
                    for round in 0..500 {
                        let handle = registry.insert((thread, round)).unwrap();
                        assert_eq!(registry.get(handle), Some((thread, round)));
                        assert!(registry.remove(handle));
                    }
                });
            }
        });
        assert_eq!(registry.live(), 0);
    }
}
