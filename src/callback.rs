//! Functions of the program among the work of a stream.
//!
//! [`Stream::launch_host_func`] queues a closure: a thread of the runtime calls it when the work in front of it
//! is over, and the work behind it waits until it has returned. [`Stream::launch_host_func_on`] lends it host
//! memory that the stream holds, so that a result can be looked at, or the next input be written, without a wait.
//!
//! The closure is `Send` and `'static`: it runs on another thread, whenever that is. What a thread uses AscendCL
//! with ([`Thread`], [`Current`], [`Stream`]) is neither, and [`Thread::claim`] refuses inside of it, because the
//! runtime allows no call there (api_ref 12, CANN 8.1). What the types cannot see stays a rule: a closure must
//! not own an [`Acl`](crate::Acl), a device or memory that was leaked to `'static`, whose release is such a call.
//!
//! A panic goes no further than the closure, and poisons its stream as a failed task does. Work behind it runs all
//! the same, so a device that [stops on failure](crate::Device::stop_on_failure) takes no host functions.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! fn halve(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
//!     use ascendcl::{Npu, Thread, stream::Main};
//!     let mut thread = Thread::claim()?;
//!     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//!     let current = thread.set_current(&device)?;
//!     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
//!     let mut stream = current.create_stream::<Main>()?;
//!
//!     let on_device = current.memset(current.malloc::<u8>(4)?, 10)?;
//!     let mut on_device = stream.adopt(on_device);
//!     let mut host = stream.adopt(current.malloc_host::<u8>(side, 4)?);
//!     stream.memcpy_async(&mut host, &on_device)?;
//!     stream.launch_host_func_on(&mut host, |numbers| {
//!         for number in numbers {
//!             *number /= 2;
//!         }
//!     })?;
//!     stream.memcpy_async(&mut on_device, &host)?; // the halves
//!
//!     let idle = stream.synchronize()?;
//!     assert_eq!(idle.take(host)[..], [5; 4]);
//!     idle.take(on_device).free()
//! }
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> { halve(&ascendcl::Acl::from_env()?) }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```

use std::any::TypeId;
use std::ffi::c_void;
use std::panic::{self, AssertUnwindSafe};
use std::slice;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ascendcl_sys as sys;

#[cfg(doc)]
use crate::context::{Current, Thread};
use crate::context::{with_bound, without_claims};
use crate::device::{AnyDevice, Core};
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::memory::Len;
use crate::memory::place::{Host, Local, Place};
use crate::outcome::GoesOn;
use crate::queue::QueuedDestination;
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// Memory that a host function can touch: the program's own side.
#[diagnostic::on_unimplemented(
    message = "a host function cannot touch `{Self}` memory",
    label = "expected host memory that is queued on this stream",
    note = "copy to host memory first, on the same stream: `stream.memcpy_async(&mut host, &device)`"
)]
pub trait Touchable: Place {}
#[diagnostic::do_not_recommend]
impl Touchable for Host {}
#[diagnostic::do_not_recommend]
impl Touchable for Local {}

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a function of the host (`aclrtLaunchHostFunc`) and returns at once. Work behind it waits until it has
    /// returned.
    ///
    /// The closure is dropped where it ran, and leaked if it never runs because other code has ended the stream. It
    /// takes one allocation of the host.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] where an older CANN lacks the function; the closure is
    /// dropped then. If it panics, the stream's next wait is [`Usage::StreamPoisoned`].
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn launch_host_func<F>(&mut self, function: F) -> Result<()>
    where
        F: FnOnce() + Send + 'static,
        D::Mode: GoesOn,
    {
        let job = Arc::new(Job {
            function: Mutex::new(Some(function)),
            // SAFETY: this value borrows the binding that made it.
            device: unsafe { with_bound(Core::weak) },
            stream: TypeId::of::<S>(),
        });
        let data = Arc::into_raw(Arc::clone(&job)).cast_mut().cast::<c_void>();
        // SAFETY: a live stream (invariant of `Stream`), and `data` is what `run::<F>` asks for, once.
        let code = unsafe { sys::aclrtLaunchHostFunc(self.as_raw(), Some(run::<F>), data) };
        check("aclrtLaunchHostFunc", code).inspect_err(|_| {
            // `data` stays: a runtime that calls it all the same finds no function.
            drop(job.take());
        })
    }

    /// [`Stream::launch_host_func`] with host memory of this stream: `&mut` of a queued buffer or a part of one.
    ///
    /// The closure finds what the work in front of it has written, and the work behind it what the closure
    /// writes. If a task in front has failed, that is old data; the stream's next wait tells.
    ///
    /// # Errors
    ///
    /// As for [`Stream::launch_host_func`].
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn launch_host_func_on<M, F>(&mut self, mut memory: M, function: F) -> Result<()>
    where
        M: QueuedDestination<(D, S), Place: Touchable, Element: Send + 'static, Written = ()>,
        F: FnOnce(&mut [M::Element]) + Send + 'static,
        D::Mode: GoesOn,
    {
        let (start, len) = memory.destination();
        let elements = Elements {
            start,
            len: len.get(),
        };
        self.launch_host_func(move || {
            // SAFETY: `memory` is initialised (what is fresh comes back written, not as `()`) and queued on this
            // stream: it stays allocated until a proof that the stream's work is over, this function's too, and
            // nothing else touches it while the function runs (invariant of `Queued`; the stream blocks).
            function(unsafe { elements.lend() });
        })
    }
}

/// Queued host memory on its way to the thread that touches it.
struct Elements<T> {
    start: *mut T,
    len: usize,
}

// SAFETY: a `&mut [T]` in the making, which is `Send` for such `T`.
unsafe impl<T: Send> Send for Elements<T> {}

impl<T> Elements<T> {
    /// # Safety
    ///
    /// The elements are initialised, and for `'a` in nobody else's hands.
    unsafe fn lend<'a>(self) -> &'a mut [T] {
        // SAFETY: the caller's contract. What the host touches is aligned (`Allocator::TOUCHED`).
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// A host function on its way.
struct Job<F> {
    /// Empty once it is called or refused.
    function: Mutex<Option<F>>,
    device: Weak<Core>,
    stream: TypeId,
}

impl<F> Job<F> {
    fn take(&self) -> Option<F> {
        let mut function = self.function.lock().unwrap_or_else(PoisonError::into_inner);
        function.take()
    }
}

/// What the runtime calls.
///
/// # Safety
///
/// `data` is a share of a `Job<F>` as [`Arc::into_raw`] gives it, which nobody else will take back.
unsafe extern "C" fn run<F: FnOnce()>(data: *mut c_void) {
    // SAFETY: the caller's contract.
    let job = unsafe { Arc::from_raw(data.cast_const().cast::<Job<F>>()) };
    let Some(function) = job.take() else {
        return;
    };
    // Nothing of this crate is behind the closure that a panic could leave half done.
    let ran = panic::catch_unwind(AssertUnwindSafe(|| without_claims(function)));
    if ran.is_err()
        && let Some(device) = job.device.upgrade()
    {
        device.poison_stream(job.stream);
    }
}
