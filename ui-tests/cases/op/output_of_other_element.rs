//! Writes the sum of floating-point numbers to memory for integers.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    integers: &mut DeviceBuf<'_, Npu<0>, [i32]>,
    floats: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::add(current, a, a, 1.0, integers.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::add(current, a, a, 1.0, floats.tensor_mut(&[16])?)?;
    Ok(())
}
