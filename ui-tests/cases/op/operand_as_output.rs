//! Passes an operand where an output is wanted.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::mul(current, a, a, out.tensor(&[16])?)?; //~ mistake
    //~ instead: op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    Ok(())
}
