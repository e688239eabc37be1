//! Streams, each a queue with a thread, and events, each a place in a queue.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use crate::{Answer, INVALID_HANDLE, NOT_READY, lock};

pub(crate) struct Stream {
    pub(crate) device: usize,
    queue: Mutex<Queue>,
    moved: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Box<dyn FnOnce() + Send>>,
    /// How many tasks were queued, and how many of them are over.
    queued: u64,
    over: u64,
    is_closed: bool,
}

impl Stream {
    pub(crate) fn new(device: usize) -> Arc<Stream> {
        let stream = Arc::new(Stream {
            device,
            queue: Mutex::default(),
            moved: Condvar::new(),
        });
        let worker = Arc::clone(&stream);
        thread::spawn(move || worker.run());
        stream
    }

    /// Runs the tasks, until the stream is closed and none is left.
    fn run(&self) {
        let mut queue = lock(&self.queue);
        loop {
            if let Some(task) = queue.tasks.pop_front() {
                drop(queue);
                task();
                queue = lock(&self.queue);
                queue.over += 1;
                self.moved.notify_all();
            } else if queue.is_closed {
                return;
            } else {
                let moved = self.moved.wait(queue);
                queue = moved.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Queues a task, and returns its number.
    pub(crate) fn push(&self, task: impl FnOnce() + Send + 'static) -> u64 {
        let mut queue = lock(&self.queue);
        queue.tasks.push_back(Box::new(task));
        queue.queued += 1;
        self.moved.notify_all();
        queue.queued
    }

    /// Waits for all tasks that are queued now.
    pub(crate) fn wait(&self) {
        let queued = lock(&self.queue).queued;
        self.wait_for(queued);
    }

    fn wait_for(&self, number: u64) {
        let queue = lock(&self.queue);
        let is_open = |queue: &mut Queue| queue.over < number;
        drop(self.moved.wait_while(queue, is_open));
    }

    fn is_over(&self, number: u64) -> bool {
        lock(&self.queue).over >= number
    }

    pub(crate) fn query(&self) -> Answer {
        let queue = lock(&self.queue);
        ready(queue.over == queue.queued)
    }

    pub(crate) fn close(&self) {
        lock(&self.queue).is_closed = true;
        self.moved.notify_all();
    }
}

fn ready(is_over: bool) -> Answer {
    is_over.then_some(()).ok_or(NOT_READY)
}

pub(crate) struct Event {
    has_time: bool,
    record: Mutex<Option<Record>>,
}

/// The last record of an event: a task of a stream, and the time at which it ran.
#[derive(Clone)]
struct Record {
    stream: Arc<Stream>,
    number: u64,
    at: Arc<OnceLock<Instant>>,
}

impl Event {
    pub(crate) fn new(flags: u32) -> Event {
        const WITHOUT_TIME: u32 = 2;
        Event {
            has_time: flags & WITHOUT_TIME == 0,
            record: Mutex::default(),
        }
    }

    pub(crate) fn record(&self, stream: Arc<Stream>) {
        let at = Arc::new(OnceLock::new());
        let time = Arc::clone(&at);
        // Another thread sees the records in the order of the tasks.
        let mut record = lock(&self.record);
        let number = stream.push(move || _ = time.set(Instant::now()));
        *record = Some(Record { stream, number, at });
    }

    fn last(&self) -> Option<Record> {
        lock(&self.record).clone()
    }

    /// Lets a stream wait for the record that is the last one now. An event that was never recorded holds nobody.
    pub(crate) fn hold(&self, other: &Stream) {
        if let Some(record) = self.last() {
            other.push(move || record.stream.wait_for(record.number));
        }
    }

    pub(crate) fn wait(&self) {
        if let Some(record) = self.last() {
            record.stream.wait_for(record.number);
        }
    }

    pub(crate) fn query(&self) -> Answer {
        let last = self.last();
        ready(last.is_none_or(|record| record.stream.is_over(record.number)))
    }

    pub(crate) fn millis_until(&self, end: &Event) -> Answer<f32> {
        let time = |event: &Event| -> Result<Instant, c_int> {
            let record = event.last().filter(|_| event.has_time);
            let record = record.ok_or(INVALID_HANDLE)?;
            record.at.get().copied().ok_or(NOT_READY)
        };
        let (start, end) = (time(self)?, time(end)?);
        let millis = |from: Instant, to: Instant| to.duration_since(from).as_secs_f32() * 1000.0;
        Ok(millis(start, end) - millis(end, start))
    }
}
