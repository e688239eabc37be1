//! Functions of the program among the work of a stream.
//!
//! A queued closure runs when all earlier work of its stream is over. Later work waits until it has returned. It can
//! be lent host memory of the stream, and so read a result or write the next input without a wait of the host. There
//! are two kinds:
//!
//! - [`Stream::launch_host_func`]: a thread of the runtime runs the closure. CANN 8.1 lacks this call.
//! - [`Stream::launch_callback`]: a thread of the program that serves the stream runs the closure, a
//!   [`ReportThread`].
//!
//! A stream can have one kind only; the runtime refuses the other.
//!
//! The closure is `Send` and `'static`, because it runs later on another thread. The runtime allows no call of
//! AscendCL inside it (manual chapter 12, CANN 8.1). [`Thread`], [`Current`] and [`Stream`] are not `Send`, so they cannot
//! enter it, and [`Thread::claim`] refuses inside it. One rule remains that types cannot check: the closure must
//! neither own nor call a value of this crate that was leaked to `'static`, such as an [`Acl`] or a fence, because
//! its methods and its release are such calls. The emulator's checker reports them (`call-in-function`). What would have to
//! wait for a device before its release could wait for the closure itself. So an [`Acl`], a device, a context and a parked
//! stream that are dropped inside it are left as they are, and the [hook for failed releases](crate::on_release_failure) gets
//! [`Usage::InHostFunc`].
//!
//! A panic ends inside the closure and poisons its stream, as a failed task does. [`Usage::HostFuncPanicked`] is
//! returned once: by the next [`Stream::synchronize`] or destruction of the stream, by
//! [`Current::synchronize_device`], or by the end of a scope. Later work of the stream runs all the same, so a device
//! that [stops on failure](crate::Device::stop_on_failure) takes no such closures.
//!
//! One closure must not wait for another one: the runtime may run the closures of a device one at a time.
//!
//! [`Acl::set_exception_info_callback`] sets a hook for failed tasks, and [`Acl::set_device_state_callback`] one for devices
//! that are set and reset.
//!
//! ```
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
//! # ascendcl::example!(|acl| { halve(&acl)?; });
//! ```

mod device_state;
mod exception;
mod host_func;
mod job;
mod report;

pub use device_state::DeviceState;
pub use exception::ExceptionInfo;
pub(crate) use job::drop_alone;
#[cfg(feature = "graphs")]
pub(crate) use job::lent_again;
pub use report::{Report, ReportThread, ReportThreadId, Subscribed};

use std::panic::{self, AssertUnwindSafe};

#[cfg(doc)]
use crate::context::{Current, Thread};
#[cfg(doc)]
use crate::error::Usage;
use crate::memory::place::Touchable;
use crate::memory::{Destination, Elements};
use crate::raw::without_claims;
#[cfg(doc)]
use crate::runtime::Acl;
#[cfg(doc)]
use crate::stream::Stream;

/// Memory that a host function or callback on the queue `Q` can be lent: `&mut` of host memory that is queued on that
/// stream, or a part of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a host function or callback on the queue `{Q}`",
    label = "expected `&mut` of host memory that is queued on the same stream",
    note = "copy device memory to host memory first, on the same stream: `stream.memcpy_async(&mut host, &device)`",
    note = "move an idle buffer into the stream with `stream.adopt(buffer)`, and a buffer of another stream by `handoff` or a fence",
    note = "a `Shared` buffer cannot be written: turn the last share into the buffer again with `try_unwrap`"
)]
pub trait HostOperand<Q>:
    Destination<Q, Place: Touchable, Elements: Elements<Element = Self::Touched>, Written = ()>
{
    /// The elements. Another thread touches them.
    type Touched: Send + 'static;
}
#[diagnostic::do_not_recommend]
impl<Q, M> HostOperand<Q> for M
where
    M: Destination<Q, Place: Touchable, Elements: Elements<Element: Send + 'static>, Written = ()>,
{
    type Touched = <M::Elements as Elements>::Element;
}

/// Runs a hook of the program inside a call of the runtime. A panic ends here. The hook is a function, which has no state of
/// this crate that a panic could leave half done.
fn run_hook(hook: impl FnOnce()) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| without_claims(hook))) {
        drop_alone(panic);
    }
}
