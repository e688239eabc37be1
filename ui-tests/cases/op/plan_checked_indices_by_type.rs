//! Plans an operator by its type, which compares the bound of the indices with nothing.

use ascendcl::op::{Indices, Operator, Tensor, operators::Embedding};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    table: &Tensor<'_, Npu<0>, f32>,
    indices: &Indices<'_, Npu<0>, i64>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    Embedding::<f32, i64>::plan(current, (table, indices, out.tensor_mut(&[2, 8])?))?; //~ mistake
    //~ instead: ascendcl::op::embedding(current, table, indices, out.tensor_mut(&[2, 8])?)?;
    Ok(())
}
