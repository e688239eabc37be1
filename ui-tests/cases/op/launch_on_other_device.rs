//! Launches a plan on a stream of the same name on another device.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Output<'b> = &'b mut Queued<'b, (Npu<0>, Main), DeviceBuf<'b, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Output<'_>>,
    on_0: &mut Stream<'_, 'd, Npu<0>>,
    on_1: &mut Stream<'_, 'd, Npu<1>>,
) -> Result<()> {
    drop(plan.launch(on_1)?); //~ mistake
    //~ instead: drop(plan.launch(on_0)?);
    Ok(())
}
