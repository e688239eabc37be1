//! Multiplies a tensor by a number of another type.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::muls(current, a, 2_i32, out.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::muls(current, a, 2.0, out.tensor_mut(&[16])?)?;
    Ok(())
}
