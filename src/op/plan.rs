//! Plans: the executor of an operator between its two phases.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, OfDevice, Site, failed_waits};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Repeated, Result};
use crate::op::executor::Executor;
use crate::op::handle::Described;
use crate::op::operator::{
    Arguments, HandlesOf, Operator, Outputs, OutputsOf, Parameters, PlacesOf,
};
use crate::op::repeatable::{Repeatable, Repeats};
use crate::op::site::{IdleSite, QueuedSite};
use crate::op::workspace::{Launched, Memory, Workspaces, allocate};
use crate::outcome::ContinuesAfterFailure;
use crate::pending;
use crate::raw::check;
use crate::state::{Bound, DropUses};
use crate::stream::{AnyStream, Stream, StreamTag, needs_checks};

/// The operator `P`, ready to run once, on idle memory of a device (`X` is the device) or on memory that is queued on a
/// stream (`X` is the queue). `O` is what its outputs write to, a tuple if there are several.
///
/// It owns the executor, holds the outputs, and keeps its operands borrowed: they can be neither freed nor written
/// before it has run. Dropped without having run, it releases everything. The workspace is allocated when it runs, by
/// [`Plan::run`] and [`Plan::launch`], or is that of a [`Workspaces`] that many operators use.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
/// let out = current.malloc(4)?.into_tensor(&[4])?;
/// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?; // first phase
/// println!("{} bytes of workspace", plan.workspace_size());
/// let squares = plan.run(&mut stream)?; // second phase, and a wait
/// # });
/// ```
#[must_use = "a plan does nothing until `run`"]
pub struct Plan<'b, 'dev, X: Site, P: Operator, O> {
    // In the order of release: the executor refers to the descriptions, and they to the memory.
    executor: Executor,
    /// As the first phase wrote it: zero for an operator without a workspace.
    workspace_size: u64,
    described: Described<HandlesOf<P>>,
    output: O,
    /// Where the tensors are, for a repeatable plan; the compiler drops it on the way of any other.
    places: PlacesOf<P>,
    _operands: Bound<'b, (X, P)>,
    /// Dropping the plan destroys its executor, before the device is reset.
    _device: DropUses<'dev>,
}

/// What is in a plan, in the order of release. A path that ends early drops it as a whole, because the names of a pattern
/// are dropped in reverse.
struct Parts<P: Operator, O> {
    executor: Executor,
    size: u64,
    described: Described<HandlesOf<P>>,
    output: O,
}

/// What a running operator uses, in the order of release: descriptions before the memory that they describe.
type Held<P, W, O> = (Described<HandlesOf<P>>, W, O);

impl<'b, 'dev, X: Site, P: Operator, O> Plan<'b, 'dev, X, P, O> {
    /// First phase: describes the arguments and asks how large the workspace must be.
    #[inline(always)]
    pub(super) fn prepare<A>(
        _current: Current<'_, 'dev, X::Device>,
        mut arguments: A,
    ) -> Result<Self>
    where
        A: Arguments<'b, X, P::Parameters, Memory = O>,
    {
        P::find()?;
        let handles = arguments.describe()?;
        let values = P::Parameters::values(&handles);
        let described = Described::new(handles);
        let places = arguments.places();
        let output = arguments.into_memory();
        let mut size = 0;
        let mut executor = core::ptr::null_mut();
        // SAFETY: live descriptions, `size` and `executor` are valid for writes, and the functions were found.
        let code = unsafe { P::prepare(values, &raw mut size, &raw mut executor) };
        // Whoever has their addresses changes them no more.
        let (size, executor) = (size, executor);
        let executor = match Executor::prepared(P::PREPARE, code, executor) {
            Ok(executor) => executor,
            Err(error) => {
                // Descriptions before the memory that they describe.
                drop(described);
                drop(output);
                return Err(error);
            }
        };
        Ok(Plan {
            executor,
            workspace_size: size,
            described,
            output,
            places,
            _operands: PhantomData,
            _device: DropUses::new(),
        })
    }

    /// Takes the plan apart, so that no later path has to keep it in memory as a whole.
    #[inline(always)]
    fn into_parts(self) -> Parts<P, O> {
        Parts {
            executor: self.executor,
            size: self.workspace_size,
            described: self.described,
            output: self.output,
        }
    }

    /// Bytes of device memory that the operator needs besides its operands.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
    /// let out = current.malloc(4)?.into_tensor(&[4])?;
    /// let plan = op::mul(current, &a.tensor(&[4])?, &a.tensor(&[4])?, out)?;
    /// println!("{} bytes of workspace", plan.workspace_size());
    /// # });
    /// ```
    #[must_use]
    pub fn workspace_size(&self) -> usize {
        usize::try_from(self.workspace_size).unwrap_or(usize::MAX)
    }

    /// Makes a plan that runs several times, each time on tensors of the same shapes (`aclSetAclOpExecutorRepeatable`).
    ///
    /// Its operands are free again, and an output that it holds is released: each run gets its tensors. So make the plan
    /// with a borrowed output, by `tensor_mut`.
    ///
    /// C completes the executor of the latest first phase of the thread, so the first phase is called once more here: the
    /// device of the tensors is current, as for the first plan.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let a = current.memset(current.malloc::<i32>(4)?, 1)?;
    /// let mut out = current.memset(current.malloc::<i32>(4)?, 0)?;
    /// let tensor = a.tensor(&[4])?;
    /// let mut square = op::mul(current, &tensor, &tensor, out.tensor_mut(&[4])?)?.repeatable(current)?;
    /// for _ in 0..3 {
    ///     square.run(&mut stream, (&tensor, &tensor, out.tensor_mut(&[4])?))?;
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 561000 for an operator that CANN runs once only, such as those that copy between host
    /// and device, and random numbers. [`Repeated::Once`] for one whose second phase waits for what the data decide. Make a
    /// plan for each run.
    pub fn repeatable<'t>(
        self,
        current: impl OfDevice<Current<'t, 'dev, X::Device>>,
    ) -> Result<Repeatable<'dev, X, P>>
    where
        X: Repeats,
    {
        if P::Parameters::WAITS {
            // C refuses it too: the kernel gives a shape. And it would keep descriptions that the outputs own.
            return Err(Repeated::Once { operator: P::NAME }.into());
        }
        let _current = current.into_inner();
        drop(self.executor);
        let values = P::Parameters::values(self.described.handles());
        let mut size = 0;
        let mut executor = core::ptr::null_mut();
        // SAFETY: live descriptions, `size` and `executor` are valid for writes, and the functions were found for the
        // first executor.
        let code = unsafe { P::prepare(values, &raw mut size, &raw mut executor) };
        let executor = Executor::prepared(P::PREPARE, code, executor)?;
        executor.set_repeatable()?;
        let slots = P::Parameters::slots(values, self.places);
        Ok(Repeatable::new(executor, size, slots, self.described))
    }

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
    /// [`Current::scope`]. A program that must outlive a lost card hands its memory over:
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
    pub(super) fn refused<S: StreamTag>(
        stream: &mut Stream<'_, '_, X::Device, S>,
        code: sys::aclnnStatus,
        held: impl Sized,
    ) -> Error {
        let error = Error::refused(P::NAME, code);
        if let Some(first) = stream.end_loan(false).filter(Error::is_of_work) {
            // It is that of earlier work, or says that this was aborted.
            stream.keep(first);
        }
        if P::Parameters::WAITS {
            drop(Self::fail_next_wait(stream, code));
        }
        drop(held);
        error
    }

    /// The error of a second phase that waits for the stream. That wait may have been the one that returned the failure of
    /// earlier work, which C returns once. So the next wait for the stream fails too.
    #[cold]
    #[inline(never)]
    fn fail_next_wait<S: AnyStream>(
        stream: &Stream<'_, '_, X::Device, S>,
        code: sys::aclnnStatus,
    ) -> Error {
        let error = Error::refused(P::NAME, code);
        stream.keep(Error::refused(P::NAME, code));
        error
    }

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
        let (executor, size) = (parts.executor.launch(), parts.size);
        let held = (parts.described, parts.output);
        // SAFETY: the executor has not run; workspace and operands are device memory that is queued on
        // this stream, so that nothing frees them before the operator is over.
        let code = unsafe { P::launch(pointer, size, executor.as_ptr(), stream.as_raw()) };
        if P::Parameters::WAITS && code != sys::ACL_SUCCESS {
            return Err(Self::fail_next_wait(stream, code));
        }
        check(P::NAME, code)?;
        let (described, output) = held;
        // The executor has copied what it needs of the descriptions (guide 04-01: they may be
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
        if P::Parameters::WAITS && code != sys::ACL_SUCCESS {
            return Err(Self::fail_next_wait(stream, code));
        }
        check(P::NAME, code)?;
        let (described, output) = held;
        // As in `launch`.
        described.release();
        // SAFETY: the operator, which writes every element of its outputs, was queued.
        Ok(unsafe { output.written() })
    }
}

impl<X: Site, P: Operator, O> fmt::Debug for Plan<'_, '_, X, P, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Plan({}, workspace {} bytes)",
            P::NAME,
            self.workspace_size
        )
    }
}
