//! Runs a plan on a stream of another device.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong(
    plan: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>,
    on_0: &mut Stream<'_, '_, Npu<0>>,
    on_1: &mut Stream<'_, '_, Npu<1>>,
) -> Result<()> {
    plan.run(on_1) //~ mistake
    //~ instead: plan.run(on_0)
}
