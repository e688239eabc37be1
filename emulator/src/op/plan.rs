//! Operators, and the plan that a first phase makes.

use core::ffi::c_void;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_CREATE_EXECUTOR, ACLNN_ERR_PARAM_NULLPTR, aclOpExecutor,
    aclnnStatus, aclrtStream,
};

use super::argument::{Argument, Parameter, Part};
use super::call::{Call, Operand};
use super::dtype::element_size;
use super::executor;
use super::lacking;
use super::refusal::Refusal;
use super::view::Views;
use crate::error::fail;
use crate::results::list_of;

/// An operator: its name and its definition. Two operators are the same if they have the same address.
#[derive(Debug)]
pub struct Operator {
    /// The C name of the second phase.
    pub(super) name: &'static str,
    definition: &'static dyn Planner,
    operands: Option<usize>,
}

/// The definition of an operator, which handles a call of its first phase: a function, or
/// [`elementwise!`](crate::elementwise).
pub trait Definition: Sync {
    /// The number of operands of an element-wise operator. Other definitions ask the call for theirs.
    const OPERANDS: Option<usize> = None;

    /// Checks the call and returns the plan for the second phase.
    ///
    /// # Errors
    ///
    /// [`Refusal`] with the code that the first phase returns.
    fn plan(&self, call: &Call) -> Result<Plan, Refusal>;
}

impl<F: Fn(&Call) -> Result<Plan, Refusal> + Sync> Definition for F {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        self(call)
    }
}

/// A [`Definition`] of any type.
trait Planner: Sync {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal>;
}

impl<D: Definition> Planner for D {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        Definition::plan(self, call)
    }
}

impl fmt::Debug for dyn Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Definition")
    }
}

/// The computation of a kernel on the memory of its operands.
pub(super) type Work = Box<dyn Fn(&Views<'_>) + Send + Sync>;

/// An operator call, checked and ready to be queued.
pub struct Plan {
    pub(super) operator: &'static Operator,
    pub(super) operands: Vec<Operand>,
    /// The memory of each operand; empty if there is nothing to compute.
    pub(super) extents: Vec<Extent>,
    /// The bytes of workspace that the operator needs.
    pub(super) workspace: u64,
    /// The bytes of workspace that the first phase returns.
    pub(super) asked: u64,
    pub(super) work: Work,
    /// Why an executor of this plan runs once only, if it does.
    pub(super) once: Option<&'static str>,
}

impl Plan {
    /// Lets executors of this plan run once only: they cannot be made repeatable, for the reason `why`.
    #[must_use]
    pub fn once(mut self, why: &'static str) -> Self {
        self.once = Some(why);
        self
    }

    /// Why an executor of this plan cannot be made repeatable, if it cannot.
    pub(super) fn runs_once(&self) -> Option<&'static str> {
        let is_written = |one: &Operand| {
            let mut all = self.operands.iter();
            all.any(|other| other.is_written && other.tensor.address == one.tensor.address)
        };
        let copied = |one: &Operand| !one.is_written && !one.tensor.is_contiguous();
        let mut operands = self.operands.iter();
        let in_place = operands.any(|one| copied(one) && is_written(one));
        let copy = in_place.then_some("it copies a view of its output back to the same address");
        self.once.or(copy)
    }
}

impl Plan {
    /// Reports memory that the operator writes as written only: an operator in place that ignores its elements.
    pub(super) fn reads_no_output(&mut self) {
        let written = self.operands.iter().filter(|one| one.is_written);
        let written: Vec<usize> = list_of(written.map(|one| one.handle));
        for (operand, extent) in self.operands.iter().zip(&mut self.extents) {
            extent.is_written |= written.contains(&operand.handle);
        }
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({}, {:?})", self.operator.name, self.extents)
    }
}

/// The bytes of device memory from the first to the end of the last element of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) address: usize,
    pub(super) len: usize,
    /// Whether the view is contiguous.
    pub(super) is_dense: bool,
    pub(super) is_written: bool,
    /// The number of the operand among those with memory; `None` for an operand without elements.
    pub(super) span: Option<usize>,
}

impl Extent {
    /// Returns the memory of an operand; `span` is the number of the next operand that has memory.
    pub(super) fn of(operand: &Operand, span: usize) -> Result<Extent, Refusal> {
        let tensor = &operand.tensor;
        let Some(size) = element_size(tensor.dtype) else {
            return Err(Refusal::invalid(format_args!(
                "{} has the data type {:?}, which is not modelled",
                operand.name, tensor.dtype
            )));
        };
        Ok(Extent {
            // Wrapping, because C may pass any address, also null. The second phase refuses what is no memory: the program
            // may set the address until then.
            address: tensor.address.wrapping_add(tensor.offset * size),
            len: tensor.extent() * size,
            is_dense: tensor.is_contiguous(),
            is_written: operand.is_written,
            span: (tensor.elements() > 0).then_some(span),
        })
    }

    /// Returns the memory of an operand that may be of numbers of 4 bits.
    pub(super) fn of_pairs(operand: &Operand, span: usize) -> Result<Extent, Refusal> {
        let tensor = &operand.tensor;
        let Some(len) = tensor.pairs() else {
            return Extent::of(operand, span);
        };
        Ok(Extent {
            address: tensor.address.wrapping_add(tensor.offset / 2),
            len,
            is_dense: tensor.is_contiguous(),
            is_written: operand.is_written,
            span: (len > 0).then_some(span),
        })
    }
}

impl Operator {
    /// Makes an operator with this name.
    #[must_use]
    pub const fn new<D: Definition>(name: &'static str, definition: &'static D) -> Self {
        Self {
            name,
            definition,
            operands: D::OPERANDS,
        }
    }

    /// Fails to compile, in a constant, if the definition is element-wise and the parameters are not: it needs one
    /// output and as many operands as its arithmetic has names.
    #[doc(hidden)]
    pub const fn check_parts(&self, parts: &[Part]) {
        let Some(expected) = self.operands else {
            return;
        };
        let (mut operands, mut outputs, mut left) = (0, 0, parts);
        while let [part, others @ ..] = left {
            assert!(
                !matches!(part, Part::Nothing),
                "an element-wise operator has only tensors and numbers as parameters, and none of them is optional"
            );
            if matches!(part, Part::Operand | Part::Both) {
                operands += 1;
            }
            if matches!(part, Part::Output | Part::Both) {
                outputs += 1;
            }
            left = others;
        }
        assert!(outputs == 1, "an element-wise operator has one output");
        assert!(
            operands == expected,
            "`elementwise!` needs a name between the bars for each tensor and number that the operator reads"
        );
    }

    /// Checks a call and returns the plan of the kernel.
    pub(super) fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        self.definition.plan(call)
    }

    /// Returns an operator with another name and the same definition.
    pub(super) const fn named(&self, name: &'static str) -> Self {
        Self { name, ..*self }
    }

    /// Runs the first phase.
    ///
    /// # Safety
    ///
    /// - `workspace_size` and `executor` are null or valid for a write.
    /// - Each text among the arguments is null or ends in NUL. Handles may be any values.
    #[doc(hidden)]
    pub unsafe fn prepare(
        &'static self,
        arguments: &[Argument],
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> aclnnStatus {
        let argument = |index| arguments.get(index).copied();
        // SAFETY: the caller's contract.
        unsafe { self.prepare_all(&argument, workspace_size, executor) }
    }

    /// Runs the first phase with arguments as words, which C passed. With the calling convention of C, the functions of the
    /// operators need no code for a panic.
    ///
    /// # Safety
    ///
    /// - `words` points to a word for each parameter.
    /// - The contract of [`prepare`](Self::prepare), for the arguments that these words are.
    pub(super) unsafe extern "C" fn prepare_words(
        &'static self,
        parameters: &&'static [(&'static str, Parameter)],
        words: *const u64,
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> aclnnStatus {
        // SAFETY: the caller's contract.
        let words = unsafe { core::slice::from_raw_parts(words, parameters.len()) };
        let argument = |index| {
            let (name, parameter) = *parameters.get(index)?;
            Some(Argument::new(name, parameter, *words.get(index)?))
        };
        // SAFETY: the caller's contract.
        unsafe { self.prepare_all(&argument, workspace_size, executor) }
    }

    /// Runs the first phase with the arguments that `argument` gives by their numbers.
    ///
    /// # Safety
    ///
    /// That of [`prepare`](Self::prepare).
    unsafe fn prepare_all(
        &'static self,
        argument: &dyn Fn(usize) -> Option<Argument>,
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> aclnnStatus {
        let name = self.name;
        let refused = |code, text: &str| fail(code, format_args!("{name}GetWorkspaceSize: {text}"));
        if workspace_size.is_null() {
            return refused(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize is null");
        }
        if executor.is_null() {
            return refused(ACLNN_ERR_PARAM_NULLPTR, "executor is null");
        }
        // SAFETY: the caller's contract.
        let call = unsafe { Call::new(self, argument) };
        // A program defines custom operators, and a panic must not leave a function of C.
        let planned = catch_unwind(AssertUnwindSafe(|| {
            let plan = call.and_then(|call| self.definition.plan(&call))?;
            lacking::check(name, &plan.operands)?;
            Ok::<_, Refusal>(plan)
        }));
        let plan = match planned {
            Ok(Ok(plan)) => plan,
            Ok(Err(refusal)) => return refused(refusal.code(), refusal.text()),
            Err(panic) => {
                // Dropping the payload could panic again.
                std::mem::forget(panic);
                return refused(ACLNN_ERR_INNER, "the definition of the operator panicked");
            }
        };
        let workspace = plan.asked;
        let Some(handle) = executor::prepare(plan) else {
            return refused(ACLNN_ERR_INNER_CREATE_EXECUTOR, "too many executors");
        };
        // SAFETY: the caller's contract; not null.
        unsafe { workspace_size.write(workspace) };
        // SAFETY: the caller's contract; not null.
        unsafe { executor.write(handle) };
        0
    }

    /// Runs the second phase: checks the executor and the workspace, and queues the kernel. With the calling convention of C,
    /// the functions of the operators need no code for a panic.
    #[doc(hidden)]
    pub extern "C" fn launch(
        &'static self,
        workspace: *mut c_void,
        workspace_size: u64,
        executor: *mut aclOpExecutor,
        stream: aclrtStream,
    ) -> aclnnStatus {
        executor::launch(self, workspace, workspace_size, executor, stream)
    }
}
