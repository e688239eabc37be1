//! Combines the bits of floating-point numbers.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    numbers: &Tensor<'_, Npu<0>, i32>,
    floats: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    out: &mut DeviceBuf<'_, Npu<0>, [i32]>,
) -> Result<()> {
    op::bitwise_or_tensor(current, a, a, floats.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::bitwise_or_tensor(current, numbers, numbers, out.tensor_mut(&[16])?)?;
    Ok(())
}
