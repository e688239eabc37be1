//! Physical memory, and mappings of it to addresses (`acl/acl_rt.h`) that `reserved` has reserved.
//!
//! Physical memory is an allocation of a device. The program accesses it only through addresses of the window
//! (`space.rs`). It ends when its handle was released and no mapping of it remains.

use std::ffi::c_void;
use std::ptr;
use std::slice;
use std::sync::PoisonError;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_HBM_MEM_HUGE,
    ACL_HBM_MEM_HUGE1G, ACL_HBM_MEM_NORMAL, ACL_MEM_ALLOCATION_TYPE_PINNED,
    ACL_MEM_HANDLE_TYPE_NONE, ACL_MEM_HUGE, ACL_MEM_HUGE1G, ACL_MEM_LOCATION_TYPE_DEVICE,
    ACL_MEM_NORMAL, ACL_MEM_P2P_HUGE, ACL_MEM_P2P_HUGE1G, ACL_MEM_P2P_NORMAL,
    ACL_RT_MEM_ACCESS_FLAGS_NONE, ACL_RT_MEM_ACCESS_FLAGS_READ, ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, ACL_SUCCESS, aclError, aclrtDrvMemHandle,
    aclrtMemAccessDesc, aclrtMemAccessFlags, aclrtMemAttr, aclrtMemGranularityOptions,
    aclrtMemLocation, aclrtPhysicalMemProp,
};

use crate::check;
use crate::engine::current::current;
use crate::engine::device;
use crate::error::{fail, null, null_below};
use crate::handles::registry::{Fate, Registry};
use crate::memory::reserved::{RESERVED, UNIT};
use crate::memory::share;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::ordered;
use crate::space::heap::{Heap, Located, Maker};
use crate::space::{Mapping, space};
use crate::sync::lock;

/// Physical memory.
#[derive(Debug, Clone, Copy)]
struct Physical {
    heap: &'static Heap,
    memory: Located,
    size: usize,
    attribute: aclrtMemAttr,
    /// The number of releases that the program still has to make: for the handle itself, and for handles that it got
    /// from addresses.
    handles: u32,
    mappings: u32,
}

static PHYSICAL: Registry<Physical> = Registry::new(0x50);

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
        return invalid_below(
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
        .allocate(blocks, size, Maker::Physical)
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
    unsafe { handle.write(register(heap, memory, size, prop.memAttr)) };
    ACL_SUCCESS
}

/// Makes a handle of physical memory.
pub(crate) fn register(
    heap: &'static Heap,
    memory: Located,
    size: usize,
    attribute: aclrtMemAttr,
) -> aclrtDrvMemHandle {
    let physical = Physical {
        heap,
        memory,
        size,
        attribute,
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
    change(call, handle, &mut |physical| {
        let Physical {
            heap, memory, size, ..
        } = *physical;
        found = memory.is_alive().then_some((heap, memory, size));
        Ok(())
    })?;
    found.ok_or_else(|| invalid_below(call, format_args!("the device of {handle:#x} was reset")))
}

/// Changes the counts of physical memory. Frees it if no handle and no mapping remains.
fn change(
    call: &str,
    handle: usize,
    change: &mut dyn FnMut(&mut Physical) -> Result<(), aclError>,
) -> Result<(), aclError> {
    let changed = PHYSICAL.visit(handle, &mut |physical| {
        let changed = change(physical);
        let over = changed.is_ok() && physical.handles == 0 && physical.mappings == 0;
        if over {
            share::forget(handle);
            physical.heap.free(space().blocks(), &physical.memory);
        }
        (if over { Fate::Remove } else { Fate::Keep }, changed)
    });
    changed.unwrap_or_else(|| {
        Err(invalid_below(
            call,
            format_args!("{handle:#x} is no physical memory, or was released already"),
        ))
    })
}

pub(crate) unsafe extern "C" fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError {
    let call = "aclrtFreePhysical";
    attempt!(not_null(call, "handle", handle));
    let freed = change(call, handle.addr(), &mut |physical| {
        physical.handles = physical.handles.checked_sub(1).ok_or_else(|| {
            invalid_below(
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
    let access = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    map("aclrtMapMem", (virPtr, size, offset), handle, flags, access)
}

/// Maps memory that no device may use before `aclrtMemSetAccess` has given access to all of it.
pub(crate) unsafe extern "C" fn aclrtMemMapNoAccess(
    virPtr: *mut c_void,
    size: usize,
    offset: usize,
    handle: aclrtDrvMemHandle,
    flags: u64,
) -> aclError {
    let call = "aclrtMemMapNoAccess";
    let access = ACL_RT_MEM_ACCESS_FLAGS_NONE;
    map(call, (virPtr, size, offset), handle, flags, access)
}

fn map(
    call: &'static str,
    (virPtr, size, offset): (*mut c_void, usize, usize),
    handle: aclrtDrvMemHandle,
    flags: u64,
    access: aclrtMemAccessFlags,
) -> aclError {
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
        return invalid_below(
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
        return invalid_below(
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
        return invalid_below(
            call,
            format_args!("memory is mapped at {virPtr:p} already; unmap it first"),
        );
    }
    let mapped = change(call, handle.addr(), &mut |physical| {
        if size > physical.size || physical.handles == 0 || !physical.memory.is_alive() {
            let has = physical.size;
            return Err(invalid_below(
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
                access: access.0,
            },
        );
        Ok(())
    });
    drop(mappings);
    attempt!(mapped);
    if access != ACL_RT_MEM_ACCESS_FLAGS_NONE {
        known(call, start, size);
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError {
    let call = "aclrtUnmapMem";
    attempt!(not_null(call, "virPtr", virPtr));
    // The lock is held so that no thread maps the range again before the checker has the report.
    let _reserved = lock(&RESERVED);
    let mut mappings = space()
        .mappings()
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let Some(mapping) = mappings.remove(virPtr.addr()) else {
        return invalid_below(
            call,
            format_args!("{virPtr:p} is not the start of a mapping"),
        );
    };
    drop(mappings);
    // A reset of the device may have freed the memory already.
    if mapping.memory.is_alive() && mapping.access != 0 {
        check::tell(call, &|checker, site| checker.free(virPtr.addr(), &site));
    }
    let unmapped = change(call, mapping.handle, &mut |physical| {
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
        invalid_below(
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
        change(call, mapping.handle, &mut |physical| {
            physical.handles += 1;
            Ok(())
        })?;
        Ok(mapping.handle)
    });
    let number = attempt!(retained);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { handle.write(ptr::without_provenance_mut(number)) };
    ACL_SUCCESS
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
        return invalid_below(
            call,
            format_args!("size is {size}, count is {count}; both are at least 1"),
        );
    }
    attempt!(around(call, virPtr, size));
    let mut given = ACL_RT_MEM_ACCESS_FLAGS_NONE;
    // SAFETY: not null; the caller's contract: `count` descriptions.
    for access in unsafe { slice::from_raw_parts(desc, count) } {
        let id = access.location.id;
        if access.location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE || space().device(id).is_none() {
            return invalid_below(call, format_args!("{:?} is no device", access.location));
        }
        match access.flags {
            // All devices can read and write mapped memory, and the emulator cannot remove this access.
            ACL_RT_MEM_ACCESS_FLAGS_NONE => {
                return fail(
                    ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    format_args!(
                        "{call} failed: the emulator takes no access away; unmap the memory instead"
                    ),
                );
            }
            ACL_RT_MEM_ACCESS_FLAGS_READ | ACL_RT_MEM_ACCESS_FLAGS_READWRITE => {
                given = access.flags;
            }
            other => return invalid_below(call, format_args!("{other:?} is no access")),
        }
    }
    // The lock is held so that the memory is not unmapped before the checker has the report.
    let _reserved = lock(&RESERVED);
    let mut mappings = space()
        .mappings()
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    let (start, mapping) = match mappings.up_to_mut(virPtr.addr()) {
        Some((start, found)) if virPtr.addr() - start + size <= found.len => (start, found),
        _ => return invalid_below(call, format_args!("{virPtr:p} was unmapped meanwhile")),
    };
    let (len, was_closed) = (mapping.len, mapping.access == 0);
    if was_closed && size != len {
        return invalid_below(
            call,
            format_args!("size is {size}; memory of {len} bytes without access gets it as a whole"),
        );
    }
    mapping.access = given.0;
    drop(mappings);
    if was_closed {
        known(call, start, len);
    }
    ACL_SUCCESS
}

/// Tells the checker that the program may use mapped memory.
fn known(call: &'static str, start: usize, len: usize) {
    check::tell(call, &|checker, site| {
        checker.allocate(start, len, Maker::Physical, site);
        // The checker does not know which bytes were written through another mapping.
        checker.may_be_written(start);
    });
}

/// Writes which access a device has. All devices have that of one.
pub(crate) unsafe extern "C" fn aclrtMemGetAccess(
    virPtr: *mut c_void,
    location: *mut aclrtMemLocation,
    flag: *mut u64,
) -> aclError {
    let call = "aclrtMemGetAccess";
    // SAFETY: the caller's contract: null or valid for a read.
    let (false, false, Some(location)) = (virPtr.is_null(), flag.is_null(), unsafe {
        location.as_ref()
    }) else {
        return null(call, "virPtr, location or flag");
    };
    if location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE || space().device(location.id).is_none() {
        return invalid_below(call, format_args!("{location:?} is no device"));
    }
    let mapping = attempt!(around(call, virPtr, 1));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { flag.write(u64::from(mapping.access)) };
    ACL_SUCCESS
}

/// Writes what aclrtMallocPhysical was asked for. Names that do not say the kind of memory are those of the device's.
pub(crate) unsafe extern "C" fn aclrtMemGetAllocationPropertiesFromHandle(
    handle: aclrtDrvMemHandle,
    prop: *mut aclrtPhysicalMemProp,
) -> aclError {
    let call = "aclrtMemGetAllocationPropertiesFromHandle";
    if handle.is_null() || prop.is_null() {
        return null(call, "handle or prop");
    }
    let mut found = None;
    let looked = change(call, handle.addr(), &mut |physical| {
        found = Some((physical.heap.index(), physical.attribute));
        Ok(())
    });
    attempt!(looked);
    if let Some((id, attribute)) = found {
        let type_ = ACL_MEM_LOCATION_TYPE_DEVICE;
        let told = aclrtPhysicalMemProp {
            handleType: ACL_MEM_HANDLE_TYPE_NONE,
            allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
            memAttr: match attribute {
                ACL_MEM_NORMAL => ACL_HBM_MEM_NORMAL,
                ACL_MEM_HUGE => ACL_HBM_MEM_HUGE,
                ACL_MEM_HUGE1G => ACL_HBM_MEM_HUGE1G,
                other => other,
            },
            location: aclrtMemLocation { id, type_ },
            reserve: 0,
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { prop.write(told) };
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
    attempt!(current(call));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { granularity.write(UNIT) };
    ACL_SUCCESS
}
