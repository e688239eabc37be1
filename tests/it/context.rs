//! Threads and their current context.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{MemAttr, Npu, StreamName, SysParam, Thread, release_failures, sys};

use crate::common::{acl, assert_clean, assert_says, bound, isolated, usage};

enum Upload {}
impl StreamName for Upload {}

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
        assert_eq!(usage(Thread::claim()), Usage::ThreadClaimed);
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
                let stream = current.create_stream::<Main>().unwrap();
                current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
                stream.destroy().unwrap();
            });
        });
        device.reset().unwrap();
        // SAFETY: takes a number. The one reset was the last (observed, CANN runtime 1.17).
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
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
        bound!(acl, device: Npu<0>, current);
        // SAFETY: takes a number; clears the current context of every thread (observed, CANN runtime 1.17).
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        assert_says(current.malloc::<u8>(64), &["aclrtMalloc", "107002", "ACL_ERROR_RT_CONTEXT_NULL", "set_current"]);
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "107002"]);
        core::mem::forget(device);
    }

    fn memory_figures_follow_allocations() {
        bound!(acl, device: Npu<0>, current);
        let before = current.mem_info(MemAttr::Hbm).unwrap();
        assert!(before.free <= before.total);
        let buf = current.malloc::<u8>(64 << 20).unwrap();
        let during = current.mem_info(MemAttr::Hbm).unwrap();
        assert!(during.free + (64 << 20) <= before.free, "{before:?} {during:?}");
        buf.free().unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap(), before);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn synchronise_device_reports_a_failed_task_once() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        crate::stream::queue_a_failing_task(stream.as_raw());
        assert_says(current.synchronize_device(), &["aclrtSynchronizeDevice", "507001"]);
        current.synchronize_device().unwrap();
        // Nothing proves that the work of this stream has succeeded.
        assert!(matches!(usage(stream.destroy()), Usage::StreamPoisoned { .. }));
    }
}

isolated! {
    fn an_explicit_context_is_bound_like_a_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let other = device.create_context::<2>(&mut thread).unwrap();
        assert_ne!(context.as_raw(), other.as_raw());
        assert_ne!(context.as_raw(), device.as_raw());
        let current = thread.set_current_context(&context).unwrap();
        let mut now = std::ptr::null_mut();
        // SAFETY: valid for a write of a pointer.
        assert_eq!(unsafe { sys::aclrtGetCurrentContext(&raw mut now) }, 0);
        assert_eq!(now, context.as_raw());
        // One name on three contexts is three streams.
        let stream = current.create_stream::<Main>().unwrap();
        stream.destroy().unwrap();
        context.destroy().unwrap();
        // Destroyed while it was current: the thread has none, and is bound anew.
        let current = thread.set_current_context(&other).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        drop(stream);
        drop(other);
        let current = thread.set_current(&device).unwrap();
        current.malloc::<u8>(1).unwrap().free().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn the_number_of_a_context_is_taken_once() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<7>(&mut thread).unwrap();
        assert_eq!(usage(device.create_context::<7>(&mut thread)), Usage::ContextTaken { number: 7 });
        context.destroy().unwrap();
        device.create_context::<7>(&mut thread).unwrap().destroy().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_context_that_other_code_destroyed_is_an_error() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        // SAFETY: other code of the process does this behind our back.
        assert_eq!(unsafe { sys::aclrtDestroyContext(context.as_raw()) }, 0);
        assert_says(thread.set_current_context(&context), &["aclrtSetCurrentContext", "10700"]);
        assert_says(context.destroy(), &["aclrtSetCurrentContext", "10700"]);
        // Nothing proves that its work is over, so its number is not given out again.
        assert!(device.create_context::<1>(&mut thread).is_err());
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_of_the_device_is_used_in_its_contexts() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let buf = current.memset(current.malloc::<u8>(64).unwrap(), 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Upload>().unwrap();
        let mut queued = stream.adopt(buf);
        stream.memset_async(&mut queued, 9).unwrap();
        let buf = stream.synchronize().unwrap().take(queued);
        drop(stream);
        context.destroy().unwrap(); // memory outlives the context
        let current = thread.set_current(&device).unwrap();
        let mut seen = current.malloc_local::<u8, 64>(64).unwrap();
        current.memcpy(&mut seen, &buf).unwrap();
        assert_eq!(seen[..], [9; 64]);
        drop((seen, buf));
        assert_clean(&acl);
    }

    // A wait for the default context proves nothing about an explicit one (observed). So memory that was dropped
    // while it was queued in one context is not freed by a wait for the other.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn parked_memory_waits_for_its_own_context() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let before = current.mem_info(MemAttr::Hbm).unwrap().free;
        let buf = current.malloc::<u8>(64).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Upload>().unwrap();
        drop(stream.memset_async(stream.adopt(buf), 9).unwrap());
        let parked = current.park(stream);
        let default = thread.set_current(&device).unwrap();
        default.synchronize_device().unwrap();
        let free = default.mem_info(MemAttr::Hbm).unwrap().free;
        assert!(free < before, "freed by a wait for another context");
        let current = thread.set_current_context(&context).unwrap();
        drop(current.attach(parked));
        context.destroy().unwrap();
        let default = thread.set_current(&device).unwrap();
        assert_eq!(default.mem_info(MemAttr::Hbm).unwrap().free, before);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_scope_of_a_context_waits_for_that_context() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.create_stream::<Upload>().unwrap();
        let mut target = vec![0_u8; 64];
        current
            .scope(|scope| {
                let mut to = stream.adopt(scope.lend(&mut target[..]));
                let buf = stream.adopt(current.malloc::<u8>(64).unwrap());
                let buf = stream.memset_async(buf, 3).unwrap();
                stream.memcpy_async(&mut to, &buf).unwrap();
            })
            .unwrap();
        assert_eq!(target, [3; 64]);
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_STREAMS" = "3"]
    fn contexts_run_out_with_the_streams() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        // Each has a default stream, as the device has.
        let _one = device.create_context::<1>(&mut thread).unwrap();
        assert_says(
            device.create_context::<2>(&mut thread),
            &["aclrtCreateContext", "207008", "all streams of the device are in use"],
        );
    }

    fn parameters_belong_to_the_process_or_to_a_context() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        assert_eq!(acl.sys_param(SysParam::Deterministic).unwrap(), 0);
        acl.set_sys_param(SysParam::Deterministic, 1).unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        // Not set here is an answer and no error.
        assert_eq!(current.sys_param(SysParam::Deterministic).unwrap(), None);
        current.set_sys_param(SysParam::Deterministic, 0).unwrap();
        assert_eq!(current.sys_param(SysParam::Deterministic).unwrap(), Some(0));
        // The runtime sets the process's with it.
        assert_eq!(acl.sys_param(SysParam::Deterministic).unwrap(), 0);
        assert_eq!(current.sys_param(SysParam::DebugKernel).unwrap(), None);
        assert_eq!(current.sys_param(SysParam::StrongConsistency).unwrap(), None);
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        assert_eq!(current.sys_param(SysParam::Deterministic).unwrap(), None);
    }
}

isolated! {
    fn a_parameter_of_a_context_becomes_that_of_the_process() {
        bound!(acl, device: Npu<0>, current);
        acl.set_sys_param(SysParam::Deterministic, 3).unwrap();
        current.set_sys_param(SysParam::Deterministic, 2).unwrap();
        assert_eq!(acl.sys_param(SysParam::Deterministic).unwrap(), 2);
        // In the opposite order each has its own.
        acl.set_sys_param(SysParam::Deterministic, 1).unwrap();
        assert_eq!(current.sys_param(SysParam::Deterministic).unwrap(), Some(2));
        assert_eq!(acl.sys_param(SysParam::DebugKernel).unwrap(), 0);
    }

    fn parameters_have_few_values() {
        bound!(acl, device: Npu<0>, current);
        for (param, most) in [
            (SysParam::Deterministic, 3),
            (SysParam::DebugKernel, 1),
            (SysParam::StrongConsistency, 1),
        ] {
            for value in [-1, most + 1, 99] {
                assert_says(acl.set_sys_param(param, value), &["aclrtSetSysParamOpt failed with 107000"]);
                assert_says(current.set_sys_param(param, value), &["aclrtCtxSetSysParamOpt failed with 107000"]);
            }
            assert_eq!(acl.sys_param(param).unwrap(), 0);
            assert_eq!(current.sys_param(param).unwrap(), None);
            current.set_sys_param(param, most).unwrap();
            assert_eq!(acl.sys_param(param).unwrap(), most);
        }
    }

    // The other library has device 1 current, and finds it current again.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn a_visit_leaves_the_context_of_the_thread_as_it_was() {
        let acl = acl();
        let device = acl.set_device::<Npu<0>>(&mut Thread::claim().unwrap(), 0).unwrap();
        // SAFETY: takes a number.
        assert_eq!(unsafe { sys::aclrtSetDevice(1) }, 0);
        let seen = Thread::visit(|thread| {
            let current = thread.set_current(&device).unwrap();
            current.malloc::<u8>(64).unwrap().free().unwrap();
            assert!(matches!(usage(Thread::visit(|_| ())), Usage::ThreadClaimed));
            current_device()
        });
        assert_eq!((seen.unwrap(), current_device()), (0, 1));
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            Thread::visit(|thread| {
                thread.set_current(&device).unwrap();
                panic!("half-way");
            })
        }));
        assert!(panicked.is_err());
        assert_eq!(current_device(), 1);
        // A thread without a context has none to return to.
        let without = || Thread::visit(|thread| thread.set_current(&device).map(|_| ())).unwrap().unwrap();
        std::thread::scope(|scope| scope.spawn(without).join().unwrap());
        // SAFETY: takes a number, and pairs with the set above.
        assert_eq!(unsafe { sys::aclrtResetDevice(1) }, 0);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    // The earlier context belongs to this program, and the visit ends its device.
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_visit_tells_that_the_context_of_before_is_gone() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        drop(thread);
        assert_says(Thread::visit(|_| device.reset().unwrap()), &["aclrtSetCurrentContext failed with 107000"]);
        assert_eq!(release_failures(), 0);
    }

    // The visit could not restore a context that it does not know.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtGetCurrentContext#2=507899"]
    fn a_visit_that_does_not_know_the_context_does_not_begin() {
        let acl = acl();
        let device = acl.set_device::<Npu<0>>(&mut Thread::claim().unwrap(), 0).unwrap();
        let visited = Thread::visit(|_| panic!("it has begun"));
        assert_says(visited, &["aclrtGetCurrentContext failed with 507899"]);
        Thread::visit(|thread| thread.set_current(&device).map(|_| ())).unwrap().unwrap();
    }
}
