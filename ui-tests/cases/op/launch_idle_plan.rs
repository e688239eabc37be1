//! Launches a plan without a wait whose operands nothing keeps alive until it is over.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong(
    plan: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
) -> Result<()> {
    plan.launch(stream)?; //~ mistake
    //~ instead: plan.run(stream)?;
    Ok(())
}
