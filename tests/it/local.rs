//! Memory on the program's own side, and device memory of a program that runs on the device itself.

use std::num::NonZero;
use std::ptr::NonNull;

use ascendcl::error::Usage;
use ascendcl::memory::{MallocConfig, MallocPolicy};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, RunMode, Thread, op, release_failures};

use crate::common::{acl, assert_clean, assert_says, bound, calls, embedded, isolated, usage};

/// One program for both run modes: load, copy, compute, copy back.
fn round_trip() {
    bound!(acl, device: Npu<0>, current, stream);
    let mut local = current.malloc_local::<f32, 64>(100).unwrap();
    assert!(local.iter().all(|value| *value == 0.0));
    for (value, number) in local.iter_mut().zip(0u8..) {
        *value = f32::from(number);
    }
    let a = current
        .memcpy(current.malloc(100).unwrap(), &local)
        .unwrap();
    let tensor = a.tensor(&[100]).unwrap();
    let out = current.malloc(100).unwrap().into_tensor(&[100]).unwrap();
    let sum = op::add(current, &tensor, &tensor, 1.0, out)
        .unwrap()
        .run(&mut stream)
        .unwrap();
    local.fill(0.0);
    current.memcpy(&mut local, &sum).unwrap();
    for (value, number) in local.iter().zip(0u8..) {
        assert_eq!(*value, 2.0 * f32::from(number));
    }
    local.free().unwrap();
    assert_eq!(release_failures(), 0);
}

isolated! {
    fn local_memory_on_a_host() {
        round_trip();
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device"]
    fn local_memory_on_the_device_itself() {
        round_trip();
    }

    fn alignments_hold() {
        bound!(acl, device: Npu<0>, current);
        for len in [1, 3, 1000] {
            assert_eq!(current.malloc_local::<u8, 8>(len).unwrap().as_raw().addr() % 8, 0);
            assert_eq!(current.malloc_local::<u8, 128>(len).unwrap().as_raw().addr() % 128, 0);
            assert_eq!(current.malloc_local::<u64, 4096>(len).unwrap().as_raw().addr() % 4096, 0);
        }
        assert_eq!(usage(current.malloc_local::<u64, 64>(0)), Usage::ZeroSize { len: 0, size: 8 });
        assert_eq!(usage(current.malloc_local::<u128, 8>(1)), Usage::Alignment { needed: 16, given: 8 });
        assert_eq!(usage(current.malloc_local::<u8, 64>(usize::MAX)), Usage::SizeOverflow { len: usize::MAX, size: 1 });
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device"]
    fn device_memory_is_touched_directly_on_the_device_itself() {
        let acl = acl();
        let RunMode::Device(side) = acl.run_mode().unwrap() else { panic!("a host") };
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut buf = current.memset(current.malloc::<u32>(8).unwrap(), 0).unwrap();
        buf.as_mut_slice(side).unwrap().copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        let copy = current.memcpy(current.malloc(8).unwrap(), &buf).unwrap();
        assert_eq!(copy.as_slice(side).unwrap(), [1, 2, 3, 4, 5, 6, 7, 8]);
        // A runtime with an odd address would break its documentation. Here the address is made up.
        let odd = copy.into_raw().cast::<u32>().map_addr(|address| address | 1);
        let odd = NonNull::slice_from_raw_parts(odd, 7);
        // SAFETY: given up again before anything frees it, and refused before anything reads it.
        let odd = unsafe { DeviceBuf::<Npu<0>, [u32]>::from_raw(odd) };
        assert_eq!(usage(odd.as_slice(side)), Usage::Alignment { needed: 4, given: 1 });
        let even = odd.into_raw().cast::<u32>();
        let even = even.map_addr(|address| NonZero::new(address.get() & !1).unwrap());
        let even = NonNull::slice_from_raw_parts(even, 8);
        // SAFETY: the allocation that was given up above.
        drop(unsafe { DeviceBuf::<Npu<0>, [u32]>::from_raw(even) });
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1+=507001"]
    fn a_slice_of_device_memory_shows_nothing_that_was_never_written() {
        let acl = acl();
        let side = acl.run_mode().unwrap().device().unwrap();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let freed = current.memset(current.malloc::<u8>(4096).unwrap(), 7).unwrap();
        freed.free().unwrap();
        let config = MallocConfig::new();
        let fresh = [
            current.malloc::<u8>(4096).unwrap(),
            current.malloc_with_config(4096, MallocPolicy::HugeFirst, config).unwrap(),
        ];
        for fresh in fresh {
            let unwritten = stream.memset_async(stream.adopt(fresh), 1).unwrap(); // fails
            let memory = stream.drain().unwrap().take(unwritten).accept_unverified();
            assert_eq!(memory.as_slice(side).unwrap(), [0; 4096]);
        }
        let fixed = current.malloc_as::<[u8; 64]>().unwrap();
        let unwritten = stream.memset_async(stream.adopt(fixed), 1).unwrap(); // fails
        let memory = stream.drain().unwrap().take(unwritten).accept_unverified();
        assert_eq!(memory.as_slice(side).unwrap(), [0; 64]);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtGetRunMode#1=500000"]
    fn while_the_run_mode_is_not_known_fresh_memory_is_zeroed() {
        bound!(acl with journal, device: Npu<0>, current);
        let first = current.malloc::<u8>(64).unwrap();
        let fills = calls("aclrtMemset");
        let second = current.malloc::<u8>(64).unwrap();
        if embedded(&acl) {
            assert_eq!((fills, calls("aclrtMemset"), calls("aclrtGetRunMode")), (1, 1, 2));
        }
        drop((first, second));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507001"]
    fn memory_that_cannot_be_zeroed_is_not_allocated() {
        bound!(acl, device: Npu<0>, current);
        assert_says(current.malloc::<u8>(64).map(drop), &["aclrtMalloc", "507001"]);
        if embedded(&acl) {
            assert_eq!(ascendcl::emulator::live().device_blocks, 0);
        }
        drop(current.malloc::<u8>(64).unwrap());
        assert_clean(&acl);
    }

    // The fill may still run, so its memory is not freed.
    ["ASCENDCL_EMULATOR_RUN_MODE" = "device", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn memory_whose_fill_exceeds_a_time_limit_is_leaked() {
        bound!(acl, device: Npu<0>, current);
        assert_says(current.malloc::<u8>(64).map(drop), &["aclrtMalloc", "507046"]);
        assert_eq!(ascendcl::leaks(), 1);
        if embedded(&acl) {
            assert_eq!(ascendcl::emulator::live().device_blocks, 1);
        }
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046"]
    fn a_fill_of_configured_memory_whose_time_was_up_is_waited_for() {
        bound!(acl with journal, device: Npu<0>, current);
        let policy = MallocPolicy::HugeFirst;
        let refused = current.malloc_with_config::<u8>(64, policy, MallocConfig::new());
        assert_says(refused.map(drop), &["aclrtMemset", "507046"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
        }
        assert_clean(&acl);
    }

    fn on_a_host_an_allocation_is_one_call() {
        bound!(acl with journal, device: Npu<0>, current);
        for _ in 0..3 {
            drop(current.malloc::<u8>(64).unwrap());
        }
        if embedded(&acl) {
            assert_eq!(
                (calls("aclrtMalloc"), calls("aclrtMemset"), calls("aclrtGetRunMode")),
                (3, 0, 1)
            );
        }
        assert_clean(&acl);
    }
}
