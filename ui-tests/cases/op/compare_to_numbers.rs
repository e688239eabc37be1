//! Lets a comparison write numbers.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    numbers: &mut DeviceBuf<'_, Npu<0>, [i32]>,
    truths: &mut DeviceBuf<'_, Npu<0>, [Bool]>,
) -> Result<()> {
    op::gt_tensor(current, a, a, numbers.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::gt_tensor(current, a, a, truths.tensor_mut(&[16])?)?;
    Ok(())
}
