//! Makes an output with a shape that nothing has checked.

use ascendcl::op::TensorOut;
use ascendcl::{DeviceBuf, Npu, Result};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong<'b>(buf: Output<'b>) -> Result<TensorOut<Output<'b>>> {
    Ok(TensorOut { memory: buf }) //~ mistake
    //~ instead: buf.tensor_mut(&[16])
}
