//! The address space: the addresses of device memory, of pinned host memory and of mappings. `place.rs` has the
//! references to memory that queued work stores.

pub(crate) mod bulk;
pub(crate) mod heap;
pub(crate) mod number;
pub(crate) mod ordinary;
pub(crate) mod pages;
pub(crate) mod place;
pub(crate) mod reserve;
pub(crate) mod share;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::config::chosen::settled;
use crate::config::{Check, EmulatorConfig, RunMode};
use crate::handles::slots::Slots;
use crate::ordered::Ordered;
use crate::space::heap::{Block, Heap, Located, Maker};
use crate::space::reserve::{Access, Reservation};
use crate::sync::{Mutex, MutexGuard, lock};

static SPACE: OnceLock<Space> = OnceLock::new();

/// Returns the address space of this process. The first call creates it, and it is never dropped.
#[inline(always)]
pub(crate) fn space() -> &'static Space {
    match SPACE.get() {
        Some(space) => space,
        None => first(),
    }
}

#[cold]
fn first() -> &'static Space {
    SPACE.get_or_init(|| Space::new(settled()))
}

/// All memory that the emulator hands out.
///
/// # Invariants
///
/// - For every granule of every heap, the address plus the heap's alias offset is mapped for the rest of the process
///   and is readable and writable.
#[derive(Debug)]
pub(crate) struct Space {
    /// The addresses of the memory of all devices, one device after the other, as the program sees them.
    devices: Reservation,
    /// The second mapping of device memory, through which the emulator reads and writes it.
    alias: Reservation,
    /// The addresses of page-locked host memory, as the program sees them.
    host: Reservation,
    /// The addresses for mappings of the program; a mapped address refers to device memory.
    window: Reservation,
    mappings: RwLock<Ordered<Mapping>>,
    /// The host memory that the program registered, by first addresses.
    registered: Mutex<Ordered<Located>>,
    /// Whether the program has ever registered memory; a program that has not need not take the lock.
    is_any_registered: AtomicBool,
    /// The number of address bits of a device. A device uses the first of its addresses.
    stride_bits: u32,
    /// One heap for each device, and the heap of the host at the end.
    heaps: Box<[Heap]>,
    blocks: Slots<Block>,
}

/// The bytes of the window. They cost nothing before the program maps memory there.
const WINDOW: usize = 1 << 38;

/// Physical memory that is mapped to a range of the window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mapping {
    /// The bytes of the mapping.
    pub(crate) len: usize,
    /// The memory at its own address.
    pub(crate) memory: Located,
    pub(crate) heap: &'static Heap,
    /// The handle of the memory.
    pub(crate) handle: usize,
    /// The access that the devices have: one of the flags of C.
    pub(crate) access: u32,
}

/// The kind of memory at an address.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Location {
    /// The memory of a device, and the allocation if there is one.
    Device(&'static Heap, Option<Located>),
    /// Page-locked host memory, and the allocation if there is one.
    Pinned(&'static Heap, Option<Located>),
    /// Host memory that the program registered.
    Registered(Located),
    /// An address of the window where nothing is mapped.
    Unmapped,
    /// Any other address, which counts as ordinary host memory.
    Pageable,
}

impl Space {
    /// Reserves the memory of the configuration. If the system refuses a part of it, every allocation in that part
    /// fails.
    pub(crate) fn new(config: &EmulatorConfig) -> Space {
        // The stride is a power of two, so that the lookup of an address is a shift and not a division.
        let stride = config.memory.clamp(2 << 20, 1 << 46).next_power_of_two();
        let len = stride.saturating_mul(config.devices as usize);
        // In the run mode `Device` the host shares the memory: there is no alias, and no access faults.
        let (devices, alias) = match config.run_mode {
            RunMode::Host => (
                Reservation::new(len, Access::None),
                Reservation::new(len, Access::All),
            ),
            RunMode::Device => (
                Reservation::new(len, Access::All),
                Reservation::new(0, Access::All),
            ),
        };
        let offset = match config.run_mode {
            RunMode::Host => alias.base().wrapping_sub(devices.base()),
            RunMode::Device => 0,
        };
        let usable =
            devices.len() == len && (config.run_mode == RunMode::Device || alias.len() == len);
        let memory = if usable { config.memory.min(stride) } else { 0 };
        // If the checker protects host memory from the program, the emulator needs a second mapping of it. In the run
        // mode `Device` it is not protected, because host and device share the memory.
        let is_guarded = config.check != Check::Off && config.run_mode == RunMode::Host;
        let twins = is_guarded
            .then(|| Reservation::twins(config.host_memory))
            .flatten();
        let (host, host_offset) = match twins {
            Some((host, twin)) => {
                let offset = twin.base().wrapping_sub(host.base());
                (host, offset)
            }
            None => (Reservation::new(config.host_memory, Access::All), 0),
        };
        // In the run mode `Device` the host would need access to mapped memory too, so there is no window.
        let window = match config.run_mode {
            RunMode::Host => Reservation::new(WINDOW, Access::None),
            RunMode::Device => Reservation::new(0, Access::None),
        };
        let heaps = (0..config.devices)
            .map(|id| {
                let base = devices
                    .base()
                    .wrapping_add((id as usize).wrapping_mul(stride));
                Heap::new(id, base, offset, memory, false)
            })
            .chain([Heap::new(
                config.devices,
                host.base(),
                host_offset,
                host.len(),
                true,
            )])
            .collect();
        // INVARIANT: the granules of a device's heap lie in `devices` and, moved by `offset`, in `alias` (or in
        // `devices` itself); both have `len` bytes. Those of the host's heap lie in `host`, which has access at
        // first, and, moved by `host_offset`, in its twin, which always has access (or in `host` itself).
        Space {
            devices,
            alias,
            host,
            window,
            mappings: RwLock::default(),
            registered: Mutex::default(),
            is_any_registered: AtomicBool::new(false),
            stride_bits: stride.trailing_zeros(),
            heaps,
            blocks: Slots::new(),
        }
    }

    /// Returns the blocks of all heaps.
    pub(crate) fn blocks(&self) -> &Slots<Block> {
        &self.blocks
    }

    /// Returns the heap of a device.
    #[inline]
    pub(crate) fn device(&self, id: u32) -> Option<&Heap> {
        self.heaps.split_last()?.1.get(id as usize)
    }

    /// Returns the heap of page-locked host memory.
    pub(crate) fn host(&self) -> Option<&Heap> {
        self.heaps.last()
    }

    /// Returns whether an address belongs to a device, allocated or not.
    #[inline]
    pub(crate) fn is_device(&self, address: usize) -> bool {
        self.devices.offset(address).is_some() || self.window.offset(address).is_some()
    }

    /// Returns whether an address is one of those that the emulator gives out.
    pub(crate) fn is_own(&self, address: usize) -> bool {
        self.is_device(address) || self.heap(address).is_some()
    }

    /// Returns the page-locked host memory that can be protected from the program: all of it, or an empty range.
    pub(crate) fn guarded_host(&self) -> Range<usize> {
        let is_guarded = self.host().is_some_and(|host| host.alias() != 0);
        let len = if is_guarded { self.host.len() } else { 0 };
        self.host.base()..self.host.base() + len
    }

    /// Returns the addresses at which an access of the host faults.
    pub(crate) fn unreachable(&self) -> [Range<usize>; 2] {
        let is_reachable = self.alias.len() == 0;
        let devices = if is_reachable { 0 } else { self.devices.len() };
        let range = |of: &Reservation, len| of.base()..of.base() + len;
        [
            range(&self.devices, devices),
            range(&self.window, self.window.len()),
        ]
    }

    /// Changes the access of the program to pages of page-locked host memory.
    pub(crate) fn protect_host(&self, pages: &Range<usize>, access: Access) {
        self.host.protect(pages, access);
    }

    /// Returns the addresses for mappings of the program: the first address, and the number of addresses.
    pub(crate) fn window(&self) -> (usize, usize) {
        (self.window.base(), self.window.len())
    }

    /// Returns the mappings by their first addresses.
    pub(crate) fn mappings(&self) -> &RwLock<Ordered<Mapping>> {
        &self.mappings
    }

    /// Locks and returns the host memory that the program registered.
    pub(crate) fn registered(&self) -> MutexGuard<'_, Ordered<Located>> {
        self.is_any_registered.store(true, Ordering::Release);
        lock(&self.registered)
    }

    /// Returns whether a registered range contains an address.
    pub(crate) fn is_registered(&self, address: usize) -> bool {
        self.registered_at(address).is_some()
    }

    /// Returns the registered range that contains an address.
    fn registered_at(&self, address: usize) -> Option<Located> {
        if !self.is_any_registered.load(Ordering::Acquire) {
            return None;
        }
        let ranges = lock(&self.registered);
        let (_, range) = ranges.up_to(address)?;
        contains(range, address, 1).then_some(*range)
    }

    /// Returns the mapping that contains an address of the window.
    #[cold]
    fn mapped(&self, address: usize) -> Location {
        let mappings = self.mappings.read().unwrap_or_else(PoisonError::into_inner);
        match mappings.up_to(address) {
            Some((start, mapping)) if address - start < mapping.len => {
                let memory = mapping.memory;
                let located = memory.at(start, mapping.len);
                let is_usable = mapping.access != 0 && memory.is_alive();
                Location::Device(mapping.heap, is_usable.then_some(located))
            }
            _ => Location::Unmapped,
        }
    }

    /// Returns the kind of memory at an address.
    #[inline]
    pub(crate) fn locate(&'static self, address: usize) -> Location {
        let Some(heap) = self.heap(address) else {
            let is_mine = self.window.offset(address).is_some();
            return if is_mine {
                self.mapped(address)
            } else {
                self.registered_at(address)
                    .map_or(Location::Pageable, Location::Registered)
            };
        };
        let located = heap.locate(&self.blocks, address);
        if self.is_device(address) {
            Location::Device(heap, located)
        } else {
            Location::Pinned(heap, located)
        }
    }

    /// Returns the heap of an address; `None` for ordinary host memory and for mappings of the program.
    #[inline(always)]
    pub(crate) fn heap(&self, address: usize) -> Option<&Heap> {
        match self.devices.offset(address) {
            Some(offset) => self.heaps.get(offset >> self.stride_bits),
            None => self.host.offset(address).and(self.heaps.last()),
        }
    }

    /// Frees the memory of a device that is no longer open.
    pub(crate) fn close(&self, device: u32) {
        let Some(heap) = self.device(device) else {
            return;
        };
        let bytes = heap.close(&self.blocks);
        let pages = if self.alias.len() > 0 {
            &self.alias
        } else {
            &self.devices
        };
        pages.discard((device as usize) << self.stride_bits, bytes);
    }
}

/// Returns whether an allocation contains `len` bytes at an address inside of it.
#[inline]
pub(crate) fn contains(located: &Located, address: usize, len: usize) -> bool {
    let offset = address.wrapping_sub(located.start);
    offset <= located.size && len <= located.size - offset
}

/// Returns the device of the live allocation that contains `len` bytes at `address`; `None` if there is none.
pub(crate) fn device_of(address: usize, len: usize) -> Option<u32> {
    match space().locate(address) {
        Location::Device(heap, Some(located)) if contains(&located, address, len) => {
            Some(heap.index())
        }
        _ => None,
    }
}

/// Returns how many of `len` bytes are in the first mapping. `None` if the mappings do not cover all bytes without a
/// gap.
pub(crate) fn first_mapping(
    mappings: &Ordered<Mapping>,
    start: usize,
    len: usize,
) -> Option<usize> {
    let mut first = None;
    let mut reached = start;
    while reached - start < len {
        let (at, mapping) = mappings.up_to(reached)?;
        let end = at + mapping.len;
        if end <= reached {
            return None;
        }
        first.get_or_insert(end - start);
        reached = end;
    }
    first.map(|first| first.min(len))
}

/// Returns whether one live allocation of device memory contains `len` bytes at `address`.
pub(crate) fn is_device_range(address: usize, len: usize) -> bool {
    device_of(address, len).is_some()
}

impl Location {
    /// Returns the allocation that starts at exactly this address.
    pub(crate) fn whole(&self, address: usize) -> Option<(&'static Heap, Located)> {
        match self {
            Location::Device(heap, Some(located)) | Location::Pinned(heap, Some(located)) => {
                (located.start == address).then_some((*heap, *located))
            }
            _ => None,
        }
    }

    /// Returns the kind of the allocation at this location.
    pub(crate) fn kind(&self) -> Option<Maker> {
        match self {
            Location::Device(_, located) | Location::Pinned(_, located) => {
                located.map(|located| located.kind)
            }
            Location::Registered(_) | Location::Unmapped | Location::Pageable => None,
        }
    }
}
