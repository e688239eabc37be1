//! Closures that a thread of the runtime runs.

use ascendcl_sys as sys;

use crate::callback::HostOperand;
use crate::callback::job::lent;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::outcome::ContinuesAfterFailure;
use crate::stream::{AnyStream, Stream, StreamTag};

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a function of the host (`aclrtLaunchHostFunc`) and returns at once. A thread of the runtime runs it.
    /// Later work of the stream waits until it has returned.
    ///
    /// The closure is dropped on the thread that ran it. It is leaked if it never runs, because other code has
    /// destroyed the stream. The call allocates once on the host.
    ///
    /// The function must not wait for a thread that waits for a stream of the same device. Such a wait returns behind a
    /// running [wait for the device](crate::Current::synchronize_device), which in turn waits for this function.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, receiver) = channel();
    /// stream.launch_host_func(move || {
    ///     let _ = sender.send("called");
    /// })?;
    /// stream.synchronize()?;
    /// assert_eq!(receiver.try_recv(), Ok("called"));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], with 107011 where the stream has [callbacks](Stream::subscribe_report), and
    /// [`ErrorKind::Backend`] where an older CANN lacks the function; the closure is dropped then. If it panics, the
    /// stream's next wait returns [`Usage::HostFuncPanicked`].
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn launch_host_func<F>(&mut self, function: F) -> Result<()>
    where
        S: StreamTag,
        F: FnOnce() + Send + 'static,
        D::Mode: ContinuesAfterFailure,
    {
        let launch = |stream, function, data| {
            // SAFETY: a live stream (invariant of `Stream`), a function and what it asks for.
            unsafe { sys::aclrtLaunchHostFunc(stream, Some(function), data) }
        };
        // SAFETY: it is called once, and the stream waits for it (manual chapter 12).
        unsafe { self.launch_job("aclrtLaunchHostFunc", launch, function) }
    }

    /// Queues a function of the host with host memory of this stream: `&mut` of a queued buffer or of a part of one
    /// (`aclrtLaunchHostFunc`). It returns at once, as [`Stream::launch_host_func`] does.
    ///
    /// The closure reads the results of earlier work of the stream, and later work reads the closure's. If an earlier
    /// task has failed, the memory holds older numbers, and the stream's next wait returns the error.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let mut numbers = stream.memcpy_async(stream.malloc_host(host, 4)?, &ones)?;
    /// stream.launch_host_func_on(&mut numbers, |numbers| numbers.reverse())?; // after the download
    /// stream.launch_host_func_on(&mut numbers, |numbers| numbers[0] = 9)?;
    /// assert_eq!(stream.synchronize()?.take(numbers)[..], [9, 1, 1, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::launch_host_func`].
    #[doc(alias = "aclrtLaunchHostFunc")]
    pub fn launch_host_func_on<M, F>(&mut self, memory: M, function: F) -> Result<()>
    where
        S: StreamTag,
        M: HostOperand<(D, S)>,
        F: FnOnce(&mut [M::Touched]) + Send + 'static,
        D::Mode: ContinuesAfterFailure,
    {
        // SAFETY: launched on this stream, which is the queue, and which waits for it (manual chapter 12).
        self.launch_host_func(unsafe { lent(memory, function) })
    }
}
