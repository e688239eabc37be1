//! Tables of slots, which opaque handles identify.
//!
//! A handle is a number that consists of a tag for its kind, the generation of its slot, and the index of the slot.
//! Slots are never freed, only used again with the next generation. So a comparison of numbers recognises a stale
//! handle and a number that is no handle. A lookup takes no lock.

use std::alloc::{self, Layout};
use std::array;
use std::ffi::c_void;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::sync::{Mutex, lock};

/// Number of bits of the index in a handle.
const INDEX_BITS: u32 = 24;
/// Number of slots of a chunk. They are allocated together and never freed.
const CHUNK: usize = 64;
/// Number of chunks that an index can reach. The table of their addresses takes physical memory only where it is
/// used.
const CHUNKS: usize = (1 << INDEX_BITS) / CHUNK;

/// The interface of a slot.
pub(crate) trait Slot: Default + Send + Sync + 'static {
    /// The highest byte of the handles. With it a handle is no valid address of a process, so a program that
    /// dereferences one faults.
    const TAG: u8;

    /// Returns the generation, which is odd while the slot is in use. Only the code that opens or closes the slot
    /// changes it.
    fn generation(&self) -> &AtomicU32;
}

/// A table of slots that grows and never moves.
///
/// # Invariants
///
/// An entry of `chunks` is null or points to a chunk that exists for the rest of the process.
pub(crate) struct Slots<T> {
    chunks: Box<[AtomicPtr<[T; CHUNK]>; CHUNKS]>,
    unused: Mutex<Unused>,
}

struct Unused {
    /// Slots to use again. The last one is used first, because it is most likely in the cache.
    recycled: Vec<u32>,
    /// The first slot that was never used.
    next: u32,
}

impl<T: Slot> Slots<T> {
    /// Creates a table without slots.
    pub(crate) fn new() -> Slots<T> {
        // Pages of zeros cost nothing until they are used.
        let layout = Layout::new::<[AtomicPtr<[T; CHUNK]>; CHUNKS]>();
        // SAFETY: the layout has a size.
        let chunks = unsafe { alloc::alloc_zeroed(layout) };
        if chunks.is_null() {
            alloc::handle_alloc_error(layout);
        }
        Slots {
            // INVARIANT: all null.
            // SAFETY: the global allocator gave the memory for this type, and zeros are null pointers.
            chunks: unsafe { Box::from_raw(chunks.cast()) },
            unused: Mutex::new(Unused {
                recycled: Vec::new(),
                next: 0,
            }),
        }
    }

    /// Takes a closed slot for the caller alone; its generation is even. Returns `None` if all 2^24 slots are in use.
    pub(crate) fn take(&self) -> Option<(u32, &T)> {
        let mut unused = lock(&self.unused);
        if let Some(index) = unused.recycled.pop() {
            return Some((index, self.at(index)?));
        }
        let index = unused.next;
        let chunk = self.chunks.get(index as usize / CHUNK)?;
        if chunk.load(Ordering::Relaxed).is_null() {
            // INVARIANT: the chunk is never freed.
            chunk.store(Self::chunk(), Ordering::Release);
        }
        let slot = self.at(index)?;
        unused.next = index + 1;
        Some((index, slot))
    }

    /// Creates a chunk that exists for the rest of the process. Separate from `take`, because the chunk is built on
    /// the stack.
    #[inline(never)]
    fn chunk() -> &'static mut [T; CHUNK] {
        Box::leak(Box::new(array::from_fn(|_| T::default())))
    }

    /// Returns a closed slot to the table.
    pub(crate) fn put(&self, index: u32) {
        lock(&self.unused).recycled.push(index);
    }

    /// Returns the slot with this index, in use or not.
    #[inline(always)]
    pub(crate) fn at(&self, index: u32) -> Option<&T> {
        let index = index as usize;
        let chunk = self.chunks.get(index / CHUNK)?.load(Ordering::Acquire);
        // SAFETY: the pointer is null or points to a chunk that is never freed (the invariant).
        let chunk = unsafe { chunk.as_ref() }?;
        chunk.get(index % CHUNK)
    }

    /// Returns the slots that were ever used.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let next = lock(&self.unused).next;
        (0..next).filter_map(|index| Some((index, self.at(index)?)))
    }

    /// Returns the slots in use.
    pub(crate) fn live(&self) -> impl Iterator<Item = (u32, &T)> {
        self.iter()
            .filter(|(_, slot)| slot.generation().load(Ordering::Acquire) % 2 == 1)
    }

    /// Returns the slot of a handle.
    #[inline(always)]
    pub(crate) fn find(&self, handle: *mut c_void) -> Found<'_, T> {
        let bits = handle.addr() as u64;
        if (bits >> 56) as u8 != T::TAG {
            return Found::Garbage;
        }
        let index = bits as u32 & ((1 << INDEX_BITS) - 1);
        let generation = (bits >> INDEX_BITS) as u32;
        let Some(slot) = self.at(index) else {
            return Found::Garbage;
        };
        let now = slot.generation().load(Ordering::Acquire);
        if now == generation && generation % 2 == 1 {
            Found::Live {
                slot,
                index,
                generation,
            }
        } else {
            Found::Stale
        }
    }
}

impl<T> fmt::Debug for Slots<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slots({} used)", lock(&self.unused).next)
    }
}

/// The result of the lookup of a handle.
#[derive(Debug)]
pub(crate) enum Found<'a, T> {
    /// The handle of a slot in use.
    Live {
        /// The slot.
        slot: &'a T,
        /// The index of the slot.
        index: u32,
        /// The generation of the slot.
        generation: u32,
    },
    /// The handle of an object that does not exist any more.
    Stale,
    /// A number that was never a handle of this kind.
    Garbage,
}

impl<'a, T> Found<'a, T> {
    /// Returns the slot if it is in use.
    pub(crate) fn live(self) -> Option<&'a T> {
        match self {
            Found::Live { slot, .. } => Some(slot),
            Found::Stale | Found::Garbage => None,
        }
    }
}

/// Returns the handle of a slot.
pub(crate) fn handle<T: Slot>(index: u32, generation: u32) -> *mut c_void {
    let bits = u64::from(T::TAG) << 56 | u64::from(generation) << INDEX_BITS | u64::from(index);
    ptr::without_provenance_mut(bits as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Plain(AtomicU32);

    impl Slot for Plain {
        const TAG: u8 = 0x50;
        fn generation(&self) -> &AtomicU32 {
            &self.0
        }
    }

    #[test]
    fn every_index_has_a_slot_of_its_own() {
        let slots = Slots::<Plain>::new();
        let mut last = None;
        for expected in 0..1000 {
            let Some((index, slot)) = slots.take() else {
                unreachable!()
            };
            assert_eq!((index, slot.0.load(Ordering::Relaxed)), (expected, 0));
            slot.0.store(1, Ordering::Relaxed);
            last = Some(slot);
        }
        let found = slots.at(999);
        assert!(
            found
                .zip(last)
                .is_some_and(|(found, last)| ptr::eq(found, last))
        );
        assert!(slots.at(1024).is_none(), "the chunk is not there yet");
        assert!(slots.at(1 << INDEX_BITS).is_none());
    }

    #[test]
    fn a_stale_handle_is_told_from_garbage_and_from_its_successor() {
        let slots = Slots::<Plain>::new();
        let Some((index, slot)) = slots.take() else {
            unreachable!()
        };
        slot.0.fetch_add(1, Ordering::Release);
        let first = handle::<Plain>(index, 1);
        assert!(slots.find(first).live().is_some());
        slot.0.fetch_add(1, Ordering::Release);
        slots.put(index);
        assert!(matches!(slots.find(first), Found::Stale));
        assert_eq!(
            slots.take().map(|(index, _)| index),
            Some(index),
            "recycled"
        );
        slot.0.fetch_add(1, Ordering::Release);
        assert!(matches!(slots.find(first), Found::Stale));
        assert!(slots.find(handle::<Plain>(index, 3)).live().is_some());
        for garbage in [0usize, 0x10, usize::MAX, 0x50 << 56 | 0xff_ffff] {
            let garbage = ptr::without_provenance_mut(garbage);
            assert!(matches!(slots.find(garbage), Found::Garbage));
        }
    }
}
