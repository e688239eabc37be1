//! Physical memory, reserved addresses, and mappings of memory to addresses (`acl/acl_rt.h`).
//!
//! Physical memory is an allocation of a device. The program accesses it only through addresses of the window
//! (`space.rs`). It ends when its handle was released and no mapping of it remains.

use std::ffi::c_void;
use std::ptr;
use std::slice;
use std::sync::{Mutex, PoisonError};

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID, ACL_HBM_MEM_HUGE, ACL_HBM_MEM_HUGE1G, ACL_HBM_MEM_NORMAL,
    ACL_MEM_ALLOCATION_TYPE_PINNED, ACL_MEM_HANDLE_TYPE_NONE, ACL_MEM_HUGE, ACL_MEM_HUGE1G,
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_NORMAL, ACL_MEM_P2P_HUGE, ACL_MEM_P2P_HUGE1G,
    ACL_MEM_P2P_NORMAL, ACL_RT_MEM_ACCESS_FLAGS_NONE, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
    ACL_SUCCESS, aclError, aclrtDrvMemHandle, aclrtMemAccessDesc, aclrtMemGranularityOptions,
    aclrtPhysicalMemProp,
};

use crate::check;
use crate::engine::current::current;
use crate::engine::device;
use crate::error::{fail, null, null_below};
use crate::handles::registry::{Fate, Registry};
use crate::memory::share;
use crate::ordered::{self, Numbers};
use crate::space::heap::{Heap, Kind, Located};
use crate::space::{Mapping, space};
use crate::sync::lock;

/// The unit of physical memory and of reserved addresses.
const UNIT: usize = 2 << 20;

/// Physical memory.
#[derive(Debug, Clone, Copy)]
struct Physical {
    heap: &'static Heap,
    memory: Located,
    size: usize,
    /// The number of releases that the program still has to make: for the handle itself, and for handles that it got
    /// from addresses.
    handles: u32,
    mappings: u32,
}

static PHYSICAL: Registry<Physical> = Registry::new(0x50);

/// The reserved ranges: first address to length.
static RESERVED: Mutex<Numbers> = Mutex::new(Numbers::new());

#[cold]
fn invalid(call: &str, what: std::fmt::Arguments<'_>) -> aclError {
    fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: {what}"),
    )
}

#[cold]
fn refused(call: &str, what: std::fmt::Arguments<'_>) -> aclError {
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: {what}"),
    )
}

pub(crate) unsafe extern "C" fn aclrtReserveMemAddress(
    virPtr: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expectPtr: *mut c_void,
    flags: u64,
) -> aclError {
    let call = "aclrtReserveMemAddress";
    if virPtr.is_null() {
        return null(call, "virPtr");
    }
    if size == 0 || flags > 1 {
        return invalid(
            call,
            format_args!(
                "size is {size}, flags is {flags}; reserve at least one byte, with flags 0 or 1"
            ),
        );
    }
    if alignment != 0 || !expectPtr.is_null() {
        return refused(
            call,
            format_args!(
                "alignment is {alignment}, expectPtr is {expectPtr:p}; both are reserved, pass 0 \
                 and NULL"
            ),
        );
    }
    let (base, len) = space().window();
    if len == 0 {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: the emulator has no addresses to map memory to: its run mode is Device, \
                 or the system refused them"
            ),
        );
    }
    let mut reserved = lock(&RESERVED);
    let address = size.checked_next_multiple_of(UNIT).and_then(|size| {
        Some((
            gap(&reserved, base.next_multiple_of(UNIT), base + len, size)?,
            size,
        ))
    });
    let Some((address, size)) = address else {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!("{call} failed: no range of {size} bytes is left; release some"),
        );
    };
    reserved.insert(address, size);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { virPtr.write(ptr::with_exposed_provenance_mut(address)) };
    ACL_SUCCESS
}

/// Returns the first address with `size` free bytes below `end`.
fn gap(reserved: &Numbers, base: usize, end: usize, size: usize) -> Option<usize> {
    let mut candidate = base;
    for (start, len) in reserved {
        if start - candidate >= size {
            break;
        }
        candidate = start + len;
    }
    (end.checked_sub(candidate)? >= size).then_some(candidate)
}

pub(crate) unsafe extern "C" fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError {
    let call = "aclrtReleaseMemAddress";
    if virPtr.is_null() {
        return null(call, "virPtr");
    }
    let mut reserved = lock(&RESERVED);
    let start = virPtr.addr();
    let Some(len) = reserved.get(&start).copied() else {
        return refused(
            call,
            format_args!("{virPtr:p} is not the start of a reserved range"),
        );
    };
    let mappings = space()
        .mappings()
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    if mappings.inside(&(start..start + len)).next().is_some() {
        return refused(
            call,
            format_args!("memory is mapped at {virPtr:p}; unmap it first"),
        );
    }
    reserved.remove(&start);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMallocPhysical(
    handle: *mut aclrtDrvMemHandle,
    size: usize,
    prop: *const aclrtPhysicalMemProp,
    flags: u64,
) -> aclError {
    let call = "aclrtMallocPhysical";
    // SAFETY: the caller's contract: `prop` is null or valid for a read.
    let Some(prop) = (unsafe { prop.as_ref() }).filter(|_| !handle.is_null()) else {
        return null(call, "handle or prop");
    };
    if size == 0 || flags != 0 {
        return invalid(
            call,
            format_args!(
                "size is {size}, flags is {flags}; ask for at least one byte, with flags 0"
            ),
        );
    }
    if prop.handleType != ACL_MEM_HANDLE_TYPE_NONE
        || prop.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED
        || prop.location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE
    {
        return invalid(
            call,
            format_args!(
                "prop is {prop:?}; the emulator has pinned memory of devices, without a handle for \
                 others"
            ),
        );
    }
    // The attributes of memory that the runtime has on a device.
    let has = [
        ACL_HBM_MEM_HUGE,
        ACL_HBM_MEM_NORMAL,
        ACL_HBM_MEM_HUGE1G,
        ACL_MEM_NORMAL,
        ACL_MEM_HUGE,
        ACL_MEM_HUGE1G,
        ACL_MEM_P2P_NORMAL,
        ACL_MEM_P2P_HUGE,
        ACL_MEM_P2P_HUGE1G,
    ];
    if !has.contains(&prop.memAttr) {
        return invalid(
            call,
            format_args!("memAttr is {:?}; pass one of {has:?}", prop.memAttr),
        );
    }
    if !size.is_multiple_of(UNIT) {
        return refused(
            call,
            format_args!("size is {size}, no multiple of the granularity {UNIT}"),
        );
    }
    let id = prop.location.id;
    let Some(heap) = space().device(id) else {
        return device::unknown(call, i64::from(id));
    };
    let blocks = space().blocks();
    let memory = heap
        .allocate(blocks, size, Kind::Physical)
        .and_then(|address| heap.locate(blocks, address));
    let Some(memory) = memory else {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!(
                "{call} failed: {size} bytes do not fit on device {id}, or the device is not set"
            ),
        );
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { handle.write(register(heap, memory, size)) };
    ACL_SUCCESS
}

/// Makes a handle of physical memory.
pub(crate) fn register(heap: &'static Heap, memory: Located, size: usize) -> aclrtDrvMemHandle {
    let physical = Physical {
        heap,
        memory,
        size,
        handles: 1,
        mappings: 0,
    };
    PHYSICAL
        .insert(physical)
        .map_or(ptr::null_mut(), ptr::without_provenance_mut)
}

/// Returns the memory of a handle, and its length in bytes.
pub(crate) fn own(call: &str, handle: usize) -> Result<(&'static Heap, Located, usize), aclError> {
    let mut found = None;
    change(call, handle, |physical| {
        let Physical {
            heap, memory, size, ..
        } = *physical;
        found = memory.is_alive().then_some((heap, memory, size));
        Ok(())
    })?;
    found.ok_or_else(|| refused(call, format_args!("the device of {handle:#x} was reset")))
}

/// Changes the counts of physical memory. Frees it if no handle and no mapping remains.
fn change(
    call: &str,
    handle: usize,
    change: impl FnOnce(&mut Physical) -> Result<(), aclError>,
) -> Result<(), aclError> {
    let changed = PHYSICAL.visit(handle, |physical| {
        let changed = change(physical);
        let over = changed.is_ok() && physical.handles == 0 && physical.mappings == 0;
        if over {
            share::forget(handle);
            physical.heap.free(space().blocks(), &physical.memory);
        }
        (if over { Fate::Remove } else { Fate::Keep }, changed)
    });
    changed.unwrap_or_else(|| {
        Err(refused(
            call,
            format_args!("{handle:#x} is no physical memory, or was released already"),
        ))
    })
}

pub(crate) unsafe extern "C" fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError {
    let call = "aclrtFreePhysical";
    if handle.is_null() {
        return null(call, "handle");
    }
    let freed = change(call, handle.addr(), |physical| {
        physical.handles = physical.handles.checked_sub(1).ok_or_else(|| {
            refused(
                call,
                format_args!("{handle:p} was released already, and is only mapped still"),
            )
        })?;
        Ok(())
    });
    freed.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtMapMem(
    virPtr: *mut c_void,
    size: usize,
    offset: usize,
    handle: aclrtDrvMemHandle,
    flags: u64,
) -> aclError {
    let call = "aclrtMapMem";
    if virPtr.is_null() || handle.is_null() {
        return null(call, "virPtr or handle");
    }
    if size == 0 || flags != 0 {
        return invalid(
            call,
            format_args!("size is {size}, flags is {flags}; map at least one byte, with flags 0"),
        );
    }
    if offset != 0 {
        return refused(
            call,
            format_args!("offset is {offset}; it is reserved, pass 0"),
        );
    }
    let start = virPtr.addr();
    let inside = |(base, len): (usize, usize)| {
        let room = (base + len).checked_sub(start);
        start.is_multiple_of(UNIT)
            && size.is_multiple_of(UNIT)
            && room.is_some_and(|room| room >= size)
    };
    // The lock is held so that the range is not released meanwhile, and not unmapped before the checker has the
    // report.
    let reserved = lock(&RESERVED);
    if !ordered::up_to(&reserved, start).is_some_and(inside) {
        return refused(
            call,
            format_args!(
                "{size} bytes at {virPtr:p} are not in one reserved range, or no multiples of {UNIT}"
            ),
        );
    }
    let mut mappings = space()
        .mappings()
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let before = mappings.below(start + size);
    if before.is_some_and(|(other, mapping)| other + mapping.len > start) {
        return refused(
            call,
            format_args!("memory is mapped at {virPtr:p} already; unmap it first"),
        );
    }
    let mapped = change(call, handle.addr(), |physical| {
        if size > physical.size || physical.handles == 0 || !physical.memory.is_alive() {
            let has = physical.size;
            return Err(refused(
                call,
                format_args!("the physical memory has {has} bytes, or was released"),
            ));
        }
        physical.mappings += 1;
        let Physical { memory, heap, .. } = *physical;
        mappings.insert(
            start,
            Mapping {
                len: size,
                memory,
                heap,
                handle: handle.addr(),
            },
        );
        Ok(())
    });
    drop(mappings);
    if let Err(code) = mapped {
        return code;
    }
    check::tell(call, |checker, site| {
        checker.allocate(start, size, Kind::Physical, site);
        // The checker does not know which bytes were written through another mapping.
        checker.may_be_written(start);
    });
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError {
    let call = "aclrtUnmapMem";
    if virPtr.is_null() {
        return null(call, "virPtr");
    }
    // The lock is held so that no thread maps the range again before the checker has the report.
    let _reserved = lock(&RESERVED);
    let mut mappings = space()
        .mappings()
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let Some(mapping) = mappings.remove(virPtr.addr()) else {
        return refused(
            call,
            format_args!("{virPtr:p} is not the start of a mapping"),
        );
    };
    drop(mappings);
    // A reset of the device may have freed the memory already.
    if mapping.memory.is_alive() {
        check::tell(call, |checker, site| checker.free(virPtr.addr(), &site));
    }
    let unmapped = change(call, mapping.handle, |physical| {
        physical.mappings = physical.mappings.saturating_sub(1);
        Ok(())
    });
    unmapped.err().unwrap_or(ACL_SUCCESS)
}

/// Returns the mapping that contains an address.
fn around(call: &str, virPtr: *mut c_void, size: usize) -> Result<Mapping, aclError> {
    let mappings = space()
        .mappings()
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    let found = mappings.up_to(virPtr.addr());
    let found = found.filter(|(start, mapping)| {
        let offset = virPtr.addr() - start;
        offset < mapping.len && size <= mapping.len - offset
    });
    found.map(|(_, mapping)| *mapping).ok_or_else(|| {
        refused(
            call,
            format_args!("{size} bytes at {virPtr:p} are not in one mapping"),
        )
    })
}

pub(crate) unsafe extern "C" fn aclrtMemRetainAllocationHandle(
    virPtr: *mut c_void,
    handle: *mut aclrtDrvMemHandle,
) -> aclError {
    let call = "aclrtMemRetainAllocationHandle";
    if virPtr.is_null() || handle.is_null() {
        return null(call, "virPtr or handle");
    }
    let retained = around(call, virPtr, 1).and_then(|mapping| {
        change(call, mapping.handle, |physical| {
            physical.handles += 1;
            Ok(())
        })?;
        Ok(mapping.handle)
    });
    match retained {
        Ok(number) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { handle.write(ptr::without_provenance_mut(number)) };
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtMemSetAccess(
    virPtr: *mut c_void,
    size: usize,
    desc: *mut aclrtMemAccessDesc,
    count: usize,
) -> aclError {
    let call = "aclrtMemSetAccess";
    if virPtr.is_null() || desc.is_null() {
        return null_below(call, "virPtr or desc");
    }
    if size == 0 || count == 0 {
        return refused(
            call,
            format_args!("size is {size}, count is {count}; both are at least 1"),
        );
    }
    if let Err(code) = around(call, virPtr, size) {
        return code;
    }
    // SAFETY: not null; the caller's contract: `count` descriptions.
    for access in unsafe { slice::from_raw_parts(desc, count) } {
        let id = access.location.id;
        if access.location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE || space().device(id).is_none() {
            return refused(call, format_args!("{:?} is no device", access.location));
        }
        // All devices can read and write mapped memory, and the emulator cannot remove this access.
        if access.flags == ACL_RT_MEM_ACCESS_FLAGS_NONE {
            return fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: the emulator takes no access away; unmap the memory instead"
                ),
            );
        }
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtMemGetAllocationGranularity(
    prop: *mut aclrtPhysicalMemProp,
    option: aclrtMemGranularityOptions,
    granularity: *mut usize,
) -> aclError {
    let call = "aclrtMemGetAllocationGranularity";
    if prop.is_null() || granularity.is_null() {
        return null(call, "prop or granularity");
    }
    if option > ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED {
        return invalid(
            call,
            format_args!("option is {option:?}; ask for the minimum or for what is recommended"),
        );
    }
    if let Err(code) = current(call) {
        return code;
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { granularity.write(UNIT) };
    ACL_SUCCESS
}

#[cfg(test)]
mod tests {
    use super::{Numbers, gap};

    #[test]
    fn the_first_gap_that_is_large_enough_is_taken() {
        let reserved = Numbers::from([(100, 10), (115, 5), (150, 10)]);
        assert_eq!(gap(&reserved, 100, 1000, 5), Some(110));
        assert_eq!(gap(&reserved, 100, 1000, 6), Some(120));
        assert_eq!(gap(&reserved, 100, 1000, 31), Some(160));
        assert_eq!(gap(&reserved, 100, 165, 6), Some(120));
        assert_eq!(gap(&reserved, 100, 165, 31), None);
        assert_eq!(gap(&Numbers::new(), 100, 110, 10), Some(100));
    }
}
