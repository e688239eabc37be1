//! Hands an operand to another stream between the preparation of an operator and its launch.

use ascendcl::event::Order;
use ascendcl::op::{self, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Event, Npu, Queued, Result, Stream};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    memory: Memory<'d>,
    out: TensorOut<&mut Memory<'d>>,
) -> Result<()> {
    let a = memory.tensor(&[16])?;
    let plan = op::mul(current, &a, &a, out)?;
    let fence = stream.fence(event, memory)?; //~ mistake
    drop(plan.launch(stream)?);
    //~ instead: let fence = stream.fence(event, memory)?;
    drop(fence);
    Ok(())
}
