//! The threads of the emulator. All of them have one type, because each type adds a thousand lines of code to compile.

use std::thread;

#[cfg(feature = "collectives")]
use crate::results::list_of;

/// What a thread does.
pub(crate) type Work<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Starts a thread that is never joined. Returns false if the system has no more threads.
pub(crate) fn start(name: String, work: Work<'static>) -> bool {
    thread::Builder::new().name(name).spawn(work).is_ok()
}

/// Does each work on a thread of its own, and returns the results when all threads have ended. Work that panics has none.
#[cfg(feature = "collectives")]
pub(crate) fn together<R: Send>(works: Vec<Box<dyn FnOnce() -> R + Send + '_>>) -> Vec<Option<R>> {
    let mut results = list_of(works.iter().map(|_| None));
    thread::scope(|threads| {
        let mut started = Vec::new();
        for (work, result) in works.into_iter().zip(&mut results) {
            let work: Work<'_> = Box::new(|| *result = Some(work()));
            started.push(threads.spawn(work));
        }
        for thread in started {
            // The result says whether the thread has panicked.
            let _ = thread.join();
        }
    });
    results
}
