//! Runs a plan on a stream that is only borrowed for reading.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong(plan: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>, mut stream: Stream<'_, '_, Npu<0>>) -> Result<()> {
    plan.run(&stream) //~ mistake
    //~ instead: plan.run(&mut stream)
}
