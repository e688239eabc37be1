//! Gives a view to an operator that takes contiguous tensors only.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [i32]>,
) -> Result<()> {
    let a = a.transpose(0, 1)?; //~ mistake
    op::cast(current, &a, out.tensor_mut(&[4, 4])?)?; //~ mistake
    //~ instead: let out = out.tensor_mut(&[4, 4])?.transpose(0, 1)?;
    //~ instead: op::cast(current, a, out)?;
    Ok(())
}
