//! Prepares an operator on operands that two streams have.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_main: &Tensor<'_, (Npu<0>, Main), f32>,
    on_up: &Tensor<'_, (Npu<0>, Upload), f32>,
    out: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
) -> Result<()> {
    drop(op::mul(current, on_main, on_up, out)?); //~ mistake
    //~ instead: drop(op::mul(current, on_main, on_main, out)?);
    Ok(())
}
