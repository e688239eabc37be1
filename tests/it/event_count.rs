//! Notifies that count: counters that streams change and wait for. Only the product 950 has them.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use ascendcl::event::{CntNotifyRecord as Record, CntNotifyWait as Until};
use ascendcl::stream::Main;
use ascendcl::{Npu, StreamName, Thread, leaks, release_failures, sys};

use crate::common::{acl, assert_clean, assert_refused, bound, calls, isolated};
use crate::release_limit::LIMIT;

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

/// Each change of one stream ends a wait of the other one, for each change and each comparison. Functions of the host see the order.
fn back_and_forth() {
    bound!(acl, device: D, current, one);
    let mut two = current.create_stream::<Second>().unwrap();
    let [there, back] = [(); 2].map(|()| current.create_cnt_notify().unwrap());
    let steps = [
        (Record::Set(number(5)), Until::Equal(number(5))),
        (Record::Add(number(2)), Until::Bigger(number(6))),
        (Record::BitOr(number(8)), Until::EqualWithBitmask(number(9))),
        (Record::BitAnd(number(3)), Until::Less(number(4))),
        (
            Record::Set(number(u32::MAX)),
            Until::BiggerOrEqual(number(u32::MAX)),
        ),
    ];
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = |what: (usize, usize)| {
        let seen = Arc::clone(&seen);
        move || seen.lock().unwrap().push(what)
    };
    for (round, (change, until)) in steps.into_iter().enumerate() {
        one.launch_host_func(see((round, 1))).unwrap();
        one.cnt_notify_record(&there, change).unwrap();
        two.cnt_notify_wait(&there, until).unwrap();
        two.launch_host_func(see((round, 2))).unwrap();
        two.cnt_notify_record(&back, Record::Add(number(1)))
            .unwrap();
        one.cnt_notify_wait(&back, Until::Equal(number(round as u32 + 1)))
            .unwrap();
    }
    one.cnt_notify_reset(&back).unwrap();
    one.cnt_notify_wait_within(&back, Until::Less(number(1)), Duration::from_secs(60))
        .unwrap();
    one.synchronize().unwrap();
    two.synchronize().unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2 * steps.len());
    assert!(seen.is_sorted(), "{seen:?}");
    drop((there, back, one, two));
    device.reset().unwrap();
    assert_eq!((leaks(), release_failures()), (0, 0));
    assert_clean(&acl);
}

isolated! {
    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599"]
    on emulator fn two_streams_count_for_each_other() {
        back_and_forth();
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn they_count_however_late_the_device_is() {
        back_and_forth();
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599", "ASCENDCL_EMULATOR_SCHEDULE" = "seeded:7"]
    on emulator fn they_count_in_any_order_of_the_streams() {
        back_and_forth();
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_counter_is_destroyed_behind_the_streams_that_use_it() {
        bound!(acl with journal, device: D, current, one);
        let mut two = current.create_stream::<Second>().unwrap();
        let counter = current.create_cnt_notify().unwrap();
        assert_ne!(counter.id().unwrap(), current.create_cnt_notify().unwrap().id().unwrap());
        let destroyed = || calls("aclrtCntNotifyDestroy");
        assert_eq!(destroyed(), 1, "no stream had it");
        one.cnt_notify_record(&counter, Record::Add(number(1))).unwrap();
        two.cnt_notify_wait(&counter, Until::Bigger(number(1))).unwrap();
        one.cnt_notify_record(&counter, Record::Add(number(1))).unwrap();
        thread::scope(|threads| threads.spawn(|| drop(counter)).join().unwrap());
        one.synchronize().unwrap();
        assert_eq!(destroyed(), 1, "the second stream may wait for it");
        two.synchronize().unwrap();
        assert_eq!(destroyed(), 2);
        assert_eq!(calls("aclrtCntNotifyRecord"), 2);
        assert_eq!(calls("aclrtCntNotifyWaitWithTimeout"), 1);
        assert_clean(&acl);
    }

    /// Later work runs all the same, and the stream is poisoned, as behind other tasks that fail.
    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599"]
    on emulator fn a_wait_whose_time_is_up_is_an_error_of_the_stream() {
        bound!(acl, device: D, current, stream);
        let counter = current.create_cnt_notify().unwrap();
        let late = Duration::from_millis(1);
        stream.cnt_notify_wait_within(&counter, Until::Equal(number(1)), late).unwrap();
        stream.cnt_notify_record(&counter, Record::Set(number(1))).unwrap();
        let failed = stream.synchronize().unwrap_err();
        assert_eq!(failed.code(), Some(sys::ACL_ERROR_RT_TASK_TIMEOUT));
        stream.cnt_notify_wait(&counter, Until::Equal(number(1))).unwrap();
        stream.drain().unwrap();
        drop((stream, counter));
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
        let _ = acl;
    }

    /// Nothing changes the counter, so its stream hangs, and the counter is destroyed behind the abort.
    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599", "ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_stream_that_waits_for_ever_is_aborted() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let device = device.release_within(LIMIT).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let counter = current.create_cnt_notify().unwrap();
        stream.cnt_notify_wait(&counter, Until::Equal(number(1))).unwrap();
        drop(counter);
        let mut stream = stream.abort().unwrap();
        stream.drain().unwrap();
        drop(stream);
        device.reset().unwrap();
        assert_eq!((leaks(), release_failures()), (0, 0));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599", "ASCENDCL_EMULATOR_FAULTS" = "aclrtCntNotifyCreate#1=207007,aclrtCntNotifyRecord#1=507899,aclrtCntNotifyReset#1=507899,aclrtCntNotifyWaitWithTimeout#1=507899"]
    on emulator fn refused_calls_leave_the_counter_to_its_owner() {
        bound!(acl, device: D, current, stream);
        assert_refused(current.create_cnt_notify(), 207_007);
        let counter = current.create_cnt_notify().unwrap();
        assert_refused(stream.cnt_notify_record(&counter, Record::Set(number(1))), 507_899);
        assert_refused(stream.cnt_notify_reset(&counter), 507_899);
        assert_refused(stream.cnt_notify_wait(&counter, Until::Equal(number(1))), 507_899);
        stream.cnt_notify_record(&counter, Record::Set(number(1))).unwrap();
        stream.cnt_notify_wait(&counter, Until::Equal(number(1))).unwrap();
        stream.synchronize().unwrap();
        drop((counter, stream));
        device.reset().unwrap();
        assert_eq!((leaks(), release_failures()), (0, 0));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend910B1"]
    on emulator fn other_products_have_none() {
        bound!(acl, device: D, current);
        assert_refused(current.create_cnt_notify(), 207_000);
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
