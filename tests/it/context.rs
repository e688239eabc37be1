//! Threads and their current context.

use ascendcl::error::Usage;
use ascendcl::{Error, MemAttr, Npu, Thread, sys};

use crate::common::{acl, assert_says, isolated};

/// The device that is current on the calling thread, as the runtime sees it.
fn current_device() -> i32 {
    let mut id = -1;
    // SAFETY: `id` is valid for a write.
    assert_eq!(unsafe { sys::aclrtGetDevice(&raw mut id) }, 0);
    id
}

isolated! {
    fn one_thread_token_per_thread() {
        let token = Thread::claim().unwrap();
        let Err(Error::Usage(usage)) = Thread::claim() else { panic!("two tokens") };
        assert_eq!(*usage, Usage::ThreadClaimed);
        std::thread::spawn(|| drop(Thread::claim().unwrap())).join().unwrap();
        drop(token);
        drop(Thread::claim().unwrap());
    }

    fn the_binding_follows_set_current() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        for _ in 0..3 {
            thread.set_current(&zero).unwrap();
            assert_eq!(current_device(), 0);
            thread.set_current(&one).unwrap();
            assert_eq!(current_device(), 1);
        }
        drop(zero);
        assert_eq!(current_device(), 1);
        drop(one);
    }

    fn binding_another_thread_takes_no_reference() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(&device).unwrap();
                let stream = current.create_stream::<ascendcl::stream::Main>().unwrap();
                current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
                stream.destroy().unwrap();
            });
        });
        device.reset().unwrap();
        // SAFETY: takes a number. The one reset was the last (observed, CANN runtime 1.17).
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    }

    fn a_context_that_other_code_reset_cannot_be_bound() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        // SAFETY: takes a number.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        assert_says(thread.set_current(&device), &["aclrtSetCurrentContext", "107000"]);
        core::mem::forget(device);
    }

    fn a_call_without_a_context_is_explained() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        // SAFETY: takes a number; clears the current context of every thread (observed, CANN runtime 1.17).
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        assert_says(current.malloc::<u8>(64), &["aclrtMalloc", "107002", "ACL_ERROR_RT_CONTEXT_NULL", "set_current"]);
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "107002"]);
        core::mem::forget(device);
    }

    fn memory_figures_follow_allocations() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let before = current.mem_info(MemAttr::Hbm).unwrap();
        assert!(before.free <= before.total);
        let buf = current.malloc::<u8>(64 << 20).unwrap();
        let during = current.mem_info(MemAttr::Hbm).unwrap();
        assert!(during.free + (64 << 20) <= before.free, "{before:?} {during:?}");
        buf.free().unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap(), before);
    }

    fn synchronise_device_reports_a_failed_task_once() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let stream = current.create_stream::<ascendcl::stream::Main>().unwrap();
        crate::stream::queue_a_failing_task(stream.as_raw());
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "507001"]);
        current.synchronize_device().unwrap();
        stream.destroy().unwrap();
    }
}
