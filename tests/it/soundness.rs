//! Programs that try to make the device or the runtime use memory after its end: forgotten handles, shares and
//! accesses that outlive their origin, waits that do not wait.
//!
//! Each test runs on a schedule that delays queued work as far as possible. The emulator then detects memory that is
//! freed too early. The first tests make the same mistakes in C, and show that the emulator detects them.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
use std::{mem, ptr};

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{MemAttr, Npu, StreamName, Thread, emulator, sys};

use crate::common::{acl, assert_clean, assert_says, bound, embedded, host, isolated};

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn c_that_frees_under_queued_work_is_seen() {
        bound!(acl, device: Npu<0>, current, stream);
        let buf = current.malloc::<u8>(64).unwrap().into_raw().as_ptr();
        // SAFETY: the memory lives, as far as the call can see; nothing reads it.
        let queued = unsafe { sys::aclrtMemsetAsync(buf.cast(), 64, 1, 64, stream.as_raw()) };
        // SAFETY: an allocation, freed once. The emulator makes the queued fill an error.
        let freed = unsafe { sys::aclrtFree(buf.cast()) };
        assert_eq!((queued, freed), (0, 0));
        stream.synchronize().expect_err("the fill met freed memory");
        if embedded(&acl) {
            let seen = emulator::take_violations();
            assert_eq!(seen.len(), 1);
            assert_eq!(seen[0].what, emulator::What::MemoryUsedAfterFree);
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_share_that_outlives_its_context_is_freed_before_the_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let free = current.mem_info(MemAttr::Hbm).unwrap().free;
        let buf = current.malloc::<u8>(64).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let last = {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let share = stream.memset_async(stream.adopt(buf), 1).unwrap().share();
            // Dropped while it is queued, so that the buffer must be parked when the last share goes.
            drop(share.clone());
            stream.synchronize().unwrap().take(share)
        };
        context.destroy().unwrap();
        drop(last);
        let current = thread.set_current(&device).unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, free, "nobody is left to wait for");
        device.reset().unwrap();
        // A context of the same name must not free what the reset has freed.
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let fresh = current.malloc::<u8>(64).unwrap();
        current.synchronize_device().unwrap();
        fresh.free().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_PEERS" = "checked"]
    fn an_access_that_a_context_forgot_ends_with_the_context() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&second).unwrap();
        let there = current.memset(current.malloc::<u8>(64).unwrap(), 0).unwrap();
        let context = first.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let here = current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
            let here = stream.adopt(here);
            let access = current.can_access_peer(&second).unwrap().unwrap().enable(current).unwrap();
            let mut queued = stream.adopt(access.outbound().lend(there));
            stream.memcpy_async(&mut queued, &here).unwrap();
            mem::forget(queued);
            mem::forget(access);
            mem::forget(stream);
        }
        context.destroy().unwrap();
        // Waits for all devices that may use its memory, and for nothing that has ended.
        second.reset().unwrap();
        first.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_PEERS" = "checked", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn an_access_of_a_forgotten_context_ends_with_the_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&second).unwrap();
        let there = current.memset(current.malloc::<u8>(64).unwrap(), 0).unwrap();
        let context = first.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let here = current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
            let here = stream.adopt(here);
            let access = current.can_access_peer(&second).unwrap().unwrap().enable(current).unwrap();
            let mut queued = stream.adopt(access.outbound().lend(there));
            stream.memcpy_async(&mut queued, &here).unwrap();
            mem::forget((queued, here));
            mem::forget(access);
            mem::forget(stream);
        }
        mem::forget(context);
        first.reset().unwrap();
        second.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_work_of_a_forgotten_context_is_over_before_the_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let buf = current.malloc::<u8>(64).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        mem::forget(stream.memset_async(stream.adopt(buf), 1).unwrap());
        mem::forget(stream);
        mem::forget(context);
        device.reset().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        current.synchronize_device().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice=507001"]
    fn a_default_stream_taken_anew_does_not_vouch_for_failed_work() {
        bound!(acl, device: Npu<0>, current);
        let mut stream = current.default_stream().unwrap();
        let queued = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        drop(stream);
        // This wait receives the report of every failed task, also of the forgotten stream.
        current.synchronize_device().expect_err("told to fail");
        let taken = current.default_stream();
        assert!(taken.is_err(), "a new handle would give back {queued:?} as written");
        drop((taken, queued));
        current.synchronize_device().unwrap();
        if embedded(&acl) {
            assert_eq!(emulator::violations(), []);
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_limit_of_waits_does_not_hand_memory_over_early() {
        let mut acl = acl();
        acl.set_op_wait_timeout(Some(Duration::from_secs(1))).unwrap();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut a = current.create_stream::<Main>().unwrap();
        let mut b = current.create_stream::<Second>().unwrap();
        let mut c = current.create_stream::<Third>().unwrap();
        // A substitute for long work: the first stream waits for a record that comes at the end of the test.
        let long = Long::new(a.as_raw());
        let queued = a.memset_async(a.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        c.wait(a.record(&mut event).unwrap()).unwrap();
        let queued = a.handoff(&mut b, &mut event, queued).unwrap();
        let shared = a.memset_async(a.adopt(current.malloc::<u8>(64).unwrap()), 2).unwrap().share();
        let fence = a.fence(&mut event, shared).unwrap();
        let shared = b.wait_shared(&fence).unwrap();
        let ordered = c.synchronize().map(drop);
        let handed_over = b.synchronize_within(Duration::from_millis(1500)).map(drop);
        long.end(c.as_raw());
        // A wait that returns no memory has a limit, so the wait of `c` has ended with an error. A wait that passes
        // memory to a stream has none, so on `b` only the wait of the host has ended.
        let ordered = ordered.unwrap_err();
        // Which of the two a card reports is not known.
        assert!([Some(107019), Some(107020)].contains(&ordered.code()), "{ordered}");
        assert_says(handed_over, &["507046"]);
        let idle = b.synchronize().unwrap();
        drop((idle.take(queued), idle.take(shared), fence));
        drop((a, b, c));
        if embedded(&acl) {
            assert_eq!(emulator::violations(), []);
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn queued_buffers_that_change_places_are_freed_after_their_work() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let mut source = current.malloc_host::<u8>(side, 64).unwrap();
        source.fill(7);
        let mut one = stream.adopt(source);
        let mut two = stream.adopt(current.malloc_host::<u8>(side, 64).unwrap());
        let on_device = stream.adopt(current.malloc::<u8>(64).unwrap());
        let on_device = stream.memcpy_async(on_device, &one).unwrap();
        mem::swap(&mut one, &mut two);
        // Both still carry the queue: neither the swap nor the drop of one lets memory go early.
        drop(two);
        stream.memcpy_async(&mut one, &on_device).unwrap();
        let unqueued = mem::replace(&mut one, stream.adopt(current.malloc_host::<u8>(side, 64).unwrap()));
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(unqueued)[..], [7; 64]);
        drop((idle.take(one), idle.take(on_device)));
        current.synchronize_device().unwrap();
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn what_a_context_parked_waits_for_that_context() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current(&device).unwrap();
        let free = current.mem_info(MemAttr::Hbm).unwrap().free;
        let buf = current.malloc::<u8>(64).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        drop(stream.memset_async(stream.adopt(buf), 1).unwrap());
        mem::forget(stream);
        // A wait for the default context proves nothing about the other one.
        let current = thread.set_current(&device).unwrap();
        current.synchronize_device().unwrap();
        assert_ne!(current.mem_info(MemAttr::Hbm).unwrap().free, free, "freed too early");
        context.destroy().unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, free);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_panic_between_two_queued_copies_frees_nothing_early() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let source = stream.adopt(current.malloc_host::<u8>(side, 64).unwrap());
            let target = stream.adopt(current.malloc::<u8>(64).unwrap());
            let target = stream.memcpy_async(target, &source).unwrap();
            let shared = target.share();
            let _other = shared.clone();
            resume_unwind(Box::new(()));
        }));
        unwound.expect_err("it has panicked");
        device.reset().unwrap();
        assert_clean(&acl);
        if embedded(&acl) {
            assert_eq!(emulator::live().device_blocks, 0);
            assert_eq!(emulator::live().host_blocks, 0);
        }
    }

    fn elements_that_want_more_than_the_allocator_gives_are_refused() {
        bound!(acl, side, device: Npu<0>, current);
        let block = current.malloc_block(4096).unwrap();
        assert_says(current.malloc::<Page>(1), &["4096", "64"]);
        assert_says(current.malloc_host::<Page>(side, 1), &["4096", "64"]);
        assert_says(current.malloc_dvpp::<Page>(1), &["4096", "128"]);
        assert_says(current.malloc_local::<Page, 128>(1), &["4096", "128"]);
        assert_says(block.piece::<Page>(1), &["4096", "64"]);
        let page = current.malloc_local::<Page, 4096>(1).unwrap();
        assert_eq!(page.as_raw().addr() % 4096, 0);
        drop((page, block));
        current.synchronize_device().unwrap();
        assert_clean(&acl);
    }
}

/// An element that begins at a page.
#[derive(Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

// SAFETY: zero bytes are a value of an array of bytes.
unsafe impl bytemuck::Zeroable for Page {}
// SAFETY: any bytes are, and there is no padding.
unsafe impl bytemuck::Pod for Page {}

/// An event of the old kind. A stream waits for it until the test records it.
struct Long(sys::aclrtEvent);

impl Long {
    /// Lets a stream wait.
    fn new(stream: sys::aclrtStream) -> Long {
        let mut event = ptr::null_mut();
        // SAFETY: `event` is valid for a write.
        let created = unsafe { sys::aclrtCreateEventWithFlag(&raw mut event, sys::ACL_EVENT_SYNC) };
        // SAFETY: a live stream and a live event; 0 is no limit.
        let queued = unsafe { sys::aclrtStreamWaitEventWithTimeout(stream, event, 0) };
        assert_eq!((created, queued), (0, 0));
        Long(event)
    }

    /// Ends the wait, by a record on another stream.
    fn end(self, stream: sys::aclrtStream) {
        // SAFETY: a live stream and a live event.
        let recorded = unsafe { sys::aclrtRecordEvent(self.0, stream) };
        // SAFETY: a live stream.
        let reached = unsafe { sys::aclrtSynchronizeStream(stream) };
        assert_eq!((recorded, reached), (0, 0));
    }
}

isolated! {
    // The reset of a device does not wait while another component holds it too.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_share_dropped_behind_a_reset_that_did_not_wait_is_not_read_any_more() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let other = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let numbers = thread.set_current(&other).unwrap().malloc_host::<u8>(side, 64).unwrap();
        // SAFETY: another component of the process takes a reference of its own.
        assert_eq!(unsafe { sys::aclrtSetDevice(0) }, 0);
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let shared = stream.adopt(numbers).share();
        let share = stream.synchronize().unwrap().take(shared);
        let reader = stream.adopt(share.clone());
        let copy = stream.adopt(current.malloc::<u8>(64).unwrap());
        mem::forget(stream.memcpy_async(copy, &reader).unwrap());
        drop(reader);
        mem::forget(stream);
        device.reset().unwrap();
        drop(share);
        // SAFETY: the other component waits for the device, and gives its reference back.
        assert_eq!(unsafe { sys::aclrtSetDevice(0) }, 0);
        // SAFETY: takes no argument.
        assert_eq!(unsafe { sys::aclrtSynchronizeDevice() }, 0);
        assert_clean(&acl);
    }
}
