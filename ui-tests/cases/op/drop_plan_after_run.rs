//! Drops a plan, which destroys its executor, although running it has released the executor.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong(plan: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    plan.run(stream)?;
    drop(plan); //~ mistake
    Ok(())
}
