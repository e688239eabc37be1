//! The threads of the emulator. All of them have one type, because each type adds a thousand lines of code to compile.

use std::thread;

#[cfg(feature = "collectives")]
use crate::results::list_of;

/// What a thread does.
pub(crate) type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Starts a thread that is never joined. Returns false if the system has no more threads.
pub(crate) fn start(name: String, job: Job<'static>) -> bool {
    thread::Builder::new().name(name).spawn(job).is_ok()
}

/// Does each job on a thread of its own, and returns the results when all threads have ended. A job that panics has none.
#[cfg(feature = "collectives")]
pub(crate) fn together<R: Send>(jobs: Vec<Box<dyn FnOnce() -> R + Send + '_>>) -> Vec<Option<R>> {
    let mut results = list_of(jobs.iter().map(|_| None));
    thread::scope(|threads| {
        let mut started = Vec::new();
        for (job, result) in jobs.into_iter().zip(&mut results) {
            let job: Job<'_> = Box::new(|| *result = Some(job()));
            started.push(threads.spawn(job));
        }
        for thread in started {
            // The result says whether the thread has panicked.
            let _ = thread.join();
        }
    });
    results
}
