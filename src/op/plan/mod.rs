//! Plans: the executor of an operator between its two phases. `run` waits for the operator, `launch` queues it.

mod launch;
mod run;

use std::fmt;
use std::marker::PhantomData;

use crate::context::Current;
use crate::device::{OfDevice, Site};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Repeated, Result};
use crate::op::executor::Executor;
use crate::op::handle::Described;
use crate::op::operator::{Arguments, HandlesOf, Operator, Parameters, PlacesOf};
use crate::op::repeatable::{Repeatable, Repeats};
#[cfg(doc)]
use crate::op::workspace::Workspaces;
use crate::state::{Bound, DropUses};

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
    /// Where the tensors are, for a repeatable plan. For any other the compiler leaves it out.
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
    /// C does this with the executor of the thread's latest first phase only. So the first phase is called once more here,
    /// and the device of the tensors is current, as for the first plan.
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
