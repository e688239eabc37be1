//! Starting the emulator's own threads.

use std::thread;

/// Starts a thread that does its work and is never waited for; false where the system has no more threads.
///
/// All threads are of one type here, because each type is a thousand lines of code to compile.
pub(crate) fn start(name: String, work: Box<dyn FnOnce() + Send>) -> bool {
    thread::Builder::new().name(name).spawn(work).is_ok()
}
