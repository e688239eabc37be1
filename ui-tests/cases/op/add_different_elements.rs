//! Adds tensors of different element types.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    floats: &Tensor<'_, Npu<0>, f32>,
    integers: &Tensor<'_, Npu<0>, i32>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    op::add(current, floats, integers, 1.0, out)?; //~ mistake
    //~ instead: op::add(current, floats, floats, 1.0, out)?;
    Ok(())
}
