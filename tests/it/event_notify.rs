//! Notifies and numbers in device memory: signals between streams for which the host does not wait.

use std::thread;

use ascendcl::error::Usage;
use ascendcl::event::{Order, Timing, ValueWait};
use ascendcl::stream::{Main, StreamStatus, Unaborted};
use ascendcl::{Npu, Result, StreamName, Thread, leaks, parked_bytes, release_failures, sys};

use crate::common::{acl, assert_clean, bound, calls, isolated, usage};
use crate::release_limit::{LIMIT, hang};
use crate::stream::queue_a_failing_task;

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}

/// Hands memory to a second stream and back, 20 times. Each stream writes what the other one reads, and the host waits for
/// nothing before the end.
fn back_and_forth() {
    bound!(acl, side, device: D, current, one);
    let mut two = current.create_stream::<Second>().unwrap();
    let mut there = one.adopt(current.create_notify(&two).unwrap());
    let mut back = one.adopt(current.create_notify(&one).unwrap());
    let mut memory = one
        .memset_async(one.malloc::<u8>(4096).unwrap(), 0)
        .unwrap();
    let (mut on_one, mut on_two) = (Vec::new(), Vec::new());
    for round in 1..=20 {
        let signal = one.record_notify(there, memory.and(back)).unwrap();
        let (both, used) = two.wait_notify(signal).unwrap();
        let (mut moved, to_one) = both.accept_unverified().split();
        on_two.push(
            two.memcpy_async(two.malloc_host(side, 4096).unwrap(), &moved)
                .unwrap(),
        );
        two.memset_async(&mut moved, 100 + round).unwrap();
        let signal = two.record_notify(to_one, moved.and(used)).unwrap();
        let (both, used) = one.wait_notify(signal).unwrap();
        (memory, there) = both.accept_unverified().split();
        back = used;
        on_one.push(
            one.memcpy_async(one.malloc_host(side, 4096).unwrap(), &memory)
                .unwrap(),
        );
        one.memset_async(&mut memory, round).unwrap();
    }
    let idle = two.synchronize().unwrap();
    for (round, seen) in (0..).zip(on_two) {
        assert_eq!(idle.take(seen)[..], [round; 4096]);
    }
    let idle = one.synchronize().unwrap();
    for (round, seen) in (101..).zip(on_one) {
        assert_eq!(idle.take(seen)[..], [round; 4096]);
    }
    drop((memory, there, back, one, two));
    device.reset().unwrap();
    assert_eq!((leaks(), release_failures()), (0, 0));
    assert_clean(&acl);
}

isolated! {
    fn two_streams_hand_memory_back_and_forth() {
        back_and_forth();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn they_do_however_late_the_device_is() {
        back_and_forth();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "seeded:7"]
    fn they_do_in_any_order_of_the_streams() {
        back_and_forth();
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn one_call_is_one_call_of_c() {
        bound!(acl with journal, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        let notify = current.create_notify(&two).unwrap();
        notify.id().unwrap();
        let memory = one.memset_async(one.malloc::<u8>(4).unwrap(), 1).unwrap();
        let signal = one.record_notify(one.adopt(notify), memory).unwrap();
        let (memory, notify) = two.wait_notify(signal).unwrap();
        assert_eq!(one.query().unwrap(), StreamStatus::NotReady, "nothing has waited");
        let idle = two.synchronize().unwrap();
        let (memory, notify) = (idle.take(memory), idle.take(notify));
        let memory = one.synchronize().unwrap().verify(memory);
        // It can be recorded again, now by the second stream itself.
        let signal = two.record_notify(two.adopt(notify), two.adopt(memory)).unwrap();
        let (_, notify) = two.wait_notify(signal).unwrap();
        two.synchronize().unwrap().take(notify).destroy().unwrap();
        let journal = ascendcl::emulator::journal();
        let names = journal.iter().map(|call| call.name);
        let made: Vec<_> = names.filter(|name| name.contains("Notify")).collect();
        let expected = [
            "aclrtCreateNotify",
            "aclrtGetNotifyId",
            "aclrtRecordNotify",
            "aclrtWaitAndResetNotify",
            "aclrtRecordNotify",
            "aclrtWaitAndResetNotify",
            "aclrtDestroyNotify",
        ];
        assert_eq!(made, expected);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_dropped_signal_is_released_behind_its_stream() {
        bound!(acl with journal, device: D, current, one);
        let two = current.create_stream::<Second>().unwrap();
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(4096).unwrap(), 1).unwrap();
        drop(one.record_notify(notify, memory).unwrap());
        assert_eq!((parked_bytes(), calls("aclrtDestroyNotify")), (4096, 0));
        one.synchronize().unwrap();
        assert_eq!((parked_bytes(), calls("aclrtDestroyNotify")), (0, 1));
        // An idle one is destroyed at once, also by a thread without a context.
        let notify = current.create_notify(&two).unwrap();
        thread::scope(|threads| threads.spawn(|| drop(notify)).join().unwrap());
        assert_eq!(calls("aclrtDestroyNotify"), 2);
        assert_clean(&acl);
    }

    /// The checker does not look for leaks.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    fn a_forgotten_signal_is_leaked_with_its_memory() {
        bound!(acl, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(4096).unwrap(), 1).unwrap();
        std::mem::forget(one.record_notify(notify, memory).unwrap());
        one.synchronize().unwrap();
        two.synchronize().unwrap();
        drop((one, two));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtCreateNotify#1=207007,aclrtRecordNotify#1=507899,aclrtWaitAndResetNotify#1=507899"]
    fn refused_calls_park_the_memory() {
        bound!(acl, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        assert_eq!(current.create_notify(&two).unwrap_err().code(), Some(207_007));
        for _ in 0..2 {
            let notify = one.adopt(current.create_notify(&two).unwrap());
            let memory = one.memset_async(one.malloc::<u8>(4096).unwrap(), 1).unwrap();
            let refused = one.record_notify(notify, memory).and_then(|signal| two.wait_notify(signal).map(drop));
            assert_eq!(refused.unwrap_err().code(), Some(507_899));
            assert_eq!(parked_bytes(), 4096);
            one.synchronize().unwrap();
            assert_eq!(parked_bytes(), 0);
        }
        two.synchronize().unwrap();
        drop((one, two));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    /// Its earlier waits may have been dropped, and left flags that are set.
    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_poisoned_stream_waits_for_no_signal() {
        bound!(acl, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        queue_a_failing_task(two.as_raw());
        two.synchronize().unwrap_err();
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(4096).unwrap(), 1).unwrap();
        let signal = one.record_notify(notify, memory).unwrap();
        let refused = usage(two.wait_notify(signal).map(drop));
        assert!(matches!(refused, Usage::StreamPoisoned { .. }), "{refused:?}");
        one.synchronize().unwrap();
        assert_eq!(parked_bytes(), 0);
        drop((one, two));
        device.reset().unwrap();
    }

    /// Behind a signal, the memory may be in use by the stream that has given it.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn the_stream_that_has_given_a_signal_is_aborted_first() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let device = device.release_within(LIMIT).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        hang(&one);
        let notify = one.adopt(current.create_notify(&two).unwrap());
        let memory = one.memset_async(one.malloc::<u8>(64).unwrap(), 1).unwrap();
        let signal = one.record_notify(notify, memory).unwrap();
        let (memory, notify) = two.wait_notify(signal).unwrap();
        let Unaborted { error, stream } = two.abort().unwrap_err();
        assert!(error.to_string().contains("wait for that stream before, or abort it"), "{error}");
        let one = one.abort().unwrap();
        let mut two = stream.unwrap().abort().unwrap();
        let drained = two.drain().unwrap();
        drop((drained.take(memory), drained.take(notify).accept_unverified()));
        drop((one, two));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    fn streams_without_a_name_and_the_default_one_signal_too() {
        bound!(acl, side, device: D, current);
        let mut one = current.default_stream().unwrap();
        let mut lane = current.create_parked_stream().unwrap();
        let seen = lane.with(current, |lane| -> Result<_> {
            let there = one.adopt(current.create_notify(lane)?);
            let back = lane.adopt(current.create_notify(&one)?);
            let memory = one.memset_async(one.malloc::<u8>(4)?, 1)?;
            let (memory, _) = lane.wait_notify(one.record_notify(there, memory)?)?;
            let memory = lane.memset_async(memory.forget_contents(), 2)?;
            let (memory, _) = one.wait_notify(lane.record_notify(back, memory)?)?;
            let memory = memory.accept_unverified();
            one.memcpy_async(one.malloc_host(side, 4)?, &memory)
        });
        let seen = seen.unwrap();
        assert_eq!(one.synchronize().unwrap().take(seen)[..], [2; 4]);
        drop((one, lane));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn streams_write_numbers_and_wait_for_them() {
        bound!(acl, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        let value = current.create_value().unwrap();
        two.value_wait(&value, ValueWait::Geq(3)).unwrap();
        two.value_write(&value, 4).unwrap();
        two.value_wait(&value, ValueWait::And(4)).unwrap();
        two.value_wait(&value, ValueWait::Nor(8)).unwrap();
        for round in 1..=3 {
            one.value_write(&value, round).unwrap();
        }
        one.value_wait(&value, ValueWait::Eq(4)).unwrap();
        drop(value);
        assert_eq!(parked_bytes(), 8, "both streams may use it");
        one.synchronize().unwrap();
        assert_eq!(parked_bytes(), 8, "the second one may");
        two.synchronize().unwrap();
        assert_eq!(parked_bytes(), 0);
        drop(current.create_value().unwrap());
        assert_eq!(parked_bytes(), 0, "no stream had it");
        drop((one, two));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    /// An event has no number before its first record (observed, CANN runtime 1.17).
    on emulator fn an_event_takes_its_number_with_its_record() {
        bound!(acl, device: D, current, stream);
        let mut event = current.create_event::<Order>().unwrap();
        let mut id = 0;
        // SAFETY: a live event, and `id` is valid for a write.
        assert_eq!(unsafe { sys::aclrtGetEventId(event.as_raw(), &raw mut id) }, 507_000);
        let recorded = stream.record(&mut event).unwrap();
        assert_eq!(recorded.id().unwrap(), recorded.id().unwrap());
        drop((stream, event));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn the_time_of_an_event_is_that_of_the_device() {
        bound!(acl, device: D, current, stream);
        let mut start = current.create_event::<Timing>().unwrap();
        let mut end = current.create_event::<Timing>().unwrap();
        let start = stream.record(&mut start).unwrap();
        let end = stream.record(&mut end).unwrap();
        let (start, end) = (start.synchronize().unwrap(), end.synchronize().unwrap());
        let between = end.timestamp().unwrap() - start.timestamp().unwrap();
        let millis = f64::from(end.millis_since(&start).unwrap());
        assert!((between.as_secs_f64() * 1e3 - millis).abs() < 0.01, "{between:?}, {millis} ms");
        drop(stream);
        assert_clean(&acl);
        let _ = device;
    }
}
