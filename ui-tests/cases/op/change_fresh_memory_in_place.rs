//! Adds in place to fresh memory, which holds no numbers yet.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    b: &Tensor<'_, Npu<0>, f32>,
    written: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let a = current.malloc(16)?.into_tensor(&[16])?; //~ mistake
    //~ instead: let a = written.tensor_mut(&[16])?;
    op::inplace_add(current, a, b, 1.0)?;
    Ok(())
}
