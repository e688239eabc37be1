//! Workers whose devices, handlers and bodies fail: each request has one answer, and the device is opened again.

use std::panic::panic_any;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::worker::{Answer, Failed, Requests, Worker, WorkerOptions};
use ascendcl::{Acl, Current, DeviceTag, Error, ErrorKind, Npu, Result, leaks, sys};

use crate::common::{acl, assert_clean, isolated, usage};
use crate::release_limit::LIMIT;
use crate::worker::{Gated, count, is_stopped};

type D = Npu<0>;
type Counter = Arc<AtomicUsize>;

fn options() -> WorkerOptions {
    WorkerOptions::default().with_pause(Duration::ZERO)
}

/// The body of [`count`], which counts how often the device is opened.
fn counted<D: DeviceTag + 'static>(
    openings: &Counter,
) -> impl for<'on, 'w> Fn(Current<'on, 'on, D>, &'w Acl, Requests<'w, u32, u32>) -> Result<()>
+ Send
+ use<D> {
    let openings = Arc::clone(openings);
    move |current, acl, requests| {
        openings.fetch_add(1, Ordering::SeqCst);
        count(current, acl, requests)
    }
}

/// Sends ten requests, of which one gets an error of the device. Returns that.
fn one_fails(worker: &Worker<u32, u32>) -> Error {
    let client = worker.client();
    let answers: Vec<_> = (0..10).map(|number| client.send(number)).collect();
    let mut errors = Vec::new();
    for (number, answer) in (0..10).zip(answers) {
        match answer.wait() {
            Ok(answer) => assert_eq!(answer, number + 1),
            Err(Failed::Device(error)) => errors.push(error),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

/// The error for which a worker has given up.
fn reason<A: std::fmt::Debug>(answer: Result<A, Failed>) -> Error {
    match answer {
        Err(Failed::Stopped(Some(error))) => error,
        other => panic!("another answer: {other:?}"),
    }
}

/// A value whose drop panics.
#[derive(Debug)]
struct Sharp;

impl Drop for Sharp {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// A waker that panics.
struct Bad;

impl Wake for Bad {
    fn wake(self: Arc<Self>) {
        panic!("woken");
    }
}

/// Asks for an answer that is not there, with a waker that panics.
fn ask<A>(answer: &mut Answer<A>) {
    let waker = Waker::from(Arc::new(Bad));
    let asked = Pin::new(answer).poll(&mut Context::from_waker(&waker));
    assert!(asked.is_pending());
}

/// Sends each error of the hook to the test. The hook waits for leave until the test has dropped that end.
fn hooked() -> (Receiver<Error>, Sender<()>) {
    static ENDS: Mutex<Option<(Sender<Error>, Receiver<()>)>> = Mutex::new(None);
    let (tells, told) = channel();
    let (leave, waits) = channel();
    *ENDS.lock().unwrap() = Some((tells, waits));
    ascendcl::on_release_failure(|error| {
        if let Some((tells, waits)) = &*ENDS.lock().unwrap() {
            // The test may have gone.
            let _ = tells.send(error.clone());
            let _ = waits.recv();
        }
    });
    (told, leave)
}

/// A worker that has given two devices up. The hook, which has the error of the second one, waits for leave.
fn held_by_the_hook() -> (Worker<u32, u32>, Sender<()>) {
    let (told, leave) = hooked();
    let mut worker = Worker::spawn(Arc::new(acl()), 99, options(), count::<D>);
    reason(worker.client().call(0));
    worker.add(98, count::<D>);
    told.recv().unwrap();
    (worker, leave)
}

isolated! {
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#4=507001"]
    fn a_failed_task_fails_its_request_and_opens_the_device_again() {
        let acl = Arc::new(acl());
        let openings = Counter::default();
        let worker = Worker::spawn(Arc::clone(&acl), 0, options(), counted::<D>(&openings));
        let error = one_fails(&worker);
        assert!(matches!(error.kind(), ErrorKind::Wait(_)));
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR));
        // The client knows of it, so it is no error of the worker.
        worker.stop().unwrap();
        assert_eq!(openings.load(Ordering::SeqCst), 2);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "hang:aclrtMemcpyAsync#4", "ASCENDCL_EMULATOR_CLOCK" = "still"]
    fn a_device_that_hangs_is_opened_again_in_time() {
        let openings = Counter::default();
        let options = options().with_limit(LIMIT);
        let worker = Worker::spawn(Arc::new(acl()), 0, options, counted::<D>(&openings));
        let code = one_fails(&worker).code();
        assert_eq!(code, Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT));
        worker.stop().unwrap();
        assert_eq!((openings.load(Ordering::SeqCst), leaks()), (2, 0));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "device-lost#40~reset"]
    fn a_lost_device_is_reset() {
        let openings = Counter::default();
        let options = options().with_limit(LIMIT);
        let worker = Worker::spawn(Arc::new(acl()), 0, options, counted::<D>(&openings));
        let code = one_fails(&worker).code();
        assert_eq!(code, Some(sys::ACL_ERROR_RT_LOST_HEARTBEAT));
        worker.stop().unwrap();
        assert!(openings.load(Ordering::SeqCst) > 1);
    }

    [
        "ASCENDCL_EMULATOR_FAULTS" = "hang:aclrtMemcpyAsync#4,slow:aclrtStreamAbort=1200",
        "ASCENDCL_EMULATOR_CLOCK" = "still",
    ]
    fn a_device_that_is_still_ending_is_opened_later() {
        let options = WorkerOptions::default().with_limit(LIMIT).with_attempts(20);
        let worker = Worker::spawn(Arc::new(acl()), 0, options, count::<D>);
        one_fails(&worker);
        worker.stop().unwrap();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtCreateStream#1+=507899"]
    fn a_device_without_a_success_is_given_up() {
        let openings = Counter::default();
        let options = options().with_attempts(3);
        let worker = Worker::spawn(Arc::new(acl()), 0, options, counted::<D>(&openings));
        let client = worker.client();
        for _ in 0..2 {
            let code = reason(client.call(1)).code();
            assert_eq!(code, Some(sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR));
        }
        assert_eq!(openings.load(Ordering::SeqCst), 3);
        assert!(worker.stop().is_err());
    }

    fn what_nothing_helps_against_ends_the_worker_at_once() {
        let openings = Counter::default();
        let worker = Worker::spawn(Arc::new(acl()), 99, options(), counted::<D>(&openings));
        let code = reason(worker.client().call(1)).code();
        assert_eq!(code, Some(sys::ACL_ERROR_RT_INVALID_DEVICEID));
        assert_eq!(worker.stop().unwrap_err().code(), code);
        assert_eq!(openings.load(Ordering::SeqCst), 0);
    }

    fn the_other_device_serves_when_one_is_given_up() {
        let acl = Arc::new(acl());
        let mut worker = Worker::spawn(acl, 99, options(), count::<Npu<1>>);
        // The first device may have been given up already: the worker serves again.
        worker.add(0, count::<D>);
        let client = worker.client();
        for number in 0..10 {
            assert_eq!(client.call(number).unwrap(), number + 1);
        }
        let code = worker.stop().unwrap_err().code();
        assert_eq!(code, Some(sys::ACL_ERROR_RT_INVALID_DEVICEID));
    }

    fn a_device_that_is_added_late_serves() {
        let (mut worker, leave) = held_by_the_hook();
        worker.add(0, count::<D>);
        let answer = worker.client().send(1);
        drop(leave);
        assert_eq!(answer.wait().unwrap(), 2);
        worker.stop().unwrap_err();
    }

    fn a_stop_with_a_limit_waits_for_no_hook() {
        let (worker, leave) = held_by_the_hook();
        let worker = worker.stop_within(Duration::ZERO).unwrap_err();
        drop(leave);
        worker.stop().unwrap_err();
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtResetDevice#1=507007", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_error_of_a_worker_that_was_dropped_on_its_own_thread_goes_to_the_hook() {
        struct Own(Worker<Own, ()>);
        let (told, leave) = hooked();
        drop(leave);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options(), |_, _, requests| {
            requests.serve(|Own(worker)| {
                drop(worker);
                Ok(())
            })
        });
        worker.client().call(Own(worker)).unwrap();
        assert_eq!(told.recv().unwrap().code(), Some(507007));
    }

    [
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#4=507001,aclrtResetDevice#1=507007",
        "ASCENDCL_EMULATOR_CHECK" = "0",
    ]
    fn a_device_that_cannot_be_reset_is_given_up_with_its_own_error() {
        let worker = Worker::spawn(Arc::new(acl()), 0, options(), count::<D>);
        let client = worker.client();
        assert_eq!(client.call(1).unwrap(), 2);
        assert!(matches!(client.call(2), Err(Failed::Device(_))));
        let code = reason(client.call(3)).code();
        assert_eq!(code, Some(sys::ACL_ERROR_RT_TS_ERROR));
        assert_eq!(worker.stop().unwrap_err().code(), code);
    }

    fn a_worker_waits_for_the_device_of_an_earlier_one() {
        let (told, leave) = hooked();
        let acl = Arc::new(acl());
        let options = options().with_attempts(u32::MAX);
        let earlier = Worker::spawn(Arc::clone(&acl), 0, options, count::<D>);
        assert_eq!(earlier.client().call(1).unwrap(), 2);
        let later = Worker::spawn(acl, 0, options, count::<D>);
        assert_eq!(usage::<()>(Err(told.recv().unwrap())), Usage::SlotTaken { slot: 0 });
        drop(leave);
        earlier.stop().unwrap();
        assert_eq!(later.client().call(1).unwrap(), 2);
        later.stop().unwrap();
    }

    fn a_device_that_serves_is_not_given_up() {
        let options = options().with_attempts(2);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, |current, _, requests| {
            requests.serve(|kind: u32| match kind {
                0 => current.malloc::<u8>(0)?.free(),
                1 => Err(Usage::StreamPoisoned { name: "Main".into() }.into()),
                _ => panic!("a mistake of the handler"),
            })
        });
        let client = worker.client();
        for _ in 0..3 {
            assert!(matches!(client.call(2), Err(Failed::Panicked(_))));
        }
        for _ in 0..3 {
            assert!(matches!(client.call(0), Err(Failed::Refused(_))));
            assert!(matches!(client.call(1), Err(Failed::Device(_))));
        }
        for _ in 0..2 {
            assert!(matches!(client.call(1), Err(Failed::Device(_))));
        }
        let error = reason(client.call(0));
        assert!(matches!(error.kind(), ErrorKind::Usage(Usage::StreamPoisoned { .. })));
    }

    fn a_stop_waits_for_no_pause() {
        let (told, leave) = hooked();
        drop(leave);
        let pause = Duration::from_secs(1 << 30);
        let options = WorkerOptions::default().with_pause(pause);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, |_, _, _: Requests<'_, u32, u32>| {
            Err(Usage::Panicked { text: "by hand".to_owned() }.into())
        });
        let queued = worker.client().send(1);
        assert!(matches!(usage(worker.stop_now()), Usage::Panicked { .. }));
        assert!(told.try_recv().is_err(), "the hook has the error, too");
        assert!(is_stopped(&queued.wait()));
    }

    fn a_panic_fails_its_request_and_opens_the_device_again() {
        let acl = Arc::new(acl());
        let openings = Counter::default();
        let opened = Arc::clone(&openings);
        let worker = Worker::spawn::<D>(Arc::clone(&acl), 0, options(), move |current, _, requests| {
            opened.fetch_add(1, Ordering::SeqCst);
            let mut bytes = current.malloc::<u8>(16)?;
            requests.serve(|kind: u32| {
                match kind {
                    0 => panic!("a text"),
                    1 => panic!("a text of {kind}"),
                    2 => panic_any(kind),
                    3 => panic_any(Sharp),
                    _ => bytes = current.malloc::<u8>(32)?,
                }
                Ok(bytes.len())
            })
        });
        let client = worker.client();
        let texts = ["a text", "a text of 1", "a value that is no text", "a value that is no text"];
        for (kind, expected) in (0..).zip(texts) {
            match client.call(kind) {
                Err(Failed::Panicked(text)) => assert_eq!(text, expected),
                other => panic!("another answer: {other:?}"),
            }
            assert_eq!(client.call(4).unwrap(), 32);
        }
        worker.stop().unwrap();
        assert_eq!(openings.load(Ordering::SeqCst), 5);
        assert_clean(&acl);
    }

    fn a_body_that_panics_runs_again() {
        let openings = Counter::default();
        let opened = Arc::clone(&openings);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options(), move |current, acl, requests| {
            let _kept = current.malloc::<u8>(16)?;
            match opened.fetch_add(1, Ordering::SeqCst) {
                0 => panic!("the first"),
                1 => panic_any(Sharp),
                _ => count(current, acl, requests),
            }
        });
        assert_eq!(worker.client().call(1).unwrap(), 2);
        worker.stop().unwrap();
        assert_eq!(openings.load(Ordering::SeqCst), 3);
    }

    fn a_body_that_always_panics_is_given_up() {
        let options = options().with_attempts(2);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, |_, _, _: Requests<'_, u32, u32>| {
            panic!("each time")
        });
        let error = reason(worker.client().call(1));
        assert!(error.to_string().ends_with("each time"), "{error}");
        assert!(matches!(usage(worker.stop()), Usage::Panicked { .. }));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemcpyAsync#4=507001"]
    fn a_body_that_hides_the_failure_runs_again() {
        let openings = Counter::default();
        let body = counted::<D>(&openings);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options(), move |current, acl, requests| {
            let _ = body(current, acl, requests);
            Ok(())
        });
        one_fails(&worker);
        worker.stop().unwrap();
        assert_eq!(openings.load(Ordering::SeqCst), 2);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtResetDevice#1=507007", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_release_is_an_error_of_the_stop() {
        let worker = Worker::spawn(Arc::new(acl()), 0, options(), count::<D>);
        assert_eq!(worker.client().call(1).unwrap(), 2);
        assert!(worker.stop().is_err());
    }

    fn values_whose_drop_panics_harm_no_other_request() {
        let (leave, waits) = channel::<()>();
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options(), move |_, _, requests| {
            requests.serve(|is_sharp: bool| {
                let _ = waits.recv();
                Ok(is_sharp.then(|| Sharp))
            })
        });
        let client = worker.client();
        // Answers whose clients have gone, one of them with a waker that panics, too.
        drop(client.send(true));
        let mut asked = client.send(true);
        ask(&mut asked);
        drop(asked);
        drop(leave);
        assert!(client.call(false).unwrap().is_none());
        worker.stop().unwrap();
    }

    fn requests_whose_drop_panics_harm_no_other_request() {
        let (leave, waits) = channel::<()>();
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options(), move |_, _, _: Requests<'_, _, ()>| {
            let _ = waits.recv();
            Ok(())
        });
        let client = worker.client();
        let answers = [Some(Sharp), None].map(|request| client.send(request));
        drop(leave);
        for answer in answers {
            let error = reason(answer.wait());
            assert!(matches!(error.kind(), ErrorKind::Usage(Usage::NotServed)));
        }
    }

    fn a_waker_that_panics_harms_no_other_request() {
        let (gated, mut first) = Gated::new(8);
        ask(&mut first);
        let second = gated.worker.client().send(1);
        drop(gated.leave);
        assert_eq!((first.wait().unwrap(), second.wait().unwrap()), (0, 1));
        gated.worker.stop().unwrap();
        assert_clean(&gated.acl);
    }
}
