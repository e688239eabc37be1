//! A range of reserved addresses, and the physical memory that is mapped to it: this process has allocated it, or another one has
//! exported it.

use std::ffi::c_void;
use std::num::NonZero;
use std::ptr::{NonNull, null_mut};

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};
use crate::memory::block::padded;
use crate::park::Parked;
use crate::raw::{Handle, check};
use crate::release;

/// The call whose failure leaves addresses reserved.
const RELEASE: &str = "aclrtReleaseMemAddress";

/// Reserved addresses, and the memory behind the first of them.
///
/// # Invariants
///
/// - The `bytes` bytes from `base` are a range of `aclrtReserveMemAddress`. Only this value releases it.
/// - The first `mapped` bytes are mapped to `blocks`, which are owned, in this order and without a gap.
/// - `bytes` and the size of each block are multiples of `granularity`. `bytes` fits an `isize`.
pub(crate) struct Range {
    pub(super) base: NonNull<c_void>,
    pub(super) bytes: usize,
    granularity: NonZero<usize>,
    pub(super) mapped: usize,
    blocks: Vec<Physical>,
}

/// Physical memory of one mapping.
struct Physical {
    handle: Handle,
    bytes: usize,
}

// SAFETY: the value owns the addresses and the memory behind them. No call that it makes needs a context, except that of the
// caller's binding in `map` (published source of the runtime), so any thread may release it.
unsafe impl Send for Range {}
// SAFETY: a shared reference gives only numbers.
unsafe impl Sync for Range {}

impl Range {
    /// Reserves addresses for `len` elements of `size` bytes.
    pub(super) fn reserve(device: u32, len: usize, size: usize, bytes: usize) -> Result<Range> {
        let call = "aclrtMemGetAllocationGranularity";
        let (mut prop, mut granularity) = (properties(device), 0);
        let option = sys::ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED;
        // SAFETY: both pointers are valid for reads and writes.
        let code = unsafe {
            sys::aclrtMemGetAllocationGranularity(&raw mut prop, option, &raw mut granularity)
        };
        check(call, code)?;
        let granularity = NonZero::new(granularity)
            .ok_or_else(|| Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR))?;
        let rounded = padded(bytes)
            .and_then(|bytes| bytes.checked_next_multiple_of(granularity.get()))
            .filter(|bytes| isize::try_from(*bytes).is_ok());
        let bytes = rounded.ok_or(Usage::SizeOverflow { len, size })?;
        Range::addresses(bytes, granularity)
    }

    /// Reserves `bytes` bytes of addresses, a multiple of `granularity`.
    fn addresses(bytes: usize, granularity: NonZero<usize>) -> Result<Range> {
        let call = "aclrtReserveMemAddress";
        let mut base = null_mut();
        // SAFETY: `base` is valid for a write. The alignment and the expected address are reserved, and the flag 1 asks for
        // huge pages, as `properties` does (acl/acl_rt.h).
        let code = unsafe { sys::aclrtReserveMemAddress(&raw mut base, bytes, 0, null_mut(), 1) };
        check(call, code)?;
        let base = NonNull::new(base)
            .ok_or_else(|| Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR))?;
        // INVARIANT: a fresh range, of which nothing is mapped.
        Ok(Range {
            base,
            bytes,
            granularity,
            mapped: 0,
            blocks: Vec::new(),
        })
    }

    /// Maps the physical memory of `bytes` bytes that another process has exported under the number `handle` to addresses of its
    /// own. On an error nothing is left of it.
    pub(crate) fn import(device: u32, handle: u64, bytes: NonZero<usize>) -> Result<Box<Range>> {
        // The memory is one unit: it is neither divided nor followed by more.
        let mut range = Range::addresses(bytes.get(), bytes)?;
        let imported = import(device, handle).and_then(|handle| {
            let bytes = bytes.get();
            range.map_block(Physical { handle, bytes })
        });
        if let Err(error) = imported {
            release::in_drop(range.release());
            return Err(error);
        }
        Ok(Box::new(range))
    }

    /// Makes the memory importable by other processes, if it was mapped at once. Returns the number of the handle, and the bytes
    /// of the memory.
    pub(crate) fn export(&mut self, flags: u64) -> Result<(u64, usize)> {
        let [block] = self.blocks.as_slice() else {
            let mappings = self.blocks.len();
            return Err(Usage::SharedMappings { mappings }.into());
        };
        let (call, mut handle) = ("aclrtMemExportToShareableHandle", 0);
        let kind = sys::ACL_MEM_HANDLE_TYPE_NONE;
        let from = block.handle.as_ptr();
        // SAFETY: live physical memory (invariant), and `handle` is valid for a write.
        let code =
            unsafe { sys::aclrtMemExportToShareableHandle(from, kind, flags, &raw mut handle) };
        check(call, code)?;
        Ok((handle, block.bytes))
    }

    /// Returns the number of bytes to be mapped for `len` elements of `size` bytes, in whole units.
    pub(super) fn needed(&self, len: usize, size: usize) -> Result<usize> {
        if len == 0 {
            return Ok(0);
        }
        let bytes = len.checked_mul(size).and_then(padded);
        let bytes = bytes.and_then(|bytes| bytes.checked_next_multiple_of(self.granularity.get()));
        match bytes.filter(|bytes| *bytes <= self.bytes) {
            Some(bytes) => Ok(bytes),
            None => {
                let reserved = room(self.bytes, size);
                Err(Usage::ReservationFull {
                    needed: len,
                    reserved,
                }
                .into())
            }
        }
    }

    /// Returns the address of an element that has memory, or of the end.
    pub(crate) fn first<T>(&self, index: usize) -> NonNull<T> {
        let first = self.base.as_ptr().cast::<T>().wrapping_add(index);
        // SAFETY: not null, because the address lies within the range or at its end.
        unsafe { NonNull::new_unchecked(first) }
    }

    /// Maps memory until `needed` bytes are mapped. On an error nothing has changed.
    pub(super) fn map(&mut self, device: u32, needed: usize) -> Result<()> {
        let Some(bytes) = needed.checked_sub(self.mapped).filter(|bytes| *bytes > 0) else {
            return Ok(());
        };
        let (prop, mut handle) = (properties(device), null_mut());
        let call = "aclrtMallocPhysical";
        // SAFETY: both pointers are valid, for a write and for a read.
        let code = unsafe { sys::aclrtMallocPhysical(&raw mut handle, bytes, &raw const prop, 0) };
        check(call, code)?;
        let handle = Handle::new(call, handle)?;
        self.map_block(Physical { handle, bytes })
    }

    /// Maps memory behind the others, for which there are addresses. On an error the memory is freed.
    fn map_block(&mut self, block: Physical) -> Result<()> {
        let bytes = block.bytes;
        let end = self.base.as_ptr().wrapping_byte_add(self.mapped);
        // SAFETY: `bytes` addresses of the range to which nothing is mapped, and memory of that size.
        let code = unsafe { sys::aclrtMapMem(end, bytes, 0, block.handle.as_ptr(), 0) };
        if let Err(error) = check("aclrtMapMem", code) {
            release::in_drop(block.free());
            return Err(error);
        }
        // INVARIANT: the new block follows the others.
        self.blocks.push(block);
        self.mapped += bytes;
        Ok(())
    }

    /// Unmaps and frees the last block, if it begins at `kept` bytes or behind them. Returns whether it did.
    pub(super) fn pop_above(&mut self, kept: usize) -> Result<bool> {
        let is_above = |last: &mut Physical| self.mapped - last.bytes >= kept;
        let Some(last) = self.blocks.pop_if(is_above) else {
            return Ok(false);
        };
        let start = self.mapped - last.bytes;
        if let Err(error) = self.unmap(start) {
            self.blocks.push(last);
            return Err(error);
        }
        self.mapped = start;
        last.free()?;
        Ok(true)
    }

    /// Unmaps the block that begins `start` bytes behind the base.
    fn unmap(&self, start: usize) -> Result<()> {
        let at = self.base.as_ptr().wrapping_byte_add(start);
        // SAFETY: the start of a mapping of this range. No work uses it, because its buffer is idle.
        check("aclrtUnmapMem", unsafe { sys::aclrtUnmapMem(at) })
    }

    /// Unmaps and frees all memory, and releases the addresses if no memory is left there. Returns the first error, and gives the
    /// others to the hook.
    pub(crate) fn release(mut self) -> Result<()> {
        let (mut result, mut is_mapped) = (Ok(()), false);
        while let Some(last) = self.blocks.pop() {
            self.mapped -= last.bytes;
            let unmapped = self.unmap(self.mapped);
            is_mapped |= unmapped.is_err();
            let freed = unmapped.and_then(|()| last.free());
            add(&mut result, freed.inspect_err(release::leaked));
        }
        if !is_mapped {
            // SAFETY: a range of `aclrtReserveMemAddress` without mappings, which is released once.
            let code = unsafe { sys::aclrtReleaseMemAddress(self.base.as_ptr()) };
            add(&mut result, check(RELEASE, code));
        }
        result
    }

    /// Makes a parked object of it.
    pub(crate) fn into_parked(self: Box<Self>) -> Parked {
        Parked {
            bytes: self.mapped,
            pointer: NonNull::from(Box::leak(self)).cast(),
            free: release_parked,
            call: RELEASE,
        }
    }
}

/// Releases a parked range. Each error goes to the hook.
///
/// # Safety
///
/// - `into_parked` has leaked the range, and no work uses its memory.
unsafe fn release_parked(range: NonNull<c_void>) -> sys::aclError {
    // SAFETY: the box that `into_parked` has leaked; the caller's contract.
    let range = unsafe { Box::from_raw(range.cast::<Range>().as_ptr()) };
    release::in_drop(range.release());
    sys::ACL_SUCCESS
}

/// Adds the result of a later step: of two errors, the hook gets the second one.
fn add(result: &mut Result<()>, step: Result<()>) {
    if result.is_ok() {
        *result = step;
    } else {
        release::in_drop(step);
    }
}

/// Returns a handle for the physical memory that another process has exported under the number `handle`.
fn import(device: u32, handle: u64) -> Result<Handle> {
    let (call, mut imported) = ("aclrtMemImportFromShareableHandle", null_mut());
    let device = device.cast_signed();
    // SAFETY: `imported` is valid for a write.
    let code = unsafe { sys::aclrtMemImportFromShareableHandle(handle, device, &raw mut imported) };
    check(call, code)?;
    Handle::new(call, imported)
}

impl Physical {
    /// Frees memory that is not mapped any more.
    fn free(self) -> Result<()> {
        // SAFETY: physical memory of `Range::map` or `import`, which is freed once.
        let code = unsafe { sys::aclrtFreePhysical(self.handle.as_ptr()) };
        check("aclrtFreePhysical", code)
    }
}

/// Returns how many elements of `size` bytes fit `bytes` bytes, with the bytes behind them that an engine may read
/// (`padded`).
pub(super) fn room(bytes: usize, size: usize) -> usize {
    let data = bytes.saturating_sub(padded(0).unwrap_or(0));
    data.checked_div(size).unwrap_or(0)
}

/// The properties of physical memory of a device: huge pages, as `aclrtMalloc` with `HugeFirst` takes.
fn properties(device: u32) -> sys::aclrtPhysicalMemProp {
    sys::aclrtPhysicalMemProp {
        handleType: sys::ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: sys::ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: sys::ACL_HBM_MEM_HUGE,
        location: sys::aclrtMemLocation {
            id: device,
            type_: sys::ACL_MEM_LOCATION_TYPE_DEVICE,
        },
        reserve: 0,
    }
}
