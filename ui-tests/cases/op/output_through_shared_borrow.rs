//! Lets an operator write to a buffer that is only borrowed for reading.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &DeviceBuf<'_, Npu<0>, [f32]>, //~ mistake
    //~ instead: out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::mul(current, a, a, out.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    Ok(())
}
