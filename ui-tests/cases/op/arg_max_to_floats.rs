//! Lets an operator write places as floating-point numbers.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    floats: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    numbers: &mut DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    op::arg_max(current, a, -1, false, floats.tensor_mut(&[4])?)?; //~ mistake
    //~ instead: op::arg_max(current, a, -1, false, numbers.tensor_mut(&[4])?)?;
    Ok(())
}
