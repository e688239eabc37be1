//! Events: fences, transfers between streams, recorded points, times.

use std::time::Duration;

use ascendcl::event::{EventStatus, Order, OrderTiming, Progress, Timing};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, StreamName, Thread, release_failures, sys};

use crate::common::{acl, assert_clean, assert_says, bound, embedded, host, isolated};
use crate::stream::queue_a_failing_task;

enum Upload {}
impl StreamName for Upload {}
enum Download {}
impl StreamName for Download {}

/// Uploads on one stream and downloads on another, many times, with one event.
fn hand_over() {
    bound!(acl, side, device: Npu<0>, current);
    let mut up = current.create_stream::<Upload>().unwrap();
    let mut down = current.create_stream::<Download>().unwrap();
    let mut event = current.create_event::<Order>().unwrap();
    let mut host = current.malloc_host::<u32>(side, 5000).unwrap();
    let mut back = current.malloc_host::<u32>(side, 5000).unwrap();
    let mut memory = up.adopt(
        current
            .memset(current.malloc::<u32>(5000).unwrap(), 0)
            .unwrap(),
    );
    for turn in 0..20 {
        host.fill(turn);
        let source = up.adopt(host);
        up.memcpy_async(&mut memory, &source).unwrap();
        let on_down = up.handoff(&mut down, &mut event, memory).unwrap();
        let mut target = down.adopt(back);
        down.memcpy_async(&mut target, &on_down).unwrap();
        // Both streams are waited for in each turn.
        memory = down
            .handoff(&mut up, &mut event, on_down)
            .unwrap()
            .accept_unverified();
        back = down.synchronize().unwrap().take(target);
        host = up.synchronize().unwrap().take(source);
        assert!(back.iter().all(|value| *value == turn), "turn {turn}");
    }
    drop((memory, host, back));
    drop((up, down, event));
    device.reset().unwrap();
    assert_clean(&acl);
}

isolated! {
    fn a_hand_over_orders_two_streams() {
        hand_over();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_hand_over_orders_two_streams_however_late_the_device_is() {
        hand_over();
    }

    ["ASCENDCL_BACKEND" = "emulator",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamWaitEvent#1+=207000,aclrtStreamWaitEventWithTimeout#1+=207000"]
    fn a_refused_hand_over_names_the_call_that_its_limit_asks_for() {
        // A limit stays when AscendCL is initialised again, until it is taken back.
        let steps = [
            (None, "aclrtStreamWaitEvent failed"),
            (Some(Some(Duration::from_secs(1))), "aclrtStreamWaitEventWithTimeout failed"),
            (None, "aclrtStreamWaitEventWithTimeout failed"),
            (Some(None), "aclrtStreamWaitEvent failed"),
        ];
        for (limit, call) in steps {
            let mut acl = acl();
            if let Some(limit) = limit {
                acl.set_op_wait_timeout(limit).unwrap();
            }
            let mut thread = Thread::claim().unwrap();
            let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
            let current = thread.set_current(&device).unwrap();
            let mut up = current.create_stream::<Upload>().unwrap();
            let mut down = current.create_stream::<Download>().unwrap();
            let mut event = current.create_event::<Order>().unwrap();
            let queued = up.adopt(current.malloc::<u8>(64).unwrap());
            assert_says(up.handoff(&mut down, &mut event, queued), &[call, "207000"]);
            drop((up, down, event));
            device.reset().unwrap();
            drop(thread);
            acl.finalize().unwrap();
        }
    }

    // The negative control of the two tests above: they notice when waits do nothing.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn without_waits_a_hand_over_goes_wrong() {
        unsafe extern "C" fn ignore(_: sys::aclrtStream, _: sys::aclrtEvent) -> sys::aclError {
            sys::ACL_SUCCESS
        }
        let mut api = ascendcl::emulator::api();
        api.event.aclrtStreamWaitEvent = ignore;
        // SAFETY: the emulator, but for waits; this process shows what comes of that.
        unsafe { api.install() }.unwrap();
        let outcome = std::panic::catch_unwind(hand_over).unwrap_err();
        let text = outcome.downcast_ref::<String>().unwrap();
        assert!(text.contains("turn "), "{text}");
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_fence_gives_back_on_the_host() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let event: Event<'_, _, Progress> = current.create_event().unwrap();
        let filled = stream.adopt(current.malloc::<u32>(100).unwrap());
        let filled = stream.memset_async(filled, 1).unwrap();
        let mut back = stream.adopt(current.malloc_host::<u32>(side, 100).unwrap());
        stream.memcpy_async(&mut back, &filled).unwrap();
        let fence = stream.fence(event, back).unwrap();
        let (unverified, event) = fence.synchronize().unwrap();
        let idle = stream.synchronize().unwrap();
        let back: HostBuf<'_, [u32]> = idle.verify(unverified);
        assert!(back.iter().all(|value| *value == 0x0101_0101));
        drop(idle.take(filled));
        event.destroy().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn completion_is_not_success() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let mut event = current.create_event::<Order>().unwrap();
        let host = stream.adopt(current.malloc_host::<u32>(side, 100).unwrap());
        queue_a_failing_task(stream.as_raw());
        let fence = stream.fence(&mut event, host).unwrap();
        // The event completes although a task in front of it has failed (observed, CANN runtime 1.17).
        let (unverified, _) = fence.synchronize().unwrap();
        assert!(stream.synchronize().is_err());
        // So there is no `Idle` to verify it with; it can be taken as it is.
        assert_eq!(unverified.accept_unverified().len(), 100);
        stream.drain().unwrap();
        drop(stream);
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn no_stream_vouches_for_a_failure_of_its_predecessor() {
        bound!(acl, side, device: Npu<0>, current);
        let mut stream = current.create_stream::<Upload>().unwrap();
        let event = current.create_event::<Progress>().unwrap();
        let host = stream.adopt(current.malloc_host::<u32>(side, 100).unwrap());
        queue_a_failing_task(stream.as_raw());
        let (unverified, _) = stream.fence(event, host).unwrap().synchronize().unwrap();
        // Only the destruction of the stream reports the failure. A new `Upload` could verify `unverified`.
        assert_says(stream.destroy(), &["507001"]);
        assert_says(current.create_stream::<Upload>(), &["Upload", "failed"]);
        unverified.accept_unverified().free().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn a_cancelled_fence_is_an_ordinary_queued_buffer() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut event = current.create_event::<Order>().unwrap();
        let buf = stream.adopt(current.malloc::<u32>(100).unwrap());
        let (buf, _) = stream.fence(&mut event, buf).unwrap().cancel();
        let buf = stream.memset_async(buf, 0).unwrap();
        let idle = stream.synchronize().unwrap();
        idle.take(buf).free().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn fences_cross_threads() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let device = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                let mut up = current.create_stream::<Upload>().unwrap();
                let event = current.create_event::<Order>().unwrap();
                let buf = up.adopt(current.malloc::<u32>(1000).unwrap());
                let buf = up.memset_async(buf, 5).unwrap();
                sender.send(up.fence(event, buf).unwrap()).unwrap();
            });
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                let mut down = current.create_stream::<Download>().unwrap();
                let (buf, _event) = down.wait_fence(receiver.recv().unwrap()).unwrap();
                let mut back = down.adopt(current.malloc_host::<u32>(side, 1000).unwrap());
                down.memcpy_async(&mut back, &buf).unwrap();
                let idle = down.synchronize().unwrap();
                assert!(idle.take(back).iter().all(|value| *value == 0x0505_0505));
                drop(idle.take(buf));
            });
        });
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn several_streams_wait_for_one_record() {
        bound!(acl, device: Npu<0>, current, main);
        let mut up = current.create_stream::<Upload>().unwrap();
        let mut down = current.create_stream::<Download>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let recorded = main.record(&mut event).unwrap();
        up.wait(recorded).unwrap();
        down.wait(recorded).unwrap();
        up.synchronize().unwrap();
        down.synchronize().unwrap();
        recorded.synchronize().unwrap();
        assert_eq!(recorded.query().unwrap(), EventStatus::Complete);
        // Free again after its last use.
        main.record(&mut event).unwrap().synchronize().unwrap();
        assert_clean(&acl);
    }

    fn times_lie_on_one_stream() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut start = current.create_event::<Timing>().unwrap();
        let mut end = current.create_event::<OrderTiming>().unwrap();
        let from = stream.record(&mut start).unwrap();
        let buf = stream.adopt(current.malloc::<u8>(1 << 20).unwrap());
        let buf = stream.memset_async(buf, 1).unwrap();
        let to = stream.record(&mut end).unwrap();
        let (from, to) = (from.synchronize().unwrap(), to.synchronize().unwrap());
        let millis = to.millis_since(&from).unwrap();
        assert!(millis >= 0.0, "{millis}");
        drop(stream.synchronize().unwrap().take(buf));
        assert_clean(&acl);
    }

    fn dropping_a_fence_parks_its_memory() {
        bound!(acl, device: Npu<0>, current, stream);
        let event = current.create_event::<Order>().unwrap();
        let buf = stream.adopt(current.malloc::<u8>(1 << 20).unwrap());
        let buf = stream.memset_async(buf, 1).unwrap();
        drop(stream.fence(event, buf).unwrap());
        drop(stream);
        device.reset().unwrap();
        assert_clean(&acl);
        if embedded(&acl) {
            let live = ascendcl::emulator::live();
            assert_eq!((live.device_blocks, live.events), (0, 0), "{live:?}");
        }
    }
}

isolated! {
    fn a_fence_is_waited_for_from_another_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&first).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let memory = stream.adopt(current.malloc::<u32>(100).unwrap());
        let memory = stream.memset_async(memory, 1).unwrap();
        let event = current.create_event::<Progress>().unwrap();
        let fence = stream.fence(event, memory).unwrap();
        drop(stream);
        // From here on the thread is bound to the other device.
        thread.set_current(&second).unwrap();
        let (unverified, event) = fence.synchronize().unwrap();
        unverified.accept_unverified().free().unwrap();
        event.destroy().unwrap();
        second.reset().unwrap();
        first.reset().unwrap();
        assert_clean(&acl);
    }
}

isolated! {
    fn events_do_not_run_out() {
        bound!(acl, device: Npu<0>, current, stream);
        // More than a device has events of its hardware, all of them recorded.
        let mut events = Vec::new();
        for _ in 0..70_000 {
            events.push(current.create_event::<Order>().unwrap());
        }
        for event in &mut events {
            let _ = stream.record(event).unwrap();
        }
        let _ = stream.synchronize().unwrap();
        drop((events, stream));
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
