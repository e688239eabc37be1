//! Element-wise operators whose tensors have one shape: they broadcast nothing.

use crate::op::call::Call;
use crate::op::elementwise::{Elementwise, Rules};
use crate::op::operands::Source;
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;

/// An element-wise operator that wants the shape of its result of each tensor.
pub(super) struct Alike(Rules);

/// Lets an element-wise operator broadcast nothing.
pub(super) const fn alike<const N: usize>(operator: Elementwise<N>) -> Alike {
    Alike(operator.rules())
}

impl Definition for Alike {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let (sources, out) = call.elements()?;
        for source in &sources {
            if let Source::Tensor(input) = source {
                let _ = input.shaped(out.shape())?;
            }
        }
        self.0.plan_of(call, &sources, out)
    }
}
