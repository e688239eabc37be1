//! Memory: blocks of the host's heap, of which each address is known.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::{ALREADY_REGISTERED, Answer, INVALID_VALUE, NOT_REGISTERED, OUT_OF_MEMORY, lock};

/// The bytes that a device has.
pub(crate) const MOST: usize = 4 << 30;
/// What fresh memory holds.
const GARBAGE: u8 = 0xa5;

/// Whose memory a block is.
pub(crate) enum Kind {
    Device(usize),
    Host,
    Pool(Arc<Pool>),
}

struct Block {
    layout: Layout,
    kind: Kind,
}

static BLOCKS: Mutex<BTreeMap<usize, Block>> = Mutex::new(BTreeMap::new());
/// Memory of the caller that is page-locked.
static REGISTERED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// The bytes of a device that are in use.
pub(crate) fn used(device: usize) -> usize {
    used_of(&lock(&BLOCKS), |kind| match kind {
        Kind::Device(of) => *of == device,
        Kind::Host => false,
        Kind::Pool(pool) => pool.device == device,
    })
}

fn used_of(blocks: &BTreeMap<usize, Block>, is_counted: impl Fn(&Kind) -> bool) -> usize {
    let counted = blocks.values().filter(|block| is_counted(&block.kind));
    counted.map(|block| block.layout.size()).sum()
}

fn used_of_pool(blocks: &BTreeMap<usize, Block>, pool: &Pool) -> usize {
    used_of(
        blocks,
        |kind| matches!(kind, Kind::Pool(of) if ptr::eq(&raw const **of, pool)),
    )
}

pub(crate) fn allocate(len: usize, kind: Kind) -> Answer<u64> {
    let layout = Layout::from_size_align(len, 4096);
    let layout = layout
        .ok()
        .filter(|layout| layout.size() > 0)
        .ok_or(INVALID_VALUE)?;
    if len > MOST {
        return Err(OUT_OF_MEMORY);
    }
    let mut blocks = lock(&BLOCKS);
    if let Kind::Pool(pool) = &kind {
        let used = used_of_pool(&blocks, pool) + len;
        if used > pool.most {
            return Err(OUT_OF_MEMORY);
        }
        pool.highest.fetch_max(used as u64, Ordering::Relaxed);
    }
    // SAFETY: the size is not 0.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        return Err(OUT_OF_MEMORY);
    }
    // SAFETY: fresh memory of this size.
    unsafe { start.write_bytes(GARBAGE, len) };
    let start = start.expose_provenance();
    blocks.insert(start, Block { layout, kind });
    Ok(start as u64)
}

pub(crate) fn free(start: u64) -> Answer {
    let block = lock(&BLOCKS).remove(&(start as usize));
    let block = block.ok_or(INVALID_VALUE)?;
    // SAFETY: allocated with this layout, and no longer in the table. Whoever frees has waited for the work, or is its task.
    unsafe {
        dealloc(
            ptr::with_exposed_provenance_mut(start as usize),
            block.layout,
        )
    };
    Ok(())
}

/// Returns an address whose bytes are all in the block in which it is, if it is in one.
pub(crate) fn within(start: u64, len: usize) -> Answer<usize> {
    let start = start as usize;
    let blocks = lock(&BLOCKS);
    let block = blocks.range(..=start).next_back();
    let end = block.map(|(first, block)| first + block.layout.size());
    match end.filter(|end| start < *end) {
        Some(end) if len > end - start => Err(INVALID_VALUE),
        _ => Ok(start),
    }
}

pub(crate) fn register(start: u64, len: usize) -> Answer {
    let start = start as usize;
    let mut registered = lock(&REGISTERED);
    let before = registered.range(..start + len).next_back();
    if before.is_some_and(|(first, size)| first + size > start) {
        return Err(ALREADY_REGISTERED);
    }
    registered.insert(start, len);
    Ok(())
}

pub(crate) fn unregister(start: u64) -> Answer {
    let was = lock(&REGISTERED).remove(&(start as usize));
    was.map(drop).ok_or(NOT_REGISTERED)
}

/// `CUmemPoolProps`, as far as it is read.
#[repr(C)]
pub struct PoolProperties {
    kinds: [c_uint; 3],
    device: c_int,
    security: *const c_void,
    most: usize,
}

impl PoolProperties {
    pub(crate) fn device_and_most(&self) -> (c_int, usize) {
        (self.device, self.most)
    }
}

pub(crate) struct Pool {
    device: usize,
    most: usize,
    /// The attributes that are numbers of the program, by their number in C: 1 to 3 are an `int`, 4 is 64 bits wide.
    settings: [AtomicU64; 4],
    highest: AtomicU64,
}

impl Pool {
    /// A pool of at most `most` bytes, or of all there are with 0.
    pub(crate) fn new(device: usize, most: usize) -> Pool {
        Pool {
            device,
            most: if most == 0 { MOST } else { most },
            settings: [1, 1, 1, 0].map(AtomicU64::new),
            highest: AtomicU64::new(0),
        }
    }

    fn setting(&self, attribute: c_uint) -> Option<&AtomicU64> {
        self.settings.get((attribute as usize).wrapping_sub(1))
    }

    /// # Safety
    ///
    /// `value` is valid for a read of the attribute's type.
    pub(crate) unsafe fn set(&self, attribute: c_uint, value: *mut c_void) -> Answer {
        let setting = self.setting(attribute).ok_or(INVALID_VALUE)?;
        let number = match attribute {
            // SAFETY: the contract of this function.
            4 => unsafe { value.cast::<u64>().read() },
            // SAFETY: as above.
            _ => u64::from(unsafe { value.cast::<c_uint>().read() }),
        };
        setting.store(number, Ordering::Relaxed);
        Ok(())
    }

    /// # Safety
    ///
    /// `value` is valid for a write of the attribute's type.
    pub(crate) unsafe fn get(&self, attribute: c_uint, value: *mut c_void) -> Answer {
        let number = match (self.setting(attribute), attribute) {
            (Some(setting), _) => setting.load(Ordering::Relaxed),
            (None, 5 | 7) => used_of_pool(&lock(&BLOCKS), self) as u64,
            (None, 6 | 8) => self.highest.load(Ordering::Relaxed),
            _ => return Err(INVALID_VALUE),
        };
        match attribute {
            // SAFETY: the contract of this function.
            1..=3 => unsafe { value.cast::<c_uint>().write(number as c_uint) },
            // SAFETY: as above.
            _ => unsafe { value.cast::<u64>().write(number) },
        }
        Ok(())
    }
}
