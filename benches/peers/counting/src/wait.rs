//! Waits without a call that waits: an executor for futures, and the raw calls that do the same.
//!
//! A host function behind the work wakes the thread. The libraries call it when the thread would wait, so it is called
//! between two polls.

use std::error::Error;
use std::ffi::{c_int, c_void};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::{Counting, ok};

/// The thread that waits, and whether it was woken.
struct Woken(AtomicBool, Thread);

impl Woken {
    fn set(&self) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.set();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.set();
    }
}

/// Runs one future at a time on this thread. It is made once, as that of a program is.
pub struct Executor {
    woken: Arc<Woken>,
    waker: Waker,
    call_host_function: extern "C" fn(),
}

impl Executor {
    pub fn new(library: &Counting) -> Result<Executor, Box<dyn Error>> {
        let woken = Arc::new(Woken(AtomicBool::new(false), thread::current()));
        Ok(Executor {
            waker: Waker::from(Arc::clone(&woken)),
            woken,
            // SAFETY: both libraries define it so.
            call_host_function: unsafe { library.function("stub_call_host_function")? },
        })
    }

    /// Polls a future until it is ready.
    #[inline]
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let mut context = Context::from_waker(&self.waker);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            self.wait();
        }
    }

    /// Waits until the thread was woken.
    #[inline]
    fn wait(&self) {
        (self.call_host_function)();
        while !self.woken.0.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

type Launch =
    unsafe extern "C" fn(*mut c_void, unsafe extern "C" fn(*mut c_void), *mut c_void) -> c_int;

/// The raw call: a host function that wakes the thread as the executor's waker does.
pub struct RawWait {
    launch: Launch,
    executor: Executor,
}

impl RawWait {
    /// `launch` is `aclrtLaunchHostFunc` or `cuLaunchHostFunc`, whose types are the same.
    pub fn new(library: &Counting, launch: &str) -> Result<RawWait, Box<dyn Error>> {
        Ok(RawWait {
            // SAFETY: the caller names one of the two.
            launch: unsafe { library.function(launch)? },
            executor: Executor::new(library)?,
        })
    }

    /// Waits for the work of a stream.
    ///
    /// # Safety
    ///
    /// A stream of the library, which only counts and takes any address for one.
    #[inline]
    pub unsafe fn wait(&self, stream: *mut c_void) {
        let data = Arc::as_ptr(&self.executor.woken).cast_mut().cast();
        // SAFETY: the caller's contract; the function gets what it asks for, and is called before the executor is dropped.
        ok(unsafe { (self.launch)(stream, wake, data) });
        self.executor.wait();
    }
}

unsafe extern "C" fn wake(woken: *mut c_void) {
    // SAFETY: the value of an executor, which waits for this call.
    unsafe { &*woken.cast::<Woken>() }.set();
}
