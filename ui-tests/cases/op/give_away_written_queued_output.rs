//! Gives a written queued output away.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
    mut out: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    drop(op::mul(current, a, a, out.into_tensor(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, a, a, out.tensor_mut(&[16])?)?);
    Ok(())
}
