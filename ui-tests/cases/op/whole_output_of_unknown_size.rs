//! Passes an output that is written as a whole to an operator that writes as much as the data decide.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let out = current.malloc::<i64>(16)?;
    op::nonzero(current, a, out.into_tensor(&[16, 1])?)?; //~ mistake
    //~ instead: op::nonzero(current, a, out.into_tensor_up_to(&[16, 1])?)?;
    Ok(())
}
