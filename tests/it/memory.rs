//! Allocating and freeing.

use std::ptr::NonNull;

use ascendcl::error::Usage;
use ascendcl::memory::fixed::Fixed;
use ascendcl::memory::{CachedPolicy, Init, MallocConfig};
use ascendcl::{Current, DeviceBuf, HostBuf, MallocPolicy, Npu, release_failures, sys};

use typenum::U5;

use crate::common::{assert_clean, assert_says, bound, isolated, usage};

/// An element that needs more alignment than any allocator gives.
#[derive(Clone, Copy)]
#[repr(C, align(256))]
struct Wide([u8; 256]);
// SAFETY: bytes without padding: size and alignment are equal.
unsafe impl bytemuck::Zeroable for Wide {}
// SAFETY: as above; any bytes are a value.
unsafe impl bytemuck::Pod for Wide {}

isolated! {
    fn zero_lengths_are_refused_before_the_call() {
        bound!(acl, side, device: Npu<0>, current);
        let expected = Usage::ZeroSize { len: 0, size: 4 };
        assert_eq!(usage(current.malloc::<f32>(0)), expected);
        assert_eq!(usage(current.malloc_host::<f32>(side, 0)), expected);
        assert_eq!(usage(current.malloc_dvpp::<f32>(0)), expected);
        assert_eq!(usage(current.malloc_as::<[f32; 0]>()), expected);
        assert_eq!(usage(current.malloc::<()>(3)), Usage::ZeroSize { len: 3, size: 0 });
    }

    fn overflowing_sizes_are_refused_before_the_call() {
        bound!(acl, device: Npu<0>, current);
        let len = usize::MAX / 2;
        assert_eq!(usage(current.malloc::<f64>(len)), Usage::SizeOverflow { len, size: 8 });
    }

    fn sizes_that_no_slice_has_are_refused_before_the_call() {
        bound!(acl, side, device: Npu<0>, current);
        let largest = isize::MAX.unsigned_abs();
        let len = largest + 1;
        let expected = Usage::SizeOverflow { len, size: 1 };
        assert_eq!(usage(current.malloc::<u8>(len)), expected);
        assert_eq!(usage(current.malloc_cached::<u8>(len, CachedPolicy::HugeFirst)), expected);
        assert_eq!(usage(current.malloc_with_config::<u8>(len, MallocPolicy::HugeFirst, MallocConfig::new())), expected);
        assert_eq!(usage(current.malloc_host::<u8>(side, len)), expected);
        assert_eq!(usage(current.malloc_local::<u8, 64>(len)), expected);
        assert_eq!(usage(current.malloc_dvpp::<u8>(len)), expected);
        assert_eq!(usage(current.malloc_dvpp_v2::<u8>(len)), expected);
        assert_eq!(usage(current.malloc_block(len)), expected);
        let block = current.malloc_block(4096).unwrap();
        assert_eq!(usage(block.piece::<u8>(len)), expected);
        let many = largest / 4 + 1;
        assert_eq!(usage(current.malloc::<f32>(many)), Usage::SizeOverflow { len: many, size: 4 });
        // One byte less is passed to the runtime, which refuses it.
        assert_says(current.malloc::<u8>(largest), &["aclrtMalloc", "207001"]);
    }

    fn over_aligned_elements_are_refused_before_the_call() {
        bound!(acl, side, device: Npu<0>, current);
        let expected = |given| Usage::Alignment { needed: 256, given };
        assert_eq!(usage(current.malloc::<Wide>(1)), expected(64));
        assert_eq!(usage(current.malloc_host::<Wide>(side, 1)), expected(64));
        assert_eq!(usage(current.malloc_dvpp::<Wide>(1)), expected(128));
    }

    ["ASCENDCL_EMULATOR_MEMORY" = "64MiB"]
    fn exhausted_device_memory_is_explained() {
        bound!(acl, device: Npu<0>, current);
        let half = current.malloc::<u8>(32 << 20).unwrap();
        assert_says(
            current.malloc::<u8>(48 << 20),
            &["aclrtMalloc", "207001", "ACL_ERROR_RT_MEMORY_ALLOCATION", "device 0", "smaller pieces"],
        );
        half.free().unwrap();
        current.malloc::<u8>(48 << 20).unwrap();
    }

    fn host_memory_is_zeroed_writable_and_shared_with_slices() {
        bound!(acl, side, device: Npu<0>, current);
        for round in 0..2 {
            let mut buf: HostBuf<'_, [u32]> = current.malloc_host(side, 1000).unwrap();
            assert!(buf.iter().all(|value| *value == 0), "round {round}");
            buf.fill(7);
            buf[999] = 8;
            assert_eq!(buf.iter().sum::<u32>(), 999 * 7 + 8);
            buf.free().unwrap();
        }
        let array: HostBuf<'_, [u8; 5]> = current.malloc_host_as(side).unwrap();
        assert_eq!(array[..], [0; 5]);
    }

    fn a_loop_goes_over_host_memory() {
        bound!(acl, side, device: Npu<0>, current);
        let mut numbers = current.malloc_host_from(side, &[1, 2, 3]).unwrap();
        for number in &mut numbers {
            *number *= 2;
        }
        let mut sum = 0;
        for number in &numbers {
            sum += number;
        }
        assert_eq!(sum, 12);
    }

    fn every_policy_allocates() {
        bound!(acl, device: Npu<0>, current);
        for policy in [
            MallocPolicy::HugeFirst, MallocPolicy::HugeOnly, MallocPolicy::NormalOnly,
            MallocPolicy::HugeFirstP2p, MallocPolicy::HugeOnlyP2p, MallocPolicy::NormalOnlyP2p,
        ] {
            let buf = current.malloc_with_policy::<u64>(100, policy).unwrap();
            assert_eq!(buf.len(), 100);
            assert!(buf.as_raw().is_aligned());
        }
        assert_eq!(MallocPolicy::default(), MallocPolicy::HugeFirst);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMalloc#1=207000"]
    fn pages_that_the_product_lacks_are_an_error() {
        bound!(acl, device: Npu<0>, current);
        let refused = current.malloc_with_policy::<u64>(100, MallocPolicy::Huge1GOnly);
        assert_says(refused.map(drop), &["aclrtMalloc", "207000"]);
        current.malloc_with_policy::<u64>(100, MallocPolicy::NormalOnly).unwrap();
    }

    fn each_domain_frees_with_its_own_function() {
        bound!(acl, side, device: Npu<0>, current);
        current.malloc::<u8>(10).unwrap().free().unwrap();
        current.malloc_dvpp::<u8>(10).unwrap().free().unwrap();
        current.malloc_host::<u8>(side, 10).unwrap().free().unwrap();
        drop(current.malloc::<u8>(10).unwrap());
        drop(current.malloc_dvpp::<u8>(10).unwrap());
        drop(current.malloc_host::<u8>(side, 10).unwrap());
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn memory_that_other_code_freed_is_reported() {
        bound!(acl, device: Npu<0>, current);
        let buf = current.malloc::<u8>(10).unwrap();
        // SAFETY: frees it behind the buffer's back; only the buffer's own free follows.
        assert_eq!(unsafe { sys::aclrtFree(buf.as_raw().cast()) }, 0);
        assert_says(buf.free(), &["aclrtFree", "107000", "freed"]);
        let buf = current.malloc_dvpp::<u8>(10).unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { sys::acldvppFree(buf.as_raw().cast()) }, 0);
        drop(buf);
        assert_eq!(release_failures(), 1);
    }

    fn buffers_are_freed_on_any_thread() {
        bound!(acl, side, device: Npu<0>, current);
        let on_device = current.malloc::<u8>(10).unwrap();
        let on_host = current.malloc_host::<u8>(side, 10).unwrap();
        let media = current.malloc_dvpp::<u8>(10).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || (on_device.free().unwrap(), on_host.free().unwrap(), drop(media)));
        });
        assert_eq!(release_failures(), 0);
    }

    fn raw_parts_go_out_and_come_back() {
        bound!(acl, device: Npu<0>, current);
        let buf = current.memset(current.malloc_as::<[u16; 12]>().unwrap(), 3).unwrap();
        let raw: NonNull<[u16; 12]> = buf.into_raw();
        // SAFETY: 12 initialised elements of device 0 that nothing else owns.
        let back: DeviceBuf<'_, Npu<0>, [u16; 12], Init> = unsafe { DeviceBuf::from_raw(raw) };
        assert_eq!(back.as_raw(), raw.as_ptr().cast());
        assert!(!back.is_empty());
        back.free().unwrap();
    }

    fn a_fixed_length_is_one_word() {
        assert_eq!(size_of::<DeviceBuf<'static, Npu<0>, [f32; 1000]>>(), size_of::<usize>());
        assert_eq!(size_of::<DeviceBuf<'static, Npu<0>, [f32]>>(), 2 * size_of::<usize>());
        assert_eq!(size_of::<Option<HostBuf<'static, [f32; 7]>>>(), size_of::<usize>());
    }

    fn code_for_run_time_lengths_takes_lengths_of_types_too() {
        fn sum(current: Current<'_, '_, Npu<0>>, host: HostBuf<'_, [u32]>, device: &DeviceBuf<'_, Npu<0>, [u32]>) -> u32 {
            let mut host = host;
            current.memcpy(&mut host, device).unwrap();
            host.iter().sum()
        }
        bound!(acl, side, device: Npu<0>, current);
        let written = current.memset(current.malloc_as::<[u32; 5]>().unwrap(), 1).unwrap();
        let address = written.as_raw();
        let written = written.forget_length();
        assert_eq!((written.as_raw(), written.len()), (address, 5));
        let host = current.malloc_host_as::<Fixed<u32, U5>>(side).unwrap();
        let raw = host.into_raw();
        // SAFETY: the same memory, from the buffer that gave it up.
        let host: HostBuf<'_, Fixed<u32, U5>> = unsafe { HostBuf::from_raw(raw) };
        assert_eq!(sum(current, host.forget_length(), &written), 5 * 0x0101_0101);
        drop(written);
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
