//! Lets an operator write one element several times, through a view that repeats it.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    row: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    table: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::mul(current, a, a, row.tensor_mut(&[1, 4])?.expand(&[4, 4])?)?; //~ mistake
    //~ instead: op::mul(current, a, a, table.tensor_mut(&[4, 4])?)?;
    Ok(())
}
