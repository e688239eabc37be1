//! Gives a run of a plan an operand of another element type.

use ascendcl::op::{Repeatable, Tensor, TensorOut, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    plan: &mut Repeatable<'d, Npu<0>, Mul<f32>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    a: Tensor<'_, Npu<0>, f32>,
    b: Tensor<'_, Npu<0>, i32>,
    out: TensorOut<&mut DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    plan.run(stream, (&a, &b, out)) //~ mistake
    //~ instead: plan.run(stream, (&a, &a, out))
}
