//! Addresses and sizes at the limits of the address space. `tests/garbage` found what stands here.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("extremes");

fn at(address: usize) -> *mut c_void {
    ptr::without_provenance_mut(address)
}

#[test]
fn memory_that_does_not_exist_is_not_registered() {
    let _serial = start();
    let mut host = vec![0_u8; 3 * 4096];
    let first: *mut c_void = host.as_mut_ptr().cast();
    let device = malloc(64);
    for (start, size) in [
        (at(2), i64::MAX as u64),
        (at(4096), 64),
        (at(usize::MAX - 1), 1),
        (first, 1 << 46),
        (device, 64),
    ] {
        let mut seen = ptr::null_mut();
        let kind = ACL_HOST_REGISTER_MAPPED;
        check!(
            107000,
            memory.aclrtHostRegister(start, size, kind, &mut seen)
        );
        assert!(text().contains("aclrtHostRegister failed"), "{}", text());
        check!(107000, memory.aclrtHostRegisterV2(start, size, 2));
    }
    check!(100000, memory.aclrtHostRegisterV2(at(usize::MAX), 1, 2));
    assert!(text().contains("end of the addresses"), "{}", text());
    check!(memory.aclrtHostRegisterV2(first, 3 * 4096, 2));
    check!(memory.aclrtHostUnregister(first));
    check!(memory.aclrtFree(device));
}

#[test]
fn the_last_address_is_not_freed() {
    let _serial = start();
    let _ = take_findings();
    let last = at(usize::MAX);
    for code in [
        call!(memory.aclrtFree(last)),
        call!(memory.aclrtFreeHost(last)),
        call!(media.acldvppFree(last)),
    ] {
        assert_eq!(code, 107000);
    }
    let findings = take_findings();
    assert!(
        findings
            .iter()
            .all(|finding| finding.mistake == Mistake::WrongFree)
    );
}

#[test]
fn a_range_that_reaches_into_device_memory_is_no_host_memory() {
    let _serial = start();
    let device = malloc(64);
    // The first address of the device memory, and a page of the program in front of it.
    let first = device.map_addr(|address| address & !((1 << 21) - 1));
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let page = first.wrapping_byte_sub(4096);
    // SAFETY: the call fails if something uses the page.
    let mapped = unsafe { libc::mmap(page, 4096, access, flags, -1, 0) };
    let across = first.wrapping_byte_sub(1);
    let mut host = [0_u8; 16];
    let other = host.as_mut_ptr().cast();
    check!(107000, memory.aclrtMemset(across, 2, 0, 2));
    check!(
        107000,
        memory.aclrtMemcpy(other, 16, across, 2, ACL_MEMCPY_HOST_TO_HOST)
    );
    check!(
        107000,
        memory.aclrtMemcpy(across, 2, other, 2, ACL_MEMCPY_HOST_TO_HOST)
    );
    check!(
        107000,
        memory.aclrtMemcpyAsync(device, 64, across, 2, ACL_MEMCPY_HOST_TO_DEVICE, stream())
    );
    check!(107000, memory.aclrtHostRegisterV2(across, 2, 2));
    check!(memory.aclrtFree(device));
    if mapped == page {
        // SAFETY: the page that was mapped above.
        assert_eq!(unsafe { libc::munmap(page, 4096) }, 0);
    }
}
