//! Gives a run of a plan positions that nobody has compared with the table.

use ascendcl::op::{Positions, Repeatable, Tensor, TensorOut, operators::ScatterNdUpdate};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    plan: &mut Repeatable<'d, Npu<0>, ScatterNdUpdate<f32, i64>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    table: TensorOut<&mut DeviceBuf<'d, Npu<0>, [f32]>>,
    numbers: &Tensor<'_, Npu<0>, i64>,
    positions: &Positions<'_, Npu<0>, i64>,
    updates: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    plan.run(stream, (table, numbers, updates)) //~ mistake
    //~ instead: ascendcl::op::scatter_nd_update(current, table, positions, updates)?.run(stream)
}
