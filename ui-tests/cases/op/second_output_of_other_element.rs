//! Gives the positions of the largest elements memory for numbers of another type.

use ascendcl::op::{self, Extreme, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    short: &mut DeviceBuf<'_, Npu<0>, [i32]>,
    long: &mut DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    let values = current.malloc(4)?.into_tensor(&[4])?;
    let indices = short.tensor_mut(&[4])?; //~ mistake
    //~ instead: let indices = long.tensor_mut(&[4])?;
    op::topk(current, a, 4, 0, Extreme::Largest, values, indices)?;
    Ok(())
}
