//! Gives a run of a plan an operand that is queued on another stream.

use ascendcl::op::{Repeatable, Tensor, TensorOut, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

type Memory<'d, S> = Queued<'d, (Npu<0>, S), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: &mut Repeatable<'d, (Npu<0>, Main), Mul<f32>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    a: Tensor<'_, (Npu<0>, Main), f32>,
    uploaded: Tensor<'_, (Npu<0>, Upload), f32>,
    out: TensorOut<&mut Memory<'d, Main>>,
) -> Result<()> {
    plan.launch(stream, (&a, &uploaded, out)) //~ mistake
    //~ instead: plan.launch(stream, (&a, &a, out))
}
