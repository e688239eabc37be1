//! One allocation: its life, and the tasks that use it.

use std::os::unix::fs::FileExt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence};
use std::thread;

use crate::handles::slots::{Slot, Slots};
use crate::space::pages::Pages;
use crate::space::reserve::{map_fresh, map_pages};

use super::GRANULE;

/// Added to the pins of a block that nobody may begin to work in: its pages are exchanged.
const FROZEN: u32 = 1 << 31;

/// Who allocated a block, which decides who may free it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
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
    /// Memory of the runtime itself, which no call frees.
    Runtime,
}

/// One allocation.
#[derive(Debug)]
pub(crate) struct Block {
    pub(super) generation: AtomicU32,
    /// Tasks that are at work in it; from [`FROZEN`] on none may begin.
    pub(super) pins: AtomicU32,
    /// Its heap, as an index.
    pub(super) heap: AtomicU32,
    /// Its capacity.
    pub(super) granules: AtomicU32,
    /// Its first address as the program knows it.
    pub(super) start: AtomicUsize,
    /// Bytes that the program may use.
    pub(super) size: AtomicUsize,
    kind: AtomicU8,
    /// Whether other processes may reach its pages.
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
    /// One that was never allocated.
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

    /// Keeps the block from a new owner until [`Block::leave`]; false when it was freed already.
    #[inline]
    pub(crate) fn enter(&self, generation: u32) -> bool {
        // Sequentially consistent here and in `Heap::retire`: of the pin and the new generation, one
        // comes first, and the other side sees it.
        if self.pins.fetch_add(1, Ordering::SeqCst) >= FROZEN {
            self.thaw();
        }
        let alive = self.is(generation);
        if !alive {
            self.pins.fetch_sub(1, Ordering::Release);
        }
        alive
    }

    /// Takes a pin back until the block is no longer frozen.
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

    /// Waits until nobody is at work in the block, and keeps everybody from beginning.
    pub(super) fn freeze(&self) -> Frozen<'_> {
        let idle = |pins| (pins == 0).then_some(FROZEN);
        // INVARIANT: added here, and nobody adds or takes more than what it added itself.
        while self
            .pins
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, idle)
            .is_err()
        {
            thread::yield_now();
        }
        Frozen(self)
    }

    /// Ends what [`Block::enter`] began; false when the block was freed meanwhile.
    #[inline]
    pub(crate) fn leave(&self, generation: u32) -> bool {
        let alive = self.is(generation);
        self.pins.fetch_sub(1, Ordering::Release);
        alive
    }

    /// Begins a life, under the lock of its heap; gives the first address.
    #[inline(always)]
    pub(super) fn begin(&self, size: usize, kind: Kind) -> usize {
        // Who reads a field of the new life sees that the old one is over.
        fence(Ordering::Release);
        self.size.store(size, Ordering::Relaxed);
        self.kind.store(kind as u8, Ordering::Relaxed);
        // The lock's holder alone changes it. Release: who sees the generation sees the fields.
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation
            .store(generation.wrapping_add(1), Ordering::Release);
        self.start.load(Ordering::Relaxed)
    }

    /// Whether it still lives the life with this generation.
    #[inline]
    pub(crate) fn is(&self, generation: u32) -> bool {
        self.generation.load(Ordering::SeqCst) == generation
    }

    #[inline]
    pub(super) fn kind(&self) -> Kind {
        match self.kind.load(Ordering::Relaxed) {
            1 => Kind::Dvpp1,
            2 => Kind::Dvpp2,
            3 => Kind::Host,
            4 => Kind::Physical,
            5 => Kind::Imported,
            6 => Kind::Runtime,
            _ => Kind::Device,
        }
    }
}

/// A block that nobody is at work in.
///
/// # Invariants
///
/// The block's pins hold [`FROZEN`] once, for this, and were no more when it was added: who adds a pin meanwhile
/// sees it, and waits.
#[derive(Debug)]
pub(super) struct Frozen<'a>(&'a Block);

impl Frozen<'_> {
    /// Copies the block's bytes to pages of zeros; false when the system refuses.
    pub(super) fn save(&self, alias: usize, pages: &Pages) -> bool {
        let start = self.0.start.load(Ordering::Relaxed).wrapping_add(alias);
        let granules = self.0.granules.load(Ordering::Relaxed) as usize;
        let mut bytes = [0; GRANULE];
        (0..granules).all(|granule| {
            let offset = granule * GRANULE;
            let from = ptr::with_exposed_provenance::<u8>(start.wrapping_add(offset));
            // SAFETY: a granule of the block, which is mapped for good and that nobody writes meanwhile (the
            // invariant); the buffer has as many bytes.
            unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), GRANULE) };
            // What was never touched shall take no memory in the file either.
            bytes.iter().all(|byte| *byte == 0)
                || pages.file().write_all_at(&bytes, offset as u64).is_ok()
        })
    }

    /// Puts other pages in the place of the block's own, which have `alias` added to their addresses; false
    /// when they are too few, or the system refuses.
    pub(super) fn share(&self, alias: usize, pages: &Pages) -> bool {
        let start = self.0.start.load(Ordering::Relaxed).wrapping_add(alias);
        let len = self.0.granules.load(Ordering::Relaxed) as usize * GRANULE;
        // SAFETY: the block's own bytes, whole pages of a reservation with all access, in which nobody is at
        // work (the invariant).
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
    /// Gives a free block pages of its own; false when the system refuses, and nobody may have it.
    ///
    /// # Safety
    ///
    /// The block belongs to nobody, nobody is at work in it, and `alias` is that of its heap.
    pub(super) unsafe fn unshare(&self, alias: usize) -> bool {
        if !self.shared.swap(false, Ordering::SeqCst) {
            return true;
        }
        let start = self.start.load(Ordering::Relaxed).wrapping_add(alias);
        let len = self.granules.load(Ordering::Relaxed) as usize * GRANULE;
        // SAFETY: the block's own bytes, whole pages of a reservation with all access; the caller's
        // contract.
        unsafe { map_fresh(start, len) }
    }
}

/// What is known about an address inside an allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located {
    /// The allocation.
    pub(crate) block: &'static Block,
    /// Its generation when it was looked up.
    pub(crate) generation: u32,
    /// Its first address.
    pub(crate) start: usize,
    /// Bytes that the program may use.
    pub(crate) size: usize,
    /// Who allocated it.
    pub(crate) kind: Kind,
    /// What to add to an address of it, beyond the heap's alias, to reach the bytes: where the program
    /// has mapped the memory to another address.
    pub(crate) shift: usize,
    pub(crate) index: u32,
}

impl Located {
    /// The same memory, or the first `size` bytes of it, at an address that the program chose.
    pub(crate) fn at(self, start: usize, size: usize) -> Located {
        Located {
            start,
            size,
            shift: self.start.wrapping_sub(start),
            ..self
        }
    }

    /// Whether the allocation still lives the life that was looked up.
    pub(crate) fn is_alive(&self) -> bool {
        self.block.is(self.generation)
    }
}

/// A block of memory that the program has and no heap; `None` when there are too many.
pub(crate) fn adopt(blocks: &'static Slots<Block>, start: usize, size: usize) -> Option<Located> {
    /// The index of no heap.
    const NO_HEAP: u32 = u32::MAX;
    let (index, block) = blocks.take()?;
    // As where a heap makes one: the slot may have been a block elsewhere.
    fence(Ordering::Release);
    block.heap.store(NO_HEAP, Ordering::Relaxed);
    block.start.store(start, Ordering::Relaxed);
    block.granules.store(0, Ordering::Relaxed);
    block.begin(size, Kind::Host);
    Some(Located {
        block,
        generation: block.generation.load(Ordering::Relaxed),
        start,
        size,
        kind: Kind::Host,
        shift: 0,
        index,
    })
}

/// Ends such a block. From then on nobody is at work in it.
pub(crate) fn disown(blocks: &Slots<Block>, located: &Located) {
    // As in `Heap::retire`: whoever pins it from here on sees that its life is over.
    located.block.generation.fetch_add(1, Ordering::SeqCst);
    while located.block.pins.load(Ordering::SeqCst) != 0 {
        thread::yield_now();
    }
    blocks.put(located.index);
}
