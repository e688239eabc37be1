//! Launches of plans: the operator is queued, and nothing waits for it.

use std::ffi::c_void;

use ascendcl_sys as sys;

use super::Plan;
use crate::device::Site;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::op::operator::{Operator, Outputs, OutputsOf, Parameters};
use crate::op::site::QueuedSite;
use crate::op::workspace::{Launched, Memory, Workspaces, allocate};
use crate::raw::check;
use crate::stream::{AnyStream, Stream};

impl<'dev, X: Site, P: Operator, O> Plan<'_, 'dev, X, P, O> {
    /// Queues the operator on the stream of its operands and returns at once.
    ///
    /// Gives back the output, written for later work of the stream, and the workspace, which the
    /// operator uses until it is over. [`Plan::launch_in`] gives back the output alone.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = stream.malloc_host_from(host, &[1.0_f32, 1.0])?;
    /// let ones = stream.memcpy_async(stream.malloc(2)?, &ones)?;
    /// let out = stream.malloc(2)?.into_tensor(&[2])?;
    /// let plan = op::add(current, &ones.tensor(&[2])?, &ones.tensor(&[2])?, 1.0, out)?;
    /// let sum = plan.launch(&mut stream)?.into_output(); // queued
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &sum)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [2.0, 2.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the operator could not be queued or there is no memory for its workspace. That it
    /// fails itself is reported by the stream's next wait.
    #[inline(always)]
    pub fn launch<S: AnyStream>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
    ) -> Result<Launched<'dev, O::Written, X::Device, S>>
    where
        X: QueuedSite<S>,
        O: Outputs<X, OutputsOf<P>>,
    {
        let parts = self.into_parts();
        let workspace: Option<Memory<'dev, X::Device>> = allocate(P::PREPARE, parts.size)?;
        let pointer = match &workspace {
            Some(workspace) => workspace.as_raw().cast::<c_void>(),
            None => core::ptr::null_mut(),
        };
        // Queued from here on, so that it is parked and not freed if the launch is refused half-way.
        let workspace = workspace.map(|workspace| stream.queue(workspace));
        // The end is that of `launch_into`. A function for both costs each launch instructions.
        let (executor, size) = (parts.executor.launch(), parts.size);
        let held = (parts.described, parts.output);
        // SAFETY: the executor has not run; workspace and operands are device memory that is queued on
        // this stream, so that nothing frees them before the operator is over.
        let code = unsafe { P::launch(pointer, size, executor.as_ptr(), stream.as_raw()) };
        let checked = check(P::NAME, code);
        if P::Parameters::WAITS && code != sys::ACL_SUCCESS {
            Self::fail_next_wait(stream, code);
        }
        checked?;
        let (described, output) = held;
        // The executor has copied what it needs of the descriptions (manual of aclnn, two-phase interface: they may be
        // destroyed after the second phase).
        described.release();
        Ok(Launched {
            // SAFETY: the operator, which writes every element of its outputs, was queued.
            output: unsafe { output.written() },
            workspace,
        })
    }

    /// [`Plan::launch`] with a workspace that earlier operators of the stream may still be using: a stream is in order,
    /// so they are done with it when this one begins. Nothing is allocated where it is large enough.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let mut out = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let mut workspaces = op::Workspaces::new();
    /// for _ in 0..3 {
    ///     let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out.tensor_mut(&[4])?)?;
    ///     plan.launch_in(&mut stream, &mut workspaces)?; // one workspace for all launches
    /// }
    /// stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Plan::launch`].
    #[inline(always)]
    pub fn launch_in<S: AnyStream>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
        workspaces: &mut Workspaces<'dev, X::Device, S>,
    ) -> Result<O::Written>
    where
        X: QueuedSite<S>,
        O: Outputs<X, OutputsOf<P>>,
    {
        let room = |stream: &Stream<'_, 'dev, X::Device, S>, bytes| {
            workspaces.room(stream, P::PREPARE, bytes)
        };
        // SAFETY: the workspace is at least as large as the first phase has asked for; only operators of this stream use it,
        // one behind the other.
        unsafe { self.launch_into(stream, room) }
    }

    /// Queues the operator with the workspace at the address that `room` gives for its bytes.
    ///
    /// # Safety
    ///
    /// - The workspace has so many bytes, and it lives until the work is over. Only operators of this stream use it, one behind
    ///   the other.
    #[inline(always)]
    pub(crate) unsafe fn launch_into<S: AnyStream>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
        room: impl FnOnce(&Stream<'_, 'dev, X::Device, S>, u64) -> Result<*mut c_void>,
    ) -> Result<O::Written>
    where
        X: QueuedSite<S>,
        O: Outputs<X, OutputsOf<P>>,
    {
        let parts = self.into_parts();
        let pointer = room(stream, parts.size)?;
        let (executor, size) = (parts.executor.launch(), parts.size);
        let held = (parts.described, parts.output);
        // SAFETY: the executor has not run; the operands are device memory that is queued on this stream, so that nothing frees
        // them before the operator is over, and the caller vouches for the workspace.
        let code = unsafe { P::launch(pointer, size, executor.as_ptr(), stream.as_raw()) };
        let checked = check(P::NAME, code);
        if P::Parameters::WAITS && code != sys::ACL_SUCCESS {
            Self::fail_next_wait(stream, code);
        }
        checked?;
        let (described, output) = held;
        // As in `launch`.
        described.release();
        // SAFETY: the operator, which writes every element of its outputs, was queued.
        Ok(unsafe { output.written() })
    }

    /// Makes the next wait for the stream fail, behind a second phase that waits for the stream and has failed. That wait may
    /// have been the one that returned the failure of earlier work, which C returns once.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_next_wait<S: AnyStream>(
        stream: &Stream<'_, '_, X::Device, S>,
        code: sys::aclnnStatus,
    ) {
        stream.keep(Error::refused(P::NAME, code));
    }
}
