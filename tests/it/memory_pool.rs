//! Memory of pools, which streams allocate and free in their order.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::stream::{Main, StreamStatus};
use ascendcl::{ErrorKind, Npu, StreamName, op, sys};

use crate::common::{
    self, acl_with_journal, assert_clean, assert_refused, bound, calls, host, isolated, usage,
};

enum Second {}
impl StreamName for Second {}

const SIZE: usize = 1 << 30;

isolated! {
    // A pool whose settings are those of the runtime may give memory to a stream that waits for its free.
    ["ASCENDCL_BACKEND" = "emulator"]
    fn no_stream_gets_memory_by_a_wait() {
        let acl = acl_with_journal();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        assert_eq!(calls("aclrtMemPoolSetAttr"), 2);
        for attribute in [
            sys::ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES,
            sys::ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
        ] {
            let mut value = 7_i32;
            let place = (&raw mut value).cast();
            // SAFETY: a live pool, and an `int` for these attributes.
            let code = unsafe { sys::aclrtMemPoolGetAttr(pool.as_raw(), attribute, place) };
            assert_eq!((code, value), (0, 0), "{attribute:?}");
        }
    }

    // The checker gives each operator a workspace, which is parked until a wait.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn fresh_memory_for_each_batch_needs_no_wait_and_stays_constant() {
        let acl = acl_with_journal();
        let side = host(&acl);
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        let numbers = stream.malloc_host_from(side, &[3.0_f32; 64]).unwrap();
        let mut sums = stream.memset_async(stream.malloc_host(side, 64).unwrap(), 0).unwrap();
        let (mallocs, frees) = (calls("aclrtMalloc"), calls("aclrtFree"));
        let mut most = 0;
        for _ in 0..100 {
            let batch = stream.memcpy_async(stream.malloc_from(&pool, 64).unwrap(), &numbers).unwrap();
            let out = stream.malloc_from::<f32>(&pool, 64).unwrap().into_tensor(&[64]).unwrap();
            let x = batch.tensor(&[64]).unwrap();
            let out = op::add(current, &x, &x, 1.0, out).unwrap().launch(&mut stream).unwrap().into_output();
            stream.memcpy_async(&mut sums, &out).unwrap();
            most = most.max(pool.reserved(current).unwrap());
        }
        // Nothing has waited, nothing is parked, and the device has given out two pieces.
        assert_eq!(stream.query().unwrap(), StreamStatus::NotReady);
        assert_eq!(ascendcl::parked_bytes(), 0);
        assert_eq!(most, 2 * (2 << 20));
        assert_eq!((calls("aclrtMalloc"), calls("aclrtFree")), (mallocs, frees));
        assert_eq!(calls("aclrtMemPoolFreeAsync"), 200);
        for wait in ["aclrtSynchronizeStream", "aclrtSynchronizeDevice", "aclrtSynchronizeEvent"] {
            assert_eq!(calls(wait), 0, "{wait}");
        }
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(sums)[..], [6.0; 64]);
        idle.take(numbers).free().unwrap();
        pool.destroy(current).unwrap();
        assert_eq!(calls("aclrtMemPoolDestroy"), 1);
        drop(stream);
        assert_clean(&acl);
    }

    /// Queued and idle memory, by bytes and by words.
    fn memory_of_pools_is_filled_like_other_device_memory() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let pool = current.create_pool(0).unwrap();
        let words = stream.memset_d32_async(stream.malloc_from(&pool, 4).unwrap(), 1.5_f32).unwrap();
        let back = stream.memcpy_async(stream.malloc_host(side, 4).unwrap(), &words).unwrap();
        let idle = stream.synchronize().unwrap();
        let (mut words, mut back) = (idle.take(words), idle.take(back));
        assert_eq!(back[..], [1.5; 4]);
        current.memset_d32(&mut words, 2.5).unwrap();
        current.memcpy(&mut back, &words).unwrap();
        assert_eq!(back[..], [2.5; 4]);
        drop((words, back));
        pool.destroy(current).unwrap();
        drop(stream);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn idle_memory_is_freed_at_once_on_any_thread() {
        bound!(acl, device: Npu<0>, current, stream);
        let pool = current.create_pool(0).unwrap();
        let ones = stream.memset_async(stream.malloc_from::<u8>(&pool, 100).unwrap(), 1).unwrap();
        let more = stream.memset_async(stream.malloc_from::<u8>(&pool, 100).unwrap(), 1).unwrap();
        let idle = stream.synchronize().unwrap();
        let (ones, more) = (idle.take(ones), idle.take(more));
        // Blocking copies take it too.
        let copy = current.memcpy(current.malloc(100).unwrap(), &ones).unwrap();
        thread::scope(|scope| scope.spawn(|| drop(ones)).join().unwrap());
        more.free().unwrap();
        copy.free().unwrap();
        assert_eq!(pool.used(current).unwrap(), 0);
        pool.destroy(current).unwrap();
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_that_another_stream_has_is_parked() {
        let acl = acl_with_journal();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let ones = stream.memset_async(stream.malloc_from::<u8>(&pool, 64).unwrap(), 1).unwrap();
        let mut moved = stream.handoff(&mut second, &mut event, ones).unwrap();
        second.memset_async(&mut moved, 2).unwrap();
        // The first stream must not reuse it: it does not wait for the second one.
        drop(moved);
        assert_eq!(ascendcl::parked_bytes(), 64);
        assert_eq!(calls("aclrtMemPoolFreeAsync"), 0);
        let other = stream.malloc_from::<u8>(&pool, 64).unwrap();
        assert_eq!(pool.used(current).unwrap(), 2 * (2 << 20));
        second.synchronize().unwrap();
        assert_eq!((ascendcl::parked_bytes(), calls("aclrtFree")), (0, 1));
        // Back on its stream, it is freed there.
        let there = stream.handoff(&mut second, &mut event, other).unwrap();
        drop(second.handoff(&mut stream, &mut event, there).unwrap());
        assert_eq!((ascendcl::parked_bytes(), calls("aclrtMemPoolFreeAsync")), (0, 1));
        stream.synchronize().unwrap();
        second.synchronize().unwrap();
        pool.destroy(current).unwrap();
        drop((stream, second));
        assert_clean(&acl);
    }

    fn a_stream_that_has_ended_frees_nothing_in_its_order() {
        bound!(acl, device: Npu<0>, current);
        let pool = current.create_pool(SIZE).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        let orphan = stream.malloc_from::<u8>(&pool, 64).unwrap();
        stream.destroy().unwrap();
        // The name is free again, and it is another stream.
        let mut stream = current.create_stream::<Main>().unwrap();
        drop(orphan);
        assert_eq!(ascendcl::parked_bytes(), 64);
        stream.synchronize().unwrap();
        let own = stream.malloc_from::<u8>(&pool, 64).unwrap();
        assert_eq!(pool.used(current).unwrap(), 2 << 20);
        drop(own);
        drop(stream);
        drop(pool);
        current.synchronize_device().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn forgotten_memory_keeps_its_pool() {
        bound!(acl, device: Npu<0>, current, stream);
        let pool = current.create_pool(SIZE).unwrap();
        mem::forget(stream.memset_async(stream.malloc_from::<u8>(&pool, 64).unwrap(), 1).unwrap());
        assert!(matches!(usage(pool.destroy(current)), Usage::PoolInUse));
        let pool = current.create_pool(SIZE).unwrap();
        mem::forget(stream.malloc_from::<u8>(&pool, 64).unwrap());
        drop(pool);
        current.synchronize_device().unwrap();
        drop(stream);
        assert_clean(&acl);
    }

    fn memory_is_dropped_on_other_threads_and_in_closures_of_streams() {
        bound!(acl, device: Npu<0>, current);
        let pool = current.create_pool(SIZE).unwrap();
        let mut lanes: Vec<_> = (0..3).map(|_| current.create_parked_stream().unwrap()).collect();
        for lane in &mut lanes {
            let kept = lane
                .with(current, |stream| {
                    let dropped = stream.memset_async(stream.malloc_from::<u8>(&pool, 64)?, 1)?;
                    drop(dropped);
                    Ok::<_, ascendcl::Error>(stream.malloc_from::<u8>(&pool, 64)?.unbrand())
                })
                .unwrap();
            // This thread has no context, so the memory is parked.
            thread::scope(|scope| scope.spawn(|| drop(kept)).join().unwrap());
        }
        assert_eq!(ascendcl::parked_bytes(), 3 * 64);
        drop(lanes);
        assert_eq!((ascendcl::parked_bytes(), pool.used(current).unwrap()), (0, 0));
        drop(pool);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    fn memory_is_freed_by_one_thread_while_another_one_allocates() {
        let acl = common::acl();
        let mut main = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut main, 0).unwrap();
        let current = main.set_current(&device).unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        thread::scope(|threads| {
            // The pool has room for 512 buffers.
            let (sender, receiver) = std::sync::mpsc::sync_channel(64);
            let device = &device;
            threads.spawn(move || {
                let mut thread = ascendcl::Thread::claim().unwrap();
                let _current = thread.set_current(device).unwrap();
                receiver.into_iter().for_each(drop);
            });
            for _ in 0..1000 {
                let memory = stream.malloc_from::<u8>(&pool, 64).unwrap();
                sender.send(stream.memset_async(memory, 7).unwrap()).unwrap();
            }
        });
        drop(stream);
        pool.destroy(current).unwrap();
        assert_eq!(ascendcl::release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_host_function_frees_nothing_by_a_call() {
        static DROPPED: AtomicUsize = AtomicUsize::new(0);
        // Memory with the lifetime of the process, which a host function may own.
        let acl = common::acl().leak();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().leak();
        let current = thread.set_current(device).unwrap();
        let pool = &*Box::leak(Box::new(current.create_pool(SIZE).unwrap()));
        let mut stream = current.create_stream::<Main>().unwrap();
        let memory = stream.malloc_from::<u8>(pool, 64).unwrap();
        stream.launch_host_func(move || {
            drop(memory);
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(DROPPED.load(Ordering::Relaxed), 1);
        stream.synchronize().unwrap();
        assert_eq!(pool.used(current).unwrap(), 0);
        assert_clean(acl);
    }

    fn a_pool_has_a_size_and_gives_memory_back() {
        bound!(acl, device: Npu<0>, current, stream);
        let pool = current.create_pool(1).unwrap(); // one unit of 2 MiB
        assert_refused(current.create_pool(usize::MAX / 2), sys::ACL_ERROR_RT_PARAM_INVALID);
        pool.set_release_threshold(current, 2 << 20).unwrap();
        assert_refused(pool.set_release_threshold(current, 4 << 20), sys::ACL_ERROR_RT_PARAM_INVALID);
        let first = stream.malloc_from::<u8>(&pool, 100).unwrap();
        let full = stream.malloc_from::<u8>(&pool, 100);
        let error = full.map(drop).unwrap_err();
        assert!(error.to_string().contains("the pool is full"), "{error}");
        assert!(matches!(usage(stream.malloc_from::<u8>(&pool, 0).map(drop)), Usage::ZeroSize { .. }));
        drop(first);
        assert_eq!((pool.used(current).unwrap(), pool.reserved(current).unwrap()), (0, 2 << 20));
        stream.synchronize().unwrap();
        pool.trim_to(current, 0).unwrap();
        assert_eq!(pool.reserved(current).unwrap(), 0);
        drop(stream);
        drop(pool);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemPoolFreeAsync#1=507899,aclrtMemPoolDestroy#1=507899", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_refused_free_is_reported_and_never_repeated() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        drop(stream.malloc_from::<u8>(&pool, 64).unwrap());
        assert_eq!(ascendcl::release_failures(), 1);
        assert_eq!(ascendcl::parked_bytes(), 0);
        assert_refused(pool.destroy(current), 507899);
        drop(stream);
    }

    fn a_device_that_ends_on_another_thread_destroys_its_pools() {
        let acl = common::acl();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        drop(current.create_pool(SIZE).unwrap());
        thread::scope(|scope| scope.spawn(move || drop(device)).join().unwrap());
        assert_clean(&acl);
    }

    #[cfg(feature = "graphs")]
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_recording_frees_nothing_in_its_stream() {
        let acl = acl_with_journal();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let pool = current.create_pool(SIZE).unwrap();
        let beside = stream.malloc_from::<u8>(&pool, 64).unwrap();
        let inside = stream.memset_async(stream.malloc_from::<u8>(&pool, 64).unwrap(), 1).unwrap();
        let inside = stream.synchronize().unwrap().take(inside);
        let mut graph = stream
            .capture(inside, |recording, mut inside| {
                drop(beside); // the free would be a part of the graph
                recording.memset_async(&mut inside, 2)
            })
            .unwrap();
        assert_eq!((calls("aclrtMemPoolFreeAsync"), ascendcl::parked_bytes()), (0, 64));
        graph.launch(&mut stream).unwrap();
        let graph = stream.synchronize().unwrap().take(graph);
        drop(graph);
        assert_eq!(pool.used(current).unwrap(), 0);
        drop(stream.malloc_from::<u8>(&pool, 64).unwrap());
        assert_eq!(calls("aclrtMemPoolFreeAsync"), 1);
        drop(stream);
        drop(pool);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend310P3"]
    fn a_product_without_pools_says_so() {
        bound!(acl, device: Npu<0>, current);
        let error = current.create_pool(SIZE).map(drop).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Refused(_) | ErrorKind::Backend(_)), "{error}");
        assert_clean(&acl);
    }
}
