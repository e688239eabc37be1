//! Settings and hooks that the emulator stores, and hints that need nothing: the production runtime answers 0.

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;

use ascendcl_emulator::take_violations;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("settings");

/// What the hooks have seen.
static SEEN: Mutex<Vec<(i32, u32)>> = Mutex::new(Vec::new());

fn take() -> Vec<(i32, u32)> {
    std::mem::take(&mut *SEEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

unsafe extern "C" fn on_state(device: i32, state: aclrtDeviceState, _: *mut c_void) {
    SEEN.lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .push((device, state.0));
}

unsafe extern "C" fn on_abort(_: i32, _: aclrtDeviceTaskAbortStage, _: u32, _: *mut c_void) -> i32 {
    0
}

#[test]
fn hooks_learn_of_the_states_of_devices() {
    let _serial = start();
    let (name, none) = (c"hook".as_ptr(), ptr::null_mut());
    let _ = take();
    check!(device.aclrtRegDeviceStateCallback(name, Some(on_state), none));
    check!(
        107000,
        device.aclrtRegDeviceStateCallback(name, Some(on_state), none)
    );
    check!(
        100000,
        device.aclrtRegDeviceStateCallback(ptr::null(), Some(on_state), none)
    );
    check!(device.aclrtSetDevice(1));
    check!(device.aclrtSetDevice(1));
    check!(device.aclrtResetDevice(1));
    check!(107001, device.aclrtSetDevice(99));
    check!(device.aclrtResetDevice(1));
    check!(507007, device.aclrtResetDevice(1));
    let states = [0, 1, 0, 1, 2, 3, 2, 3];
    assert_eq!(take(), states.map(|state| (1, state)));
    check!(device.aclrtRegDeviceStateCallback(name, None, none));
    check!(device.aclrtSetDevice(1));
    check!(device.aclrtResetDevice(1));
    assert_eq!(take(), []);
    check!(device.aclrtSetDeviceTaskAbortCallback(name, Some(on_abort), none));
    check!(device.aclrtSetDeviceTaskAbortCallback(name, None, none));
    check!(
        100000,
        device.aclrtSetDeviceTaskAbortCallback(ptr::null(), Some(on_abort), none)
    );
}

unsafe extern "C" fn on_failure(info: *mut aclrtExceptionInfo) {
    let code = call!(runtime.aclrtGetErrorCodeFromExceptionInfo(info));
    SEEN.lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .push((0, code));
}

#[test]
fn several_functions_learn_of_a_failed_task() {
    let _serial = start();
    let (s, memory) = (stream(), malloc(64));
    let fail = || {
        // There is no memory at this address of the device.
        check!(memory.aclrtValueWrite(memory.wrapping_byte_add(1 << 30), 1, 0, s));
        check!(507001, stream.aclrtSynchronizeStream(s));
        let _ = take_violations();
        take().len()
    };
    let _ = take();
    check!(107000, runtime.aclrtExceptionInfoCallbackRegister(None));
    check!(107000, runtime.aclrtExceptionInfoCallbackUnregister(None));
    // A function that is registered twice is called once.
    for _ in 0..2 {
        check!(runtime.aclrtExceptionInfoCallbackRegister(Some(on_failure)));
    }
    assert_eq!(fail(), 1);
    check!(runtime.aclrtSetExceptionInfoCallback(Some(on_failure)));
    assert_eq!(fail(), 2);
    for _ in 0..2 {
        check!(runtime.aclrtExceptionInfoCallbackUnregister(Some(on_failure)));
    }
    assert_eq!(fail(), 1);
    check!(runtime.aclrtSetExceptionInfoCallback(None));
    assert_eq!(fail(), 0);
}

#[test]
fn sizes_are_kept_and_missing_things_are_told() {
    let _serial = start();
    let mut value = 0;
    for limit in [2, 3].map(aclrtDeviceLimit) {
        check!(device.aclrtDeviceSetLimit(limit, 1 << 16));
        check!(device.aclrtDeviceGetLimit(limit, &mut value));
        assert_eq!(value, 1 << 16);
    }
    for limit in [0, 1, 4].map(aclrtDeviceLimit) {
        check!(207000, device.aclrtDeviceSetLimit(limit, 1));
        check!(207000, device.aclrtDeviceGetLimit(limit, &mut value));
    }
    check!(
        100000,
        device.aclrtDeviceGetLimit(aclrtDeviceLimit(5), &mut value)
    );
    check!(
        100000,
        device.aclrtDeviceGetLimit(aclrtDeviceLimit(2), ptr::null_mut())
    );
    check!(100000, device.aclrtDeviceSetLimit(aclrtDeviceLimit(5), 1));
    check!(
        100000,
        device.aclrtDeviceSetLimit(aclrtDeviceLimit(2), 1 << 32)
    );
    check!(device.aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
    check!(100000, device.aclrtSetTsDevice(ACL_TS_ID_RESERVED));
    let (mut can, what) = ([9; 2], [aclrtAtomicOperation(0); 2]);
    let (can, what) = (can.as_mut_ptr(), what.as_ptr());
    check!(device.aclrtDeviceGetHostAtomicCapabilities(can, what, 2, 0));
    check!(device.aclrtDeviceGetP2PAtomicCapabilities(can, what, 2, 0, 1));
    check!(
        107001,
        device.aclrtDeviceGetP2PAtomicCapabilities(can, what, 2, 0, 9)
    );
    check!(
        107000,
        device.aclrtDeviceGetHostAtomicCapabilities(can, what, 0, 0)
    );
    check!(
        107000,
        device.aclrtDeviceGetHostAtomicCapabilities(ptr::null_mut(), what, 2, 0)
    );
}

#[test]
fn hints_and_the_status_of_overflow_are_tasks() {
    let _serial = start();
    let (s, memory, none) = (stream(), malloc(64), ptr::null_mut());
    for kind in [ACL_RT_CMO_TYPE_PREFETCH, ACL_RT_CMO_TYPE_WRITEBACK] {
        check!(memory.aclrtCmoAsync(memory, 64, kind, s));
        check!(100000, memory.aclrtCmoAsync(none, 64, kind, s));
        check!(100000, memory.aclrtCmoAsync(memory, 0, kind, s));
        check!(
            107017,
            memory.aclrtCmoAsync(memory, 64, kind, ptr::without_provenance_mut(0x10))
        );
    }
    check!(107000, memory.aclrtCmoAsync(memory, 64, aclrtCmoType(9), s));
    upload(memory, &[1; 64]);
    check!(device.aclrtGetFloatOverflowStatus(memory, 64, s));
    check!(device.aclrtResetFloatOverflowStatus(s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [0; 64]);
    upload(memory, &[1; 64]);
    check!(device.aclrtNpuGetFloatOverFlowStatus(memory, 64, 0, s));
    check!(device.aclrtNpuClearFloatOverFlowStatus(0, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [0; 64]);
    check!(107000, device.aclrtGetFloatOverflowStatus(none, 64, s));
    check!(
        107000,
        device.aclrtNpuGetFloatOverFlowStatus(none, 64, 0, s)
    );
}

#[test]
fn a_copy_with_a_condition_takes_page_locked_memory_only() {
    let _serial = start();
    let (s, memory, host, mut here) = (stream(), malloc(8), malloc_host(8), [3_u8; 8]);
    upload(host, &[7; 8]);
    let up = ACL_MEMCPY_HOST_TO_DEVICE;
    let copy = |from: *const c_void, count, kind| {
        call!(memory.aclrtMemcpyAsyncWithCondition(memory, 8, from, count, kind, s))
    };
    assert_eq!(copy(host, 8, up), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 8), [7; 8]);
    assert_eq!(copy(here.as_mut_ptr().cast(), 8, up), 107000);
    assert!(text().contains("page-locked"));
    assert_eq!(
        (copy(ptr::null(), 0, up), copy(ptr::null(), 8, up)),
        (0, 100000)
    );
    assert_eq!(copy(host, 8, aclrtMemcpyKind(99)), 100000);
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn physical_memory_tells_its_properties() {
    let _serial = start();
    let mut told = property();
    for (asked, expected) in [
        (ACL_HBM_MEM_NORMAL, ACL_HBM_MEM_NORMAL),
        (ACL_MEM_HUGE, ACL_HBM_MEM_HUGE),
        (ACL_MEM_P2P_HUGE, ACL_MEM_P2P_HUGE),
    ] {
        let (mut handle, mut asks) = (ptr::null_mut(), property());
        asks.memAttr = asked;
        check!(memory.aclrtMallocPhysical(&mut handle, 2 << 20, &asks, 0));
        check!(memory.aclrtMemGetAllocationPropertiesFromHandle(handle, &mut told));
        assert_eq!((told.memAttr, told.location.id), (expected, 0));
        check!(
            100000,
            memory.aclrtMemGetAllocationPropertiesFromHandle(handle, ptr::null_mut())
        );
        check!(memory.aclrtFreePhysical(handle));
        check!(
            107000,
            memory.aclrtMemGetAllocationPropertiesFromHandle(handle, &mut told)
        );
    }
    let mut address = ptr::null_mut();
    let none = ptr::null_mut();
    check!(
        100000,
        memory.aclrtReserveMemAddressNoUCMemory(&mut address, 0, 0, none, 0)
    );
    check!(memory.aclrtReserveMemAddressNoUCMemory(&mut address, 2 << 20, 0, none, 0));
    check!(memory.aclrtReleaseMemAddress(address));
}

unsafe extern "C" fn alloc(_: aclrtAllocator, _: usize) -> *mut c_void {
    ptr::null_mut()
}

unsafe extern "C" fn free(_: aclrtAllocator, _: aclrtAllocatorBlock) {}

unsafe extern "C" fn address(block: aclrtAllocatorBlock) -> *mut c_void {
    block
}

#[test]
fn an_allocator_belongs_to_a_stream() {
    let _serial = start();
    let (s, mut object) = (stream(), 0_u8);
    let object: aclrtAllocator = ptr::from_mut(&mut object).cast();
    let description = call!(memory.aclrtAllocatorCreateDesc());
    check!(100000, memory.aclrtAllocatorRegister(s, description));
    check!(memory.aclrtAllocatorSetObjToDesc(description, object));
    check!(memory.aclrtAllocatorSetAllocFuncToDesc(description, Some(alloc)));
    check!(memory.aclrtAllocatorSetFreeFuncToDesc(description, Some(free)));
    check!(memory.aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, Some(address)));
    check!(
        100000,
        memory.aclrtAllocatorSetObjToDesc(description, ptr::null_mut())
    );
    check!(
        100000,
        memory.aclrtAllocatorSetAllocFuncToDesc(description, None)
    );
    check!(
        100000,
        memory.aclrtAllocatorSetAllocFuncToDesc(ptr::null_mut(), Some(alloc))
    );
    let (mut of, mut found, mut frees, mut advises) =
        (ptr::null_mut(), ptr::null_mut(), None, None);
    let mut get = || {
        call!(memory.aclrtAllocatorGetByStream(
            s,
            &mut of,
            &mut found,
            ptr::null_mut(),
            &mut frees,
            &mut advises,
            ptr::null_mut()
        ))
    };
    assert_eq!(get(), 100000);
    check!(memory.aclrtAllocatorRegister(s, description));
    check!(
        100000,
        memory.aclrtAllocatorRegister(ptr::null_mut(), description)
    );
    assert_eq!(get(), 0);
    check!(memory.aclrtAllocatorUnregister(s));
    assert_eq!(get(), 100000);
    assert_eq!((of, found), (description, object));
    assert!(frees.is_some() && advises.is_none());
    check!(100000, memory.aclrtAllocatorUnregister(ptr::null_mut()));
    check!(memory.aclrtAllocatorDestroyDesc(description));
    check!(100000, memory.aclrtAllocatorDestroyDesc(description));
    check!(100000, memory.aclrtAllocatorDestroyDesc(ptr::null_mut()));
}
