//! One allocation: its generation, and the pins of the tasks that use it.

use std::os::unix::fs::FileExt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence};
use std::thread;

use crate::handles::slots::{Slot, Slots};
use crate::space::pages::Pages;
use crate::space::reserve::{map_fresh, map_pages};

use super::GRANULE;

/// The number that is added to the pins of a block while its pages are exchanged; no task may begin to use it then.
const FROZEN: u32 = 1 << 31;

/// The function that allocated a block. It decides which functions may free the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Maker {
    /// `aclrtMalloc` and its relatives.
    Device,
    /// `acldvppMalloc`.
    Dvpp1,
    /// `hi_mpi_dvpp_malloc`.
    Dvpp2,
    /// `aclrtMallocHost`.
    Host,
    /// `aclrtMallocPhysical`: memory without an address of its own.
    Physical,
    /// `aclrtIpcMemImportByKey`: memory of another process.
    Imported,
    /// Memory of the runtime itself, which no C function frees.
    Runtime,
    /// An object that queued work uses, such as the description of a picture. It is no memory: the checker alone knows
    /// it, under its handle.
    Object,
}

/// One allocation.
#[derive(Debug)]
pub(crate) struct Block {
    pub(super) generation: AtomicU32,
    /// The number of tasks that use the block; from [`FROZEN`] on no further task may begin.
    pub(super) pins: AtomicU32,
    /// The index of its heap.
    pub(super) heap: AtomicU32,
    /// The number of its granules.
    pub(super) granules: AtomicU32,
    /// The first address as the program sees it.
    pub(super) start: AtomicUsize,
    /// The bytes that the program may use.
    pub(super) size: AtomicUsize,
    kind: AtomicU8,
    /// Whether other processes may access its pages.
    shared: AtomicBool,
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}

impl Slot for Block {
    /// Blocks have addresses, not handles.
    const TAG: u8 = 0;
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

impl Block {
    /// Makes a block that was never allocated.
    pub(crate) const fn new() -> Block {
        Block {
            generation: AtomicU32::new(0),
            pins: AtomicU32::new(0),
            heap: AtomicU32::new(0),
            granules: AtomicU32::new(0),
            start: AtomicUsize::new(0),
            size: AtomicUsize::new(0),
            kind: AtomicU8::new(0),
            shared: AtomicBool::new(false),
        }
    }

    /// Pins the block: it is not allocated again until [`Block::leave`]. Returns false if the block was already
    /// freed.
    #[inline]
    pub(crate) fn enter(&self, generation: u32) -> bool {
        // Sequentially consistent here and in `Heap::retire`: either the pin or the new generation comes first, and
        // the other thread sees it.
        if self.pins.fetch_add(1, Ordering::SeqCst) >= FROZEN {
            self.thaw();
        }
        let alive = self.is(generation);
        if !alive {
            self.pins.fetch_sub(1, Ordering::Release);
        }
        alive
    }

    /// Removes the pin, waits until the block is no longer frozen, and adds the pin again.
    #[cold]
    fn thaw(&self) {
        loop {
            self.pins.fetch_sub(1, Ordering::SeqCst);
            while self.pins.load(Ordering::SeqCst) >= FROZEN {
                thread::yield_now();
            }
            if self.pins.fetch_add(1, Ordering::SeqCst) < FROZEN {
                return;
            }
        }
    }

    /// Waits until no task uses the block, and prevents further tasks from beginning.
    pub(super) fn freeze(&self) -> Frozen<'_> {
        let idle = |pins| (pins == 0).then_some(FROZEN);
        // INVARIANT: [`FROZEN`] is added here, and each thread removes only the pins that it added.
        while self
            .pins
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, idle)
            .is_err()
        {
            thread::yield_now();
        }
        Frozen(self)
    }

    /// Removes the pin of [`Block::enter`]. Returns false if the block was freed meanwhile.
    #[inline]
    pub(crate) fn leave(&self, generation: u32) -> bool {
        let alive = self.is(generation);
        self.pins.fetch_sub(1, Ordering::Release);
        alive
    }

    /// Begins a new generation, under the lock of the heap. Returns the first address.
    #[inline(always)]
    pub(super) fn begin(&self, size: usize, kind: Maker) -> usize {
        // A thread that reads a field of the new generation sees that the old generation has ended.
        fence(Ordering::Release);
        self.size.store(size, Ordering::Relaxed);
        self.kind.store(kind as u8, Ordering::Relaxed);
        // Only the thread with the lock changes the generation. Release: a thread that sees the generation sees the
        // fields.
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation
            .store(generation.wrapping_add(1), Ordering::Release);
        self.start.load(Ordering::Relaxed)
    }

    /// Returns whether the block still has this generation.
    #[inline]
    pub(crate) fn is(&self, generation: u32) -> bool {
        self.generation.load(Ordering::SeqCst) == generation
    }

    #[inline]
    pub(super) fn kind(&self) -> Maker {
        match self.kind.load(Ordering::Relaxed) {
            1 => Maker::Dvpp1,
            2 => Maker::Dvpp2,
            3 => Maker::Host,
            4 => Maker::Physical,
            5 => Maker::Imported,
            6 => Maker::Runtime,
            _ => Maker::Device,
        }
    }
}

/// A block that no task uses.
///
/// # Invariants
///
/// - The block's pins contain [`FROZEN`] once, for this value, and were 0 when it was added. A thread that adds a pin
///   meanwhile sees it and waits.
#[derive(Debug)]
pub(super) struct Frozen<'a>(&'a Block);

impl Frozen<'_> {
    /// Copies the block's bytes to pages of zeros. Returns false if the system refuses.
    pub(super) fn save(&self, alias: usize, pages: &Pages) -> bool {
        let start = self.0.start.load(Ordering::Relaxed).wrapping_add(alias);
        let granules = self.0.granules.load(Ordering::Relaxed) as usize;
        let mut bytes = [0; GRANULE];
        (0..granules).all(|granule| {
            let offset = granule * GRANULE;
            let from = ptr::with_exposed_provenance::<u8>(start.wrapping_add(offset));
            // SAFETY: the granule belongs to the block, is mapped for the rest of the process, and no thread writes
            // it meanwhile (the invariant); the buffer has as many bytes.
            unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), GRANULE) };
            // Pages that were never used shall take no memory in the file either.
            bytes.iter().all(|byte| *byte == 0)
                || pages.file().write_all_at(&bytes, offset as u64).is_ok()
        })
    }

    /// Replaces the block's pages by the pages of a file. `alias` is the offset from the block's addresses to its
    /// bytes. Returns false if the file is too short or the system refuses.
    pub(super) fn share(&self, alias: usize, pages: &Pages) -> bool {
        let start = self.0.start.load(Ordering::Relaxed).wrapping_add(alias);
        let len = self.0.granules.load(Ordering::Relaxed) as usize * GRANULE;
        // SAFETY: these are the block's own bytes, which are whole pages of a reservation with all access, and no
        // thread uses them (the invariant).
        let mapped = unsafe { map_pages(start, len, pages) };
        self.0.shared.fetch_or(mapped, Ordering::SeqCst);
        mapped
    }
}

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        self.0.pins.fetch_sub(FROZEN, Ordering::SeqCst);
    }
}

impl Block {
    /// Gives a free block pages of its own. Returns false if the system refuses; the block must not be allocated
    /// then.
    ///
    /// # Safety
    ///
    /// - The block is free, and no thread uses it.
    /// - `alias` is the alias of its heap.
    pub(super) unsafe fn unshare(&self, alias: usize) -> bool {
        if !self.shared.swap(false, Ordering::SeqCst) {
            return true;
        }
        let start = self.start.load(Ordering::Relaxed).wrapping_add(alias);
        let len = self.granules.load(Ordering::Relaxed) as usize * GRANULE;
        // SAFETY: these are the block's own bytes, which are whole pages of a reservation with all access; the
        // caller's contract.
        unsafe { map_fresh(start, len) }
    }
}

/// The result of a lookup: the allocation that contains an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located {
    /// The allocation.
    pub(crate) block: &'static Block,
    /// The allocation's generation at the lookup.
    pub(crate) generation: u32,
    /// The allocation's first address.
    pub(crate) start: usize,
    /// The bytes that the program may use.
    pub(crate) size: usize,
    /// The allocation's kind.
    pub(crate) kind: Maker,
    /// The number that is added to an address, together with the heap's alias, to get the address of the bytes. It is
    /// not 0 if the program mapped the memory to another address.
    pub(crate) shift: usize,
    pub(crate) index: u32,
}

impl Located {
    /// Returns the same memory, or its first `size` bytes, at an address that the program chose.
    pub(crate) fn at(self, start: usize, size: usize) -> Located {
        Located {
            start,
            size,
            shift: self.start.wrapping_sub(start),
            ..self
        }
    }

    /// Returns whether the allocation still has the generation of the lookup.
    pub(crate) fn is_alive(&self) -> bool {
        self.block.is(self.generation)
    }
}

/// Makes a block of memory that belongs to the program and to no heap; `None` if there are too many blocks.
pub(crate) fn adopt(blocks: &'static Slots<Block>, start: usize, size: usize) -> Option<Located> {
    /// The index of no heap.
    const NO_HEAP: u32 = u32::MAX;
    let (index, block) = blocks.take()?;
    // The slot may have been a block of a heap before. As in `Block::begin`, a thread that reads a new field sees
    // that the old generation has ended.
    fence(Ordering::Release);
    block.heap.store(NO_HEAP, Ordering::Relaxed);
    block.start.store(start, Ordering::Relaxed);
    block.granules.store(0, Ordering::Relaxed);
    block.begin(size, Maker::Host);
    Some(Located {
        block,
        generation: block.generation.load(Ordering::Relaxed),
        start,
        size,
        kind: Maker::Host,
        shift: 0,
        index,
    })
}

/// Ends a block that belongs to no heap, and waits for the tasks that use it.
pub(crate) fn disown(blocks: &Slots<Block>, located: &Located) {
    // As in `Heap::retire`: a thread that pins the block from here on sees that the generation has ended.
    located.block.generation.fetch_add(1, Ordering::SeqCst);
    while located.block.pins.load(Ordering::SeqCst) != 0 {
        thread::yield_now();
    }
    blocks.put(located.index);
}
