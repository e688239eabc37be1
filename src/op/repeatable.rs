//! Plans that run several times.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, Site, failed_waits};
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Repeated};
use crate::op::executor::Executor;
use crate::op::handle::Described;
use crate::op::operator::written::Written;
use crate::op::operator::{HandlesOf, Operator, Outputs, OutputsOf, SlotsOf};
use crate::op::plan::Plan;
use crate::op::site::{IdleSite, QueuedSite};
use crate::op::slot::Target;
use crate::op::slot::run::Operands;
use crate::op::workspace::{Memory, Workspaces, allocate};
use crate::outcome::ContinuesAfterFailure;
use crate::pending;
use crate::raw::check;
use crate::state::{Bound, DropUses};
use crate::stream::{AnyStream, Stream, StreamTag, needs_checks};

/// A site whose plans can run several times: a device, or a queue.
pub trait Repeats: Site {
    /// The workspace of such a plan: memory that is idle between two runs, or that is queued on the stream.
    #[doc(hidden)]
    type Workspace<'dev>: Default;
}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> Repeats for D {
    type Workspace<'dev> = Option<Memory<'dev, D>>;
}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice, S: AnyStream> Repeats for (D, S) {
    type Workspace<'dev> = Workspaces<'dev, D, S>;
}

/// The operator `P`, ready to run any number of times on tensors of the same shapes, which [`Plan::repeatable`] makes.
///
/// It owns the executor, the descriptions of the tensors and the workspace. It borrows no tensor: each run gets the
/// tensors of the operator, as a tuple in the order of its parameters and without the values of the host. They have the
/// elements, the shapes, the strides and the site of those that the plan was made with. Where a tensor is at another
/// address than in the run before, that address is refreshed (`aclSetInputTensorAddr`, `aclSetOutputTensorAddr`);
/// otherwise a run is the second phase alone.
///
/// A plan for queued memory belongs to one stream, because its runs use one workspace, one behind the other.
/// Dropped, it is released (`aclDestroyAclOpExecutor`), and its workspace behind the next wait for the stream.
///
/// ```
/// fn powers(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use ascendcl::{Npu, Thread, op, stream::Main};
///     let mut thread = Thread::claim()?;
///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     let current = thread.set_current(&device)?;
///     let mut stream = current.create_stream::<Main>()?;
///     let two = stream.adopt(current.memset(current.malloc::<i32>(6)?, 2)?);
///     let mut from = stream.adopt(current.memset(current.malloc::<i32>(6)?, 1)?);
///     let mut to = stream.adopt(current.memset(current.malloc::<i32>(6)?, 0)?);
///
///     let plan = op::mul(current, &two.tensor(&[6])?, &from.tensor(&[6])?, to.tensor_mut(&[6])?)?;
///     let mut multiply = plan.repeatable(current)?;
///     for _ in 0..100 {
///         multiply.launch(&mut stream, (&two.tensor(&[6])?, &from.tensor(&[6])?, to.tensor_mut(&[6])?))?;
///         (from, to) = (to, from);
///     }
///     stream.synchronize()?;
///     Ok(())
/// }
/// # ascendcl::example!(|acl| { powers(&acl)?; });
/// ```
#[doc(alias(
    "aclSetAclOpExecutorRepeatable",
    "aclDestroyAclOpExecutor",
    "aclSetInputTensorAddr",
    "aclSetOutputTensorAddr"
))]
pub struct Repeatable<'dev, X: Repeats, P: Operator> {
    executor: Executor,
    workspace_size: u64,
    slots: SlotsOf<P>,
    /// The executor reads the addresses from them in each run.
    _described: Described<HandlesOf<P>>,
    workspace: X::Workspace<'dev>,
    /// Dropping the value destroys its executor, before the device is reset.
    _device: DropUses<'dev>,
    _site: Bound<'dev, (X, P)>,
}

impl<'dev, X: Repeats, P: Operator> Repeatable<'dev, X, P> {
    pub(super) fn new(
        executor: Executor,
        workspace_size: u64,
        slots: SlotsOf<P>,
        described: Described<HandlesOf<P>>,
    ) -> Self {
        Repeatable {
            executor,
            workspace_size,
            slots,
            _described: described,
            workspace: Default::default(),
            _device: DropUses::new(),
            _site: PhantomData,
        }
    }

    /// Bytes of device memory that the operator needs besides its operands.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let tensor = a.tensor(&[4])?;
    /// let square = op::mul(current, &tensor, &tensor, out.tensor_mut(&[4])?)?.repeatable(current)?;
    /// println!("{} bytes of workspace for each run", square.workspace_size());
    /// # });
    /// ```
    #[must_use]
    pub fn workspace_size(&self) -> usize {
        usize::try_from(self.workspace_size).unwrap_or(usize::MAX)
    }

    #[inline(always)]
    fn target(&self) -> Target {
        Target {
            operator: P::NAME,
            executor: self.executor.get(),
        }
    }

    /// Queues the operator on the stream of its tensors and returns at once. Gives back the outputs as
    /// [`Plan::launch`] does: `()` for a borrowed one, and the buffer, written for later work of the stream, for a fresh
    /// one.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let mut out = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let tensor = a.tensor(&[4])?;
    /// let mut square = op::mul(current, &tensor, &tensor, out.tensor_mut(&[4])?)?.repeatable(current)?;
    /// square.launch(&mut stream, (&tensor, &tensor, out.tensor_mut(&[4])?))?; // queued
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// A [`Repeated`] error for tensors that the plan was not made for, and [`ErrorKind::Refused`] when the operator could
    /// not be queued or there is no memory for the workspace, which the first run allocates. The plan can run again.
    #[inline(always)]
    pub fn launch<'b, S: AnyStream, A>(
        &mut self,
        stream: &mut Stream<'_, 'dev, X::Device, S>,
        mut operands: A,
    ) -> Result<<A::Memory as Written<X, OutputsOf<P>>>::Written>
    where
        X: QueuedSite<S> + Repeats<Workspace<'dev> = Workspaces<'dev, <X as Site>::Device, S>>,
        A: Operands<'b, X, SlotsOf<P>, Memory: Outputs<X, OutputsOf<P>>>,
    {
        let target = self.target();
        operands.fill(&mut self.slots, target)?;
        let output = operands.into_memory();
        let size = self.workspace_size;
        let pointer = self.workspace.room(stream, P::PREPARE, size)?;
        let executor = target.executor.as_ptr();
        // SAFETY: a repeatable executor of this operator, with the addresses of these operands; the workspace has the
        // size that the first phase asked for, and only runs of this plan use it, one behind the other on this stream;
        // it and the operands are device memory that is queued on this stream, so that nothing frees them before the
        // operator is over.
        let code = unsafe { P::launch(pointer, size, executor, stream.as_raw()) };
        check(P::NAME, code)?;
        // SAFETY: the operator, which writes every element of its outputs, was queued.
        Ok(unsafe { output.written() })
    }

    /// Queues the operator on `stream` and waits until the stream is idle. Gives back the outputs as [`Plan::run`] does:
    /// `()` for a borrowed one, and the initialised buffer for a fresh one.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let tensor = a.tensor(&[4])?;
    /// let mut square = op::mul(current, &tensor, &tensor, out.tensor_mut(&[4])?)?.repeatable(current)?;
    /// square.run(&mut stream, (&tensor, &tensor, out.tensor_mut(&[4])?))?; // waits
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// A [`Repeated`] error for tensors that the plan was not made for, [`ErrorKind::Refused`] when the operator could not
    /// be queued or there is no memory for the workspace, which the first run allocates, and [`ErrorKind::Wait`] when it,
    /// or something else on the stream, failed. The plan can run again.
    ///
    /// # Aborts
    ///
    /// If the wait fails again and again, as [`Plan::run`] does.
    #[inline(always)]
    pub fn run<'b, S: StreamTag, A>(
        &mut self,
        stream: &mut Stream<'_, '_, X::Device, S>,
        mut operands: A,
    ) -> Result<<A::Memory as Written<X, OutputsOf<P>>>::Written>
    where
        X: IdleSite + Repeats<Workspace<'dev> = Option<Memory<'dev, <X as Site>::Device>>>,
        A: Operands<'b, X, SlotsOf<P>, Memory: Outputs<X, OutputsOf<P>>>,
        <X::Device as AnyDevice>::Mode: ContinuesAfterFailure,
    {
        let target = self.target();
        operands.fill(&mut self.slots, target)?;
        let output = operands.into_memory();
        let size = self.workspace_size;
        if self.workspace.is_none() {
            self.workspace = allocate(P::PREPARE, size)?;
        }
        let pointer = match &self.workspace {
            Some(workspace) => workspace.as_raw().cast::<c_void>(),
            None => core::ptr::null_mut(),
        };
        let failures = failed_waits();
        let (executor, raw) = (target.executor.as_ptr(), stream.as_raw());
        // SAFETY: a repeatable executor of this operator, with the addresses of these operands; workspace and operands
        // are live device memory of the stream's device, and stay so until a wait below has succeeded; nothing returns
        // before.
        let code = unsafe { P::launch(pointer, size, executor, raw) };
        if code != sys::ACL_SUCCESS {
            return Err(Plan::<X, P, A::Memory>::refused(stream, code, output));
        }
        let code = stream.wait_for_loan();
        if needs_checks(code) {
            stream.loan_waited(code)?;
            if pending::of_failures() {
                stream.check_failures(failures)?;
            }
        }
        // SAFETY: the wait for the operator has succeeded, and nothing else has taken the report of a failure.
        Ok(unsafe { output.written() })
    }
}

impl<X: Repeats, P: Operator> fmt::Debug for Repeatable<'_, X, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Repeatable({}, workspace {} bytes)",
            P::NAME,
            self.workspace_size
        )
    }
}
