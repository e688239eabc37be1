//! Devices that stop when one of their tasks fails.

use ascendcl::event::{Order, OrderProgress};
use ascendcl::stream::Main;
use ascendcl::{Npu, StreamName, Thread, leaks, sys};

use crate::common::{
    acl, acl_with_journal, assert_clean, assert_says, bound, calls, embedded, isolated,
};
use crate::stream::queue_a_failing_task;

enum Second {}
impl StreamName for Second {}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_fence_that_completes_gives_proven_memory() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(4).unwrap()), 7).unwrap();
        let fence = stream.fence(current.create_event::<OrderProgress>().unwrap(), buf).unwrap();
        let (buf, event) = fence.synchronize().unwrap();
        let mut seen = current.malloc_local::<u8, 64>(4).unwrap();
        current.memcpy(&mut seen, &buf).unwrap(); // no `verify` in between
        assert_eq!(seen[..], [7; 4]);
        drop((buf, event, seen, stream));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    // Each call up to the fence comes before the failure.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn after_a_failure_nothing_succeeds_until_the_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut failing = current.create_stream::<Main>().unwrap();
        let mut other = current.create_stream::<Second>().unwrap();
        let buf = failing.adopt(current.malloc::<u8>(64).unwrap());
        queue_a_failing_task(failing.as_raw());
        let event = current.create_event::<Order>().unwrap();
        let fence = failing.fence(event, buf).unwrap();
        // An event does not complete behind failed work, as it does in the other mode.
        assert_says(fence.synchronize(), &["aclrtSynchronizeEvent", "507001"]);
        assert_says(failing.synchronize(), &["507001"]);
        assert_says(other.synchronize(), &["507001"]);
        assert_says(failing.drain().map(drop), &["507001"]);
        let buf = other.adopt(current.malloc::<u8>(64).unwrap());
        assert_says(other.memset_async(buf, 1), &["aclrtMemsetAsync", "507001"]);
        drop((failing, other));
        device.reset().unwrap();
        // The memory in the queues was leaked, because nothing proves that it is unused.
        assert!(leaks() > 0);
        // The reset has recovered the device.
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let buf = stream.memset_async(stream.adopt(current.malloc::<u8>(4).unwrap()), 7).unwrap();
        stream.synchronize().unwrap().take(buf).free().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_default_stream_stops_too() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.default_stream().unwrap();
        queue_a_failing_task(stream.as_raw());
        assert_says(stream.synchronize(), &["507001"]);
        assert_says(stream.synchronize(), &["507001"]);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSetStreamFailureMode=207000"]
    fn where_the_mode_is_missing_the_stream_is_refused() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        assert_says(
            current.create_stream::<Main>(),
            &["aclrtSetStreamFailureMode", "207000", "does not support"],
        );
        // The name is free, and the stream was destroyed.
        current.create_stream::<Main>().unwrap().destroy().unwrap();
        if embedded(&acl) {
            assert_eq!((calls("aclrtCreateStream"), calls("aclrtDestroyStream")), (2, 2));
        }
        assert_clean(&acl);
    }

    fn the_mode_costs_nothing_where_it_is_not_asked_for() {
        bound!(acl, device: Npu<0>, current);
        let stream = current.create_stream::<Main>().unwrap();
        let id = stream.as_raw();
        assert!(!id.is_null());
        // SAFETY: a live stream; the mode is the one that it has.
        let code = unsafe { sys::aclrtSetStreamFailureMode(id, sys::ACL_CONTINUE_ON_FAILURE) };
        assert_eq!(code, 0, "a stream of a device that goes on was told to stop");
    }
}
