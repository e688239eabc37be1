//! Memory: allocation, release, and the attributes of an address (`acl/acl_rt.h`).
//!
//! Copies and fills are in `copy` and `batch`, reductions in `reduce`, random numbers in `random`, numbers that
//! streams wait for in `value`, and the overflow status in `status`. Memory with attributes is in `configured`, host
//! memory in `register`, reserved addresses in `reserved`, physical memory and its mappings in `virtual_memory`, memory of
//! other processes in `share`, memory of the media engine in `dvpp`, pools in `pool`, the cache in `cache`, and allocators of
//! the program in `allocator`.

pub(crate) mod allocator;
pub(crate) mod batch;
pub(crate) mod cache;
pub(crate) mod configured;
pub(crate) mod copy;
pub(crate) mod dvpp;
pub(crate) mod pool;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod register;
pub(crate) mod reserved;
pub(crate) mod share;
pub(crate) mod status;
pub(crate) mod value;
pub(crate) mod virtual_memory;

use std::ffi::c_void;
use std::ptr;
use std::slice;

use ascendcl_sys::{
    ACL_ERROR_RT_INVALID_MEMORY_TYPE, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_MEM_LOCATION_TYPE_DEVICE,
    ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_UNREGISTERED, ACL_MEM_MALLOC_HUGE1G_ONLY,
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, ACL_MEM_P2P_HUGE1G, ACL_RT_MEM_TYPE_DEV, ACL_RT_MEM_TYPE_DVPP,
    ACL_SUCCESS, aclError, aclrtMemAttr, aclrtMemLocation, aclrtMemMallocPolicy,
    aclrtPtrAttributes,
};

use crate::check;
use crate::device;
use crate::engine::current::current;
use crate::engine::engine;
use crate::error::{fail, null, null_below};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::space::heap::{GRANULE, Heap, Maker};
use crate::space::{Location, space};

/// The unit of device memory: sizes are multiples of it.
const UNIT: usize = 32;
/// The bytes that `aclrtMalloc` adds for operators that read a little beyond the end.
const PAD: usize = 32;

pub(crate) unsafe extern "C" fn aclrtMalloc(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { allocate("aclrtMalloc", devPtr, size, PAD, policy, Maker::Device) }
}

pub(crate) unsafe extern "C" fn aclrtMallocAlign32(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
) -> aclError {
    // SAFETY: the same contract.
    unsafe { allocate("aclrtMallocAlign32", devPtr, size, 0, policy, Maker::Device) }
}

pub(crate) unsafe extern "C" fn aclrtMallocCached(
    devPtr: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
) -> aclError {
    // SAFETY: the same contract.
    unsafe {
        allocate(
            "aclrtMallocCached",
            devPtr,
            size,
            PAD,
            policy,
            Maker::Device,
        )
    }
}

/// Returns whether a policy asks for pages of 1 GiB.
fn is_gigabyte(policy: aclrtMemMallocPolicy) -> bool {
    // The higher bits name the kind of memory, and an emulated device has only one kind.
    let pages = aclrtMemMallocPolicy(policy.0 & 0xff);
    [ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P].contains(&pages)
}

/// Allocates memory of the current device. Only the policies with pages of 1 GiB make a difference: they have no
/// padding, and not every product has them.
///
/// # Safety
///
/// - `out` is null or valid for a write.
pub(crate) unsafe fn allocate(
    call: &str,
    out: *mut *mut c_void,
    size: usize,
    pad: usize,
    policy: aclrtMemMallocPolicy,
    kind: Maker,
) -> aclError {
    let gigabyte = is_gigabyte(policy);
    let padded = attempt!(padded(call, out, size, if gigabyte { 0 } else { pad }));
    let heap = match current(call) {
        Ok(current) => space().device(current.device()),
        Err(code) => return code,
    };
    if gigabyte && !engine().config.gigabyte_pages {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!(
                "{call} failed: policy {policy:?} asks for pages of 1 GiB, which this product does \
                 not have; use another policy"
            ),
        );
    }
    // SAFETY: not null (`padded` checked it); the caller's contract.
    unsafe { hand_out(call, out, size, padded, heap, kind) }
}

/// Returns the size that is allocated for a request.
pub(crate) fn padded(
    call: &str,
    out: *mut *mut c_void,
    size: usize,
    pad: usize,
) -> Result<usize, aclError> {
    not_null(call, "the pointer for the address", out)?;
    let padded = size
        .checked_add(pad)
        .and_then(|size| size.checked_next_multiple_of(UNIT));
    padded.filter(|_| size > 0).ok_or_else(|| {
        invalid(
            call,
            format_args!("size is {size}; ask for at least one byte and less than 2^64"),
        )
    })
}

/// Allocates and writes the address.
///
/// # Safety
///
/// - `out` is valid for a write.
pub(crate) unsafe fn hand_out(
    call: &str,
    out: *mut *mut c_void,
    size: usize,
    padded: usize,
    heap: Option<&'static Heap>,
    kind: Maker,
) -> aclError {
    let blocks = space().blocks();
    let Some(address) = heap.and_then(|heap| heap.allocate(blocks, padded, kind)) else {
        let (free, total) = heap.map_or((0, 0), Heap::info);
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!(
                "{call} failed: {size} bytes do not fit, {free} of {total} are free; free some, or \
                 give the emulator more (ASCENDCL_EMULATOR_MEMORY)"
            ),
        );
    };
    check::tell(call, &|checker, site| {
        checker.allocate(address, size, kind, site)
    });
    // SAFETY: the caller's contract.
    unsafe { out.write(ptr::with_exposed_provenance_mut(address)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtFree(devPtr: *mut c_void) -> aclError {
    // Page-locked host memory is freed too: the driver has one function for both.
    release("aclrtFree", devPtr, |kind| {
        matches!(kind, Maker::Device | Maker::Host)
    })
}

pub(crate) unsafe extern "C" fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError {
    release("aclrtFreeHost", hostPtr, |kind| kind == Maker::Host)
}

pub(crate) unsafe extern "C" fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> aclError {
    let call = "aclrtFreeWithDevSync";
    release_idle(call, devPtr, |kind| {
        matches!(kind, Maker::Device | Maker::Host)
    })
}

pub(crate) unsafe extern "C" fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> aclError {
    release_idle("aclrtFreeHostWithDevSync", hostPtr, |kind| {
        kind == Maker::Host
    })
}

/// Waits for the current context, then frees the memory. If the wait fails, also because of a failed task, nothing is
/// freed (`rtFreeWithDevSync`, sources of ACL 1.16).
fn release_idle(call: &str, pointer: *mut c_void, may: fn(Maker) -> bool) -> aclError {
    attempt!(not_null(call, "the pointer", pointer));
    attempt!(current(call));
    match device::synchronise(call, None) {
        ACL_SUCCESS => release(call, pointer, may),
        code => code,
    }
}

/// Frees an allocation if `may` allows it for the kind of memory.
pub(crate) fn release(call: &str, pointer: *mut c_void, may: fn(Maker) -> bool) -> aclError {
    attempt!(not_null(call, "the pointer", pointer));
    let address = pointer.addr();
    let location = space().locate(address);
    let refused = |why: &str| {
        check::tell(call, &|checker, site| {
            checker.free_refused(address, why, site)
        });
        invalid_below(
            call,
            format_args!("{address:#x} {why}; free what an allocation returned, once"),
        )
    };
    match location.whole(address) {
        Some((_, located)) if located.kind == Maker::Runtime => {
            refused("belongs to a condition of a model instance, and goes with that")
        }
        Some((_, located)) if !may(located.kind) => {
            refused("was allocated by a function that has its own free")
        }
        Some(_) if pool::leaves(address) == pool::Leaves::Twice => {
            refused("was freed to its pool before")
        }
        Some((heap, located)) => {
            // The checker gets its report before the free: afterwards the address may already be allocated again.
            check::tell(call, &|checker, site| checker.free(address, &site));
            if heap.free(space().blocks(), &located) {
                ACL_SUCCESS
            } else {
                refused("was freed by another thread just now")
            }
        }
        None => refused(match location {
            Location::Pageable | Location::Registered(_) => {
                "is neither device memory nor page-locked host memory"
            }
            _ if location.kind().is_some() => "lies inside an allocation, not at its start",
            _ => "is not allocated (any more)",
        }),
    }
}

pub(crate) unsafe extern "C" fn aclrtMallocHost(
    hostPtr: *mut *mut c_void,
    size: usize,
) -> aclError {
    let call = "aclrtMallocHost";
    let padded = attempt!(padded(call, hostPtr, size, 0));
    attempt!(current(call));
    // SAFETY: not null (`padded` checked it); the caller's contract.
    unsafe { hand_out(call, hostPtr, size, padded, space().host(), Maker::Host) }
}

pub(crate) unsafe extern "C" fn aclrtGetMemInfo(
    attr: aclrtMemAttr,
    free: *mut usize,
    total: *mut usize,
) -> aclError {
    let call = "aclrtGetMemInfo";
    if free.is_null() || total.is_null() {
        return null(call, "free or total");
    }
    if attr > ACL_MEM_P2P_HUGE1G {
        return fail(
            ACL_ERROR_RT_INVALID_MEMORY_TYPE,
            format_args!("{call} failed: attr {attr:?} names no kind of memory"),
        );
    }
    let current = attempt!(current(call));
    // An emulated device has one memory, so the answer is the same for all kinds.
    let (free_bytes, total_bytes) = space().device(current.device()).map_or((0, 0), Heap::info);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { free.write(free_bytes) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { total.write(total_bytes) };
    ACL_SUCCESS
}

/// Writes 1 if each address is in memory of one of the kinds, and 0 otherwise. `memType` is a set of bits.
pub(crate) unsafe extern "C" fn aclrtCheckMemType(
    addrList: *mut *mut c_void,
    size: u32,
    memType: u32,
    checkResult: *mut u32,
    reserve: u32,
) -> aclError {
    let call = "aclrtCheckMemType";
    if addrList.is_null() || checkResult.is_null() {
        return null(call, "addrList or checkResult");
    }
    // The manual requires these; the code is an assumption.
    if size == 0 || reserve != 0 {
        return invalid_below(
            call,
            format_args!("size is {size}, reserve is {reserve}; pass addresses, and 0"),
        );
    }
    attempt!(current(call));
    // SAFETY: not null; the caller's contract: `size` addresses.
    let addresses = unsafe { slice::from_raw_parts(addrList, size as usize) };
    let is_one = |address: &*mut c_void| {
        let location = space().locate(address.addr());
        let kind = match (location.kind(), location) {
            (Some(Maker::Dvpp1 | Maker::Dvpp2), _) => ACL_RT_MEM_TYPE_DVPP,
            (Some(_), Location::Device(..)) => ACL_RT_MEM_TYPE_DEV,
            _ => 0,
        };
        kind & memType != 0
    };
    let answer = u32::from(addresses.iter().all(is_one));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { checkResult.write(answer) };
    ACL_SUCCESS
}

/// Writes the first address and the bytes of the allocation or mapping that contains an address. The code for other
/// addresses is an assumption.
pub(crate) unsafe extern "C" fn aclrtMemGetAddressRange(
    ptr: *mut c_void,
    pbase: *mut *mut c_void,
    psize: *mut usize,
) -> aclError {
    let call = "aclrtMemGetAddressRange";
    attempt!(not_null(call, "ptr", ptr));
    if pbase.is_null() && psize.is_null() {
        return null_below(call, "both of pbase and psize");
    }
    let (Location::Device(_, Some(found)) | Location::Pinned(_, Some(found))) =
        space().locate(ptr.addr())
    else {
        return invalid_below(
            call,
            format_args!("{ptr:p} is in no allocation; pass memory of AscendCL"),
        );
    };
    if !pbase.is_null() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { pbase.write(ptr.with_addr(found.start)) };
    }
    if !psize.is_null() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { psize.write(found.size) };
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtPointerGetAttributes(
    ptr: *const c_void,
    attributes: *mut aclrtPtrAttributes,
) -> aclError {
    let call = "aclrtPointerGetAttributes";
    if ptr.is_null() || attributes.is_null() {
        return null(call, "ptr or attributes");
    }
    let (id, type_) = match space().locate(ptr.addr()) {
        Location::Device(heap, Some(_)) => (heap.index(), ACL_MEM_LOCATION_TYPE_DEVICE),
        Location::Pinned(_, Some(_)) | Location::Registered(_) => (0, ACL_MEM_LOCATION_TYPE_HOST),
        _ => (0, ACL_MEM_LOCATION_TYPE_UNREGISTERED),
    };
    let answer = aclrtPtrAttributes {
        location: aclrtMemLocation { id, type_ },
        pageSize: GRANULE as u32,
        rsv: [0; 4],
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { attributes.write(answer) };
    ACL_SUCCESS
}
