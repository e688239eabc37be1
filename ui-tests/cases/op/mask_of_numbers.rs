//! Chooses elements by numbers instead of truth values.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    numbers: &Tensor<'_, Npu<0>, i32>,
    truths: &Tensor<'_, Npu<0>, Bool>,
) -> Result<()> {
    op::inplace_masked_fill_scalar(current, out.tensor_mut(&[16])?, numbers, 0.0)?; //~ mistake
    //~ instead: op::inplace_masked_fill_scalar(current, out.tensor_mut(&[16])?, truths, 0.0)?;
    Ok(())
}
