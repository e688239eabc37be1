//! Passes a buffer without a shape as the output of an operator.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let out = current.malloc::<f32>(16)?;
    op::mul(current, a, a, out)?; //~ mistake
    //~ instead: op::mul(current, a, a, out.into_tensor(&[16])?)?;
    Ok(())
}
