//! Writes a sum to the memory of another device.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    on_0: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_1: &mut DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    op::add(current, a, a, 1.0, on_1.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::add(current, a, a, 1.0, on_0.tensor_mut(&[16])?)?;
    Ok(())
}
