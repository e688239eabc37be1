//! The threads that run host functions (`aclrtLaunchHostFunc`), one for each device.
//!
//! They run on a thread of the runtime's own, never on the program's: a function that took the
//! synchronising thread's context or locks for its own would work here and fail on a card.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex};
use std::thread;

use crate::engine::engine;
use crate::engine::queue::{Ran, Stream};
use crate::sync::{lock, threads};

/// A thread and the streams that have a host function in front.
#[derive(Debug, Default)]
pub(crate) struct HostThread {
    calls: Mutex<Calls>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct Calls {
    started: bool,
    streams: VecDeque<&'static Stream>,
}

/// Calls the thread of its device to the function in front of a stream.
pub(crate) fn call(stream: &'static Stream) {
    let device = stream
        .context()
        .map_or(0, |context| context.device.load(Ordering::Relaxed));
    let threads = &engine().host_threads;
    if let Some(thread) = threads.get(device as usize).or(threads.first()) {
        thread.call(stream);
    }
}

impl HostThread {
    fn call(&'static self, stream: &'static Stream) {
        if stream.host_called.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut calls = lock(&self.calls);
        calls.streams.push_back(stream);
        if !calls.started {
            let name = String::from("ascendcl-host-functions");
            calls.started = threads::start(name, Box::new(|| self.work()));
        }
        drop(calls);
        self.called.notify_one();
    }

    fn work(&'static self) {
        loop {
            let mut calls = lock(&self.calls);
            let stream = loop {
                match calls.streams.pop_front() {
                    Some(stream) => break stream,
                    None => {
                        calls = match self.called.wait(calls) {
                            Ok(calls) => calls,
                            Err(poisoned) => poisoned.into_inner(),
                        }
                    }
                }
            };
            drop(calls);
            // Cleared first: the next function of the stream calls again.
            stream.host_called.store(false, Ordering::Release);
            // The thread that called holds the stream for a moment longer. This one must not give up
            // on a busy stream: nobody else runs the function.
            while let Ran::Busy = stream.run(u64::MAX, 1, true) {
                thread::yield_now();
            }
            // What comes next is anybody's.
            engine().pool.watch();
        }
    }
}
