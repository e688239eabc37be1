//! Less common allocations, fills with words, and the free that waits.

use ascendcl::memory::{CachedPolicy, MallocConfig};
use ascendcl::{MallocPolicy, MemAttr, Npu, Thread, op};

use crate::common::{acl, assert_clean, assert_says, bound, calls, embedded, isolated};

isolated! {
    fn the_two_media_allocators_have_their_own_free() {
        bound!(acl with journal, device: Npu<0>, current);
        let first = current.memset(current.malloc_dvpp::<u8>(100).unwrap(), 4).unwrap();
        let second = current.malloc_dvpp_v2::<u8>(100).unwrap();
        let second = current.memcpy(second, &first).unwrap();
        let mut seen = current.malloc_local::<u8, 64>(100).unwrap();
        current.memcpy(&mut seen, &second).unwrap();
        assert_eq!(seen[..], [4; 100]);
        first.free().unwrap();
        second.free().unwrap();
        drop(seen);
        if embedded(&acl) {
            assert_eq!((calls("acldvppFree"), calls("hi_mpi_dvpp_free")), (1, 1));
        }
        assert_clean(&acl);
    }

    fn cached_memory_and_memory_with_attributes_are_device_memory() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&device).unwrap();
        let policies = [
            CachedPolicy::HugeFirst,
            CachedPolicy::HugeOnly,
            CachedPolicy::NormalOnly,
            CachedPolicy::Huge1GOnly,
        ];
        let mut seen = current.malloc_local::<u16, 64>(3).unwrap();
        for policy in policies {
            let buf = current.malloc_cached::<u16>(3, policy).unwrap();
            let buf = current.memset(buf, 0x11).unwrap();
            current.memcpy(&mut seen, &buf).unwrap();
            assert_eq!(seen[..], [0x1111; 3], "{policy:?}");
            buf.free().unwrap();
        }
        for config in [
            MallocConfig::new(),
            MallocConfig::new().module(3),
            MallocConfig::new().on_device(),
            MallocConfig::new().module(3).on_device(),
        ] {
            let text = format!("{config:?}");
            let buf = current.malloc_with_config::<u16>(3, MallocPolicy::HugeFirst, config);
            let buf = current.memset(buf.unwrap(), 0x22).unwrap();
            current.memcpy(&mut seen, &buf).unwrap();
            assert_eq!(seen[..], [0x2222; 3], "{text}");
        }
        drop(seen);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device"]
    fn cached_memory_is_queued_filled_and_computed_with() {
        bound!(acl with journal, device: Npu<0>, current, stream);
        let cached = || current.malloc_cached::<i32>(16, CachedPolicy::HugeFirst).unwrap();
        let a = current.memset_d32(cached(), 3).unwrap();
        let b = stream.memset_async(stream.adopt(cached()), 0).unwrap();
        let b = stream.synchronize().unwrap().take(b);
        let out = cached().into_tensor(&[16]).unwrap();
        let plan = op::add(current, &a.tensor(&[16]).unwrap(), &b.tensor(&[16]).unwrap(), 1, out);
        let sum = plan.unwrap().run(&mut stream).unwrap();
        let mut seen = current.malloc_local::<i32, 64>(16).unwrap();
        current.memcpy(&mut seen, &sum).unwrap();
        assert_eq!(seen[..], [3; 16]);
        drop((a, b, sum, stream));
        if embedded(&acl) {
            // `aclrtMalloc` allocates a workspace, for which operators ask under the checker.
            assert_eq!((calls("aclrtMallocCached"), calls("aclrtFree") - calls("aclrtMalloc")), (3, 3));
        }
        drop(seen);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_GIGABYTE_PAGES" = "no"]
    fn a_product_without_gigabyte_pages_says_so() {
        bound!(acl, device: Npu<0>, current);
        assert_says(
            current.malloc_with_policy::<u8>(16, MallocPolicy::Huge1GOnly),
            &["aclrtMalloc", "207001", "1 GiB pages exist on some products only"],
        );
        assert_says(
            current.malloc_cached::<u8>(16, CachedPolicy::Huge1GOnly),
            &["aclrtMallocCached", "207001"],
        );
    }

    fn words_fill_host_and_device_memory() {
        bound!(acl, side, device: Npu<0>, current);
        let mut host = current.malloc_host::<i32>(side, 5).unwrap();
        current.memset_d32(&mut host, -2).unwrap();
        assert_eq!(host[..], [-2; 5]);
        let mut buf = current.memset_d32(current.malloc::<i32>(5).unwrap(), 7).unwrap();
        current.memset_d32(buf.slice_mut(1..3).unwrap(), -9).unwrap();
        current.memcpy(&mut host, &buf).unwrap();
        assert_eq!(host[..], [7, -9, -9, 7, 7]);
        drop((host, buf));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn queued_words_fill_device_memory() {
        bound!(acl, device: Npu<0>, current, stream);
        let buf = stream.adopt(current.malloc::<f32>(5).unwrap());
        let mut buf = stream.memset_d32_async(buf, 0.5).unwrap();
        stream.memset_d32_async(buf.slice_mut(0..2).unwrap(), 1.5).unwrap();
        let buf = stream.synchronize().unwrap().take(buf);
        let mut seen = current.malloc_local::<f32, 64>(5).unwrap();
        current.memcpy(&mut seen, &buf).unwrap();
        assert_eq!(seen[..], [1.5, 1.5, 0.5, 0.5, 0.5]);
        drop((buf, seen, stream));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn the_free_that_waits_ends_queued_work_first() {
        bound!(acl, device: Npu<0>, current, stream);
        let before = current.mem_info(MemAttr::Hbm).unwrap().free;
        let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        // Another buffer is parked, and the same wait frees it.
        drop(stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap());
        buf.free_with_dev_sync(current).unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, before);
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtFreeWithDevSync=507001"]
    fn a_free_that_could_not_wait_parks_the_memory() {
        bound!(acl, device: Npu<0>, current, stream);
        let before = current.mem_info(MemAttr::Hbm).unwrap().free;
        let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        assert_says(buf.free_with_dev_sync(current), &["aclrtFreeWithDevSync", "507001"]);
        // The wait may have received the report of a failed task, so no stream can verify earlier work.
        assert_says(stream.synchronize().map(drop), &["its earlier work may have failed"]);
        current.synchronize_device().unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, before);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync=507001"]
    fn a_free_whose_wait_tells_a_failure_leaves_the_memory() {
        bound!(acl, device: Npu<0>, current, stream);
        let before = current.mem_info(MemAttr::Hbm).unwrap().free;
        let from = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        let to = stream.memcpy_async(stream.adopt(current.malloc(64).unwrap()), &from).unwrap();
        assert_says(to.free_with_dev_sync(current), &["aclrtFreeWithDevSync", "507001"]);
        assert!(current.mem_info(MemAttr::Hbm).unwrap().free < before);
        drop(from);
        current.synchronize_device().unwrap();
        // Freed once: by the wait, and not by the call that has failed.
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, before);
        assert_eq!(ascendcl::release_failures(), 0);
    }
}
