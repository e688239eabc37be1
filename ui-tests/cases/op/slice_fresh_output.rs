//! Lets an operator write a part of a fresh output, which would come back as if all of it were written.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    written: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = current.malloc(16)?.into_tensor(&[4, 4])?; //~ mistake
    op::mul(current, a, a, out.slice(0, 0..2, 1)?)?; //~ mistake
    //~ instead: let out = written.tensor_mut(&[4, 4])?;
    //~ instead: op::mul(current, a, a, out.slice(0, 0..2, 1)?)?;
    Ok(())
}
