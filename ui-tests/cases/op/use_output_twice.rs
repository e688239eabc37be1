//! Gives one output to two plans.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let out = current.malloc(16)?.into_tensor(&[16])?;
    op::mul(current, a, a, out)?;
    //~ instead: let out = current.malloc(16)?.into_tensor(&[16])?;
    op::mul(current, a, a, out)?; //~ mistake
    //~ instead: op::mul(current, a, a, out)?;
    Ok(())
}
