//! The address space: which addresses are device memory, pinned host memory, or neither. What queued work
//! keeps of an address is in `place.rs`.

pub(crate) mod bulk;
pub(crate) mod heap;
pub(crate) mod number;
pub(crate) mod ordinary;
pub(crate) mod pages;
pub(crate) mod place;
pub(crate) mod reserve;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use crate::config::chosen::settled;
use crate::config::{Check, EmulatorConfig, RunMode};
use crate::handles::slots::Slots;
use crate::ordered::Ordered;
use crate::space::heap::{Block, Heap, Kind, Located};
use crate::space::reserve::{Access, Reservation};
use crate::sync::lock;

static SPACE: OnceLock<Space> = OnceLock::new();

/// The address space of this process. It is made at the first look and never dropped.
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
/// For every granule of every heap, the address plus the heap's alias offset is mapped for the rest of
/// the process and is readable and writable.
#[derive(Debug)]
pub(crate) struct Space {
    /// The memory of all devices, one after the other, as the program sees it.
    devices: Reservation,
    /// The bytes behind it.
    alias: Reservation,
    /// Page-locked host memory, as the program sees it.
    host: Reservation,
    /// Addresses for memory that the program maps itself; what lies behind them is device memory.
    window: Reservation,
    mappings: RwLock<Ordered<Mapping>>,
    /// Host memory that the program registered, by first addresses.
    registered: Mutex<Ordered<Located>>,
    /// Whether there ever was some, which spares other programs the lock.
    is_any_registered: AtomicBool,
    /// Every device has two to this power of addresses, of which it uses the first.
    stride_bits: u32,
    /// One heap per device, and the host's at the end.
    heaps: Box<[Heap]>,
    blocks: Slots<Block>,
}

/// Bytes of the window. They cost nothing before the program maps memory there.
const WINDOW: usize = 1 << 38;

/// Physical memory behind a range of the window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mapping {
    /// Its bytes.
    pub(crate) len: usize,
    /// The memory, at its own address.
    pub(crate) memory: Located,
    pub(crate) heap: &'static Heap,
    /// The handle that it came from.
    pub(crate) handle: usize,
}

/// Where an address lies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Location {
    /// In the memory of a device; the allocation, if there is one.
    Device(&'static Heap, Option<Located>),
    /// In page-locked host memory; the allocation, if there is one.
    Pinned(&'static Heap, Option<Located>),
    /// In host memory that the program registered.
    Registered(Located),
    /// At an address for mapped memory where nothing is mapped.
    Unmapped,
    /// Elsewhere: ordinary host memory, as far as anybody can tell.
    Pageable,
}

impl Space {
    /// Reserves what the configuration asks for. A part that the system refuses has no memory to
    /// give: every allocation there fails.
    pub(crate) fn new(config: &EmulatorConfig) -> Space {
        // A power of two: the lookup of an address is then a shift, not a division.
        let stride = config.memory.clamp(2 << 20, 1 << 46).next_power_of_two();
        let len = stride.saturating_mul(config.devices as usize);
        // On the device itself the host shares the memory: no alias, and nothing faults.
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
        // Where host memory is kept from the program, the emulator needs a way of its own to it. On the
        // device itself there are no two sides.
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
        // On the device itself the host would have to reach mapped memory, too.
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
        // INVARIANT: a heap's granules lie in `devices` and, moved by `offset`, in `alias` (or in
        // `devices` itself), both of `len` bytes; the host's lie in `host`, which has access, and moved by
        // `host_offset` in its twin, which keeps it (or in `host` itself).
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

    /// The blocks of all heaps.
    pub(crate) fn blocks(&self) -> &Slots<Block> {
        &self.blocks
    }

    /// The memory of a device.
    #[inline]
    pub(crate) fn device(&self, id: u32) -> Option<&Heap> {
        self.heaps.split_last()?.1.get(id as usize)
    }

    /// Page-locked host memory.
    pub(crate) fn host(&self) -> Option<&Heap> {
        self.heaps.last()
    }

    /// Whether an address belongs to a device, allocated or not.
    #[inline]
    pub(crate) fn is_device(&self, address: usize) -> bool {
        self.devices.offset(address).is_some() || self.window.offset(address).is_some()
    }

    /// The page-locked host memory that can be kept from the program: all, or none of it.
    pub(crate) fn guarded_host(&self) -> Range<usize> {
        let is_guarded = self.host().is_some_and(|host| host.alias() != 0);
        let len = if is_guarded { self.host.len() } else { 0 };
        self.host.base()..self.host.base() + len
    }

    /// The addresses at which the host faults.
    pub(crate) fn unreachable(&self) -> [Range<usize>; 2] {
        let is_reachable = self.alias.len() == 0;
        let devices = if is_reachable { 0 } else { self.devices.len() };
        let range = |of: &Reservation, len| of.base()..of.base() + len;
        [
            range(&self.devices, devices),
            range(&self.window, self.window.len()),
        ]
    }

    /// Changes what the program may do with pages of page-locked host memory.
    pub(crate) fn protect_host(&self, pages: &Range<usize>, access: Access) {
        self.host.protect(pages, access);
    }

    /// The addresses for memory that the program maps itself: the first, and how many.
    pub(crate) fn window(&self) -> (usize, usize) {
        (self.window.base(), self.window.len())
    }

    /// What is mapped where.
    pub(crate) fn mappings(&self) -> &RwLock<Ordered<Mapping>> {
        &self.mappings
    }

    /// Host memory that the program registered, to be changed.
    pub(crate) fn registered(&self) -> MutexGuard<'_, Ordered<Located>> {
        self.is_any_registered.store(true, Ordering::Release);
        lock(&self.registered)
    }

    /// The registered range around an address.
    fn registered_at(&self, address: usize) -> Option<Located> {
        if !self.is_any_registered.load(Ordering::Acquire) {
            return None;
        }
        let ranges = lock(&self.registered);
        let (_, range) = ranges.up_to(address)?;
        contains(range, address, 1).then_some(*range)
    }

    /// The mapping around an address of the window.
    #[cold]
    fn mapped(&self, address: usize) -> Location {
        let mappings = self.mappings.read().unwrap_or_else(PoisonError::into_inner);
        match mappings.up_to(address) {
            Some((start, mapping)) if address - start < mapping.len => {
                let memory = mapping.memory;
                let located = memory.at(start, mapping.len);
                Location::Device(mapping.heap, memory.is_alive().then_some(located))
            }
            _ => Location::Unmapped,
        }
    }

    /// Where an address lies.
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

    /// The heap of an address; `None` for ordinary host memory and for what the program maps itself.
    #[inline(always)]
    pub(crate) fn heap(&self, address: usize) -> Option<&Heap> {
        match self.devices.offset(address) {
            Some(offset) => self.heaps.get(offset >> self.stride_bits),
            None => self.host.offset(address).and(self.heaps.last()),
        }
    }

    /// Frees the memory of a device that nobody uses any more.
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

/// Whether an allocation contains `len` bytes at an address inside of it.
#[inline]
pub(crate) fn contains(located: &Located, address: usize, len: usize) -> bool {
    let offset = address.wrapping_sub(located.start);
    offset <= located.size && len <= located.size - offset
}

/// The device in whose memory one live allocation holds `len` bytes at `address`.
pub(crate) fn device_of(address: usize, len: usize) -> Option<u32> {
    match space().locate(address) {
        Location::Device(heap, Some(located)) if contains(&located, address, len) => {
            Some(heap.index())
        }
        _ => None,
    }
}

/// Whether `len` bytes at `address` lie in one live allocation of device memory.
pub(crate) fn is_device_range(address: usize, len: usize) -> bool {
    device_of(address, len).is_some()
}

impl Location {
    /// The allocation that starts at exactly this address.
    pub(crate) fn whole(&self, address: usize) -> Option<(&'static Heap, Located)> {
        match self {
            Location::Device(heap, Some(located)) | Location::Pinned(heap, Some(located)) => {
                (located.start == address).then_some((*heap, *located))
            }
            _ => None,
        }
    }

    /// Who allocated the memory here.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Location::Device(_, located) | Location::Pinned(_, located) => {
                located.map(|located| located.kind)
            }
            Location::Registered(_) | Location::Unmapped | Location::Pageable => None,
        }
    }
}
