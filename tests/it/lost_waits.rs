//! Waits that fail repeatedly or cannot be made: memory in use is not returned, and no device or context ends before
//! its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use ascendcl::error::Usage;
use ascendcl::event::Progress;
use ascendcl::stream::Main;
use ascendcl::{Error, Npu, Thread, leaks, op, release_failures};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, bound, calls, embedded, host, isolated, usage,
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

    // Only a reset helps a lost device. The checker finds nothing wrong in one that comes before its work is over.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "1",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507010"]
    fn a_lost_device_is_reset_under_its_work() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.default_stream().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            drop(stream.memset_async(fresh, 1).unwrap());
        }
        device.reset().unwrap();
        assert!(!embedded(&acl) || ascendcl::emulator::faults_struck() > 0);
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
        bound!(acl, device: Npu<0>, current, stream);
        let fresh = stream.adopt(current.malloc::<u8>(64).unwrap());
        let queued = stream.memset_async(fresh, 1).unwrap();
        assert_says(current.synchronize_device(), &["507001"]);
        drop(queued);
        assert!(matches!(usage(stream.destroy()), Usage::StreamPoisoned { .. }));
    }

    // The blocking copy timed out. After that the device is waited for.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046"]
    fn a_blocking_call_whose_time_was_up_is_waited_for() {
        bound!(acl with journal, device: Npu<0>, current);
        assert_says(current.memset(current.malloc::<u8>(64).unwrap(), 1), &["aclrtMemset failed with 507046"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
        }
        assert_clean(&acl);
    }

    // Indices are copied to memory of the host that is freed on an error.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemcpy#1=507046"]
    fn a_copy_of_indices_whose_time_was_up_is_waited_for() {
        bound!(acl with journal, device: Npu<0>, current);
        let numbers = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let indices = numbers.tensor(&[4]).unwrap().indices(current, host(&acl), 2);
        assert_says(indices, &["aclrtMemcpy failed with 507046"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
        }
        drop(numbers);
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
        bound!(acl with journal, device: Npu<0>, current);
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

    // The same on a device that stops on failure: the end of a time limit does not stop it.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046"]
    fn a_blocking_call_whose_time_was_up_is_waited_for_in_stop_mode_too() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        assert_says(current.memset(current.malloc::<u8>(64).unwrap(), 1), &["aclrtMemset failed with 507046"]);
        if embedded(&acl) {
            assert_eq!(calls("aclrtSynchronizeDevice"), 1);
        }
        assert_clean(&acl);
    }

    // The wait for a stream fails for ever: its handle, its name and its memory are kept. A wait for the whole device
    // proves that the memory is unused. The name and the handle stay until the reset.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#1+=507011"]
    fn the_memory_of_a_lost_stream_is_freed_by_a_wait_for_the_device() {
        bound!(acl with journal, side, device: Npu<0>, current);
        let frees = || (calls("aclrtFree"), calls("aclrtFreeHost"));
        let mut stream = current.create_stream::<Main>().unwrap();
        let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
        let filled = stream.memset_async(fresh, 1).unwrap();
        let mut back = stream.adopt(current.malloc_host::<u8>(side, 4096).unwrap());
        stream.memcpy_async(&mut back, &filled).unwrap();
        for _ in 0..2 {
            assert_says(stream.drain().map(drop), &["aclrtSynchronizeStream failed with 507011"]);
        }
        drop((filled, back));
        assert_says(stream.destroy(), &["aclrtSynchronizeStream failed with 507011"]);
        assert_eq!(leaks(), 1, "the stream");
        if embedded(&acl) {
            assert_eq!((frees(), calls("aclrtDestroyStream")), ((0, 0), 0));
        }
        current.synchronize_device().unwrap();
        if embedded(&acl) {
            assert_eq!(frees(), (1, 1));
        }
        assert!(matches!(usage(current.create_stream::<Main>()), Usage::StreamNameTaken { .. }));
        device.reset().unwrap();
        assert_eq!((leaks(), release_failures()), (1, 0));
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeEvent#1+=507011"]
    fn a_fence_without_a_proof_parks_its_memory() {
        bound!(acl with journal, device: Npu<0>, current, stream);
        let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
        let filled = stream.memset_async(fresh, 1).unwrap();
        let fence = stream.fence(current.create_event::<Progress>().unwrap(), filled).unwrap();
        assert_says(fence.synchronize(), &["aclrtSynchronizeEvent failed with 507011"]);
        let released = || (calls("aclrtDestroyEvent"), calls("aclrtFree"));
        if embedded(&acl) {
            assert_eq!(released(), (1, 0));
        }
        stream.synchronize().unwrap();
        if embedded(&acl) {
            assert_eq!(released(), (1, 1));
        }
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011,aclrtSynchronizeStream#1+=507011"]
    fn what_a_launched_operator_uses_is_leaked_with_its_device() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let workspace = {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let zeros = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
            let zeros = stream.adopt(zeros);
            let (column, row) = (zeros.tensor(&[4, 1]).unwrap(), zeros.tensor(&[1, 4]).unwrap());
            let out = stream.adopt(current.malloc(16).unwrap()).into_tensor(&[4, 4]).unwrap();
            let launched = op::add(current, &column, &row, 1.0, out).unwrap().launch(&mut stream).unwrap();
            launched.workspace.is_some()
        };
        assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert_eq!(leaks(), 3 + u64::from(workspace), "the stream, the operand, the output, and the workspace");
        if embedded(&acl) {
            assert!(workspace);
            assert_eq!((calls("aclrtFree"), calls("aclrtDestroyStream"), calls("aclrtResetDevice")), (0, 0, 0));
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011"]
    fn a_block_without_a_proof_is_leaked_whole() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let block = current.malloc_block(4096).unwrap();
            drop(stream.memset_async(stream.adopt(block.piece::<u8>(64).unwrap()), 1).unwrap());
            drop(block);
            stream.synchronize().unwrap();
        }
        assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert_eq!(leaks(), 1, "the block");
        if embedded(&acl) {
            assert_eq!(calls("aclrtFree"), 0);
        }
    }

    // The function was not called yet, and the runtime may still call it.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011,aclrtSynchronizeStream#1+=507011"]
    fn a_function_without_a_proof_keeps_its_captures_and_its_memory() {
        let acl = acl_with_journal();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let captured = Arc::new(AtomicU32::new(0));
        {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut memory = stream.adopt(current.malloc_host::<u32>(side, 4).unwrap());
            let in_function = Arc::clone(&captured);
            let function = move |numbers: &mut [u32]| in_function.store(numbers[0], Ordering::SeqCst);
            stream.launch_host_func_on(&mut memory, function).unwrap();
        }
        assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert_eq!(leaks(), 2, "the stream and the memory");
        assert_eq!(Arc::strong_count(&captured), 2);
        if embedded(&acl) {
            assert_eq!(calls("aclrtFreeHost"), 0);
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_PEERS" = "checked",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011"]
    fn an_access_without_a_proof_stays_enabled() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let user = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let owner = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&user).unwrap();
        let access = current.can_access_peer(&owner).unwrap().unwrap().enable(current).unwrap();
        assert_says(access.disable(), &["aclrtSynchronizeDevice failed with 507011"]);
        assert!(matches!(usage(owner.reset()), Usage::PeerLost { user: 0, peer: 1, .. }));
        if embedded(&acl) {
            assert_eq!((calls("aclrtDeviceDisablePeerAccess"), calls("aclrtResetDevice")), (0, 0));
        }
    }

    // AscendCL ends, and begins again in the same process. The claims are those of the process.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507011"]
    fn a_lost_device_stays_taken_when_ascendcl_begins_again() {
        let first = acl();
        let mut thread = Thread::claim().unwrap();
        let device = first.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let stream = current.create_stream::<Main>().unwrap();
            drop(stream.adopt(current.malloc::<u8>(64).unwrap()));
            std::mem::forget(stream);
        }
        assert_says(device.reset(), &["aclrtSynchronizeDevice failed with 507011"]);
        first.finalize().unwrap();
        let second = acl();
        assert!(matches!(usage(second.set_device::<Npu<0>>(&mut thread, 0)), Usage::SlotTaken { slot: 0 }));
        assert!(matches!(usage(second.with_device(&mut thread, 0, |_, _| ())), Usage::DeviceTaken { id: 0 }));
        second.set_device::<Npu<1>>(&mut thread, 1).unwrap().reset().unwrap();
        assert_eq!(leaks(), 1, "the buffer");
    }
}
