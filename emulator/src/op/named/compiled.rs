//! The operators that were compiled. They belong to the process: neither a reset of the device nor `aclFinalize` forgets
//! them.

use std::collections::VecDeque;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_GE_FAILURE, ACL_ERROR_INVALID_PARAM, ACL_ERROR_OP_NOT_FOUND, aclError, aclrtStream,
};

use super::attribute::Attributes;
use super::bind::{self, Recipe};
use super::operand::Operand;
use super::recipe::RECIPES;
use crate::check;
use crate::model::{OF_UNKNOWN_RANK, TensorDesc};
use crate::object_calls::refused;
use crate::op::executor;
use crate::results::{joined, list_of};
use crate::sync::{Mutex, lock};

/// An operator with the description of its operands.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    /// The type of operator.
    pub(super) name: &'static str,
    recipe: Recipe,
    pub(super) inputs: Vec<TensorDesc>,
    pub(super) outputs: Vec<TensorDesc>,
    attributes: Attributes,
}

/// The operators that were compiled, the oldest first, and how many are kept.
#[derive(Debug)]
struct All {
    operators: VecDeque<Arc<Compiled>>,
    most: usize,
}

static ALL: Mutex<All> = Mutex::new(All {
    operators: VecDeque::new(),
    // The number of CANN unless `aclopSetMaxOpQueueNum` sets another one.
    most: 20000,
});

/// Sets how many operators are kept.
pub(super) fn keep(most: usize) {
    let mut all = lock(&ALL);
    all.most = most;
    while all.operators.len() > most {
        all.operators.pop_front();
    }
}

/// A call that names an operator by its type, its operands and its attributes.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) op_type: String,
    pub(super) inputs: Vec<TensorDesc>,
    pub(super) outputs: Vec<TensorDesc>,
    pub(super) attributes: Attributes,
}

impl Named {
    /// Returns the operator that was compiled for this description.
    pub(super) fn find(&self, call: &str) -> Result<Arc<Compiled>, aclError> {
        self.known().ok_or_else(|| {
            refused(
                call,
                ACL_ERROR_OP_NOT_FOUND,
                format_args!(
                    "no operator {} was compiled for these data types, formats, shapes, constants and attributes; call \
                     aclopCompile with the same description first, or aclopCompileAndExecute",
                    self.op_type
                ),
            )
        })
    }

    fn known(&self) -> Option<Arc<Compiled>> {
        // A description without all sizes is for compiling.
        let mut descs = self.inputs.iter().chain(&self.outputs);
        if descs.any(TensorDesc::is_dynamic) {
            return None;
        }
        let all = lock(&ALL);
        let mut operators = all.operators.iter().rev();
        operators.find(|one| one.serves(self)).cloned()
    }

    /// Compiles the operator, unless it was compiled before.
    pub(super) fn compile(self, call: &'static str) -> Result<Arc<Compiled>, aclError> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let mut recipes = RECIPES.iter();
        let Some(&(name, recipe)) = recipes.find(|(name, _)| *name == self.op_type) else {
            check::not_modelled(call);
            let names = list_of(RECIPES.iter().map(|(name, _)| *name));
            return Err(self.failed(
                call,
                format_args!(
                    "the emulator has no operator of this type; it has {}, and more under the names of aclnn",
                    joined(&names, ", ")
                ),
            ));
        };
        let mut descs = self.inputs.iter().chain(&self.outputs);
        // An operator for a range of sizes is checked when it is queued.
        if !descs.any(TensorDesc::is_dynamic) {
            let inputs = list_of(self.inputs.iter().map(Operand::unplaced));
            let outputs = list_of(self.outputs.iter().map(Operand::unplaced));
            if let Err(refusal) = bind::plan(recipe, &inputs, &outputs, &self.attributes) {
                return Err(self.failed(call, format_args!("{}", refusal.text())));
            }
        }
        let compiled = Arc::new(Compiled {
            name,
            recipe,
            inputs: self.inputs,
            outputs: self.outputs,
            attributes: self.attributes,
        });
        let mut all = lock(&ALL);
        if all.operators.len() >= all.most {
            all.operators.pop_front();
        }
        all.operators.push_back(Arc::clone(&compiled));
        Ok(compiled)
    }

    #[cold]
    fn failed(&self, call: &str, why: std::fmt::Arguments<'_>) -> aclError {
        refused(
            call,
            ACL_ERROR_GE_FAILURE,
            format_args!("the operator {} cannot be compiled: {why}", self.op_type),
        )
    }
}

impl Compiled {
    /// Returns whether the operator was compiled for a call.
    fn serves(&self, named: &Named) -> bool {
        let fit = |ours: &[TensorDesc], theirs: &[TensorDesc]| {
            let mut pairs = ours.iter().zip(theirs);
            ours.len() == theirs.len() && pairs.all(|(ours, theirs)| fits(ours, theirs))
        };
        self.name == named.op_type
            && fit(&self.inputs, &named.inputs)
            && fit(&self.outputs, &named.outputs)
            && self.attributes == named.attributes
    }

    /// Queues the operator.
    pub(super) fn run(
        &self,
        call: &str,
        inputs: &[Operand],
        outputs: &[Operand],
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        let plan = bind::plan(self.recipe, inputs, outputs, &self.attributes);
        let plan = plan.map_err(|refusal| {
            let name = self.name;
            refused(
                call,
                ACL_ERROR_INVALID_PARAM,
                format_args!("{name}: {}", refusal.text()),
            )
        })?;
        match executor::run(self.name, plan, stream) {
            ascendcl_sys::ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    }
}

/// Returns whether an operator that was compiled for `ours` takes an operand with the description `theirs`.
fn fits(ours: &TensorDesc, theirs: &TensorDesc) -> bool {
    let sizes = || {
        let pairs = ours.shape.iter().zip(&theirs.shape).enumerate();
        pairs.map(|(index, (ours_size, size))| {
            let range = ours.ranges.get(index);
            let in_range =
                range.is_none_or(|[least, most]| size >= least && (*most < 0 || size <= most));
            ours_size == size || (*ours_size < 0 && in_range)
        })
    };
    let any_rank = ours.shape.first() == Some(&OF_UNKNOWN_RANK);
    ours.data_type == theirs.data_type
        && ours.format == theirs.format
        && ours.storage == theirs.storage
        && ours.placement == theirs.placement
        && ours.constant == theirs.constant
        && (any_rank || ours.shape.len() == theirs.shape.len() && sizes().all(|fits| fits))
}
