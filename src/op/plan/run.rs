//! Runs of plans: the operator is queued and waited for.
//!
//! A plan borrows its operands, so a run is a loan: it gives them back behind a wait that proves the operator over, or ends the
//! process (`stream::loan`).

use std::ffi::c_void;

use ascendcl_sys as sys;

use super::{Parts, Plan};
use crate::device::{AnyDevice, Site, failed_waits};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::op::handle::Described;
use crate::op::operator::{HandlesOf, Operator, Outputs, OutputsOf, Parameters};
use crate::op::site::IdleSite;
use crate::op::workspace::{Memory, Workspaces, allocate};
use crate::outcome::ContinuesAfterFailure;
use crate::pending;
use crate::stream::{Stream, StreamTag, needs_checks};

/// What a running operator uses, in the order of release: descriptions before the memory that they describe.
type Held<P, W, O> = (Described<HandlesOf<P>>, W, O);

impl<'dev, X: Site, P: Operator, O> Plan<'_, 'dev, X, P, O> {
    /// Queues the operator on `stream` and waits until the stream is idle.
    ///
    /// Gives back the output: `()` if it was borrowed, the initialised buffer if it was fresh, a tuple if there are
    /// several. A workspace is allocated for the run and freed behind it; [`Plan::run_in`] uses one again.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let ones = current.malloc_host_from(host, &[1.0_f32, 1.0])?;
    /// let ones = current.memcpy(current.malloc(2)?, &ones)?;
    /// let out = current.malloc(2)?.into_tensor(&[2])?;
    /// let plan = op::add(current, &ones.tensor(&[2])?, &ones.tensor(&[2])?, 1.0, out)?;
    /// let sum = plan.run(&mut stream)?; // waits
    /// let mut back = current.malloc_host::<f32>(host, 2)?;
    /// current.memcpy(&mut back, &sum)?;
    /// assert_eq!(back[..], [2.0, 2.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the operator could not be queued or there is no memory for its workspace, and
    /// [`ErrorKind::Wait`] when it, or something else on the stream, failed. A fresh output is freed then. If a
    /// [host function](crate::callback) in front has panicked, the stream's next wait returns that error.
    ///
    /// # Aborts
    ///
    /// If the wait fails again and again, nothing proves that the device has stopped using the operands, which are
    /// borrowed and about to be the caller's again. There is no safe way on, and the process is aborted, as by
    /// [`Current::scope`](crate::Current::scope). A program that must outlive a lost card hands its memory over:
    /// [`Stream::adopt`](crate::Stream::adopt) and [`Plan::launch`].
    #[inline(always)]
    pub fn run<S: StreamTag>(self, stream: &mut Stream<'_, '_, X::Device, S>) -> Result<O::Written>
    where
        X: IdleSite,
        O: Outputs<X, OutputsOf<P>>,
        <X::Device as AnyDevice>::Mode: ContinuesAfterFailure,
    {
        let parts = self.into_parts();
        let workspace: Option<Memory<'dev, X::Device>> = allocate(P::PREPARE, parts.size)?;
        let pointer = match &workspace {
            Some(workspace) => workspace.as_raw().cast::<c_void>(),
            None => core::ptr::null_mut(),
        };
        // SAFETY: of the size that the first phase has asked for, and nothing else uses it.
        unsafe { Self::run_on(parts, stream, pointer, workspace) }
    }

    /// [`Plan::run`] with a workspace that earlier operators of the stream may have used. Nothing is allocated where it
    /// is large enough.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
    /// let mut workspaces = op::Workspaces::new();
    /// for _ in 0..3 {
    ///     let out = current.malloc(4)?.into_tensor(&[4])?;
    ///     let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?;
    ///     plan.run_in(&mut stream, &mut workspaces)?.free()?; // one workspace for all runs
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Plan::run`].
    ///
    /// # Aborts
    ///
    /// As [`Plan::run`] does, if no wait succeeds.
    #[inline(always)]
    pub fn run_in<S: StreamTag>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
        workspaces: &mut Workspaces<'dev, X::Device, S>,
    ) -> Result<O::Written>
    where
        X: IdleSite,
        O: Outputs<X, OutputsOf<P>>,
        <X::Device as AnyDevice>::Mode: ContinuesAfterFailure,
    {
        let parts = self.into_parts();
        let pointer = workspaces.room(stream, P::PREPARE, parts.size)?;
        // SAFETY: at least as large as the first phase has asked for, and only operators of this stream use it, one
        // behind the other.
        unsafe { Self::run_on(parts, stream, pointer, ()) }
    }

    /// # Safety
    ///
    /// `pointer` is device memory of at least `workspace_size` bytes, or null where that is zero, which no other work
    /// uses while this runs; it stays allocated as long as `workspace` is not dropped.
    #[inline(always)]
    unsafe fn run_on<S: StreamTag, W>(
        Parts {
            executor,
            size,
            described,
            output,
        }: Parts<P, O>,
        stream: &mut Stream<'_, '_, X::Device, S>,
        pointer: *mut c_void,
        workspace: W,
    ) -> Result<O::Written>
    where
        O: Outputs<X, OutputsOf<P>>,
    {
        let executor = executor.launch();
        let failures = failed_waits();
        let raw = stream.as_raw();
        // SAFETY: the executor has not run; workspace and operands are live device memory of the
        // stream's device, and stay so until a wait below has succeeded; nothing returns before.
        let code = unsafe { P::launch(pointer, size, executor.as_ptr(), raw) };
        if code != sys::ACL_SUCCESS {
            return Err(Self::refused(stream, code, (described, workspace, output)));
        }
        let code = stream.wait_for_loan();
        if needs_checks(code) {
            return Self::resolve_wait(stream, code, failures, (described, workspace, output));
        }
        // SAFETY: the wait for the operator has succeeded, and nothing else has taken the report of a failure.
        Ok(unsafe { Self::succeeded((described, workspace, output)) })
    }

    /// What the operator has written.
    ///
    /// # Safety
    ///
    /// The operator has succeeded.
    #[inline(always)]
    unsafe fn succeeded<W>((described, _workspace, output): Held<P, W, O>) -> O::Written
    where
        O: Outputs<X, OutputsOf<P>>,
    {
        described.release();
        // SAFETY: the operator wrote every element of its outputs; it has succeeded (the caller's promise).
        unsafe { output.written() }
    }

    /// The outcome of a wait for the operator that has failed, or behind which there is something to look at.
    #[cold]
    #[inline(never)]
    fn resolve_wait<S: StreamTag, W>(
        stream: &mut Stream<'_, '_, X::Device, S>,
        code: sys::aclError,
        failures: u64,
        held: Held<P, W, O>,
    ) -> Result<O::Written>
    where
        O: Outputs<X, OutputsOf<P>>,
    {
        stream.loan_waited(code)?;
        if pending::of_failures() {
            stream.check_failures(failures)?;
        }
        // SAFETY: the wait has succeeded, and no wait for the whole device has failed since the launch.
        Ok(unsafe { Self::succeeded(held) })
    }

    /// Waits after a refused launch too: nothing says that no part of the operator was queued. `held` is what it uses.
    #[cold]
    #[inline(never)]
    pub(in crate::op) fn refused<S: StreamTag>(
        stream: &mut Stream<'_, '_, X::Device, S>,
        code: sys::aclnnStatus,
        held: impl Sized,
    ) -> Error {
        let error = Error::refused(P::NAME, code);
        let is_late = false; // Nothing has waited yet.
        if let Some(first) = stream.end_loan(is_late).filter(Error::is_of_work) {
            // It is that of earlier work, or says that this was aborted.
            stream.keep(first);
        }
        if P::Parameters::WAITS {
            Self::fail_next_wait(stream, code);
        }
        drop(held);
        error
    }
}
