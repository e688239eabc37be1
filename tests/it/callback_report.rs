//! Callbacks that a thread of the program runs.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use ascendcl::callback::{Report, ReportThreadId};
use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{Current, Device, Npu, Result, StreamName, Thread};

use crate::common::{acl, assert_clean, assert_says, host, isolated, usage};

type D = Npu<0>;

/// A second stream.
#[derive(Debug)]
enum Other {}
impl StreamName for Other {}

/// No wait of these tests reaches this limit, unless the test says so.
const LONG: Duration = Duration::from_secs(100);

/// Runs `work` on this thread, beside a thread that serves streams. The server begins when `work` calls its argument,
/// and ends when it serves no stream any more. Returns the number of calls that ran callbacks; one call may run
/// several.
fn beside_a_server(
    device: &Device<'_, D>,
    work: impl FnOnce(Current<'_, '_, D>, &ReportThreadId<D>, &dyn Fn()),
) -> usize {
    thread::scope(|scope| {
        let ((ready, id), (go, subscribed)) = (channel(), channel());
        let server = scope.spawn(move || {
            let mut thread = Thread::claim().unwrap();
            let mut reports = thread.set_current(device).unwrap().report_thread();
            ready.send(reports.id()).unwrap();
            subscribed.recv().unwrap();
            let mut calls = 0;
            loop {
                match reports
                    .process_report(Some(Duration::from_millis(20)))
                    .unwrap()
                {
                    Report::Called => calls += 1,
                    Report::TimeUp => {}
                    Report::NoStream => return calls,
                }
            }
        });
        let mut thread = Thread::claim().unwrap();
        let current = thread.set_current(device).unwrap();
        let id = id.recv().unwrap();
        work(current, &id, &|| go.send(()).unwrap());
        server.join().unwrap()
    })
}

/// Doubles numbers that come back from the device, and copies them to the device again.
fn double(device: &Device<'_, D>, side: ascendcl::HostSide<'_>) {
    let calls = beside_a_server(device, |current, id, go| {
        let mut stream = current.create_stream::<Main>().unwrap();
        let subscribed = stream.subscribe_report(id).unwrap();
        go();
        let mut source = current.malloc_host::<u32>(side, 100).unwrap();
        source.fill(21);
        let mut host = stream.adopt(source);
        let mut back = stream.adopt(current.malloc_host::<u32>(side, 100).unwrap());
        let on_device = stream.adopt(current.malloc::<u32>(100).unwrap());
        let mut on_device = stream.memcpy_async(on_device, &host).unwrap();
        stream.memcpy_async(&mut host, &on_device).unwrap();
        stream
            .launch_callback_on(&subscribed, &mut host, |numbers| {
                numbers.iter_mut().for_each(|number| *number *= 2);
            })
            .unwrap();
        stream.memcpy_async(&mut on_device, &host).unwrap();
        stream.memcpy_async(&mut back, &on_device).unwrap();
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(back)[..], [42; 100]);
        stream.unsubscribe_report(subscribed).unwrap();
    });
    assert_eq!(calls, 1);
}

isolated! {
    fn a_callback_runs_between_the_copies_around_it() {
        let acl = acl();
        let side = host(&acl);
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        double(&device, side);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn it_does_so_as_late_as_legal() {
        let acl = acl();
        let side = host(&acl);
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        double(&device, side);
        assert_clean(&acl);
    }

    fn one_thread_serves_several_streams_and_is_the_one_that_runs_callbacks() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        let (told, tells) = channel();
        let calls = beside_a_server(&device, |current, id, go| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Other>().unwrap();
            let (first, second) = (one.subscribe_report(id).unwrap(), two.subscribe_report(id).unwrap());
            go();
            for _ in 0..3 {
                let told = told.clone();
                one.launch_callback(&first, move || told.send(thread::current().id()).unwrap()).unwrap();
            }
            two.launch_callback(&second, move || told.send(thread::current().id()).unwrap()).unwrap();
            one.unsubscribe_report(first).unwrap();
            two.unsubscribe_report(second).unwrap();
        });
        let threads: Vec<_> = tells.iter().collect();
        assert!((1..=4).contains(&calls), "{calls}");
        assert_eq!(threads.len(), 4);
        assert!(threads.iter().all(|id| *id == threads[0] && *id != thread::current().id()));
    }

    fn unsubscribing_waits_for_the_callbacks() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        let (told, tells) = channel();
        let calls = beside_a_server(&device, |current, id, go| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(id).unwrap();
            stream.launch_callback(&subscribed, move || told.send(()).unwrap()).unwrap();
            go();
            stream.unsubscribe_report(subscribed).unwrap();
            tells.try_recv().unwrap();
        });
        assert_eq!(calls, 1);
    }

    fn a_panic_poisons_the_stream_and_its_thread_goes_on() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        let (told, tells) = channel();
        let calls = beside_a_server(&device, |current, id, go| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(id).unwrap();
            go();
            stream.launch_callback(&subscribed, || panic!("a callback's own mistake")).unwrap();
            let mistake = usage(stream.synchronize());
            assert!(matches!(mistake, Usage::HostFuncPanicked { .. }));
            stream
                .launch_callback(&subscribed, move || told.send(Thread::claim().map(drop)).unwrap())
                .unwrap();
            stream.unsubscribe_report(subscribed).unwrap();
        });
        assert!((1..=2).contains(&calls), "{calls}");
        assert_eq!(usage(tells.recv().unwrap()), Usage::InHostFunc);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn work_that_fails_before_a_subscription_ends_is_told_behind_it() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        beside_a_server(&device, |current, id, go| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(id).unwrap();
            go();
            crate::stream::queue_a_failing_task(stream.as_raw());
            stream.unsubscribe_report(subscribed).unwrap();
            assert_says(stream.synchronize().map(drop), &["507001"]);
        });
    }

    fn a_stream_has_callbacks_or_host_functions() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        beside_a_server(&device, |current, id, go| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(id).unwrap();
            assert_says(stream.subscribe_report(id), &["aclrtSubscribeReport", "107011"]);
            assert_says(stream.launch_host_func(|| {}), &["aclrtLaunchHostFunc", "107011"]);
            let mut other = current.create_stream::<Other>().unwrap();
            other.launch_host_func(|| {}).unwrap();
            assert_says(other.subscribe_report(id), &["aclrtSubscribeReport", "107011"]);
            go();
            stream.unsubscribe_report(subscribed).unwrap();
        });
    }

    fn a_subscription_ends_with_its_stream() {
        let acl = acl();
        let device = acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        beside_a_server(&device, |current, id, go| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(id).unwrap();
            stream.destroy().unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            assert_eq!(usage(stream.launch_callback(&subscribed, || {})), Usage::SubscriptionEnded);
            // Also beside the one that the later stream has.
            let present = stream.subscribe_report(id).unwrap();
            assert_eq!(usage(stream.launch_callback(&subscribed, || {})), Usage::SubscriptionEnded);
            assert_eq!(usage(stream.unsubscribe_report(subscribed)), Usage::SubscriptionEnded);
            stream.launch_callback(&present, || {}).unwrap();
            go();
            stream.unsubscribe_report(present).unwrap();
        });
    }

    fn a_wait_without_a_limit_ends_with_the_last_stream() {
        let acl = acl();
        let device = &acl.set_device::<D>(&mut Thread::claim().unwrap(), 0).unwrap();
        thread::scope(|scope| {
            let ((ready, id), (go, subscribed)) = (channel(), channel());
            let server = scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let mut reports = thread.set_current(device).unwrap().report_thread();
                ready.send(reports.id()).unwrap();
                subscribed.recv().unwrap();
                while reports.process_report(None).unwrap() != Report::NoStream {}
            });
            let mut thread = Thread::claim().unwrap();
            let current = thread.set_current(device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(&id.recv().unwrap()).unwrap();
            go.send(()).unwrap();
            stream.launch_callback(&subscribed, || {}).unwrap();
            stream.destroy().unwrap();
            server.join().unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn callbacks_that_nobody_runs_any_more_do_not_hang_the_end_of_their_subscription() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        thread::scope(|scope| {
            let ((ready, id), (go, gone)) = (channel(), channel::<()>());
            let device = &device;
            let server = scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let reports = thread.set_current(device).unwrap().report_thread();
                ready.send(reports.id()).unwrap();
                gone.recv().unwrap_err();
            });
            let subscribed = stream.subscribe_report(&id.recv().unwrap()).unwrap();
            stream.launch_callback(&subscribed, || {}).unwrap();
            drop(go);
            server.join().unwrap();
            assert_eq!(usage(stream.unsubscribe_report(subscribed)), Usage::ReportThreadGone);
        });
        // Nothing ends this stream any more, so no thread may wait for it.
        std::mem::forget(stream);
        std::mem::forget(device);
        std::mem::forget(acl);
    }

    fn time_and_streams_run_out_without_an_error() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut reports = current.report_thread();
        assert_eq!(reports.process_report(Some(LONG)).unwrap(), Report::NoStream);
        assert_eq!(usage(reports.process_report(Some(Duration::ZERO))), Usage::Timeout { limit: Duration::ZERO });
        let id = reports.id();
        thread::scope(|scope| {
            let (go, gone) = channel::<()>();
            let (told, tells) = channel();
            let device = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let mut stream = thread.set_current(device).unwrap().create_stream::<Main>().unwrap();
                let subscribed = stream.subscribe_report(&id).unwrap();
                told.send(()).unwrap();
                gone.recv().unwrap_err();
                stream.unsubscribe_report(subscribed).unwrap();
            });
            tells.recv().unwrap();
            assert_eq!(reports.process_report(Some(Duration::from_nanos(1))).unwrap(), Report::TimeUp);
            // The text of such an outcome is not that of the next error.
            // SAFETY: takes no argument.
            assert!(unsafe { ascendcl::sys::aclGetRecentErrMsg() }.is_null());
            drop(go);
        });
        assert_eq!(reports.process_report(Some(LONG)).unwrap(), Report::NoStream);
    }

    fn a_thread_that_is_gone_or_waits_itself_gets_no_callbacks() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let own = current.report_thread();
        assert_eq!(usage(stream.subscribe_report(&own.id())), Usage::OwnReportThread);
        let id = thread::scope(|scope| {
            let device = &device;
            let ended = scope.spawn(move || -> Result<_> {
                let mut thread = Thread::claim()?;
                Ok(thread.set_current(device)?.report_thread().id())
            });
            ended.join().unwrap().unwrap()
        });
        assert_eq!(usage(stream.subscribe_report(&id)), Usage::ReportThreadGone);
        // One that goes later.
        let (ready, ids) = channel();
        let (go, gone) = channel::<()>();
        let subscribed = thread::scope(|scope| {
            let device = &device;
            scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let reports = thread.set_current(device).unwrap().report_thread();
                ready.send(reports.id()).unwrap();
                gone.recv().unwrap_err();
            });
            let subscribed = stream.subscribe_report(&ids.recv().unwrap()).unwrap();
            drop(go);
            subscribed
        });
        assert_eq!(usage(stream.launch_callback(&subscribed, || {})), Usage::ReportThreadGone);
        stream.unsubscribe_report(subscribed).unwrap();
    }
}
