//! A closure that the runtime calls. C takes a function and an address.

use std::ffi::c_void;
use std::panic::{self, AssertUnwindSafe};
use std::ptr::NonNull;
use std::slice;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ascendcl_sys as sys;

use crate::callback::HostOperand;
use crate::context::with_bound;
use crate::device::{AnyDevice, Core, Held, HostFuncs};
use crate::error::{Result, Usage};
use crate::memory::Elements as _;
use crate::park::StreamKey;
use crate::raw::{check, contained, without_claims};
use crate::stream::{AnyStream, Stream, StreamTag};

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Gives a closure to `launch`, the call of the runtime called `name` that queues a function and its argument on
    /// a stream. If that fails, the closure is dropped here.
    ///
    /// # Safety
    ///
    /// The runtime calls the function at most once, with that argument, in its turn: the stream waits until it has
    /// returned.
    pub(super) unsafe fn launch_job<F>(
        &mut self,
        name: &'static str,
        launch: impl FnOnce(sys::aclrtStream, Function, *mut c_void) -> sys::aclError,
        function: F,
    ) -> Result<()>
    where
        S: StreamTag,
        F: FnOnce() + Send + 'static,
    {
        let of_core = |core: &Core| (core.weak(), Arc::clone(core.host_funcs()));
        // SAFETY: this value borrows the binding that made it.
        let (device, functions) = unsafe { with_bound(of_core) };
        let job = Arc::new(Job {
            function: Mutex::new(Some(function)),
            device,
            functions,
            stream: self.key(),
        });
        let data = Arc::into_raw(Arc::clone(&job)).cast_mut().cast::<c_void>();
        let held: Arc<dyn Held> = job.clone();
        job.functions
            .queue(job.stream, data.addr(), Arc::downgrade(&held));
        check(name, launch(self.as_raw(), run::<F>, data)).inspect_err(|_| {
            // `data` stays: a runtime that calls it all the same finds no function.
            job.functions.refuse(data.addr());
            drop(job.take());
        })
    }
}

/// Joins a closure with the queued memory that it is lent, to a closure without arguments.
///
/// # Safety
///
/// The result is called as work of the queue `Q`, which waits until it has returned, or it is never called.
pub(super) unsafe fn lent<Q, M, F>(memory: M, function: F) -> impl FnOnce() + Send + 'static
where
    M: HostOperand<Q>,
    F: FnOnce(&mut [M::Touched]) + Send + 'static,
{
    let memory = memory.destination();
    let elements = Lent {
        start: memory.cast(),
        len: M::Elements::count(memory),
    };
    move || {
        // SAFETY: `memory` is initialised (what is fresh comes back written, not as `()`) and queued on `Q`, whose work
        // this is: it stays allocated until a proof that all work of `Q` is over, and nothing else touches it while the
        // function runs (invariant of `Queued`; the caller's promise).
        function(unsafe { elements.lend() });
    }
}

/// As [`lent`], for a function that each run of a graph calls.
///
/// # Safety
///
/// As for [`lent`], for each run; the runs are one behind the other.
#[cfg(feature = "graphs")]
pub(crate) unsafe fn lent_again<Q, M, F>(
    memory: M,
    mut function: F,
) -> impl FnMut() + Send + 'static
where
    M: HostOperand<Q>,
    F: FnMut(&mut [M::Touched]) + Send + 'static,
{
    let memory = memory.destination();
    let elements = Lent {
        start: memory.cast(),
        len: M::Elements::count(memory),
    };
    move || {
        // SAFETY: as in `lent`; the graph owns the memory as long as it has this function.
        function(unsafe { elements.lend() });
    }
}

/// A function of the host as C knows it.
pub(super) type Function = unsafe extern "C" fn(*mut c_void);

/// The address and length of queued host memory, for the thread that runs the closure.
struct Lent<T> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: a `&mut [T]` in the making, which is `Send` for such `T`.
unsafe impl<T: Send> Send for Lent<T> {}

impl<T> Lent<T> {
    /// # Safety
    ///
    /// The elements are initialised, and for `'a` in nobody else's hands.
    unsafe fn lend<'a>(&self) -> &'a mut [T] {
        // SAFETY: the caller's contract. What the host touches is aligned (`Allocator::TOUCHED`).
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// A closure that the runtime holds.
struct Job<F> {
    /// Empty once it is called, refused or aborted.
    function: Mutex<Option<F>>,
    device: Weak<Core>,
    /// Those of the device, also behind its end: a function of an aborted stream must not begin then.
    functions: Arc<HostFuncs>,
    stream: StreamKey,
}

impl<F: Send> Held for Job<F> {
    fn cancel(&self) {
        drop_alone(self.take());
    }
}

impl<F> Job<F> {
    fn take(&self) -> Option<F> {
        let mut function = self.function.lock().unwrap_or_else(PoisonError::into_inner);
        function.take()
    }
}

/// The function that the runtime calls.
///
/// # Safety
///
/// `data` is a share of a `Job<F>` as [`Arc::into_raw`] gives it, which nobody else will take back.
unsafe extern "C" fn run<F: FnOnce()>(data: *mut c_void) {
    // SAFETY: the caller's contract.
    let job = unsafe { Arc::from_raw(data.cast_const().cast::<Job<F>>()) };
    if !job.functions.begin(data.addr()) {
        return;
    }
    let Some(function) = job.take() else {
        return job.functions.end(job.stream);
    };
    // Nothing of this crate is behind the closure that a panic could leave half done.
    let called = panic::catch_unwind(AssertUnwindSafe(|| without_claims(function)));
    job.functions.end(job.stream);
    if let Err(panic) = called {
        drop_alone(panic);
        if let Some(device) = job.device.upgrade() {
            let name = job.stream.label();
            device
                .ledger()
                .keep(job.stream, Usage::HostFuncPanicked { name }.into());
        }
    }
}

/// Drops a value of the program. If its destructor panics, what it panics with is leaked: the destructor of that may panic in
/// turn.
pub(crate) fn drop_alone<T>(value: T) {
    contained(|| without_claims(|| drop(value)));
}
