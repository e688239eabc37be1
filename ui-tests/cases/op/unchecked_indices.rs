//! Takes rows at indices that nobody has compared with their number.

use ascendcl::op::{self, Indices, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    table: &Tensor<'_, Npu<0>, f32>,
    numbers: &Tensor<'_, Npu<0>, i64>,
    indices: &Indices<'_, Npu<0>, i64>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::embedding(current, table, numbers, out.tensor_mut(&[2, 8])?)?; //~ mistake
    //~ instead: op::embedding(current, table, indices, out.tensor_mut(&[2, 8])?)?;
    Ok(())
}
