//! Prepares an operator with operands that the host has and an output that a stream has.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::{Idle, Main};
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    idle: Idle<'_, (Npu<0>, Main)>,
    a: &Tensor<'_, Npu<0>, f32>,
    mut out: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    drop(op::mul(current, a, a, out.tensor_mut(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, a, a, idle.take(out).tensor_mut(&[16])?)?);
    Ok(())
}
