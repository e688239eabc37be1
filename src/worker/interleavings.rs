//! Model tests of the queue and of answers (`device/interleavings.rs` says how to run them). The clients and the thread of a worker are
//! threads of loom, which finds each order in which one of them would wait for ever.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use super::answer::pair;
use super::queue::Queue;
use super::{Answer, Failed};
use crate::error::{Result, Usage};

type Numbers = Queue<u32, u32>;

/// Tries all orders with up to three preemptions: a client, a worker and its owner have too many steps for all of them.
fn try_all(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(run);
}

/// The thread of a worker without a device: it answers with the number that follows.
fn serve(queue: &Numbers) {
    while let Some((number, reply)) = queue.next() {
        reply.send(Ok(number + 1));
    }
    end(queue, Ok(()));
}

/// The end of the thread of a worker.
fn end(queue: &Numbers, ended: Result<()>) {
    queue.leave(ended);
    queue.finish();
}

fn open(capacity: usize) -> Arc<Numbers> {
    let queue = Queue::new(capacity);
    queue.enter();
    queue
}

fn spawn(queue: &Arc<Numbers>, run: fn(&Numbers)) -> thread::JoinHandle<()> {
    let queue = Arc::clone(queue);
    thread::spawn(move || run(&queue))
}

/// Two clients share a queue of one request, so one of them waits for room. Each gets its own answer, also while the worker stops.
#[test]
fn each_client_gets_its_answer_through_a_full_queue() {
    try_all(|| {
        let queue = open(1);
        let worker = spawn(&queue, serve);
        let other = spawn(&queue, |queue| {
            assert!(matches!(queue.send(10).wait(), Ok(11)));
        });
        assert!(matches!(queue.send(20).wait(), Ok(21)));
        other.join().unwrap();
        queue.stop();
        assert!(queue.wait(None));
        worker.join().unwrap();
        assert!(matches!(queue.send(1).wait(), Err(Failed::Stopped(None))));
    });
}

/// A worker stops while a client sends and another one waits for room: an accepted request is answered, and the other ones learn
/// that it has stopped.
#[test]
fn a_stop_leaves_no_client_waiting() {
    try_all(|| {
        let queue = open(1);
        let answer = queue.send(1);
        let client = spawn(&queue, |queue| {
            let answer = queue.send(2).wait();
            assert!(matches!(answer, Ok(3) | Err(Failed::Stopped(None))));
        });
        let worker = spawn(&queue, serve);
        queue.stop();
        assert!(queue.wait(None));
        assert!(matches!(answer.wait(), Ok(2)));
        client.join().unwrap();
        worker.join().unwrap();
    });
}

/// What is queued is dropped beside the thread that serves it: each request has one answer.
#[test]
fn a_dropped_request_has_one_answer() {
    try_all(|| {
        let queue = open(2);
        let answers = [queue.send(1), queue.send(2)];
        let worker = spawn(&queue, serve);
        queue.stop();
        queue.drop_requests();
        assert!(queue.wait(None));
        worker.join().unwrap();
        for (answer, expected) in answers.into_iter().zip([2, 3]) {
            match answer.wait() {
                Ok(number) => assert_eq!(number, expected),
                Err(failed) => assert!(matches!(failed, Failed::Stopped(None))),
            }
        }
    });
}

/// The last device is given up while a client sends: the client learns the error, and does not wait for room or an answer.
#[test]
fn the_end_of_the_last_device_reaches_each_client() {
    try_all(|| {
        let queue = open(1);
        let answer = queue.send(1);
        let worker = spawn(&queue, |queue| end(queue, Err(Usage::NotServed.into())));
        let late = queue.send(2).wait();
        for answer in [answer.wait(), late] {
            let Err(Failed::Stopped(Some(error))) = answer else {
                panic!("{answer:?}")
            };
            assert_eq!(error.to_string(), Usage::NotServed.to_string());
        }
        worker.join().unwrap();
    });
}

/// Of two devices one is given up: the other one answers.
#[test]
fn the_other_device_answers() {
    try_all(|| {
        let queue = open(1);
        queue.enter();
        let first = spawn(&queue, |queue| end(queue, Err(Usage::NotServed.into())));
        let second = spawn(&queue, serve);
        assert!(matches!(queue.send(1).wait(), Ok(2)));
        queue.stop();
        assert!(queue.wait(None));
        assert!(queue.failure().is_some());
        first.join().unwrap();
        second.join().unwrap();
    });
}

struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// An answer comes while a task asks for it: the task has it at once, or is woken once.
#[test]
fn a_task_has_its_answer_or_is_woken_once() {
    try_all(|| {
        let woken = Arc::new(Woken(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        let (reply, mut answer): (_, Answer<u32>) = pair(0);
        let worker = thread::spawn(move || reply.send(Ok(7)));
        let first = Pin::new(&mut answer).poll(&mut context);
        worker.join().unwrap();
        let wakes = woken.0.load(Ordering::SeqCst);
        match first {
            Poll::Ready(answer) => {
                assert!(matches!(answer, Ok(7)));
                assert_eq!(wakes, 0, "the task has its answer");
            }
            Poll::Pending => {
                assert_eq!(wakes, 1);
                let second = Pin::new(&mut answer).poll(&mut context);
                assert!(matches!(second, Poll::Ready(Ok(7))));
            }
        }
    });
}
