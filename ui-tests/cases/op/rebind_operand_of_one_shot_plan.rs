//! Gives the run of a plan that runs once other operands.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    a: Tensor<'_, Npu<0>, f32>,
    mut first: DeviceBuf<'d, Npu<0>, [f32]>,
    out: TensorOut<&mut DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    let plan = op::mul(current, &a, &a, first.tensor_mut(&[16])?)?;
    plan.run(stream, (&a, &a, out)) //~ mistake
    //~ instead: plan.repeatable(current)?.run(stream, (&a, &a, out))
}
