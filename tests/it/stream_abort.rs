//! Streams that their holder aborts.
//!
//! What makes them hang is a notification that is never released, so the checker does not look for leaks.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::event::{Event, Fence, Order, OrderProgress, ValueWait};
use ascendcl::media::All;
use ascendcl::queue::After;
use ascendcl::stream::{Main, Unaborted};
use ascendcl::{
    Current, Device, DeviceBuf, Error, ErrorKind, Npu, Result, StreamName, Thread, leaks, op, sys,
};

use crate::common::{acl, assert_says, isolated, usage};
use crate::release_limit::{LIMIT, hang, hang_any, works};

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

/// Opens the device with a limit.
macro_rules! opened {
    ($acl:ident, $thread:ident, $device:ident, $current:ident) => {
        let $acl = acl();
        let mut $thread = Thread::claim().unwrap();
        let $device: Device<'_, D> = $acl.set_device(&mut $thread, 0).unwrap();
        let $device = $device.release_within(LIMIT).unwrap();
        let $current = $thread.set_current(&$device).unwrap();
    };
}

/// A fence of a stream that is given up, because it has taken memory over from one that is aborted.
fn leave<'dev>(current: Current<'_, 'dev, D>) -> Result<LeftFence<'dev>> {
    let mut first = current.create_stream::<Main>()?;
    let mut second = current.create_stream::<Second>()?;
    let value = current.create_value()?;
    first.value_wait(&value, ValueWait::Geq(1))?;
    let memory = first.memset_async(first.malloc::<u8>(4)?, 1)?;
    let mut event = current.create_event::<Order>()?;
    let memory = first.handoff(&mut second, &mut event, memory)?;
    second.fence(current.create_event::<OrderProgress>()?, memory)
}

type LeftFence<'dev> =
    Fence<'dev, (D, Second), DeviceBuf<'dev, D, [u8]>, Event<'dev, D, OrderProgress>, After<Main>>;

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    on emulator fn an_abort_keeps_the_report_of_a_task_from_before() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let memory = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 1).unwrap();
        let mut event = current.create_event::<OrderProgress>().unwrap();
        stream.record(&mut event).unwrap().synchronize().unwrap(); // over, and not that it succeeded
        let mut stream = stream.abort().unwrap();
        stream.drain().unwrap();
        let told = stream.destroy().unwrap_err();
        assert_eq!(told.code(), Some(507001), "{told}");
        drop((memory, event));
        device.reset().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_fence_of_a_stream_that_was_given_up_is_no_wait_for_ever() {
        let acl = acl();
        let refused = usage(acl.on_within::<D, _>(0, LIMIT, |current| leave(current)?.synchronize().map(drop)));
        assert!(matches!(refused, Usage::RecordDropped { .. }), "{refused}");
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "slow:aclrtStreamAbort=5000"]
    on emulator fn a_scope_waits_for_its_streams_beside_a_late_abort_of_another() {
        opened!(acl, thread, device, current);
        let host = acl.host().unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut other = current.create_stream::<Second>().unwrap();
        let value = current.create_value().unwrap();
        other.value_wait(&value, ValueWait::Geq(1)).unwrap();
        assert!(other.abort().is_err());
        let mut numbers = current.malloc_host_from(host, &[1_u8; 64]).unwrap();
        current
            .scope(|scope| {
                let mut lent = stream.adopt(scope.lend(&mut numbers));
                let source = stream.memset_async(stream.malloc::<u8>(64)?, 2)?;
                stream.memcpy_async(&mut lent, &source)?;
                stream.synchronize().map(drop)
            })
            .unwrap()
            .unwrap();
        assert_eq!(numbers[..], [2; 64]);
    }
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn an_aborted_stream_gives_its_memory_back() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap();
        drop(stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap());
        let late = stream.synchronize_within(LIMIT).unwrap_err();
        assert_eq!(late.code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
        let mut stream = stream.abort().unwrap();
        assert_eq!(ascendcl::parked_bytes(), 0, "what was dropped before");
        let memory = stream.drain().unwrap().take(work);
        memory.accept_unverified().free().unwrap();
        let poisoned = usage(stream.synchronize());
        assert!(matches!(poisoned, Usage::StreamPoisoned { .. }));
        // It accepts work again, and its end is in time.
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap();
        stream.drain().unwrap().take(work).accept_unverified().free().unwrap();
        drop(stream);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        works(thread.set_current(&device).unwrap());
    }

    on emulator fn a_device_without_a_limit_aborts_nothing() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let stream = thread.set_current(&device).unwrap().create_stream::<Main>().unwrap();
        let refused = stream.abort().unwrap_err();
        assert!(refused.to_string().contains("open it with `release_within` or `on_within`"), "{refused}");
        assert!(matches!(refused.error.kind(), ErrorKind::Usage(Usage::NotAborted { .. })));
        refused.stream.unwrap().synchronize().unwrap();
    }

    /// The memory of the second stream may be in use by the first one until that one is aborted, or idle.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn the_stream_in_front_is_aborted_first() {
        opened!(acl, thread, device, current);
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        hang(&one);
        let there = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let there = one.handoff(&mut two, &mut event, there).unwrap();
        let Unaborted { error, stream } = two.abort().unwrap_err();
        assert!(error.to_string().contains("wait for that stream before, or abort it"), "{error}");
        let one = one.abort().unwrap();
        let mut two = stream.unwrap().abort().unwrap();
        drop(two.drain().unwrap().take(there));
        drop((one, two, event));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// A stream that has ended uses nothing, so a signal of it is no reason to refuse an abort.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn memory_of_a_stream_that_has_ended_does_not_stand_in_the_way() {
        opened!(acl, thread, device, current);
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let signal = one.record_notify(notify, memory).unwrap();
        one.destroy().unwrap();
        let (memory, notify) = two.wait_notify(signal).unwrap();
        hang(&two);
        let mut two = two.abort().unwrap();
        let idle = two.drain().unwrap();
        drop((idle.take(memory), idle.take(notify)));
        drop(two);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// What a host has proven to be over stands in nobody's way: a fence of a stream that has ended, that is idle, or of the default
    /// stream, which is never aborted.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_fence_whose_work_is_over_does_not_stand_in_the_way() {
        opened!(acl, thread, device, current);
        let event = || current.create_event::<Order>().unwrap();
        let mut one = current.create_stream::<Main>().unwrap();
        let mut other = current.create_stream::<Third>().unwrap();
        let mut first = current.default_stream().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let ended = one.fence(event(), memory).unwrap();
        one.destroy().unwrap();
        let memory = other.memset_async(other.malloc::<u8>(64).unwrap(), 1).unwrap();
        let idle = other.fence(event(), memory).unwrap();
        other.synchronize().unwrap();
        let memory = first.memset_async(first.malloc::<u8>(64).unwrap(), 1).unwrap();
        let of_default = first.fence(event(), memory).unwrap();
        let (from_ended, _) = two.wait_fence(ended).unwrap();
        let (from_idle, _) = two.wait_fence(idle).unwrap();
        let (from_default, _) = two.wait_fence(of_default).unwrap();
        first.synchronize().unwrap();
        hang(&two);
        let mut two = two.abort().unwrap();
        let drained = two.drain().unwrap();
        drop((drained.take(from_ended), drained.take(from_idle), drained.take(from_default)));
        drop((two, other, first));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// A fence that was reached before the abort is as good as any other.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_fence_in_front_of_an_abort_is_waited_for() {
        opened!(acl, thread, device, current);
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let event = current.create_event::<Order>().unwrap();
        let raw = event.as_raw();
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let fence = one.fence(event, memory).unwrap();
        let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
        while status != sys::ACL_EVENT_RECORDED_STATUS_COMPLETE {
            // SAFETY: a live event, and `status` is valid for a write.
            assert_eq!(unsafe { sys::aclrtQueryEventStatus(raw, &raw mut status) }, 0);
        }
        hang(&one);
        let one = one.abort().unwrap();
        let (memory, event) = two.wait_fence(fence).unwrap();
        hang(&two);
        let mut two = two.abort().unwrap();
        drop(two.drain().unwrap().take(memory));
        drop((one, two, event));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// Each of these waits would never end.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn nothing_waits_for_a_record_that_an_abort_has_dropped() {
        opened!(acl, thread, device, current);
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut first = current.default_stream().unwrap();
        let mut point = current.create_event::<Order>().unwrap();
        hang(&one);
        let [of_stream, of_default, of_host] = [(); 3].map(|()| {
            let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
            one.fence(current.create_event::<Order>().unwrap(), memory).unwrap()
        });
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let signal = one.record_notify(notify, memory).unwrap();
        let recorded = one.record(&mut point).unwrap();
        let mut one = one.abort().unwrap();
        let dropped = |waited| matches!(usage(waited), Usage::RecordDropped { name } if name.ends_with("Main"));
        assert!(dropped(two.wait_fence(of_stream).map(drop)));
        assert!(dropped(first.wait_fence(of_default).map(drop)));
        assert!(dropped(of_host.synchronize().map(drop)));
        assert!(dropped(two.wait_notify(signal).map(drop)));
        assert!(dropped(two.wait(recorded)));
        assert!(dropped(recorded.query().map(drop)));
        assert!(dropped(recorded.synchronize().map(drop)));
        let limit = Duration::from_millis(1);
        assert!(dropped(recorded.synchronize_within(limit).map(drop)));
        // The memory is parked with the stream that has used it.
        assert_eq!(ascendcl::parked_bytes(), 256);
        one.drain().unwrap();
        assert_eq!(ascendcl::parked_bytes(), 0);
        // Another record of the same event is another matter.
        let recorded = one.record(&mut point).unwrap();
        two.wait(recorded).unwrap();
        recorded.synchronize().unwrap();
        two.synchronize().unwrap();
        drop((one, two, first, point));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// A stream that hangs is aborted when it is dropped, and its fence outlives it. What was queued behind the fence before hangs
    /// too, until it is aborted.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn waits_for_a_stream_that_was_dropped_are_refused_or_aborted() {
        opened!(acl, thread, device, current);
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        hang(&one);
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let before = one.fence(current.create_event::<Order>().unwrap(), memory).unwrap();
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let after = one.fence(current.create_event::<Order>().unwrap(), memory).unwrap();
        let (memory, event) = two.wait_fence(before).unwrap();
        drop(one);
        assert!(matches!(usage(two.wait_fence(after).map(drop)), Usage::RecordDropped { .. }));
        let late = two.synchronize_within(LIMIT).unwrap_err();
        assert_eq!(late.code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
        let mut two = two.abort().unwrap();
        drop(two.drain().unwrap().take(memory));
        drop((two, event));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// What is queued behind a wait is judged when the wait is over: memory of a pool is freed in the order of the stream until then.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn an_aborted_stream_has_freed_memory_of_a_pool_in_its_order() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let pool = current.create_pool(1 << 30).unwrap();
        let value = current.create_value().unwrap();
        stream.value_wait(&value, ValueWait::Geq(1)).unwrap();
        drop(stream.memset_async(stream.malloc_from::<u8>(&pool, 64).unwrap(), 1).unwrap());
        let stream = stream.abort().unwrap();
        drop(stream);
        pool.destroy(current).unwrap();
        drop(value);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// What `with` lends is only borrowed, so the stream is aborted behind it, whether it has a name or a number.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_parked_stream_is_aborted_and_used_again() {
        opened!(acl, thread, device, current);
        let mut parked = current.park(current.create_stream::<Main>().unwrap());
        let work = parked.with(current, |stream| {
            hang(stream);
            let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap();
            let late = stream.synchronize_within(LIMIT).unwrap_err();
            assert_eq!(late.code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
            work
        });
        let mut parked = parked.abort(current).unwrap();
        let memory = parked.with(current, |stream| stream.drain().unwrap().take(work));
        memory.accept_unverified().free().unwrap();
        let mut lane = current.create_parked_stream().unwrap();
        let work = lane.with(current, |stream| {
            hang_any(stream.as_raw());
            stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap().unbrand()
        });
        let mut lane = lane.abort(current).unwrap();
        lane.with(current, |stream| {
            let work = stream.rebrand(work).unwrap();
            stream.drain().unwrap().take(work).accept_unverified().free().unwrap();
            let poisoned = usage(stream.synchronize());
            assert!(matches!(poisoned, Usage::StreamPoisoned { .. }));
        });
        drop((parked, lane));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// Its abort does not return in time, so it is leaked.
    ["ASCENDCL_EMULATOR_FAULTS" = "slow:aclrtStreamAbort=5000"]
    on emulator fn a_parked_stream_whose_abort_is_late_is_given_up() {
        opened!(acl, thread, device, current);
        let parked = current.park(current.create_stream::<Main>().unwrap());
        let Err(Unaborted { error, stream: None }) = parked.abort(current) else {
            panic!("a call may use the stream");
        };
        assert!(matches!(error.kind(), ErrorKind::Usage(Usage::Late { .. })), "{error}");
        assert_eq!(leaks(), 1);
        drop(device);
    }

    /// Memory that a stream has handed to itself is in use by no other one.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_stream_that_waits_for_itself_is_aborted() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
        let fence = stream.fence(current.create_event::<Order>().unwrap(), work).unwrap();
        let (work, event) = stream.wait_fence(fence).unwrap();
        let mut stream = stream.abort().unwrap();
        drop(stream.drain().unwrap().take(work));
        drop((stream, event));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// The functions in front of the abort do not begin, and what they hold is released. Later ones run.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn functions_of_an_aborted_stream_are_dropped() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        let held = Arc::new(());
        let own = Arc::clone(&held);
        stream.launch_host_func(move || unreachable!("{own:?}")).unwrap();
        assert_eq!(Arc::strong_count(&held), 2);
        let mut stream = stream.abort().unwrap();
        assert_eq!(Arc::strong_count(&held), 1);
        let (run, has_run) = channel();
        stream.launch_host_func(move || run.send(()).unwrap()).unwrap();
        has_run.recv().unwrap();
        stream.drain().unwrap();
    }

    /// No abort stops a function of the host, so its memory stays queued until it has returned.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_function_that_runs_is_no_proof() {
        opened!(acl, thread, device, current);
        let side = crate::common::host(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let (begun, has_begun) = channel();
        let (go, gate) = channel::<()>();
        let mut numbers = stream.malloc_host_from(side, &[1_u8; 64]).unwrap();
        stream.launch_host_func_on(&mut numbers, move |numbers| {
            begun.send(()).unwrap();
            let _ = gate.recv();
            numbers.fill(2);
        }).unwrap();
        has_begun.recv().unwrap();
        let late = stream.abort().unwrap_err();
        assert!(matches!(late.error.kind(), ErrorKind::Usage(Usage::Late { .. })));
        let mut stream = late.stream.unwrap();
        go.send(()).unwrap();
        let numbers = stream.drain().unwrap().take(numbers).accept_unverified();
        assert_eq!(numbers[..], [2; 64]);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn a_product_without_the_abort_says_so() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let work = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap();
        let refused = stream.abort().unwrap_err();
        let mut stream = refused.stream.unwrap();
        let refused: Result<(), Error> = Err(refused.error);
        assert_says(refused, &["aclrtStreamAbort failed with 207000", "this product or CANN release"]);
        drop(stream.drain().unwrap().take(work));
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn beside_a_channel_no_stream_is_aborted() {
        opened!(acl, thread, device, current);
        let media = acl.media().unwrap().v1().unwrap();
        let channel = media.create_channel::<All, _>(current).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        let refused = stream.abort().unwrap_err();
        assert!(matches!(refused.error.kind(), ErrorKind::Usage(Usage::NotAborted { .. })));
        drop(channel);
        refused.stream.unwrap().synchronize().unwrap();
    }

    /// In this mode a fence vouches for its memory, and an abort would complete it.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_fence_vouches_for_nothing_that_was_aborted() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let device = device.release_within(LIMIT).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        hang_any(stream.as_raw());
        let filled = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 7).unwrap();
        let fence = stream.fence(current.create_event::<OrderProgress>().unwrap(), filled).unwrap();
        drop(stream);
        let failed = fence.synchronize_within(LIMIT).err().unwrap();
        assert_eq!(failed.error.code(), Some(sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT));
    }

    /// The operands are borrowed for the call, and come back behind the abort.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_run_that_hangs_gives_its_operands_back() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let tensor = a.tensor(&[4]).unwrap();
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        let plan = op::add(current, &tensor, &tensor, 1, out).unwrap();
        hang(&stream);
        assert!(matches!(usage(plan.run(&mut stream)), Usage::Aborted { .. }));
        let poisoned = usage(stream.synchronize());
        assert!(matches!(poisoned, Usage::StreamPoisoned { .. }));
        a.free().unwrap();
        drop(stream);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn a_run_that_hangs_without_an_abort_aborts() {
        opened!(acl, thread, device, current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let tensor = a.tensor(&[4]).unwrap();
        let out = current.malloc(4).unwrap().into_tensor(&[4]).unwrap();
        let plan = op::add(current, &tensor, &tensor, 1, out).unwrap();
        hang(&stream);
        let outcome = plan.run(&mut stream);
        panic!("the run went on: {outcome:?}");
    }

    /// A device that is late has not stopped, so it may still use the memory of the call.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMemset#1=507046"]
    on emulator fn a_blocking_call_on_a_device_that_hangs_aborts() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let device = device.release_within(LIMIT).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        hang_any(stream.as_raw());
        let outcome = current.memset(current.malloc::<u8>(64).unwrap(), 1);
        panic!("the fill went on: {outcome:?}");
    }

    /// The scope lends memory to a stream that hangs, and gives it back behind the abort. Another stream hangs, too, and has none
    /// of the memory.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_scope_that_hangs_gives_its_memory_back() {
        opened!(acl, thread, device, current);
        let side = crate::common::host(&acl);
        let mut numbers = current.malloc_host_from(side, &[1_u8; 64]).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut other = current.create_stream::<Second>().unwrap();
        let ended = current.scope(|scope| {
            hang(&stream);
            hang(&other);
            let mut lent = stream.adopt(scope.lend(&mut numbers));
            let source = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 2).unwrap();
            stream.memcpy_async(&mut lent, &source).unwrap();
        });
        let Usage::FailedMeanwhile { cause, .. } = usage(ended) else { panic!() };
        assert!(cause.contains("Main` was aborted"), "{cause}");
        numbers.fill(3);
        assert!(matches!(usage(stream.synchronize()), Usage::StreamPoisoned { .. }));
        assert_eq!(other.synchronize_within(LIMIT).unwrap_err().code(), Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
        drop((stream, other));
        numbers.free().unwrap();
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// A stream that is parked may be in use on any thread, so the scope cannot abort it.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_scope_whose_parked_stream_hangs_aborts() {
        opened!(acl, thread, device, current);
        let mut numbers = current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
        let mut parked = current.create_parked_stream().unwrap();
        let ended = current.scope(|scope| {
            parked.with(current, |stream| {
                hang_any(stream.as_raw());
                let mut lent = stream.adopt(scope.lend(&mut numbers));
                stream.memset_async(&mut lent, 2).unwrap();
            });
        });
        panic!("the scope went on: {ended:?}");
    }

    /// In use on this thread, it is aborted.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_scope_aborts_a_parked_stream_that_this_thread_has_in_use() {
        opened!(acl, thread, device, current);
        let mut numbers = current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap();
        let mut parked = current.create_parked_stream().unwrap();
        parked.with(current, |stream| {
            let ended = current.scope(|scope| {
                hang_any(stream.as_raw());
                let mut lent = stream.adopt(scope.lend(&mut numbers));
                stream.memset_async(&mut lent, 2).unwrap();
            });
            assert!(matches!(usage(ended), Usage::FailedMeanwhile { .. }));
        });
        numbers.free().unwrap();
    }

    /// The call that waits and frees is made once: an abort that begins meanwhile does not repeat it.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn memory_is_freed_once_beside_an_abort() {
        opened!(acl, thread, device, current);
        let mut freed = current.create_stream::<Main>().unwrap();
        let memory = freed.memset_async(freed.malloc::<u8>(64).unwrap(), 0).unwrap();
        std::thread::scope(|scope| {
            let (hangs, has_hung) = channel();
            let device = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                let stream = current.create_stream::<Second>().unwrap();
                hang(&stream);
                hangs.send(()).unwrap();
                // The other thread waits for this stream, or has failed beside the abort.
                drop(stream.abort());
            });
            has_hung.recv().unwrap();
            let _ = memory.free_with_dev_sync(current);
        });
        drop(freed);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }
}
