//! Gives memory that was written before to an operator instead of lending it.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    mut out: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::mul(current, a, a, out.into_tensor(&[16])?)?; //~ mistake
    //~ instead: op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    Ok(())
}
