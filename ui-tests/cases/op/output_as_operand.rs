//! Passes an output where an operand is wanted.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    b: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = current.malloc(16)?.into_tensor(&[16])?;
    op::mul(current, a, &b.tensor_mut(&[16])?, out)?; //~ mistake
    //~ instead: op::mul(current, a, &b.tensor(&[16])?, out)?;
    Ok(())
}
