//! Gives a run of a plan a list of indices that nobody has compared with the table.

use ascendcl::op::{Indices, Repeatable, Tensor, TensorOut, operators::Index};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    plan: &mut Repeatable<'d, Npu<0>, Index<f32, i64>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    table: &Tensor<'_, Npu<0>, f32>,
    numbers: &Tensor<'_, Npu<0>, i64>,
    indices: &Indices<'_, Npu<0>, i64>,
    out: TensorOut<&mut DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    plan.run(stream, (table, &[numbers], out)) //~ mistake
    //~ instead: ascendcl::op::index(current, table, &[Some(indices)], out)?.run(stream)
}
