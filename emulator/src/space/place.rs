//! Places: references to memory that queued work stores, and the access to this memory.
//!
//! A place names one generation of an allocation. A task pins the allocation's block while it accesses the memory.
//! The pin holds for one task ([`Place::enter`]) or for several tasks ([`Grip`]).

use std::cell::Cell;
use std::mem;
use std::num::NonZeroUsize;
use std::ptr;

use crate::space::heap::{Block, GRANULE};
use crate::space::{Location, Space, contains, ordinary};

/// A reference to memory in queued work: an address in one generation of an allocation.
///
/// It has two words, so that it is passed in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The address of the bytes.
    bytes: NonZeroUsize,
    /// The allocation's index plus one, and its generation in the upper half; 0 if no allocation had this address and
    /// length.
    block: u64,
}

impl Place {
    /// Makes a place of `len` bytes at a device or pinned address; `None` for ordinary host memory.
    #[inline(always)]
    pub(crate) fn new(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        let Some(heap) = space.heap(address) else {
            return Place::mapped(space, address, len);
        };
        let block = heap.holder(space.blocks(), address, len);
        Place::of(block, address.wrapping_add(heap.alias()))
    }

    /// Makes a place at an address that belongs to no heap.
    #[cold]
    fn mapped(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        match space.locate(address) {
            Location::Pageable => None,
            Location::Unmapped => Place::of(None, address),
            Location::Registered(located) => {
                // The program may have unmapped its memory without a word. A task that reads it would end the process.
                let inside =
                    contains(&located, address, len) && ordinary::is_all_there(address, len);
                let block = inside.then_some((located.index, located.generation));
                Place::of(block, address)
            }
            Location::Device(heap, located) | Location::Pinned(heap, located) => {
                let shift = located.map_or(0, |located| located.shift);
                let located = located.filter(|located| contains(located, address, len));
                Place::of(
                    located.map(|located| (located.index, located.generation)),
                    address.wrapping_add(heap.alias()).wrapping_add(shift),
                )
            }
        }
    }

    /// Returns whether no allocation contained the place when it was made; work there fails.
    #[inline(always)]
    pub(crate) fn is_nowhere(&self) -> bool {
        self.block as u32 == 0
    }

    /// Returns the key of a block in one generation.
    #[inline(always)]
    fn key(index: u32, generation: u32) -> u64 {
        (u64::from(index) + 1) | (u64::from(generation) << 32)
    }

    /// Makes a place in the block with this index and generation.
    #[inline(always)]
    fn of(block: Option<(u32, u32)>, bytes: usize) -> Option<Place> {
        let block = block.map_or(0, |(index, generation)| Place::key(index, generation));
        let bytes = NonZeroUsize::new(bytes)?;
        Some(Place { bytes, block })
    }

    /// Pins the memory: until [`Entered`] is dropped, it is not allocated again.
    #[inline(always)]
    pub(crate) fn enter(&self, space: &'static Space) -> Result<Entered, Gone> {
        let index = (self.block as u32).checked_sub(1);
        let block = index.and_then(|index| space.blocks().at(index));
        let block = block.ok_or(Gone::NeverThere)?;
        let generation = (self.block >> 32) as u32;
        if !block.enter(generation) {
            return Err(Gone::Freed);
        }
        Ok(Entered {
            block,
            generation,
            bytes: self.bytes.get(),
            left: false,
        })
    }
}

/// The reason why memory cannot be accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// No allocation contained this address and length when the work was queued.
    NeverThere,
    /// The memory was freed since, or its device was reset.
    Freed,
}

/// Pinned memory: it is not allocated again while this exists.
///
/// # Invariants
///
/// - The range of the [`Place`] lies in one block of the [`Space`], and this block is pinned.
#[derive(Debug)]
pub(crate) struct Entered {
    block: &'static Block,
    generation: u32,
    bytes: usize,
    left: bool,
}

impl Entered {
    /// Returns the address of the first byte. It is valid for reads and writes over the length of the place.
    #[inline]
    pub(crate) fn pointer(&self) -> *mut u8 {
        ptr::with_exposed_provenance_mut(self.bytes)
    }

    /// Unpins the memory. Returns an error if the memory was freed meanwhile.
    #[inline(always)]
    pub(crate) fn leave(mut self) -> Result<(), Gone> {
        self.left = true;
        if self.block.leave(self.generation) {
            Ok(())
        } else {
            Err(Gone::Freed)
        }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if !self.left {
            self.block.leave(self.generation);
        }
    }
}

/// The number of allocations that a thread remembers.
const REMEMBERED: usize = 32;

thread_local! {
    /// The allocations of the thread's last copies, by a part of the address: the next copies mostly use the same
    /// allocations.
    static NEAR: [Cell<Option<Near>>; REMEMBERED] =
        const { [const { Cell::new(None) }; REMEMBERED] };
}

/// The result of a lookup of an allocation. It is valid during the same generation.
#[derive(Debug, Clone, Copy)]
struct Near {
    block: &'static Block,
    start: usize,
    size: usize,
    /// The offset from the addresses of the allocation to its bytes.
    alias: usize,
    /// The key of the allocation in a [`Place`].
    key: u64,
}

/// Runs a closure on the slot in which the thread remembers the allocation of an address.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
fn with_near<R>(address: usize, look: impl FnOnce(&Cell<Option<Near>>) -> R) -> R {
    // Small blocks have different granule numbers. A large one may be remembered in several slots.
    NEAR.with(|near| look(&near[address / GRANULE % REMEMBERED]))
}

impl Place {
    /// Makes a place like [`Place::new`], but first checks the allocations of the thread's last copies.
    #[inline(always)]
    pub(crate) fn near(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        if let Some(near) = with_near(address, Cell::get) {
            let offset = address.wrapping_sub(near.start);
            let inside = offset <= near.size && len <= near.size - offset;
            if inside && near.block.is((near.key >> 32) as u32) {
                let bytes = NonZeroUsize::new(address.wrapping_add(near.alias))?;
                return Some(Place {
                    bytes,
                    block: near.key,
                });
            }
        }
        Place::look(space, address, len)
    }

    /// Makes a place in an allocation that the thread does not remember, and remembers it. Mappings of the program
    /// are not remembered: the program may map the memory to another address while it stays allocated.
    #[inline(never)]
    fn look(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        let Some(heap) = space.heap(address) else {
            return Place::mapped(space, address, len);
        };
        let located = heap.locate(space.blocks(), address);
        if let Some(located) = located {
            let near = Near {
                block: located.block,
                start: located.start,
                size: located.size,
                alias: heap.alias(),
                key: Place::key(located.index, located.generation),
            };
            with_near(address, |cell| cell.set(Some(near)));
        }
        let inside = located.filter(|located| contains(located, address, len));
        Place::of(
            inside.map(|located| (located.index, located.generation)),
            address.wrapping_add(heap.alias()),
        )
    }
}

/// Memory that a thread keeps pinned over several tasks. It is unpinned when a task needs another block. So tasks in
/// the same allocation only compare a key at their beginning and end.
///
/// # Invariants
///
/// - With a key other than [`NO_KEY`], `block` is the block that a [`Place`] with this key names. The block was
///   pinned in the generation of the key and is still pinned; the generation may have ended since.
#[derive(Debug)]
pub(crate) struct Grip {
    /// The key of the block in a [`Place`].
    key: u64,
    block: &'static Block,
}

/// The key of no block: there are fewer blocks.
const NO_KEY: u64 = u64::MAX;
/// The block of a grip that holds no memory.
static NO_BLOCK: Block = Block::new();

impl Default for Grip {
    #[inline]
    fn default() -> Grip {
        Grip {
            key: NO_KEY,
            block: &NO_BLOCK,
        }
    }
}

impl Grip {
    /// Pins the memory of a place. It is not allocated again until [`Grip::let_go`], or until the grip holds another
    /// place. Returns the address of the first byte, which is valid for reads and writes over the length of the
    /// place.
    #[inline(always)]
    pub(crate) fn hold(&mut self, place: &Place, space: &'static Space) -> Result<*mut u8, Gone> {
        if place.block != self.key {
            self.change(place, space)?;
        }
        if self.is_alive() {
            Ok(ptr::with_exposed_provenance_mut(place.bytes.get()))
        } else {
            Err(Gone::Freed)
        }
    }

    /// Returns whether any memory is pinned.
    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.key != NO_KEY
    }

    /// Returns whether the memory has not been freed while it was pinned.
    #[inline(always)]
    pub(crate) fn is_alive(&self) -> bool {
        self.block.is((self.key >> 32) as u32)
    }

    /// Unpins the block and pins the block of another place.
    #[inline(never)]
    fn change(&mut self, place: &Place, space: &'static Space) -> Result<(), Gone> {
        self.let_go();
        let entered = place.enter(space)?;
        // INVARIANT: the entered block is pinned, and it stays pinned, because `entered` is not dropped.
        (self.key, self.block) = (place.block, entered.block);
        mem::forget(entered);
        Ok(())
    }

    /// Unpins the memory.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if self.is_held() {
            let key = mem::replace(&mut self.key, NO_KEY);
            self.block.leave((key >> 32) as u32);
        }
    }
}

impl Drop for Grip {
    #[inline]
    fn drop(&mut self) {
        self.let_go();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;
    use crate::config::EmulatorConfig;
    use crate::space::heap::Maker;

    /// Returns the memory of a device with room for three blocks of `SIZE` bytes.
    fn space() -> &'static Space {
        let config = EmulatorConfig::default().with_memory(3 * SIZE);
        let space = Box::leak(Box::new(Space::new(&config)));
        space.device(0).unwrap().open();
        space
    }

    const SIZE: usize = 1 << 20;

    fn allocate(space: &Space) -> Option<usize> {
        let device = space.device(0).unwrap();
        device.allocate(space.blocks(), SIZE, Maker::Device)
    }

    fn free(space: &'static Space, address: usize) {
        let (heap, located) = space.locate(address).whole(address).unwrap();
        assert!(heap.free(space.blocks(), &located));
    }

    #[test]
    fn what_is_held_gets_no_new_owner_before_it_is_let_go() {
        let space = space();
        let (held, other) = (allocate(space).unwrap(), allocate(space).unwrap());
        let place = Place::new(space, held, SIZE).unwrap();
        let mut grip = Grip::default();
        assert!(grip.hold(&place, space).is_ok());
        free(space, held);
        assert!(!grip.is_alive());
        assert_eq!(grip.hold(&place, space), Err(Gone::Freed));
        assert!(allocate(space).is_some_and(|third| third != held));
        let elsewhere = Place::new(space, other, SIZE).unwrap();
        assert!(grip.hold(&elsewhere, space).is_ok());
        assert_eq!(allocate(space), Some(held), "let go for the other block");
        free(space, other);
        let last = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| allocate(space));
            drop(grip);
            waiting.join().unwrap()
        });
        assert_eq!(last, Some(other), "let go at the end");
        assert_eq!(allocate(space), None);
        assert_eq!(Grip::default().hold(&elsewhere, space), Err(Gone::Freed));
    }

    #[test]
    fn a_place_that_was_never_there_cannot_be_held() {
        let space = space();
        let address = allocate(space).unwrap();
        let beyond = Place::new(space, address, SIZE + 1).unwrap();
        assert_eq!(Grip::default().hold(&beyond, space), Err(Gone::NeverThere));
    }

    #[test]
    fn what_is_near_is_found_as_anything_else() {
        let space = space();
        let one = allocate(space).unwrap();
        let both = |address, len| {
            let near = Place::near(space, address, len);
            let new = Place::new(space, address, len);
            let words = |place: Option<Place>| place.map(|place| (place.bytes, place.block));
            assert_eq!(words(near), words(new), "{len} bytes at {address:#x}");
            words(near).unwrap().1
        };
        let first = both(one, SIZE);
        assert_eq!(both(one + 64, SIZE - 64), first);
        assert_eq!(both(one + 64, SIZE), 0, "ends beyond it");
        assert_eq!(both(one + SIZE, 1), 0, "begins behind it");
        free(space, one);
        assert_eq!(both(one, 1), 0, "freed");
        assert_eq!(allocate(space), Some(one));
        assert_ne!(both(one, SIZE), first, "another life");
        let other = allocate(space).unwrap();
        assert_ne!(both(other, 1), both(one, 1));
    }
}
