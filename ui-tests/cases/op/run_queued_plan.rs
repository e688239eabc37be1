//! Runs a plan as if its operands were idle: they stay with their stream.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Output<'b> = &'b mut Queued<'b, (Npu<0>, Main), DeviceBuf<'b, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Output<'_>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
) -> Result<()> {
    plan.run(stream)?; //~ mistake
    //~ instead: drop(plan.launch(stream)?);
    Ok(())
}
