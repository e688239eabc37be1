//! Lends fresh memory to an operator instead of giving it away.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let mut out = current.malloc::<f32>(16)?;
    op::mul(current, a, a, out.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::mul(current, a, a, out.into_tensor(&[16])?)?;
    Ok(())
}
