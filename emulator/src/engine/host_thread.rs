//! The threads that run host functions (`aclrtLaunchHostFunc`), one for each device.
//!
//! Host functions run on a thread of the runtime, never on a thread of the program. If they ran on the synchronising
//! thread here, a function that uses the context or the locks of that thread would work here and fail on a card.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr;
use std::sync::Condvar;
use std::sync::atomic::Ordering;
use std::thread;

use crate::engine::engine;
use crate::engine::queue::{Ran, Stream};
use crate::engine::task::{Hands, Task};
use crate::engine::watch;
use crate::observe::calls;
use crate::sync::{Mutex, lock, threads};

/// A function of the program with its argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostCall {
    function: unsafe extern "C" fn(*mut c_void),
    /// The argument, which only the program uses.
    data: usize,
}

impl HostCall {
    pub(crate) fn new(function: unsafe extern "C" fn(*mut c_void), data: *mut c_void) -> HostCall {
        HostCall {
            function,
            data: data.expose_provenance(),
        }
    }

    /// Returns whether this calls the function.
    pub(crate) fn is_of(&self, function: unsafe extern "C" fn(*mut c_void)) -> bool {
        ptr::fn_addr_eq(self.function, function)
    }

    /// Calls the function.
    pub(crate) fn run(self) {
        calls::called(|| {
            // SAFETY: the contract of aclrtLaunchCallback, aclrtLaunchHostFunc and aclmdlRIDestroyRegisterCallback: the
            // function and its argument are valid until now, on another thread.
            unsafe { (self.function)(ptr::with_exposed_provenance_mut(self.data)) };
        });
    }
}

/// A thread, and the streams that have a host function at the front.
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

thread_local! {
    /// The address of the [`HostThread`] that this thread is.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// Wakes the thread of the device for the host function at the front of a stream.
pub(crate) fn call(stream: &'static Stream) {
    if let Some(thread) = of(stream) {
        thread.call(stream);
    }
}

/// Returns whether this thread has to run the host function at the front of a stream.
pub(super) fn is_to_run(stream: &Stream) -> bool {
    let is_own = |thread: &HostThread| ptr::from_ref(thread).addr() == OWN.get();
    stream.host_called.load(Ordering::Acquire) && of(stream).is_some_and(is_own)
}

/// Returns the thread of the device of a stream.
fn of(stream: &Stream) -> Option<&'static HostThread> {
    let device = stream
        .context()
        .map_or(0, |context| context.device.load(Ordering::Relaxed));
    let threads = &engine().host_threads;
    threads.get(device as usize).or(threads.first())
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
        OWN.set(ptr::from_ref(self).addr());
        loop {
            let mut calls = lock(&self.calls);
            let stream = loop {
                match calls.streams.pop_front() {
                    Some(stream) => break stream,
                    None => calls = calls.wait(&self.called, None),
                }
            };
            drop(calls);
            // Cleared first, so that the next function of the stream wakes the thread again.
            stream.host_called.store(false, Ordering::Release);
            let Some((call, number)) = stream.begin_function() else {
                continue;
            };
            // A function has no result.
            let mut task = Task::HostFunction(call);
            let _ = watch::execute(&mut task, stream, number, &mut Hands::default());
            stream.returned(number);
            // No other thread may look at the stream. Any thread may run the next task.
            while let Ran::Busy = stream.run(number, 1, false) {
                thread::yield_now();
            }
        }
    }
}
