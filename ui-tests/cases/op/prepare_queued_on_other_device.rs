//! Prepares an operator on queued operands with the binding to another device.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    on_0: Current<'_, '_, Npu<0>>,
    on_1: Current<'_, '_, Npu<1>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
    out: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
) -> Result<()> {
    drop(op::mul(on_1, a, a, out)?); //~ mistake
    //~ instead: drop(op::mul(on_0, a, a, out)?);
    Ok(())
}
