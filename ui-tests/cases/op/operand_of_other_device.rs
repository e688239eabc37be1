//! Adds a tensor of another device.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_0: &Tensor<'_, Npu<0>, f32>,
    on_1: &Tensor<'_, Npu<1>, f32>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    op::add(current, on_0, on_1, 1.0, out)?; //~ mistake
    //~ instead: op::add(current, on_0, on_0, 1.0, out)?;
    Ok(())
}
