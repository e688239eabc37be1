//! Splits a tensor into two outputs that are the same memory.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    mut one: DeviceBuf<'dev, Npu<0>, [f32]>,
    #[allow(unused)] mut other: DeviceBuf<'dev, Npu<0>, [f32]>,
) -> Result<()> {
    let first = one.tensor_mut(&[8])?;
    let second = one.tensor_mut(&[8])?; //~ mistake
    //~ instead: let second = other.tensor_mut(&[8])?;
    op::split_tensor(current, a, 8, 0, [first, second])?;
    Ok(())
}
