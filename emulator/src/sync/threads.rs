//! The start of the threads of the emulator.

use std::thread;

/// Starts a thread that is never joined. Returns false if the system has no more threads.
///
/// All threads have one type here, because each type adds a thousand lines of code to compile.
pub(crate) fn start(name: String, work: Box<dyn FnOnce() + Send>) -> bool {
    thread::Builder::new().name(name).spawn(work).is_ok()
}
