//! Takes rows of a table that a stream has, by indices that the host has.

use ascendcl::op::{self, Indices, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    table: &Tensor<'_, (Npu<0>, Main), f32>,
    idle: &Indices<'_, Npu<0>, i64>,
    queued: &Indices<'_, (Npu<0>, Main), i64>,
    out: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
) -> Result<()> {
    drop(op::embedding(current, table, idle, out)?); //~ mistake
    //~ instead: drop(op::embedding(current, table, queued, out)?);
    let _ = queued;
    Ok(())
}
