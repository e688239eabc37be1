//! Plans: the executor of an operator between its two phases.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Site};
use crate::error::{Error, Result};
use crate::memory::{DeviceBuf, Dyn, Uninit};
use crate::op::handle::{RawScalar, RawTensor};
use crate::op::site::{IdleSite, Output, QueuedSite};
use crate::outcome::Borrows;
use crate::queue::Queued;
use crate::raw::check;
use crate::release;
use crate::state::Bound;
use crate::stream::{Stream, StreamTag};

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
    workspace: Option<DeviceBuf<'dev, X::Device, u8, Dyn, Uninit>>,
    output: O,
    described: Described,
    _operands: Bound<'b, (X, T)>,
}

/// The descriptions that the executor refers to; they live as long as it does.
#[derive(Default)]
struct Described {
    _tensors: Vec<RawTensor>,
    _scalar: Option<RawScalar>,
}

/// First phase: asks for the workspace size and allocates it.
pub(super) fn prepare<'b, 'dev, X: Site, T, O>(
    current: Current<'_, 'dev, X::Device>,
    operator: &'static Operator,
    output: O,
    phase: impl FnOnce(*mut u64, *mut *mut sys::aclOpExecutor) -> sys::aclnnStatus,
) -> Result<Plan<'b, 'dev, X, T, O>> {
    let mut size = 0;
    let mut executor = core::ptr::null_mut();
    check(operator.prepare, phase(&raw mut size, &raw mut executor))?;
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
        Ok(size) => Some(current.malloc::<u8>(size)?),
        Err(_) => return Err(Error::refused(operator.prepare, sys::ACL_ERROR_BAD_ALLOC)),
    };
    let described = Described::default();
    Ok(Plan {
        operator,
        executor,
        workspace,
        output,
        described,
        _operands: PhantomData,
    })
}

impl<'b, 'dev, X: Site, T, O> Plan<'b, 'dev, X, T, O> {
    /// Keeps the descriptions alive until the plan is gone.
    pub(super) fn keeping(mut self, tensors: Vec<RawTensor>, scalar: Option<RawScalar>) -> Self {
        self.described = Described {
            _tensors: tensors,
            _scalar: scalar,
        };
        self
    }

    /// Bytes of device memory that the operator needs besides its operands.
    #[must_use]
    pub fn workspace_size(&self) -> usize {
        self.workspace.as_ref().map_or(0, DeviceBuf::len)
    }

    /// The workspace as the second phase takes it; none is a null pointer (guide 04-01).
    fn workspace_parts(&self) -> (*mut c_void, u64) {
        match &self.workspace {
            Some(workspace) => (workspace.as_raw().cast::<c_void>(), workspace.len() as u64),
            None => (core::ptr::null_mut(), 0),
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
    /// [`Error::Refused`] when the operator could not be queued, and [`Error::Wait`] when it, or
    /// something else on the stream, failed. A fresh output is freed then. If a second wait fails as
    /// well, nothing proves that the device has stopped: the output and the workspace are given up,
    /// and from then on this process frees no device memory (see [`leaks`](crate::leaks)).
    pub fn run<S: StreamTag>(self, stream: &mut Stream<'_, '_, X::Device, S>) -> Result<O::Written>
    where
        X: IdleSite,
        O: Output<X, T>,
        <X::Device as AnyDevice>::Mode: Borrows,
    {
        let (pointer, size) = self.workspace_parts();
        let Plan {
            operator,
            executor,
            workspace,
            output,
            described,
            _operands,
        } = self;
        let executor = executor.launch();
        let failures = stream.failures();
        // SAFETY: the executor has not run; workspace and operands are live device memory of the
        // stream's device, and stay so until the wait below has succeeded.
        let code =
            unsafe { (operator.function)(pointer, size, executor.as_ptr(), stream.as_raw()) };
        let launched = check(operator.launch, code);
        // Also after a refusal: nothing says that no part of the operator was queued.
        match stream.wait_for_all() {
            Ok(()) => {
                launched?;
                stream.check_failures(failures)?;
                // SAFETY: the operator wrote every element of its output and has succeeded.
                Ok(unsafe { output.written() })
            }
            Err(first) => {
                // Errors are reported once, so a second wait tells whether the queue is empty.
                if let Err(second) = stream.wait_for_all() {
                    release::wait_lost(&second);
                    let _ = ManuallyDrop::new((workspace, output, described));
                }
                launched.and(Err(first))
            }
        }
    }

    /// Queues the operator on the stream of its operands and returns at once.
    ///
    /// Gives back the output, written for later work of the stream, and the workspace, which the
    /// operator uses until it is over: keep it with the other queued buffers, or drop it and it is
    /// parked.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] when the operator could not be queued. That it fails itself is reported by the
    /// stream's next wait.
    pub fn launch<S: StreamTag>(
        self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
    ) -> Result<(O::Written, Option<Workspace<'dev, X::Device, S>>)>
    where
        X: QueuedSite<S>,
        O: Output<X, T>,
    {
        let (pointer, size) = self.workspace_parts();
        let Plan {
            operator,
            executor,
            workspace,
            output,
            described,
            _operands,
        } = self;
        // Queued from here on, so that it is parked and not freed if the launch is refused half-way.
        let workspace = workspace.map(Queued::new);
        let executor = executor.launch();
        // SAFETY: the executor has not run; workspace and operands are device memory that is queued on
        // this stream, so that nothing frees them before the operator is over.
        let code =
            unsafe { (operator.function)(pointer, size, executor.as_ptr(), stream.as_raw()) };
        check(operator.launch, code)?;
        // The executor has copied what it needs of the descriptions (guide 04-01: they may be
        // destroyed after the second phase).
        drop(described);
        // SAFETY: the operator, which writes every element of its output, was queued.
        Ok((unsafe { output.written() }, workspace))
    }
}

/// The workspace of a launched operator, still in use by its stream.
pub type Workspace<'dev, D, S> = Queued<'dev, (D, S), DeviceBuf<'dev, D, u8, Dyn, Uninit>>;

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
    fn launch(self) -> NonNull<sys::aclOpExecutor> {
        ManuallyDrop::new(self).0
    }
}

impl Drop for Executor {
    /// Releases an executor that never runs. Only repeatable ones can be destroyed, so it becomes one
    /// first.
    fn drop(&mut self) {
        // SAFETY: it has not run (invariant), which is when it can be made repeatable.
        let code = unsafe { sys::aclSetAclOpExecutorRepeatable(self.0.as_ptr()) };
        let result = check("aclSetAclOpExecutorRepeatable", code).and_then(|()| {
            // SAFETY: repeatable, and used nowhere else.
            let code = unsafe { sys::aclDestroyAclOpExecutor(self.0.as_ptr()) };
            check("aclDestroyAclOpExecutor", code)
        });
        release::in_drop(result);
    }
}
