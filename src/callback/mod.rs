//! Functions of the program among the work of a stream.
//!
//! A queued closure runs when the work in front of it is over, and the work behind it waits until it has
//! returned. It can be lent host memory that the stream holds, so that a result is looked at, or the next input
//! written, without a wait. Who runs it:
//!
//! - [`Stream::launch_host_func`]: a thread of the runtime. CANN 8.1 has no such call yet.
//! - [`Stream::launch_callback`]: a thread of the program that serves the stream, a [`ReportThread`].
//!
//! A stream has one kind or the other, as the runtime wants it.
//!
//! The closure is `Send` and `'static`: it runs on another thread, whenever that is. What a thread uses AscendCL
//! with ([`Thread`], [`Current`], [`Stream`]) is not `Send`, and [`Thread::claim`] refuses inside of it, because the
//! runtime allows no call there (api_ref 12, CANN 8.1). What the types cannot see stays a rule: a closure must
//! neither own nor call anything of this crate that was leaked to `'static`, an [`Acl`] or a fence say, since its
//! methods and its release are such calls.
//!
//! A panic goes no further than the closure, and poisons its stream as a failed task does. The next
//! [`Stream::synchronize`] or destruction of the stream, [`Current::synchronize_device`] or end of a scope tells it, once:
//! [`Usage::HostFuncPanicked`]. Work behind it runs all the same, so a device that
//! [stops on failure](crate::Device::stop_on_failure) takes no such closures.
//!
//! One closure must not wait for another one: those of a device may run one at a time.
//!
//! And [`Acl::set_exception_info_callback`] sets a function that learns of failed tasks.
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

mod exception;
mod host_func;
mod job;
mod report;

pub use exception::ExceptionInfo;
pub use report::{Report, ReportThread, ReportThreadId, Subscribed};

#[cfg(doc)]
use crate::context::{Current, Thread};
#[cfg(doc)]
use crate::error::Usage;
use crate::memory::place::Touchable;
use crate::queue::QueuedDestination;
#[cfg(doc)]
use crate::runtime::Acl;
#[cfg(doc)]
use crate::stream::Stream;

/// Memory that a host function or callback on the queue `Q` can be lent: `&mut` of host memory that is queued on that
/// stream, or a part of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a host function or callback on the queue `{Q}`",
    label = "expected `&mut` of host memory that is queued on THIS stream",
    note = "device memory: copy it to host memory first, on the same stream: `stream.memcpy_async(&mut host, &device)`",
    note = "hand a buffer over with `stream.adopt(buffer)`; from another stream it comes by `handoff` or a fence",
    note = "what is `Shared` is for reading: the last share becomes the buffer again by `try_unwrap`"
)]
pub trait HostOperand<Q>:
    QueuedDestination<Q, Place: Touchable, Element = Self::Touched, Written = ()>
{
    /// Its elements, which another thread touches.
    type Touched: Send + 'static;
}
#[diagnostic::do_not_recommend]
impl<Q, M> HostOperand<Q> for M
where
    M: QueuedDestination<Q, Place: Touchable, Element: Send + 'static, Written = ()>,
{
    type Touched = M::Element;
}
