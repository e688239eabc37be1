//! Plans: the executor of an operator between its two phases.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site, failed_waits, wait_for_proof};
use crate::doubt;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuf, Uninit};
use crate::op::handle::Described;
use crate::op::site::{IdleSite, Output, QueuedSite};
use crate::outcome::Borrows;
use crate::queue::Queued;
use crate::raw::check;
use crate::release;
use crate::state::Bound;
use crate::stream::{Stream, StreamTag, is_in_doubt};

/// Second phase of an operator.
type Launch = unsafe fn(*mut c_void, u64, *mut sys::aclOpExecutor, sys::aclrtStream) -> i32;

/// The C functions of an operator.
pub(super) struct Operator {
    pub(super) prepare: &'static str,
    pub(super) launch: &'static str,
    pub(super) function: Launch,
}

/// An operator that is ready to run once, on idle memory of a device (`X` is the device) or on memory
/// that is queued on a stream (`X` is the queue).
///
/// It owns the executor and the workspace, holds the output, and keeps its operands borrowed: they
/// can be neither freed nor written before it has run. Dropped without having run, it releases
/// everything.
#[must_use = "a plan does nothing until `run`"]
pub struct Plan<'b, 'dev, X: Site, T, O> {
    operator: &'static Operator,
    executor: Executor,
    workspace: Option<DeviceBuf<'dev, X::Device, [u8], Uninit>>,
    /// As the first phase wrote it: zero without a workspace.
    workspace_size: u64,
    output: O,
    /// The executor refers to them; they live as long as it does.
    described: Described,
    _operands: Bound<'b, (X, T)>,
}

/// What a running operator uses, in the order of release: descriptions before the memory that they describe.
type Held<'dev, X, O> = (
    Described,
    Option<DeviceBuf<'dev, <X as Site>::Device, [u8], Uninit>>,
    O,
);

/// First phase: asks for the workspace size and allocates it.
#[inline(always)]
pub(super) fn prepare<'b, 'dev, X: Site, T, O>(
    current: Current<'_, 'dev, X::Device>,
    operator: &'static Operator,
    described: Described,
    output: O,
    phase: impl FnOnce(*mut u64, *mut *mut sys::aclOpExecutor) -> sys::aclnnStatus,
) -> Result<Plan<'b, 'dev, X, T, O>> {
    let mut size = 0;
    let mut executor = core::ptr::null_mut();
    let code = phase(&raw mut size, &raw mut executor);
    check(operator.prepare, code)?;
    // Whoever has their addresses changes them no more.
    let (size, executor) = (size, executor);
    let Some(executor) = NonNull::new(executor) else {
        return Err(Error::refused(
            operator.prepare,
            sys::ACLNN_ERR_INNER_CREATE_EXECUTOR,
        ));
    };
    let executor = Executor(executor);
    // No workspace means a null pointer in the second phase (guide 04-01).
    let workspace = match usize::try_from(size) {
        Ok(0) => None,
        Ok(bytes) => Some(current.malloc::<u8>(bytes)?),
        Err(_) => return Err(Error::refused(operator.prepare, sys::ACL_ERROR_BAD_ALLOC)),
    };
    Ok(Plan {
        operator,
        executor,
        workspace,
        workspace_size: size,
        output,
        described,
        _operands: PhantomData,
    })
}

impl<X: Site, T, O> Plan<'_, '_, X, T, O> {
    /// Bytes of device memory that the operator needs besides its operands.
    #[must_use]
    pub fn workspace_size(&self) -> usize {
        self.workspace.as_ref().map_or(0, DeviceBuf::len)
    }

    /// The workspace as the second phase takes it; none is a null pointer (guide 04-01).
    #[inline(always)]
    fn workspace_address(&self) -> *mut c_void {
        match &self.workspace {
            Some(workspace) => workspace.as_raw().cast::<c_void>(),
            None => core::ptr::null_mut(),
        }
    }
}

impl<'dev, X: Site, T, O> Plan<'_, 'dev, X, T, O> {
    /// Queues the operator on `stream` and waits until the stream is idle.
    ///
    /// Gives back the output: `()` if it was borrowed, the initialised buffer if it was fresh.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the operator could not be queued, and [`ErrorKind::Wait`] when it, or
    /// something else on the stream, failed. A fresh output is freed then. If a [host function](crate::callback) in
    /// front has panicked, the stream's next wait returns that error.
    ///
    /// # Aborts
    ///
    /// If the wait fails again and again, nothing proves that the device has stopped using the operands, which are
    /// borrowed and about to be the caller's again. There is no safe way on, and the process is aborted, as by
    /// [`Current::scope`]. A program that must outlive a lost card hands its memory over:
    /// [`Stream::adopt`](crate::Stream::adopt) and [`Plan::launch`].
    #[inline(always)]
    pub fn run<S: StreamTag>(self, stream: &mut Stream<'_, '_, X::Device, S>) -> Result<O::Written>
    where
        X: IdleSite,
        O: Output<X, T>,
        <X::Device as AnyDevice>::Mode: Borrows,
    {
        let pointer = self.workspace_address();
        let Plan {
            operator,
            executor,
            workspace,
            workspace_size: size,
            output,
            described,
            _operands,
        } = self;
        let held = (described, workspace, output);
        let executor = executor.launch();
        let failures = failed_waits();
        // SAFETY: the executor has not run; workspace and operands are live device memory of the
        // stream's device, and stay so until a wait below has succeeded; nothing returns before.
        let code =
            unsafe { (operator.function)(pointer, size, executor.as_ptr(), stream.as_raw()) };
        if code != sys::ACL_SUCCESS {
            return Err(Self::refused(stream, operator, code, held));
        }
        let code = stream.wait_status();
        if is_in_doubt(code) {
            return Self::look_closer(stream, code, failures, held);
        }
        // SAFETY: the wait for the operator has succeeded, and nothing else has taken the report of a failure.
        Ok(unsafe { Self::succeeded(held) })
    }

    /// What the operator has written.
    ///
    /// # Safety
    ///
    /// The operator has succeeded.
    #[inline(always)]
    unsafe fn succeeded((described, _workspace, output): Held<'dev, X, O>) -> O::Written
    where
        O: Output<X, T>,
    {
        described.release();
        // SAFETY: the operator wrote every element of its output; it has succeeded (the caller's promise).
        unsafe { output.written() }
    }

    /// The outcome of a wait for the operator that has failed, or behind which there is something to look at.
    #[cold]
    #[inline(never)]
    fn look_closer<S: StreamTag>(
        stream: &mut Stream<'_, '_, X::Device, S>,
        code: sys::aclError,
        failures: u64,
        held: Held<'dev, X, O>,
    ) -> Result<O::Written>
    where
        O: Output<X, T>,
    {
        if let Err(first) = stream.waited("aclrtSynchronizeStream", code) {
            return Err(Self::failed(stream, first));
        }
        if doubt::of_failures() {
            stream.check_failures(failures)?;
        }
        // SAFETY: the wait has succeeded, and no wait for the whole device has failed since the launch.
        Ok(unsafe { Self::succeeded(held) })
    }

    /// Waits after a refused launch too: nothing says that no part of the operator was queued. `held` is what it uses.
    #[cold]
    #[inline(never)]
    fn refused<S: StreamTag>(
        stream: &mut Stream<'_, '_, X::Device, S>,
        operator: &'static Operator,
        code: sys::aclnnStatus,
        held: impl Sized,
    ) -> Error {
        let error = Error::refused(operator.launch, code);
        if let Err(first) = stream.wait_for_all() {
            // It is that of earlier work.
            let first = Self::failed(stream, first);
            stream.keep(first);
        }
        drop(held);
        error
    }

    /// Waits until a wait succeeds, after one has failed: errors are reported once. Without a success the process ends.
    #[cold]
    #[inline(never)]
    fn failed<S: StreamTag>(stream: &mut Stream<'_, '_, X::Device, S>, first: Error) -> Error {
        match wait_for_proof(|| stream.wait_for_all()) {
            Ok(_) => first,
            Err(_) => release::abort(&first),
        }
    }

    /// Queues the operator on the stream of its operands and returns at once.
    ///
    /// Gives back the output, written for later work of the stream, and the workspace, which the
    /// operator uses until it is over.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when the operator could not be queued. That it fails itself is reported by the
    /// stream's next wait.
    #[inline(always)]
    pub fn launch<S: StreamTag>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
    ) -> Result<Launched<'dev, O::Written, X::Device, S>>
    where
        X: QueuedSite<S>,
        O: Output<X, T>,
    {
        let pointer = self.workspace_address();
        let Plan {
            operator,
            executor,
            workspace,
            workspace_size: size,
            output,
            described,
            _operands,
        } = self;
        // Queued from here on, so that it is parked and not freed if the launch is refused half-way.
        let workspace = workspace.map(|workspace| stream.adopt(workspace));
        let executor = executor.launch();
        // SAFETY: the executor has not run; workspace and operands are device memory that is queued on
        // this stream, so that nothing frees them before the operator is over.
        let code =
            unsafe { (operator.function)(pointer, size, executor.as_ptr(), stream.as_raw()) };
        check(operator.launch, code)?;
        // The executor has copied what it needs of the descriptions (guide 04-01: they may be
        // destroyed after the second phase).
        described.release();
        Ok(Launched {
            // SAFETY: the operator, which writes every element of its output, was queued.
            output: unsafe { output.written() },
            workspace,
        })
    }
}

/// The workspace of a launched operator, still in use by its stream.
pub type Workspace<'dev, D, S> = Queued<'dev, (D, S), DeviceBuf<'dev, D, [u8], Uninit>>;

/// An operator that [`Plan::launch`] has queued.
#[must_use = "keep the workspace for later operators, or leave it to the stream with `into_output`"]
#[derive(Debug)]
pub struct Launched<'dev, O, D: AnyDevice, S: StreamTag> {
    /// The output, written for later work of the stream: `()` if it was borrowed.
    pub output: O,
    /// The memory that the operator uses besides its operands until it is over, if it needs any. It comes back as
    /// other queued buffers do.
    pub workspace: Option<Workspace<'dev, D, S>>,
}

impl<O, D: AnyDevice, S: StreamTag> Launched<'_, O, D, S> {
    /// The output. The workspace is left to the stream: it is freed behind the next wait for the stream that succeeds.
    pub fn into_output(self) -> O {
        self.output
    }
}

impl<X: Site, T, O> fmt::Debug for Plan<'_, '_, X, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Plan({}, workspace {} bytes)",
            self.operator.launch,
            self.workspace_size()
        )
    }
}

/// An `aclOpExecutor` that has not run.
///
/// # Invariants
///
/// The pointer came from a first phase, and no second phase has had it.
struct Executor(NonNull<sys::aclOpExecutor>);

// SAFETY: a value of the host; `Plan` keeps it on its thread, which is bound to the device.
unsafe impl Send for Executor {}

impl Executor {
    /// Hands it to the second phase, which releases a one-shot executor itself (aclnn guide, CANN 8.x).
    #[inline(always)]
    fn launch(self) -> NonNull<sys::aclOpExecutor> {
        ManuallyDrop::new(self).0
    }
}

impl Drop for Executor {
    /// Releases an executor that never runs. Only repeatable ones can be destroyed, so it becomes one
    /// first.
    #[inline(always)]
    fn drop(&mut self) {
        /// By value, as in the drop of [`Described`].
        #[cold]
        #[inline(never)]
        fn release(executor: NonNull<sys::aclOpExecutor>) {
            // SAFETY: it has not run (invariant), which is when it can be made repeatable.
            let code = unsafe { sys::aclSetAclOpExecutorRepeatable(executor.as_ptr()) };
            let result = check("aclSetAclOpExecutorRepeatable", code).and_then(|()| {
                // SAFETY: repeatable, and used nowhere else.
                let code = unsafe { sys::aclDestroyAclOpExecutor(executor.as_ptr()) };
                check("aclDestroyAclOpExecutor", code)
            });
            release::in_drop(result);
        }
        release(self.0);
    }
}
