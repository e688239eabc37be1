//! Physical memory that the program maps to addresses.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("virtual_memory");

const UNIT: usize = 2 << 20;

fn reserve(size: usize) -> *mut c_void {
    let mut address = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut address, size, 0, ptr::null_mut(), 0));
    address
}

fn map(address: *mut c_void, size: usize, handle: aclrtDrvMemHandle) -> aclError {
    call!(memory.aclrtMapMem(address, size, 0, handle, 0))
}

fn used() -> usize {
    let (mut free, mut total) = (0, 0);
    check!(memory.aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total));
    total - free
}

#[test]
fn mapped_memory_is_device_memory_at_the_address_that_was_chosen() {
    let _serial = start();
    let (address, one, two, s) = (reserve(4 * UNIT), physical(UNIT), physical(UNIT), stream());
    let second = address.wrapping_byte_add(UNIT);
    check!(107000, memory.aclrtMemset(address, 64, 1, 64));
    assert_eq!((map(address, UNIT, one), map(second, UNIT, two)), (0, 0));
    upload(address, &[1; 64]);
    upload(second, &[2; 64]);
    let inside = address.wrapping_byte_add(UNIT - 64);
    assert_eq!(copy_async(inside, second, 64, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(
        (download(address, 64), download(inside, 64)),
        (vec![1; 64], vec![2; 64])
    );
    let mut attributes = aclrtPtrAttributes {
        location: aclrtMemLocation {
            id: 9,
            type_: ACL_MEM_LOCATION_TYPE_HOST,
        },
        pageSize: 0,
        rsv: [0; 4],
    };
    check!(memory.aclrtPointerGetAttributes(inside, &mut attributes));
    assert_eq!(attributes.location, property().location);
    check!(107000, memory.aclrtFree(address));
    // The same memory at another address holds the same bytes.
    let again = address.wrapping_byte_add(2 * UNIT);
    assert_eq!(map(again, UNIT, two), 0);
    assert_eq!(download(again, 64), [2; 64]);
    for mapped in [address, second, again] {
        check!(memory.aclrtUnmapMem(mapped));
    }
    check!(memory.aclrtReleaseMemAddress(address));
    check!(memory.aclrtFreePhysical(one));
    check!(memory.aclrtFreePhysical(two));
}

/// The bytes around the border of two mappings, sixteen on each side.
const SEAM: usize = 32;

#[test]
fn copies_and_fills_go_on_from_one_mapping_to_the_next() {
    let _serial = start();
    let (address, s) = (reserve(4 * UNIT), stream());
    let handles = [physical(UNIT), physical(UNIT), physical(UNIT)];
    // Ranges that are adjacent here are not adjacent in the memory of the device.
    let reversed = handles.into_iter().rev();
    for (index, handle) in reversed.clone().enumerate() {
        let place = address.wrapping_byte_add(index * UNIT);
        assert_eq!(map(place, UNIT, handle), 0);
    }
    let seam = |index: usize| address.wrapping_byte_add(index * UNIT - SEAM / 2);
    let (one, two) = (seam(1), seam(2));
    let pattern: Vec<u8> = (0..SEAM as u8).collect();
    let other: Vec<u8> = pattern.iter().rev().copied().collect();

    upload(one, &pattern);
    assert_eq!(download(one, SEAM), pattern);
    check!(memory.aclrtMemset(two, SEAM, 7, SEAM));
    assert_eq!(download(two, SEAM), [7; SEAM]);
    assert_eq!(copy_async(two, one, SEAM, s), 0);
    check!(memory.aclrtMemsetAsync(one, SEAM, 8, SEAM, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(
        (download(two, SEAM), download(one, SEAM)),
        (pattern, vec![8; SEAM])
    );
    // The borders of the mappings are at different places on both sides.
    upload(seam(1), &other);
    let shifted = two.wrapping_byte_add(5);
    assert_eq!(copy_async(shifted, one, SEAM, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(shifted, SEAM), other);
    let buffered = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    let mut source = [3_u8; SEAM];
    let from = source.as_mut_ptr().cast::<c_void>();
    check!(memory.aclrtMemcpyAsync(one, SEAM, from, SEAM, buffered, s));
    source.fill(4);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(one, SEAM), [3; SEAM]);
    // The copy fails as a whole, because there is no memory behind the last mapping.
    let end = seam(3);
    let half = download(end, SEAM / 2);
    check!(107000, memory.aclrtMemset(end, SEAM, 9, SEAM));
    check!(107000, memory.aclrtMemset(one, SEAM - 1, 9, SEAM));
    check!(
        107000,
        memory.aclrtMemcpyAsync(one, SEAM - 1, two, SEAM, ACL_MEMCPY_DEFAULT, s)
    );
    check!(107000, memory.aclrtMemsetAsync(one, SEAM - 1, 9, SEAM, s));
    assert_eq!(copy_async(end, one, SEAM, s), 0);
    check!(507001, stream.aclrtSynchronizeStream(s));
    assert_eq!(download(end, SEAM / 2), half);
    assert_eq!(download(one, SEAM), [3; SEAM]);
    for (index, handle) in reversed.enumerate() {
        check!(memory.aclrtUnmapMem(address.wrapping_byte_add(index * UNIT)));
        check!(memory.aclrtFreePhysical(handle));
    }
    check!(memory.aclrtReleaseMemAddress(address));
    let _ = take_violations();
}

#[test]
fn physical_memory_lives_as_long_as_a_handle_or_a_mapping() {
    let _serial = start();
    let before = used();
    let (address, handle) = (reserve(UNIT), physical(UNIT));
    assert_eq!(used(), before + UNIT);
    assert_eq!(map(address, UNIT, handle), 0);
    check!(memory.aclrtFreePhysical(handle));
    upload(address, &[3; 64]);
    check!(107000, memory.aclrtFreePhysical(handle));
    let mut retained = ptr::null_mut();
    check!(memory.aclrtMemRetainAllocationHandle(address, &mut retained));
    check!(memory.aclrtUnmapMem(address));
    assert_eq!(used(), before + UNIT);
    assert_eq!(map(address, UNIT, retained), 0);
    assert_eq!(download(address, 64), [3; 64]);
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtFreePhysical(retained));
    assert_eq!(used(), before);
    check!(107000, memory.aclrtFreePhysical(retained));
    check!(memory.aclrtReleaseMemAddress(address));
}

#[test]
fn work_that_meets_freed_physical_memory_fails() {
    let _serial = start();
    let (address, handle, from, s) = (reserve(UNIT), physical(UNIT), malloc(64), stream());
    assert_eq!(map(address, UNIT, handle), 0);
    let gate = Gate::close(s);
    assert_eq!(copy_async(address, from, 64, s), 0);
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtFreePhysical(handle));
    gate.open();
    check!(507001, stream.aclrtSynchronizeStream(s));
    // Reserved addresses without a mapping are not memory.
    assert_eq!(copy_async(address, from, 64, s), 0);
    check!(507001, stream.aclrtSynchronizeStream(s));
    let kinds: Vec<_> = take_violations()
        .into_iter()
        .map(|violation| violation.what)
        .collect();
    assert_eq!(kinds, [What::MemoryUsedAfterFree, What::MemoryOutOfBounds]);
    check!(memory.aclrtReleaseMemAddress(address));
}

#[test]
fn a_reset_takes_physical_memory_along() {
    let _serial = start();
    let (address, handle) = (reserve(UNIT), physical(UNIT));
    assert_eq!(map(address, UNIT, handle), 0);
    check!(device.aclrtResetDevice(0));
    check!(device.aclrtSetDevice(0));
    check!(107000, memory.aclrtMemset(address, 64, 0, 64));
    check!(memory.aclrtUnmapMem(address));
    assert_eq!(map(address, UNIT, handle), 107000);
    check!(memory.aclrtFreePhysical(handle));
    check!(memory.aclrtReleaseMemAddress(address));
}

#[test]
fn ranges_and_handles_are_checked() {
    let _serial = start();
    let (address, handle) = (reserve(2 * UNIT), physical(UNIT));
    let (mut out, null) = (ptr::null_mut(), ptr::null_mut());
    check!(
        100000,
        memory.aclrtReserveMemAddress(&mut out, 0, 0, null, 0)
    );
    check!(
        100000,
        memory.aclrtReserveMemAddress(&mut out, 1, 0, null, 2)
    );
    check!(
        107000,
        memory.aclrtReserveMemAddress(&mut out, 1, 64, null, 0)
    );
    check!(
        207001,
        memory.aclrtReserveMemAddress(&mut out, 1 << 45, 0, null, 0)
    );
    check!(
        107000,
        memory.aclrtReleaseMemAddress(address.wrapping_byte_add(UNIT))
    );
    check!(
        100000,
        memory.aclrtMallocPhysical(&mut out, 0, &property(), 0)
    );
    check!(
        107000,
        memory.aclrtMallocPhysical(&mut out, 64, &property(), 0)
    );
    check!(
        207001,
        memory.aclrtMallocPhysical(&mut out, 1 << 40, &property(), 0)
    );
    let mut wrong = property();
    wrong.location.id = 9;
    check!(
        107001,
        memory.aclrtMallocPhysical(&mut out, UNIT, &wrong, 0)
    );
    wrong.location.type_ = ACL_MEM_LOCATION_TYPE_HOST;
    check!(
        100000,
        memory.aclrtMallocPhysical(&mut out, UNIT, &wrong, 0)
    );
    wrong = property();
    for attribute in [aclrtMemAttr(99), ACL_DDR_MEM_HUGE] {
        wrong.memAttr = attribute;
        check!(
            100000,
            memory.aclrtMallocPhysical(&mut out, UNIT, &wrong, 0)
        );
    }
    check!(107000, memory.aclrtMapMem(address, UNIT, 64, handle, 0));
    check!(100000, memory.aclrtMapMem(address, UNIT, 0, handle, 1));
    assert_eq!(map(address, 0, handle), 100000);
    assert_eq!(map(address, 64, handle), 107000);
    assert_eq!(map(address, 2 * UNIT, handle), 107000, "more than there is");
    assert_eq!(
        map(address.wrapping_byte_add(UNIT), 2 * UNIT, handle),
        107000
    );
    assert_eq!(
        map(address, UNIT, ptr::without_provenance_mut(0x10)),
        107000
    );
    assert_eq!(map(address, UNIT, handle), 0);
    assert_eq!(map(address, UNIT, handle), 107000, "mapped already");
    check!(107000, memory.aclrtReleaseMemAddress(address));
    check!(107000, memory.aclrtUnmapMem(address.wrapping_byte_add(64)));
    check!(memory.aclrtUnmapMem(address));
    check!(107000, memory.aclrtUnmapMem(address));
    check!(
        107000,
        memory.aclrtMemRetainAllocationHandle(address, &mut out)
    );
    check!(memory.aclrtFreePhysical(handle));
    check!(memory.aclrtReleaseMemAddress(address));
    check!(107000, memory.aclrtReleaseMemAddress(address));
}

#[test]
fn memory_without_access_gets_it_as_a_whole() {
    let _serial = start();
    let (address, handle) = (reserve(2 * UNIT), physical(2 * UNIT));
    let mut location = property().location;
    let mut flag = 7;
    check!(
        107000,
        memory.aclrtMemGetAccess(address, &mut location, &mut flag)
    );
    check!(
        100000,
        memory.aclrtMemMapNoAccess(ptr::null_mut(), 2 * UNIT, 0, handle, 0)
    );
    check!(memory.aclrtMemMapNoAccess(address, 2 * UNIT, 0, handle, 0));
    check!(memory.aclrtMemGetAccess(address, &mut location, &mut flag));
    assert_eq!(flag, 0);
    check!(107000, memory.aclrtMemset(address, 8, 1, 8));
    let mut access = aclrtMemAccessDesc {
        flags: ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
        location,
        rsv: [0; 12],
    };
    check!(
        107000,
        memory.aclrtMemSetAccess(address, UNIT, &mut access, 1)
    );
    assert!(text().contains("as a whole"), "{}", text());
    access.flags = aclrtMemAccessFlags(2);
    check!(
        107000,
        memory.aclrtMemSetAccess(address, 2 * UNIT, &mut access, 1)
    );
    access.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
    check!(memory.aclrtMemSetAccess(address, 2 * UNIT, &mut access, 1));
    check!(memory.aclrtMemGetAccess(address, &mut location, &mut flag));
    assert_eq!(flag, 1);
    access.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    check!(memory.aclrtMemSetAccess(address, 2 * UNIT, &mut access, 1));
    check!(memory.aclrtMemGetAccess(address, &mut location, &mut flag));
    assert_eq!(flag, 3);
    check!(memory.aclrtMemset(address, 8, 1, 8));
    location.id = 9;
    check!(
        107000,
        memory.aclrtMemGetAccess(address, &mut location, &mut flag)
    );
    check!(
        100000,
        memory.aclrtMemGetAccess(address, ptr::null_mut(), &mut flag)
    );
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtFreePhysical(handle));
    check!(memory.aclrtReleaseMemAddress(address));
}

#[test]
fn access_can_be_given_and_not_taken() {
    let _serial = start();
    let (address, handle) = (reserve(UNIT), physical(UNIT));
    let mut access = aclrtMemAccessDesc {
        flags: ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
        location: property().location,
        rsv: [0; 12],
    };
    check!(
        107000,
        memory.aclrtMemSetAccess(address, UNIT, &mut access, 1)
    );
    assert_eq!(map(address, UNIT, handle), 0);
    check!(memory.aclrtMemSetAccess(address, UNIT, &mut access, 1));
    check!(
        107000,
        memory.aclrtMemSetAccess(address, UNIT, &mut access, 0)
    );
    check!(
        107000,
        memory.aclrtMemSetAccess(ptr::null_mut(), UNIT, &mut access, 1)
    );
    access.location.id = 9;
    check!(
        107000,
        memory.aclrtMemSetAccess(address, UNIT, &mut access, 1)
    );
    access.location.id = 1;
    access.flags = ACL_RT_MEM_ACCESS_FLAGS_NONE;
    check!(
        207000,
        memory.aclrtMemSetAccess(address, UNIT, &mut access, 1)
    );
    let (mut granularity, minimum) = (0, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM);
    check!(memory.aclrtMemGetAllocationGranularity(&mut property(), minimum, &mut granularity));
    assert_eq!(granularity, UNIT);
    let undefined = ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF;
    check!(
        100000,
        memory.aclrtMemGetAllocationGranularity(&mut property(), undefined, &mut granularity)
    );
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtFreePhysical(handle));
    check!(memory.aclrtReleaseMemAddress(address));
}
