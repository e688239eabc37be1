//! Lets an operator that writes contiguous tensors only write a view.

use ascendcl::op::{self, CubeMath, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let out = out.tensor_mut(&[4, 4])?.transpose(0, 1)?; //~ mistake
    op::matmul(current, a, a, out, CubeMath::Keep)?; //~ mistake
    //~ instead: let (out, b) = (out.tensor_mut(&[4, 4])?, a.transpose(0, 1)?);
    //~ instead: op::matmul(current, &b, &b, out, CubeMath::Keep)?;
    Ok(())
}
