//! Memory that is allocated for a stream and queued on it from the start.

use ascendcl::error::Usage;
use ascendcl::memory::fixed::Fixed;
use ascendcl::stream::Main;
use ascendcl::{Npu, emulator, release_failures};
use typenum::U4;

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, calls, embedded, host, isolated, usage,
};

isolated! {
    fn each_allocation_is_one_call() {
        let acl = acl_with_journal();
        let side = acl.host().unwrap();
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let stream = current.create_stream::<Main>()?;
            let start = emulator::journal().len();
            let kept = (
                stream.malloc::<u32>(4)?,
                stream.malloc_as::<[u32; 4]>()?,
                stream.malloc_as::<Fixed<u32, U4>>()?,
                stream.malloc_host::<u32>(side, 4)?,
                stream.malloc_host_as::<[u32; 4]>(side)?,
                stream.malloc_host_as::<Fixed<u32, U4>>(side)?,
                stream.malloc_host_from(side, &[1_u32, 2])?,
                current.malloc_host_from(side, &[1_u32, 2])?,
            );
            if embedded(&acl) {
                let names: Vec<_> = emulator::journal()[start..].iter().map(|call| call.name).collect();
                let expected = [["aclrtMalloc"; 3].as_slice(), &["aclrtMallocHost"; 5]].concat();
                assert_eq!(names, expected);
            }
            drop(kept);
            Ok(())
        });
        ran.unwrap();
        if embedded(&acl) {
            assert_eq!((calls("aclrtFree"), calls("aclrtFreeHost")), (3, 5));
        }
        assert_clean(&acl);
    }

    fn memory_of_all_lengths_goes_up_and_down() {
        let acl = acl();
        let side = host(&acl);
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let numbers = stream.malloc_host_from(side, &[1_u32, 2, 3, 4])?;
            let first = stream.memcpy_async(stream.malloc(4)?, &numbers)?;
            let second = stream.memcpy_async(stream.malloc_as::<[u32; 4]>()?, &first)?;
            let third = stream.memcpy_async(stream.malloc_as::<Fixed<u32, U4>>()?, &first)?;
            let one = stream.memcpy_async(stream.malloc_host(side, 4)?, &first)?;
            let two = stream.memcpy_async(stream.malloc_host_as::<[u32; 4]>(side)?, &second)?;
            let three = stream.memcpy_async(stream.malloc_host_as::<Fixed<u32, U4>>(side)?, &third)?;
            // One list holds them only without their lengths.
            let alike = [one, two.forget_length(), three.forget_length()];
            let idle = stream.synchronize()?;
            for host in alike {
                assert_eq!(idle.take(host)[..], [1, 2, 3, 4]);
            }
            assert_eq!(idle.take(numbers)[..], [1, 2, 3, 4]);
            Ok(())
        });
        ran.unwrap();
        assert_clean(&acl);
    }

    fn mistakes_in_lengths_are_named() {
        #[derive(Clone, Copy)]
        #[repr(C, align(128))]
        struct Wide([u8; 128]);
        // SAFETY: 128 bytes without padding, of which any are a value, zeros too.
        unsafe impl bytemuck::Zeroable for Wide {}
        // SAFETY: as above.
        unsafe impl bytemuck::Pod for Wide {}

        let acl = acl();
        let side = host(&acl);
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let stream = current.create_stream::<Main>()?;
            let none = Usage::ZeroSize { len: 0, size: 4 };
            assert_eq!(usage(stream.malloc::<u32>(0)), none);
            assert_eq!(usage(stream.malloc_as::<[u32; 0]>()), none);
            assert_eq!(usage(stream.malloc_host::<u32>(side, 0)), none);
            assert_eq!(usage(stream.malloc_host_as::<[u32; 0]>(side)), none);
            assert_eq!(usage(stream.malloc_host_from::<u32>(side, &[])), none);
            assert_eq!(usage(current.malloc_host_from::<u32>(side, &[])), none);
            let len = usize::MAX;
            let too_long = Usage::SizeOverflow { len, size: 4 };
            assert_eq!(usage(stream.malloc::<u32>(len)), too_long);
            assert_eq!(usage(stream.malloc_host::<u32>(side, len)), too_long);
            let too_wide = Usage::Alignment { needed: 128, given: 64 };
            assert_eq!(usage(stream.malloc::<Wide>(1)), too_wide);
            assert_eq!(usage(stream.malloc_host_from(side, &[Wide([0; 128])])), too_wide);
            Ok(())
        });
        ran.unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMalloc#1=207001,aclrtMallocHost#1=207001"]
    fn a_refused_allocation_is_the_error_and_nothing_is_queued() {
        let acl = acl();
        let side = host(&acl);
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let stream = current.create_stream::<Main>()?;
            assert_says(stream.malloc::<u8>(64), &["aclrtMalloc", "207001"]);
            assert_says(stream.malloc_host_from(side, &[0_u8; 64]), &["aclrtMallocHost", "207001"]);
            drop((stream.malloc::<u8>(64)?, stream.malloc_host_from(side, &[0_u8; 64])?));
            Ok(())
        });
        ran.unwrap();
        assert_eq!(release_failures(), 0);
    }

    /// A host buffer that a stream was to fill is readable behind a failure: it was zeroed.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#2=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_download_leaves_zeros() {
        let acl = acl();
        let side = host(&acl);
        let ran = acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let numbers = stream.malloc_host_from(side, &[7_u32; 16])?;
            let on_device = stream.memcpy_async(stream.malloc(16)?, &numbers)?;
            let result = stream.memcpy_async(stream.malloc_host(side, 16)?, &on_device)?;
            assert_says(stream.synchronize(), &["aclrtSynchronizeStream", "507001"]);
            let result = stream.drain()?.take(result).accept_unverified();
            assert_eq!(result[..], [0; 16]);
            Ok(())
        });
        ran.unwrap();
    }
}
