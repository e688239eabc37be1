//! Prepares an operator on operands that streams of two devices have.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_0: &Tensor<'_, (Npu<0>, Main), f32>,
    on_1: &Tensor<'_, (Npu<1>, Main), f32>,
    out: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
) -> Result<()> {
    drop(op::mul(current, on_0, on_1, out)?); //~ mistake
    //~ instead: drop(op::mul(current, on_0, on_0, out)?);
    Ok(())
}
