//! The checker on physical memory that the program maps: a mapping counts as an allocation.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Finding, Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

const UNIT: usize = 2 << 20;

/// Maps memory of two mappings at contiguous addresses.
fn mapped() -> *mut c_void {
    let mut address = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut address, 2 * UNIT, 0, ptr::null_mut(), 0));
    for part in [address, address.wrapping_byte_add(UNIT)] {
        let handle = physical(UNIT);
        check!(memory.aclrtMapMem(part, UNIT, 0, handle, 0));
        // The memory exists as long as its mapping.
        check!(memory.aclrtFreePhysical(handle));
    }
    address
}

fn unmap(address: *mut c_void) {
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtUnmapMem(address.wrapping_byte_add(UNIT)));
    check!(memory.aclrtReleaseMemAddress(address));
}

fn fill(to: *mut c_void, len: usize, stream: aclrtStream) {
    check!(memory.aclrtMemsetAsync(to, len, 1, len, stream));
}

/// Returns the kinds and the first calls of all findings.
fn found() -> Vec<(Mistake, String)> {
    let first = |finding: Finding| {
        let (_, issued) = finding.calls.into_iter().next()?;
        Some((finding.mistake, issued.call))
    };
    take_findings().into_iter().filter_map(first).collect()
}

#[test]
fn memory_unmapped_while_queued_work_uses_it() {
    let _serial = start_checked();
    let (address, s) = (mapped(), stream());
    // The fill covers both mappings, so both have a finding.
    fill(address.wrapping_byte_add(UNIT - 64), 128, s);
    let part = address.wrapping_byte_add(UNIT);
    for unmapped in [address, part] {
        check!(memory.aclrtUnmapMem(unmapped));
        let call = "aclrtUnmapMem".to_owned();
        assert_eq!(found(), [(Mistake::FreedInUse, call)]);
    }
    let _ = call!(stream.aclrtSynchronizeStream(s));
    let _ = take_findings();
}

#[test]
fn memory_used_after_it_was_unmapped() {
    let _serial = start_checked();
    let (address, s) = (mapped(), stream());
    check!(memory.aclrtUnmapMem(address));
    fill(address, 64, s);
    let call = "aclrtMemsetAsync".to_owned();
    assert_eq!(found(), [(Mistake::UsedAfterFree, call)]);
    check!(107000, memory.aclrtMemset(address, 64, 1, 64));
    let call = "aclrtMemset".to_owned();
    assert_eq!(found(), [(Mistake::UsedAfterFree, call)]);
    let _ = call!(stream.aclrtSynchronizeStream(s));
    check!(memory.aclrtUnmapMem(address.wrapping_byte_add(UNIT)));
    check!(memory.aclrtReleaseMemAddress(address));
    // The address is reserved and was never mapped.
    let mut other = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut other, 3 * UNIT, 0, ptr::null_mut(), 0));
    fill(other.wrapping_byte_add(2 * UNIT), 64, s);
    let call = "aclrtMemsetAsync".to_owned();
    assert_eq!(found(), [(Mistake::OutOfBounds, call)]);
    let _ = call!(stream.aclrtSynchronizeStream(s));
    check!(memory.aclrtReleaseMemAddress(other));
    check!(stream.aclrtDestroyStream(s));
    let _ = take_findings();
}

#[test]
fn mapped_memory_used_without_an_order() {
    let _serial = start_checked();
    let (address, one, other) = (mapped(), stream(), stream());
    fill(address, 64, one);
    fill(address, 64, other);
    check!(device.aclrtSynchronizeDevice());
    let call = "aclrtMemsetAsync".to_owned();
    assert_eq!(found(), [(Mistake::Unordered, call)]);
    fill(address, 64, one);
    assert_eq!(download(address, 64), [1; 64]);
    let call = "aclrtMemcpy".to_owned();
    assert_eq!(found(), [(Mistake::NotSynchronised, call)]);
    check!(device.aclrtSynchronizeDevice());
    unmap(address);
    assert_eq!(found(), []);
}

#[test]
fn what_was_mapped_before_may_be_read() {
    let _serial = start_checked();
    let (address, s) = (mapped(), stream());
    let part = address.wrapping_byte_add(UNIT);
    for _ in 0..2 {
        // The memory was not written through this mapping.
        assert_eq!(download(part, 64).len(), 64);
        fill(part.wrapping_byte_sub(64), 128, s);
        check!(stream.aclrtSynchronizeStream(s));
        let mut handle = ptr::null_mut();
        check!(memory.aclrtMemRetainAllocationHandle(part, &mut handle));
        check!(memory.aclrtUnmapMem(part));
        check!(memory.aclrtMapMem(part, UNIT, 0, handle, 0));
        check!(memory.aclrtFreePhysical(handle));
    }
    // A reset frees mapped memory, and the program can unmap it all the same.
    check!(stream.aclrtDestroyStream(s));
    check!(device.aclrtResetDevice(0));
    unmap(address);
    assert_eq!(found(), []);
}

#[test]
fn an_address_that_goes_from_thread_to_thread() {
    const ROUNDS: usize = 5_000;
    let _serial = start_checked();
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let mut address = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut address, UNIT, 0, ptr::null_mut(), 0));
    let (at, context) = (address as usize, context as usize);
    let take_turns = || {
        check!(context.aclrtSetCurrentContext(context as aclrtContext));
        let (address, handle, s) = (at as *mut c_void, physical(UNIT), stream());
        for _ in 0..ROUNDS {
            while call!(memory.aclrtMapMem(address, UNIT, 0, handle, 0)) != 0 {
                std::thread::yield_now();
            }
            fill(address, 64, s);
            check!(stream.aclrtSynchronizeStream(s));
            check!(memory.aclrtUnmapMem(address));
        }
        check!(memory.aclrtFreePhysical(handle));
        check!(stream.aclrtDestroyStream(s));
    };
    std::thread::scope(|scope| {
        scope.spawn(take_turns);
        scope.spawn(take_turns);
    });
    check!(memory.aclrtReleaseMemAddress(address));
    assert_eq!(found(), []);
}
