//! Waits that fail repeatedly or cannot be made: memory in use is not returned, and no device or context ends before
//! its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{Error, Npu, Thread, leaks, release_failures};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, bound, calls, embedded, isolated, usage,
};

/// The number of calls of the hook for a resource that no wait has proven idle.
static HOOKED: AtomicU32 = AtomicU32::new(0);

fn hook(error: &Error) {
    assert!(
        error.to_string().contains("the work may still run"),
        "{error}"
    );
    HOOKED.fetch_add(1, Ordering::Relaxed);
}

isolated! {
    // The context is waited for from another thread, on which it has to be made current. That call fails once.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "aclrtSetCurrentContext#2=507011"]
    fn one_failed_binding_ends_no_context_under_its_work() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.default_stream().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            drop(stream.memset_async(fresh, 1).unwrap());
        }
        context.destroy().unwrap();
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011"]
    fn a_context_without_a_proof_is_not_destroyed() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.default_stream().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            drop(stream.memset_async(fresh, 1).unwrap());
        }
        assert_says(context.destroy(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert_eq!(leaks(), 1, "the buffer");
        assert!(matches!(usage(device.create_context::<1>(&mut thread)), Usage::ContextTaken { number: 1 }));
        assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert!(matches!(usage(acl.set_device::<Npu<0>>(&mut thread, 0)), Usage::SlotTaken { slot: 0 }));
        if embedded(&acl) {
            assert_eq!((calls("aclrtDestroyContext"), calls("aclrtResetDevice")), (0, 0));
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011"]
    fn a_device_without_a_proof_is_not_reset() {
        ascendcl::on_release_failure(hook);
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        acl.with_device(&mut thread, 0, |device, thread| {
            let current = thread.set_current(&device).unwrap();
            let stream = current.create_stream::<Main>().unwrap();
            drop(stream.adopt(current.malloc::<u8>(64).unwrap()));
            std::mem::forget(stream);
            assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        })
        .unwrap();
        assert_eq!(leaks(), 1, "the buffer");
        assert_eq!(HOOKED.load(Ordering::Relaxed), 1);
        let taken = acl.with_device(&mut thread, 0, |_, _| ());
        assert!(matches!(usage(taken), Usage::DeviceTaken { id: 0 }));
        if embedded(&acl) {
            assert_eq!(calls("aclrtResetDevice"), 0);
        }
        // Another device continues: its parked memory is freed.
        acl.with_device(&mut thread, 1, |device, thread| {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            drop(stream.adopt(current.malloc::<u8>(64).unwrap()));
            stream.synchronize().unwrap();
        })
        .unwrap();
        assert_eq!(leaks(), 1);
    }

    // The thread of that wait has no context, so the runtime would return a text about that, and not about the failure.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSetCurrentContext#2+=507011", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_error_of_a_failed_binding_has_no_text_about_another_failure() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        std::mem::forget(stream);
        let error = device.reset().unwrap_err().to_string();
        assert!(error.starts_with("aclrtSetCurrentContext failed with 507011"), "{error}");
        assert!(!error.contains("aclGetRecentErrMsg"), "{error}");
    }

    // The work of a forgotten context is over before its device is reset.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_work_of_a_forgotten_context_is_waited_for() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let has_run = Arc::new(AtomicBool::new(false));
        let context = device.create_context::<1>(&mut thread).unwrap();
        {
            let current = thread.set_current_context(&context).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let told = Arc::clone(&has_run);
            stream.launch_host_func(move || told.store(true, Ordering::SeqCst)).unwrap();
            std::mem::forget(stream);
        }
        std::mem::forget(context);
        device.reset().unwrap();
        assert!(has_run.load(Ordering::SeqCst));
        assert_eq!(release_failures(), 0);
    }

    // A failed call before a peer's last wait is repeated, so the peer is not lost for ever.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSetCurrentContext#2=507011"]
    fn one_failed_binding_loses_no_peer() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let user = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let owner = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&user).unwrap();
        let route = current.can_access_peer(&owner).unwrap().expect("a route");
        std::mem::forget(route.enable(current).unwrap());
        user.reset().unwrap();
        owner.reset().unwrap();
        acl.set_device::<Npu<1>>(&mut thread, 1).unwrap().reset().unwrap();
        assert_clean(&acl);
    }

    // The wait for the device has taken the report of the stream's failure.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_end_of_a_stream_vouches_for_no_failed_work() {
        bound!(acl, device: Npu<0>, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let fresh = stream.adopt(current.malloc::<u8>(64).unwrap());
        let queued = stream.memset_async(fresh, 1).unwrap();
        assert_says(current.synchronize_device(), &["507001"]);
        drop(queued);
        assert!(matches!(usage(stream.destroy()), Usage::StreamPoisoned { .. }));
    }

    // The blocking copy timed out. After that the device is waited for.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046"]
    fn a_blocking_call_whose_time_was_up_is_waited_for() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        assert_says(current.memset(current.malloc::<u8>(64).unwrap(), 1), &["aclrtMemset failed with 507046"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
        }
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046,aclrtSynchronizeDevice#1+=507046"]
    fn a_blocking_call_that_nothing_proves_over_aborts() {
        bound!(acl, device: Npu<0>, current);
        let outcome = current.memset(current.malloc::<u8>(64).unwrap(), 1);
        panic!("the fill went on: {outcome:?}");
    }

    // While memory is lent, a stream that leaves its thread is waited for, so no other thread receives the report.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#1=507001", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_stream_that_is_parked_in_a_scope_is_waited_for() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        let buf = current.memset(current.malloc::<u32>(4).unwrap(), 7).unwrap();
        let mut waits = 0;
        let mut left = None;
        let scope = current.scope(|scope| {
            let mut stream = stream;
            let from = stream.adopt(scope.lend(&buf));
            let fresh = stream.adopt(current.malloc::<u32>(4).unwrap());
            drop(stream.memcpy_async(fresh, &from).unwrap());
            left = Some(current.park(stream));
            waits = calls("aclrtSynchronizeStream");
        });
        assert_says(scope, &["507001"]);
        if embedded(&acl) {
            assert!(waits >= 1, "{waits}");
        }
        drop(left);
    }
}
