//! Hands the output to another stream between the preparation of an operator and its launch.

use ascendcl::event::Order;
use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Event, Npu, Queued, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
    mut memory: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    let plan = op::mul(current, a, a, memory.tensor_mut(&[16])?)?;
    let fence = stream.fence(event, memory)?; //~ mistake
    drop(plan.launch(stream)?);
    //~ instead: let fence = stream.fence(event, memory)?;
    drop(fence);
    Ok(())
}
