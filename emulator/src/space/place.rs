//! Places: memory that queued work refers to, and working there.
//!
//! A place names an allocation in one of its lives. Whoever works there pins the allocation's block, for
//! one task ([`Place::enter`]) or from task to task ([`Grip`]).

use std::cell::Cell;
use std::mem;
use std::num::NonZeroUsize;
use std::ptr;

use crate::space::heap::{Block, GRANULE};
use crate::space::{Location, Space, contains};

/// Memory that queued work refers to: an address of one allocation in one of its lives.
///
/// Two words, so that it travels in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// Where its bytes are.
    bytes: NonZeroUsize,
    /// The allocation's index, one up, and its generation above; 0 when there was none of this
    /// length.
    block: u64,
}

impl Place {
    /// `len` bytes at a device or pinned address; `None` for ordinary host memory.
    #[inline(always)]
    pub(crate) fn new(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        let Some(heap) = space.heap(address) else {
            return Place::mapped(space, address, len);
        };
        let block = heap.holder(space.blocks(), address, len);
        Place::of(block, address.wrapping_add(heap.alias()))
    }

    /// The same at an address that belongs to no heap.
    #[cold]
    fn mapped(space: &'static Space, address: usize, len: usize) -> Option<Place> {
        match space.locate(address) {
            Location::Pageable => None,
            Location::Unmapped => Place::of(None, address),
            Location::Registered(located) => {
                let inside = contains(&located, address, len);
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

    /// Whether no allocation holds it: work there fails.
    #[inline(always)]
    pub(crate) fn is_nowhere(&self) -> bool {
        self.block as u32 == 0
    }

    /// What a block is called in one of its lives.
    #[inline(always)]
    fn key(index: u32, generation: u32) -> u64 {
        (u64::from(index) + 1) | (u64::from(generation) << 32)
    }

    /// A place in the block with this index and generation.
    #[inline(always)]
    fn of(block: Option<(u32, u32)>, bytes: usize) -> Option<Place> {
        let block = block.map_or(0, |(index, generation)| Place::key(index, generation));
        let bytes = NonZeroUsize::new(bytes)?;
        Some(Place { bytes, block })
    }

    /// Begins to work there: from now until [`Entered`] is dropped, no new owner gets the memory.
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

/// Why memory cannot be worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// No allocation had this address and length when the work was queued.
    NeverThere,
    /// It was freed since, or its device was reset.
    Freed,
}

/// Memory that no new owner gets while this exists.
///
/// # Invariants
///
/// The range that the [`Place`] was made for lies in one block of the [`Space`], which is pinned.
#[derive(Debug)]
pub(crate) struct Entered {
    block: &'static Block,
    generation: u32,
    bytes: usize,
    left: bool,
}

impl Entered {
    /// The first byte: valid for reads and writes over the length of the place.
    #[inline]
    pub(crate) fn pointer(&self) -> *mut u8 {
        ptr::with_exposed_provenance_mut(self.bytes)
    }

    /// Ends the work; an error when the memory was freed in the middle of it.
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

/// Allocations that a thread remembers.
const REMEMBERED: usize = 32;

thread_local! {
    /// Allocations that the thread's last copies went to or came from, by a part of the address: what is
    /// copied next mostly lies in the same ones.
    static NEAR: [Cell<Option<Near>>; REMEMBERED] =
        const { [const { Cell::new(None) }; REMEMBERED] };
}

/// An allocation as it was looked up, right for as long as it lives the same life.
#[derive(Debug, Clone, Copy)]
struct Near {
    block: &'static Block,
    start: usize,
    size: usize,
    /// What leads from its addresses to its bytes.
    alias: usize,
    /// What [`Place`] calls it.
    key: u64,
}

/// Where the thread remembers an allocation that is used at this address.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
fn with_near<R>(address: usize, look: impl FnOnce(&Cell<Option<Near>>) -> R) -> R {
    // Small blocks differ in the number of their granule. A large one may be remembered several times.
    NEAR.with(|near| look(&near[address / GRANULE % REMEMBERED]))
}

impl Place {
    /// As [`Place::new`]; looks first where the thread's last copies were.
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

    /// The same where the last copies were elsewhere. What the program maps itself is not remembered: it
    /// may be mapped to another address while its memory lives on.
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

/// Memory that a thread works in task after task: it is let go when a task needs another block, so that
/// tasks which stay in one allocation begin and end their work there with nothing but a look at it.
///
/// # Invariants
///
/// With a key other than [`NO_KEY`], `block` is the block that a [`Place`] with this key names, and is
/// pinned in the life that the key names, or in one that ended while it was pinned.
#[derive(Debug)]
pub(crate) struct Grip {
    /// What [`Place`] calls the block.
    key: u64,
    block: &'static Block,
}

/// What no place calls a block: there are less.
const NO_KEY: u64 = u64::MAX;
/// What is held while nothing is.
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
    /// Begins to work at a place: until [`Grip::let_go`], and as long as no other place is held, no new
    /// owner gets the memory. Gives the first byte, valid for reads and writes over the place's length.
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

    /// Whether anything is held.
    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.key != NO_KEY
    }

    /// Whether the memory was not freed while it was held.
    #[inline(always)]
    pub(crate) fn is_alive(&self) -> bool {
        self.block.is((self.key >> 32) as u32)
    }

    /// Holds the block of another place.
    #[inline(never)]
    fn change(&mut self, place: &Place, space: &'static Space) -> Result<(), Gone> {
        self.let_go();
        let entered = place.enter(space)?;
        // INVARIANT: what is entered is pinned, and stays so: it is not left here.
        (self.key, self.block) = (place.block, entered.block);
        mem::forget(entered);
        Ok(())
    }

    /// Ends the work.
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
    use crate::space::heap::Kind;

    /// Memory of a device with room for three blocks of `SIZE` bytes.
    fn space() -> &'static Space {
        let config = EmulatorConfig::default().with_memory(3 * SIZE);
        let space = Box::leak(Box::new(Space::new(&config)));
        space.device(0).unwrap().open();
        space
    }

    const SIZE: usize = 1 << 20;

    fn allocate(space: &Space) -> Option<usize> {
        let device = space.device(0).unwrap();
        device.allocate(space.blocks(), SIZE, Kind::Device)
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
