//! Computes the softmax of integers.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    numbers: &Tensor<'_, Npu<0>, i32>,
    integers: &mut DeviceBuf<'_, Npu<0>, [i32]>,
    floats: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::softmax(current, numbers, -1, integers.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::softmax(current, a, -1, floats.tensor_mut(&[16])?)?;
    Ok(())
}
