//! The allocator of one device's memory, or of pinned host memory.
//!
//! Memory is allocated in granules of 4 KiB. A side table maps an address to its block in one step. A freed block
//! stays whole in a bin for its size, and the next request of this size takes it. Only if nothing fits, the bins are
//! emptied and neighbours are joined.
//!
//! A block's generation is odd while the block is allocated. Queued work stores the generation that it saw, and
//! [pins](Block::enter) the block while it runs. A freed block is not allocated again before it is unpinned, so that
//! stale work never accesses the memory of a new owner.

use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::thread;

use crate::handles::slots::Slots;
use crate::ordered::{self, Numbers};
use crate::space::pages::Pages;
use crate::space::reserve::{Access, Reservation};
use crate::sync::{Mutex, lock};

mod block;

pub(crate) use block::{Block, Located, Maker, adopt, disown};

/// The unit of allocation, and the alignment of every block.
pub(crate) const GRANULE: usize = 4096;
/// The largest size of fresh blocks that are filled, so that a read of uninitialised memory is visible.
const POISONED: usize = 64 << 10;
/// The byte that fills fresh blocks.
pub(crate) const POISON: u8 = 0xa5;
/// The number of bins of freed blocks. Sizes that are equal modulo this number share a bin.
const BINS: usize = 256;
/// The number of blocks of a bin that a request examines.
const LOOKED_AT: usize = 8;

/// The memory of one device, or the pinned host memory.
#[derive(Debug)]
pub(crate) struct Heap {
    /// The index of the heap.
    index: u32,
    /// The first address as the program sees it.
    base: usize,
    /// The number that is added to an address of the program to get the address of the bytes.
    alias: usize,
    granules: u32,
    /// For each granule, the index of the block that was last made there, plus one.
    table: &'static [AtomicU32],
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The alias of the heap.
    alias: usize,
    /// Whether allocations are allowed: a device without a context has no memory.
    open: bool,
    /// Freed blocks that are still whole.
    bins: Vec<Vec<(u32, u32)>>,
    /// Freed blocks that tasks still use.
    limbo: Vec<u32>,
    /// Free ranges: first granule to number of granules.
    free: Numbers,
    /// The free ranges, [by size](by_size).
    free_by_size: Numbers,
    /// The number of allocated granules.
    used: u32,
    /// One more than the last granule that was ever allocated.
    high: u32,
}

impl Heap {
    /// Makes a heap of `len` bytes from `base`; the bytes are at these addresses plus `alias`.
    pub(crate) fn new(index: u32, base: usize, alias: usize, len: usize, open: bool) -> Heap {
        let table = Reservation::new(len.div_ceil(GRANULE) * size_of::<AtomicU32>(), Access::All)
            .into_counters();
        let granules = u32::try_from((len / GRANULE).min(table.len())).unwrap_or(u32::MAX);
        let mut state = State {
            alias,
            open,
            bins: vec![Vec::new(); BINS],
            limbo: Vec::new(),
            free: Numbers::new(),
            free_by_size: Numbers::new(),
            used: 0,
            high: 0,
        };
        if granules > 0 {
            state.release(0, granules as usize);
        }
        Heap {
            index,
            base,
            alias,
            granules,
            table,
            state: Mutex::new(state),
        }
    }

    /// Returns the index of the heap: the device's id, or the number of devices for host memory.
    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number that is added to an address of this heap to get the address of its bytes.
    #[inline]
    pub(crate) fn alias(&self) -> usize {
        self.alias
    }

    /// Allows allocations.
    pub(crate) fn open(&self) {
        lock(&self.state).open = true;
    }

    /// Returns the free and the total bytes.
    pub(crate) fn info(&self) -> (usize, usize) {
        let used = lock(&self.state).used;
        (
            (self.granules - used) as usize * GRANULE,
            self.granules as usize * GRANULE,
        )
    }

    /// Allocates `size` bytes; `None` if they do not fit. If only freed blocks remain that tasks still use, the call
    /// waits for these tasks: for the program a freed block is free.
    pub(crate) fn allocate(
        &self,
        blocks: &Slots<Block>,
        size: usize,
        kind: Maker,
    ) -> Option<usize> {
        let granules = u32::try_from(size.div_ceil(GRANULE)).ok()?;
        loop {
            let mut state = lock(&self.state);
            if !state.open || granules > self.granules - state.used {
                return None;
            }
            if !state.limbo.is_empty() {
                state.settle(blocks);
            }
            let block = match state.recycled(granules) {
                Some(index) => blocks.at(index),
                None => self.fresh(&mut state, blocks, granules),
            };
            if let Some(block) = block {
                state.used += granules;
                return Some(block.begin(size, kind));
            }
            if state.limbo.is_empty() {
                return None;
            }
            drop(state);
            thread::yield_now();
        }
    }

    /// Makes a block from free ranges.
    #[inline(never)]
    fn fresh<'a>(
        &self,
        state: &mut State,
        blocks: &'a Slots<Block>,
        granules: u32,
    ) -> Option<&'a Block> {
        let first = match state.carve(granules) {
            Some(first) => first,
            None => {
                state.join(blocks, self.base);
                state.carve(granules)?
            }
        };
        let Some((index, block)) = blocks.take() else {
            state.release(first as usize, granules as usize);
            return None;
        };
        let start = self.base + first as usize * GRANULE;
        // The slot may have been a block elsewhere before. As in `Block::begin`, a thread that reads a new field sees
        // that the old generation has ended.
        fence(Ordering::Release);
        block.heap.store(self.index, Ordering::Relaxed);
        block.start.store(start, Ordering::Relaxed);
        block.granules.store(granules, Ordering::Relaxed);
        let entries = self
            .table
            .get(first as usize..(first + granules) as usize)?;
        for entry in entries {
            entry.store(index + 1, Ordering::Relaxed);
        }
        state.high = state.high.max(first + granules);
        let bytes = granules as usize * GRANULE;
        if bytes <= POISONED {
            let start = std::ptr::with_exposed_provenance_mut::<u8>(start.wrapping_add(self.alias));
            // SAFETY: these are granules of this heap: they are mapped for the rest of the process and writable
            // through the alias (the invariant of `Space`), and they are free, so no thread reads them.
            unsafe { start.write_bytes(POISON, bytes) };
        }
        Some(block)
    }

    /// Returns the index and the generation of the allocation that contains `len` bytes at an address. This is a part
    /// of the result of [`Heap::locate`].
    #[inline(always)]
    pub(crate) fn holder(
        &self,
        blocks: &Slots<Block>,
        address: usize,
        len: usize,
    ) -> Option<(u32, u32)> {
        let granule = address.wrapping_sub(self.base) / GRANULE;
        let entry = self.table.get(granule)?.load(Ordering::Relaxed);
        let index = entry.checked_sub(1)?;
        let block = blocks.at(index)?;
        let generation = block.generation.load(Ordering::Acquire);
        let offset = address.wrapping_sub(block.start.load(Ordering::Relaxed));
        let size = block.size.load(Ordering::Relaxed);
        let inside = offset <= size && len <= size - offset;
        // If the generation is still the same, all fields that were read belong to it: see `Block::begin`.
        fence(Ordering::Acquire);
        (inside && generation % 2 == 1 && block.is(generation)).then_some((index, generation))
    }

    /// Returns the allocation that contains an address.
    #[inline]
    pub(crate) fn locate(&self, blocks: &'static Slots<Block>, address: usize) -> Option<Located> {
        let granule = address.wrapping_sub(self.base) / GRANULE;
        let index = self
            .table
            .get(granule)?
            .load(Ordering::Relaxed)
            .checked_sub(1)?;
        let block = blocks.at(index)?;
        let generation = block.generation.load(Ordering::Acquire);
        let start = block.start.load(Ordering::Relaxed);
        let size = block.size.load(Ordering::Relaxed);
        let granules = block.granules.load(Ordering::Relaxed) as usize;
        let kind = block.kind();
        // The table may contain old blocks: the block may be free, may now be elsewhere, even in another heap, or may
        // change while it is read. The checks of address and generation detect this.
        let here = address.wrapping_sub(start) < granules * GRANULE;
        fence(Ordering::Acquire);
        (here && generation % 2 == 1 && block.is(generation)).then_some(Located {
            block,
            generation,
            start,
            size,
            kind,
            shift: 0,
            index,
        })
    }

    /// Returns the bytes of an allocation with its padding.
    pub(crate) fn capacity(located: &Located) -> usize {
        located.block.granules.load(Ordering::Relaxed) as usize * GRANULE
    }

    /// Frees a block. Returns false if another thread freed it first.
    pub(crate) fn free(&self, blocks: &Slots<Block>, located: &Located) -> bool {
        let mut state = lock(&self.state);
        if !located.block.is(located.generation) {
            return false;
        }
        state.retire(located.index, located.block);
        if !state.limbo.is_empty() {
            state.settle(blocks);
        }
        true
    }

    /// Replaces the pages of an allocation by the pages of a file, which other processes can access. The previous
    /// content is copied to the file if `stays` is true. Returns false if the allocation was freed or the system
    /// refuses.
    pub(crate) fn share(&self, located: &Located, pages: &Pages, stays: bool) -> bool {
        let frozen = located.block.freeze();
        // A thread that frees the block from here on finds a pin and puts the block into limbo, from where a later
        // call takes it.
        located.is_alive()
            && (!stays || frozen.save(self.alias, pages))
            && frozen.share(self.alias, pages)
    }

    /// Frees all blocks and allows no more allocations. Returns the length of the range that was in use.
    pub(crate) fn close(&self, blocks: &Slots<Block>) -> usize {
        let mut state = lock(&self.state);
        state.open = false;
        for (index, block) in blocks.live() {
            if block.heap.load(Ordering::Relaxed) == self.index {
                state.retire(index, block);
            }
        }
        state.settle(blocks);
        state.join(blocks, self.base);
        std::mem::take(&mut state.high) as usize * GRANULE
    }

    /// Returns whether a block is one of this heap.
    pub(crate) fn owns(&self, block: &Block) -> bool {
        block.heap.load(Ordering::Relaxed) == self.index
    }
}

impl State {
    /// Ends a block's generation.
    fn retire(&mut self, index: u32, block: &Block) {
        let granules = block.granules.load(Ordering::Relaxed);
        // `Block::enter` explains the memory order.
        block.generation.fetch_add(1, Ordering::SeqCst);
        self.used -= granules;
        if block.pins.load(Ordering::SeqCst) == 0 {
            self.keep(index, block);
        } else {
            self.limbo.push(index);
        }
    }

    /// Moves unpinned blocks out of limbo.
    fn settle(&mut self, blocks: &Slots<Block>) {
        for index in std::mem::take(&mut self.limbo) {
            let Some(block) = blocks.at(index) else {
                continue;
            };
            // Acquire: pairs with the release of the last task's `leave`.
            if block.pins.load(Ordering::Acquire) == 0 {
                self.keep(index, block);
            } else {
                self.limbo.push(index);
            }
        }
    }

    /// Puts a free block without pins into its bin.
    fn keep(&mut self, index: u32, block: &Block) {
        // SAFETY: the block is free and no task uses it (the callers checked). A thread that enters it from here on
        // finds another generation and leaves.
        if !unsafe { block.unshare(self.alias) } {
            // The block is lost: other processes have its pages.
            return;
        }
        let granules = block.granules.load(Ordering::Relaxed);
        if let Some(bin) = self.bins.get_mut(granules as usize % BINS) {
            bin.push((granules, index));
        }
    }

    /// Takes a block of exactly this size from its bin.
    fn recycled(&mut self, granules: u32) -> Option<u32> {
        let bin = self.bins.get_mut(granules as usize % BINS)?;
        let found = bin
            .iter()
            .rev()
            .take(LOOKED_AT)
            .position(|(size, _)| *size == granules)?;
        let (_, index) = bin.swap_remove(bin.len() - 1 - found);
        Some(index)
    }

    /// Takes granules from the smallest range that has them.
    fn carve(&mut self, granules: u32) -> Option<u32> {
        let granules = granules as usize;
        let (key, first) = ordered::from(&self.free_by_size, by_size(granules, 0))?;
        let size = key >> u32::BITS;
        self.forget(first, size);
        if size > granules {
            self.note(first + granules, size - granules);
        }
        u32::try_from(first).ok()
    }

    /// Empties the bins into the free ranges.
    fn join(&mut self, blocks: &Slots<Block>, base: usize) {
        for bin in 0..self.bins.len() {
            let bin = self
                .bins
                .get_mut(bin)
                .map(std::mem::take)
                .unwrap_or_default();
            for (granules, index) in bin {
                let Some(block) = blocks.at(index) else {
                    continue;
                };
                let first = (block.start.load(Ordering::Relaxed) - base) / GRANULE;
                self.release(first, granules as usize);
                blocks.put(index);
            }
        }
    }

    /// Adds a free range and joins it with its neighbours.
    fn release(&mut self, mut first: usize, mut granules: usize) {
        if let Some((before, size)) = ordered::below(&self.free, first)
            && before + size == first
        {
            // The entry in `free` is overwritten below.
            self.free_by_size.remove(&by_size(size, before));
            first = before;
            granules += size;
        }
        if let Some(&size) = self.free.get(&(first + granules)) {
            self.forget(first + granules, size);
            granules += size;
        }
        self.note(first, granules);
    }

    fn note(&mut self, first: usize, granules: usize) {
        self.free.insert(first, granules);
        self.free_by_size.insert(by_size(granules, first), first);
    }

    fn forget(&mut self, first: usize, granules: usize) {
        self.free.remove(&first);
        self.free_by_size.remove(&by_size(granules, first));
    }
}

/// Returns the key that orders free ranges by size, to find the smallest one that is large enough. The upper half is
/// the number of granules, the lower half the first granule. Both have 32 bits.
fn by_size(granules: usize, first: usize) -> usize {
    granules << u32::BITS | first
}
