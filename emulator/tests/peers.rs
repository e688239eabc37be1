//! Two devices: checked access to the memory of the other device, and products without huge pages.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{EmulatorConfig, Peers};
use ascendcl_sys::*;
use common::*;

passes_while_watched!("peers");

/// Allocates memory on device 0 and on device 1; device 1 is current afterwards.
fn start() -> (Serial, *mut c_void, *mut c_void) {
    let config = EmulatorConfig::default()
        .with_peers(Peers::Checked)
        .with_gigabyte_pages(false);
    let serial = serial(config);
    check!(device.aclrtSetDevice(0));
    let zero = malloc(256);
    check!(device.aclrtSetDevice(1));
    let one = malloc(256);
    upload(one, &[1; 256]);
    (serial, zero, one)
}

fn copy(to: *mut c_void, from: *mut c_void) -> aclError {
    call!(memory.aclrtMemcpy(to, 64, from, 64, ACL_MEMCPY_DEVICE_TO_DEVICE))
}

fn status(from: i32, to: i32) -> i32 {
    let mut status = -1;
    check!(device.aclrtDevicePeerAccessStatus(from, to, &mut status));
    status
}

#[test]
fn access_has_a_direction() {
    let (_serial, zero, one) = start();
    assert_eq!((status(0, 1), status(1, 0)), (0, 0));
    assert_eq!(copy(zero, one), 107000);
    assert!(text().contains("make 1 current and call aclrtDeviceEnablePeerAccess(0, 0)"));
    check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    assert_eq!((status(0, 1), status(1, 0)), (0, 1));
    assert_eq!(copy(zero, one), 0);
    assert_eq!(download(zero, 64), [1; 64]);
    assert_eq!(copy(one, zero), 107000, "the other direction is closed");
    check!(device.aclrtDeviceDisablePeerAccess(0));
    check!(device.aclrtDeviceDisablePeerAccess(0));
    assert_eq!(copy(zero, one), 107000);
}

#[test]
fn each_mapping_of_a_range_needs_access() {
    const UNIT: usize = 2 << 20;
    let (_serial, _, _) = start();
    let mut address = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut address, 2 * UNIT, 0, ptr::null_mut(), 0));
    let behind = address.wrapping_byte_add(UNIT);
    for (id, part) in [(1, address), (0, behind)] {
        let mut of_device = property();
        of_device.location.id = id;
        let mut handle = ptr::null_mut();
        check!(memory.aclrtMallocPhysical(&mut handle, UNIT, &of_device, 0));
        check!(memory.aclrtMapMem(part, UNIT, 0, handle, 0));
        check!(memory.aclrtFreePhysical(handle));
    }
    let (both, s) = (behind.wrapping_byte_sub(32), stream());
    for wanted in [107000, 0] {
        check!(wanted, memory.aclrtMemset(both, 64, 7, 64));
        check!(wanted, memory.aclrtMemsetAsync(both, 64, 7, 64, s));
        check!(stream.aclrtSynchronizeStream(s));
        check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    }
    check!(memory.aclrtUnmapMem(address));
    check!(memory.aclrtUnmapMem(behind));
    check!(memory.aclrtReleaseMemAddress(address));
}

#[test]
fn work_with_a_stream_needs_access_too() {
    let (_serial, zero, one) = start();
    let s = stream();
    let d2d = ACL_MEMCPY_DEVICE_TO_DEVICE;
    let rows = || call!(memory.aclrtMemcpy2dAsync(zero, 64, one, 64, 64, 2, d2d, s));
    let words = || call!(memory.aclrtMemsetD32Async(zero, 64, 7, 4, s));
    let bytes = || call!(memory.aclrtMemsetAsync(zero, 64, 7, 4, s));
    let now = || call!(memory.aclrtMemset(zero, 64, 7, 4));
    for wanted in [107000, 0] {
        assert_eq!(copy_async(zero, one, 64, s), wanted);
        assert_eq!(
            (rows(), words(), bytes(), now()),
            (wanted, wanted, wanted, wanted)
        );
        check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    }
    check!(stream.aclrtSynchronizeStream(s));
}

#[test]
fn access_ends_with_the_device() {
    let (_serial, ..) = start();
    check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    check!(device.aclrtResetDevice(1));
    assert_eq!(status(1, 0), 0);
}

#[test]
fn mapping_for_a_peer_comes_after_the_access() {
    let (_serial, zero, one) = start();
    let map =
        |pointer, size, device, flags| call!(memory.aclrtMemP2PMap(pointer, size, device, flags));
    assert_eq!(map(one, 256, 0, 0), 107000);
    check!(device.aclrtDeviceEnablePeerAccess(0, 0));
    assert_eq!(map(one, 256, 0, 0), 0);
    assert_eq!(map(zero, 256, 1, 0), 0);
    assert_eq!(map(ptr::null_mut(), 256, 0, 0), 100000);
    assert_eq!(map(one, 0, 0, 0), 100000);
    assert_eq!(map(one, 256, 0, 1), 100000);
    assert_eq!(map(one, 256, 1, 0), 100000, "a device is no peer of itself");
    assert_eq!(map(one, 256, 2, 0), 107001);
    assert_eq!(map(one, 1 << 20, 0, 0), 107000, "beyond the allocation");
    let mut word = 0u64;
    assert_eq!(map((&raw mut word).cast(), 8, 0, 0), 107000);
}

#[test]
fn questions_about_pairs_check_both_devices() {
    let (_serial, ..) = start();
    let (mut answer, mut topology) = (-1, 0);
    check!(device.aclrtDeviceCanAccessPeer(&mut answer, 0, 1));
    assert_eq!(answer, 1);
    check!(device.aclrtGetDevicesTopo(0, 1, &mut topology));
    assert_eq!(topology, ACL_RT_DEVS_TOPOLOGY_HCCS);
    for (one, other, code) in [
        (0, 0, 100000),
        (0, 9, 107001),
        (9, 0, 107001),
        (-1, 0, 107001),
    ] {
        // This function checks for a negative number itself.
        let of_access = if one < 0 { 107000 } else { code };
        check!(
            of_access,
            device.aclrtDeviceCanAccessPeer(&mut answer, one, other)
        );
        check!(
            code,
            device.aclrtDevicePeerAccessStatus(one, other, &mut answer)
        );
        let (one, other) = (one as u32, other as u32);
        check!(code, device.aclrtGetDevicesTopo(one, other, &mut topology));
    }
    check!(
        100000,
        device.aclrtDevicePeerAccessStatus(0, 1, ptr::null_mut())
    );
    check!(100000, device.aclrtGetDevicesTopo(0, 1, ptr::null_mut()));
    check!(100000, device.aclrtDeviceEnablePeerAccess(1, 0));
    check!(200006, device.aclrtDeviceEnablePeerAccess(0, 1));
    check!(107001, device.aclrtDeviceEnablePeerAccess(9, 0));
}

#[test]
fn a_product_without_pages_of_one_gibibyte_says_so() {
    let _serial = start();
    let mut out = ptr::null_mut();
    for policy in [ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P] {
        check!(207001, memory.aclrtMalloc(&mut out, 64, policy));
        check!(207001, memory.aclrtMallocAlign32(&mut out, 64, policy));
        check!(207001, memory.aclrtMallocCached(&mut out, 64, policy));
        let policy = aclrtMemMallocPolicy(policy.0 | ACL_MEM_TYPE_HIGH_BAND_WIDTH.0);
        let cfg = ptr::null_mut();
        check!(207001, memory.aclrtMallocWithCfg(&mut out, 64, policy, cfg));
    }
    check!(memory.aclrtMalloc(&mut out, 64, ACL_MEM_MALLOC_HUGE_ONLY_P2P));
}
