//! Takes an operand back between the preparation of an operator and its launch.

use ascendcl::op::{self, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    memory: Memory<'d>,
    out: TensorOut<&mut Memory<'d>>,
) -> Result<()> {
    let a = memory.tensor(&[16])?;
    let plan = op::mul(current, &a, &a, out)?;
    stream.synchronize()?.take(memory).free()?; //~ mistake
    drop(plan.launch(stream)?);
    //~ instead: stream.synchronize()?.take(memory).free()?;
    Ok(())
}
