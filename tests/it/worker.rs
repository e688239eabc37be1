//! Workers: answers, full queues, futures, and each way to stop.

use std::mem;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::worker::{Answer, Client, Failed, NotSent, Requests, Worker, WorkerOptions};
use ascendcl::{Acl, Current, DeviceTag, ErrorKind, Npu, Result};

use crate::common::{acl, assert_clean, isolated, usage};
use crate::loops::live_bytes;
use crate::release_limit::LIMIT;

type D = Npu<0>;

/// The body of a worker that sends each number to the device and back, and adds one.
pub(crate) fn count<D: DeviceTag>(
    current: Current<'_, '_, D>,
    acl: &Acl,
    requests: Requests<'_, u32, u32>,
) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let mut number = stream.malloc_host_from(acl.host()?, &[0])?;
    let mut on_device = stream.memcpy_async(stream.malloc(1)?, &number)?;
    stream.synchronize_within(LIMIT)?;
    requests.serve(|request| {
        stream.synchronize_within(LIMIT)?.get_mut(&mut number)[0] = request;
        stream.memcpy_async(&mut on_device, &number)?;
        stream.memcpy_async(&mut number, &on_device)?;
        Ok(stream.synchronize_within(LIMIT)?.get_mut(&mut number)[0] + 1)
    })
}

/// A worker whose handler says that it has begun, and then waits for leave. Its answers are the requests.
pub(crate) struct Gated {
    pub(crate) acl: Arc<Acl>,
    // Dropped before the worker, which waits for its request: a test may end early.
    pub(crate) leave: Sender<()>,
    pub(crate) worker: Worker<u32, u32>,
}

impl Gated {
    /// The first request is being served.
    pub(crate) fn new(queue: usize) -> (Gated, Answer<u32>) {
        let acl = Arc::new(acl());
        let (begins, begun) = channel();
        let (leave, waits) = channel();
        let options = WorkerOptions::default().with_queue(queue);
        let worker = Worker::spawn::<D>(Arc::clone(&acl), 0, options, move |_, _, requests| {
            requests.serve(|request| {
                // The test may have gone.
                let _ = begins.send(());
                let _ = waits.recv();
                Ok(request)
            })
        });
        let first = worker.client().send(0);
        begun.recv().unwrap();
        let gated = Gated { acl, leave, worker };
        (gated, first)
    }
}

pub(crate) fn is_stopped<A>(answer: &Result<A, Failed>) -> bool {
    matches!(answer, Err(Failed::Stopped(None)))
}

fn is_own<A>(answer: &Result<A, Failed>) -> bool {
    is_refused_with(answer, &Usage::OwnWorker)
}

fn is_refused_with<A>(answer: &Result<A, Failed>, expected: &Usage) -> bool {
    matches!(answer, Err(Failed::Refused(error)) if matches!(error.kind(), ErrorKind::Usage(usage) if usage == expected))
}

/// Runs a function that the runtime calls, on another device than [`D`].
fn run_in_host_func(acl: &Acl, function: impl FnOnce() + Send + 'static) {
    acl.on::<Npu<1>, _>(1, |current| {
        let mut stream = current.create_stream::<Main>()?;
        stream.launch_host_func(function)?;
        stream.synchronize().map(drop)
    })
    .unwrap();
}

/// Waits until the threads of the workers have given their shares back.
fn wait_for_shares(acl: &Arc<Acl>) {
    while Arc::strong_count(acl) > 1 {
        thread::yield_now();
    }
}

/// Runs a future on this thread.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Counts how often a task is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Asks for an answer once.
fn poll<A>(answer: &mut Answer<A>, woken: &Arc<Woken>) -> Poll<Result<A, Failed>> {
    let waker = Waker::from(Arc::clone(woken));
    Pin::new(answer).poll(&mut Context::from_waker(&waker))
}

isolated! {
    fn clients_on_threads_get_their_own_answers_of_two_devices() {
        let acl = Arc::new(acl());
        let options = WorkerOptions::default().with_queue(2);
        let mut worker = Worker::spawn(Arc::clone(&acl), 0, options, count::<D>);
        if acl.device_count().unwrap() > 1 {
            worker.add(1, count::<Npu<1>>);
        }
        thread::scope(|scope| {
            for client in 0..4 {
                let worker = worker.client();
                scope.spawn(move || {
                    for number in (0..50).map(|round| 1000 * client + round) {
                        assert_eq!(worker.call(number).unwrap(), number + 1);
                    }
                });
            }
        });
        worker.stop().unwrap();
        assert_clean(&acl);
        // The threads have given their shares back.
        Arc::try_unwrap(acl).unwrap().finalize().unwrap();
    }

    fn a_full_queue_holds_its_clients_back() {
        let (gated, first) = Gated::new(1);
        let client = gated.worker.client();
        let second = client.send(1);
        assert_eq!(client.try_send(2).err(), Some(NotSent::Full(2)));
        let may_send = AtomicBool::new(false);
        thread::scope(|scope| {
            let third = scope.spawn(|| {
                let answer = client.send(2);
                assert!(may_send.load(Ordering::SeqCst), "sent into a full queue");
                answer.wait()
            });
            may_send.store(true, Ordering::SeqCst);
            for _ in 0..3 {
                gated.leave.send(()).unwrap();
            }
            assert_eq!(third.join().unwrap().unwrap(), 2);
        });
        assert_eq!((first.wait().unwrap(), second.wait().unwrap()), (0, 1));
        gated.leave.send(()).unwrap();
        assert_eq!(client.try_send(3).unwrap().wait().unwrap(), 3);
        gated.worker.stop().unwrap();
        assert_eq!(client.try_send(4).err(), Some(NotSent::Stopped(4)));
    }

    fn a_refused_request_changes_nothing() {
        let openings = Arc::new(AtomicUsize::new(0));
        let opened = Arc::clone(&openings);
        let options = WorkerOptions::default();
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, move |current, _, requests| {
            opened.fetch_add(1, Ordering::SeqCst);
            requests.serve(|bytes: usize| Ok(current.malloc::<u8>(bytes)?.len()))
        });
        let client = worker.client();
        for _ in 0..3 {
            let Err(Failed::Refused(error)) = client.call(0) else { panic!("nothing was allocated") };
            assert!(matches!(error.kind(), ErrorKind::Usage(Usage::ZeroSize { .. })));
            assert_eq!(client.call(16).unwrap(), 16);
        }
        worker.stop().unwrap();
        assert_eq!(openings.load(Ordering::SeqCst), 1);
    }

    fn a_stop_answers_what_is_queued() {
        let (gated, first) = Gated::new(8);
        let client = gated.worker.client();
        let answers: Vec<_> = (1..4).map(|number| client.send(number)).collect();
        drop(gated.leave);
        gated.worker.stop().unwrap();
        assert_eq!(first.wait().unwrap(), 0);
        let answers: Vec<_> = answers.into_iter().map(|answer| answer.wait().unwrap()).collect();
        assert_eq!(answers, [1, 2, 3]);
        assert!(is_stopped(&client.call(4)));
        assert_clean(&gated.acl);
    }

    fn a_drop_answers_what_is_queued() {
        let (gated, first) = Gated::new(8);
        let client = gated.worker.client();
        let second = client.send(1);
        drop((gated.leave, gated.worker));
        assert_eq!((first.wait().unwrap(), second.wait().unwrap()), (0, 1));
        assert!(is_stopped(&client.call(2)));
    }

    fn a_stop_at_once_drops_what_is_queued() {
        let (gated, first) = Gated::new(2);
        let client = gated.worker.client();
        let answers = [1, 2].map(|number| client.send(number));
        let (worker, leave) = (gated.worker, gated.leave);
        thread::scope(|scope| {
            let blocked = scope.spawn(|| client.send(3).wait());
            let stopping = scope.spawn(|| worker.stop_now());
            // The handler still waits for leave.
            for answer in answers {
                assert!(is_stopped(&answer.wait()));
            }
            assert!(is_stopped(&blocked.join().unwrap()));
            leave.send(()).unwrap();
            stopping.join().unwrap().unwrap();
        });
        assert_eq!(first.wait().unwrap(), 0);
    }

    fn a_stop_with_a_limit_gives_the_worker_back() {
        let (gated, first) = Gated::new(8);
        let client = gated.worker.client();
        let worker = gated.worker.stop_within(Duration::ZERO).unwrap_err();
        assert!(is_stopped(&client.call(1)));
        gated.leave.send(()).unwrap();
        worker.stop_within(Duration::MAX).unwrap().unwrap();
        assert_eq!(first.wait().unwrap(), 0);
    }

    fn a_wait_with_a_limit_gives_the_answer_back() {
        let (gated, first) = Gated::new(8);
        let first = first.wait_within(Duration::ZERO).unwrap_err();
        gated.leave.send(()).unwrap();
        assert_eq!(first.wait_within(Duration::MAX).unwrap().unwrap(), 0);
    }

    fn a_handler_that_waits_for_its_own_worker_gets_an_error() {
        let own: Arc<Mutex<Option<Client<bool, Vec<bool>>>>> = Arc::default();
        let client = Arc::clone(&own);
        let options = WorkerOptions::default().with_queue(1);
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, move |_, _, requests| {
            requests.serve(|is_first: bool| {
                let Some(client) = client.lock().unwrap().take() else {
                    return Ok(Vec::new());
                };
                assert!(is_first);
                let mut outcomes = vec![is_own(&client.call(false))];
                let queued = client.try_send(false).unwrap();
                // The queue is full.
                outcomes.push(is_own(&client.send(false).wait()));
                outcomes.push(is_own(&queued.wait()));
                Ok(outcomes)
            })
        });
        *own.lock().unwrap() = Some(worker.client());
        assert_eq!(worker.client().call(true).unwrap(), [true; 3]);
        worker.stop().unwrap();
    }

    fn a_worker_ends_on_its_own_thread() {
        enum Job {
            Stop(Worker<Job, bool>),
            Drop(#[expect(dead_code, reason = "dropped")] Worker<Job, bool>),
            Nothing,
        }
        let acl = Arc::new(acl());
        for job in [Job::Stop, Job::Drop] {
            let options = WorkerOptions::default();
            let worker = Worker::spawn::<D>(Arc::clone(&acl), 0, options, |_, _, requests| {
                requests.serve(|job| match job {
                    Job::Stop(worker) => Ok(usage(worker.stop()) == Usage::OwnWorker),
                    Job::Drop(_) | Job::Nothing => Ok(true),
                })
            });
            let client = worker.client();
            assert!(client.call(job(worker)).unwrap());
            // The thread ends after the request.
            while !is_stopped(&client.call(Job::Nothing)) {}
            wait_for_shares(&acl);
        }
        assert_clean(&acl);
    }

    fn a_function_that_the_runtime_calls_waits_for_no_worker() {
        let (gated, first) = Gated::new(1);
        if gated.acl.device_count().unwrap() < 2 {
            return;
        }
        let client = gated.worker.client();
        let queued = client.send(1);
        let (tells, told) = channel();
        run_in_host_func(&gated.acl, move || {
            let answers = [client.call(2), client.send(2).wait(), queued.wait()];
            tells.send((answers, gated.worker.stop())).unwrap();
        });
        let (answers, stopped) = told.recv().unwrap();
        assert!(answers.iter().all(|answer| is_refused_with(answer, &Usage::InHostFunc)), "{answers:?}");
        assert_eq!(usage(stopped), Usage::InHostFunc);
        drop(gated.leave);
        assert_eq!(first.wait().unwrap(), 0);
        wait_for_shares(&gated.acl);
        assert_clean(&gated.acl);
    }

    fn a_drop_in_a_function_that_the_runtime_calls_waits_for_nothing() {
        static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        ascendcl::on_release_failure(|error| TOLD.lock().unwrap().push(error.to_string()));
        let (gated, first) = Gated::new(1);
        if gated.acl.device_count().unwrap() < 2 {
            return;
        }
        let worker = gated.worker;
        run_in_host_func(&gated.acl, move || drop(worker));
        assert_eq!(*TOLD.lock().unwrap(), [Usage::InHostFunc.to_string()]);
        drop(gated.leave);
        assert_eq!(first.wait().unwrap(), 0);
        wait_for_shares(&gated.acl);
    }

    fn a_request_that_was_not_sent_is_an_error() {
        struct Opaque;
        let not_sent = [NotSent::Full(Opaque), NotSent::Stopped(Opaque)];
        assert_eq!(not_sent.map(|not_sent| format!("{not_sent:?}")), ["Full(..)", "Stopped(..)"]);
        let error: Box<dyn std::error::Error + Send + Sync> = NotSent::Full(Opaque).into();
        assert!(error.to_string().ends_with("later"));
    }

    fn a_handler_asks_another_worker() {
        let acl = Arc::new(acl());
        if acl.device_count().unwrap() < 2 {
            return;
        }
        let options = WorkerOptions::default();
        let inner = Worker::spawn(Arc::clone(&acl), 1, options, count::<Npu<1>>);
        let client = inner.client();
        let outer = Worker::spawn::<D>(acl, 0, options, move |_, _, requests| {
            requests.serve(|number: u32| Ok(client.call(number).map_err(|failed| failed.to_string())))
        });
        assert_eq!(outer.client().call(1).unwrap(), Ok(2));
        inner.stop().unwrap();
        let stopped = Err("the worker has stopped".to_owned());
        assert_eq!(outer.client().call(1).unwrap(), stopped);
    }

    fn an_answer_is_a_future() {
        let worker = Worker::spawn(Arc::new(acl()), 0, WorkerOptions::default(), count::<D>);
        let client = worker.client();
        let sum = block_on(async {
            let answers = [1, 2, 3].map(|number| client.send(number));
            let mut sum = 0;
            for answer in answers {
                sum += answer.await.unwrap();
            }
            sum
        });
        assert_eq!(sum, 9);
        worker.stop().unwrap();
        assert!(is_stopped(&block_on(client.send(1))));
    }

    fn a_task_is_woken_once() {
        let (gated, mut first) = Gated::new(8);
        let (earlier, last) = (Arc::new(Woken::default()), Arc::new(Woken::default()));
        for woken in [&earlier, &last, &last] {
            assert!(poll(&mut first, woken).is_pending());
        }
        assert_eq!(Arc::strong_count(&earlier), 1, "the waker of another task is kept");
        gated.leave.send(()).unwrap();
        gated.worker.stop().unwrap();
        let woken = [earlier, Arc::clone(&last)].map(|woken| woken.0.load(Ordering::SeqCst));
        assert_eq!(woken, [0, 1]);
        assert!(matches!(poll(&mut first, &last), Poll::Ready(Ok(0))));
        assert!(poll(&mut first, &last).is_pending());
        assert_eq!(last.0.load(Ordering::SeqCst), 1);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn dropped_answers_leave_nothing_behind() {
        let worker = Worker::spawn(Arc::new(acl()), 0, WorkerOptions::default(), count::<D>);
        let client = worker.client();
        let woken = Arc::new(Woken::default());
        let mut live = Vec::new();
        for round in 0..2000 {
            drop(client.send(round));
            let mut asked = client.send(round);
            let _ = poll(&mut asked, &woken);
            drop(asked);
            if round % 500 == 499 {
                // All that was sent is answered.
                client.call(round).unwrap();
                assert_eq!(Arc::strong_count(&woken), 1);
                live.push(live_bytes());
            }
        }
        // Less than four bytes for each of a thousand rounds: other threads allocate, too.
        assert!(live[3] < live[1] + 4000, "{live:?}");
        worker.stop().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_forgotten_worker_serves_on() {
        let worker = Worker::spawn(Arc::new(acl()), 0, WorkerOptions::default(), count::<D>);
        let client = worker.client();
        mem::forget(worker);
        mem::forget(client.send(1));
        mem::forget(client.clone());
        assert_eq!(client.call(2).unwrap(), 3);
    }

    fn a_body_that_does_not_serve_ends_the_worker() {
        let options = WorkerOptions::default();
        let worker = Worker::spawn::<D>(Arc::new(acl()), 0, options, |_, _, _: Requests<'_, u32, u32>| Ok(()));
        let Err(Failed::Stopped(Some(error))) = worker.client().call(1) else { panic!("answered") };
        assert!(matches!(error.kind(), ErrorKind::Usage(Usage::NotServed)));
        assert_eq!(usage(worker.stop()), Usage::NotServed);
    }
}
