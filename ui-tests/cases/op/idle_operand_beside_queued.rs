//! Prepares an operator on an operand that a stream has and one that the host has.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    queued: &Tensor<'_, (Npu<0>, Main), f32>,
    idle: &Tensor<'_, Npu<0>, f32>,
    out: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
) -> Result<()> {
    drop(op::mul(current, queued, idle, out)?); //~ mistake
    //~ instead: drop(op::mul(current, queued, queued, out)?);
    Ok(())
}
